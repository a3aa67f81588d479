//! Snapshots: the state of an aggregate after a prefix of its events. They bound the cost of loading: a stream of ten thousand
//! events (the stock of a best-seller) loads as fast as one of a hundred.
//!
//! Snapshots of cqrs-es apply events twice; these are our own. A prefix of a stream never changes, so a snapshot can be old but not
//! wrong: the events after it are always read. It stores the fingerprint of the rules that computed it and is ignored by programs
//! with other rules, which replay instead.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use cqrs_es::Aggregate;
use domain::unit_of_work::WorkStream;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;

use crate::append::StreamId;
use crate::error::StoreError;
use crate::store::Store;
use crate::stored_event::{Page, Versioned};

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
    fn open<A: Aggregate>(&self, stream: &StreamId) -> Result<Versioned<A>, StoreError> {
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

/// A stream as read for a decision: all its events, or those after a snapshot.
#[derive(Debug)]
pub(crate) struct StreamPage {
    pub stream: StreamId,
    pub base: Option<Snapshot>,
    pub page: Page,
}

impl StreamPage {
    /// Restores and replays the stream into a unit of work; returns its version and position.
    pub(crate) fn replay(&self, slot: &mut dyn WorkStream) -> Result<(u64, i64), StoreError> {
        let (mut version, mut position) = (0, 0);
        if let Some(snapshot) = &self.base {
            let restored = slot.restore(&snapshot.state);
            restored.map_err(|source| StoreError::Snapshot {
                stream: self.stream.clone(),
                source,
            })?;
            (version, position) = (snapshot.version, snapshot.position);
        }
        for event in &self.page.events {
            let replayed = slot.replay(event.payload.text());
            replayed.map_err(|source| event.unread(source))?;
        }
        if self.page.rows > 0 {
            (version, position) = (self.page.last_version, self.page.last_position);
        }
        Ok((version, position))
    }

    /// The state after the whole stream.
    pub(crate) fn fold<A: Aggregate>(&self) -> Result<Versioned<A>, StoreError> {
        let base = match &self.base {
            Some(snapshot) => snapshot.open(&self.stream)?,
            None => Versioned::default(),
        };
        self.page.fold_after(base)
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
}

impl Store {
    /// The newest snapshots of some streams.
    pub(crate) async fn snapshots(
        &self,
        connection: &mut PgConnection,
        streams: &[StreamId],
    ) -> Result<HashMap<StreamId, Snapshot>, StoreError> {
        let Some(snapshots) = &self.inner.snapshots else {
            return Ok(HashMap::new());
        };
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
        .bind(&snapshots.rules)
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

    /// Writes a snapshot in the background if the state was computed from many events.
    pub(crate) fn keep_snapshot<A: Aggregate>(&self, read: &StreamPage, loaded: &Versioned<A>) {
        self.keep_state(read, loaded.version, loaded.position, || {
            serde_json::to_value(&loaded.state)
        });
    }

    /// As [`Store::keep_snapshot`], for a state of any type.
    pub(crate) fn keep_state(
        &self,
        read: &StreamPage,
        version: u64,
        position: i64,
        state: impl FnOnce() -> Result<Value, serde_json::Error>,
    ) {
        let Some(snapshots) = self.inner.snapshots.clone() else {
            return;
        };
        let long = i64::try_from(version).is_ok_and(|version| version > RECENT);
        if !long || read.page.rows < APART || !snapshots.begin(&read.stream) {
            return;
        }
        let (store, stream) = (self.clone(), read.stream.clone());
        let state = state();
        tokio::spawn(async move {
            let written = match state {
                Ok(state) => {
                    let snapshot = Snapshot {
                        version,
                        position,
                        state,
                    };
                    store
                        .write_snapshot(&snapshots.rules, &stream, snapshot)
                        .await
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

    async fn write_snapshot(
        &self,
        rules: &str,
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
        .bind(rules)
        .bind(i64::try_from(new.version)?)
        .bind(new.position)
        .bind(Json(new.state))
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Deletes snapshots of other fingerprints written before `before`; returns their number.
    ///
    /// # Errors
    /// Database errors.
    pub async fn forget_foreign_snapshots(
        &self,
        before: OffsetDateTime,
    ) -> Result<u64, StoreError> {
        let Some(snapshots) = &self.inner.snapshots else {
            return Ok(0);
        };
        let gone = sqlx::query("DELETE FROM snapshots WHERE rules <> $1 AND written_at < $2")
            .bind(&snapshots.rules)
            .bind(before)
            .execute(self.pool())
            .await?;
        Ok(gone.rows_affected())
    }
}
