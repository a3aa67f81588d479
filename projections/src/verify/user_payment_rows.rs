//! User payments, folded from the log.

use std::collections::BTreeMap;

use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose};
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

/// The rows of user payments.
#[derive(Default)]
pub(super) struct UserPaymentRows {
    rows: BTreeMap<String, Map<String, Value>>,
}

impl Fold for UserPaymentRows {
    fn name(&self) -> &'static str {
        "user_payments"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["user-payment"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::UserPayment(event) = told.event()? else {
            return Ok(());
        };
        let when = moment(told.metadata.occurred_at);
        let id = &told.stream.id;
        let columns = match event {
            UserPaymentEvent::UserPaymentRequested {
                number,
                member,
                purpose,
                amount,
            } => {
                self.rows.insert(id.clone(), Map::new());
                let UserPaymentPurpose::ExchangeFee {
                    order,
                    order_no,
                    purchase_no,
                    claim,
                } = purpose;
                json!({
                    "id": id, "number": number, "member": member, "purpose": "EXCHANGE_FEE", "order_id": order,
                    "order_no": order_no, "purchase_no": purchase_no, "claim": claim, "amount": amount,
                    "status": "PAY_AWAITING", "payment": null, "reason": null, "created_at": when,
                })
            }
            UserPaymentEvent::UserPaymentReduced { amount, .. } => json!({ "amount": amount }),
            UserPaymentEvent::UserPaymentCompleted { payment } => {
                json!({ "status": "PAY_COMPLETED", "payment": payment })
            }
            UserPaymentEvent::UserPaymentCanceled { reason }
            | UserPaymentEvent::UserPaymentRefunded { reason } => {
                json!({ "status": "PAY_CANCELED", "reason": reason })
            }
        };
        let row = self.rows.get_mut(id);
        let row = row.ok_or_else(|| bad(told, "a user payment that was not requested"))?;
        if let Value::Object(columns) = columns {
            row.extend(columns);
        }
        row.insert("changed_at".to_owned(), when);
        row.insert("position".to_owned(), told.position.into());
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        Ok(vec![ExpectedRows {
            view: "user_payments",
            key: &["id"],
            rows: self.rows.into_values().map(Value::Object).collect(),
        }])
    }
}
