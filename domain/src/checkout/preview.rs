//! Preview of what a cancellation or return gives back, shown before it is confirmed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::CheckoutError;
use crate::coupon::IssuedCoupon;
use crate::event::Decider;
use crate::ids::{ClaimId, LotId, OrderId};
use crate::money::Amount;
use crate::order::{
    Buyer, Fault, LotPart, Order, OrderError, OrderEvent, ParcelRules, Reader, ReclaimedPoints,
    RefundCoupon, RefundDetail, RefundFare, RefundFee, RefundLine,
};
use crate::payment::{Payment, PaymentMethod};
use crate::points::{self, Points, PointsCommand, PointsEvent};
use crate::unit_of_work::UnitOfWork;

/// Reason shown when points are not restored.
const POINTS_EXPIRED: &str = "유효기간이 지난 적립금은 소멸됩니다.";
/// Reason shown when a returned coupon has expired.
const COUPON_EXPIRED: &str = "사용 기간이 지나 다시 사용할 수 없습니다.";
/// Reason shown when there is no money to refund.
const NOTHING_PAID: &str = "결제한 금액이 없습니다.";

/// What a cancellation or return gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundPreview {
    /// The order number.
    pub order_no: String,
    /// Whether all of it takes effect at once; otherwise a request has to be approved first.
    pub at_once: bool,
    /// The claimed purchases.
    pub lines: Vec<RefundLine>,
    /// Their fares.
    pub fares: Vec<RefundFare>,
    /// Fees taken off the refund.
    pub fees: Vec<RefundFee>,
    /// The points.
    pub points: PointsBack,
    /// Points the purchase earned that are taken back; none unless it was confirmed.
    pub reclaimed: Option<ReclaimedPoints>,
    /// Coupons used on them.
    pub coupons: Vec<RefundCoupon>,
    /// The refund.
    pub refund: MoneyBack,
}

/// The points a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PointsBack {
    /// Points that become usable again, hundredths.
    pub amount: Amount,
    /// Points in lots that have expired since they were spent, hundredths.
    pub expired: Amount,
    /// Why some points are not usable again.
    pub reason: Option<&'static str>,
}

/// Money refunded by a cancellation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoneyBack {
    /// Hundredths.
    pub amount: Amount,
    /// The method of the payment that paid; the refund uses the same.
    pub method: PaymentMethod,
    /// Why nothing is refunded.
    pub reason: Option<&'static str>,
}

/// The sums confirmed by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownRefund {
    /// Money refunded, hundredths.
    pub refund: Amount,
    /// Points that become usable again, hundredths.
    pub points: Amount,
}

impl RefundPreview {
    /// The sums for the user to confirm.
    pub fn sums(&self) -> ShownRefund {
        ShownRefund {
            refund: self.refund.amount,
            points: self.points.amount,
        }
    }

    /// The part that `reader` may see: a seller does not see the buyer's coupons of the shop or of other sellers.
    #[must_use]
    pub fn seen_by(mut self, reader: Reader) -> Self {
        if let Reader::Seller(own) = reader {
            self.coupons.retain(|coupon| coupon.seller == Some(own));
        }
        self
    }
}

/// Makes a decision on claims of the order, or on canceling it, and computes what it gives back, or would give back once approved;
/// none if it changes nothing. `parcels` are those of the decision.
///
/// # Errors
/// Errors of the decision, and of the order and points aggregates.
pub fn decide_with_preview<E: From<CheckoutError>>(
    work: &mut UnitOfWork,
    id: OrderId,
    parcels: &ParcelRules,
    decide: impl FnOnce(&mut UnitOfWork) -> Result<(), E>,
) -> Result<Option<RefundPreview>, E> {
    let before = work.state::<Order>(id);
    let points = match before.buyer() {
        Some(Buyer::Member { id }) => Some(points::stream_id(*id)),
        _ => None,
    };
    let of_points = |work: &UnitOfWork| match &points {
        Some(stream) => work.events::<Points>(stream).to_vec(),
        None => Vec::new(),
    };
    let (orders_then, points_then) = (work.events::<Order>(id).len(), of_points(work).len());
    decide(work)?;
    let decided: Vec<OrderEvent> = work
        .events::<Order>(id)
        .iter()
        .skip(orders_then)
        .cloned()
        .collect();
    let restored: Vec<PointsEvent> = of_points(work).into_iter().skip(points_then).collect();
    let Some(given) = GivenBack::by(&before, &decided, parcels).map_err(CheckoutError::from)?
    else {
        return Ok(None);
    };
    Ok(Some(preview(work, (id, &before), given, restored)?))
}

/// What the events of a decision give back, for each claim.
#[derive(Default)]
struct GivenBack {
    lines: Vec<RefundLine>,
    fares: Vec<RefundFare>,
    fees: Vec<RefundFee>,
    coupons: Vec<RefundCoupon>,
    money: Amount,
    points: Vec<LotPart>,
    reclaimed: Option<ReclaimedPoints>,
}

impl GivenBack {
    /// Replays the decision: each claim is computed after those before it, as it was decided.
    fn by(
        before: &Order,
        decided: &[OrderEvent],
        parcels: &ParcelRules,
    ) -> Result<Option<Self>, OrderError> {
        let mut order = before.clone();
        let mut given: Option<Self> = None;
        for event in decided {
            if let Some((claim, purchase_nos, goods)) = claimed_by(before, event) {
                let detail = order
                    .refund_detail(claim, &purchase_nos, (goods, parcels))?
                    .less(reclaimed_by(event))?;
                given.get_or_insert_default().add(detail)?;
            }
            order.evolve(event.clone());
            if let Some(given) = &mut given {
                given.takes_effect(&order, event);
            }
        }
        Ok(given)
    }

    /// Adds a claim. If it shares a fare or coupon with an earlier one, the later claim decides.
    fn add(&mut self, detail: RefundDetail) -> Result<(), OrderError> {
        let is_shared = |fare: &RefundFare| {
            let carries = |no| fare.purchase_nos.contains(no);
            detail
                .fares
                .iter()
                .any(|other| other.purchase_nos.iter().any(carries))
        };
        self.fares.retain(|fare| !is_shared(fare));
        let issued: Vec<_> = detail.coupons.iter().map(|coupon| coupon.issued).collect();
        self.coupons
            .retain(|coupon| !issued.contains(&coupon.issued));
        self.lines.extend(detail.lines);
        self.fares.extend(detail.fares);
        self.fees.extend(detail.fees);
        self.coupons.extend(detail.coupons);
        self.money = self.money.plus(detail.terms.money)?;
        self.points.extend(detail.terms.points);
        // a claim on a confirmed purchase is decided alone
        self.reclaimed = self.reclaimed.or(detail.terms.reclaimed);
        Ok(())
    }

    /// Marks the lines that are given back by this event.
    fn takes_effect(&mut self, order: &Order, event: &OrderEvent) {
        let claim = match event {
            OrderEvent::CancelApproved { claim, .. } | OrderEvent::ReturnApproved { claim, .. } => {
                order.claim(*claim)
            }
            OrderEvent::OrderCanceled { .. } => None,
            _ => return,
        };
        let is_its = |no: &String| claim.is_none_or(|made| made.purchase_nos.contains(no));
        for line in &mut self.lines {
            line.at_once |= is_its(&line.purchase_no);
        }
    }
}

/// A claim that an event makes or answers: its id, its purchases, and fault and fare of a return.
type Claimed = (Option<ClaimId>, Vec<String>, Option<(Fault, Amount)>);

/// The claim that an event makes or, if it was made `before`, approves.
fn claimed_by(before: &Order, event: &OrderEvent) -> Option<Claimed> {
    match event {
        OrderEvent::CancelRequested {
            claim,
            purchase_nos,
            ..
        } => Some((Some(*claim), purchase_nos.clone(), None)),
        OrderEvent::ReturnRequested {
            claim,
            purchase_no,
            fault,
            return_fare,
            ..
        } => Some((
            Some(*claim),
            vec![purchase_no.clone()],
            Some((*fault, *return_fare)),
        )),
        OrderEvent::CancelApproved { claim, .. } | OrderEvent::ReturnApproved { claim, .. } => {
            let made = before.claim(*claim)?;
            Some((Some(*claim), made.purchase_nos.clone(), made.return_terms()))
        }
        OrderEvent::OrderCanceled { .. } => {
            let all = before.purchases.iter();
            Some((None, all.map(|one| one.purchase_no.clone()).collect(), None))
        }
        _ => None,
    }
}

/// The earned points that an event takes back.
const fn reclaimed_by(event: &OrderEvent) -> Option<ReclaimedPoints> {
    match event {
        OrderEvent::ReturnRequested { refund: terms, .. }
        | OrderEvent::ReturnApproved { terms, .. } => terms.reclaimed,
        _ => None,
    }
}

fn preview(
    work: &mut UnitOfWork,
    (id, before): (OrderId, &Order),
    given: GivenBack,
    mut restored: Vec<PointsEvent>,
) -> Result<RefundPreview, CheckoutError> {
    let terms = before.terms()?;
    let parts = not_restored(&given.points, &restored)?;
    if let (Buyer::Member { id: member }, false) = (&terms.buyer, parts.is_empty()) {
        let restore = PointsCommand::Restore { order: id, parts };
        let points = work.state::<Points>(points::stream_id(*member));
        restored.extend(points.decide(restore, work.context())?);
    }
    let now = work.context().now;
    let coupons = given.coupons.into_iter().map(|coupon| {
        let issued = work.state::<IssuedCoupon>(coupon.issued);
        let is_over = issued
            .held
            .as_ref()
            .is_some_and(|held| held.terms.has_expired(now));
        RefundCoupon {
            reason: coupon.reason.or(is_over.then_some(COUPON_EXPIRED)),
            ..coupon
        }
    });
    let coupons = coupons.collect();
    let money = given.money;
    // The buyer may have paid by another method than chosen when ordering.
    let paid = before.paid.and_then(|paid| paid.payment);
    let paid = paid.and_then(|payment| work.state::<Payment>(payment).started.clone());
    Ok(RefundPreview {
        order_no: terms.order_no.clone(),
        at_once: given.lines.iter().all(|line| line.at_once),
        lines: given.lines,
        fares: given.fares,
        fees: given.fees,
        points: points_back(&restored)?,
        reclaimed: given.reclaimed,
        coupons,
        refund: MoneyBack {
            amount: money,
            method: paid.map_or(terms.payment_method, |paid| paid.method),
            reason: money.is_zero().then_some(NOTHING_PAID),
        },
    })
}

/// Points of a claim that still has to be approved.
fn not_restored(
    given: &[LotPart],
    restored: &[PointsEvent],
) -> Result<Vec<LotPart>, CheckoutError> {
    let mut open: BTreeMap<LotId, Amount> = BTreeMap::new();
    for part in given {
        let amount = open.entry(part.lot).or_default();
        *amount = amount.plus(part.amount)?;
    }
    for event in restored {
        if let PointsEvent::PointsRestored { parts, lost, .. } = event {
            for part in parts.iter().chain(lost) {
                let amount = open.entry(part.lot).or_default();
                *amount = amount.minus(part.amount)?;
            }
        }
    }
    let parts = open
        .into_iter()
        .map(|(lot, amount)| LotPart { lot, amount });
    Ok(parts.filter(|part| part.amount > Amount::ZERO).collect())
}

fn points_back(events: &[PointsEvent]) -> Result<PointsBack, CheckoutError> {
    let mut back = PointsBack {
        amount: Amount::ZERO,
        expired: Amount::ZERO,
        reason: None,
    };
    for event in events {
        if let PointsEvent::PointsRestored { parts, lost, .. } = event {
            let sum = |parts: &[crate::order::LotPart]| {
                Amount::total(parts.iter().map(|part| part.amount))
            };
            back.amount = back.amount.plus(sum(parts)?)?;
            back.expired = back.expired.plus(sum(lost)?)?;
        }
    }
    back.reason = (!back.expired.is_zero()).then_some(POINTS_EXPIRED);
    Ok(back)
}
