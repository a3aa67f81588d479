//! Events read from the log, and aggregates replayed from them.

use cqrs_es::Aggregate;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::append::StreamId;
use crate::error::StoreError;
use crate::metadata::Metadata;
use crate::payload::Payload;
use crate::upcast::Upcasters;

/// An event of the log, upcast to the newest version.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// Its position in the log. Increasing, with gaps. Events an upcaster derived from one stored event share it.
    pub position: i64,
    /// Its stream.
    pub stream: StreamId,
    /// Its version in the stream, from 1 without gaps.
    pub version: u64,
    /// Stable event type.
    pub event_type: String,
    /// Version of the payload.
    pub event_version: String,
    /// The event as JSON.
    pub payload: Payload,
    /// Actor, reason, correlation and time.
    pub metadata: Metadata,
    /// Time of the write in the database; for audits only, rules use [`Metadata::occurred_at`].
    pub recorded_at: OffsetDateTime,
    /// Event id. Events written by plain postgres-es have none and get one derived from their position; events an upcaster derived
    /// from one stored event share it.
    pub event_id: Uuid,
}

impl StoredEvent {
    /// Deserialises the event of aggregate `A`.
    ///
    /// # Errors
    /// [`StoreError::Decode`].
    pub fn event<A: Aggregate>(&self) -> Result<A::Event, StoreError> {
        self.payload.read().map_err(|source| self.unread(source))
    }

    /// The event as JSON.
    ///
    /// # Errors
    /// [`StoreError::Decode`]; see [`Payload::value`].
    pub fn value(&self) -> Result<Value, StoreError> {
        self.payload.value().map_err(|source| self.unread(source))
    }

    pub(crate) fn unread(&self, source: serde_json::Error) -> StoreError {
        StoreError::Decode {
            position: self.position,
            event_type: self.event_type.clone(),
            event_version: self.event_version.clone(),
            source,
        }
    }
}

/// An aggregate with the version of its stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Versioned<A> {
    /// The aggregate; `A::default()` if it has no events.
    pub state: A,
    /// Version of the last event; 0 if there is none.
    pub version: u64,
    /// Position of the last event; 0 if there is none.
    pub position: i64,
}

impl<A: Aggregate> Versioned<A> {
    /// Replays a stream's events in order.
    ///
    /// # Errors
    /// [`StoreError::Decode`].
    pub fn fold(events: &[StoredEvent]) -> Result<Self, StoreError> {
        Self::default().and(events)
    }

    /// Applies further events of the stream.
    fn and(mut self, events: &[StoredEvent]) -> Result<Self, StoreError> {
        for recorded in events {
            self.state.apply(recorded.event::<A>()?);
            self.version = recorded.version;
            self.position = recorded.position;
        }
        Ok(self)
    }

    /// Whether the stream exists.
    pub fn exists(&self) -> bool {
        self.version > 0
    }
}

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
