//! POST /plugins/nicepayments/response: handles the browser's return from the payment window. Verifies and charges, then redirects
//! to a page that can be reloaded safely.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Redirect;
use integrations::payment::ReturnForm;

use crate::app::AppState;
use crate::http::Code;
use crate::payment_window::way_back::WayBack;
use application::payments::approve::{PaymentSubject, complete, fee_of};
use application::payments::attempts::Attempt;

/// The gateway's code for an authenticated buyer.
const AUTHENTICATED: &str = "0000";
/// The gateway's code for a window closed by the buyer.
const CLOSED: &str = "9999";
/// Code shown by the result page for a closed window.
const WINDOW_CLOSED: &str = "window_closed";

/// Return from the payment window.
#[utoipa::path(
    post, path = "/plugins/nicepayments/response", tag = "pay", operation_id = "payReturn",
    params(WayBack), request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = SEE_OTHER, description = "to /shop/result?order=<id>, with &claim=<id> for the fee of an exchange and &error=<code> on refusal"))
)]
pub(crate) async fn response(
    State(app): State<AppState>,
    RawQuery(query): RawQuery,
    body: Bytes,
) -> Redirect {
    let opened_for = WayBack::read(query.as_deref()).subject(&app);
    let Ok(form) = serde_urlencoded::from_bytes::<ReturnForm>(&body) else {
        return result(opened_for, Some(Code::InvalidBody.as_str()));
    };
    let code = if form.auth_result_code == AUTHENTICATED {
        match complete(&app, &form).await {
            Ok(paid) => return result(Some(paid), None),
            Err(refusal) => refusal.code().as_str(),
        }
    } else if form.auth_result_code == CLOSED {
        WINDOW_CLOSED
    } else {
        Code::PaymentRefused.as_str()
    };
    tracing::info!(
        code,
        form.auth_result_code,
        "a payment window came back without a payment"
    );
    // The authenticated address takes precedence over the form, which passes through the buyer's browser and may name no order.
    let subject = match opened_for {
        Some(subject) => Some(subject),
        None => named_in(&app, &form).await,
    };
    result(subject, Some(code))
}

/// The subject of the payment named in the form.
async fn named_in(app: &AppState, form: &ReturnForm) -> Option<PaymentSubject> {
    let attempt = Attempt::by_gateway_id(app, &form.order_id).await.ok()?;
    Some(PaymentSubject {
        order: attempt.started.order,
        claim: fee_of(app, &attempt).await.ok()?,
    })
}

fn result(subject: Option<PaymentSubject>, error: Option<&str>) -> Redirect {
    let order = subject.map(|subject| format!("order={}", subject.order));
    let claim = subject.and_then(|subject| subject.claim);
    let claim = claim.map(|claim| format!("claim={claim}"));
    let error = error.map(|code| format!("error={code}"));
    let query: Vec<String> = order.into_iter().chain(claim).chain(error).collect();
    Redirect::to(&format!("/shop/result?{}", query.join("&")))
}
