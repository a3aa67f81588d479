//! POST /api/plugins/mail/bounce: takes the notifications of the shop's relay about mail that it could not deliver (RFC 3464), as the relay
//! hands over what comes to the sender's address. SMTP cannot be asked, so the call is guarded by a secret.

use application::messages::outbox;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use integrations::mail::dsn::{self, Action};

use crate::app::AppState;
use crate::http::{ApiResult, AppError, Code};

/// Receive a notification about mail: a whole mail. Other mail, and notifications about mail of others, change nothing.
#[utoipa::path(
    post, path = "/api/plugins/mail/bounce", tag = "pay", operation_id = "mailBounce",
    request_body(content = String, content_type = "message/rfc822"),
    responses(
        (status = NO_CONTENT),
        (status = FORBIDDEN, description = "access_denied: without `Authorization: Bearer` and `mail.bounce_secret`, or none is set")
    )
)]
pub(crate) async fn bounce(
    State(app): State<AppState>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<StatusCode> {
    let given = headers.get(AUTHORIZATION);
    let given = given.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let secret = app.settings.bounce_secret.as_ref();
    let is_relay = secret
        .zip(given)
        .is_some_and(|(secret, given)| secret.is(given));
    if !is_relay {
        return Err(AppError::new(Code::AccessDenied).into());
    }
    let notification = dsn::read(&String::from_utf8_lossy(&body));
    if let Some(status) = notification
        && let Action::Failed { why, code } = status.action
        && let Ok(id) = status.id.parse()
    {
        outbox::record_late_bounce(&app, id, (why, code)).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}
