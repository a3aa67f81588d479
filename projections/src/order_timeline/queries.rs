//! Queries for the history of an order.

use domain::ids::OrderId;
use domain::registry::event_title;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::OrderEventRow;
use super::titles::is_told_to_buyers;
use crate::error::ReadError;
use crate::orders::TimelineEntry;
use crate::page::typed;

/// The stream an event is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamRef {
    /// Its kind, e.g. `order`.
    pub kind: String,
    /// Its id.
    pub id: String,
}

/// One event of a history, as the console shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEvent {
    /// Position in the log.
    pub position: i64,
    /// Id of the event; events it caused have it as their causation id.
    pub event_id: Uuid,
    /// When it happened, by the shop's clock.
    #[serde(with = "crate::timestamp")]
    pub at: OffsetDateTime,
    /// When the database wrote it.
    #[serde(with = "crate::timestamp")]
    pub recorded_at: OffsetDateTime,
    /// Stream of the event.
    pub stream: StreamRef,
    /// Version of that stream after it.
    pub version: i64,
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: String,
    /// Its name in Korean.
    pub title: String,
    /// Actor: kind and id; `api` adds the name.
    pub actor: Value,
    /// Reason given.
    pub reason: Option<String>,
    /// Name of the command that decided it.
    pub command: Option<String>,
    /// Id of that command.
    pub command_id: Option<Uuid>,
    /// Correlation id: shared by all events of one request.
    pub correlation_id: Uuid,
    /// Id of the event or request that caused it.
    pub causation_id: Option<Uuid>,
    /// Its content, personal data masked.
    pub data: Value,
}

impl From<OrderEventRow> for HistoryEvent {
    fn from(row: OrderEventRow) -> Self {
        Self {
            position: row.position,
            event_id: row.event_id,
            at: row.at,
            recorded_at: row.recorded_at,
            stream: StreamRef {
                kind: row.stream_kind,
                id: row.stream_id,
            },
            version: row.version,
            title: event_title(&row.event_type).to_owned(),
            event_type: row.event_type,
            actor: row.actor,
            reason: row.reason,
            command: row.command,
            command_id: row.command_id,
            correlation_id: row.correlation_id,
            causation_id: row.causation_id,
            data: row.data,
        }
    }
}

async fn events(
    pool: &PgPool,
    order: OrderId,
    up_to: Option<i64>,
) -> Result<Vec<OrderEventRow>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(e) FROM order_timeline e WHERE order_id = $1 AND position <= $2 \
             ORDER BY position, part",
        )
        .bind(order.0)
        .bind(up_to.unwrap_or(i64::MAX))
        .fetch_all(pool)
        .await?,
    )
}

/// All events of an order, in the order of the log.
///
/// # Errors
/// [`ReadError`].
pub async fn history(pool: &PgPool, order: OrderId) -> Result<Vec<HistoryEvent>, ReadError> {
    Ok(events(pool, order, None)
        .await?
        .into_iter()
        .map(HistoryEvent::from)
        .collect())
}

/// The timeline on an order's page, up to a position if one is given.
///
/// # Errors
/// [`ReadError`].
pub async fn timeline(
    pool: &PgPool,
    order: OrderId,
    up_to: Option<i64>,
) -> Result<Vec<TimelineEntry>, ReadError> {
    Ok(events(pool, order, up_to)
        .await?
        .into_iter()
        .filter(|row| is_told_to_buyers(&row.event_type))
        .map(|row| TimelineEntry {
            position: row.position,
            at: row.at,
            text: event_title(&row.event_type).to_owned(),
        })
        .collect())
}
