//! Alarms of all members as staff see them, and taking them back.

use domain::ids::{AlarmId, MemberId, SendingId};
use domain::policies::notifications::AlarmCategory;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::notifications::numbered;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// What became of an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AlarmState {
    /// The member has not opened it.
    Unread,
    /// The member opened it.
    Read,
    /// The member deleted it.
    Deleted,
    /// Staff took it back.
    Withdrawn,
}

impl AlarmState {
    /// Condition on `alarms a`.
    const fn condition(self) -> &'static str {
        match self {
            Self::Unread => " AND NOT a.withdrawn AND NOT a.removed AND a.shows",
            Self::Read => " AND NOT a.withdrawn AND NOT a.removed AND NOT a.shows",
            Self::Deleted => " AND NOT a.withdrawn AND a.removed",
            Self::Withdrawn => " AND a.withdrawn",
        }
    }
}

/// An alarm as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAlarm {
    /// The alarm.
    pub id: AlarmId,
    /// Its receiver.
    pub member: MemberId,
    /// Category.
    pub category: AlarmCategory,
    /// Event kind, e.g. `ORDER_PAID`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Headline; empty if the member deleted it.
    pub title: String,
    /// Text; empty if the member deleted it.
    pub content: String,
    /// Link target.
    pub url: String,
    shows: bool,
    removed: bool,
    withdrawn: bool,
    /// Kind of the stream it reports about.
    pub cause_kind: Option<String>,
    /// Id of that stream.
    pub cause: Option<String>,
    /// When it happened.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
}

impl StoredAlarm {
    /// What became of it.
    pub const fn state(&self) -> AlarmState {
        if self.withdrawn {
            AlarmState::Withdrawn
        } else if self.removed {
            AlarmState::Deleted
        } else if self.shows {
            AlarmState::Unread
        } else {
            AlarmState::Read
        }
    }
}

/// Which alarms to list.
#[derive(Clone, Debug, Default)]
pub struct StoredAlarmFilter {
    /// Of this member.
    pub member: Option<MemberId>,
    /// Of this category.
    pub category: Option<AlarmCategory>,
    /// In this state.
    pub state: Option<AlarmState>,
    /// About this stream.
    pub cause: Option<String>,
    /// With this in the headline or the text.
    pub text: Option<String>,
}

/// Alarms, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn alarm_list(
    pool: &PgPool,
    filter: &StoredAlarmFilter,
    page: Page,
) -> Result<ListPage<StoredAlarm>, ReadError> {
    List {
        select: "to_jsonb(a)",
        from: "alarms a",
        narrow: "alarms a",
        key: "a.id",
        order: "created_at DESC, id",
    }
    .page(pool, page, |query| {
        query.push("true");
        if let Some(member) = filter.member {
            query.push(" AND a.member = ").push_bind(member.0);
        }
        if let Some(category) = filter.category {
            query
                .push(" AND a.category = ")
                .push_bind(category.as_str());
        }
        if let Some(state) = filter.state {
            query.push(state.condition());
        }
        if let Some(cause) = &filter.cause {
            query.push(" AND a.cause = ").push_bind(cause.clone());
        }
        if let Some(text) = &filter.text {
            query
                .push(" AND strpos(lower(a.title || ' ' || a.content), lower(")
                .push_bind(text.clone())
                .push(")) > 0");
        }
    })
    .await
}

/// One alarm.
///
/// # Errors
/// [`ReadError`].
pub async fn alarm(pool: &PgPool, id: AlarmId) -> Result<Option<StoredAlarm>, ReadError> {
    let found = sqlx::query_scalar("SELECT to_jsonb(a) FROM alarms a WHERE a.id = $1").bind(id.0);
    Ok(typed(found.fetch_all(pool).await?)?.pop())
}

/// Takes an alarm out of its member's drawer; nothing if it is not in there.
///
/// # Errors
/// [`ReadError`].
pub async fn withdraw(pool: &PgPool, id: AlarmId) -> Result<(), ReadError> {
    sqlx::query(concat!(
        "WITH changed AS (UPDATE alarms SET removed = true, withdrawn = true, shows = false \
         WHERE id = $1 AND NOT removed RETURNING member), ",
        numbered!(),
        " SELECT FROM numbered",
    ))
    .bind(id.0)
    .execute(pool)
    .await?;
    Ok(())
}

/// Takes the alarms of a sending out of all drawers.
///
/// # Errors
/// [`ReadError`].
pub async fn withdraw_sending(pool: &PgPool, sending: SendingId) -> Result<(), ReadError> {
    sqlx::query(concat!(
        "WITH changed AS (UPDATE alarms SET removed = true, withdrawn = true, shows = false \
         WHERE cause_kind = 'sending' AND cause = $1 AND NOT removed RETURNING member), ",
        numbered!(),
        " SELECT FROM numbered",
    ))
    .bind(sending.to_string())
    .execute(pool)
    .await?;
    Ok(())
}

/// Those of these members who have switched alarms of a category off.
///
/// # Errors
/// [`ReadError`].
pub async fn switched_off(
    pool: &PgPool,
    members: &[MemberId],
    category: AlarmCategory,
) -> Result<Vec<MemberId>, ReadError> {
    let members: Vec<Uuid> = members.iter().map(|member| member.0).collect();
    let found: Vec<Uuid> = sqlx::query_scalar(
        "SELECT member FROM alarm_settings WHERE member = ANY($1) AND (NOT is_show OR $2 = ANY(disabled_categories))",
    )
    .bind(members)
    .bind(category.as_str())
    .fetch_all(pool)
    .await?;
    Ok(found.into_iter().map(MemberId).collect())
}
