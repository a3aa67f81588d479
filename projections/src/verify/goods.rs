//! Products for sale take their units from stock of their own seller.
//!
//! The rule is checked for products as they are at the end of the log: one that is hidden or removed sells nothing. It finds what an older
//! program accepted, and what became wrong because a product changed its seller.

use std::collections::{BTreeMap, BTreeSet};

use domain::catalogue::{Product, ProductType};
use domain::ids::{MemberId, ProductId, StockId};
use serde_json::{Map, Value};

use super::compare::Checker;
use super::decoded_log::RecordEvent;

/// The fields the rule reads, and those required to deserialize a product.
const FIELDS: [&str; 9] = [
    "code",
    "name",
    "price",
    "type",
    "shows",
    "_seller",
    "optionsConf",
    "options",
    "bundleds",
];

/// The current products, and the product each stock belongs to.
#[derive(Default)]
pub(super) struct Goods {
    products: BTreeMap<ProductId, Map<String, Value>>,
    counted: BTreeMap<StockId, ProductId>,
}

impl Goods {
    /// Applies an event of a product.
    pub fn product(&mut self, id: ProductId, paper: &RecordEvent) {
        let row = self.products.entry(id).or_default();
        match paper {
            RecordEvent::Created { data } => {
                row.clear();
                let said = data.iter().filter(|(field, _)| looked_at(field));
                row.extend(said.map(|(field, value)| (field.clone(), value.clone())));
            }
            RecordEvent::Revised { changes } => {
                let said = changes.iter().filter(|(field, _)| looked_at(field));
                row.extend(said.map(|(field, change)| (field.clone(), change.to.clone())));
            }
            RecordEvent::Removed {} => {
                row.insert("removed".to_owned(), true.into());
            }
        }
    }

    /// Applies a count of a stock.
    pub fn counted(&mut self, stock: StockId, product: ProductId) {
        self.counted.insert(stock, product);
    }

    /// Checks the rule.
    pub fn finish(self, checker: &mut Checker) {
        let sellers: BTreeMap<ProductId, MemberId> = self
            .products
            .iter()
            .filter_map(|(id, row)| {
                let seller = row.get("_seller")?.as_str()?;
                Some((*id, seller.parse().ok()?))
            })
            .collect();
        for (id, row) in self.products {
            if row.contains_key("removed") {
                continue;
            }
            // the fold of the products reports those that cannot be deserialized
            let Ok(product) = serde_json::from_value::<Product>(Value::Object(row)) else {
                continue;
            };
            if !product.shows {
                continue;
            }
            for (stock, named) in sold_from(id, &product) {
                let counted = self.counted.get(&stock).copied().unwrap_or(named);
                for whose in BTreeSet::from([named, counted]) {
                    let seller = sellers.get(&whose).copied().unwrap_or(product.seller);
                    checker.rule(seller == product.seller, "goods", || {
                        let key =
                            format!("{} {} takes from stock {stock}", product.code, product.name);
                        let expected = product.seller.to_string();
                        (key, expected.into(), seller.to_string().into())
                    });
                }
            }
        }
    }
}

fn looked_at(field: &str) -> bool {
    FIELDS.contains(&field)
}

/// The stocks a product is sold from, each with the product it should belong to.
fn sold_from(id: ProductId, product: &Product) -> Vec<(StockId, ProductId)> {
    if product.kind != ProductType::NormalProduct && !product.bundleds.is_empty() {
        let parts = product.bundleds.iter();
        return parts
            .map(|part| {
                let ledger = part.option.map_or(part.product.0, |option| option.0);
                (StockId(ledger), part.product)
            })
            .collect();
    }
    match product.options_conf.enabled {
        true => {
            let options = product.options.iter();
            options.map(|option| (StockId(option.id.0), id)).collect()
        }
        false => vec![(StockId(id.0), id)],
    }
}
