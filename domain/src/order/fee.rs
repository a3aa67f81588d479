//! What the buyer pays for an exchange between the inspection and the replacement: the fee, which is the fares of both ways for a buyer at
//! fault, and the difference of a dearer option.

use super::actions::{ClaimFeeState, Reader};
use super::aggregate::Order;
use super::claims::Claim;
use super::error::OrderError;
use super::events::{Fault, OrderEvent};
use crate::ids::{ClaimId, PaymentId, RefundId, derived_id};
use crate::money::Amount;
use crate::personal::{BankAccount, Sealed};

impl Claim {
    /// The fee of an exchange, hundredths: zero if the seller is at fault or if it is waived.
    pub fn exchange_fee(&self) -> Amount {
        let is_charged = self.exchange().is_some_and(|exchange| !exchange.fee_waived);
        match &self.collection {
            Some(goods) if is_charged && goods.fault == Fault::Buyer => goods.return_fare,
            _ => Amount::ZERO,
        }
    }

    /// The difference of a dearer option, for all pieces, hundredths; zero for others.
    pub fn exchange_price(&self) -> Amount {
        self.exchange().map_or(Amount::ZERO, |its| its.price)
    }

    /// What the buyer paid, hundredths, and the payment; no payment for a bank transfer. Nothing once it goes back.
    pub fn received_fee(&self) -> Option<(Amount, Option<PaymentId>)> {
        let exchange = self.exchange().filter(|its| its.fee_refund.is_none())?;
        let paid = [exchange.fee_received?, exchange.price_received];
        Some((paid.into_iter().sum(), exchange.fee_payment))
    }

    /// The part of fee and difference the buyer has not paid.
    pub fn fee_due(&self) -> Amount {
        match self.exchange().and_then(|exchange| exchange.fee_received) {
            Some(_) => Amount::ZERO,
            None => [self.exchange_fee(), self.exchange_price()]
                .into_iter()
                .sum(),
        }
    }

    /// State of both.
    pub fn fee_state(&self) -> ClaimFeeState {
        match self.exchange().map(|exchange| exchange.fee_received) {
            Some(Some(_)) => ClaimFeeState::Received,
            Some(None) if !self.exchange_price().is_zero() => ClaimFeeState::DueWithPrice,
            Some(None) if !self.exchange_fee().is_zero() => ClaimFeeState::Due,
            _ => ClaimFeeState::None,
        }
    }

    /// State of both while the claim waits for its next step.
    pub fn pending_fee(&self) -> ClaimFeeState {
        match self.is_open() {
            true => self.fee_state(),
            false => ClaimFeeState::None,
        }
    }
}

/// The refund of what an exchange cost, derived from its claim: there is at most one.
fn fee_refund_id(claim: ClaimId) -> RefundId {
    RefundId(derived_id(&format!("fee {claim}")))
}

impl Claim {
    /// The refund of a fee that was paid by bank transfer, which staff send to the buyer's account, and its amount in hundredths; none once
    /// it is sent.
    pub fn fee_to_transfer(&self) -> Option<(RefundId, Amount)> {
        let exchange = self.exchange()?;
        let refund = exchange.fee_refund?;
        let is_open = exchange.fee_payment.is_none() && exchange.fee_refund_reference.is_none();
        is_open.then_some((refund, exchange.fee_received?))
    }

    /// The event by which what the buyer paid goes back, when the exchange is rejected; none if nothing was paid.
    pub(super) fn gives_fee_back(&self) -> Option<OrderEvent> {
        let (amount, payment) = self.received_fee()?;
        Some(OrderEvent::ExchangeFeeRefunded {
            claim: self.id,
            purchase_no: self.purchase_nos.first()?.clone(),
            amount,
            price: self.exchange()?.price_received,
            payment,
            refund: fee_refund_id(self.id),
        })
    }
}

impl Order {
    pub(super) fn receive_fee(
        &self,
        claim: ClaimId,
        (amount, reference, payment): (Amount, String, Option<PaymentId>),
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, Reader::Staff)?;
        // The buyer may pay twice: one of the payments has to be refunded.
        if let Some((received, by)) = made.received_fee() {
            return match received == amount && by == payment {
                true => Ok(vec![]),
                false => Err(OrderError::AlreadyPaid),
            };
        }
        self.is_inspected(made)?;
        let expected = made.fee_due();
        if amount != expected || expected.is_zero() {
            return Err(OrderError::AmountMismatch { expected });
        }
        let price = made.exchange_price();
        if payment.is_none() && !price.is_zero() {
            return Err(OrderError::NotByTransfer);
        }
        Ok(vec![OrderEvent::ExchangeFeeReceived {
            claim,
            amount,
            price,
            reference,
            payment,
        }])
    }

    /// The account applies until the refund is sent.
    pub(super) fn give_fee_account(
        &self,
        claim: ClaimId,
        account: Sealed<BankAccount>,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, Reader::Staff)?;
        made.fee_to_transfer().ok_or(OrderError::NoFee)?;
        let before = made
            .exchange()
            .and_then(|its| its.fee_refund_account.as_ref());
        if before == Some(&account) {
            return Ok(vec![]);
        }
        Ok(vec![OrderEvent::FeeRefundAccountGiven { claim, account }])
    }

    /// Recorded once, like the transfer of a refused refund.
    pub(super) fn transfer_fee(
        &self,
        claim: ClaimId,
        reference: String,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, Reader::Staff)?;
        let exchange = made.exchange();
        if exchange.is_some_and(|its| its.fee_refund_reference.is_some()) {
            return Ok(vec![]);
        }
        let (refund, amount) = made.fee_to_transfer().ok_or(OrderError::NoFee)?;
        Ok(vec![OrderEvent::FeeRefundTransferred {
            claim,
            purchase_no: made.purchase_nos.first().cloned().unwrap_or_default(),
            refund,
            amount,
            reference,
        }])
    }

    /// Staff and the seller, whose money it would be, may do without a fee as long as it is due. A difference stays to be paid.
    pub(super) fn waive_fee(
        &self,
        claim: ClaimId,
        (reason, by): (String, Reader),
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, by)?;
        if made.exchange().is_some_and(|exchange| exchange.fee_waived) {
            return Ok(vec![]);
        }
        self.may_waive_fee(claim, by)?;
        if reason.trim().is_empty() {
            return Err(OrderError::ReasonRequired);
        }
        Ok(vec![OrderEvent::ExchangeFeeWaived { claim, reason }])
    }

    /// Whether `by` may do without the fee of an exchange: as long as it is due. A difference alone is paid.
    ///
    /// # Errors
    /// As [`Order::payable_fee`]; [`OrderError::NoFee`] where only a difference is due.
    pub fn may_waive_fee(&self, claim: ClaimId, by: Reader) -> Result<(), OrderError> {
        let made = self.exchange(claim, by)?;
        self.payable_fee(claim)?;
        match made.exchange_fee().is_zero() {
            true => Err(OrderError::NoFee),
            false => Ok(()),
        }
    }

    /// What the buyer has to pay for an exchange, its fee and its difference: from the inspection until it is paid or the exchange ends.
    ///
    /// # Errors
    /// [`OrderError::UnknownClaim`]; [`OrderError::AlreadyPaid`]; [`OrderError::ClaimClosed`], [`OrderError::WrongCollection`] or
    /// [`OrderError::NoFee`] if no fee is due.
    pub fn payable_fee(&self, claim: ClaimId) -> Result<Amount, OrderError> {
        let made = self.exchange(claim, Reader::Staff)?;
        if made.received_fee().is_some() {
            return Err(OrderError::AlreadyPaid);
        }
        self.is_inspected(made)?;
        match made.fee_due() {
            due if due.is_zero() => Err(OrderError::NoFee),
            due => Ok(due),
        }
    }

    /// Applies an event of what an exchange costs.
    pub(super) fn evolve_fee(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::ExchangeFeeReceived {
                claim,
                amount,
                price,
                payment,
                ..
            } => {
                self.change_claim(claim, |made, _| {
                    made.change_exchange(|exchange| {
                        // The decision makes it a part of the amount.
                        exchange.fee_received = amount.minus(price).ok();
                        exchange.price_received = price;
                        exchange.fee_payment = payment;
                    });
                });
            }
            OrderEvent::ExchangeFeeRefunded { claim, refund, .. } => {
                self.change_claim(claim, |made, _| {
                    made.change_exchange(|exchange| exchange.fee_refund = Some(refund));
                });
            }
            OrderEvent::FeeRefundAccountGiven { claim, account } => {
                self.change_claim(claim, |made, _| {
                    made.change_exchange(|exchange| exchange.fee_refund_account = Some(account));
                });
            }
            OrderEvent::FeeRefundTransferred {
                claim, reference, ..
            } => {
                self.change_claim(claim, |made, _| {
                    made.change_exchange(|its| its.fee_refund_reference = Some(reference));
                });
            }
            OrderEvent::ExchangeFeeWaived { claim, .. } => self.change_claim(claim, |made, _| {
                made.change_exchange(|exchange| exchange.fee_waived = true);
            }),
            _ => {}
        }
    }
}
