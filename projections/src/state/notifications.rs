//! Notifications of members, and their notification settings.

use domain::ids::MemberId;
use domain::policies::notifications::AlarmCategory;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// A notification to deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Derived from the event it reports.
    pub id: Uuid,
    /// Recipient.
    pub member: MemberId,
    /// Category.
    pub category: AlarmCategory,
    /// Event kind, e.g. `ORDER_PAID`.
    pub kind: &'static str,
    /// Headline.
    pub title: String,
    /// Text.
    pub content: String,
    /// Link target.
    pub url: String,
    /// When it happened.
    pub at: OffsetDateTime,
}

/// A notification as its member sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alarm {
    /// The notification.
    #[serde(rename = "_id", alias = "id")]
    pub id: Uuid,
    /// Category.
    pub category: AlarmCategory,
    /// Event kind, e.g. `ORDER_PAID`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Headline.
    pub title: String,
    /// Text.
    pub content: String,
    /// Link target.
    pub url: String,
    /// Whether it is unread (spec V094).
    pub shows: bool,
    /// When it happened.
    #[serde(alias = "created_at", with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// A member's notification settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlarmSettings {
    /// Whether notifications are on at all.
    pub is_show: bool,
    /// Categories that are switched off.
    pub disabled_categories: Vec<AlarmCategory>,
}

impl Default for AlarmSettings {
    fn default() -> Self {
        Self {
            is_show: true,
            disabled_categories: Vec::new(),
        }
    }
}

impl AlarmSettings {
    /// Whether notifications of a category are on.
    pub fn wants(&self, category: AlarmCategory) -> bool {
        self.is_show && !self.disabled_categories.contains(&category)
    }
}

/// Filter of notifications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlarmFilter<'a> {
    /// Of this category.
    pub category: Option<&'a str>,
    /// Of this kind.
    pub kind: Option<&'a str>,
}

/// Stores a notification once, even if the member removed it since.
///
/// # Errors
/// [`ReadError`].
pub async fn tell(pool: &PgPool, news: &News) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO alarms (id, member, category, type, title, content, url, shows, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, true, $8) ON CONFLICT (id) DO NOTHING",
    )
    .bind(news.id)
    .bind(news.member.0)
    .bind(news.category.as_str())
    .bind(news.kind)
    .bind(&news.title)
    .bind(&news.content)
    .bind(&news.url)
    .bind(news.at)
    .execute(pool)
    .await?;
    Ok(())
}

/// A member's notifications, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn list(
    pool: &PgPool,
    member: MemberId,
    filter: AlarmFilter<'_>,
    page: Page,
) -> Result<ListPage<Alarm>, ReadError> {
    List {
        select: "to_jsonb(a)",
        from: "alarms a",
        narrow: "alarms a",
        key: "a.id",
        order: "created_at DESC, id",
    }
    .page(pool, page, |query| {
        query.push("NOT removed AND member = ").push_bind(member.0);
        for (column, wanted) in [("category", filter.category), ("type", filter.kind)] {
            if let Some(wanted) = wanted {
                query
                    .push(format!(" AND {column} = "))
                    .push_bind(wanted.to_owned());
            }
        }
    })
    .await
}

/// Number of a member's unread notifications.
///
/// # Errors
/// [`ReadError`].
pub async fn unread(pool: &PgPool, member: MemberId) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT count(*) FROM alarms WHERE member = $1 AND shows AND NOT removed",
    )
    .bind(member.0)
    .fetch_one(pool)
    .await?)
}

/// Marks a notification of the member as read or unread; none if it is not theirs.
///
/// # Errors
/// [`ReadError`].
pub async fn mark(
    pool: &PgPool,
    member: MemberId,
    id: Uuid,
    shows: bool,
) -> Result<Option<Alarm>, ReadError> {
    Ok(typed(
        sqlx::query_scalar(
            "UPDATE alarms AS a SET shows = $3 WHERE member = $1 AND id = $2 AND NOT removed RETURNING to_jsonb(a)",
        )
        .bind(member.0)
        .bind(id)
        .bind(shows)
        .fetch_all(pool)
        .await?,
    )?
    .pop())
}

/// Removes a notification of the member; false if it is not theirs.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId, id: Uuid) -> Result<bool, ReadError> {
    let removed = sqlx::query(
        "UPDATE alarms SET removed = true, shows = false, title = '', content = '' \
         WHERE member = $1 AND id = $2 AND NOT removed",
    )
    .bind(member.0)
    .bind(id)
    .execute(pool)
    .await?;
    Ok(removed.rows_affected() > 0)
}

/// A member's notification settings.
///
/// # Errors
/// [`ReadError`].
pub async fn settings(pool: &PgPool, member: MemberId) -> Result<AlarmSettings, ReadError> {
    let kept: Option<serde_json::Value> = sqlx::query_scalar(
        "SELECT jsonb_build_object('isShow', is_show, 'disabledCategories', disabled_categories) \
         FROM alarm_settings WHERE member = $1",
    )
    .bind(member.0)
    .fetch_optional(pool)
    .await?;
    Ok(kept
        .map(serde_json::from_value)
        .transpose()?
        .unwrap_or_default())
}

/// Stores a member's notification settings.
///
/// # Errors
/// [`ReadError`].
pub async fn set(
    pool: &PgPool,
    member: MemberId,
    settings: &AlarmSettings,
) -> Result<(), ReadError> {
    let disabled: Vec<&str> = settings
        .disabled_categories
        .iter()
        .map(|category| category.as_str())
        .collect();
    sqlx::query(
        "INSERT INTO alarm_settings (member, is_show, disabled_categories) VALUES ($1, $2, $3) \
         ON CONFLICT (member) DO UPDATE \
             SET is_show = excluded.is_show, disabled_categories = excluded.disabled_categories",
    )
    .bind(member.0)
    .bind(settings.is_show)
    .bind(disabled)
    .execute(pool)
    .await?;
    Ok(())
}
