//! Parts of a shipping group besides its fares: what buyers read of its methods, and its regions.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{POSTCODE_PROMPT, ShippingGroup, ShippingMethod, ShippingOption, is_postcode};
use crate::validation::RecordErrors;

/// What buyers read of a shipping method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MethodTerms {
    /// Its id within the group.
    #[serde(rename = "_id", default)]
    pub id: String,
    /// The method.
    pub method: ShippingMethod,
    /// Its name.
    pub name: String,
    /// Description: times, places.
    #[serde(default)]
    pub desc: String,
}

/// A region that a group delivers to: a range of postcodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShippingRegion {
    /// Its id within the group.
    #[serde(rename = "_id", default)]
    pub id: String,
    /// Its name.
    pub name: String,
    /// First postcode, five digits.
    pub starts: String,
    /// Last postcode, five digits.
    pub ends: String,
}

/// Reads delivery options; those stored before options had ids get their places as ids.
pub(super) fn with_ids<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ShippingOption>, D::Error> {
    let mut options = Vec::<ShippingOption>::deserialize(deserializer)?;
    for (option, place) in options.iter_mut().zip(1_u32..) {
        if option.id.is_empty() {
            option.id = place.to_string();
        }
    }
    Ok(options)
}

/// Maximum number of methods and of regions of one group.
const LINES_MOST: usize = 50;
const TWICE: &str = "같은 항목이 중복되었습니다.";

/// Checks methods and regions, and what options say of them.
pub(super) fn check(errors: &mut RecordErrors, data: &ShippingGroup) {
    check_methods(errors, data);
    check_regions(errors, data);
}

/// Whether it is an id; parts get theirs when they are stored.
fn assigned(id: &&str) -> bool {
    !id.is_empty()
}

fn check_methods(errors: &mut RecordErrors, data: &ShippingGroup) {
    let ids = data.options.iter().map(|option| option.id.as_str());
    errors.unique("options", "_id", ids.filter(assigned), TWICE);
    let ids = data.methods.iter().map(|terms| terms.id.as_str());
    errors.unique("methods", "_id", ids.filter(assigned), TWICE);
    let named = data.methods.iter().map(|terms| terms.method.code());
    errors.unique(
        "methods",
        "method",
        named,
        "같은 배송 수단이 중복되었습니다.",
    );
    for (index, terms) in data.methods.iter().enumerate() {
        errors.present(
            format!("methods.{index}.name"),
            &terms.name,
            "배송 수단의 이름을 입력해 주세요.",
        );
    }
    let offers =
        |method| data.methods.is_empty() || data.methods.iter().any(|terms| terms.method == method);
    for (index, option) in data.options.iter().enumerate() {
        errors.require(
            offers(option.method),
            format!("options.{index}.method"),
            "unknown",
            "배송 그룹에 등록된 배송 수단을 선택해 주세요.",
        );
    }
}

fn check_regions(errors: &mut RecordErrors, data: &ShippingGroup) {
    let ids = data.regions.iter().map(|region| region.id.as_str());
    errors.unique("regions", "_id", ids.filter(assigned), TWICE);
    let names = data.regions.iter().map(|region| region.name.as_str());
    errors.unique("regions", "name", names, "같은 지역명이 중복되었습니다.");
    for (index, region) in data.regions.iter().enumerate() {
        let at = format!("regions.{index}");
        errors.present(
            format!("{at}.name"),
            &region.name,
            "지역명을 입력해 주세요.",
        );
        for (field, postcode) in [("starts", &region.starts), ("ends", &region.ends)] {
            errors.require(
                is_postcode(postcode),
                format!("{at}.{field}"),
                "not_a_postcode",
                POSTCODE_PROMPT,
            );
        }
        errors.require(
            region.starts <= region.ends,
            format!("{at}.ends"),
            "out_of_order",
            "끝 우편번호는 시작 우편번호보다 크게 입력해 주세요.",
        );
    }
    for (index, option) in data.options.iter().enumerate() {
        let known = |name: &str| data.regions.iter().any(|region| region.name == name);
        let named = option.region.as_deref().filter(|name| !name.is_empty());
        errors.require(
            named.is_none_or(known),
            format!("options.{index}.region"),
            "unknown",
            "배송 그룹에 등록된 지역을 선택해 주세요.",
        );
    }
    for (field, count) in [
        ("methods", data.methods.len()),
        ("regions", data.regions.len()),
    ] {
        errors.require(
            count <= LINES_MOST,
            field,
            "too_many",
            "등록할 수 있는 개수를 넘었습니다.",
        );
    }
}
