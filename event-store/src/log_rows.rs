//! Rows of the log as queries return them, upcast and replayed.

use cqrs_es::Aggregate;
use domain::unit_of_work::StreamState;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::StoreError;
use crate::metadata::Metadata;
use crate::payload::Payload;
use crate::snapshot::Snapshot;
use crate::stored_event::{StoredEvent, Versioned};
use crate::stream_id::StreamId;
use crate::upcast::Upcasters;

/// The columns of [`Row`], in SQL.
pub(crate) const COLUMNS: &str = "global_position, aggregate_type, aggregate_id, sequence, event_type, event_version, \
     payload::text AS payload, metadata::text AS metadata, recorded_at, event_id, occurred_at";

/// A row of `events`.
#[derive(sqlx::FromRow)]
pub(crate) struct Row {
    pub global_position: i64,
    pub aggregate_type: String,
    pub aggregate_id: String,
    pub sequence: i64,
    pub event_type: String,
    pub event_version: String,
    pub payload: String,
    pub metadata: String,
    pub recorded_at: OffsetDateTime,
    pub event_id: Option<Uuid>,
    pub occurred_at: Option<OffsetDateTime>,
}

impl Row {
    pub(crate) fn upcast(
        self,
        upcasters: &Upcasters,
        out: &mut Vec<StoredEvent>,
    ) -> Result<(), StoreError> {
        let when = self.occurred_at.unwrap_or(self.recorded_at);
        let metadata = Metadata::read(&self.metadata, when);
        let recorded = StoredEvent {
            position: self.global_position,
            stream: StreamId {
                kind: self.aggregate_type,
                id: self.aggregate_id,
            },
            version: u64::try_from(self.sequence)?,
            metadata: metadata.map_err(|source| StoreError::Decode {
                position: self.global_position,
                event_type: self.event_type.clone(),
                event_version: self.event_version.clone(),
                source,
            })?,
            event_type: self.event_type,
            event_version: self.event_version,
            payload: Payload::stored(self.payload),
            recorded_at: self.recorded_at,
            event_id: match self.event_id {
                Some(id) => id,
                None => Uuid::from_u128(u128::try_from(self.global_position)?),
            },
        };
        upcasters.read(recorded, out)
    }
}

/// Result of a read: the events, and the last position read even if the last rows yielded no event.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub events: Vec<StoredEvent>,
    pub rows: usize,
    pub last_position: i64,
    pub last_version: u64,
}

impl Page {
    pub(crate) fn of(rows: Vec<Row>, upcasters: &Upcasters) -> Result<Self, StoreError> {
        let mut page = Self {
            events: Vec::with_capacity(rows.len()),
            rows: rows.len(),
            ..Self::default()
        };
        for row in rows {
            page.last_position = row.global_position;
            page.last_version = u64::try_from(row.sequence)?;
            row.upcast(upcasters, &mut page.events)?;
        }
        Ok(page)
    }

    /// Replays a page that is one whole stream.
    pub(crate) fn fold<A: Aggregate>(&self) -> Result<Versioned<A>, StoreError> {
        self.fold_after(Versioned::default())
    }

    /// Replays a page that follows `base` in its stream.
    pub(crate) fn fold_after<A: Aggregate>(
        &self,
        base: Versioned<A>,
    ) -> Result<Versioned<A>, StoreError> {
        let mut loaded = base.and(&self.events)?;
        // The last rows may have yielded no event.
        if self.rows > 0 {
            loaded.version = self.last_version;
            loaded.position = self.last_position;
        }
        Ok(loaded)
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
    /// Restores and replays the stream into `state`; returns its version and position.
    pub(crate) fn replay(&self, state: &mut dyn StreamState) -> Result<(u64, i64), StoreError> {
        let (mut version, mut position) = (0, 0);
        if let Some(snapshot) = &self.base {
            let restored = state.restore(&snapshot.state);
            restored.map_err(|source| StoreError::Snapshot {
                stream: self.stream.clone(),
                source,
            })?;
            (version, position) = (snapshot.version, snapshot.position);
        }
        for event in &self.page.events {
            let replayed = state.replay(event.payload.text());
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
