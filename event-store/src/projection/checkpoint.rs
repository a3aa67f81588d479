//! The checkpoint row of a projection: its position, its epoch, and the version visible to readers.

use std::collections::BTreeMap;

use sqlx::{Connection, Executor, PgConnection, PgPool};
use time::OffsetDateTime;

use super::schemas::SchemaRole;
use super::{Projection, poison};
use crate::advisory_lock;
use crate::error::StoreError;
use crate::store::Progress;
use crate::store::Store;

/// Identifies a checkpoint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub name: &'static str,
    pub version: i32,
}

impl Key {
    pub(super) fn of(projection: &dyn Projection) -> Result<Self, StoreError> {
        let name = projection.name();
        let good = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.len() <= 40
            && name
                .chars()
                .all(|each| each.is_ascii_lowercase() || each.is_ascii_digit() || each == '_');
        if !good {
            return Err(StoreError::ProjectionName(name.to_owned()));
        }
        Ok(Self {
            name,
            version: i32::try_from(projection.version())?,
        })
    }

    /// `p_<name>_v<version>`
    pub(super) fn table(self) -> String {
        format!("p_{}_v{}", self.name, self.version)
    }

    /// The lease's advisory lock.
    pub(super) fn lease(self) -> i64 {
        advisory_lock::key("lease", &[self.table().as_bytes()])
    }
}

/// The right to move a checkpoint, valid until a higher epoch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Epoch(pub i64);

/// Creates the tables if they are missing and takes a new epoch, in one transaction.
pub(super) async fn take(
    connection: &mut PgConnection,
    key: Key,
    create_sql: &str,
) -> Result<Epoch, StoreError> {
    let mut transaction = connection.begin().await?;
    one_maker_at_a_time(&mut transaction, key).await?;
    let known: Option<i64> = sqlx::query_scalar(
        "UPDATE projection_checkpoint SET lease_epoch = lease_epoch + 1, updated_at = clock_timestamp()
         WHERE name = $1 AND version = $2 RETURNING lease_epoch",
    )
    .bind(key.name)
    .bind(key.version)
    .fetch_optional(&mut *transaction)
    .await?;
    let there = create_sql.is_empty()
        || tables(&mut transaction, key)
            .await?
            .contains_key(&key.table());
    let epoch = match known {
        // A row that never had an epoch only stores the error of an attempt to create the tables.
        Some(epoch) if there && epoch > 1 => epoch,
        _ => make(&mut transaction, key, create_sql).await?,
    };
    transaction.commit().await?;
    Ok(Epoch(epoch))
}

/// Creates the tables from scratch: without checkpoint and table, other remains of the version are useless.
async fn make(
    connection: &mut PgConnection,
    key: Key,
    create_sql: &str,
) -> Result<i64, StoreError> {
    keep_readers_out(connection, key).await?;
    for table in tables(connection, key).await?.keys() {
        let drop = format!("DROP TABLE \"{table}\" CASCADE");
        connection.execute(drop.as_str()).await?;
    }
    poison::forget(connection, key, SchemaRole::Live).await?;
    if !create_sql.is_empty() {
        connection.execute(create_sql).await?;
    }
    let epoch = sqlx::query_scalar(
        "INSERT INTO projection_checkpoint AS c (name, version, lease_epoch) VALUES ($1, $2, 1)
         ON CONFLICT (name, version) DO UPDATE
             SET position = 0, lease_epoch = c.lease_epoch + 1, last_error = NULL, failing_since = NULL,
                 stopped_at = NULL, updated_at = clock_timestamp()
         RETURNING lease_epoch",
    )
    .bind(key.name)
    .bind(key.version)
    .fetch_one(&mut *connection)
    .await?;
    let shown: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM projection_checkpoint WHERE name = $1 AND active AND version <> $2)",
    )
    .bind(key.name)
    .bind(key.version)
    .fetch_one(&mut *connection)
    .await?;
    if !shown {
        show(connection, key).await?;
    }
    Ok(epoch)
}

/// Makes this version visible to readers.
pub(super) async fn activate(connection: &mut PgConnection, key: Key) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    one_maker_at_a_time(&mut transaction, key).await?;
    show(&mut transaction, key).await?;
    transaction.commit().await?;
    Ok(())
}

/// Points the views at the tables of this version, and marks its checkpoint as the one readers wait for.
pub(super) async fn show(connection: &mut PgConnection, key: Key) -> Result<(), StoreError> {
    for (table, view) in tables(connection, key).await? {
        // A view with unchanged columns is replaced in place, which keeps its grants and dependent views.
        let same: bool = sqlx::query_scalar(
            "SELECT count(DISTINCT columns) = 1 FROM (
                 SELECT w.name, array_agg(concat_ws(' ', a.attname, a.atttypid, a.atttypmod) ORDER BY a.attnum) AS columns
                 FROM unnest(ARRAY[$1, $2]) AS w(name) LEFT JOIN pg_attribute a
                   ON a.attrelid = to_regclass(quote_ident(w.name)) AND a.attnum > 0 AND NOT a.attisdropped
                 GROUP BY w.name) s",
        )
        .bind(&table)
        .bind(&view)
        .fetch_one(&mut *connection)
        .await?;
        if !same {
            let drop = format!("DROP VIEW IF EXISTS \"{view}\"");
            connection.execute(drop.as_str()).await?;
        }
        let make = format!("CREATE OR REPLACE VIEW \"{view}\" AS SELECT * FROM \"{table}\"");
        connection.execute(make.as_str()).await?;
    }
    sqlx::query("UPDATE projection_checkpoint SET active = false WHERE name = $1 AND version <> $2 AND active")
        .bind(key.name)
        .bind(key.version)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "UPDATE projection_checkpoint SET active = true, last_error = NULL, failing_since = NULL, stopped_at = NULL
         WHERE name = $1 AND version = $2",
    )
    .bind(key.name)
    .bind(key.version)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

/// Transaction-scoped lock: one process at a time creates tables.
pub(super) async fn one_maker_at_a_time(
    connection: &mut PgConnection,
    key: Key,
) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(advisory_lock::key("projection", &[key.name.as_bytes()]))
        .execute(connection)
        .await?;
    Ok(())
}

/// Transaction-scoped lock on the views. Readers lock a view before its table; changing tables in another order could deadlock.
/// Locking a view locks the tables under it.
pub(super) async fn keep_readers_out(
    connection: &mut PgConnection,
    key: Key,
) -> Result<(), sqlx::Error> {
    for view in tables(connection, key).await?.values() {
        let shown: bool = sqlx::query_scalar("SELECT to_regclass(quote_ident($1)) IS NOT NULL")
            .bind(view)
            .fetch_one(&mut *connection)
            .await?;
        if shown {
            let lock = format!("LOCK TABLE \"{view}\" IN ACCESS EXCLUSIVE MODE");
            connection.execute(lock.as_str()).await?;
        }
    }
    Ok(())
}

/// The tables of one version, with the names of their views.
async fn tables(
    connection: &mut PgConnection,
    key: Key,
) -> Result<BTreeMap<String, String>, sqlx::Error> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "SELECT relname::text, $2 || substr(relname, length($1) + 1) FROM pg_class
         WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
           AND (relname = $1 OR starts_with(relname, $1 || '_'))",
    )
    .bind(key.table())
    .bind(key.name)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().collect())
}

/// Position of the projection and whether it is visible; `None` if the epoch is no longer the newest.
pub(super) async fn position(
    pool: &PgPool,
    key: Key,
    epoch: Epoch,
) -> Result<Option<(i64, bool)>, sqlx::Error> {
    sqlx::query_as(
        "SELECT position, active FROM projection_checkpoint WHERE name = $1 AND version = $2 AND lease_epoch = $3",
    )
    .bind(key.name)
    .bind(key.version)
    .bind(epoch.0)
    .fetch_optional(pool)
    .await
}

/// Moves the checkpoint; false if its position changed or a newer epoch exists.
pub(super) async fn advance(
    connection: &mut PgConnection,
    key: Key,
    epoch: Epoch,
    old: i64,
    new: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "UPDATE projection_checkpoint
         SET position = $5, last_error = NULL, failing_since = NULL, stopped_at = NULL, updated_at = clock_timestamp()
         WHERE name = $1 AND version = $2 AND lease_epoch = $3 AND position = $4",
    )
    .bind(key.name)
    .bind(key.version)
    .bind(epoch.0)
    .bind(old)
    .bind(new)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Stores an error for operators.
pub(super) async fn failed(pool: &PgPool, key: Key, error: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO projection_checkpoint AS c (name, version, last_error, failing_since)
         VALUES ($1, $2, $3, clock_timestamp())
         ON CONFLICT (name, version) DO UPDATE
             SET last_error = excluded.last_error, failing_since = coalesce(c.failing_since, excluded.failing_since)",
    )
    .bind(key.name)
    .bind(key.version)
    .bind(error)
    .execute(pool)
    .await?;
    Ok(())
}

/// Records that the projection has stopped until an operator resumes it.
pub(super) async fn stopped(
    pool: &PgPool,
    key: Key,
    epoch: Epoch,
    error: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE projection_checkpoint
         SET last_error = $4, failing_since = coalesce(failing_since, clock_timestamp()), stopped_at = clock_timestamp()
         WHERE name = $1 AND version = $2 AND lease_epoch = $3",
    )
    .bind(key.name)
    .bind(key.version)
    .bind(epoch.0)
    .bind(error)
    .execute(pool)
    .await?;
    Ok(())
}

/// State of a projection, for operators.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Checkpoint {
    /// Name of the projection.
    pub name: String,
    /// Version of the projection.
    pub version: i32,
    /// Position up to which its tables are complete.
    pub position: i64,
    /// Whether readers see this version.
    pub active: bool,
    /// The error that prevents progress, if any.
    pub last_error: Option<String>,
    /// Start of the failure.
    pub failing_since: Option<OffsetDateTime>,
    /// Time of the last move.
    pub updated_at: OffsetDateTime,
}

impl Store {
    /// The state of all projections, by name and version.
    ///
    /// # Errors
    /// Database errors.
    pub async fn checkpoints(&self) -> Result<Vec<Checkpoint>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT name, version, position, active, last_error, failing_since, updated_at
             FROM projection_checkpoint ORDER BY name COLLATE \"C\", version",
        )
        .fetch_all(self.pool())
        .await?)
    }

    /// Deletes a projection's state: its runner creates the tables again and starts from the beginning. Readers see it grow; to
    /// rebuild invisibly, raise the version.
    ///
    /// # Errors
    /// Database errors.
    pub async fn reset_projection(&self, name: &str, version: u32) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM projection_checkpoint WHERE name = $1 AND version = $2")
            .bind(name)
            .bind(i32::try_from(version)?)
            .execute(self.pool())
            .await?;
        Ok(())
    }

    /// Positions of the visible read models, and which of them have stopped; names without a visible version are missing.
    pub(super) async fn read_progress(
        &self,
        names: &[&str],
    ) -> Result<(Progress, Progress), sqlx::Error> {
        let rows: Vec<(String, i64, bool)> = sqlx::query_as(
            "SELECT name, position, stopped_at IS NOT NULL FROM projection_checkpoint WHERE name = ANY($1) AND active",
        )
        .bind(names)
        .fetch_all(self.pool())
        .await?;
        let stopped = rows.iter().filter(|(_, _, stopped)| *stopped);
        Ok((
            rows.iter()
                .map(|(name, position, _)| (name.clone(), *position))
                .collect(),
            stopped
                .map(|(name, position, _)| (name.clone(), *position))
                .collect(),
        ))
    }
}
