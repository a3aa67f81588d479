//! Points earned by a confirmed purchase that is returned: they are deducted from their lot, then from the buyer's other points, then from
//! the refund; no balance falls below zero.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::aggregate::Order;
use super::claims::Claim;
use super::error::OrderError;
use super::events::RefundTerms;
use super::purchase::Purchase;
use super::refund::RefundDetail;
use crate::allocation::{SplitError, Weights, split};
use crate::ids::{ClaimId, LotId, derived_id};
use crate::money::Amount;

/// The first confirmation of a purchase: points are earned only once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// Number of the purchase that was confirmed; parts that were split off later keep it.
    pub purchase_no: String,
    /// Amount paid for it then, hundredths.
    pub paid: Amount,
}

/// What the buyer holds of the points that a purchase earned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EarnedPoints {
    /// Points granted for the confirmed purchase, without those that expired unused.
    pub granted: Amount,
    /// Points the buyer holds now, of any lot.
    pub left: Amount,
}

/// Earned points that a return takes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReclaimedPoints {
    /// The part deducted from the buyer's points.
    pub points: Amount,
    /// The part they have spent, which is deducted from the money, hundredths.
    pub money: Amount,
}

/// The lot of the points that a confirmed purchase earns; the same for every repetition, so that they are granted once.
pub fn lot_earned_by(purchase_no: &str) -> LotId {
    LotId(derived_id(&format!("earned {purchase_no}")))
}

impl Claim {
    /// Whether it is an exchange that changed the price of a confirmed purchase.
    fn is_other_price_after_confirmation(&self) -> bool {
        let exchange = self.exchange();
        exchange.is_some_and(|exchange| exchange.after_confirmation)
    }
}

impl ReclaimedPoints {
    /// Both parts.
    ///
    /// # Errors
    /// An overflow.
    pub fn sum(self) -> Result<Amount, OrderError> {
        Ok(self.points.plus(self.money)?)
    }
}

impl Order {
    /// The confirmation for which the purchase earned points, if it was confirmed.
    pub fn confirmation(&self, purchase_no: &str) -> Option<&Confirmation> {
        self.purchase(purchase_no)?.confirmed.as_ref()
    }

    /// The earned points that returning `purchase_no` takes back, limited to `money` beyond what the buyer holds.
    ///
    /// Parts of a confirmed purchase that are returned one by one take back as much as if they were returned together.
    pub(super) fn reclaimed(
        &self,
        claim: ClaimId,
        purchase_no: &str,
        (earned, money): (EarnedPoints, Amount),
    ) -> Result<Option<ReclaimedPoints>, OrderError> {
        let line = self.purchase_terms(purchase_no);
        let leaving = line.map_or(Amount::ZERO, |line| line.paid);
        self.reclaimed_of(claim, (purchase_no, leaving), (earned, money))
    }

    /// The earned points that giving back `leaving` of what was paid for `purchase_no` takes back.
    pub(super) fn reclaimed_of(
        &self,
        claim: ClaimId,
        (purchase_no, leaving): (&str, Amount),
        (earned, money): (EarnedPoints, Amount),
    ) -> Result<Option<ReclaimedPoints>, OrderError> {
        let Some(confirmed) = self.confirmation(purchase_no) else {
            return Ok(None);
        };
        let is_part = |no: &String| {
            let of = self.confirmation(no);
            of.is_some_and(|of| of.purchase_no == confirmed.purchase_no)
        };
        let earlier: Vec<&Claim> = self
            .claims
            .iter()
            .filter(|made| made.id != claim && made.purchase_nos.iter().any(is_part))
            .filter(|made| made.is_granted() || made.is_other_price_after_confirmation())
            .collect();
        let (mut gone, mut paid) = (leaving, confirmed.paid);
        for made in &earlier {
            gone = gone.plus(made.difference_given()?.money)?;
            if made.is_other_price_after_confirmation() {
                paid = paid.plus(made.price_taken())?;
            }
            if !made.is_granted() {
                continue;
            }
            let lines = made.purchase_nos.iter();
            let lines = lines.filter_map(|no| self.purchase_terms(no));
            gone = gone.plus(Amount::total(lines.map(|line| line.paid))?)?;
        }
        let parts = [paid.minus(gone)?, gone];
        let step = self.terms()?.step;
        let shares = split(earned.granted, Weights::Amounts(&parts), step);
        let share = match shares {
            Ok(shares) => shares.last().copied().unwrap_or_default(),
            Err(SplitError::NoWeight) => earned.granted,
            Err(error) => return Err(OrderError::TermsDoNotAddUp(error.to_string())),
        };
        let taken = earlier.iter().filter_map(|made| made.refund.reclaimed);
        let taken: Vec<Amount> = taken.map(ReclaimedPoints::sum).collect::<Result<_, _>>()?;
        let due = share.minus(Amount::total(taken)?)?.max(Amount::ZERO);
        let points = due.min(earned.left);
        let money = due.minus(points)?.min(money);
        Ok((points > Amount::ZERO || money > Amount::ZERO)
            .then_some(ReclaimedPoints { points, money }))
    }
}

impl Purchase {
    /// Checks whether staff may open a claim on it although it is confirmed.
    pub(super) fn may_be_reopened(&self) -> Result<(), OrderError> {
        use super::status::{OrderStatus, PurchaseStatus};
        if !self.has_no_open_claim() {
            return Err(OrderError::ClaimOpen(self.purchase_no.clone()));
        }
        let is_delivered = self.order_status == OrderStatus::Delivered;
        match self.purchase_status == PurchaseStatus::Complete && is_delivered {
            true => Ok(()),
            false => Err(OrderError::WrongStatus {
                purchase_no: self.purchase_no.clone(),
                at: self.order_status,
            }),
        }
    }
}

impl RefundTerms {
    /// These terms, less the earned points that are paid in money.
    pub(super) fn less(self, reclaimed: Option<ReclaimedPoints>) -> Result<Self, OrderError> {
        let off = reclaimed.map_or(Amount::ZERO, |reclaimed| reclaimed.money);
        Ok(Self {
            money: self.money.minus(off)?,
            reclaimed,
            ..self
        })
    }
}

impl RefundDetail {
    /// This refund, less the earned points that are paid in money.
    ///
    /// # Errors
    /// An overflow.
    pub fn less(self, reclaimed: Option<ReclaimedPoints>) -> Result<Self, OrderError> {
        Ok(Self {
            terms: self.terms.less(reclaimed)?,
            ..self
        })
    }
}
