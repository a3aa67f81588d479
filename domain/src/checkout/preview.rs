//! What a decision about an order is going to give back, for whoever is asked to confirm it.

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

/// Why points do not come back.
const POINTS_EXPIRED: &str = "유효기간이 지난 적립금은 소멸됩니다.";
/// Why a coupon that comes back is of no use.
const COUPON_EXPIRED: &str = "사용 기간이 지나 다시 사용할 수 없습니다.";
/// Why no money goes back.
const NOTHING_PAID: &str = "결제한 금액이 없습니다.";

/// What a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundPreview {
    /// The order, as people know it.
    pub order_no: String,
    /// Whether it goes back at once; otherwise somebody has to approve the request first.
    pub at_once: bool,
    /// The purchases that are canceled.
    pub lines: Vec<RefundLine>,
    /// Their fares.
    pub fares: Vec<RefundFare>,
    /// The points.
    pub points: PointsBack,
    /// The coupons that were used on them.
    pub coupons: Vec<RefundCoupon>,
    /// The money.
    pub refund: MoneyBack,
}

/// The points a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PointsBack {
    /// What can be used again.
    pub amount: Amount,
    /// What has expired since it was used.
    pub expired: Amount,
    /// Why not all of it can be used again.
    pub reason: Option<&'static str>,
}

/// The money a cancellation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoneyBack {
    /// Hundredths.
    pub amount: Amount,
    /// The way it was paid, which is the way it goes back.
    pub method: PaymentMethod,
    /// Why there is none.
    pub reason: Option<&'static str>,
}

/// The sums somebody was shown before they confirmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownRefund {
    /// The money, hundredths.
    pub refund: Amount,
    /// The points that can be used again.
    pub points: Amount,
}

impl RefundPreview {
    /// Its sums.
    pub fn sums(&self) -> ShownRefund {
        ShownRefund {
            refund: self.refund.amount,
            points: self.points.amount,
        }
    }

    /// What of it `reader` may see: to sellers a buyer's coupons of the shop and of others are nothing.
    #[must_use]
    pub fn seen_by(mut self, reader: Reader) -> Self {
        if let Reader::Seller(own) = reader {
            self.coupons.retain(|coupon| coupon.seller == Some(own));
        }
        self
    }
}

/// What a decision to cancel gives back, or would once it is approved; none if it changes nothing.
///
/// # Errors
/// What the order or the points refuse.
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
        // the request alone gives nothing back
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

/// The claim and the purchases a decision is about.
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
    /// The states after a decision, for one that follows it.
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
