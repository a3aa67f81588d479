//! Sellable quantity of a product, computed from its stock.

use domain::catalogue::{BundledPart, Product, ProductType};
use domain::ids::{ProductId, StockId};

/// The stocks it depends on: its own, or those of the parts of a set.
pub fn ledgers(id: ProductId, product: &Product) -> Vec<StockId> {
    if product.is_set() {
        let mut ledgers: Vec<StockId> = product.bundleds.iter().map(BundledPart::ledger).collect();
        ledgers.sort_unstable();
        ledgers.dedup();
        ledgers
    } else {
        product.stock_ids(id)
    }
}

/// Sellable quantity: the sum over all enabled options; of a fixed set, as many as its scarcest part allows; of a set with a choice, the
/// sum over its parts; zero for a set with invalid parts (`sound`, see [`Product::faults`]).
pub fn left(
    id: ProductId,
    product: &Product,
    sound: bool,
    available: impl Fn(StockId) -> i64,
) -> i64 {
    if !sound {
        return 0;
    }
    if product.is_set() {
        let sets = product.bundleds.iter().map(|part| {
            available(part.ledger())
                .checked_div(i64::from(part.quantity))
                .unwrap_or(0)
        });
        return match product.kind {
            ProductType::ProductBundle => sets.min().unwrap_or(0),
            ProductType::NormalProduct | ProductType::VarietyBundle => sets.sum(),
        };
    }
    if product.options_conf.enabled {
        product
            .options
            .iter()
            .filter(|option| option.enabled)
            .map(|option| available(StockId(option.id.0)))
            .sum()
    } else {
        available(StockId(id.0))
    }
}
