//! What the buyer pays for an exchange between the inspection and the replacement: the fee, which is the fares of both ways for a buyer at
//! fault, and the difference of a dearer option.

use super::actions::{ClaimFeeState, Reader};
use super::aggregate::Order;
use super::claims::Claim;
use super::error::OrderError;
use super::events::{Fault, OrderEvent};
use crate::ids::{ClaimId, PaymentId};
use crate::money::Amount;

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

    /// What the buyer paid, hundredths, and the payment; no payment for a bank transfer.
    pub fn received_fee(&self) -> Option<(Amount, Option<PaymentId>)> {
        let exchange = self.exchange()?;
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
        self.payable_fee(claim)?;
        if made.exchange_fee().is_zero() {
            return Err(OrderError::NoFee);
        }
        if reason.trim().is_empty() {
            return Err(OrderError::ReasonRequired);
        }
        Ok(vec![OrderEvent::ExchangeFeeWaived { claim, reason }])
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
}
