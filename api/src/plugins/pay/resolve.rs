//! Finding out what became of a charge nobody saw the end of: ask, then undo or record. Never charge again.

use domain::ids::{OrderId, PaymentId};
use domain::payment::{Payment, PaymentCommand, PaymentStage};
use event_store::StreamId;
use time::Duration;

use super::attempts::Attempt;
use super::record;
use crate::app::AppState;
use crate::http::{ApiError, ApiResult};
use crate::integrations::payment::codes::knows_no_such_payment;
use crate::integrations::payment::{Answer, Outcome, Status};

/// Code of an attempt whose transaction turned out to be another attempt's.
const NOT_ITS_OWN: &str = "OTHER_TRANSACTION";
/// A request to the service is over after this long, whatever became of the process that made it.
const IN_FLIGHT: Duration = Duration::seconds(35);

/// Resolves the attempts of an order that are unknown, or were asked for so long ago that nobody waits for them.
///
/// # Errors
/// `unavailable` if the service cannot say.
pub(crate) async fn stale_attempts(app: &AppState, order: OrderId) -> ApiResult<()> {
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
pub(crate) async fn attempt(app: &AppState, id: PaymentId) -> ApiResult<()> {
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
        refused @ Outcome::Refused { .. } => refused_to_say(app, id, refused).await,
        Outcome::Unknown { why } => Err(ApiError::unavailable(why)),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
    }
}

/// Nothing was charged if the service has no such transaction. Any other refusal (a wrong key, an address that moved)
/// says nothing about the money, so it is asked again later.
async fn refused_to_say(app: &AppState, id: PaymentId, outcome: Outcome) -> ApiResult<()> {
    match outcome {
        Outcome::Refused { code, message } if knows_no_such_payment(&code) => {
            note(app, id, PaymentCommand::RecordRefusal { code, message }).await
        }
        other => Err(ApiError::unavailable(anyhow::anyhow!(
            "the service does not say what became of it: {other:?}"
        ))),
    }
}

async fn said(app: &AppState, found: &Attempt, tid: &str, answer: &Answer) -> ApiResult<()> {
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

/// The browser brought the id of another attempt's transaction: it pays that one if it is charged, and this one never.
async fn not_its_own(app: &AppState, found: &Attempt, answer: &Answer) -> ApiResult<()> {
    // the form of a payment goes through its buyer's hands: theirs to get wrong, and nothing of the shop is broken
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

/// Authenticated and not charged: whoever asked is gone, so it is closed at the service before it can still happen.
async fn undo(app: &AppState, found: &Attempt, tid: &str) -> ApiResult<()> {
    match app.gateway.net_cancel(&found.gateway_order_id()).await {
        Outcome::Done(_) => undone(app, found.id, tid).await,
        refused @ Outcome::Refused { .. } => refused_to_say(app, found.id, refused).await,
        Outcome::Unknown { why } => Err(ApiError::unavailable(why)),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn undone(app: &AppState, id: PaymentId, tid: &str) -> ApiResult<()> {
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

async fn note(app: &AppState, id: PaymentId, act: PaymentCommand) -> ApiResult<()> {
    let command = record::answer_to(app, "resolve-approval", id).await?;
    app.executor.execute::<Payment>(&command, id, act).await?;
    Ok(())
}
