//! Fees and differences of exchanges: user payments request what the exchanges charge, their money comes from one payment, and what claims
//! give back of a difference goes back with that payment, as does all of it where the exchange is rejected after the payment.

use std::collections::BTreeMap;

use domain::ids::ClaimId;
use domain::order::{Fault, OrderEvent, RefundTerms};
use domain::payment::PaymentEvent;
use domain::user_payment::{UserPaymentEvent, UserPaymentPurpose};

use super::compare::Checker;
use super::decoded_log::DecodedEvent;

/// Name of the rule.
const RULE: &str = "user payments";

/// What an exchange costs the buyer.
#[derive(Default)]
struct Fee {
    /// The fee, hundredths, regardless of the party at fault.
    amount: i64,
    /// The fee is due, or was.
    due: bool,
    waived: bool,
    /// How much dearer the replacement is, per piece, hundredths.
    dearer: i64,
    /// The difference of the pieces that arrived, hundredths.
    price: i64,
    /// How it was paid: by a payment, or by bank transfer.
    paid: Option<Option<String>>,
    /// It was given back, because the exchange was rejected after the payment.
    refunded: bool,
    /// Hundredths that staff have to send back, because it was paid by bank transfer.
    to_transfer: Option<i64>,
    /// Hundredths that they sent.
    transferred: i64,
    over: bool,
}

impl Fee {
    /// What is asked for. A waived fee is not, unless nothing is left: then the request for it is canceled.
    fn asked(&self) -> i64 {
        let fee = match self.due && !(self.waived && self.price > 0) {
            true => self.amount,
            false => 0,
        };
        fee + self.price
    }

    fn is_over(&self) -> bool {
        self.over || self.waived && self.price == 0
    }
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
    /// Hundredths received.
    received: i64,
    /// Hundredths of each refund that was requested.
    refunds: BTreeMap<String, i64>,
}

#[derive(Default)]
pub(super) struct UserPayments {
    fees: BTreeMap<ClaimId, Fee>,
    asked: BTreeMap<String, UserPaymentFold>,
    attempts: BTreeMap<String, Attempt>,
    /// What claims give back with these payments: payment, refund, hundredths.
    given: BTreeMap<String, BTreeMap<String, i64>>,
}

impl UserPayments {
    /// Applies the next event of an order.
    pub fn order(&mut self, event: &OrderEvent) {
        let (claim, change): (_, fn(&mut Fee)) = match event {
            OrderEvent::ExchangeRequested {
                claim,
                fee,
                difference,
                ..
            } => {
                let fee = Fee {
                    amount: fee.hundredths(),
                    dearer: difference.hundredths().max(0),
                    ..Fee::default()
                };
                self.fees.insert(*claim, fee);
                return;
            }
            OrderEvent::GoodsInspected {
                claim,
                fault,
                arrived,
                ..
            } => {
                if let Some(fee) = self.fees.get_mut(claim) {
                    fee.due = *fault == Fault::Buyer;
                    fee.price = fee.dearer * i64::from(*arrived);
                }
                return;
            }
            OrderEvent::ReturnApproved { terms, .. }
            | OrderEvent::CancelApproved { terms, .. }
            | OrderEvent::PriceDifferenceRefunded { terms, .. } => return self.gives(terms),
            OrderEvent::ExchangeFeeWaived { claim, .. } => (claim, |fee| fee.waived = true),
            OrderEvent::ExchangeFeeReceived { claim, payment, .. } => {
                if let Some(fee) = self.fees.get_mut(claim) {
                    fee.paid = Some(payment.map(|payment| payment.to_string()));
                }
                return;
            }
            OrderEvent::ExchangeFeeRefunded {
                claim,
                amount,
                payment,
                refund,
                ..
            } => {
                if let Some(fee) = self.fees.get_mut(claim) {
                    fee.refunded = true;
                    if payment.is_none() {
                        fee.to_transfer = Some(amount.hundredths());
                    }
                }
                if let Some(payment) = payment {
                    let of = self.given.entry(payment.to_string()).or_default();
                    of.insert(refund.to_string(), amount.hundredths());
                }
                return;
            }
            OrderEvent::FeeRefundTransferred { claim, amount, .. } => {
                if let Some(fee) = self.fees.get_mut(claim) {
                    fee.transferred += amount.hundredths();
                }
                return;
            }
            OrderEvent::ExchangeRejected { claim, .. }
            | OrderEvent::ClaimWithdrawn { claim, .. } => (claim, |fee| fee.over = true),
            _ => return,
        };
        if let Some(fee) = self.fees.get_mut(claim) {
            change(fee);
        }
    }

    fn gives(&mut self, terms: &RefundTerms) {
        for other in &terms.others {
            let of = self.given.entry(other.payment.to_string()).or_default();
            of.insert(other.refund.to_string(), other.amount.hundredths());
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
            UserPaymentEvent::UserPaymentReduced { amount, .. } => {
                if let Some(asked) = self.asked.get_mut(id) {
                    asked.amount = amount.hundredths();
                }
            }
            UserPaymentEvent::UserPaymentCompleted { payment } => {
                if let Some(asked) = self.asked.get_mut(id) {
                    asked.status = "PAY_COMPLETED";
                    asked.payment = payment.map(|payment| payment.to_string());
                }
            }
            UserPaymentEvent::UserPaymentCanceled { .. }
            | UserPaymentEvent::UserPaymentRefunded { .. } => {
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
                received: 0,
                refunds: BTreeMap::new(),
            };
            self.attempts.insert(id.clone(), attempt);
        }
        let Some(attempt) = self.attempts.get_mut(id) else {
            return;
        };
        match event {
            PaymentEvent::PaymentApproved { amount, .. }
            | PaymentEvent::DepositReceived { amount, .. } => {
                attempt.received += amount.hundredths();
            }
            // A refused refund is requested again.
            PaymentEvent::RefundRequested { refund, amount, .. } => {
                let refund = refund.to_string();
                attempt.refunds.insert(refund, amount.hundredths());
            }
            _ => {}
        }
    }

    /// Checks the rules that hold between whole appends.
    pub fn finish(&self, checker: &mut Checker) {
        for (id, asked) in &self.asked {
            let fee = self.fees.get(&asked.claim);
            let Some(fee) = fee.filter(|fee| fee.due || fee.price > 0) else {
                let found = format!("{} is asked for", asked.amount);
                checker.differs(RULE, id, "no fee is due".into(), found.into());
                continue;
            };
            checker.equal(RULE, format!("amount of {id}"), fee.asked(), asked.amount);
            let expected = match (&fee.paid, fee.is_over()) {
                (Some(payment), true) if fee.refunded => ("PAY_CANCELED", payment.clone()),
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
        for (claim, fee) in &self.fees {
            let key = format!("transfer for {claim}");
            match fee.to_transfer {
                Some(back) => {
                    checker.equal(RULE, format!("{key}: all of it"), fee.asked(), back);
                    if fee.transferred != 0 {
                        checker.equal(RULE, format!("{key}: once"), back, fee.transferred);
                    }
                }
                None => checker.equal(RULE, key, 0, fee.transferred),
            }
        }
        for (id, attempt) in &self.attempts {
            let asked = self.asked.get(&attempt.of);
            let pays = asked.filter(|asked| asked.payment.as_ref() == Some(id));
            let given = self.given.get(id).cloned().unwrap_or_default();
            if let Some(asked) = pays {
                let key = format!("refunds of payment {id}");
                let fee = self.fees.get(&asked.claim);
                let price = fee.map_or(0, |fee| fee.price);
                let sum = given.values().sum::<i64>();
                // all of it, or what claims give back of the difference
                let is_within = match fee.is_some_and(|fee| fee.refunded) {
                    true => sum == asked.amount,
                    false => sum <= price,
                };
                checker.holds(
                    is_within && given == attempt.refunds,
                    RULE,
                    key,
                    format!("{given:?} of {price}"),
                    format!("{:?}", attempt.refunds),
                );
            }
            let expected = pays.map_or(0, |asked| asked.amount - given.values().sum::<i64>());
            let kept = attempt.received - attempt.refunds.values().sum::<i64>();
            checker.equal(RULE, format!("money of payment {id}"), expected, kept);
        }
    }
}
