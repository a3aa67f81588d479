//! Cancels orders, for all callers: unpaid ones as a whole, paid ones by purchase with a refund.

use domain::checkout::{
    self, CancelApproval, CancelRequest, CheckoutDecision, CheckoutState, RefundPreview,
    ShownRefund, footprint_of,
};
use domain::ids::{ClaimId, OrderId, PaymentId, RefundId};
use domain::order::{Action, CancelReason, CanceledBy, Order, OrderEvent, Reader};
use domain::payment::{Payment, PaymentCommand};
use domain::{Context, Purpose};
use event_store::{LockSet, LockedStreams, StreamAppend, StreamId, TransactionStep, Versioned};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::cart_rows::CartRows;
use super::detail::FoundOrder;
use super::streams::{Held, ids};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};
use crate::plugins::pay::attempts::Attempt;
use application::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// Attempts if the order is paid concurrently.
const ATTEMPTS: u32 = 3;
/// Reason stored in the payment. The actual reason is only in the order.
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
            reason: CancelReason::said(CANCELED),
            shown: None,
        }
    }

    /// Decides the cancellation of the order and of its footprint.
    ///
    /// # Errors
    /// The rule violated.
    pub fn decide(
        &self,
        order: &Order,
        streams: &CheckoutState,
        context: &Context,
    ) -> AppResult<CheckoutDecision> {
        match order.paid {
            None => unpaid(self, order, streams, context),
            // Paid at the last moment: the deadline does not apply any more.
            Some(_) if self.by == CanceledBy::Deadline => {
                Err(AppError::new(Code::NotAllowedNow)
                    .with_details(json!({ "reason": "order_paid" })))
            }
            Some(_) => {
                let request = CancelRequest {
                    claim: ClaimId(Uuid::now_v7()),
                    refund: RefundId(Uuid::now_v7()),
                    purchase_nos: purchases(self, order),
                    by: self.by,
                    reason: self.reason.clone(),
                };
                let id = self.order;
                Ok(checkout::request_cancel(
                    id, order, request, streams, context,
                )?)
            }
        }
    }
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
    /// Decides the approval for the order and its footprint.
    ///
    /// # Errors
    /// The rule violated.
    pub fn decide(
        &self,
        order: &Order,
        streams: &CheckoutState,
        context: &Context,
    ) -> AppResult<CheckoutDecision> {
        let approval = CancelApproval {
            claim: self.claim,
            refund: RefundId(Uuid::now_v7()),
            by: self.by,
        };
        let id = self.order;
        Ok(checkout::approve_cancel(
            id, order, approval, streams, context,
        )?)
    }
}

/// The cancel reason of a buyer: one of the choices, or free text sealed with the key of the order's parties.
///
/// # Errors
/// `not_found` if that key is destroyed; database errors.
pub(crate) async fn reason_of_buyer(
    app: &AppState,
    found: &FoundOrder,
    text: &str,
) -> AppResult<CancelReason> {
    if let Some(reason) = CancelReason::chosen(text) {
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
pub(crate) async fn cancel(
    app: &AppState,
    command: &CommandContext,
    request: &Cancel,
) -> AppResult<CommandOutcome> {
    let decision = |held: &Held, context: &Context| {
        let decided = request.decide(&held.order.state, &held.streams, context)?;
        as_shown(request.shown, request.order, held, &decided, context)?;
        Ok(decided)
    };
    let command = match &request.reason {
        CancelReason::Said(why) => command.clone().with_reason(why.clone()),
        // Sealed text must not appear in the metadata.
        CancelReason::Sealed(_) => command.clone(),
    };
    giving_back(app, &command, request.order, &(), decision).await
}

/// Cancels an unpaid order and puts its lines back into the buyer's cart, in one append; returns the cart lines. A guest's browser
/// restores its own cart.
///
/// # Errors
/// `not_allowed_now` once it is paid or canceled; the rule violated.
pub(crate) async fn back_into_cart(
    app: &AppState,
    command: &CommandContext,
    found: &FoundOrder,
) -> AppResult<CommandOutcome> {
    let request = Cancel {
        order: found.id,
        by: CanceledBy::Buyer,
        purchase_nos: None,
        reason: CancelReason::said(BACK_INTO_CART),
        shown: None,
    };
    let rows = CartRows {
        member: found.member(),
        terms: found.order.state.terms()?,
        now: app.clock.now(),
    };
    let command = command.clone().with_reason(BACK_INTO_CART);
    giving_back(app, &command, found.id, &rows, |held, context| {
        let order = &held.order.state;
        if order.canceled.is_some() {
            return Err(AppError::new(Code::NotAllowedNow)
                .with_details(json!({ "reason": "order_canceled" }))
                .saying("이미 취소된 주문입니다."));
        }
        unpaid(&request, order, &held.streams, context)
    })
    .await
}

/// Approves a cancellation claim, with everything it gives back.
///
/// # Errors
/// The rule violated.
pub(crate) async fn approve(
    app: &AppState,
    command: &CommandContext,
    request: &Approve,
) -> AppResult<CommandOutcome> {
    giving_back(app, command, request.order, &(), |held, context| {
        let decided = request.decide(&held.order.state, &held.streams, context)?;
        as_shown(request.shown, request.order, held, &decided, context)?;
        Ok(decided)
    })
    .await
}

/// Previews what a cancellation would give back. Nothing is written.
///
/// # Errors
/// The rule the cancellation would violate.
pub(crate) async fn preview(app: &AppState, request: &Cancel) -> AppResult<RefundPreview> {
    let held = Held::read(app, request.order).await?;
    let context = Context {
        now: app.clock.now(),
        actor: domain::Actor::System,
    };
    let (order, streams) = (&held.order.state, &held.streams);
    let decided = request.decide(order, streams, &context)?;
    checkout::preview(request.order, order, &decided, streams, &context)?.ok_or_else(|| {
        AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_canceled" }))
    })
}

/// Checks that a decision gives back the sums shown to the user.
fn as_shown(
    shown: Option<ShownRefund>,
    id: OrderId,
    held: &Held,
    decided: &CheckoutDecision,
    context: &Context,
) -> AppResult<()> {
    let Some(shown) = shown else {
        return Ok(());
    };
    let preview = checkout::preview(id, &held.order.state, decided, &held.streams, context)?;
    match preview.map(|preview| preview.sums()) {
        Some(now) if now != shown => {
            Err(AppError::new(Code::RefundChanged)
                .with_details(json!({ "shown": shown, "now": now })))
        }
        _ => Ok(()),
    }
}

fn unpaid(
    request: &Cancel,
    order: &Order,
    streams: &CheckoutState,
    context: &Context,
) -> AppResult<CheckoutDecision> {
    if request
        .purchase_nos
        .as_ref()
        .is_some_and(|named| named.len() != order.purchases.len())
    {
        // An unpaid order is one agreement; to order only a part of it, it is canceled and placed again.
        return Err(
            AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_unpaid" }))
        );
    }
    Ok(checkout::cancel_unpaid(
        request.order,
        order,
        request.by,
        Some(request.reason.clone()),
        streams,
        context,
    )?)
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

async fn giving_back<Rows>(
    app: &AppState,
    command: &CommandContext,
    id: OrderId,
    rows: &Rows,
    goes_back: impl Fn(&Held, &Context) -> AppResult<CheckoutDecision>,
) -> AppResult<CommandOutcome>
where
    Rows: TransactionStep<AppError>,
    Rows::Output: Serialize,
{
    let mut attempt = 1;
    loop {
        let Versioned {
            state: order,
            version,
            ..
        } = app.store.load::<Order>(&id.to_string()).await?;
        let touched = footprint_of(order.terms()?);
        let payment = paid_by(&order);
        let mut locks = ids(id, &touched);
        locks.extend(payment.map(StreamId::of::<Payment>));
        let accounts = match order.paid {
            None => open_accounts(app, id).await?,
            Some(_) => Vec::new(),
        };
        locks.extend(accounts.iter().map(StreamId::of::<Payment>));
        let done = app
            .executor
            .transact_locked_with_step(
                command,
                &LockSet::exclusive(locks),
                rows,
                |locked, written, context| {
                    let held = Held::of(locked, id, &touched)?;
                    // Paid or a new account issued meanwhile: repeat.
                    let unpaid = held.order.state.paid.is_none();
                    if paid_by(&held.order.state) != payment
                        || (unpaid && held.order.version != version)
                    {
                        return Err(AppError::new(Code::VersionConflict));
                    }
                    let decided = goes_back(&held, &context)?;
                    let mut batch = AppendBatch::of(held.appends(id, &decided)?);
                    if let Some(refund) = refund_of(locked, payment, &decided, &context)? {
                        batch.append(refund);
                    }
                    if decided
                        .order
                        .iter()
                        .any(|event| matches!(event, OrderEvent::OrderCanceled { .. }))
                    {
                        for account in &accounts {
                            if let Some(closing) = closing_of(locked, *account, &context)? {
                                batch.append(closing);
                            }
                        }
                    }
                    batch.with_result(written)
                },
            )
            .await;
        match done {
            Err(conflict) if conflict.code() == Code::VersionConflict && attempt < ATTEMPTS => {
                attempt += 1
            }
            other => return other,
        }
    }
}

fn paid_by(order: &Order) -> Option<PaymentId> {
    order.paid.and_then(|paid| paid.payment)
}

/// Payments whose virtual account awaits a deposit.
async fn open_accounts(app: &AppState, order: OrderId) -> AppResult<Vec<PaymentId>> {
    let attempts = Attempt::of_order(app, order).await?;
    Ok(attempts
        .into_iter()
        .filter(|attempt| attempt.payment.state.awaited().is_some())
        .map(|attempt| attempt.id)
        .collect())
}

/// The request to close the account of a canceled order, unless it is closed or paid by now.
fn closing_of(
    locked: &LockedStreams,
    id: PaymentId,
    context: &Context,
) -> AppResult<Option<StreamAppend>> {
    let payment = locked.state::<Payment>(&id.to_string())?;
    if payment.state.awaited().is_none() {
        return Ok(None);
    }
    let input = PaymentCommand::CloseAccount {
        reason: CANCELED.to_owned(),
    };
    Ok(Some(decide(id, &payment, input, context)?))
}

/// The refund request of an approved cancellation.
fn refund_of(
    locked: &LockedStreams,
    payment: Option<PaymentId>,
    decided: &CheckoutDecision,
    context: &Context,
) -> AppResult<Option<StreamAppend>> {
    let granted = decided.order.iter().find_map(|event| match event {
        OrderEvent::CancelApproved {
            refund: Some(refund),
            terms,
            ..
        } => Some((*refund, terms.money)),
        _ => None,
    });
    let (Some((refund, amount)), Some(id)) = (granted, payment) else {
        return Ok(None);
    };
    let payment = locked.state::<Payment>(&id.to_string())?;
    let input = PaymentCommand::RequestRefund {
        refund,
        amount,
        reason: CANCELED.to_owned(),
    };
    Ok(Some(decide(id, &payment, input, context)?))
}
