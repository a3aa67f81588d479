//! Signing in and out, and confirming that it is the member who asks.

pub mod confirm;
pub mod device;
pub mod refresh;
pub mod sign_in;
pub mod sign_out;

use domain::ids::MemberId;
use domain::member::Member;
use projections::state::password_tries::{self, Try};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::tokens::Session;
use crate::http::{AppError, AppResult, Code};

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
async fn session_of(app: &AppState, member: MemberId) -> AppResult<Session> {
    let state = app.store.load::<Member>(&member.to_string()).await?.state;
    if !state.has_joined() {
        return Err(AppError::new(Code::TokenInvalid));
    }
    Ok(Session {
        user: member,
        user_type: state.member_type,
        scope: state.scopes,
        level: state.level,
    })
}

/// Counts a try of a password under the keyed hash of `what`, a name within `scope`, and answers that hash: to be forgotten when the
/// password fits. Whether there is such a name makes no difference.
async fn count_try(app: &AppState, scope: &str, what: &str) -> AppResult<[u8; 32]> {
    let counted = app.keys.lookup_hash(scope, what);
    let now = app.clock.now();
    match password_tries::count(app.pool(), &counted, now).await? {
        Try::Counted => Ok(counted),
        Try::Closed(until) => {
            let seconds = u64::try_from((until - now).whole_seconds()).unwrap_or_default();
            Err(AppError::new(Code::TooManyRequests).retry_after(seconds + 1))
        }
    }
}
