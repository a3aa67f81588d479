//! Orders, purchases and payments, folded from the log into the specification's codes.

mod claim_days;
mod line;
mod one_order;
mod parcels;

use std::collections::BTreeMap;

use domain::order::OrderEvent;
use domain::payment::{Payment, PaymentEvent};
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};
use line::Line;
use one_order::OneOrder;

/// One payment.
struct Attempt {
    row: Map<String, Value>,
    /// Amount received, once it was.
    amount: i64,
    approved: bool,
    over: bool,
    refunded: i64,
    state: Payment,
}

#[derive(Default)]
pub(super) struct OrdersFold {
    orders: BTreeMap<String, OneOrder>,
    attempts: BTreeMap<String, Attempt>,
}

impl OrdersFold {
    fn order(&mut self, told: &DecodedEvent, event: &OrderEvent) -> Result<(), VerifyError> {
        let when = told.metadata.occurred_at;
        if let OrderEvent::OrderPlaced(terms) = event {
            let order = OneOrder::placed(terms.clone(), when);
            self.orders.insert(told.stream.id.clone(), order);
        }
        let order = self
            .orders
            .get_mut(&told.stream.id)
            .ok_or_else(|| bad(told, "an order nobody placed"))?;
        order
            .take(event, (when, told.position))
            .map_err(|why| bad(told, why))?;
        order.state.evolve(event.clone());
        order.version = told.version;
        order.position = told.position;
        Ok(())
    }

    fn payment(&mut self, told: &DecodedEvent, event: &PaymentEvent) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        let when = moment(told.metadata.occurred_at);
        if let PaymentEvent::PaymentStarted {
            order,
            order_no,
            attempt,
            gateway_order_id,
            amount,
            method,
            member,
            user_payment,
        } = event
        {
            let row = json!({
                "id": id, "order_id": order, "order_no": order_no, "member": member,
                "user_payment": user_payment.as_ref().map(|of| of.id),
                "user_payment_no": user_payment.as_ref().map(|of| of.number.clone()),
                "attempt": attempt,
                "gateway_order_id": gateway_order_id, "method": method, "amount": amount,
                "approved_at": null, "receipt_url": null, "started_at": when,
            });
            let attempt = Attempt {
                row: row.as_object().cloned().unwrap_or_default(),
                amount: 0,
                approved: false,
                over: false,
                refunded: 0,
                state: Payment::default(),
            };
            self.attempts.insert(id.clone(), attempt);
        }
        let attempt = self
            .attempts
            .get_mut(id)
            .ok_or_else(|| bad(told, "a payment nobody started"))?;
        let mut say = |column: &str, value: Value| {
            attempt.row.insert(column.to_owned(), value);
        };
        say("version", told.version.into());
        say("position", told.position.into());
        match event {
            PaymentEvent::PaymentApproved {
                amount,
                receipt_url,
                ..
            } => {
                say("approved_at", when);
                say("receipt_url", json!(receipt_url));
                attempt.amount = amount.hundredths();
                attempt.approved = true;
                attempt.over = false;
            }
            PaymentEvent::DepositReceived { amount, .. } => {
                say("approved_at", when);
                attempt.amount = amount.hundredths();
                attempt.approved = true;
                attempt.over = false;
            }
            PaymentEvent::PaymentRefused { .. }
            | PaymentEvent::PaymentNetCanceled { .. }
            | PaymentEvent::PaymentAbandoned { .. }
            | PaymentEvent::AccountCloseRequested { .. }
            | PaymentEvent::VirtualAccountClosed { .. } => attempt.over = true,
            PaymentEvent::RefundCompleted { amount, .. }
            | PaymentEvent::RefundTransferred { amount, .. } => {
                attempt.refunded += amount.hundredths();
            }
            _ => {}
        }
        attempt.state.evolve(event.clone());
        Ok(())
    }

    /// Counts of orders, and of purchases by tab, once there is an order.
    fn counts(&self) -> Vec<Value> {
        if self.orders.is_empty() {
            return Vec::new();
        }
        let lines: Vec<&str> = self
            .orders
            .values()
            .flat_map(|order| order.lines.iter().map(Line::tab))
            .collect();
        let in_tab = |tab: &str| lines.iter().filter(|found| **found == tab).count();
        [
            "nonpayment",
            "payment",
            "delivery",
            "cancel",
            "exchange",
            "return",
            "complete",
        ]
        .into_iter()
        .map(|tab| (tab, in_tab(tab)))
        .chain([("order", self.orders.len())])
        .map(|(kind, live)| json!({ "kind": kind, "live": live }))
        .collect()
    }
}

impl Fold for OrdersFold {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "payment"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        match told.event()? {
            Event::Order(event) => self.order(told, event),
            Event::Payment(event) => self.payment(told, event),
            _ => Ok(()),
        }
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let payments = self.attempts.values().map(|attempt| {
            let mut row = attempt.row.clone();
            let status = if attempt.over || (attempt.approved && attempt.refunded >= attempt.amount)
            {
                "PAYMENT_CANCELED"
            } else if attempt.approved {
                "PAYMENT_COMPLETED"
            } else {
                "PAYMENT_AWAITING"
            };
            row.insert("status".to_owned(), status.into());
            row.insert("refunded".to_owned(), attempt.refunded.into());
            row.insert("state".to_owned(), json!(attempt.state));
            Value::Object(row)
        });
        let orders = self.orders.iter();
        let purchases = self.orders.iter();
        let parcels = self.orders.iter();
        Ok(vec![
            ExpectedRows {
                view: "orders_counts",
                key: &["kind"],
                rows: self.counts(),
            },
            ExpectedRows {
                view: "orders",
                key: &["id"],
                rows: orders.map(|(id, order)| order.row(id)).collect(),
            },
            ExpectedRows {
                view: "orders_purchases",
                key: &["purchase_no"],
                rows: purchases
                    .flat_map(|(id, order)| order.purchase_rows(id))
                    .collect(),
            },
            ExpectedRows {
                view: "orders_parcels",
                key: &["id"],
                rows: parcels
                    .flat_map(|(id, order)| order.parcel_rows(id))
                    .collect(),
            },
            ExpectedRows {
                view: "orders_payments",
                key: &["id"],
                rows: payments.collect(),
            },
        ])
    }
}
