//! Notifications of members, and their notification settings.
//!
//! Every change of a member's notifications has a number, counted for each member in `alarm_changes`, and is notified on [`CHANNEL`], so
//! that open pages are updated by any process.

use domain::ids::MemberId;
use domain::policies::notifications::AlarmCategory;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// The channel on which changes are notified.
pub const CHANNEL: &str = "alarms_changed";

/// New notifications told at once; older ones are found in the list.
const NEW_MOST: i64 = 20;

/// Numbers a change of each member in the statement's `changed`, and notifies.
macro_rules! numbered {
    () => {
        "numbered AS (INSERT INTO alarm_changes AS c (member, last) SELECT member, 1 FROM changed \
             ON CONFLICT (member) DO UPDATE SET last = c.last + 1 \
             RETURNING c.member, c.last, pg_notify('alarms_changed', ''))"
    };
}
pub(super) use numbered;

/// Condition of unread notifications of the member `$member`; none for members who switched them off.
macro_rules! unread {
    ($member:literal) => {
        concat!(
            "shows AND NOT removed AND member = ",
            $member,
            " AND NOT EXISTS (SELECT FROM alarm_settings s WHERE s.member = ",
            $member,
            " AND NOT s.is_show)"
        )
    };
}

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
    /// Kind and id of the stream it reports about.
    pub cause: (String, String),
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
    sqlx::query(concat!(
        "WITH changed AS (SELECT $2::uuid AS member WHERE NOT EXISTS (SELECT FROM alarms WHERE id = $1)), ",
        numbered!(),
        " INSERT INTO alarms (id, member, category, type, title, content, url, shows, created_at, cause_kind, cause, number) \
         SELECT $1, $2, $3, $4, $5, $6, $7, true, $8, $9, $10, last FROM numbered ON CONFLICT (id) DO NOTHING",
    ))
    .bind(news.id)
    .bind(news.member.0)
    .bind(news.category.as_str())
    .bind(news.kind)
    .bind(&news.title)
    .bind(&news.content)
    .bind(&news.url)
    .bind(news.at)
    .bind(&news.cause.0)
    .bind(&news.cause.1)
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

/// What changed of a member's notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmChanges {
    /// The member.
    pub member: MemberId,
    /// Changes after this one.
    pub since: i64,
    /// The last change.
    pub last: i64,
    /// Unread notifications after it.
    pub unread: i64,
    /// The newest notifications stored since, oldest first, each with the number of its change.
    pub alarms: Vec<(i64, Alarm)>,
}

/// A member's last change, and their unread notifications after it.
///
/// # Errors
/// [`ReadError`].
pub async fn last_change(pool: &PgPool, member: MemberId) -> Result<(i64, i64), ReadError> {
    Ok(sqlx::query_as(concat!(
        "SELECT coalesce((SELECT last FROM alarm_changes WHERE member = $1), 0), \
         (SELECT count(*) FROM alarms WHERE ",
        unread!("$1"),
        ")"
    ))
    .bind(member.0)
    .fetch_one(pool)
    .await?)
}

/// What changed for each of these members since the change beside them; nothing of members without changes.
///
/// # Errors
/// [`ReadError`].
pub async fn changes(
    pool: &PgPool,
    since: &[(MemberId, i64)],
) -> Result<Vec<AlarmChanges>, ReadError> {
    let (members, numbers): (Vec<Uuid>, Vec<i64>) = since
        .iter()
        .map(|(member, since)| (member.0, *since))
        .unzip();
    let rows: Vec<(Uuid, i64, i64, i64, serde_json::Value)> = sqlx::query_as(concat!(
        "SELECT w.member, w.since, c.last, (SELECT count(*) FROM alarms WHERE ",
        unread!("w.member"),
        "), coalesce((SELECT jsonb_agg(jsonb_build_array(a.number, to_jsonb(a)) ORDER BY a.number) FROM (\
             SELECT * FROM alarms n WHERE n.member = w.member AND n.number > w.since AND NOT n.removed \
             ORDER BY n.number DESC LIMIT $3) a), '[]') \
         FROM unnest($1::uuid[], $2::bigint[]) AS w (member, since) \
         JOIN alarm_changes c ON c.member = w.member AND c.last > w.since",
    ))
    .bind(members)
    .bind(numbers)
    .bind(NEW_MOST)
    .fetch_all(pool)
    .await?;
    rows.into_iter()
        .map(|(member, since, last, unread, alarms)| {
            Ok(AlarmChanges {
                member: MemberId(member),
                since,
                last,
                unread,
                alarms: serde_json::from_value(alarms)?,
            })
        })
        .collect()
}

/// Number of a member's unread notifications; none if they are switched off.
///
/// # Errors
/// [`ReadError`].
pub async fn unread(pool: &PgPool, member: MemberId) -> Result<i64, ReadError> {
    Ok(
        sqlx::query_scalar(concat!("SELECT count(*) FROM alarms WHERE ", unread!("$1")))
            .bind(member.0)
            .fetch_one(pool)
            .await?,
    )
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
        sqlx::query_scalar(concat!(
            "WITH changed AS (UPDATE alarms SET shows = $3 WHERE member = $1 AND id = $2 AND NOT removed RETURNING *), ",
            numbered!(),
            " SELECT to_jsonb(a) FROM changed a, numbered",
        ))
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
    let removed = sqlx::query(concat!(
        "WITH changed AS (UPDATE alarms SET removed = true, shows = false, title = '', content = '' \
         WHERE member = $1 AND id = $2 AND NOT removed RETURNING member), ",
        numbered!(),
        " SELECT FROM numbered",
    ))
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
    sqlx::query(concat!(
        "WITH changed AS (INSERT INTO alarm_settings (member, is_show, disabled_categories) VALUES ($1, $2, $3) \
         ON CONFLICT (member) DO UPDATE \
             SET is_show = excluded.is_show, disabled_categories = excluded.disabled_categories RETURNING member), ",
        numbered!(),
        " SELECT FROM numbered",
    ))
    .bind(member.0)
    .bind(settings.is_show)
    .bind(disabled)
    .execute(pool)
    .await?;
    Ok(())
}
