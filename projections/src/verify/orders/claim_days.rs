//! When the claims of an order were requested, accepted, picked up, inspected, answered, completed or withdrawn.

use std::collections::BTreeMap;

use domain::order::OrderEvent;
use serde_json::{Map, Value};
use time::OffsetDateTime;

use crate::verify::compare::moment;

const COLUMNS: [&str; 7] = [
    "requestedAt",
    "acceptedAt",
    "pickedUpAt",
    "inspectedAt",
    "answeredAt",
    "completedAt",
    "withdrawnAt",
];

/// By claim, the time of each step by its column.
#[derive(Default)]
pub(super) struct ClaimDays(BTreeMap<String, BTreeMap<&'static str, Value>>);

impl ClaimDays {
    pub fn take(&mut self, event: &OrderEvent, when: OffsetDateTime) {
        let (claim, column) = match event {
            OrderEvent::CancelRequested { claim, .. }
            | OrderEvent::ReturnRequested { claim, .. }
            | OrderEvent::ExchangeRequested { claim, .. } => (claim, "requestedAt"),
            OrderEvent::ExchangeAccepted { claim } => (claim, "acceptedAt"),
            OrderEvent::GoodsPickedUp { claim, .. } => (claim, "pickedUpAt"),
            OrderEvent::GoodsInspected { claim, missing, .. } => {
                if let Some(missing) = missing {
                    let known = self.0.get(&claim.to_string()).cloned();
                    let mut missed = known.unwrap_or_default();
                    missed.insert("answeredAt", moment(when));
                    self.0.insert(missing.claim.to_string(), missed);
                }
                (claim, "inspectedAt")
            }
            OrderEvent::CancelApproved { claim, .. }
            | OrderEvent::ReturnApproved { claim, .. }
            | OrderEvent::CancelRejected { claim, .. }
            | OrderEvent::ReturnRejected { claim, .. }
            | OrderEvent::ExchangeRejected { claim, .. } => (claim, "answeredAt"),
            OrderEvent::CancelCompleted { claim }
            | OrderEvent::ReturnCompleted { claim }
            | OrderEvent::ExchangeCompleted { claim, .. } => (claim, "completedAt"),
            OrderEvent::ClaimWithdrawn { claim, .. } => (claim, "withdrawnAt"),
            _ => return,
        };
        // repeated steps, e.g. a corrected invoice number, keep the first time
        let days = self.0.entry(claim.to_string()).or_default();
        days.entry(column).or_insert_with(|| moment(when));
    }

    pub fn told(&self) -> Value {
        let claims = self.0.iter().map(|(claim, days)| {
            let days = COLUMNS.map(|column| {
                let day = days.get(column).cloned();
                (column.to_owned(), day.unwrap_or_default())
            });
            (claim.clone(), Value::Object(days.into_iter().collect()))
        });
        Value::Object(claims.collect::<Map<String, Value>>())
    }
}
