//! Events read from the log, and aggregates replayed from them.

use cqrs_es::Aggregate;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::StoreError;
use crate::metadata::Metadata;
use crate::payload::Payload;
use crate::stream_id::StreamId;

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
    pub(crate) fn and(mut self, events: &[StoredEvent]) -> Result<Self, StoreError> {
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
