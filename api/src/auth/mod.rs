//! Signing in and out.

pub mod refresh;
pub mod sign_in;
pub mod sign_out;

use domain::ids::MemberId;
use domain::member::Member;
use projections::state;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::passwords::Turn;
use crate::http::tokens::Session;
use crate::http::{ApiError, ApiResult, Code};

/// Both tokens, and who they speak for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Good once, to get both anew.
    pub refresh_token: String,
    /// Good for 15 minutes, for everything else.
    pub access_token: String,
    /// Who they speak for.
    pub payload: Session,
}

/// Who a member's tokens speak for, as the log has it now.
async fn session_of(app: &AppState, member: MemberId) -> ApiResult<Session> {
    let state = app.store.load::<Member>(&member.to_string()).await?.state;
    if !state.has_joined() {
        return Err(ApiError::new(Code::TokenInvalid));
    }
    Ok(Session {
        user: member,
        user_type: state.member_type,
        scope: state.scopes,
        level: state.level,
    })
}

/// Whether this is a member's own password. Their way in stays locked until the transaction of `connection` ends, if it is in one.
///
/// # Errors
/// `not_found` for somebody without a way in; the database's.
pub(crate) async fn is_own_password(
    app: &AppState,
    turn: &Turn,
    connection: &mut PgConnection,
    member: MemberId,
    password: String,
) -> ApiResult<bool> {
    let kept = state::sign_in::lock_of(connection, member)
        .await?
        .ok_or_else(ApiError::not_found)?;
    app.passwords
        .verify(turn, password, Some(&kept.argon2))
        .await
}
