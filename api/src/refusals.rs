//! `jangbu refusals`: rejected commands of policies and deadlines, as text.

use application::policies::refusals::of_reactions;
use event_store::Store;
use projections::Page;
use projections::state::deadline_refusals::{DeadlineRefusal, standing};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The rejected commands, one per line.
///
/// # Errors
/// Database errors.
pub async fn report(store: &Store) -> anyhow::Result<String> {
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
