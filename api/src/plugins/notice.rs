//! POST /api/plugins/nicepayments/notice: receives the gateway's notices. They may arrive twice, late, or before the browser
//! returns; each only records what is not in the log yet.
//!
//! A notice's signature covers neither its order nor its status, so it only proves that something happened. The gateway is then
//! queried by transaction id, and its response is recorded. Order of the checks: the signature, the payment (registering the
//! address sends a sample notice of a payment that does not exist), the query.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::payment::PaymentMethod;
use domain::payment::PaymentStage;
use integrations::payment::codes::is_unknown_transaction;
use integrations::payment::{Answer, Notice, Outcome, Status};

use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Code};
use application::payments::attempts::Attempt;
use application::payments::{account, record, refund};

/// Receive a notice. Any response but 200 makes the gateway send it again.
#[utoipa::path(
    post, path = "/api/plugins/nicepayments/notice", tag = "pay", operation_id = "payNotice",
    request_body(content = String, content_type = "application/json"),
    responses(
        (status = OK, content_type = "text/html", body = String),
        (status = FORBIDDEN, description = "access_denied: not signed"),
        (status = SERVICE_UNAVAILABLE, description = "unavailable: the service does not say what happened")
    )
)]
pub(crate) async fn notice(State(app): State<AppState>, body: Bytes) -> ApiResult<Response> {
    let notice = app
        .gateway
        .read_notice(&body)
        .map_err(|error| AppError::new(Code::AccessDenied).caused_by(error))?;
    match Attempt::by_gateway_id(&app, &notice.answer.order_id).await {
        Ok(attempt) => take(&app, &attempt, &notice.answer).await?,
        Err(unknown) if unknown.code() == Code::NotFound => {
            tracing::warn!("a notice of a payment we never began")
        }
        Err(failure) => return Err(failure.into()),
    }
    Ok(([(CONTENT_TYPE, "text/html")], Notice::RECEIVED).into_response())
}

async fn take(app: &AppState, attempt: &Attempt, notice: &Answer) -> AppResult<()> {
    let by_deposit = attempt.started.method == PaymentMethod::Vbank;
    if by_deposit && notice.status == Status::Ready {
        // The account itself is in the response to the approval.
        return Ok(());
    }
    let answer = match app.gateway.query(&notice.tid).await {
        Outcome::Done(answer) => answer,
        Outcome::Refused { code, .. } if is_unknown_transaction(&code) => {
            return account::doubt(app, attempt, notice, "transaction").await;
        }
        Outcome::Unknown { why } => return Err(AppError::unavailable(why)),
        refused @ (Outcome::Refused { .. } | Outcome::NotSent { .. }) => {
            return Err(AppError::unavailable(anyhow::anyhow!(
                "the service does not say what a notice is about: {refused:?}"
            )));
        }
    };
    if answer.order_id != attempt.gateway_order_id() {
        return account::doubt(app, attempt, notice, "order").await;
    }
    if by_deposit {
        return account::noticed(app, attempt, notice, &answer).await;
    }
    match answer.status {
        Status::Paid if attempt.payment.state.stage == PaymentStage::NetCanceled => {
            // Queried before the charge was undone.
            Ok(())
        }
        Status::Paid if answer.amount != attempt.started.amount => {
            account::doubt(app, attempt, notice, "amount").await
        }
        Status::Paid => {
            let command = record::answer_to(app, "record-notice", attempt.id).await?;
            record::paid(app, &command, attempt.id, &answer).await?;
            Ok(())
        }
        Status::Cancelled | Status::PartialCancelled => {
            refund::complete_reported(app, attempt, &answer).await
        }
        Status::Ready | Status::Failed | Status::Expired if notice.status == Status::Paid => {
            account::doubt(app, attempt, notice, "status").await
        }
        Status::Ready | Status::Failed | Status::Expired => Ok(()),
    }
}
