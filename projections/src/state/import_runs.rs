//! Imported tables carried out in the background, a part at a time: progress, state and refused rows.
//!
//! A part is counted once: its numbers are added in the statement that moves the run on from it.

use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// Retention of a run and its table after its last change.
pub const KEPT: Duration = Duration::days(7);
/// Maximum number of runs of an owner that are listed.
const LISTED_MOST: i64 = 20;
/// Maximum number of runs of an owner that are not over.
const OPEN_MOST: i64 = 5;

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Its next part is due.
    Running,
    /// Stopped by its owner; it can go on.
    Stopped,
    /// All parts are done.
    Done,
    /// It cannot go on.
    Failed,
}

impl RunState {
    const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// What happens to a row whose record exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DuplicatePolicy {
    /// The record is changed.
    #[default]
    Update,
    /// The row is left out.
    Skip,
}

impl DuplicatePolicy {
    const fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Skip => "skip",
        }
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRun {
    /// The imported table.
    pub id: Uuid,
    /// Owner.
    pub owner: MemberId,
    /// Kind of its records.
    pub kind: String,
    /// Whether the owner may change only their own records.
    pub own_rows: bool,
    /// Name of the file.
    pub file_name: String,
    /// What happens to rows whose records exist.
    pub existing: DuplicatePolicy,
    /// Its state.
    pub state: RunState,
    /// Rows of the table.
    pub total: i32,
    /// The row after which the next part starts; none after the last part.
    pub next: Option<i32>,
    /// Records created.
    pub creates: i32,
    /// Records changed.
    pub updates: i32,
    /// Rows that changed nothing.
    pub unchanged: i32,
    /// Refused rows.
    pub errors: i32,
    /// Why it failed.
    pub reason: Option<String>,
    /// When it was started.
    #[serde(with = "time::serde::rfc3339")]
    pub started_at: OffsetDateTime,
    /// Its last change.
    #[serde(with = "time::serde::rfc3339")]
    pub changed_at: OffsetDateTime,
}

/// A run to start.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The imported table.
    pub id: Uuid,
    /// Owner.
    pub owner: MemberId,
    /// Kind of its records.
    pub kind: &'a str,
    /// Whether the owner may change only their own records.
    pub own_rows: bool,
    /// Name of the file.
    pub file_name: &'a str,
    /// What happens to rows whose records exist.
    pub existing: DuplicatePolicy,
    /// Rows of the table.
    pub total: i32,
}

/// Numbers of a part.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartCounts {
    /// Records created.
    pub creates: i32,
    /// Records changed.
    pub updates: i32,
    /// Rows that changed nothing.
    pub unchanged: i32,
    /// Refused rows.
    pub errors: i32,
}

/// Starts a run, once however often it is asked for; false if the owner has too many that are not over.
///
/// # Errors
/// [`ReadError`].
pub async fn start(pool: &PgPool, run: NewRun<'_>, now: OffsetDateTime) -> Result<bool, ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    // One start of an owner at a time, so that the number is right.
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended('import_runs' || $1::text, 0))")
        .bind(run.owner.to_string())
        .execute(&mut *transaction)
        .await?;
    let (known, open): (bool, i64) = sqlx::query_as(
        "SELECT coalesce(bool_or(id = $2), false), count(*) FILTER (WHERE state IN ('running', 'stopped')) \
         FROM import_runs WHERE owner = $1",
    )
    .bind(run.owner.0)
    .bind(run.id)
    .fetch_one(&mut *transaction)
    .await?;
    if !known && open >= OPEN_MOST {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO import_runs (id, owner, kind, own_rows, file_name, existing, state, total, next, started_at, changed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, 0, $8, $8) ON CONFLICT (id) DO NOTHING",
    )
    .bind(run.id)
    .bind(run.owner.0)
    .bind(run.kind)
    .bind(run.own_rows)
    .bind(run.file_name)
    .bind(run.existing.name())
    .bind(run.total)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}

/// A run of this owner.
///
/// # Errors
/// [`ReadError`].
pub async fn find(
    pool: &PgPool,
    owner: MemberId,
    id: Uuid,
) -> Result<Option<ImportRun>, ReadError> {
    let sql = "SELECT to_jsonb(r) FROM import_runs r WHERE id = $1 AND owner = $2";
    let found = sqlx::query_scalar(sql)
        .bind(id)
        .bind(owner.0)
        .fetch_all(pool);
    Ok(typed(found.await?)?.pop())
}

/// The last runs of this owner and kind, newest first.
///
/// # Errors
/// [`ReadError`].
pub async fn list(pool: &PgPool, owner: MemberId, kind: &str) -> Result<Vec<ImportRun>, ReadError> {
    let sql = "SELECT to_jsonb(r) FROM import_runs r WHERE owner = $1 AND kind = $2 ORDER BY id DESC LIMIT $3";
    let found = sqlx::query_scalar(sql)
        .bind(owner.0)
        .bind(kind)
        .bind(LISTED_MOST)
        .fetch_all(pool);
    typed(found.await?)
}

/// Stops a run, or lets it go on; nothing for one that is over.
///
/// # Errors
/// [`ReadError`].
pub async fn set_stopped(
    pool: &PgPool,
    id: Uuid,
    is_stopped: bool,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    let state = if is_stopped {
        RunState::Stopped
    } else {
        RunState::Running
    };
    sqlx::query(
        "UPDATE import_runs SET state = $2, changed_at = $3 WHERE id = $1 AND state IN ('running', 'stopped')",
    )
    .bind(id)
    .bind(state.name())
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// Claims the running run that waited longest, for as long as `claim`.
///
/// # Errors
/// [`ReadError`].
pub async fn claim(
    pool: &PgPool,
    now: OffsetDateTime,
    claim: Duration,
) -> Result<Option<ImportRun>, ReadError> {
    let sql = "UPDATE import_runs r SET claimed_until = $2 WHERE id = (SELECT id FROM import_runs WHERE state = 'running' \
         AND (claimed_until IS NULL OR claimed_until < $1) ORDER BY changed_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) \
         RETURNING to_jsonb(r)";
    let found = sqlx::query_scalar(sql)
        .bind(now)
        .bind(now + claim)
        .fetch_all(pool);
    Ok(typed(found.await?)?.pop())
}

/// Records a part as done: its numbers, its refused rows, and the row after which the next one starts. A part that was recorded before
/// changes nothing.
///
/// # Errors
/// [`ReadError`].
pub async fn part_done(
    pool: &PgPool,
    run: &ImportRun,
    next: Option<i32>,
    counts: PartCounts,
    refused: Option<Value>,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    let mut transaction = event_store::begin(pool).await?;
    let moved = sqlx::query(
        "UPDATE import_runs SET next = $3, state = CASE WHEN $3::integer IS NULL THEN 'done' ELSE state END, \
         creates = creates + $4, updates = updates + $5, unchanged = unchanged + $6, errors = errors + $7, \
         claimed_until = NULL, changed_at = $8 WHERE id = $1 AND next = $2 AND state IN ('running', 'stopped')",
    )
    .bind(run.id)
    .bind(run.next)
    .bind(next)
    .bind(counts.creates)
    .bind(counts.updates)
    .bind(counts.unchanged)
    .bind(counts.errors)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    if moved.rows_affected() > 0
        && let Some(rows) = refused
    {
        sqlx::query("INSERT INTO import_refusals (run, after, rows) VALUES ($1, $2, $3)")
            .bind(run.id)
            .bind(run.next)
            .bind(rows)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Ends a run that cannot go on.
///
/// # Errors
/// [`ReadError`].
pub async fn fail(
    pool: &PgPool,
    id: Uuid,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "UPDATE import_runs SET state = 'failed', reason = $2, changed_at = $3, claimed_until = NULL WHERE id = $1 AND state = 'running'",
    )
    .bind(id)
    .bind(reason)
    .bind(now)
    .execute(pool)
    .await?;
    Ok(())
}

/// The refused rows of a run, a value for each part, in order.
///
/// # Errors
/// [`ReadError`].
pub async fn refusals(pool: &PgPool, id: Uuid) -> Result<Vec<(i32, Value)>, ReadError> {
    let sql = "SELECT after, rows FROM import_refusals WHERE run = $1 ORDER BY after";
    Ok(sqlx::query_as(sql).bind(id).fetch_all(pool).await?)
}

/// Deletes runs older than [`KEPT`] that are not running, with their tables.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<u64, ReadError> {
    let sql = "WITH gone AS (DELETE FROM import_runs WHERE changed_at < $1 AND state <> 'running' RETURNING id) \
               DELETE FROM import_parts WHERE id IN (SELECT id FROM gone)";
    let gone = sqlx::query(sql).bind(now - KEPT).execute(pool).await?;
    Ok(gone.rows_affected())
}
