//! Finding out what became of a charge nobody saw the end of: ask, then undo or record. Never charge again.

use domain::ids::{OrderId, PaymentId};
use domain::payment::{Payment, PaymentAct, PaymentStage};
use event_store::StreamId;
use time::Duration;

use super::attempts::Attempt;
use super::{record, service};
use crate::app::AppState;
use crate::commands::Command;
use crate::http::{ApiError, ApiResult};
use crate::integrations::payment::{Answer, Outcome, Status};

/// A request to the service is over after this long, whatever became of the process that made it.
const IN_FLIGHT: Duration = Duration::seconds(35);

/// Resolves the attempts of an order that are unknown, or were asked for so long ago that nobody waits for them.
///
/// # Errors
/// `unavailable` if the service cannot say.
pub async fn stale_attempts(app: &AppState, order: OrderId) -> ApiResult<()> {
    for found in Attempt::of_order(app, order).await? {
        if record::is_open(&found.payment.state) && is_stale(app, &found).await? {
            attempt(app, found.id).await?;
        }
    }
    Ok(())
}

async fn is_stale(app: &AppState, attempt: &Attempt) -> ApiResult<bool> {
    if attempt.payment.state.stage == PaymentStage::Unknown {
        return Ok(true);
    }
    let events = app
        .store
        .read_stream(&StreamId::of::<Payment>(attempt.id))
        .await?;
    let asked = events.last().map(|event| event.metadata.occurred_at);
    Ok(asked.is_none_or(|asked| asked + IN_FLIGHT <= app.clock.now()))
}

/// Asks the service about one attempt and records what it says; a charge that never happened is undone so that it never will.
///
/// # Errors
/// `unavailable` if the service cannot say: to be tried again.
pub async fn attempt(app: &AppState, id: PaymentId) -> ApiResult<()> {
    let found = Attempt::load(app, id).await?;
    let Some(tid) = found
        .payment
        .state
        .tid
        .clone()
        .filter(|_| record::is_open(&found.payment.state))
    else {
        return Ok(());
    };
    match app.gateway.query(&tid).await {
        Outcome::Done(answer) => said(app, &found, &tid, &answer).await,
        Outcome::Refused { code, message } => {
            // It knows no such transaction, so nothing was charged.
            note(app, id, PaymentAct::RecordRefusal { code, message }).await
        }
        Outcome::Unknown { why } => Err(ApiError::unavailable(why)),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn said(app: &AppState, found: &Attempt, tid: &str, answer: &Answer) -> ApiResult<()> {
    match answer.status {
        Status::Paid | Status::PartialCancelled => {
            let command = record::answer_to(app, "record-approval", found.id).await?;
            record::paid(app, &command, found.id, answer).await?;
            Ok(())
        }
        Status::Cancelled => undone(app, found.id, tid).await,
        Status::Failed | Status::Expired => {
            let (code, message) = (answer.code.clone(), answer.message.clone());
            note(app, found.id, PaymentAct::RecordRefusal { code, message }).await
        }
        Status::Ready => undo(app, found, tid).await,
    }
}

/// Authenticated and not charged: whoever asked is gone, so it is closed at the service before it can still happen.
async fn undo(app: &AppState, found: &Attempt, tid: &str) -> ApiResult<()> {
    match app.gateway.net_cancel(&found.gateway_order_id()).await {
        Outcome::Done(_) => undone(app, found.id, tid).await,
        Outcome::Refused { code, message } => {
            note(app, found.id, PaymentAct::RecordRefusal { code, message }).await
        }
        Outcome::Unknown { why } => Err(ApiError::unavailable(why)),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn undone(app: &AppState, id: PaymentId, tid: &str) -> ApiResult<()> {
    let why = "found canceled".to_owned();
    note(
        app,
        id,
        PaymentAct::RecordUnknown {
            tid: tid.to_owned(),
            why,
        },
    )
    .await?;
    note(
        app,
        id,
        PaymentAct::RecordNetCancel {
            tid: tid.to_owned(),
        },
    )
    .await
}

async fn note(app: &AppState, id: PaymentId, act: PaymentAct) -> ApiResult<()> {
    record::note(
        app,
        &Command::unasked("resolve-approval", service()),
        id,
        &act,
    )
    .await?;
    Ok(())
}
