//! DELETE /api/auth/refreshToken: signs out.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use projections::state::credentials;

use crate::app::AppState;
use crate::http::extractors::bearer_text;
use crate::http::{ApiResult, AppError, Code};
use crate::tokens::refresh_hash;

/// Sign out: ends the refresh token and all tokens of its sign-in, including access tokens.
#[utoipa::path(
    delete, path = "/api/auth/refreshToken", tag = "auth", operation_id = "signOut", security(("refresh" = [])),
    responses((status = NO_CONTENT), (status = UNAUTHORIZED, description = "token_invalid"))
)]
pub(crate) async fn sign_out(State(app): State<AppState>, parts: Parts) -> ApiResult<StatusCode> {
    let token = bearer_text(&parts)?.ok_or_else(|| AppError::new(Code::LoginRequired))?;
    if !credentials::sign_out(app.pool(), &refresh_hash(token), app.clock.now()).await? {
        return Err(AppError::new(Code::TokenInvalid).into());
    }
    app.revoked_sign_ins.changed().await;
    Ok(StatusCode::NO_CONTENT)
}
