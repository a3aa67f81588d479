//! Cancels orders, for all callers: unpaid ones as a whole, paid ones by purchase with a refund.

use domain::Actor;
use domain::checkout::{self, RefundPreview, ShownRefund};
use domain::ids::{ClaimId, OrderId, RefundId};
use domain::order::{
    Action, CancelReason, CancelRequest, CanceledBy, ClaimIds, ClaimPieces, Order, ParcelRules,
    Reader,
};
use domain::unit_of_work::UnitOfWork;
use serde_json::json;
use uuid::Uuid;

use super::cart_rows::CartRows;
use super::claims::{as_shown, with_reason};
use super::find::FoundOrder;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// Reason of a cancellation that is only previewed.
const CANCELED: &str = "주문 취소";
/// Cancel reason of an order put back into the cart.
const BACK_INTO_CART: &str = "장바구니에 다시 담기";

/// A cancellation request.
#[derive(Clone, Debug)]
pub struct Cancel {
    /// The order.
    pub order: OrderId,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The pieces; none for all that can be canceled.
    pub pieces: Option<Vec<ClaimPieces>>,
    /// The reason.
    pub reason: CancelReason,
    /// The shipping options of the order's parcels ([`super::parcels::for_cancel`]).
    pub parcels: ParcelRules,
    /// The sums shown to the user; none if nothing was shown.
    pub shown: Option<ShownRefund>,
}

impl Cancel {
    /// A request for a preview only.
    pub fn to_see(
        order: OrderId,
        by: CanceledBy,
        pieces: Option<Vec<ClaimPieces>>,
        parcels: ParcelRules,
    ) -> Self {
        Self {
            order,
            by,
            pieces,
            reason: CancelReason::plain(CANCELED),
            parcels,
            shown: None,
        }
    }

    /// Decides the cancellation, as a claim and refund of these ids if the order is paid.
    ///
    /// # Errors
    /// The rule violated.
    fn decide(&self, work: &mut UnitOfWork, ids: ClaimIds) -> AppResult<()> {
        let order = work.state::<Order>(self.order);
        match order.paid {
            // loaded first: an unpaid order and a paid one use different streams
            _ if order.terms.is_none() => Err(AppError::not_found()),
            None => self.cancel_unpaid(work, &order),
            // Paid before the deadline was processed: the deadline does not apply any more.
            Some(_) if self.by == CanceledBy::Deadline => {
                Err(AppError::new(Code::NotAllowedNow)
                    .with_details(json!({ "reason": "order_paid" })))
            }
            Some(_) => {
                let request = CancelRequest {
                    ids,
                    pieces: pieces(self, &order),
                    by: self.by,
                    reason: self.reason.clone(),
                    parcels: self.parcels.clone(),
                };
                Ok(checkout::request_cancel(work, self.order, request)?)
            }
        }
    }

    /// An unpaid order can be canceled only as a whole; to order a part of it, the buyer cancels it and orders again.
    fn cancel_unpaid(&self, work: &mut UnitOfWork, order: &Order) -> AppResult<()> {
        let is_whole = |named: &Vec<ClaimPieces>| {
            let all = |pieces: &ClaimPieces| {
                let line = order.purchase_terms(&pieces.purchase_no);
                pieces
                    .quantity
                    .is_none_or(|quantity| line.is_some_and(|line| line.quantity == quantity))
            };
            named.len() == order.purchases.len() && named.iter().all(all)
        };
        if !self.pieces.as_ref().is_none_or(is_whole) {
            return Err(AppError::new(Code::NotAllowedNow)
                .with_details(json!({ "reason": "order_unpaid" })));
        }
        let reason = Some(self.reason.clone());
        Ok(checkout::cancel_unpaid(work, self.order, self.by, reason)?)
    }

    /// Decides the cancellation and computes what it gives back. For previews: the ids belong to no claim.
    ///
    /// # Errors
    /// The rule violated; `not_allowed_now` if everything is canceled already.
    pub fn preview(&self, work: &mut UnitOfWork) -> AppResult<RefundPreview> {
        let ids = ClaimIds {
            claim: ClaimId(Uuid::nil()),
            refund: RefundId(Uuid::nil()),
        };
        let decide = |work: &mut UnitOfWork| self.decide(work, ids);
        checkout::decide_with_preview(work, self.order, &self.parcels, decide)?
            .ok_or_else(canceled_already)
    }
}

fn canceled_already() -> AppError {
    AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_canceled" }))
}

/// Cancels, in one append: the order, its stock, coupons and points, and the refund request. The refund itself is executed by a
/// policy.
///
/// # Errors
/// The rule violated.
pub async fn cancel(
    app: &App,
    command: &CommandContext,
    request: &Cancel,
) -> AppResult<CommandOutcome> {
    let command = with_reason(command, &request.reason);
    let ids = ClaimIds {
        claim: ClaimId(Uuid::now_v7()),
        refund: RefundId(Uuid::now_v7()),
    };
    let shown = (request.shown, &request.parcels);
    let cancel = |work: &mut UnitOfWork| {
        as_shown(work, request.order, shown, |work| request.decide(work, ids))
    };
    app.executor.commit(&command, cancel).await
}

/// Cancels an unpaid order and puts its lines back into the buyer's cart, in one append; returns the cart lines. A guest's browser
/// restores its own cart.
///
/// # Errors
/// `not_allowed_now` once it is paid or canceled; the rule violated.
pub async fn back_into_cart(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
) -> AppResult<CommandOutcome> {
    let request = Cancel {
        order: found.id,
        by: CanceledBy::Buyer,
        pieces: None,
        reason: CancelReason::plain(BACK_INTO_CART),
        parcels: ParcelRules::default(),
        shown: None,
    };
    let rows = CartRows {
        member: found.member(),
        terms: found.order.state.terms()?,
        now: app.clock.now(),
    };
    let command = command.clone().with_reason(BACK_INTO_CART);
    let cancel = |work: &mut UnitOfWork, rows: Option<&_>| {
        let order = work.state::<Order>(found.id);
        if order.canceled.is_some() {
            return Err(canceled_already().saying("이미 취소된 주문입니다."));
        }
        request.cancel_unpaid(work, &order)?;
        Ok(serde_json::to_value(rows)?)
    };
    app.executor
        .commit_with_step(&command, &rows, [], cancel)
        .await
}

/// Previews what a cancellation would give back. Nothing is written.
///
/// # Errors
/// The rule the cancellation would violate.
pub async fn preview(app: &App, request: &Cancel) -> AppResult<RefundPreview> {
    let preview = |work: &mut UnitOfWork| request.preview(work);
    app.executor.preview(Actor::System, preview).await
}

/// The pieces named, or all that the caller may cancel.
fn pieces(request: &Cancel, order: &Order) -> Vec<ClaimPieces> {
    if let Some(named) = &request.pieces {
        return named.clone();
    }
    let reader = match request.by {
        CanceledBy::Buyer => Reader::Buyer,
        CanceledBy::Staff | CanceledBy::Deadline => Reader::Staff,
    };
    let mut all = order.purchases_for(reader, Action::Cancel);
    all.extend(order.purchases_for(reader, Action::RequestCancel));
    if all.is_empty() {
        // So that the order aggregate reports why nothing can be canceled.
        all = order
            .purchases
            .iter()
            .map(|purchase| purchase.purchase_no.clone())
            .collect();
    }
    all.into_iter().map(ClaimPieces::all).collect()
}
