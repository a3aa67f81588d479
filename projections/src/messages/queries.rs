//! Lists of messages.

use std::collections::HashMap;

use domain::ids::MessageId;
use domain::message::{Channel, MessageState, Template};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use super::MessageRow;
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// Which messages to list.
#[derive(Clone, Debug, Default)]
pub struct MessageFilter {
    /// In these states; all if empty.
    pub states: Vec<MessageState>,
    /// By this channel.
    pub channel: Option<Channel>,
    /// From this template.
    pub template: Option<Template>,
    /// About this stream.
    pub cause: Option<Uuid>,
}

/// Messages, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn message_list(
    pool: &PgPool,
    filter: &MessageFilter,
    page: Page,
) -> Result<ListPage<MessageRow>, ReadError> {
    let states: Vec<&str> = filter.states.iter().map(|state| state.code()).collect();
    let template = match filter.template {
        Some(template) => match serde_json::to_value(template)? {
            Value::String(code) => Some(code),
            _ => None,
        },
        None => None,
    };
    List {
        select: "to_jsonb(m)",
        from: "messages m",
        narrow: "messages m",
        key: "m.id",
        order: "created_at DESC, id DESC",
    }
    .page(pool, page, |query| {
        query.push("true");
        if !states.is_empty() {
            let states: Vec<String> = states.iter().map(|state| (*state).to_owned()).collect();
            query.push(" AND state = ANY(").push_bind(states).push(")");
        }
        if let Some(channel) = filter.channel {
            query.push(" AND channel = ").push_bind(channel.code());
        }
        if let Some(template) = &template {
            query.push(" AND template = ").push_bind(template.clone());
        }
        if let Some(cause) = filter.cause {
            query.push(" AND cause = ").push_bind(cause);
        }
    })
    .await
}

/// The numbers of those of these streams that are orders.
///
/// # Errors
/// [`ReadError`].
pub async fn order_numbers(
    pool: &PgPool,
    streams: &[Uuid],
) -> Result<HashMap<Uuid, String>, ReadError> {
    let found: Vec<(Uuid, String)> =
        sqlx::query_as("SELECT id, order_no FROM orders WHERE id = ANY($1)")
            .bind(streams)
            .fetch_all(pool)
            .await?;
    Ok(found.into_iter().collect())
}

/// One message.
///
/// # Errors
/// [`ReadError`].
pub async fn message(pool: &PgPool, id: MessageId) -> Result<Option<MessageRow>, ReadError> {
    let found = sqlx::query_scalar("SELECT to_jsonb(m) FROM messages m WHERE id = $1")
        .bind(id.0)
        .fetch_all(pool)
        .await?;
    Ok(typed(found)?.pop())
}

/// When the next message after `now` has to be looked at.
///
/// # Errors
/// [`ReadError`].
pub async fn next_due(
    pool: &PgPool,
    now: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, ReadError> {
    let sql = "SELECT min(due_at) FROM messages WHERE due_at > $1";
    Ok(sqlx::query_scalar(sql).bind(now).fetch_one(pool).await?)
}

/// Messages the worker has to look at: to be sent, or whose attempt has no outcome in time; after them those whose arrival is to be asked
/// for. Those due longest come first.
///
/// # Errors
/// [`ReadError`].
pub async fn due(
    pool: &PgPool,
    now: OffsetDateTime,
    limit: i64,
) -> Result<Vec<MessageRow>, ReadError> {
    let sql = "SELECT to_jsonb(m) FROM messages m WHERE due_at <= $1 ORDER BY state = $3, due_at, id LIMIT $2";
    typed(
        sqlx::query_scalar(sql)
            .bind(now)
            .bind(limit)
            .bind(MessageState::Sent.code())
            .fetch_all(pool)
            .await?,
    )
}
