//! Giving an order back, for whoever asks: unpaid as a whole, paid by purchases with a refund.

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
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};
use crate::http::{ApiError, ApiResult, Code};
use crate::plugins::pay::attempts::Attempt;

/// Looks at an order and its payment again this often if it was paid in between.
const ATTEMPTS: u32 = 3;
/// What a payment is told of why its order is canceled. More of it is in the order alone.
const CANCELED: &str = "주문 취소";
/// Why an order was canceled that went back into the cart.
const BACK_INTO_CART: &str = "장바구니에 다시 담기";

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Cancel {
    /// The order.
    pub order: OrderId,
    /// Who asks.
    pub by: CanceledBy,
    /// Which purchases; none: all that can be canceled.
    pub purchase_nos: Option<Vec<String>>,
    /// Why.
    pub reason: CancelReason,
    /// What they were shown that goes back; none: they were shown nothing.
    pub shown: Option<ShownRefund>,
}

impl Cancel {
    /// The same question asked only to see what would go back.
    pub fn to_see(order: OrderId, by: CanceledBy, purchase_nos: Option<Vec<String>>) -> Self {
        Self {
            order,
            by,
            purchase_nos,
            reason: CancelReason::said(CANCELED),
            shown: None,
        }
    }

    /// What becomes of the order and of what it touches.
    ///
    /// # Errors
    /// The rule that refuses.
    pub fn decide(
        &self,
        order: &Order,
        streams: &CheckoutState,
        context: &Context,
    ) -> ApiResult<CheckoutDecision> {
        match order.paid {
            None => unpaid(self, order, streams, context),
            // Paid in the last moment: the deadline has nothing to say any more.
            Some(_) if self.by == CanceledBy::Deadline => {
                Err(ApiError::new(Code::NotAllowedNow)
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

/// The answer to a cancellation that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Approve {
    /// The order.
    pub order: OrderId,
    /// The claim.
    pub claim: ClaimId,
    /// Who answers.
    pub by: Reader,
    /// What they were shown that goes back; none: they were shown nothing.
    pub shown: Option<ShownRefund>,
}

impl Approve {
    /// What becomes of the order and of what it touches.
    ///
    /// # Errors
    /// The rule that refuses.
    pub fn decide(
        &self,
        order: &Order,
        streams: &CheckoutState,
        context: &Context,
    ) -> ApiResult<CheckoutDecision> {
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

/// Why a buyer cancels: a reason they chose, or their own words, sealed as the names of their order are.
///
/// # Errors
/// `not_found` once the people of the order are forgotten; the database's.
pub(crate) async fn reason_of_buyer(
    app: &AppState,
    found: &FoundOrder,
    text: &str,
) -> ApiResult<CancelReason> {
    if let Some(reason) = CancelReason::chosen(text) {
        return Ok(reason);
    }
    let subject = found.order.state.terms()?.sender.subject;
    let words = text.trim().to_owned();
    let sealed = app.keys.seal(subject, Purpose::Statutory, &words).await?;
    Ok(CancelReason::Sealed(sealed))
}

/// Cancels, in one append: the order, its goods, coupons and points, and the request for the refund. The money itself is
/// the refund policy's.
///
/// # Errors
/// The rule that refused.
pub(crate) async fn cancel(
    app: &AppState,
    command: &CommandContext,
    asked: &Cancel,
) -> ApiResult<CommandOutcome> {
    let change = |held: &Held, context: &Context| {
        let decided = asked.decide(&held.order.state, &held.streams, context)?;
        as_shown(asked.shown, asked.order, held, &decided, context)?;
        Ok(decided)
    };
    let command = match &asked.reason {
        CancelReason::Said(why) => command.clone().with_reason(why.clone()),
        // what only those of the order may read stands in no metadata
        CancelReason::Sealed(_) => command.clone(),
    };
    giving_back(app, &command, asked.order, &(), change).await
}

/// Cancels an unpaid order and puts what it held back into its buyer's cart, in one append; answers the lines of the cart. A guest's
/// browser fills its own cart.
///
/// # Errors
/// `not_allowed_now` once it is paid or canceled; the rule that refused.
pub(crate) async fn back_into_cart(
    app: &AppState,
    command: &CommandContext,
    found: &FoundOrder,
) -> ApiResult<CommandOutcome> {
    let asked = Cancel {
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
            return Err(ApiError::new(Code::NotAllowedNow)
                .with_details(json!({ "reason": "order_canceled" }))
                .saying("이미 취소된 주문입니다."));
        }
        unpaid(&asked, order, &held.streams, context)
    })
    .await
}

/// Grants a cancellation that was asked for, with everything that goes back.
///
/// # Errors
/// The rule that refused.
pub(crate) async fn approve(
    app: &AppState,
    command: &CommandContext,
    asked: &Approve,
) -> ApiResult<CommandOutcome> {
    giving_back(app, command, asked.order, &(), |held, context| {
        let decided = asked.decide(&held.order.state, &held.streams, context)?;
        as_shown(asked.shown, asked.order, held, &decided, context)?;
        Ok(decided)
    })
    .await
}

/// What a cancellation would give back. Nothing is written.
///
/// # Errors
/// The rule that would refuse it.
pub(crate) async fn preview(app: &AppState, asked: &Cancel) -> ApiResult<RefundPreview> {
    let held = Held::read(app, asked.order).await?;
    let context = Context {
        now: app.clock.now(),
        actor: domain::Actor::System,
    };
    let (order, streams) = (&held.order.state, &held.streams);
    let decided = asked.decide(order, streams, &context)?;
    checkout::preview(asked.order, order, &decided, streams, &context)?.ok_or_else(|| {
        ApiError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_canceled" }))
    })
}

/// Passes if what a decision gives back is what was shown before it was asked for.
fn as_shown(
    shown: Option<ShownRefund>,
    id: OrderId,
    held: &Held,
    decided: &CheckoutDecision,
    context: &Context,
) -> ApiResult<()> {
    let Some(shown) = shown else {
        return Ok(());
    };
    let preview = checkout::preview(id, &held.order.state, decided, &held.streams, context)?;
    match preview.map(|preview| preview.sums()) {
        Some(now) if now != shown => {
            Err(ApiError::new(Code::RefundChanged)
                .with_details(json!({ "shown": shown, "now": now })))
        }
        _ => Ok(()),
    }
}

fn unpaid(
    asked: &Cancel,
    order: &Order,
    streams: &CheckoutState,
    context: &Context,
) -> ApiResult<CheckoutDecision> {
    if asked
        .purchase_nos
        .as_ref()
        .is_some_and(|named| named.len() != order.purchases.len())
    {
        // What is not paid yet is one agreement; a part of it is ordered anew.
        return Err(
            ApiError::new(Code::NotAllowedNow).with_details(json!({ "reason": "order_unpaid" }))
        );
    }
    Ok(checkout::cancel_unpaid(
        asked.order,
        order,
        asked.by,
        Some(asked.reason.clone()),
        streams,
        context,
    )?)
}

/// The purchases named, or all the asker may cancel.
fn purchases(asked: &Cancel, order: &Order) -> Vec<String> {
    if let Some(named) = &asked.purchase_nos {
        return named.clone();
    }
    let reader = match asked.by {
        CanceledBy::Buyer => Reader::Buyer,
        CanceledBy::Staff | CanceledBy::Deadline => Reader::Staff,
    };
    let mut all = order.purchases_for(reader, Action::Cancel);
    all.extend(order.purchases_for(reader, Action::RequestCancel));
    if all.is_empty() {
        // So that the ledger says why none of them can be.
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
    goes_back: impl Fn(&Held, &Context) -> ApiResult<CheckoutDecision>,
) -> ApiResult<CommandOutcome>
where
    Rows: TransactionStep<ApiError>,
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
                    // Paid in between, or a new account issued: looked at again.
                    let unpaid = held.order.state.paid.is_none();
                    if paid_by(&held.order.state) != payment
                        || (unpaid && held.order.version != version)
                    {
                        return Err(ApiError::new(Code::VersionConflict));
                    }
                    let decided = goes_back(&held, &context)?;
                    let mut change = AppendBatch::of(held.appends(id, &decided)?);
                    if let Some(refund) = refund_of(locked, payment, &decided, &context)? {
                        change.append(refund);
                    }
                    if decided
                        .order
                        .iter()
                        .any(|event| matches!(event, OrderEvent::OrderCanceled { .. }))
                    {
                        for account in &accounts {
                            if let Some(closing) = closing_of(locked, *account, &context)? {
                                change.append(closing);
                            }
                        }
                    }
                    change.with_result(written)
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

/// Attempts whose virtual account waits for a deposit.
async fn open_accounts(app: &AppState, order: OrderId) -> ApiResult<Vec<PaymentId>> {
    let attempts = Attempt::of_order(app, order).await?;
    Ok(attempts
        .into_iter()
        .filter(|attempt| attempt.payment.state.awaited().is_some())
        .map(|attempt| attempt.id)
        .collect())
}

/// The request to close an account whose order is canceled, unless it is closed or paid into by now.
fn closing_of(
    locked: &LockedStreams,
    id: PaymentId,
    context: &Context,
) -> ApiResult<Option<StreamAppend>> {
    let payment = locked.state::<Payment>(&id.to_string())?;
    if payment.state.awaited().is_none() {
        return Ok(None);
    }
    let act = PaymentCommand::CloseAccount {
        reason: CANCELED.to_owned(),
    };
    Ok(Some(decide(id, &payment, act, context)?))
}

/// The request for the money a granted cancellation gives back.
fn refund_of(
    locked: &LockedStreams,
    payment: Option<PaymentId>,
    decided: &CheckoutDecision,
    context: &Context,
) -> ApiResult<Option<StreamAppend>> {
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
    let act = PaymentCommand::RequestRefund {
        refund,
        amount,
        reason: CANCELED.to_owned(),
    };
    Ok(Some(decide(id, &payment, act, context)?))
}
