//! Snapshots: the state of an aggregate after a prefix of its events. They bound the cost of loading: a stream of ten thousand
//! events (the stock of a best-seller) loads as fast as one of a hundred.
//!
//! Snapshots of cqrs-es apply events twice; these are our own. A prefix of a stream never changes, so a snapshot can be old but not
//! wrong: the events after it are always read. It stores the fingerprint of the rules that computed it and is ignored by programs
//! with other rules, which replay instead.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use cqrs_es::Aggregate;
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::error::StoreError;
use crate::stored_event::Versioned;
use crate::stream_id::StreamId;

/// A stream of at most this many events is read whole; of a longer one, this many newest events are read first.
pub(crate) const RECENT: i64 = 100;
/// Number of events after a snapshot before another one is written.
const APART: usize = 50;

/// The state of an aggregate after the events up to `version`.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub version: u64,
    pub position: i64,
    pub state: Value,
}

impl Snapshot {
    pub(crate) fn open<A: Aggregate>(&self, stream: &StreamId) -> Result<Versioned<A>, StoreError> {
        let state = serde::Deserialize::deserialize(&self.state);
        Ok(Versioned {
            state: state.map_err(|source| StoreError::Snapshot {
                stream: stream.clone(),
                source,
            })?,
            version: self.version,
            position: self.position,
        })
    }
}

/// The fingerprint of the snapshots this process reads and writes.
#[derive(Debug)]
pub(crate) struct Snapshots {
    rules: String,
    /// Streams whose snapshot is being written.
    writing: Mutex<HashSet<StreamId>>,
}

impl Snapshots {
    pub(crate) fn of(rules: String) -> Self {
        Self {
            rules,
            writing: Mutex::default(),
        }
    }

    /// False if a snapshot of this stream is being written.
    fn begin(&self, stream: &StreamId) -> bool {
        self.writing
            .lock()
            .is_ok_and(|mut writing| writing.insert(stream.clone()))
    }

    fn end(&self, stream: &StreamId) {
        if let Ok(mut writing) = self.writing.lock() {
            writing.remove(stream);
        }
    }

    /// The newest snapshots of some streams.
    pub(crate) async fn newest(
        &self,
        connection: &mut PgConnection,
        streams: &[StreamId],
    ) -> Result<HashMap<StreamId, Snapshot>, StoreError> {
        if streams.is_empty() {
            return Ok(HashMap::new());
        }
        let (kinds, ids): (Vec<&str>, Vec<&str>) = streams
            .iter()
            .map(|stream| (stream.kind.as_str(), stream.id.as_str()))
            .unzip();
        let rows: Vec<(String, String, i64, i64, Json<Value>)> = sqlx::query_as(
            "SELECT aggregate_type, aggregate_id, version, position, state
             FROM unnest($1::text[], $2::text[]) AS wanted(kind, id)
             JOIN snapshots ON aggregate_type = kind AND aggregate_id = id WHERE rules = $3",
        )
        .bind(kinds)
        .bind(ids)
        .bind(&self.rules)
        .fetch_all(connection)
        .await?;
        rows.into_iter()
            .map(|(kind, id, version, position, state)| {
                let snapshot = Snapshot {
                    version: u64::try_from(version)?,
                    position,
                    state: state.0,
                };
                Ok((StreamId { kind, id }, snapshot))
            })
            .collect()
    }

    /// Writes a snapshot in the background if the state was computed from many events: `replayed` after the snapshot before it.
    pub(crate) fn keep(
        self: &Arc<Self>,
        pool: &PgPool,
        stream: &StreamId,
        replayed: usize,
        (version, position): (u64, i64),
        state: impl FnOnce() -> Result<Value, serde_json::Error>,
    ) {
        let long = i64::try_from(version).is_ok_and(|version| version > RECENT);
        if !long || replayed < APART || !self.begin(stream) {
            return;
        }
        let (snapshots, pool, stream) = (Arc::clone(self), pool.clone(), stream.clone());
        let state = state();
        tokio::spawn(async move {
            let written = match state {
                Ok(state) => {
                    let snapshot = Snapshot {
                        version,
                        position,
                        state,
                    };
                    snapshots.write(&pool, &stream, snapshot).await
                }
                Err(source) => Err(StoreError::Snapshot {
                    stream: stream.clone(),
                    source,
                }),
            };
            // A standby replicates its primary's snapshots.
            if let Err(error) = written
                && !error.is_read_only()
            {
                tracing::warn!(%stream, %error, "no snapshot is written");
            }
            snapshots.end(&stream);
        });
    }

    async fn write(
        &self,
        pool: &PgPool,
        stream: &StreamId,
        new: Snapshot,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO snapshots (aggregate_type, aggregate_id, rules, version, position, state)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (aggregate_type, aggregate_id, rules) DO UPDATE
                 SET version = excluded.version, position = excluded.position, state = excluded.state,
                     written_at = excluded.written_at
                 WHERE snapshots.version < excluded.version",
        )
        .bind(&stream.kind)
        .bind(&stream.id)
        .bind(&self.rules)
        .bind(i64::try_from(new.version)?)
        .bind(new.position)
        .bind(Json(new.state))
        .execute(pool)
        .await?;
        Ok(())
    }

    /// Deletes snapshots of other fingerprints written before `before`; returns their number.
    pub(crate) async fn forget_foreign(
        &self,
        pool: &PgPool,
        before: OffsetDateTime,
    ) -> Result<u64, StoreError> {
        let gone = sqlx::query("DELETE FROM snapshots WHERE rules <> $1 AND written_at < $2")
            .bind(&self.rules)
            .bind(before)
            .execute(pool)
            .await?;
        Ok(gone.rows_affected())
    }
}
