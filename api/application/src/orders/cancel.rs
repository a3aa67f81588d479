//! Cancels orders, for all callers: unpaid ones as a whole, paid ones by purchase with a refund.

use domain::checkout::{self, CancelApproval, CancelRequest, RefundPreview, ShownRefund};
use domain::ids::{ClaimId, OrderId, RefundId};
use domain::order::{Action, CancelReason, CanceledBy, Order, Reader};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Purpose};
use serde_json::json;
use uuid::Uuid;

use super::cart_rows::CartRows;
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
    /// Numbers of the purchases; none for all that can be canceled.
    pub purchase_nos: Option<Vec<String>>,
    /// The reason.
    pub reason: CancelReason,
    /// The sums shown to the user; none if nothing was shown.
    pub shown: Option<ShownRefund>,
}

impl Cancel {
    /// A request used only for a preview.
    pub fn to_see(order: OrderId, by: CanceledBy, purchase_nos: Option<Vec<String>>) -> Self {
        Self {
            order,
            by,
            purchase_nos,
            reason: CancelReason::plain(CANCELED),
            shown: None,
        }
    }

    /// Decides the cancellation, as a claim and refund of these ids if the order is paid.
    ///
    /// # Errors
    /// The rule violated.
    fn decide(&self, work: &mut UnitOfWork, (claim, refund): (ClaimId, RefundId)) -> AppResult<()> {
        let order = work.state::<Order>(self.order);
        match order.paid {
            // loaded first: an unpaid order and a paid one use different streams
            _ if order.terms.is_none() => Err(AppError::not_found()),
            None => self.cancel_unpaid(work, &order),
            // Paid at the last moment: the deadline does not apply any more.
            Some(_) if self.by == CanceledBy::Deadline => {
                Err(AppError::new(Code::NotAllowedNow)
                    .with_details(json!({ "reason": "order_paid" })))
            }
            Some(_) => {
                let request = CancelRequest {
                    claim,
                    refund,
                    purchase_nos: purchases(self, &order),
                    by: self.by,
                    reason: self.reason.clone(),
                };
                Ok(checkout::request_cancel(work, self.order, request)?)
            }
        }
    }

    /// An unpaid order is one agreement; to order only a part of it, it is canceled and placed again.
    fn cancel_unpaid(&self, work: &mut UnitOfWork, order: &Order) -> AppResult<()> {
        let named = self.purchase_nos.as_ref();
        if named.is_some_and(|named| named.len() != order.purchases.len()) {
            return Err(AppError::new(Code::NotAllowedNow)
                .with_details(json!({ "reason": "order_unpaid" })));
        }
        let reason = Some(self.reason.clone());
        Ok(checkout::cancel_unpaid(work, self.order, self.by, reason)?)
    }

    /// Decides the cancellation and computes what it gives back. For previews: the ids are of no claim.
    ///
    /// # Errors
    /// The rule violated; `not_allowed_now` if everything is canceled already.
    pub fn preview(&self, work: &mut UnitOfWork) -> AppResult<RefundPreview> {
        let ids = (ClaimId(Uuid::nil()), RefundId(Uuid::nil()));
        checkout::decide_with_preview(work, self.order, |work| self.decide(work, ids))?
            .ok_or_else(canceled_already)
    }
}

fn canceled_already() -> AppError {
    AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_canceled" }))
}

/// Approval of a cancellation claim.
#[derive(Clone, Copy, Debug)]
pub struct Approve {
    /// The order.
    pub order: OrderId,
    /// The claim.
    pub claim: ClaimId,
    /// The reader who approves it.
    pub by: Reader,
    /// The sums shown to the user; none if nothing was shown.
    pub shown: Option<ShownRefund>,
}

impl Approve {
    /// Decides the approval.
    ///
    /// # Errors
    /// The rule violated.
    fn decide(&self, work: &mut UnitOfWork, refund: RefundId) -> AppResult<()> {
        let approval = CancelApproval {
            claim: self.claim,
            refund,
            by: self.by,
        };
        Ok(checkout::approve_cancel(work, self.order, approval)?)
    }

    /// Decides the approval and computes what it gives back, for previews.
    ///
    /// # Errors
    /// The rule violated; `not_allowed_now` if it is approved already.
    pub fn preview(&self, work: &mut UnitOfWork) -> AppResult<RefundPreview> {
        // Several approvals may be previewed together: each has a refund of its own.
        let refund = RefundId(self.claim.0);
        checkout::decide_with_preview(work, self.order, |work| self.decide(work, refund))?
            .ok_or_else(|| AppError::new(Code::NotAllowedNow))
    }
}

/// The cancel reason of a buyer: one of the choices, or free text sealed with the key of the order's parties.
///
/// # Errors
/// `not_found` if that key is destroyed; database errors.
pub async fn reason_of_buyer(app: &App, found: &FoundOrder, text: &str) -> AppResult<CancelReason> {
    if let Some(reason) = CancelReason::standard(text) {
        return Ok(reason);
    }
    let subject = found.order.state.terms()?.sender.subject;
    let words = text.trim().to_owned();
    let sealed = app.keys.seal(subject, Purpose::Statutory, &words).await?;
    Ok(CancelReason::Sealed(sealed))
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
    let command = match &request.reason {
        CancelReason::Plain(why) => command.clone().with_reason(why.clone()),
        // Sealed text must not appear in the metadata.
        CancelReason::Sealed(_) => command.clone(),
    };
    let ids = (ClaimId(Uuid::now_v7()), RefundId(Uuid::now_v7()));
    let cancel = |work: &mut UnitOfWork| {
        as_shown(work, request.order, request.shown, |work| {
            request.decide(work, ids)
        })
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
        purchase_nos: None,
        reason: CancelReason::plain(BACK_INTO_CART),
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

/// Approves a cancellation claim, with everything it gives back.
///
/// # Errors
/// The rule violated.
pub async fn approve(
    app: &App,
    command: &CommandContext,
    request: &Approve,
) -> AppResult<CommandOutcome> {
    let refund = RefundId(Uuid::now_v7());
    let approve = |work: &mut UnitOfWork| {
        as_shown(work, request.order, request.shown, |work| {
            request.decide(work, refund)
        })
    };
    app.executor.commit(command, approve).await
}

/// Previews what a cancellation would give back. Nothing is written.
///
/// # Errors
/// The rule the cancellation would violate.
pub async fn preview(app: &App, request: &Cancel) -> AppResult<RefundPreview> {
    let preview = |work: &mut UnitOfWork| request.preview(work);
    app.executor.preview(Actor::System, preview).await
}

/// Makes a decision, and checks that it gives back the sums shown to the user.
fn as_shown(
    work: &mut UnitOfWork,
    id: OrderId,
    shown: Option<ShownRefund>,
    decide: impl FnOnce(&mut UnitOfWork) -> AppResult<()>,
) -> AppResult<()> {
    let Some(shown) = shown else {
        return decide(work);
    };
    let preview = checkout::decide_with_preview(work, id, decide)?;
    match preview.map(|preview| preview.sums()) {
        Some(now) if now != shown => {
            Err(AppError::new(Code::RefundChanged)
                .with_details(json!({ "shown": shown, "now": now })))
        }
        _ => Ok(()),
    }
}

/// The purchases named, or all that the caller may cancel.
fn purchases(request: &Cancel, order: &Order) -> Vec<String> {
    if let Some(named) = &request.purchase_nos {
        return named.clone();
    }
    let reader = match request.by {
        CanceledBy::Buyer => Reader::Buyer,
        CanceledBy::Staff | CanceledBy::Deadline => Reader::Staff,
    };
    let mut all = order.purchases_for(reader, Action::Cancel);
    all.extend(order.purchases_for(reader, Action::RequestCancel));
    if all.is_empty() {
        // So that the order aggregate reports why none of them can be canceled.
        all = order
            .purchases
            .iter()
            .map(|purchase| purchase.purchase_no.clone())
            .collect();
    }
    all
}
