//! Refund of canceled purchases: computed by line and by fare, with reasons for what is not given back.
//!
//! Nothing is recomputed from today's prices: a canceled purchase gives back its frozen shares. The cancellation and its preview
//! call the same function, [`Order::refund_detail`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::aggregate::{Claim, ClaimState, Order, OrderError};
use super::events::{CouponUse, FareTerms, LotPart, OrderTerms, RefundTerms};
use super::status::PurchaseStatus;
use crate::coupon::Stage;
use crate::ids::{ClaimId, IssuedCouponId, LotId, MemberId};
use crate::money::Amount;

/// Reason for keeping a fare: a purchase of its parcel was delivered and confirmed.
const PARCEL_SENT: &str = "이미 배송한 상품의 배송비는 돌려드리지 않습니다.";
/// Reason for keeping a fare: other purchases of its parcel are not final.
const PARCEL_GOES_ON: &str = "함께 배송하는 다른 상품이 남아 있습니다.";
/// Reason for keeping a coupon.
const COUPON_IN_USE: &str = "쿠폰을 적용한 다른 상품이 남아 있습니다.";

/// Refund of a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundLine {
    /// Number of the purchase.
    pub purchase_no: String,
    /// Product name when ordered.
    pub name: String,
    /// Option value when ordered.
    pub option_name: Option<String>,
    /// Quantity.
    pub quantity: u32,
    /// Amount paid for it, hundredths, without fares; zero before the order is paid.
    pub money: Amount,
    /// Points used on it.
    pub points: Amount,
}

/// Refund of the fare of a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundFare {
    /// Its name.
    pub name: String,
    /// The purchases it carries.
    pub purchase_nos: Vec<String>,
    /// Amount paid for it that is refunded, hundredths; zero if the fare is kept.
    pub money: Amount,
    /// Points used on it that are restored; zero if the fare is kept.
    pub points: Amount,
    /// Reason for keeping the fare.
    pub reason: Option<&'static str>,
}

/// A coupon that was used on a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundCoupon {
    /// The issued coupon.
    #[serde(rename = "_id")]
    pub issued: IssuedCouponId,
    /// Its name.
    pub name: String,
    /// Whether it returns to the coupon box.
    pub returns: bool,
    /// Reason why it does not return, or why it cannot be used again.
    pub reason: Option<&'static str>,
    /// The seller it belongs to; none for the shop's coupons.
    #[serde(skip)]
    pub seller: Option<MemberId>,
}

/// Detailed refund of a cancellation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundDetail {
    /// The canceled purchases.
    pub lines: Vec<RefundLine>,
    /// Their fares that are not free.
    pub fares: Vec<RefundFare>,
    /// Coupons that were used on them.
    pub coupons: Vec<RefundCoupon>,
    /// The sums, as stored in a claim.
    pub terms: RefundTerms,
}

impl Order {
    /// Computes what canceling these purchases gives back, after the approved claims other than `claim`.
    ///
    /// A fare goes back with the last of its purchases, and never once one of them is confirmed: the parcel was sent. A
    /// coupon goes back when every purchase it touched is canceled. Points go back to their lots in the reverse order of use.
    /// Before the order is paid there is no money to give back.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`]; an overflow.
    pub fn refund_detail(
        &self,
        claim: Option<ClaimId>,
        purchase_nos: &[String],
    ) -> Result<RefundDetail, OrderError> {
        let terms = self.terms()?;
        let earlier: Vec<&Claim> = self
            .claims
            .iter()
            .filter(|made| Some(made.id) != claim && made.is_granted())
            .collect();
        let gone_before: BTreeSet<&str> = earlier
            .iter()
            .flat_map(|made| &made.purchase_nos)
            .map(String::as_str)
            .collect();
        let leaving: BTreeSet<&str> = purchase_nos.iter().map(String::as_str).collect();
        let leaves = |no: &String| leaving.contains(no.as_str());
        let gone = |no: &String| gone_before.contains(no.as_str()) || leaves(no);
        let paid = |amount: Amount| match self.paid {
            Some(_) => amount,
            None => Amount::ZERO,
        };

        let lines: Vec<RefundLine> = terms
            .purchases
            .iter()
            .filter(|line| leaves(&line.purchase_no))
            .map(|line| RefundLine {
                purchase_no: line.purchase_no.clone(),
                name: line.name.clone(),
                option_name: line.option_name.clone(),
                quantity: line.quantity,
                money: paid(line.paid),
                points: line.points,
            })
            .collect();
        let fares: Vec<RefundFare> = terms
            .fares
            .iter()
            .filter(|fare| fare.purchase_nos.iter().any(leaves))
            .filter(|fare| !paid(fare.paid).is_zero() || !fare.points.is_zero())
            .map(|fare| self.refund_of_fare(fare, fare.purchase_nos.iter().all(gone), paid))
            .collect();
        let coupons: Vec<RefundCoupon> = terms
            .coupons
            .iter()
            .map(|used| (used, touched_by(used, terms)))
            .filter(|(_, touched)| touched.iter().any(|no| leaves(no)))
            .map(|(used, touched)| {
                let returns = touched.iter().all(|no| gone(no));
                RefundCoupon {
                    issued: used.issued,
                    name: used.name.clone(),
                    returns,
                    reason: (!returns).then_some(COUPON_IN_USE),
                    seller: used.seller,
                }
            })
            .collect();

        let of_lines = lines.iter().map(|line| (line.money, line.points));
        let of_fares = fares.iter().map(|fare| (fare.money, fare.points));
        let (money, points): (Vec<Amount>, Vec<Amount>) = of_lines.chain(of_fares).unzip();
        let terms = RefundTerms {
            money: Amount::total(money)?,
            points: back_into_lots(Amount::total(points)?, &terms.points, &earlier)?,
            coupons: coupons
                .iter()
                .filter(|coupon| coupon.returns)
                .map(|coupon| coupon.issued)
                .collect(),
        };
        Ok(RefundDetail {
            lines,
            fares,
            coupons,
            terms,
        })
    }

    fn refund_of_fare(
        &self,
        fare: &FareTerms,
        returns: bool,
        paid: impl Fn(Amount) -> Amount,
    ) -> RefundFare {
        let is_sent = fare.purchase_nos.iter().any(|no| {
            self.purchase(no)
                .is_some_and(|purchase| purchase.purchase_status == PurchaseStatus::Complete)
        });
        let reason = match (returns, is_sent) {
            (true, _) => None,
            (false, true) => Some(PARCEL_SENT),
            (false, false) => Some(PARCEL_GOES_ON),
        };
        let back = |amount| if returns { amount } else { Amount::ZERO };
        RefundFare {
            name: fare.name.clone(),
            purchase_nos: fare.purchase_nos.clone(),
            money: back(paid(fare.paid)),
            points: back(fare.points),
            reason,
        }
    }
}

impl Claim {
    /// Whether the claim is approved, so that what it covers is given back.
    pub fn is_granted(&self) -> bool {
        matches!(
            self.state,
            ClaimState::Approved { .. } | ClaimState::Completed { .. }
        )
    }
}

/// The purchases a coupon discounted, directly or through their fare. A coupon without discount belongs to the whole order.
fn touched_by<'a>(used: &CouponUse, terms: &'a OrderTerms) -> BTreeSet<&'a String> {
    let of_seller = |seller| used.seller.is_none_or(|its| its == seller);
    let lines = terms.purchases.iter().filter(|line| match used.stage {
        Stage::Product => used.purchase_no.as_ref() == Some(&line.purchase_no),
        Stage::Fare => false,
        Stage::Total => !line.total_coupon.is_zero() && of_seller(line.seller),
    });
    let fares = terms.fares.iter().filter(|fare| match used.stage {
        Stage::Product => false,
        Stage::Fare => {
            !fare.fare_coupon.is_zero()
                && of_seller(fare.seller)
                && used
                    .purchase_no
                    .as_ref()
                    .is_none_or(|no| fare.purchase_nos.contains(no))
        }
        Stage::Total => !fare.total_coupon.is_zero() && of_seller(fare.seller),
    });
    let touched: BTreeSet<&String> = lines
        .map(|line| &line.purchase_no)
        .chain(fares.flat_map(|fare| &fare.purchase_nos))
        .collect();
    if touched.is_empty() {
        terms
            .purchases
            .iter()
            .map(|line| &line.purchase_no)
            .collect()
    } else {
        touched
    }
}

/// Distributes `amount` of points to the lots they came from, last used first, without what `earlier` claims restored.
fn back_into_lots(
    amount: Amount,
    used: &[LotPart],
    earlier: &[&Claim],
) -> Result<Vec<LotPart>, OrderError> {
    let mut returned: BTreeMap<LotId, Amount> = BTreeMap::new();
    for part in earlier.iter().flat_map(|claim| &claim.refund.points) {
        let so_far = returned.entry(part.lot).or_default();
        *so_far = so_far.plus(part.amount)?;
    }
    let mut rest = amount;
    let mut parts = Vec::new();
    for part in used.iter().rev() {
        let open = part
            .amount
            .minus(returned.get(&part.lot).copied().unwrap_or_default())?;
        let back = open.min(rest);
        if back > Amount::ZERO {
            rest = rest.minus(back)?;
            parts.push(LotPart {
                lot: part.lot,
                amount: back,
            });
        }
    }
    Ok(parts)
}
