//! Preview of what canceling an order gives back, shown before it is confirmed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::CheckoutError;
use crate::coupon::IssuedCoupon;
use crate::event::Decider;
use crate::ids::{ClaimId, OrderId};
use crate::money::Amount;
use crate::order::{Buyer, Order, OrderEvent, Reader, RefundCoupon, RefundFare, RefundLine};
use crate::payment::{Payment, PaymentMethod};
use crate::points::{self, Points, PointsCommand, PointsEvent};
use crate::unit_of_work::UnitOfWork;

/// Reason shown when points are not restored.
const POINTS_EXPIRED: &str = "유효기간이 지난 적립금은 소멸됩니다.";
/// Reason shown when a returned coupon has expired.
const COUPON_EXPIRED: &str = "사용 기간이 지나 다시 사용할 수 없습니다.";
/// Reason shown when there is no money to refund.
const NOTHING_PAID: &str = "결제한 금액이 없습니다.";

/// What a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundPreview {
    /// The order number.
    pub order_no: String,
    /// Whether it takes effect at once; otherwise the request has to be approved first.
    pub at_once: bool,
    /// The canceled purchases.
    pub lines: Vec<RefundLine>,
    /// The fares of the canceled purchases.
    pub fares: Vec<RefundFare>,
    /// The points.
    pub points: PointsBack,
    /// Coupons used on the canceled purchases.
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
    /// The sums that the user confirms.
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

/// Makes a cancellation decision on the order, and computes what it gives back, or would give back once approved; none if it changes
/// nothing.
///
/// # Errors
/// Errors of the decision, and of the order and points aggregates.
pub fn decide_with_preview<E: From<CheckoutError>>(
    work: &mut UnitOfWork,
    id: OrderId,
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
    Ok(preview(work, id, &before, &decided, restored)?)
}

fn preview(
    work: &mut UnitOfWork,
    id: OrderId,
    before: &Order,
    decided: &[OrderEvent],
    mut restored: Vec<PointsEvent>,
) -> Result<Option<RefundPreview>, CheckoutError> {
    let Some((claim, purchase_nos)) = canceled(before, decided) else {
        return Ok(None);
    };
    let terms = before.terms()?;
    let detail = before.refund_detail(claim, &purchase_nos)?;
    let is_request = |event: &OrderEvent| matches!(event, OrderEvent::CancelRequested { .. });
    // A request alone gives nothing back.
    let at_once = !decided.iter().all(is_request);
    if let (Buyer::Member { id: member }, true) = (&terms.buyer, restored.is_empty())
        && !detail.terms.points.is_empty()
    {
        let restore = PointsCommand::Restore {
            order: id,
            parts: detail.terms.points.clone(),
        };
        let points = work.state::<Points>(points::stream_id(*member));
        restored = points.decide(restore, work.context())?;
    }
    let now = work.context().now;
    let coupons = detail.coupons.into_iter().map(|coupon| {
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
    let money = detail.terms.money;
    // Who could not pay as they meant to when ordering paid in another way.
    let paid = before.paid.and_then(|paid| paid.payment);
    let paid = paid.and_then(|payment| work.state::<Payment>(payment).started.clone());
    Ok(Some(RefundPreview {
        order_no: terms.order_no.clone(),
        at_once,
        lines: detail.lines,
        fares: detail.fares,
        points: points_back(&restored)?,
        coupons,
        refund: MoneyBack {
            amount: money,
            method: paid.map_or(terms.payment_method, |paid| paid.method),
            reason: money.is_zero().then_some(NOTHING_PAID),
        },
    }))
}

/// The claim and the purchases of a decision.
fn canceled(order: &Order, decided: &[OrderEvent]) -> Option<(Option<ClaimId>, Vec<String>)> {
    decided.iter().find_map(|event| match event {
        OrderEvent::CancelRequested {
            claim,
            purchase_nos,
            ..
        } => Some((Some(*claim), purchase_nos.clone())),
        OrderEvent::CancelApproved { claim, .. } => {
            let made = order.claim(*claim)?;
            Some((Some(*claim), made.purchase_nos.clone()))
        }
        OrderEvent::OrderCanceled { .. } => {
            let all = order.purchases.iter();
            Some((None, all.map(|one| one.purchase_no.clone()).collect()))
        }
        _ => None,
    })
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
