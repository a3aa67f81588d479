//! Rejected commands of policies and deadlines, for operators.

use event_store::{Store, projection};
use projections::Page;
use projections::state::deadline_refusals::{DeadlineRefusal, standing};
use serde::Serialize;
use sqlx::PgPool;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

use crate::http::{AppError, AppResult, Outcome};

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

/// The same with the deadlines', as text: `jangbu refusals`.
///
/// # Errors
/// Database errors.
pub async fn told(store: &Store) -> anyhow::Result<String> {
    let deadlines = standing(store.pool(), Page::new(None, Some(Page::MAX))).await?;
    let reactions = of_reactions(store.pool())
        .await
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut lines: Vec<String> = deadlines.rows.iter().map(deadline_line).collect();
    lines.extend(reactions.iter().map(|refusal| {
        format!(
            "{}  {}  #{}  {}  {}",
            moment(refusal.refused_at),
            refusal.policy,
            refusal.position,
            refusal.code,
            refusal.message
        )
    }));
    let more = usize::try_from(deadlines.total_count)
        .unwrap_or_default()
        .saturating_sub(deadlines.rows.len());
    if more > 0 {
        lines.push(format!("… 기한 {more}건 더"));
    }
    if lines.is_empty() {
        lines.push("거절된 자동 처리가 없습니다.".to_owned());
    }
    Ok(lines.join("\n"))
}

fn deadline_line(refusal: &DeadlineRefusal) -> String {
    format!(
        "{}  {}  {}  {}  {}",
        moment(refusal.refused_at),
        refusal.kind,
        refusal.id,
        refusal.code,
        refusal.message
    )
}

fn moment(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_else(|_| at.to_string())
}
