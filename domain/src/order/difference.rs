//! Exchanges for options of another price: what the buyer gets back or pays, and what the purchase costs from then on.
//!
//! The difference a piece is frozen when the exchange is requested. That of a cheaper option goes back once the replacement is sent: first the
//! money paid for the purchase, then the points used on it, never more than both. Discounts and coupons stay as frozen, so where they paid
//! for more than what the cheaper option leaves, that part of the difference goes back to no one.
//!
//! That of a dearer option is paid before the replacement is sent, with a payment of its own ([`super::fee`]), and counts as paid for the
//! purchase from then on. Later refunds of the purchase go to the newest of these payments first, and what they do not hold to the order's
//! payment, so none gives back more than it took.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::aggregate::Order;
use super::claims::{Claim, ClaimPieces, Draft};
use super::earned_points::EarnedPoints;
use super::error::OrderError;
use super::events::{OrderEvent, OtherRefund, RefundTerms};
use super::exchange::Exchange;
use super::refund::back_into_lots;
use super::terms::{OrderTerms, PurchaseTerms};
use crate::ids::{ClaimId, PaymentId, RefundId, derived_id};
use crate::money::Amount;

/// What an exchange for a cheaper option gives back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriceDifference {
    /// Money, hundredths.
    pub money: Amount,
    /// Points, hundredths.
    pub points: Amount,
}

/// Whether a purchase or an exchange has no difference; states and terms leave it out then.
pub(super) fn is_none(difference: &Amount) -> bool {
    difference.is_zero()
}

/// What the buyer pays for pieces that each cost `difference` more; zero if they cost less. A request whose price overflows is refused.
pub(super) fn price_of(difference: Amount, pieces: u32) -> Amount {
    let dearer = difference.max(Amount::ZERO);
    dearer.times(pieces).unwrap_or_default()
}

/// The refund with another payment, derived from that with the order's.
fn other_refund_id(refund: RefundId, payment: PaymentId) -> RefundId {
    RefundId(derived_id(&format!("refund {refund} of {payment}")))
}

/// The refund of the difference of an exchange, derived from its claim: there is at most one.
fn refund_id(claim: ClaimId) -> RefundId {
    RefundId(derived_id(&format!("difference {claim}")))
}

impl PriceDifference {
    /// Both parts.
    ///
    /// # Errors
    /// An overflow.
    pub fn sum(self) -> Result<Amount, OrderError> {
        Ok(self.money.plus(self.points)?)
    }
}

impl PurchaseTerms {
    /// What goes back if each piece costs `difference` more; nothing if that is above zero.
    fn gives_back(&self, difference: Amount) -> Result<PriceDifference, OrderError> {
        let cheaper = difference.times(self.quantity)?.negated()?;
        let cheaper = cheaper.max(Amount::ZERO);
        let money = cheaper.min(self.paid);
        let points = cheaper.minus(money)?.min(self.points);
        Ok(PriceDifference { money, points })
    }

    /// Checks that it can cost `difference` more per piece, together with a fee.
    pub(super) fn bears_more(&self, difference: Amount, fee: Amount) -> Result<(), OrderError> {
        let price = difference.max(Amount::ZERO).times(self.quantity)?;
        self.goods()?.plus(price)?;
        price.plus(fee)?;
        Ok(())
    }

    /// Adds what the buyer paid for a dearer option.
    fn add_price(&mut self, price: Amount) -> Result<(), OrderError> {
        let (paid, difference) = (self.paid.plus(price)?, self.difference.plus(price)?);
        (self.paid, self.difference) = (paid, difference);
        Ok(())
    }

    /// Takes off what an exchange gave back.
    fn take_back(&mut self, back: PriceDifference) -> Result<(), OrderError> {
        self.paid = self.paid.minus(back.money)?;
        self.points = self.points.minus(back.points)?;
        self.difference = self.difference.minus(back.sum()?)?;
        Ok(())
    }

    /// Reverts [`Self::take_back`].
    fn put_back(&mut self, back: PriceDifference) -> Result<(), OrderError> {
        self.paid = self.paid.plus(back.money)?;
        self.points = self.points.plus(back.points)?;
        self.difference = self.difference.plus(back.sum()?)?;
        Ok(())
    }
}

impl RefundTerms {
    /// The money that goes back with the order's payment.
    ///
    /// # Errors
    /// An overflow.
    pub fn of_order(&self) -> Result<Amount, OrderError> {
        let others = Amount::total(self.others.iter().map(|other| other.amount))?;
        Ok(self.money.minus(others)?)
    }

    /// The amounts that leave the purchase, before earned points are deducted from the money.
    fn gross(&self) -> Result<PriceDifference, OrderError> {
        let reclaimed = self.reclaimed.unwrap_or_default();
        Ok(PriceDifference {
            money: self.money.plus(reclaimed.money)?,
            points: Amount::total(self.points.iter().map(|part| part.amount))?,
        })
    }
}

impl Claim {
    /// What this exchange gave back; nothing before its replacement is sent, and for other claims.
    ///
    /// # Errors
    /// An overflow.
    pub fn difference_given(&self) -> Result<PriceDifference, OrderError> {
        match self.exchange() {
            Some(exchange) if exchange.invoice.is_some() => self.refund.gross(),
            _ => Ok(PriceDifference::default()),
        }
    }

    /// What the buyer paid for the difference of this exchange, once its replacement is sent; then it is paid for the purchase.
    pub fn price_taken(&self) -> Amount {
        let exchange = self.exchange().filter(|its| its.invoice.is_some());
        exchange.map_or(Amount::ZERO, |its| its.price_received)
    }

    /// What the buyer paid for the difference of this exchange, until its replacement is sent or the exchange is rejected.
    pub fn price_waiting(&self) -> Amount {
        let waits = |its: &&Exchange| its.invoice.is_none() && its.fee_refund.is_none();
        let exchange = self.exchange().filter(waits);
        exchange.map_or(Amount::ZERO, |its| its.price_received)
    }

    /// The refunds of an approved claim, or of a difference, with their payments; `first` is that with the payment `of` of the order.
    pub fn refunds(
        &self,
        first: Option<RefundId>,
        of: Option<PaymentId>,
    ) -> impl Iterator<Item = (PaymentId, RefundId)> + '_ {
        let others = self.refund.others.iter();
        let others = others.map(|other| (other.payment, other.refund));
        of.zip(first).into_iter().chain(others)
    }
}

impl Order {
    /// What exchanging these pieces gives back if each then costs `difference` more; nothing if that is above zero.
    ///
    /// # Errors
    /// [`OrderError::UnknownPurchase`], [`OrderError::PiecesOutOfRange`]; an overflow.
    pub fn price_difference(
        &self,
        pieces: &ClaimPieces,
        difference: Amount,
    ) -> Result<PriceDifference, OrderError> {
        let mut draft = Draft::of(self);
        let purchase_no = draft.isolate(pieces)?;
        let line = draft.order.purchase_terms(&purchase_no);
        let line = line.ok_or(OrderError::UnknownPurchase(purchase_no))?;
        line.gives_back(difference)
    }

    /// What an exchange gives back: expected until its replacement is sent; nothing if it ended before.
    ///
    /// # Errors
    /// An overflow.
    pub fn difference_of(&self, claim: &Claim) -> Result<PriceDifference, OrderError> {
        let first = claim.purchase_nos.first();
        let line = first.and_then(|no| self.purchase_terms(no));
        match (claim.exchange(), line) {
            (Some(exchange), Some(line)) if exchange.invoice.is_none() && claim.is_open() => {
                line.gives_back(exchange.difference)
            }
            _ => claim.difference_given(),
        }
    }

    /// The event that gives the difference of an exchange back, with the first parcel of its replacement; none without a difference.
    pub(super) fn give_difference(
        &self,
        made: &Claim,
        earned: EarnedPoints,
    ) -> Result<Option<OrderEvent>, OrderError> {
        if made.exchange().is_none_or(|its| its.invoice.is_some()) {
            return Ok(None);
        }
        let back = self.difference_of(made)?;
        if back.sum()?.is_zero() {
            return Ok(None);
        }
        let purchase_no = made.purchase_nos.first().cloned().unwrap_or_default();
        let reclaimed =
            self.reclaimed_of(made.id, (&purchase_no, back.money), (earned, back.money))?;
        let lots = &self.terms()?.points;
        let terms = RefundTerms {
            money: back.money,
            points: back_into_lots(back.points, lots, &self.gave_points(Some(made.id)))?,
            ..RefundTerms::default()
        };
        let terms = terms.less(reclaimed)?;
        let refund = refund_id(made.id);
        let terms = self.over_payments(terms, refund, std::slice::from_ref(&purchase_no))?;
        let has_money = !terms.of_order()?.is_zero();
        Ok(Some(OrderEvent::PriceDifferenceRefunded {
            claim: made.id,
            purchase_no,
            refund: has_money.then_some(refund),
            terms,
        }))
    }

    /// The refund `refund` of these purchases, with what goes to other payments than the order's: the newest that paid a difference of
    /// the purchases first, each up to what it still holds.
    pub(super) fn over_payments(
        &self,
        terms: RefundTerms,
        refund: RefundId,
        purchase_nos: &[String],
    ) -> Result<RefundTerms, OrderError> {
        let mut left = terms.money;
        let mut others = Vec::new();
        let purchases = purchase_nos.iter().filter_map(|no| self.purchase(no));
        let payments = purchases.flat_map(|purchase| purchase.other_payments.iter().rev());
        for payment in payments {
            let back = self.price_held(*payment)?.min(left);
            if back > Amount::ZERO {
                left = left.minus(back)?;
                others.push(OtherRefund {
                    payment: *payment,
                    refund: other_refund_id(refund, *payment),
                    amount: back,
                });
            }
        }
        Ok(RefundTerms { others, ..terms })
    }

    /// What a payment took for the difference of an exchange, less what claims gave back with it.
    fn price_held(&self, payment: PaymentId) -> Result<Amount, OrderError> {
        let exchanges = self.claims.iter().filter_map(Claim::exchange);
        let its = exchanges.filter(|exchange| exchange.fee_payment == Some(payment));
        let took = Amount::total(its.map(|exchange| exchange.price_received))?;
        let others = self.claims.iter().flat_map(|made| &made.refund.others);
        let its = others.filter(|other| other.payment == payment);
        Ok(took.minus(Amount::total(its.map(|other| other.amount))?)?)
    }

    /// The replacement is sent: what was paid for its difference becomes a part of what was paid for the purchase.
    pub(super) fn take_price(&mut self, claim: ClaimId, purchase_no: &str) {
        let exchange = self.claim(claim).and_then(Claim::exchange);
        let paid = exchange.map(|its| (its.price_received, its.fee_payment));
        let Some((price, Some(payment))) = paid.filter(|(price, _)| !price.is_zero()) else {
            return;
        };
        let is_confirmed = self.confirmation(purchase_no).is_some();
        let lines = self.terms.as_deref_mut().map(|terms| &mut terms.purchases);
        let mut lines = lines.into_iter().flatten();
        if let Some(line) = lines.find(|line| line.purchase_no == purchase_no) {
            // The request was refused if it overflows.
            let _ = line.add_price(price);
        }
        self.change(purchase_no, |purchase| {
            purchase.other_payments.push(payment)
        });
        self.change_claim(claim, |made, _| {
            made.change_exchange(|exchange| exchange.after_confirmation = is_confirmed);
        });
    }

    /// The claims other than `claim` that gave points back.
    pub(super) fn gave_points(&self, claim: Option<ClaimId>) -> Vec<&Claim> {
        let others = self.claims.iter().filter(|made| Some(made.id) != claim);
        others
            .filter(|made| made.is_granted() || made.exchange().is_some())
            .collect()
    }

    /// Applies the refund of a difference: the purchase costs so much less.
    pub(super) fn take_difference(&mut self, claim: ClaimId, terms: RefundTerms) {
        let first = self.claim(claim).and_then(|made| made.purchase_nos.first());
        let Some(purchase_no) = first.cloned() else {
            return;
        };
        let is_confirmed = self.confirmation(&purchase_no).is_some();
        let lines = self.terms.as_deref_mut().map(|terms| &mut terms.purchases);
        let mut lines = lines.into_iter().flatten();
        if let Some(line) = lines.find(|line| line.purchase_no == purchase_no)
            && let Ok(back) = terms.gross()
        {
            // The decision limits it to what the line has.
            let _ = line.take_back(back);
        }
        self.change_claim(claim, |made, _| {
            made.refund = terms;
            made.change_exchange(|exchange| exchange.after_confirmation = is_confirmed);
        });
    }

    /// Puts what exchanges gave back into the terms as placed, and takes what was paid for them out.
    pub(super) fn put_differences_back(&self, placed: &mut OrderTerms) -> Result<(), OrderError> {
        for claim in &self.claims {
            let (back, price) = (claim.difference_given()?, claim.price_taken());
            let Some(no) = claim.purchase_nos.first() else {
                continue;
            };
            let no = self.placed_no(no);
            let mut lines = placed.purchases.iter_mut();
            if let Some(line) = lines.find(|line| line.purchase_no == no) {
                line.put_back(back)?;
                line.add_price(price.negated()?)?;
            }
        }
        Ok(())
    }
}
