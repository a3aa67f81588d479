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
