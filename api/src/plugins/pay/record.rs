//! Writing down what the service said. Money it took for an order that cannot use it goes back in the same append.

use domain::Context;
use domain::Ledger;
use domain::ids::{PaymentId, RefundId};
use domain::order::{Order, OrderAct, OrderError};
use domain::payment::{Payment, PaymentAct, PaymentStage};
use event_store::{Expected, StreamAppend, StreamId};

use super::service;
use crate::app::AppState;
use crate::commands::{Change, Command, Done};
use crate::http::{ApiError, ApiResult};
use crate::integrations::payment::Answer;

/// Why money goes back that came for an order which cannot be paid any more.
const TOO_LATE: &str = "이미 취소되었거나 결제된 주문";

/// What the service's answer sets down, because of the newest event of the payment: the shop's question.
///
/// # Errors
/// The database's.
pub async fn answer_to(app: &AppState, name: &'static str, id: PaymentId) -> ApiResult<Command> {
    let told = app.store.read_stream(&StreamId::of::<Payment>(id)).await?;
    let command = Command::unasked(name, service());
    Ok(match told.last() {
        Some(asked) => command.following(asked),
        None => command,
    })
}

/// Records that the service charged an attempt: payment and paid order in one append. If the order was canceled or paid
/// by another attempt in the meantime, the request to give the money back is in that append instead.
///
/// Recording it again changes nothing.
///
/// # Errors
/// What contradicts the log: another transaction, another amount.
pub async fn paid(
    app: &AppState,
    command: &Command,
    id: PaymentId,
    answer: &Answer,
) -> ApiResult<Done> {
    app.commander
        .run(command, |context| async move {
            paying(app, id, answer, &context).await
        })
        .await
}

async fn paying(
    app: &AppState,
    id: PaymentId,
    answer: &Answer,
    context: &Context,
) -> ApiResult<Change> {
    let payment = app.store.load::<Payment>(&id.to_string()).await?;
    let started = payment
        .state
        .started
        .clone()
        .ok_or_else(ApiError::not_found)?;
    let mut events = payment.state.decide(
        PaymentAct::RecordApproval {
            tid: answer.tid.clone(),
            amount: answer.amount,
            approve_no: answer.approve_no.clone(),
            receipt_url: answer.receipt_url.clone(),
        },
        context,
    )?;
    if events.is_empty() {
        return Ok(Change::of([]));
    }
    let order = app.store.load::<Order>(&started.order.to_string()).await?;
    let pay = OrderAct::Pay {
        payment: Some(id),
        amount: answer.amount,
    };
    let (of_order, useless) = match order.state.decide(pay, context) {
        Ok(of_order) => (of_order, false),
        Err(OrderError::OrderCanceled | OrderError::AlreadyPaid) => (Vec::new(), true),
        Err(refusal) => return Err(refusal.into()),
    };
    if useless {
        let mut approved = payment.state.clone();
        events
            .iter()
            .cloned()
            .for_each(|event| approved.fold(event));
        let back = PaymentAct::RequestRefund {
            refund: RefundId(id.0),
            amount: answer.amount,
            reason: TOO_LATE.to_owned(),
        };
        events.extend(approved.decide(back, context)?);
    }
    let mut change = Change::of([StreamAppend::new::<Payment>(
        id,
        Expected::Exact(payment.version),
        &events,
    )?]);
    if of_order.is_empty() {
        change = change.provided(StreamId::of::<Order>(started.order), order.version);
    } else {
        change.and(StreamAppend::new::<Order>(
            started.order,
            Expected::Exact(order.version),
            &of_order,
        )?);
    }
    Ok(change)
}

/// Records anything else about one attempt; what is on record already changes nothing.
///
/// # Errors
/// What the ledger refuses.
pub async fn note(
    app: &AppState,
    command: &Command,
    id: PaymentId,
    act: &PaymentAct,
) -> ApiResult<Done> {
    app.commander
        .run(command, |context| async move {
            let payment = app.store.load::<Payment>(&id.to_string()).await?;
            let events = payment.state.decide(act.clone(), &context)?;
            if events.is_empty() {
                return Ok(Change::of([]));
            }
            Ok(Change::of([StreamAppend::new::<Payment>(
                id,
                Expected::Exact(payment.version),
                &events,
            )?]))
        })
        .await
}

/// Whether nobody knows yet what became of an attempt the service was asked to charge.
pub fn is_open(payment: &Payment) -> bool {
    matches!(
        payment.stage,
        PaymentStage::Requested | PaymentStage::Unknown
    )
}
