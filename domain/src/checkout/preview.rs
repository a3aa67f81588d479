//! Preview of what canceling an order gives back, shown before it is confirmed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CheckoutDecision, CheckoutError, CheckoutState};
use crate::event::{Context, Decider};
use crate::ids::{ClaimId, OrderId};
use crate::money::Amount;
use crate::order::{
    Order, OrderEvent, PaymentMethod, Reader, RefundCoupon, RefundFare, RefundLine,
};
use crate::points::{PointsCommand, PointsEvent};

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
    /// The payment method; the refund uses the same.
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

/// Computes what a cancellation decision gives back, or would give back once approved; none if it changes nothing.
///
/// # Errors
/// Errors of the order and points aggregates.
pub fn preview(
    id: OrderId,
    order: &Order,
    decided: &CheckoutDecision,
    streams: &CheckoutState,
    context: &Context,
) -> Result<Option<RefundPreview>, CheckoutError> {
    let terms = order.terms()?;
    let Some((claim, purchase_nos)) = canceled(order, decided) else {
        return Ok(None);
    };
    let detail = order.refund_detail(claim, &purchase_nos)?;
    let at_once = !decided.order.iter().all(|event| {
        // A request alone gives nothing back.
        matches!(event, OrderEvent::CancelRequested { .. })
    });
    let parts = detail.terms.points.clone();
    let restored = match decided.points.is_empty() && !parts.is_empty() {
        true => streams
            .points
            .decide(PointsCommand::Restore { order: id, parts }, context)?,
        false => decided.points.clone(),
    };
    let money = detail.terms.money;
    let coupons = detail.coupons.into_iter().map(|coupon| {
        let issued = streams.issued.get(&coupon.issued);
        let held = issued.and_then(|issued| issued.held.as_ref());
        let is_over = held.is_some_and(|held| held.terms.has_expired(context.now));
        RefundCoupon {
            reason: coupon.reason.or(is_over.then_some(COUPON_EXPIRED)),
            ..coupon
        }
    });
    Ok(Some(RefundPreview {
        order_no: terms.order_no.clone(),
        at_once,
        lines: detail.lines,
        fares: detail.fares,
        points: points_back(&restored)?,
        coupons: coupons.collect(),
        refund: MoneyBack {
            amount: money,
            method: terms.payment_method,
            reason: money.is_zero().then_some(NOTHING_PAID),
        },
    }))
}

/// The claim and the purchases of a decision.
fn canceled(order: &Order, decided: &CheckoutDecision) -> Option<(Option<ClaimId>, Vec<String>)> {
    decided.order.iter().find_map(|event| match event {
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

impl CheckoutState {
    /// Applies a decision to the loaded states, for a decision that follows in the same append.
    pub fn evolve(&mut self, decided: &CheckoutDecision) {
        for (id, events) in &decided.stock {
            let stock = self.stock.entry(*id).or_default();
            events.iter().for_each(|event| stock.evolve(event.clone()));
        }
        for (id, events) in &decided.issued {
            let issued = self.issued.entry(*id).or_default();
            events.iter().for_each(|event| issued.evolve(event.clone()));
        }
        for (id, events) in &decided.campaigns {
            let campaign = self.campaigns.entry(*id).or_default();
            events
                .iter()
                .for_each(|event| campaign.evolve(event.clone()));
        }
        for event in &decided.points {
            self.points.evolve(event.clone());
        }
    }
}
