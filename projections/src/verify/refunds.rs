//! Refunds, folded from the log.

use std::collections::BTreeMap;

use domain::order::OrderEvent;
use domain::payment::PaymentEvent;
use event_store::StoredEvent;
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError};

/// Rows by their key, each a map of its columns.
type Columns = BTreeMap<String, Map<String, Value>>;

#[derive(Default)]
pub(super) struct RefundsFold {
    claims: Columns,
    refunds: Columns,
}

/// Sets columns of an existing row.
fn say(rows: &mut Columns, key: String, told: &StoredEvent, columns: Value) {
    if let (Some(row), Value::Object(columns)) = (rows.get_mut(&key), columns) {
        row.extend(columns);
        row.insert("position".to_owned(), told.position.into());
    }
}

fn begin(rows: &mut Columns, key: String, columns: Value) {
    if let Value::Object(columns) = columns {
        rows.insert(key, columns);
    }
}

impl RefundsFold {
    fn order(&mut self, told: &StoredEvent, event: &OrderEvent) {
        let when = moment(told.metadata.occurred_at);
        let claims = &mut self.claims;
        let mut asked = |claim: String, kind: &str, numbers: Value, money: Value, since: Value| {
            let row = json!({
                "claim": claim, "order_id": told.stream.id, "kind": kind, "purchase_nos": numbers, "money": money,
                "requested_at": when, "owed_since": since, "approved": false, "refund": null, "others": [], "closed": false, "transfer": null,
                "transferred_at": null, "reference": null,
                "position": told.position,
            });
            begin(claims, claim, row);
        };
        match event {
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                refund,
                ..
            } => {
                let numbers = json!(purchase_nos);
                let since = when.clone();
                asked(
                    claim.to_string(),
                    "CANCEL",
                    numbers,
                    json!(refund.money),
                    since,
                );
            }
            OrderEvent::ReturnRequested {
                claim,
                purchase_no,
                refund,
                ..
            } => {
                let numbers = json!([purchase_no]);
                asked(
                    claim.to_string(),
                    "RETURN",
                    numbers,
                    json!(refund.money),
                    Value::Null,
                );
            }
            OrderEvent::PriceDifferenceRefunded {
                claim,
                purchase_no,
                refund,
                terms,
            } => {
                let (numbers, since) = (json!([purchase_no]), when.clone());
                let money = json!(terms.money);
                asked(claim.to_string(), "EXCHANGE", numbers, money, since);
                let columns = json!({ "approved": true, "refund": refund, "others": terms.others });
                say(claims, claim.to_string(), told, columns);
            }
            OrderEvent::ExchangeFeeRefunded {
                claim,
                purchase_no,
                amount,
                payment,
                refund,
                price: _,
            } => {
                let (numbers, since) = (json!([purchase_no]), when.clone());
                asked(claim.to_string(), "EXCHANGE", numbers, json!(amount), since);
                let columns = match payment {
                    Some(payment) => {
                        let other =
                            json!({ "_payment": payment, "_refund": refund, "amount": amount });
                        json!({ "approved": true, "others": [other] })
                    }
                    None => json!({ "approved": true, "transfer": refund }),
                };
                say(claims, claim.to_string(), told, columns);
            }
            OrderEvent::FeeRefundTransferred {
                claim, reference, ..
            } => {
                let columns =
                    json!({ "closed": true, "transferred_at": when, "reference": reference });
                say(claims, claim.to_string(), told, columns);
            }
            OrderEvent::GoodsInspected { claim, .. } => {
                say(
                    claims,
                    claim.to_string(),
                    told,
                    json!({ "owed_since": when }),
                );
            }
            OrderEvent::CancelApproved {
                claim,
                refund,
                terms,
            }
            | OrderEvent::ReturnApproved {
                claim,
                refund,
                terms,
            } => {
                let columns = json!({
                    "approved": true, "refund": refund, "others": terms.others, "money": terms.money,
                });
                say(claims, claim.to_string(), told, columns);
            }
            OrderEvent::CancelRejected { claim, .. }
            | OrderEvent::ReturnRejected { claim, .. }
            | OrderEvent::CancelCompleted { claim }
            | OrderEvent::ReturnCompleted { claim }
            | OrderEvent::ClaimWithdrawn { claim, .. } => {
                say(claims, claim.to_string(), told, json!({ "closed": true }));
            }
            _ => {}
        }
    }

    fn payment(&mut self, told: &StoredEvent, event: &PaymentEvent) {
        let when = moment(told.metadata.occurred_at);
        let (refund, columns) = match event {
            PaymentEvent::RefundRequested { refund, amount, .. } => {
                if !self.refunds.contains_key(&refund.to_string()) {
                    let row = json!({
                        "id": refund, "payment": told.stream.id, "amount": amount, "by_transfer": false, "requested_at": when,
                        "settled_at": null, "refusal_code": null, "refusal_message": null, "reference": null,
                    });
                    begin(&mut self.refunds, refund.to_string(), row);
                }
                (refund, json!({ "stage": "requested" }))
            }
            PaymentEvent::RefundUnknown { refund, .. } => (refund, json!({ "stage": "unknown" })),
            PaymentEvent::RefundRefused {
                refund,
                code,
                message,
            } => {
                let refused =
                    json!({ "stage": "refused", "refusal_code": code, "refusal_message": message });
                (refund, refused)
            }
            PaymentEvent::RefundCompleted { refund, .. } => {
                (refund, json!({ "stage": "completed", "settled_at": when }))
            }
            PaymentEvent::RefundTransferred {
                refund, reference, ..
            } => {
                let sent = json!({
                    "stage": "completed", "settled_at": when, "by_transfer": true, "reference": reference,
                });
                (refund, sent)
            }
            _ => return,
        };
        say(&mut self.refunds, refund.to_string(), told, columns);
    }
}

impl Fold for RefundsFold {
    fn name(&self) -> &'static str {
        "refunds"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "payment"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        match told.event()? {
            Event::Order(event) => self.order(told, event),
            Event::Payment(event) => self.payment(told, event),
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = |told: Columns| told.into_values().map(Value::Object).collect();
        Ok(vec![
            ExpectedRows {
                view: "refunds",
                key: &["id"],
                rows: rows(self.refunds),
            },
            ExpectedRows {
                view: "refunds_claims",
                key: &["claim"],
                rows: rows(self.claims),
            },
        ])
    }
}
