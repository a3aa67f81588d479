//! Status of projections and rebuilds for operators, and their requests.

use sqlx::PgPool;
use time::OffsetDateTime;

use super::rebuild::lock_of;
use crate::error::StoreError;
use crate::horizon::holding;
use crate::store::Store;

/// State of one version of a projection.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct ProjectionState {
    /// Name of the projection.
    pub name: String,
    /// Version of the projection.
    pub version: i32,
    /// Position up to which its tables are complete.
    pub position: i64,
    /// Whether readers see this version.
    pub active: bool,
    /// Number of positions behind the newest event.
    pub lag_events: i64,
    /// Age of the first event not applied yet, in seconds; 0 without lag.
    pub lag_seconds: f64,
    /// The error that prevents progress, if any.
    pub last_error: Option<String>,
    /// Start of the failure.
    pub failing_since: Option<OffsetDateTime>,
    /// Time since which it has stopped retrying, if so.
    pub stopped_at: Option<OffsetDateTime>,
    /// Number of parked streams.
    pub parked_streams: i64,
    /// Number of events held back in parked streams.
    pub held_events: i64,
    /// Time of the last rebuild, if its previous tables are kept and can be restored.
    pub kept_at: Option<OffsetDateTime>,
}

/// State of the last rebuild of a read model.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct RebuildState {
    /// The read model.
    pub name: String,
    /// Kind of rebuild: `rebuild` or `back`.
    pub act: String,
    /// `asked`, `reading`, `keys`, `catching-up`, `switching`, `done`, `failed`, or `cut-off` if its process is gone.
    pub phase: String,
    /// Events replayed.
    pub done: i64,
    /// Events to replay.
    pub total: i64,
    /// Events per second during the replay.
    pub rate: i64,
    /// Estimated remaining time of the replay, at that rate.
    pub seconds_left: Option<i64>,
    /// Start time.
    pub began_at: Option<OffsetDateTime>,
    /// End time.
    pub ended_at: Option<OffsetDateTime>,
    /// The error that ended it.
    pub error: Option<String>,
}

impl RebuildState {
    /// Whether it is requested or in progress.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.phase.as_str(), "done" | "failed" | "cut-off")
    }
}

/// A parked stream of a projection.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct ParkedStream {
    /// The projection.
    pub name: String,
    /// Kind of the stream.
    pub stream_kind: String,
    /// Its id.
    pub stream_id: String,
    /// Position of the event that cannot be applied.
    pub position: i64,
    /// Type of the event.
    pub event_type: String,
    /// The error.
    pub error: String,
    /// Time it was parked.
    pub parked_at: OffsetDateTime,
    /// Number of events held back, including that one.
    pub held_events: i64,
}

/// A transaction that delays all readers of the log, because it writes events and has not ended.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Writer {
    /// Process id in Postgres.
    pub process: i32,
    /// Application name of the connection.
    pub application: String,
    /// `active`, `idle in transaction`, ...
    pub state: String,
    /// Age in seconds.
    pub seconds: f64,
}

impl Store {
    /// States of all projections, by name and version.
    ///
    /// # Errors
    /// Database errors.
    pub async fn projection_states(&self) -> Result<Vec<ProjectionState>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT c.name, c.version, c.position, c.active, c.last_error, c.failing_since, c.stopped_at,
                    greatest((SELECT coalesce(max(global_position), 0) FROM events) - c.position, 0) AS lag_events,
                    coalesce(extract(epoch FROM clock_timestamp() - (
                        SELECT e.recorded_at FROM events e
                        WHERE e.global_position > c.position ORDER BY e.global_position LIMIT 1)), 0)::float8 AS lag_seconds,
                    p.streams AS parked_streams, p.events AS held_events, k.kept_at
             FROM projection_checkpoint c
             CROSS JOIN LATERAL (
                 SELECT count(*) AS streams, coalesce(sum((
                     SELECT count(*) FROM events e
                     WHERE e.aggregate_type = s.stream_kind AND e.aggregate_id = s.stream_id
                       AND e.global_position BETWEEN s.position AND c.position)), 0)::bigint AS events
                 FROM projection_parked s WHERE s.name = c.name AND s.version = c.version AND s.place = 'live') p
             LEFT JOIN projection_kept k ON k.name = c.name AND k.version = c.version AND c.active
             ORDER BY c.name COLLATE \"C\", c.version",
        )
        .fetch_all(self.pool())
        .await?)
    }

    /// The parked streams of projection `name`, at most `most`, oldest first.
    ///
    /// # Errors
    /// Database errors.
    pub async fn parked_streams(
        &self,
        name: &str,
        most: i64,
    ) -> Result<Vec<ParkedStream>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT s.name, s.stream_kind, s.stream_id, s.position, s.event_type, s.error, s.parked_at,
                    (SELECT count(*) FROM events e
                     WHERE e.aggregate_type = s.stream_kind AND e.aggregate_id = s.stream_id
                       AND e.global_position BETWEEN s.position AND c.position) AS held_events
             FROM projection_parked s JOIN projection_checkpoint c ON c.name = s.name AND c.version = s.version
             WHERE s.place = 'live' AND s.name = $1 AND c.active ORDER BY s.position LIMIT $2",
        )
        .bind(name)
        .bind(most)
        .fetch_all(self.pool())
        .await?)
    }

    /// State of the last rebuild of each read model.
    ///
    /// # Errors
    /// Database errors.
    pub async fn rebuild_states(&self) -> Result<Vec<RebuildState>, StoreError> {
        let names: Vec<String> = sqlx::query_scalar("SELECT name FROM projection_rebuild")
            .fetch_all(self.pool())
            .await?;
        let locks: Vec<i64> = names.iter().map(|name| lock_of(name)).collect();
        Ok(sqlx::query_as(
            "SELECT name, act, done, total, began_at, ended_at, error,
                    CASE WHEN phase IN ('done', 'failed') OR held THEN phase
                         -- nobody took it, or who took it is about to get the right to it
                         WHEN phase = 'asked' AND coalesce(began_at > clock_timestamp() - interval '30 seconds', true) THEN phase
                         ELSE 'cut-off' END AS phase,
                    rate, CASE WHEN phase = 'reading' AND rate > 0 THEN greatest(total - done, 0) / rate END AS seconds_left
             FROM (SELECT r.*,
                          (done / greatest(extract(epoch FROM coalesce(read_at, ended_at, clock_timestamp()) - began_at), 0.001))::bigint AS rate,
                          EXISTS (SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1
                                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                                    AND ((l.classid::bigint << 32) | l.objid::bigint) = w.lock) AS held
                   FROM projection_rebuild r JOIN unnest($1::text[], $2::bigint[]) AS w(name, lock) USING (name)) r
             ORDER BY name COLLATE \"C\"",
        )
        .bind(&names)
        .bind(&locks)
        .fetch_all(self.pool())
        .await?)
    }

    /// Requests a rebuild from the background workers (`act`: `rebuild` or `back`); false if one is in progress.
    ///
    /// # Errors
    /// Database errors.
    pub async fn ask_rebuild(&self, name: &str, act: &str) -> Result<bool, StoreError> {
        let now = self.rebuild_states().await?;
        if now
            .iter()
            .any(|state| state.name == name && state.is_under_way())
        {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO projection_rebuild (name, act, phase) VALUES ($1, $2, 'asked')
             ON CONFLICT (name) DO UPDATE
                 SET act = excluded.act, phase = 'asked', asked_at = clock_timestamp(), done = 0, total = 0,
                     began_at = NULL, read_at = NULL, ended_at = NULL, error = NULL",
        )
        .bind(name)
        .bind(act)
        .execute(self.pool())
        .await?;
        Ok(true)
    }

    /// Takes a requested rebuild: its name and kind.
    ///
    /// # Errors
    /// Database errors.
    pub async fn take_asked_rebuild(&self) -> Result<Option<(String, String)>, StoreError> {
        Ok(sqlx::query_as(
            "UPDATE projection_rebuild SET began_at = clock_timestamp()
             WHERE name = (SELECT name FROM projection_rebuild WHERE phase = 'asked' AND began_at IS NULL ORDER BY asked_at LIMIT 1
                           FOR UPDATE SKIP LOCKED)
             RETURNING name, act",
        )
        .fetch_optional(self.pool())
        .await?)
    }

    /// The oldest transaction that delays readers of the log, if any.
    ///
    /// # Errors
    /// Database errors.
    pub async fn oldest_writer(&self) -> Result<Option<Writer>, StoreError> {
        oldest_writer(self.pool()).await
    }
}

async fn oldest_writer(pool: &PgPool) -> Result<Option<Writer>, StoreError> {
    Ok(sqlx::query_as(concat!(
        "SELECT a.pid AS process, coalesce(a.application_name, '') AS application, coalesce(a.state, '') AS state,
                extract(epoch FROM clock_timestamp() - a.xact_start)::float8 AS seconds
         FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE ",
        holding!(),
        " AND a.xact_start IS NOT NULL ORDER BY a.xact_start LIMIT 1"
    ))
    .fetch_optional(pool)
    .await?)
}
