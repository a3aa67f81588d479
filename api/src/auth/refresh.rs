//! GET /api/auth/accessToken: exchanges a refresh token, which is valid once, for a new pair of tokens.

use axum::extract::State;
use axum::http::request::Parts;
use projections::state::credentials::{self, NewToken, Rotation};

use super::{SignedIn, session_of};
use crate::app::AppState;
use crate::http::extractors::bearer_text;
use crate::http::{ApiResult, AppError, Code, Json};
use crate::tokens::{REFRESH_LIFE, refresh_hash};

/// Renew the tokens. A refresh token is valid once; used again within ten seconds (concurrent tabs, a lost response), it returns the same
/// successor. Any other reuse ends the sign-in.
#[utoipa::path(
    get, path = "/api/auth/accessToken", tag = "auth", operation_id = "refresh", security(("refresh" = [])),
    responses((status = OK, body = SignedIn), (status = UNAUTHORIZED, description = "token_expired, token_invalid, token_reused"))
)]
pub(crate) async fn refresh(
    State(app): State<AppState>,
    parts: Parts,
) -> ApiResult<Json<SignedIn>> {
    let token = bearer_text(&parts)?.ok_or_else(|| AppError::new(Code::LoginRequired))?;
    let now = app.clock.now();
    let (refresh_token, hash) = app.tokens.successor(token);
    let successor = NewToken {
        hash: &hash,
        issued_at: now,
        expires_at: now + REFRESH_LIFE,
    };
    let mut tx = event_store::begin(app.pool()).await?;
    let (member, family) =
        match credentials::rotate(&mut tx, &refresh_hash(token), successor).await? {
            Rotation::Rotated(member, family) => (member, family),
            Rotation::Reused(member) => {
                tx.commit().await?;
                app.revoked_sign_ins.changed().await;
                tracing::warn!(%member, "a refresh token was used twice; its sign-in is ended");
                return Err(AppError::new(Code::TokenReused).into());
            }
            Rotation::Expired => return Err(AppError::new(Code::TokenExpired).into()),
            Rotation::Unknown => {
                tx.commit().await?;
                app.revoked_sign_ins.changed().await;
                return Err(AppError::new(Code::TokenInvalid).into());
            }
        };
    tx.commit().await?;
    // Only after the commit: reading on a second connection while holding one starves the pool. If it fails, the old token can be used
    // again.
    let payload = session_of(&app, member).await?;
    let access_token = app.tokens.access(&payload, family, now)?;
    Ok(Json(SignedIn {
        refresh_token,
        access_token,
        payload,
    }))
}
