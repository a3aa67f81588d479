//! Members, records, products, categories and the documents of the search engine.

mod categories;
mod documents;
mod members;
mod products;
mod records;

use std::collections::BTreeMap;

use domain::catalogue::{Product, ValueUnit};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use super::compare::ExpectedRows;
use super::decoded_log::{DecodedEvent, Event, RecordEvent};
use super::{VerifyError, bad};

pub(super) use categories::Categories;
pub(super) use documents::Documents;
pub(super) use members::Members;
pub(super) use products::{Products, pieces};
pub(super) use records::{EarlierCodes, Records};

fn values(rows: BTreeMap<String, Map<String, Value>>) -> Vec<Value> {
    rows.into_values().map(Value::Object).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn set(row: &mut Map<String, Value>, column: &str, value: impl Into<Value>) {
    row.insert(column.to_owned(), value.into());
}

fn no_row(told: &DecodedEvent) -> VerifyError {
    bad(told, format!("{} has no beginning", told.stream))
}

/// A document with the fields every record has.
struct Document {
    data: Map<String, Value>,
    removed: bool,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    version: u64,
    position: i64,
}

/// The documents of some kinds, by kind and id.
#[derive(Default)]
struct Papers {
    rows: BTreeMap<(String, String), Document>,
}

impl Papers {
    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Record(paper) = told.event()? else {
            return Ok(());
        };
        let when = told.metadata.occurred_at;
        let key = (told.stream.kind.clone(), told.stream.id.clone());
        if let RecordEvent::Created { data } = paper {
            let row = self.rows.entry(key.clone()).or_insert(Document {
                data: Map::new(),
                removed: false,
                created_at: when,
                updated_at: when,
                version: 0,
                position: 0,
            });
            row.data = data.clone();
            row.removed = false;
        }
        let row = self.rows.get_mut(&key).ok_or_else(|| no_row(told))?;
        match paper {
            RecordEvent::Created { .. } => {}
            RecordEvent::Revised { changes } => {
                for (field, change) in changes {
                    row.data.insert(field.clone(), change.to.clone());
                }
            }
            RecordEvent::Removed {} => row.removed = true,
        }
        row.updated_at = when;
        row.version = told.version;
        row.position = told.position;
        Ok(())
    }

    /// Row counts by kind, of all kinds that ever had a row.
    fn counts(&self, view: &'static str) -> ExpectedRows {
        let mut live = BTreeMap::<&str, i64>::new();
        for ((kind, _), document) in &self.rows {
            *live.entry(kind).or_default() += i64::from(!document.removed);
        }
        let row = |(kind, live)| json!({ "kind": kind, "live": live });
        ExpectedRows {
            view,
            key: &["kind"],
            rows: live.into_iter().map(row).collect(),
        }
    }
}

fn typed(data: &Map<String, Value>) -> Result<Product, VerifyError> {
    serde_json::from_value(Value::Object(data.clone()))
        .map_err(|error| VerifyError::Read(crate::error::ReadError::Shape(error)))
}

/// List price less the product's discount: percents round up, at most the limit, at most the price (spec V282-V284).
fn after_discount(product: &Product) -> i64 {
    let price = product.price.hundredths();
    let Some(discount) = product.discount else {
        return price;
    };
    let asked = match discount.unit {
        ValueUnit::Amount => discount.value,
        ValueUnit::Percent => {
            let parts = i128::from(price) * i128::from(discount.value);
            i64::try_from(parts.div_euclid(100) + i128::from(parts.rem_euclid(100) > 0))
                .unwrap_or(price)
        }
    };
    let limit = discount.limit.map_or(i64::MAX, |limit| limit.hundredths());
    price - asked.min(limit).min(price)
}
