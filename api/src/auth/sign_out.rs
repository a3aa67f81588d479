//! DELETE /api/auth/refreshToken: signs out.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use projections::state::credentials;

use crate::app::AppState;
use crate::http::extractors::bearer_text;
use crate::http::{ApiResult, AppError, Code};
use crate::tokens::refresh_hash;

/// Sign out: the refresh token and everything that grew from its sign-in end.
#[utoipa::path(
    delete, path = "/api/auth/refreshToken", tag = "auth", operation_id = "signOut", security(("refresh" = [])),
    responses((status = NO_CONTENT), (status = UNAUTHORIZED, description = "token_invalid"))
)]
pub(crate) async fn sign_out(State(app): State<AppState>, parts: Parts) -> ApiResult<StatusCode> {
    let token = bearer_text(&parts)?.ok_or_else(|| AppError::new(Code::LoginRequired))?;
    match credentials::sign_out(app.pool(), &refresh_hash(token), app.clock.now()).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(AppError::new(Code::TokenInvalid).into()),
    }
}
