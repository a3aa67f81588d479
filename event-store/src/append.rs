//! The parts of an append: streams with expected versions, conditions, a command id, reservations.

use std::fmt;

use cqrs_es::{Aggregate, DomainEvent};
use domain::unit_of_work::{NameChange, PendingEvent};
use serde_json::Value;
use uuid::Uuid;

use crate::command_key::CommandKey;
use crate::error::StoreError;
use crate::metadata::Metadata;
use crate::stream_id::StreamId;

/// Expected version of a stream before an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The stream has no events yet.
    NoStream,
    /// The last event has this version. `Exact(0)` equals `NoStream`.
    Exact(u64),
    /// Any version: only for facts that cannot be rejected.
    Any,
}

/// An event to append.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Stable event type, e.g. `OrderPlaced`.
    pub event_type: String,
    /// Version of the payload, e.g. `1.0`.
    pub event_version: String,
    /// The event as JSON.
    pub payload: Value,
    /// Event id, UUIDv7.
    pub event_id: Uuid,
}

impl NewEvent {
    /// Converts `event` to its stored form, with a new id.
    ///
    /// # Errors
    /// [`StoreError::Encode`] if it cannot be serialised as JSON.
    pub fn of<E: DomainEvent>(event: &E) -> Result<Self, StoreError> {
        Ok(Self {
            event_type: event.event_type(),
            event_version: event.event_version(),
            payload: serde_json::to_value(event).map_err(StoreError::Encode)?,
            event_id: Uuid::now_v7(),
        })
    }
}

impl From<PendingEvent> for NewEvent {
    fn from(event: PendingEvent) -> Self {
        Self {
            event_type: event.event_type,
            event_version: event.event_version,
            payload: event.payload,
            event_id: Uuid::now_v7(),
        }
    }
}

/// The events appended to one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamAppend {
    /// To which stream.
    pub stream: StreamId,
    /// Expected version of the stream.
    pub expected: Expected,
    /// The events, in order. Without events this only checks `expected`.
    pub events: Vec<NewEvent>,
}

impl StreamAppend {
    /// `events` for the aggregate `A` with the id `id`.
    ///
    /// # Errors
    /// [`StoreError::Encode`] if an event cannot be serialised as JSON.
    pub fn new<A: Aggregate>(
        id: impl fmt::Display,
        expected: Expected,
        events: &[A::Event],
    ) -> Result<Self, StoreError> {
        Ok(Self {
            stream: StreamId::of::<A>(id),
            expected,
            events: events
                .iter()
                .map(NewEvent::of)
                .collect::<Result<_, StoreError>>()?,
        })
    }
}

/// A change of a name reservation, committed together with the events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReservationChange {
    /// Reserve the name. Succeeds if the owner has it already.
    Take {
        /// Scope of the name, e.g. `username`.
        scope: String,
        /// Keyed hash of the name ([`crate::KeyRing::lookup_hash`]).
        key_hash: [u8; 32],
        /// The new owner.
        owner: String,
    },
    /// Release the name. Has no effect if another owner has it.
    Release {
        /// Scope of the name.
        scope: String,
        /// Keyed hash of the name.
        key_hash: [u8; 32],
        /// The owner.
        owner: String,
    },
}

impl From<&NameChange> for ReservationChange {
    fn from(change: &NameChange) -> Self {
        let (scope, owner) = (change.scope.to_owned(), change.owner.clone());
        let key_hash = change.key_hash;
        match change.reserved {
            true => Self::Take {
                scope,
                key_hash,
                owner,
            },
            false => Self::Release {
                scope,
                key_hash,
                owner,
            },
        }
    }
}

/// An atomic append: all of it is written, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Append {
    /// The streams to write, each at most once.
    pub streams: Vec<StreamAppend>,
    /// Streams that are not written but must have this version (0: must be empty).
    pub conditions: Vec<(StreamId, u64)>,
    /// Command key, which makes the append idempotent.
    pub command: Option<CommandKey>,
    /// Result returned when the command is repeated: small, without personal data.
    pub command_result: Option<Value>,
    /// Names to reserve and to release.
    pub reservations: Vec<ReservationChange>,
    /// Actor, reason, correlation and time.
    pub metadata: Metadata,
}

impl Append {
    /// An append of `streams`, without conditions, command id or reservations.
    pub fn new(metadata: Metadata, streams: Vec<StreamAppend>) -> Self {
        Self {
            streams,
            conditions: Vec::new(),
            command: None,
            command_result: None,
            reservations: Vec::new(),
            metadata,
        }
    }
}

/// Result of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The new version of each written stream, in the order of [`Append::streams`].
    pub versions: Vec<(StreamId, u64)>,
    /// Position of the first event written; 0 without events.
    pub first_position: i64,
    /// Position of the last event written; 0 without events. Positions in between may belong to other appends.
    pub last_position: i64,
}
