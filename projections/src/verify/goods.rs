//! What is on sale takes its pieces from stock of its own seller.
//!
//! The rule is asked of products as they are at the end of the log: one that is not shown, or was removed, sells nothing. It names
//! what an older program let through, and what became wrong since because a product changed hands.

use std::collections::{BTreeMap, BTreeSet};

use domain::catalogue::{Product, ProductType};
use domain::ids::{MemberId, ProductId, StockId};
use serde_json::{Map, Value};

use super::compare::Checker;
use super::decoded_log::RecordEvent;

/// The fields the rule looks at, and those a product cannot be read without.
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

/// Products as they are now, and whose pieces each stock ledger counts.
#[derive(Default)]
pub(super) struct Goods {
    products: BTreeMap<ProductId, Map<String, Value>>,
    counted: BTreeMap<StockId, ProductId>,
}

impl Goods {
    /// What happened to a product.
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

    /// A ledger was counted.
    pub fn counted(&mut self, stock: StockId, product: ProductId) {
        self.counted.insert(stock, product);
    }

    /// Asks the rule.
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
            // what cannot be read is told by the fold of the products
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

/// The ledgers a product is sold from, and the product each is said to be of.
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
