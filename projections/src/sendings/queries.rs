//! Lists of sendings.

use domain::ids::SendingId;
use domain::message::MessageState;
use domain::sending::{SendingChannel, SkipReason};
use sqlx::PgPool;

use super::{SendingRow, SkippedRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Sendings of a way, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn sending_list(
    pool: &PgPool,
    channel: Option<SendingChannel>,
    page: Page,
) -> Result<ListPage<SendingRow>, ReadError> {
    List {
        select: "to_jsonb(s)",
        from: "sendings s",
        narrow: "sendings s",
        key: "s.id",
        order: "created_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        query.push("true");
        if let Some(channel) = channel {
            query.push(" AND channel = ").push_bind(channel.code());
        }
    })
    .await
}

/// One sending.
///
/// # Errors
/// [`ReadError`].
pub async fn sending(pool: &PgPool, id: SendingId) -> Result<Option<SendingRow>, ReadError> {
    let found = sqlx::query_scalar("SELECT to_jsonb(s) FROM sendings s WHERE id = $1")
        .bind(id.0)
        .fetch_all(pool)
        .await?;
    Ok(typed(found)?.pop())
}

/// Receivers of a sending who got nothing, those whose turn came first before the others.
///
/// # Errors
/// [`ReadError`].
pub async fn skipped_list(
    pool: &PgPool,
    (id, reason): (SendingId, Option<SkipReason>),
    page: Page,
) -> Result<ListPage<SkippedRow>, ReadError> {
    let reason = reason.map(serde_json::to_value).transpose()?;
    let reason = reason.and_then(|reason| reason.as_str().map(str::to_owned));
    List {
        select: "to_jsonb(s)",
        from: "sendings_skipped s",
        narrow: "sendings_skipped s",
        key: "s.sending, s.member",
        order: "at, member",
    }
    .page(pool, page, |query| {
        query.push("sending = ").push_bind(id.0);
        if let Some(reason) = &reason {
            query.push(" AND reason = ").push_bind(reason.clone());
        }
    })
    .await
}

/// How many receivers of a sending got nothing for which reason.
///
/// # Errors
/// [`ReadError`].
pub async fn skip_counts(
    pool: &PgPool,
    id: SendingId,
) -> Result<Vec<(SkipReason, i64)>, ReadError> {
    let sql = "SELECT to_jsonb(reason), count(*) FROM sendings_skipped WHERE sending = $1 GROUP BY reason ORDER BY reason";
    counts(sqlx::query_as(sql).bind(id.0).fetch_all(pool).await?)
}

/// How many messages of a sending are in which state.
///
/// # Errors
/// [`ReadError`].
pub async fn message_counts(
    pool: &PgPool,
    id: SendingId,
) -> Result<Vec<(MessageState, i64)>, ReadError> {
    let sql = "SELECT to_jsonb(state), count(*) FROM messages WHERE cause = $1 GROUP BY state ORDER BY state";
    counts(sqlx::query_as(sql).bind(id.0).fetch_all(pool).await?)
}

fn counts<T: serde::de::DeserializeOwned>(
    found: Vec<(serde_json::Value, i64)>,
) -> Result<Vec<(T, i64)>, ReadError> {
    let typed = |(name, count)| Ok((serde_json::from_value(name)?, count));
    found.into_iter().map(typed).collect()
}
