//! Refund of claimed purchases: computed by line, by fare and by fee, with reasons for what is not given back.
//!
//! Nothing is recomputed from current prices: a line gives back its frozen shares. The claim and its preview call the same function,
//! [`Order::refund_detail`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::aggregate::Order;
use super::claims::Claim;
use super::error::OrderError;
use super::events::{ClaimFee, FareOutcome, FareSettlement, Fault, FeeKind, RefundTerms};
use super::terms::{CouponUse, FareTerms, LotPart, OrderTerms, PurchaseTerms};
use crate::coupon::Stage;
use crate::ids::{ClaimId, IssuedCouponId, LotId, MemberId};
use crate::money::Amount;
use crate::shipping::{ChargeType, ShippingOption};

/// Reason for keeping a fare: its parcel was sent.
const PARCEL_SENT: &str = "이미 배송한 상품의 배송비는 돌려드리지 않습니다.";
/// Reason for keeping a fare: other purchases of its parcel are not final.
const PARCEL_GOES_ON: &str = "함께 배송하는 다른 상품이 남아 있습니다.";
/// Reason for keeping a coupon.
const COUPON_IN_USE: &str = "쿠폰을 적용한 다른 상품이 남아 있습니다.";
/// Reason for keeping a coupon that no claim gives back.
const COUPON_KEPT: &str = "취소하거나 반품해도 돌려드리지 않는 쿠폰입니다.";
/// Reason of a return fare.
const WAY_BACK: &str = "구매자 사정으로 반품하시면 반품 배송비를 부담하셔야 합니다.";
/// Reason of a recharged fare.
const THRESHOLD_BROKEN: &str = "남은 상품 금액에 맞는 배송비와의 차액입니다.";
/// Reason of a recharged fare that is given back.
const RECHARGE_BACK: &str = "앞서 뺀 배송비 차액을 돌려드립니다.";

/// The shipping options of an order's parcels, as frozen when it was placed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParcelRules {
    /// By the place of the fare in the terms.
    pub options: BTreeMap<u32, ShippingOption>,
    /// Whether a fare that depends on the price of the goods is charged again when goods are given back.
    pub recharges: bool,
}

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
    /// The purchase it is split off; none for a purchase as placed.
    pub split_from: Option<String>,
    /// Whether the decision previewed gives it back; otherwise the claim has to be approved.
    pub at_once: bool,
}

/// A fee deducted from the refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundFee {
    /// Kind.
    pub kind: FeeKind,
    /// Hundredths; negative where an earlier fee is refunded.
    pub amount: Amount,
    /// Reason of the fee.
    pub reason: &'static str,
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

/// Detailed refund of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundDetail {
    /// The claimed purchases.
    pub lines: Vec<RefundLine>,
    /// Their fares that are not free.
    pub fares: Vec<RefundFare>,
    /// Fees deducted from the money.
    pub fees: Vec<RefundFee>,
    /// Coupons that were used on them.
    pub coupons: Vec<RefundCoupon>,
    /// The sums, as stored in a claim.
    pub terms: RefundTerms,
}

impl Order {
    /// Computes the refund of claiming these purchases, after the approved claims other than `claim`. For a return, `goods` has the party
    /// at fault and the fare of the way back.
    ///
    /// A fare is refunded with the last of its purchases, unless its parcel was sent and the buyer is at fault. A coupon is returned when
    /// every purchase it applied to is given back, unless the order is paid and the coupon is not returnable. Points are restored to their lots in the reverse order of use. Fees are deducted from
    /// the money, at most all of it. Before the order is paid there is no money to refund.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`]; an overflow.
    pub fn refund_detail(
        &self,
        claim: Option<ClaimId>,
        purchase_nos: &[String],
        (goods, parcels): (Option<(Fault, Amount)>, &ParcelRules),
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
                split_from: self
                    .purchase(&line.purchase_no)
                    .and_then(|purchase| purchase.split_from.clone()),
                at_once: false,
            })
            .collect();
        let settled = self.settled_by(goods.map(|(fault, _)| fault), gone, leaves);
        let fares: Vec<RefundFare> = self
            .placed_fares()
            .filter(|(_, fare)| fare.purchase_nos.iter().any(leaves))
            .filter(|(_, fare)| !paid(fare.paid).is_zero() || !fare.points.is_zero())
            .map(|(place, fare)| {
                let its = settled.iter().find(|settlement| settlement.fare == place);
                let outcome = its
                    .map(|settlement| settlement.outcome)
                    .or_else(|| self.fares.get(&place).copied());
                refund_of_fare(fare, outcome, paid)
            })
            .collect();
        let coupons: Vec<RefundCoupon> = terms
            .coupons
            .iter()
            .map(|used| (used, self.touched_by(used, terms)))
            .filter(|(_, touched)| touched.iter().any(|no| leaves(no)))
            .map(|(used, touched)| {
                let is_kept = !used.returnable && self.paid.is_some();
                let is_in_use = !touched.iter().all(|no| gone(no));
                RefundCoupon {
                    issued: used.issued,
                    name: used.name.clone(),
                    returns: !is_kept && !is_in_use,
                    reason: match (is_kept, is_in_use) {
                        (true, _) => Some(COUPON_KEPT),
                        (false, true) => Some(COUPON_IN_USE),
                        (false, false) => None,
                    },
                    seller: used.seller,
                }
            })
            .collect();

        let of_lines = lines.iter().map(|line| (line.money, line.points));
        let of_fares = fares.iter().map(|fare| (fare.money, fare.points));
        let (money, points): (Vec<Amount>, Vec<Amount>) = of_lines.chain(of_fares).unzip();
        let money = Amount::total(money)?;
        let fees = match self.paid {
            Some(_) => self.fees((goods, parcels), (&earlier, &settled), (gone, leaves))?,
            None => Vec::new(),
        };
        let (fees, money) = charged_up_to(fees, money)?;
        let terms = RefundTerms {
            money,
            points: back_into_lots(
                Amount::total(points)?,
                &terms.points,
                &self.gave_points(claim),
            )?,
            coupons: coupons
                .iter()
                .filter(|coupon| coupon.returns)
                .map(|coupon| coupon.issued)
                .collect(),
            fares: settled,
            fees: fees.iter().map(|(fee, _)| *fee).collect(),
            reclaimed: None,
            others: Vec::new(),
        };
        Ok(RefundDetail {
            lines,
            fares,
            fees: fees
                .iter()
                .map(|(fee, reason)| RefundFee {
                    kind: fee.kind,
                    amount: fee.amount,
                    reason,
                })
                .collect(),
            coupons,
            terms,
        })
    }

    /// The fare of the way back of a purchase: the shipping option's own, else its base fare with the island surcharge.
    ///
    /// # Errors
    /// An overflow.
    pub(super) fn return_fare(
        &self,
        purchase_no: &str,
        parcels: &ParcelRules,
    ) -> Result<Amount, OrderError> {
        let carriers = self
            .placed_fares()
            .filter(|(_, fare)| fare.carries(purchase_no));
        let each = carriers.map(|(place, fare)| {
            let option = parcels.options.get(&place);
            let base = option.map_or(fare.fare, |option| base_fare(option, fare));
            Ok(base.plus(fare.island_fee)?)
        });
        let each: Vec<Amount> = each.collect::<Result<_, OrderError>>()?;
        Ok(Amount::total(each)?)
    }

    /// The fees of a claim, with their reasons.
    fn fees(
        &self,
        (goods, parcels): (Option<(Fault, Amount)>, &ParcelRules),
        (earlier, settled): (&[&Claim], &[FareSettlement]),
        (gone, leaves): (impl Fn(&String) -> bool, impl Fn(&String) -> bool),
    ) -> Result<Vec<ReasonedFee>, OrderError> {
        let mut fees = Vec::new();
        let by_seller = matches!(goods, Some((Fault::Seller, _)));
        // Goods returned through the seller's fault count as kept: the buyer does not pay for their absence.
        let stays = |no: &String| {
            !gone(no)
                || (by_seller && leaves(no))
                || earlier.iter().any(|made| {
                    made.fault() == Some(Fault::Seller) && made.purchase_nos.contains(no)
                })
        };
        for (place, fare) in self.placed_fares() {
            if !fare.purchase_nos.iter().any(&leaves) {
                continue;
            }
            let fee = |kind, amount| ClaimFee {
                kind,
                fare: place,
                amount,
            };
            if let Some((Fault::Buyer, return_fare)) = goods
                && !return_fare.is_zero()
            {
                fees.push((fee(FeeKind::ReturnFare, return_fare), WAY_BACK));
            }
            let before = recharged(place, earlier)?;
            let refunds = |settlement: &FareSettlement| {
                settlement.fare == place && settlement.outcome == FareOutcome::Refunded
            };
            if settled.iter().any(refunds) {
                if !before.is_zero() {
                    let back = fee(FeeKind::FareRecharge, before.negated()?);
                    fees.push((back, RECHARGE_BACK));
                }
            } else if let Some(option) = parcels.options.get(&place)
                && parcels.recharges
                && !by_seller
            {
                let more = self.recharge(fare, option, before, stays)?;
                if !more.is_zero() {
                    fees.push((fee(FeeKind::FareRecharge, more), THRESHOLD_BROKEN));
                }
            }
        }
        Ok(fees)
    }

    /// The fare of the remaining goods, less what was charged and recharged; zero if nothing remains.
    fn recharge(
        &self,
        charged: &FareTerms,
        option: &ShippingOption,
        recharged: Amount,
        stays: impl Fn(&String) -> bool,
    ) -> Result<Amount, OrderError> {
        let lines = self.terms()?.purchases.iter();
        let kept: Vec<&PurchaseTerms> = lines
            .filter(|line| charged.carries(&line.purchase_no) && stays(&line.purchase_no))
            .collect();
        if kept.is_empty() || option.charge_type != ChargeType::PriceRange {
            return Ok(Amount::ZERO);
        }
        let prices: Vec<Amount> = kept
            .into_iter()
            .map(PurchaseTerms::sale_price)
            .collect::<Result<_, _>>()?;
        let would_cost = option
            .price_row(Amount::total(prices)?)
            .map_or(Amount::ZERO, |row| row.amount);
        let already = charged.fare.plus(recharged)?;
        Ok(would_cost.minus(already)?.max(Amount::ZERO))
    }

    /// The purchases a coupon discounted, directly or through their fare. A coupon without discount belongs to the whole order.
    fn touched_by<'a>(&self, used: &CouponUse, terms: &'a OrderTerms) -> BTreeSet<&'a String> {
        let of_seller = |seller| used.seller.is_none_or(|its| its == seller);
        let of_purchase = |no: &String| used.purchase_no.as_deref() == Some(self.placed_no(no));
        let lines = terms.purchases.iter().filter(|line| match used.stage {
            Stage::Product => of_purchase(&line.purchase_no),
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
        match touched.is_empty() {
            true => terms
                .purchases
                .iter()
                .map(|line| &line.purchase_no)
                .collect(),
            false => touched,
        }
    }
}

fn refund_of_fare(
    fare: &FareTerms,
    outcome: Option<FareOutcome>,
    paid: impl Fn(Amount) -> Amount,
) -> RefundFare {
    let (returns, reason) = match outcome {
        Some(FareOutcome::Refunded) => (true, None),
        Some(FareOutcome::Earned) => (false, Some(PARCEL_SENT)),
        None => (false, Some(PARCEL_GOES_ON)),
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

/// The fare of the option for the smallest amount of goods.
fn base_fare(option: &ShippingOption, charged: &FareTerms) -> Amount {
    if let Some(amount) = option.return_amount {
        return amount;
    }
    match option.charge_type {
        ChargeType::Fixed => option.fixed_amount,
        ChargeType::PayOnDelivery => Amount::ZERO,
        ChargeType::PriceRange => {
            let least = option.prices_range.iter().min_by_key(|row| row.price);
            least.map_or(charged.fare, |row| row.amount)
        }
        ChargeType::TravelRange => charged.fare,
    }
}

/// The amount earlier claims recharged for a fare.
fn recharged(fare: u32, earlier: &[&Claim]) -> Result<Amount, OrderError> {
    let fees = earlier.iter().flat_map(|made| &made.refund.fees);
    let its = fees.filter(|fee| fee.fare == fare && fee.kind == FeeKind::FareRecharge);
    Ok(Amount::total(its.map(|fee| fee.amount))?)
}

/// A fee with its reason.
type ReasonedFee = (ClaimFee, &'static str);

/// The fees covered by the money, and the remaining money.
fn charged_up_to(
    fees: Vec<ReasonedFee>,
    money: Amount,
) -> Result<(Vec<ReasonedFee>, Amount), OrderError> {
    let mut left = money;
    let mut charged = Vec::with_capacity(fees.len());
    for (mut fee, reason) in fees {
        fee.amount = fee.amount.min(left);
        left = left.minus(fee.amount)?;
        if !fee.amount.is_zero() {
            charged.push((fee, reason));
        }
    }
    Ok((charged, left))
}

/// Distributes `amount` of points to the lots they came from, last used first, without what `earlier` claims restored.
pub(super) fn back_into_lots(
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
