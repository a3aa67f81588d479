//! POST /api/plugins/nicepayments/notice: the service tells by itself. Notices come twice, late, and before the browser;
//! every one of them may, because each is recorded by what the log does not know yet.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::order::PaymentMethod;
use domain::payment::PaymentStage;

use super::pay::attempts::Attempt;
use super::pay::{account, record, refund};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Code};
use crate::integrations::payment::{Answer, Notice, Status};

/// Take a notice.
#[utoipa::path(
    post, path = "/api/plugins/nicepayments/notice", tag = "pay", operation_id = "payNotice",
    request_body(content = String, content_type = "application/json"),
    responses((status = OK, content_type = "text/html", body = String), (status = FORBIDDEN, description = "access_denied: not signed"))
)]
pub(crate) async fn notice(State(app): State<AppState>, body: Bytes) -> ApiResult<Response> {
    let notice = app
        .gateway
        .read_notice(&body)
        .map_err(|error| ApiError::new(Code::AccessDenied).caused_by(error))?;
    match take(&app, &notice.answer).await {
        Ok(()) => {}
        // Registering the address sends a sample of a payment that never was.
        Err(unknown) if unknown.code() == Code::NotFound => {
            tracing::warn!("a notice of a payment we never began")
        }
        Err(failure) => return Err(failure),
    }
    Ok(([(CONTENT_TYPE, "text/html")], Notice::RECEIVED).into_response())
}

async fn take(app: &AppState, answer: &Answer) -> ApiResult<()> {
    let attempt = Attempt::by_gateway_id(app, &answer.order_id).await?;
    if attempt.started.method == PaymentMethod::Vbank {
        return match answer.status {
            // The account itself is told by the answer to the approval.
            Status::Ready => Ok(()),
            _ => account::noticed(app, &attempt, answer).await,
        };
    }
    match answer.status {
        Status::Paid if attempt.payment.state.stage == PaymentStage::NetCanceled => {
            // Written before the charge was undone.
            Ok(())
        }
        Status::Paid => {
            let command = record::answer_to(app, "record-notice", attempt.id).await?;
            record::paid(app, &command, attempt.id, answer).await?;
            Ok(())
        }
        Status::Cancelled | Status::PartialCancelled => refund::told(app, &attempt, answer).await,
        Status::Ready | Status::Failed | Status::Expired => Ok(()),
    }
}
