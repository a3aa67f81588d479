//! POST /plugins/nicepayments/response: the browser comes back from the payment window. Verified, charged, and sent on
//! to a page that is safe to load again.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Redirect;

use super::pay::approve::complete;
use super::pay::attempts::Attempt;
use crate::app::AppState;
use crate::http::{ApiError, Code};
use crate::integrations::payment::ReturnForm;

/// Come back from the payment window.
#[utoipa::path(
    post, path = "/plugins/nicepayments/response", tag = "pay", operation_id = "payReturn",
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = SEE_OTHER, description = "to /shop/result?order=<id>, with &error=<code> on refusal"))
)]
pub async fn response(State(app): State<AppState>, body: Bytes) -> Redirect {
    let Ok(form) = serde_urlencoded::from_bytes::<ReturnForm>(&body) else {
        return Redirect::to(&format!(
            "/shop/result?error={}",
            Code::InvalidBody.as_str()
        ));
    };
    match complete(&app, &form).await {
        Ok(order) => Redirect::to(&format!("/shop/result?order={order}")),
        Err(refusal) => Redirect::to(&refused(&app, &form, &refusal).await),
    }
}

async fn refused(app: &AppState, form: &ReturnForm, refusal: &ApiError) -> String {
    let code = refusal.code().as_str();
    tracing::info!(code, "a payment was not completed");
    match Attempt::by_gateway_id(app, &form.order_id).await {
        Ok(attempt) => format!("/shop/result?order={}&error={code}", attempt.started.order),
        Err(_) => format!("/shop/result?error={code}"),
    }
}
