//! GET /api/auth/refreshToken: signs in with username and password.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::MemberId;
use projections::state::sign_in::{self, Credentials, NewToken};
use time::{Duration, OffsetDateTime};

use super::{SignedIn, session_of};
use crate::app::AppState;
use crate::http::tokens::{REFRESH_LIFE, fresh_refresh};
use crate::http::{ApiError, ApiResult, Code, Json};
use crate::users::username_hash;

/// Wrong passwords in a row before nothing is tried for a while.
const FAILURES_MOST: i32 = 5;
/// That while.
const LOCKED_FOR: Duration = Duration::minutes(1);

/// Sign in.
#[utoipa::path(
    get, path = "/api/auth/refreshToken", tag = "auth", operation_id = "signIn", security(("basic" = [])),
    responses((status = OK, body = SignedIn), (status = UNAUTHORIZED, description = "bad_credentials"), (status = TOO_MANY_REQUESTS, description = "too_many_requests"))
)]
pub(crate) async fn sign_in(
    State(app): State<AppState>,
    headers: HeaderMap,
) -> ApiResult<Json<SignedIn>> {
    let (username, password) =
        basic(&headers).ok_or_else(|| ApiError::new(Code::BadCredentials))?;
    let (refresh_token, hash) = fresh_refresh()?;
    let member = begin(&app, &username, password, &hash).await?;
    let payload = session_of(&app, member).await?;
    let access_token = app.tokens.access(&payload, app.clock.now())?;
    Ok(Json(SignedIn {
        refresh_token,
        access_token,
        payload,
    }))
}

/// Username and password of a Basic header, in UTF-8.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, encoded) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (username, password) = text.split_once(':')?;
    Some((username.to_owned(), password.to_owned()))
}

/// Begins a sign-in with the refresh token of this hash, for whose password it is. The row stays locked meanwhile, so
/// parallel guesses are counted one by one, and no sign-in begins with a password that has just been changed.
async fn begin(
    app: &AppState,
    username: &str,
    password: String,
    hash: &[u8; 32],
) -> ApiResult<MemberId> {
    let turn = app.passwords.turn().await?;
    let mut tx = event_store::begin(app.pool()).await?;
    let kept = sign_in::lock(&mut tx, &username_hash(&app.keys, username)).await?;
    let now = app.clock.now();
    if let Some(locked_until) = kept
        .as_ref()
        .and_then(|kept| kept.locked_until)
        .filter(|until| *until > now)
    {
        let seconds = u64::try_from((locked_until - now).whole_seconds()).unwrap_or_default();
        return Err(ApiError::new(Code::TooManyRequests).retry_after(seconds + 1));
    }
    let argon2 = kept.as_ref().map(|kept| kept.argon2.as_str());
    let fits = app.passwords.verify(&turn, password, argon2).await?;
    let Some(kept) = kept else {
        return Err(ApiError::new(Code::BadCredentials));
    };
    let (failures, locked_until) = after(&kept, fits, now);
    if (failures, locked_until) != (kept.failures, kept.locked_until) {
        sign_in::tried(&mut tx, kept.member, failures, locked_until).await?;
    }
    if fits {
        let first = NewToken {
            hash,
            issued_at: now,
            expires_at: now + REFRESH_LIFE,
        };
        sign_in::begin_family(&mut tx, kept.member, first).await?;
    }
    tx.commit().await?;
    if fits {
        Ok(kept.member)
    } else {
        Err(ApiError::new(Code::BadCredentials))
    }
}

/// How the row looks after a try: the fifth failure in a row closes it for a minute and begins to count anew.
fn after(kept: &Credentials, fits: bool, now: OffsetDateTime) -> (i32, Option<OffsetDateTime>) {
    let failures = kept.failures + 1;
    match fits {
        true => (0, None),
        false if failures < FAILURES_MOST => (failures, None),
        false => (0, Some(now + LOCKED_FOR)),
    }
}
