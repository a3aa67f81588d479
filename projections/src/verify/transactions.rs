//! Transactions of the payment service: each belongs to one payment, and no refund takes the money of another's.

use std::collections::BTreeMap;

use domain::payment::PaymentEvent;

use super::compare::Checker;
use super::decoded_log::DecodedEvent;

/// Name of the rule.
const RULE: &str = "transactions";

/// The payment that recorded each transaction first.
#[derive(Default)]
pub(super) struct Transactions {
    owners: BTreeMap<String, String>,
    /// The transaction of each payment.
    of_payments: BTreeMap<String, String>,
}

impl Transactions {
    /// Applies the next event of a payment.
    pub fn take(&mut self, told: &DecodedEvent, event: &PaymentEvent, checker: &mut Checker) {
        let payment = &told.stream.id;
        match event {
            PaymentEvent::PaymentApproved { tid, .. }
            | PaymentEvent::VirtualAccountIssued { tid, .. }
            | PaymentEvent::DepositReceived { tid, .. } => {
                let before = self.of_payments.insert(payment.clone(), tid.clone());
                let owner = self
                    .owners
                    .entry(tid.clone())
                    .or_insert_with(|| payment.clone());
                let is_own = owner == payment;
                checker.rule(is_own || before.as_ref() == Some(tid), RULE, || {
                    let key = format!("{tid} under two payments");
                    (key, owner.clone().into(), payment.clone().into())
                });
            }
            PaymentEvent::RefundRequested { refund, .. }
            | PaymentEvent::RefundCompleted { refund, .. } => {
                let charge = self.of_payments.get(payment);
                let owner = charge.and_then(|tid| self.owners.get(tid));
                let verb = match event {
                    PaymentEvent::RefundCompleted { .. } => "completed",
                    _ => "requested",
                };
                checker.rule(owner == Some(payment), RULE, || {
                    let key = format!("refund {refund} {verb} of payment {payment}");
                    let found = owner.map(|owner| format!("the charge of payment {owner}"));
                    (key, "its own charge".into(), found.into())
                });
            }
            _ => {}
        }
    }
}
