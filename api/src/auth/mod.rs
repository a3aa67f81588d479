//! Signing in and out.

pub mod device;
pub mod refresh;
pub mod sign_in;
pub mod sign_out;

use domain::ids::MemberId;
use domain::member::Member;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};
use application::access::Session;

/// Both tokens, and the session they belong to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Refresh token; valid once, to get a new pair of tokens.
    pub refresh_token: String,
    /// Access token; valid for 15 minutes, for all other requests.
    pub access_token: String,
    /// The session they belong to.
    pub payload: Session,
}

/// The session of a member, from the current state in the log.
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
