//! Rejected commands of policies and deadlines, for operators.

use event_store::projection;
use serde::Serialize;
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::{AppError, AppResult, Outcome};

/// Maximum number of policy rejections shown; the newest.
const REACTIONS_MOST: i64 = 100;

/// A rejected command of a policy.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReactionRefusal {
    /// Name of the policy.
    pub policy: String,
    /// Position of the triggering event.
    pub position: i64,
    /// Error code.
    pub code: String,
    /// Error message, for operators.
    pub message: String,
    /// Time of the rejection.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
}

/// Whether an error is a rejection that a retry does not change. Version conflicts and rate limits are not.
pub fn is_refusal(failure: &AppError) -> bool {
    failure.code().outcome() == Outcome::Refused
}

/// The rejections of all policies, newest first.
///
/// # Errors
/// Database errors.
pub async fn of_reactions(pool: &PgPool) -> AppResult<Vec<ReactionRefusal>> {
    let mut refusals = Vec::new();
    for policy in super::reactions() {
        let refused = projection::refusals(pool, policy.name(), REACTIONS_MOST).await?;
        refusals.extend(refused.into_iter().map(|refusal| ReactionRefusal {
            policy: policy.name().to_owned(),
            position: refusal.position,
            code: refusal.code,
            message: refusal.message,
            refused_at: refusal.refused_at,
        }));
    }
    refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.refused_at));
    Ok(refusals)
}
