//! Sets: products made of other products, sharing the parts' stock.
//!
//! A set sells its parts' stock, so a part must belong to the set's seller. Products change sellers and options are removed, so
//! whether a set can be sold is checked when it is saved and again whenever it is ordered.

use std::collections::BTreeSet;

use super::{BundledPart, Product, ProductType};
use crate::ids::{OptionId, ProductId, StockId};
use crate::validation::FieldError;

/// Maximum quantity of one part in a set, the same as for a cart line.
const PIECES_MOST: u32 = 999;

/// Reasons why a product or option cannot be a part of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum PartFault {
    /// The product does not exist or was removed.
    #[error("the part does not exist")]
    Gone,
    /// The product belongs to another seller.
    #[error("the part belongs to another seller")]
    Foreign,
    /// The product is a set itself.
    #[error("the part is a set")]
    Nested,
    /// The product has no such option, or it has options and none is named.
    #[error("the part has no such option")]
    NoSuchOption,
    /// The set names the same part twice.
    #[error("the part is named twice")]
    Twice,
    /// The quantity is zero or exceeds the maximum of pieces.
    #[error("the quantity is out of range")]
    Quantity,
}

impl PartFault {
    /// Stable code for the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gone => "unknown",
            Self::Foreign => "not_the_sellers",
            Self::Nested => "nested",
            Self::NoSuchOption => "unknown_option",
            Self::Twice => "duplicate",
            Self::Quantity => "quantity",
        }
    }

    /// Korean prompt (spec V149).
    pub const fn message(self) -> &'static str {
        match self {
            Self::Gone => "등록되어 있지 않은 상품입니다. 다른 상품을 선택해 주세요.",
            Self::Foreign => "다른 판매자의 상품은 세트에 넣을 수 없습니다.",
            Self::Nested => "세트 상품은 다른 세트에 넣을 수 없습니다.",
            Self::NoSuchOption => "구성 상품의 옵션을 다시 선택해 주세요.",
            Self::Twice => "같은 구성 상품이 두 번 있습니다.",
            Self::Quantity => "구성 수량은 1~999개로 입력해 주세요.",
        }
    }

    /// The field of the part the error belongs to.
    const fn field(self) -> &'static str {
        match self {
            Self::Gone | Self::Foreign | Self::Nested | Self::Twice => "_product",
            Self::NoSuchOption => "_option",
            Self::Quantity => "quantity",
        }
    }

    /// As a field error of the part at `place`.
    pub fn field_error(self, place: usize) -> FieldError {
        let field = format!("bundleds.{place}.{}", self.field());
        FieldError::new(field, self.code(), self.message())
    }
}

impl BundledPart {
    /// The stock aggregate that counts the part.
    pub fn ledger(&self) -> StockId {
        StockId(self.option.map_or(self.product.0, |option| option.0))
    }

    /// Why this part cannot be in a set of this seller; `product` is the part's product record, if it exists.
    fn fault(&self, set: &Product, product: Option<&Product>) -> Option<PartFault> {
        let Some(product) = product else {
            return Some(PartFault::Gone);
        };
        let named = self.option.filter(|option| option.0 != self.product.0);
        let is_there = match (product.options_conf.enabled, named) {
            (true, Some(named)) => product.options.iter().any(|option| option.id == named),
            (enabled, named) => !enabled && named.is_none(),
        };
        [
            (product.seller != set.seller, PartFault::Foreign),
            (
                product.kind != ProductType::NormalProduct,
                PartFault::Nested,
            ),
            (!is_there, PartFault::NoSuchOption),
            (
                !(1..=PIECES_MOST).contains(&self.quantity),
                PartFault::Quantity,
            ),
        ]
        .into_iter()
        .find_map(|(wrong, fault)| wrong.then_some(fault))
    }

    /// Display name of the part, `product` being its product record.
    pub fn name(&self, product: &Product) -> String {
        let options = product.options.iter();
        let mut named = options.filter(|option| Some(option.id) == self.option);
        match named.next() {
            Some(option) => format!("{} ({})", product.name, option.value),
            None => product.name.clone(),
        }
    }
}

impl Product {
    /// Whether it is made of other products. Parts still listed on products of other types are ignored.
    pub fn is_set(&self) -> bool {
        self.kind != ProductType::NormalProduct && !self.bundleds.is_empty()
    }

    /// The products it is made of; empty unless it is a set.
    pub fn parts(&self) -> BTreeSet<ProductId> {
        let parts = self.bundleds.iter().filter(|_| self.is_set());
        parts.map(|part| part.product).collect()
    }

    /// Whether it is a set that sells one part of the buyer's choice.
    pub fn is_choice(&self) -> bool {
        self.is_set() && self.kind == ProductType::VarietyBundle
    }

    /// The parts sold with one set: all of them, or the chosen one. A choice is identified by the stock id of the part, like an
    /// option; an unknown id yields no parts.
    pub fn parts_sold(&self, chosen: Option<OptionId>) -> &[BundledPart] {
        if !self.is_set() {
            return &[];
        }
        if !self.is_choice() {
            return &self.bundleds;
        }
        let is_chosen =
            |part: &&BundledPart| chosen.is_some_and(|chosen| chosen.0 == part.ledger().0);
        let part = self.bundleds.iter().find(is_chosen);
        part.map(std::slice::from_ref).unwrap_or_default()
    }

    /// Faults of its parts, by position; empty if it can be sold. `known` looks up products that are not removed.
    pub fn faults<'a>(
        &self,
        known: impl Fn(ProductId) -> Option<&'a Self>,
    ) -> Vec<(usize, PartFault)> {
        if !self.is_set() {
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        let parts = self.bundleds.iter().enumerate();
        parts
            .filter_map(|(place, part)| {
                let first = seen.insert(part.ledger());
                let fault = part.fault(self, known(part.product));
                let fault = fault.or((!first).then_some(PartFault::Twice));
                fault.map(|fault| (place, fault))
            })
            .collect()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn product(seller: u128, more: Value) -> Product {
        let mut document = json!({
            "code": "A-1", "name": "자전거", "_seller": Uuid::from_u128(seller), "price": 100, "shows": true,
        });
        let fields = document.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        serde_json::from_value(document).unwrap()
    }

    fn part(of: u128, option: Option<u128>, quantity: u32) -> Value {
        json!({ "_product": Uuid::from_u128(of), "_option": option.map(Uuid::from_u128), "quantity": quantity })
    }

    fn set(parts: Value) -> Product {
        product(1, json!({ "type": "PRODUCT_BUNDLE", "bundleds": parts }))
    }

    /// 10 plain, 11 with option 111, 12 another seller's with option 121, 13 a set.
    fn known() -> Vec<(ProductId, Product)> {
        let optioned = |seller: u128, option: u128| {
            let option = json!({ "_id": Uuid::from_u128(option), "name": "색", "value": "빨강", "price": 0, "enabled": true });
            product(
                seller,
                json!({ "optionsConf": { "enabled": true }, "options": [option] }),
            )
        };
        [
            (10, product(1, json!({}))),
            (11, optioned(1, 111)),
            (12, optioned(2, 121)),
            (13, set(json!([part(10, None, 1)]))),
        ]
        .map(|(id, product)| (ProductId(Uuid::from_u128(id)), product))
        .into()
    }

    fn faults(set: &Product) -> Vec<(usize, PartFault)> {
        let known = known();
        set.faults(|id| {
            let mut found = known.iter().filter(|(known, _)| *known == id);
            found.next().map(|(_, product)| product)
        })
    }

    #[test]
    fn parts_are_the_sellers_own_and_no_sets() {
        for (parts, expected) in [
            (vec![part(10, None, 1), part(11, Some(111), 999)], None),
            (vec![part(10, Some(10), 1)], None),
            (vec![part(12, Some(121), 1)], Some(PartFault::Foreign)),
            (vec![part(13, None, 1)], Some(PartFault::Nested)),
            (vec![part(14, None, 1)], Some(PartFault::Gone)),
            (vec![part(11, None, 1)], Some(PartFault::NoSuchOption)),
            // An option of another seller's product, named under a product of the set's seller.
            (vec![part(11, Some(121), 1)], Some(PartFault::NoSuchOption)),
            (vec![part(10, Some(121), 1)], Some(PartFault::NoSuchOption)),
            (vec![part(10, None, 0)], Some(PartFault::Quantity)),
            (vec![part(10, None, 1_000)], Some(PartFault::Quantity)),
        ] {
            let found = faults(&set(json!(parts)));
            let expected: Vec<_> = expected.map(|fault| (0, fault)).into_iter().collect();
            assert_eq!(found, expected, "{parts:?}");
        }
        let twice = set(json!([part(10, None, 1), part(10, None, 2)]));
        assert_eq!(faults(&twice), [(1, PartFault::Twice)]);
    }

    #[test]
    fn a_choice_sells_the_part_chosen_and_a_fixed_set_all_of_them() {
        let parts = json!([part(10, None, 2), part(11, Some(111), 1)]);
        let mut whole = set(parts);
        let chosen = |number: u128| Some(OptionId(Uuid::from_u128(number)));
        assert_eq!(whole.parts_sold(None), whole.bundleds);
        whole.kind = ProductType::VarietyBundle;
        assert_eq!(whole.parts_sold(chosen(10)), &whole.bundleds[..1]);
        assert_eq!(whole.parts_sold(chosen(111)), &whole.bundleds[1..]);
        for nothing in [None, chosen(11), chosen(121)] {
            assert!(whole.parts_sold(nothing).is_empty(), "{nothing:?}");
        }
    }

    #[test]
    fn what_is_no_set_has_no_parts_to_be_wrong() {
        let mut plain = set(json!([part(12, Some(121), 1)]));
        plain.kind = ProductType::NormalProduct;
        assert_eq!(faults(&plain), []);
        assert!(plain.parts().is_empty());
    }
}
