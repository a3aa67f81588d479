//! Fees of exchanges: user payments request what the exchanges charge, and their money comes from one payment.

use std::collections::BTreeMap;

use domain::ids::ClaimId;
use domain::order::{Fault, OrderEvent};
use domain::payment::PaymentEvent;
use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose};

use super::compare::Checker;
use super::decoded_log::DecodedEvent;

/// Name of the rule.
const RULE: &str = "user payments";

/// The fee of an exchange.
#[derive(Default)]
struct Fee {
    /// Hundredths, regardless of the party at fault.
    amount: i64,
    /// It is due, or was.
    due: bool,
    /// How it was paid: by a payment, or by bank transfer.
    paid: Option<Option<String>>,
    over: bool,
}

/// A user payment.
struct UserPaymentFold {
    claim: ClaimId,
    amount: i64,
    status: &'static str,
    payment: Option<String>,
}

/// A payment of a user payment.
#[derive(Default)]
struct Attempt {
    /// The user payment it pays.
    of: String,
    /// Hundredths received and not refunded.
    kept: i64,
}

#[derive(Default)]
pub(super) struct UserPayments {
    fees: BTreeMap<ClaimId, Fee>,
    asked: BTreeMap<String, UserPaymentFold>,
    attempts: BTreeMap<String, Attempt>,
}

impl UserPayments {
    /// Applies the next event of an order.
    pub fn order(&mut self, event: &OrderEvent) {
        let (claim, change): (_, fn(&mut Fee)) = match event {
            OrderEvent::ExchangeRequested { claim, fee, .. } => {
                let fee = Fee {
                    amount: fee.hundredths(),
                    ..Fee::default()
                };
                self.fees.insert(*claim, fee);
                return;
            }
            OrderEvent::GoodsInspected { claim, fault, .. } if *fault == Fault::Buyer => {
                (claim, |fee| fee.due = true)
            }
            OrderEvent::ExchangeFeeReceived { claim, payment, .. } => {
                if let Some(fee) = self.fees.get_mut(claim) {
                    fee.paid = Some(payment.map(|payment| payment.to_string()));
                }
                return;
            }
            OrderEvent::ExchangeRejected { claim, .. }
            | OrderEvent::ExchangeFeeWaived { claim, .. }
            | OrderEvent::ClaimWithdrawn { claim, .. } => (claim, |fee| fee.over = true),
            _ => return,
        };
        if let Some(fee) = self.fees.get_mut(claim) {
            change(fee);
        }
    }

    /// Applies the next event of a user payment.
    pub fn asked(&mut self, told: &DecodedEvent, event: &UserPaymentEvent) {
        let id = &told.stream.id;
        match event {
            UserPaymentEvent::UserPaymentRequested {
                purpose, amount, ..
            } => {
                let UserPaymentPurpose::ExchangeFee { claim, .. } = purpose;
                let asked = UserPaymentFold {
                    claim: *claim,
                    amount: amount.hundredths(),
                    status: "PAY_AWAITING",
                    payment: None,
                };
                self.asked.insert(id.clone(), asked);
            }
            UserPaymentEvent::UserPaymentCompleted { payment } => {
                if let Some(asked) = self.asked.get_mut(id) {
                    asked.status = "PAY_COMPLETED";
                    asked.payment = payment.map(|payment| payment.to_string());
                }
            }
            UserPaymentEvent::UserPaymentCanceled { .. } => {
                if let Some(asked) = self.asked.get_mut(id) {
                    asked.status = "PAY_CANCELED";
                }
            }
        }
    }

    /// Applies the next event of a payment.
    pub fn payment(&mut self, told: &DecodedEvent, event: &PaymentEvent) {
        let id = &told.stream.id;
        if let PaymentEvent::PaymentStarted {
            user_payment: Some(of),
            ..
        } = event
        {
            let attempt = Attempt {
                of: of.id.to_string(),
                kept: 0,
            };
            self.attempts.insert(id.clone(), attempt);
        }
        let Some(attempt) = self.attempts.get_mut(id) else {
            return;
        };
        match event {
            PaymentEvent::PaymentApproved { amount, .. }
            | PaymentEvent::DepositReceived { amount, .. } => attempt.kept += amount.hundredths(),
            // A refused refund is requested again.
            PaymentEvent::RefundRequested { .. } => attempt.kept = 0,
            _ => {}
        }
    }

    /// Checks the rules that hold between whole appends.
    pub fn finish(&self, checker: &mut Checker) {
        for (id, asked) in &self.asked {
            let Some(fee) = self.fees.get(&asked.claim).filter(|fee| fee.due) else {
                let found = format!("{} is asked for", asked.amount);
                checker.differs(RULE, id, "no fee is due".into(), found.into());
                continue;
            };
            checker.equal(RULE, format!("amount of {id}"), fee.amount, asked.amount);
            let expected = match (&fee.paid, fee.over) {
                (Some(payment), _) => ("PAY_COMPLETED", payment.clone()),
                (None, true) => ("PAY_CANCELED", None),
                (None, false) => ("PAY_AWAITING", None),
            };
            let found = (asked.status, asked.payment.clone());
            checker.holds(
                found == expected,
                RULE,
                id,
                format!("{expected:?}"),
                format!("{found:?}"),
            );
        }
        for (id, attempt) in &self.attempts {
            let asked = self.asked.get(&attempt.of);
            let pays = asked.filter(|asked| asked.payment.as_ref() == Some(id));
            let expected = pays.map_or(0, |asked| asked.amount);
            checker.equal(
                RULE,
                format!("money of payment {id}"),
                expected,
                attempt.kept,
            );
        }
    }
}
