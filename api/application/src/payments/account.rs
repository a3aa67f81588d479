//! Virtual accounts: queries their state, and closes them. The gateway is queried after each notice, because a notice's signature
//! covers neither its status nor its account.

use domain::ids::{OrderId, PaymentId};
use domain::payment::{Doubt, Payment, PaymentCommand, PaymentStage};
use integrations::payment::{Answer, CancelRequest, Outcome, Status};

use super::attempts::Attempt;
use super::{record, refund};
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Reason sent to the gateway when an account is closed.
const NOT_NEEDED: &str = "가상계좌 해지";

/// Whether the payment has a virtual account that may still receive money.
pub fn may_bring_money(attempt: &Attempt) -> bool {
    matches!(
        attempt.payment.state.stage,
        PaymentStage::AccountIssued | PaymentStage::AccountClosing | PaymentStage::AccountClosed
    )
}

/// Queries the gateway about a payment's account, records the result and returns its status.
///
/// # Errors
/// `unavailable` if the gateway gives no definite response; retry.
pub async fn look(app: &App, attempt: &Attempt) -> AppResult<Status> {
    let tid = attempt.payment.state.tid.clone();
    let tid = tid.ok_or_else(AppError::not_found)?;
    match app.gateway.query(&tid).await {
        Outcome::Done(answer) => record_status(app, attempt, &answer).await,
        Outcome::Refused { code, .. } => Err(AppError::unavailable(anyhow::anyhow!(
            "the service does not say what came into the account: {code}"
        ))),
        Outcome::Unknown { why } => Err(AppError::unavailable(why)),
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
    }
}

async fn record_status(app: &App, attempt: &Attempt, answer: &Answer) -> AppResult<Status> {
    if answer.order_id != attempt.gateway_order_id() {
        return Err(AppError::unavailable(anyhow::anyhow!(
            "the service tells of another order's payment"
        )));
    }
    let has_come = answer.paid_at.is_some()
        || matches!(answer.status, Status::Paid | Status::PartialCancelled);
    if has_come {
        let command = record::answer_to(app, "record-deposit", attempt.id).await?;
        record::deposited(app, &command, attempt.id, answer).await?;
        refund::complete_reported(app, &Attempt::load(app, attempt.id).await?, answer).await?;
        return Ok(Status::Paid);
    }
    let reason = match answer.status {
        Status::Cancelled => "결제 서비스에서 취소됨",
        Status::Expired => "입금 기한 경과",
        Status::Failed => "결제 서비스에서 실패함",
        Status::Ready | Status::Paid | Status::PartialCancelled => return Ok(answer.status),
    };
    let command = record::answer_to(app, "record-account", attempt.id).await?;
    let input = PaymentCommand::RecordClosed {
        reason: reason.to_owned(),
    };
    record::close_account(app, &command, attempt.id, &input).await?;
    Ok(answer.status)
}

/// Queries the gateway for deposits to the open accounts of an order, because their notices may be lost.
///
/// # Errors
/// `unavailable` if the gateway gives no definite response.
pub async fn deposits(app: &App, order: OrderId) -> AppResult<()> {
    for attempt in Attempt::of_order(app, order).await? {
        if attempt.payment.state.awaited().is_some() {
            look(app, &attempt).await?;
        }
    }
    Ok(())
}

/// Closes an account that is not needed any more. A deposit received before is recorded and refunded.
///
/// # Errors
/// `unavailable` if it may still be open; retry.
pub async fn close(app: &App, id: PaymentId) -> AppResult<()> {
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
        // Without a refund account the gateway cannot treat this as a refund, should a deposit arrive at this moment.
        refund_account: None,
    };
    match app.gateway.cancel(&request).await {
        Outcome::Done(answer) => record_status(app, &attempt, &answer).await.map(drop),
        Outcome::NotSent { why } => Err(AppError::unavailable(anyhow::anyhow!(why))),
        Outcome::Refused { .. } | Outcome::Unknown { .. } => {
            match look(app, &Attempt::load(app, id).await?).await? {
                Status::Ready => Err(AppError::unavailable(anyhow::anyhow!(
                    "the account is still open"
                ))),
                _ => Ok(()),
            }
        }
    }
}

/// Handles a notice about a virtual-account payment: `notice` only proves that something happened, `answer` is the gateway's
/// response to the query.
///
/// # Errors
/// `unavailable` if it cannot be recorded yet, so that the notice is sent again.
pub async fn noticed(
    app: &App,
    attempt: &Attempt,
    notice: &Answer,
    answer: &Answer,
) -> AppResult<()> {
    let state = &attempt.payment.state;
    let own = state.tid.as_deref() == Some(notice.tid.as_str());
    let why = if !own {
        "transaction"
    } else if state.stage == PaymentStage::Approved {
        return refund::complete_reported(app, attempt, answer).await;
    } else if !may_bring_money(attempt) {
        // The approval is still in progress; its caller determines the outcome.
        return if state.is_open() {
            Err(AppError::unavailable(anyhow::anyhow!(
                "its account is not on record yet"
            )))
        } else {
            doubt(app, attempt, notice, "stage").await
        };
    } else {
        let stands = record_status(app, attempt, answer).await?;
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

/// Records, once, a notice that the gateway does not confirm.
///
/// # Errors
/// Database errors.
pub async fn doubt(app: &App, attempt: &Attempt, notice: &Answer, why: &str) -> AppResult<()> {
    tracing::error!(payment = %attempt.id, tid = notice.tid, why, "a notice that the service does not confirm");
    let input = PaymentCommand::DoubtNotice(Doubt {
        tid: notice.tid.clone(),
        amount: notice.amount,
        why: why.to_owned(),
    });
    let command = record::answer_to(app, "doubt-notice", attempt.id).await?;
    app.executor
        .execute::<Payment>(&command, attempt.id, input)
        .await?;
    Ok(())
}
