//! What policies and deadlines were refused, for the people who look after the shop.

use event_store::{Store, projection};
use projections::Page;
use projections::state::deadline_refusals::{DeadlineRefusal, standing};
use serde::Serialize;
use sqlx::PgPool;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

use crate::http::{ApiError, ApiResult, Outcome};

/// Refused reactions shown at most, the newest.
const REACTIONS_MOST: i64 = 100;

/// A reaction to an event that was refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReactionRefusal {
    /// The policy.
    pub policy: String,
    /// Position of the event it reacted to.
    pub position: i64,
    /// The refusal's code.
    pub code: String,
    /// Its words, for people who look after the shop.
    pub message: String,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
}

/// Whether a failure is a refusal that asking again will not change. Somebody who was faster, and a service that wants
/// a pause, are none.
pub fn is_refusal(failure: &ApiError) -> bool {
    failure.code().outcome() == Outcome::Refused
}

/// What the shop's reactions were refused, the newest first.
///
/// # Errors
/// The database's.
pub async fn of_reactions(pool: &PgPool) -> ApiResult<Vec<ReactionRefusal>> {
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

/// The same, and the deadlines', as text: `jangbu refusals`.
///
/// # Errors
/// The database's.
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
