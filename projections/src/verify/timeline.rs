//! The history of orders, compared while the log is read: it is as long as the log itself.

use std::collections::BTreeMap;

use domain::coupon::{CampaignEvent, IssuedCouponEvent};
use domain::payment::PaymentEvent;
use domain::points::PointsEvent;
use domain::stock::StockEvent;
use event_store::Recorded;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::compare::{Checker, moment};
use super::{VerifyError, decode};

/// The projection's name.
pub(super) const NAME: &str = "order_timeline";

#[derive(Default)]
pub(super) struct Timeline {
    /// Which order a payment pays.
    payments: BTreeMap<String, String>,
}

impl Timeline {
    fn order(&mut self, recorded: &Recorded) -> Result<Option<String>, VerifyError> {
        let id = &recorded.stream.id;
        let name = recorded.event_type.as_str();
        Ok(match (recorded.stream.kind.as_str(), name) {
            ("order", _) => Some(id.clone()),
            ("payment", _) => {
                if let PaymentEvent::PaymentStarted { order, .. } = decode(recorded)? {
                    self.payments.insert(id.clone(), order.to_string());
                }
                self.payments.get(id).cloned()
            }
            ("stock", "StockTaken" | "StockGivenBack") => match decode(recorded)? {
                StockEvent::StockTaken { order, .. } | StockEvent::StockGivenBack { order, .. } => {
                    Some(order.to_string())
                }
                StockEvent::StockCounted { .. } => None,
            },
            ("coupon-campaign", "CouponUseCounted" | "CouponUseReturned") => {
                match decode(recorded)? {
                    CampaignEvent::CouponUseCounted { order, .. }
                    | CampaignEvent::CouponUseReturned { order, .. } => Some(order.to_string()),
                    _ => None,
                }
            }
            ("issued-coupon", "CouponUsed" | "CouponReturned") => match decode(recorded)? {
                IssuedCouponEvent::CouponUsed { order, .. }
                | IssuedCouponEvent::CouponReturned { order } => Some(order.to_string()),
                IssuedCouponEvent::CouponIssued { .. } => None,
            },
            ("points", "PointsSpent" | "PointsRestored" | "PointsGranted") => {
                match decode(recorded)? {
                    PointsEvent::PointsSpent { order, .. }
                    | PointsEvent::PointsRestored { order, .. } => Some(order.to_string()),
                    PointsEvent::PointsGranted { order, .. } => {
                        order.map(|order| order.to_string())
                    }
                    PointsEvent::PointsExpired { .. } => None,
                }
            }
            _ => None,
        })
    }

    /// Compares the rows of positions after `from` up to `to` with the events of a page.
    pub async fn page(
        &mut self,
        page: &[Recorded],
        (from, to): (i64, i64),
        connection: &mut PgConnection,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let mut wanted: BTreeMap<String, Value> = BTreeMap::new();
        let mut before = 0;
        let mut part = 0_i64;
        for recorded in page.iter().filter(|recorded| recorded.position <= to) {
            part = if recorded.position == before {
                part + 1
            } else {
                0
            };
            before = recorded.position;
            if let Some(order) = self.order(recorded)? {
                let row = row(&order, part, recorded);
                wanted.insert(format!("{order}/{before}/{part}"), row);
            }
        }
        let found: Vec<Value> = sqlx::query_scalar(
            "SELECT to_jsonb(t) FROM order_timeline t WHERE position > $1 AND position <= $2",
        )
        .bind(from)
        .bind(to)
        .fetch_all(connection)
        .await?;
        for found in found {
            let text = |name: &str| match found.get(name) {
                Some(Value::String(text)) => text.clone(),
                other => other.map(Value::to_string).unwrap_or_default(),
            };
            let key = format!("{}/{}/{}", text("order_id"), text("position"), text("part"));
            checker.row(NAME, &key, wanted.remove(&key).as_ref(), Some(&found));
        }
        for (key, row) in wanted {
            checker.row(NAME, &key, Some(&row), None);
        }
        Ok(())
    }
}

fn row(order: &str, part: i64, recorded: &Recorded) -> Value {
    let said = &recorded.metadata;
    json!({
        "order_id": order,
        "position": recorded.position,
        "part": part,
        "stream_kind": recorded.stream.kind,
        "stream_id": recorded.stream.id,
        "version": recorded.version,
        "type": recorded.event_type,
        "data": without_people(recorded.payload.clone()),
        "actor": said.actor,
        "reason": said.reason,
        "command": said.command,
        "command_id": said.command_id,
        "event_id": recorded.event_id,
        "correlation_id": said.correlation_id,
        "causation_id": said.causation_id,
        "at": moment(said.occurred_at),
        "recorded_at": moment(recorded.recorded_at),
    })
}

/// Nothing sealed and no hash of a phone may be in a history.
fn without_people(mut value: Value) -> Value {
    let hidden = || Value::from("●●●");
    match &mut value {
        Value::Object(fields) => {
            if fields.contains_key("sealed") {
                return hidden();
            }
            for (name, field) in fields.iter_mut() {
                *field = if name == "contactHash" {
                    hidden()
                } else {
                    without_people(field.take())
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_people(item.take());
            }
        }
        _ => {}
    }
    value
}
