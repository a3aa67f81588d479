//! The goods that a shipping group is for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ShippingGroup;
use crate::ids::ProductId;
use crate::validation::RecordErrors;

/// Which goods a shipping group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ShippingTarget {
    /// All of the seller's.
    All,
    /// Those of its products.
    Products,
    /// Those of its categories.
    Categories,
    /// Those of its brands.
    Brands,
}

impl ShippingGroup {
    fn targets(&self, target: ShippingTarget) -> bool {
        self.target_type.is_none_or(|chosen| chosen == target)
    }

    /// Whether it is for this product.
    pub fn is_for_product(&self, id: ProductId) -> bool {
        self.targets(ShippingTarget::Products) && self.products.contains(&id)
    }

    /// Whether it is for one of these categories.
    pub fn is_for_categories(&self, codes: &[String]) -> bool {
        self.targets(ShippingTarget::Categories)
            && self.categories.iter().any(|code| codes.contains(code))
    }

    /// Whether it is for this brand.
    pub fn is_for_brand(&self, code: &str) -> bool {
        self.targets(ShippingTarget::Brands) && self.brands.iter().any(|own| own == code)
    }

    /// Whether it is for all goods of the seller.
    pub fn is_for_all(&self) -> bool {
        let has_lists =
            !self.products.is_empty() || !self.categories.is_empty() || !self.brands.is_empty();
        match self.target_type {
            Some(target) => target == ShippingTarget::All,
            None => !has_lists,
        }
    }
}

/// Checks that the list it goes by names something.
pub(super) fn check(errors: &mut RecordErrors, data: &ShippingGroup) {
    let (field, is_named) = match data.target_type {
        None | Some(ShippingTarget::All) => return,
        Some(ShippingTarget::Products) => ("products", !data.products.is_empty()),
        Some(ShippingTarget::Categories) => ("categories", !data.categories.is_empty()),
        Some(ShippingTarget::Brands) => ("brands", !data.brands.is_empty()),
    };
    errors.require(
        is_named,
        field,
        "required",
        "배송 그룹을 적용할 대상을 하나 이상 선택해 주세요.",
    );
}
