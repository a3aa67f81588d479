//! Deadlines whose command was refused: written down, so that no process asks again before something has changed, or somebody
//! wants it asked again, which is an event ([`domain::deadline`]).

use domain::deadline::stream_id;
use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::deadlines::{DeadlineRow, waiting};
use crate::error::ReadError;
use crate::page::{ListPage, Page, typed};

/// A deadline that was refused and still stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRefusal {
    /// What was due: `unpaid-order`, `confirm-purchase`, `resolve-approval`, `resolve-refund`.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order or payment that was asked.
    pub stream: String,
    /// Position of the event that set the deadline.
    pub position: i64,
    /// The refusal's code.
    pub code: String,
    /// Its words, for people who look after the shop.
    pub message: String,
    /// When.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
}

/// The refusals that stand: their deadline does, and nobody had it tried again since.
macro_rules! standing {
    () => {
        concat!(
            "deadline_refusals r JOIN ",
            waiting!(),
            " d ON d.kind = r.kind AND d.id = r.id AND d.position = r.position \
         AND coalesce(stream_position('deadline', r.kind || ':' || r.id), 0) <= r.seen"
        )
    };
}

/// Position of the last event of the ledger a deadline asks, or of somebody's wish to have it asked: to be read before it is asked.
///
/// # Errors
/// [`ReadError`].
pub async fn seen(pool: &PgPool, due: &DeadlineRow) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT coalesce(greatest(stream_position($1, $2), stream_position('deadline', $3)), 0)",
    )
    .bind(due.kind.ledger())
    .bind(&due.stream)
    .bind(stream_id(due.kind.word(), &due.id))
    .fetch_one(pool)
    .await?)
}

/// Writes a refusal down; `seen` is what [`seen`] said before it was asked.
///
/// # Errors
/// [`ReadError`].
pub async fn write_down(
    pool: &PgPool,
    due: &DeadlineRow,
    seen: i64,
    (code, message): (&str, &str),
    at: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO deadline_refusals AS r (kind, id, position, stream, seen, code, message, refused_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT (kind, id) DO UPDATE SET position = excluded.position, seen = greatest(r.seen, excluded.seen), \
             code = excluded.code, message = excluded.message, refused_at = excluded.refused_at",
    )
    .bind(due.kind.word())
    .bind(&due.id)
    .bind(due.position)
    .bind(&due.stream)
    .bind(seen)
    .bind(code)
    .bind(message)
    .bind(at)
    .execute(pool)
    .await?;
    Ok(())
}

/// The code of a deadline that was given up: it was not refused, but failed however often it was tried.
pub const GIVEN_UP: &str = "given_up";

/// Lets the deadlines that were given up be tried again; how many.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_given_up(pool: &PgPool) -> Result<u64, ReadError> {
    let gone = sqlx::query("DELETE FROM deadline_refusals WHERE code = $1")
        .bind(GIVEN_UP)
        .execute(pool)
        .await?;
    Ok(gone.rows_affected())
}

/// How many deadlines were given up and still stand.
///
/// # Errors
/// [`ReadError`].
pub async fn count_given_up(pool: &PgPool) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(concat!(
        "SELECT count(*) FROM ",
        standing!(),
        " WHERE r.code = $1"
    ))
    .bind(GIVEN_UP)
    .fetch_one(pool)
    .await?)
}

/// The refused deadlines that still stand, the newest refusal first. What was settled since is not among them.
///
/// # Errors
/// [`ReadError`].
pub async fn standing(pool: &PgPool, page: Page) -> Result<ListPage<DeadlineRefusal>, ReadError> {
    let total_count = sqlx::query_scalar(concat!("SELECT count(*) FROM ", standing!()))
        .fetch_one(pool)
        .await?;
    let rows = sqlx::query_as(concat!(
        "SELECT r.kind, r.id, r.stream, r.position, r.code, r.message, r.refused_at FROM ",
        standing!(),
        " ORDER BY r.refused_at DESC, r.kind, r.id OFFSET $1 LIMIT $2"
    ))
    .bind(page.skip)
    .bind(page.limit)
    .fetch_all(pool)
    .await?;
    Ok(ListPage { total_count, rows })
}

/// What came of trying a refused deadline again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RetryOutcome {
    /// It does not stand any more.
    Settled,
    /// It was refused again.
    Refused,
    /// It was not tried yet, or fails and is tried again.
    Waiting,
}

/// One refused deadline, if it still stands.
///
/// # Errors
/// [`ReadError`].
pub async fn one_standing(
    pool: &PgPool,
    (kind, id): (&str, &str),
) -> Result<Option<DeadlineRefusal>, ReadError> {
    Ok(sqlx::query_as(concat!(
        "SELECT r.kind, r.id, r.stream, r.position, r.code, r.message, r.refused_at FROM ",
        standing!(),
        " WHERE r.kind = $1 AND r.id = $2"
    ))
    .bind(kind)
    .bind(id)
    .fetch_optional(pool)
    .await?)
}

/// A refused deadline somebody had tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlineRetry {
    /// Position of the event that says so.
    pub number: i64,
    /// What was due.
    pub kind: String,
    /// The order, purchaseNo, payment or refund.
    #[serde(rename = "_id")]
    pub id: String,
    /// Id of the order or payment that was asked.
    pub stream: String,
    /// The code of the refusal.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When it was refused.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub refused_at: OffsetDateTime,
    /// When somebody had it tried again.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub retried_at: OffsetDateTime,
    /// Who.
    pub retried_by: Option<MemberId>,
    /// Why, if they said so.
    pub reason: Option<String>,
    /// What came of it.
    pub outcome: RetryOutcome,
}

/// What was tried again, the newest first, `most` of them.
///
/// # Errors
/// [`ReadError`].
pub async fn retries(pool: &PgPool, most: i64) -> Result<Vec<DeadlineRetry>, ReadError> {
    let rows = sqlx::query_scalar(concat!(
        "SELECT jsonb_build_object('number', t.position, 'kind', t.kind, '_id', t.id, 'stream', t.stream, 'code', t.code, \
             'message', t.message, 'refusedAt', t.refused_at, 'retriedAt', t.retried_at, 'retriedBy', t.retried_by, \
             'reason', t.reason, 'outcome', \
             CASE WHEN EXISTS (SELECT FROM deadlines_retries l WHERE l.kind = t.kind AND l.id = t.id AND l.set_by = t.set_by \
                     AND l.position > t.position) \
                 OR EXISTS (SELECT FROM deadline_refusals r WHERE r.kind = t.kind AND r.id = t.id AND r.position = t.set_by \
                     AND r.seen >= t.position) \
                 THEN 'refused' \
             WHEN EXISTS (SELECT FROM ", waiting!(), " d WHERE d.kind = t.kind AND d.id = t.id AND d.position = t.set_by) THEN 'waiting' \
             ELSE 'settled' END) \
         FROM deadlines_retries t ORDER BY t.position DESC LIMIT $1",
    ))
    .bind(most)
    .fetch_all(pool)
    .await?;
    typed(rows)
}
