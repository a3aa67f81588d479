//! Exchanges for cheaper options: what goes back to the buyer, and what the purchase costs from then on.
//!
//! The difference a piece is frozen when the exchange is requested. It goes back once the replacement is sent: first the money paid for the
//! purchase, then the points used on it, never more than both. Discounts and coupons stay as frozen, so where they paid for more than what
//! the cheaper option leaves, that part of the difference goes back to no one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::aggregate::Order;
use super::claims::{Claim, ClaimPieces, Draft};
use super::earned_points::EarnedPoints;
use super::error::OrderError;
use super::events::{OrderEvent, RefundTerms};
use super::refund::back_into_lots;
use super::terms::{OrderTerms, PurchaseTerms};
use crate::ids::{ClaimId, RefundId, derived_id};
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
    /// What goes back if each piece costs `difference` more, which is not above zero.
    fn gives_back(&self, difference: Amount) -> Result<PriceDifference, OrderError> {
        let cheaper = difference.times(self.quantity)?.negated()?;
        let cheaper = cheaper.max(Amount::ZERO);
        let money = cheaper.min(self.paid);
        let points = cheaper.minus(money)?.min(self.points);
        Ok(PriceDifference { money, points })
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
}

impl Order {
    /// What exchanging these pieces gives back if each then costs `difference` more, which is not above zero.
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
        let has_money = !terms.money.is_zero();
        Ok(Some(OrderEvent::PriceDifferenceRefunded {
            claim: made.id,
            purchase_no,
            refund: has_money.then(|| refund_id(made.id)),
            terms,
        }))
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

    /// Puts what exchanges gave back into the terms as placed.
    pub(super) fn put_differences_back(&self, placed: &mut OrderTerms) -> Result<(), OrderError> {
        for claim in &self.claims {
            let back = claim.difference_given()?;
            let Some(no) = claim.purchase_nos.first() else {
                continue;
            };
            let no = self.placed_no(no);
            let mut lines = placed.purchases.iter_mut();
            if let Some(line) = lines.find(|line| line.purchase_no == no) {
                line.put_back(back)?;
            }
        }
        Ok(())
    }
}
