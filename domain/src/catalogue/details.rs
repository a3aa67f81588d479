//! Details of a product: its variations, nutrition facts, and the codes of its options.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Product;
use crate::validation::RecordErrors;

/// How a product differs from its variations: products of the same seller with the same code, e.g. the same juice in another size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Variation {
    /// Whether its page shows the variations, and theirs show it.
    pub enabled: bool,
    /// Code that the variations share.
    pub code: Option<String>,
    /// Names of what they differ in, e.g. "용량".
    pub list: Vec<String>,
    /// Its own values of these, e.g. "500ml".
    pub spec: Option<String>,
}

impl Variation {
    /// The code it shares with its variations; none if they are not shown.
    pub fn shared_code(&self) -> Option<&str> {
        let code = self.code.as_deref().filter(|_| self.enabled);
        code.filter(|code| !code.trim().is_empty())
    }
}

/// A row of nutrition facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Nutrition {
    /// Name of the nutrient.
    pub name: String,
    /// Amount with its unit, e.g. "120mg".
    pub amount: String,
    /// Whole percent of the daily reference value, which may exceed 100.
    #[serde(default)]
    pub percent: Option<u32>,
}

/// Maximum percent of a daily reference value.
const PERCENT_MOST: u32 = 10_000;

/// Checks the details of a product.
pub(super) fn check(errors: &mut RecordErrors, data: &Product) {
    // Options without a code differ in their place.
    let codes = data.options.iter().enumerate().map(|(place, option)| {
        let code = option.code.as_deref().map(str::trim);
        code.filter(|code| !code.is_empty()).ok_or(place)
    });
    errors.unique("options", "code", codes, "같은 옵션 코드가 중복되었습니다.");
    for (field, text, prompt) in [
        (
            "variation.code",
            &data.variation.code,
            "변형 상품이 함께 쓰는 코드를 입력해 주세요.",
        ),
        (
            "variation.spec",
            &data.variation.spec,
            "이 상품의 사양을 입력해 주세요.",
        ),
    ] {
        if data.variation.enabled {
            errors.present(field, text.as_deref().unwrap_or_default(), prompt);
        }
    }
    for (place, row) in data.nutritions.iter().enumerate() {
        let at = |field: &str| format!("nutritions.{place}.{field}");
        errors.present(at("name"), &row.name, "영양성분의 이름을 입력해 주세요.");
        errors.present(at("amount"), &row.amount, "함량을 입력해 주세요.");
        errors.require(
            row.percent.is_none_or(|percent| percent <= PERCENT_MOST),
            at("percent"),
            "too_large",
            "기준치에 대한 비율을 10,000 이하로 입력해 주세요.",
        );
    }
    for (place, id) in data.materials.iter().enumerate() {
        errors.require(
            !data.materials.iter().take(place).any(|one| one == id),
            format!("materials.{place}"),
            "duplicate",
            "같은 소재가 중복되었습니다.",
        );
    }
}
