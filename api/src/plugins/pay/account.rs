//! The account of a payment by deposit: finding out what came of it, and closing it. A notice says that something
//! happened; what happened is asked of the service, because a notice's signature covers neither its status nor its account.

use domain::ids::{OrderId, PaymentId};
use domain::payment::{Doubt, Payment, PaymentCommand, PaymentStage};

use super::attempts::Attempt;
use super::{record, refund};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult};
use crate::integrations::payment::{Answer, CancelRequest, Outcome, Status};

/// What the service is told when an account is not needed any more.
const NOT_NEEDED: &str = "가상계좌 해지";

/// Whether it is a payment whose account may still bring money.
pub fn may_bring_money(attempt: &Attempt) -> bool {
    matches!(
        attempt.payment.state.stage,
        PaymentStage::AccountIssued | PaymentStage::AccountClosing | PaymentStage::AccountClosed
    )
}

/// Asks the service about an attempt's account and records what it says; answers how it stands.
///
/// # Errors
/// `unavailable` if the service cannot say: to be asked again.
pub(crate) async fn look(app: &AppState, attempt: &Attempt) -> ApiResult<Status> {
    let tid = attempt.payment.state.tid.clone();
    let tid = tid.ok_or_else(ApiError::not_found)?;
    match app.gateway.query(&tid).await {
        Outcome::Done(answer) => said(app, attempt, &answer).await,
        Outcome::Refused { code, .. } => Err(ApiError::unavailable(anyhow::anyhow!(
            "the service does not say what came into the account: {code}"
        ))),
        Outcome::Unknown { why } => Err(ApiError::unavailable(why)),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn said(app: &AppState, attempt: &Attempt, answer: &Answer) -> ApiResult<Status> {
    if answer.order_id != attempt.gateway_order_id() {
        return Err(ApiError::unavailable(anyhow::anyhow!(
            "the service tells of another order's payment"
        )));
    }
    let has_come = answer.paid_at.is_some()
        || matches!(answer.status, Status::Paid | Status::PartialCancelled);
    if has_come {
        let command = record::answer_to(app, "record-deposit", attempt.id).await?;
        record::deposited(app, &command, attempt.id, answer).await?;
        refund::told(app, &Attempt::load(app, attempt.id).await?, answer).await?;
        return Ok(Status::Paid);
    }
    let reason = match answer.status {
        Status::Cancelled => "결제 서비스에서 취소됨",
        Status::Expired => "입금 기한 경과",
        Status::Failed => "결제 서비스에서 실패함",
        Status::Ready | Status::Paid | Status::PartialCancelled => return Ok(answer.status),
    };
    closed(app, attempt.id, reason).await?;
    Ok(answer.status)
}

async fn closed(app: &AppState, id: PaymentId, reason: &str) -> ApiResult<()> {
    let command = record::answer_to(app, "record-account", id).await?;
    let act = PaymentCommand::RecordClosed {
        reason: reason.to_owned(),
    };
    app.executor.execute::<Payment>(&command, id, act).await?;
    Ok(())
}

/// Looks for deposits into the open accounts of an order, whose notices may be lost.
///
/// # Errors
/// `unavailable` if the service cannot say.
pub(crate) async fn deposits(app: &AppState, order: OrderId) -> ApiResult<()> {
    for attempt in Attempt::of_order(app, order).await? {
        if attempt.payment.state.awaited().is_some() {
            look(app, &attempt).await?;
        }
    }
    Ok(())
}

/// Has an account closed that nobody needs any more. Money that came first is recorded, and goes back.
///
/// # Errors
/// `unavailable` if it may still be open: to be tried again.
pub(crate) async fn close(app: &AppState, id: PaymentId) -> ApiResult<()> {
    let attempt = Attempt::load(app, id).await?;
    if attempt.payment.state.stage != PaymentStage::AccountClosing
        || look(app, &attempt).await? != Status::Ready
    {
        return Ok(());
    }
    let request = CancelRequest {
        tid: attempt.payment.state.tid.clone().unwrap_or_default(),
        order_id: id.to_string(),
        amount: None,
        reason: NOT_NEEDED.to_owned(),
        // Without one the service cannot mistake this for a refund, should money come this very moment.
        refund_account: None,
    };
    match app.gateway.cancel(&request).await {
        Outcome::Done(answer) => said(app, &attempt, &answer).await.map(drop),
        Outcome::NotSent { why } => Err(ApiError::unavailable(anyhow::anyhow!(why))),
        Outcome::Refused { .. } | Outcome::Unknown { .. } => {
            match look(app, &Attempt::load(app, id).await?).await? {
                Status::Ready => Err(ApiError::unavailable(anyhow::anyhow!(
                    "the account is still open"
                ))),
                _ => Ok(()),
            }
        }
    }
}

/// What a notice about such a payment sets off: `notice` only says that something happened, `answer` is what the service
/// said of it when it was asked.
///
/// # Errors
/// `unavailable` if that cannot be recorded yet: the notice is sent again.
pub(crate) async fn noticed(
    app: &AppState,
    attempt: &Attempt,
    notice: &Answer,
    answer: &Answer,
) -> ApiResult<()> {
    let state = &attempt.payment.state;
    let own = state.tid.as_deref() == Some(notice.tid.as_str());
    let why = if !own {
        "transaction"
    } else if state.stage == PaymentStage::Approved {
        return refund::told(app, attempt, answer).await;
    } else if !may_bring_money(attempt) {
        // The answer to the approval is still on its way; whoever asked for it finds out.
        return if record::is_open(state) {
            Err(ApiError::unavailable(anyhow::anyhow!(
                "its account is not on record yet"
            )))
        } else {
            doubt(app, attempt, notice, "stage").await
        };
    } else {
        let stands = said(app, attempt, answer).await?;
        if notice.status != Status::Paid || stands == Status::Paid {
            return Ok(());
        }
        if notice.amount == attempt.started.amount {
            "status"
        } else {
            "amount"
        }
    };
    doubt(app, attempt, notice, why).await
}

/// Writes down, once, a notice the service itself does not confirm.
///
/// # Errors
/// The database's.
pub(crate) async fn doubt(
    app: &AppState,
    attempt: &Attempt,
    notice: &Answer,
    why: &str,
) -> ApiResult<()> {
    tracing::error!(payment = %attempt.id, tid = notice.tid, why, "a notice that the service does not confirm");
    let act = PaymentCommand::DoubtNotice(Doubt {
        tid: notice.tid.clone(),
        amount: notice.amount,
        why: why.to_owned(),
    });
    let command = record::answer_to(app, "doubt-notice", attempt.id).await?;
    app.executor
        .execute::<Payment>(&command, attempt.id, act)
        .await?;
    Ok(())
}
