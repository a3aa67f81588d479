//! Common codes: lists of values with their labels, by code.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, NAME_MOST};
use crate::record::{DeclaredRecord, Resource, UniqueCode, WireNames};
use crate::resource_names;
use crate::schema::{Field, Filter, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of values of a code.
const VALUES_MOST: usize = 200;

const VALUE: &[Field] = &[
    Field::text("value", "값").required(),
    Field::text("label", "표시 이름").required(),
    Field::boolean("enabled", "사용"),
];

/// A value of a common code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CodeValue {
    /// The value, as stored.
    pub value: String,
    /// Its label for users.
    pub label: String,
    /// Whether it is in use.
    #[serde(default)]
    pub enabled: bool,
}

/// A common code record (kind `shop-code`). Its code is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShopCode {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub desc: String,
    /// Its values, in order.
    #[serde(default)]
    pub values: Vec<CodeValue>,
    /// Whether it is in use.
    #[serde(default)]
    pub enabled: bool,
}

impl Resource for ShopCode {
    resource_names!("shop-code", "ShopCode", "공통 코드");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "shop-code",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "코드명을 두 글자 이상 입력해 주세요.");
        errors.at_most("desc", &data.desc, LINE_MOST);
        errors.no_more_than("values", data.values.len(), VALUES_MOST);
        for (place, one) in data.values.iter().enumerate() {
            let at = format!("values.{place}");
            errors.present(format!("{at}.value"), &one.value, "값을 입력해 주세요.");
            errors.at_most(format!("{at}.value"), &one.value, NAME_MOST);
            errors.present(
                format!("{at}.label"),
                &one.label,
                "표시 이름을 입력해 주세요.",
            );
            errors.at_most(format!("{at}.label"), &one.label, NAME_MOST);
        }
        let values = data.values.iter().map(|one| one.value.as_str());
        errors.unique("values", "value", values, "같은 값이 이미 있습니다.");
        errors.finish()
    }
}

impl DeclaredRecord for ShopCode {
    const WIRE: WireNames = WireNames {
        path: "/api/console/shop/codes",
        one: "code",
        many: "codes",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name", "code"],
        sorts: &["code", "name", "createdAt", "updatedAt"],
        default_sort: "code",
        filters: &[Filter::boolean("enabled"), Filter::period("createdAt")],
        ..ResourceSchema::of(&[
            Field::text("code", "코드").required().letters(50),
            Field::text("name", "코드명").required(),
            Field::longtext("desc", "설명"),
            Field::list("values", "값", VALUE),
            Field::boolean("enabled", "사용"),
        ])
    };
}
