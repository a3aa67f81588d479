//! Resolves charges with an unknown outcome: query, then undo or record. Never charges again.

use domain::ids::{OrderId, PaymentId};
use domain::payment::{Payment, PaymentCommand, PaymentStage};
use event_store::StreamId;
use integrations::payment::codes::is_unknown_transaction;
use integrations::payment::{Answer, Outcome, Status};
use time::Duration;

use super::attempts::Attempt;
use super::record;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Error code of a payment whose transaction belongs to another payment.
const NOT_ITS_OWN: &str = "OTHER_TRANSACTION";
/// Maximum duration of a request to the gateway, even if its process is gone.
const IN_FLIGHT: Duration = Duration::seconds(35);

/// Resolves the payments of an order and its user payments whose outcome is unknown or whose request is too old to have a waiting client.
///
/// # Errors
/// `unavailable` if the gateway gives no definite response.
pub async fn stale_attempts(app: &App, order: OrderId) -> AppResult<()> {
    for found in Attempt::all_of_order(app, order).await? {
        if found.payment.state.is_open() && is_stale(app, &found).await? {
            attempt(app, found.id).await?;
        }
    }
    Ok(())
}

async fn is_stale(app: &App, attempt: &Attempt) -> AppResult<bool> {
    if attempt.payment.state.stage == PaymentStage::Unknown {
        return Ok(true);
    }
    let events = app
        .store
        .read_stream(&StreamId::of::<Payment>(attempt.id))
        .await?;
    let requested_at = events.last().map(|event| event.metadata.occurred_at);
    Ok(requested_at.is_none_or(|at| at + IN_FLIGHT <= app.clock.now()))
}

/// Queries the gateway about one payment and records the result; a charge that did not happen is undone, so that it cannot happen
/// later.
///
/// # Errors
/// `unavailable` if the gateway gives no definite response; retry.
pub async fn attempt(app: &App, id: PaymentId) -> AppResult<()> {
    let found = Attempt::load(app, id).await?;
    let Some(tid) = found
        .payment
        .state
        .tid
        .clone()
        .filter(|_| found.payment.state.is_open())
    else {
        return Ok(());
    };
    match app.gateway.query(&tid).await {
        Outcome::Done(answer) => record_answer(app, &found, &tid, &answer).await,
        refused @ Outcome::Refused { .. } => refused_to_say(app, id, refused).await,
        Outcome::Unknown { why } => Err(AppError::unavailable(why)),
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
    }
}

/// Nothing was charged if the gateway does not know the transaction. Any other error (a wrong key, a changed address) says nothing
/// about the money, so the query is repeated later.
async fn refused_to_say(app: &App, id: PaymentId, outcome: Outcome) -> AppResult<()> {
    match outcome {
        Outcome::Refused { code, message } if is_unknown_transaction(&code) => {
            note(app, id, PaymentCommand::RecordRefusal { code, message }).await
        }
        other => Err(AppError::unavailable(anyhow::anyhow!(
            "the service does not say what became of it: {other:?}"
        ))),
    }
}

async fn record_answer(app: &App, found: &Attempt, tid: &str, answer: &Answer) -> AppResult<()> {
    if answer.order_id != found.gateway_order_id() {
        return not_its_own(app, found, answer).await;
    }
    let by_deposit = answer.virtual_account.is_some();
    match answer.status {
        Status::Ready if by_deposit => {
            let command = record::answer_to(app, "record-account", found.id).await?;
            record::issued(app, &command, found.id, answer).await?;
            Ok(())
        }
        Status::Paid | Status::PartialCancelled if by_deposit => {
            let command = record::answer_to(app, "record-deposit", found.id).await?;
            record::deposited(app, &command, found.id, answer).await?;
            Ok(())
        }
        Status::Paid if answer.amount != found.started.amount => undo(app, found, tid).await,
        Status::Paid | Status::PartialCancelled => {
            let command = record::answer_to(app, "record-approval", found.id).await?;
            record::paid(app, &command, found.id, answer).await?;
            Ok(())
        }
        Status::Cancelled => undone(app, found.id, tid).await,
        Status::Failed | Status::Expired => {
            let (code, message) = (answer.code.clone(), answer.message.clone());
            note(
                app,
                found.id,
                PaymentCommand::RecordRefusal { code, message },
            )
            .await
        }
        Status::Ready => undo(app, found, tid).await,
    }
}

/// The browser returned the transaction id of another payment: if it is charged, it pays that payment, never this one.
async fn not_its_own(app: &App, found: &Attempt, answer: &Answer) -> AppResult<()> {
    // The return form passes through the buyer's browser: a wrong value is not a defect of the shop.
    tracing::warn!(payment = %found.id, order_id = answer.order_id, "a transaction was brought to another order's payment");
    let refusal = PaymentCommand::RecordRefusal {
        code: NOT_ITS_OWN.to_owned(),
        message: "다른 주문의 거래입니다.".to_owned(),
    };
    note(app, found.id, refusal).await?;
    if answer.status == Status::Paid {
        let owner = Attempt::by_gateway_id(app, &answer.order_id).await?;
        let command = record::answer_to(app, "record-approval", owner.id).await?;
        record::paid(app, &command, owner.id, answer).await?;
    }
    Ok(())
}

/// Authenticated but not charged: the requesting process is gone, so the transaction is canceled at the gateway before it can be
/// charged.
async fn undo(app: &App, found: &Attempt, tid: &str) -> AppResult<()> {
    match app.gateway.net_cancel(&found.gateway_order_id()).await {
        Outcome::Done(_) => undone(app, found.id, tid).await,
        refused @ Outcome::Refused { .. } => refused_to_say(app, found.id, refused).await,
        Outcome::Unknown { why } => Err(AppError::unavailable(why)),
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn undone(app: &App, id: PaymentId, tid: &str) -> AppResult<()> {
    let why = "found canceled".to_owned();
    note(
        app,
        id,
        PaymentCommand::RecordUnknown {
            tid: tid.to_owned(),
            why,
        },
    )
    .await?;
    note(
        app,
        id,
        PaymentCommand::RecordNetCancel {
            tid: tid.to_owned(),
        },
    )
    .await
}

async fn note(app: &App, id: PaymentId, input: PaymentCommand) -> AppResult<()> {
    let command = record::answer_to(app, "resolve-approval", id).await?;
    app.executor.execute::<Payment>(&command, id, input).await?;
    Ok(())
}
