//! What an append is made of: streams and what is expected of them, conditions, a command id, reservations.

use std::fmt;

use cqrs_es::{Aggregate, DomainEvent};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::StoreError;
use crate::metadata::Metadata;

/// One stream: the events of one aggregate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// The aggregate's type, `Aggregate::TYPE`.
    pub kind: String,
    /// The aggregate's id.
    pub id: String,
}

impl StreamId {
    /// The stream `id` of kind `kind`.
    pub fn new(kind: impl Into<String>, id: impl fmt::Display) -> Self {
        Self {
            kind: kind.into(),
            id: id.to_string(),
        }
    }

    /// The stream of the aggregate `A` called `id`.
    pub fn of<A: Aggregate>(id: impl fmt::Display) -> Self {
        Self::new(A::TYPE, id)
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.id)
    }
}

/// Where the writer believes the stream to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It has no event yet.
    NoStream,
    /// Its last event has this version. `Exact(0)` is `NoStream`.
    Exact(u64),
    /// Wherever it ends: only for facts that cannot be refused.
    Any,
}

/// An event to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Its stable name, e.g. `OrderPlaced`.
    pub event_type: String,
    /// The version of its shape, e.g. `1.0`.
    pub event_version: String,
    /// The event as JSON.
    pub payload: Value,
    /// Its own id, UUIDv7.
    pub event_id: Uuid,
}

impl NewEvent {
    /// `event` as it is stored, with a new id.
    ///
    /// # Errors
    /// [`StoreError::Encode`] if it cannot be written as JSON.
    pub fn of<E: DomainEvent>(event: &E) -> Result<Self, StoreError> {
        Ok(Self {
            event_type: event.event_type(),
            event_version: event.event_version(),
            payload: serde_json::to_value(event).map_err(StoreError::Encode)?,
            event_id: Uuid::now_v7(),
        })
    }
}

/// The events one append adds to one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamAppend {
    /// To which stream.
    pub stream: StreamId,
    /// Where it has to end before.
    pub expected: Expected,
    /// What is added, in this order. With no events this is only a check of `expected`.
    pub events: Vec<NewEvent>,
}

impl StreamAppend {
    /// `events` for the aggregate `A` called `id`.
    ///
    /// # Errors
    /// [`StoreError::Encode`] if an event cannot be written as JSON.
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

/// What makes a command the same command when it is sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandKey {
    /// Whose and where: actor and route, or the policy's name.
    pub scope: String,
    /// The `Idempotency-Key`, or the id of the event a policy reacts to.
    pub key: String,
    /// Hash of the body: the same key with another body is refused.
    pub body_hash: [u8; 32],
    /// When the key may be forgotten; `None` (policies) is never.
    pub expires_at: Option<OffsetDateTime>,
}

/// The stored answer of a command that was done before.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredCommand {
    /// Position of its first event; 0 if it wrote none.
    pub first_position: i64,
    /// Position of its last event; 0 if it wrote none.
    pub last_position: i64,
    /// What [`Append::command_result`] said; `Null` if nothing.
    pub result: Value,
}

/// A name is taken or given back together with the events that say so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReservationChange {
    /// Take it. Taking what is already the owner's is fine.
    Take {
        /// What kind of name, e.g. `username`.
        scope: String,
        /// Keyed hash of the name ([`crate::KeyRing::lookup_hash`]).
        key_hash: [u8; 32],
        /// Who will own it.
        owner: String,
    },
    /// Give it back. Giving back what is not the owner's does nothing.
    Release {
        /// What kind of name.
        scope: String,
        /// Keyed hash of the name.
        key_hash: [u8; 32],
        /// Who owns it.
        owner: String,
    },
}

/// One decision: everything in it is written, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Append {
    /// The streams that are written; each once.
    pub streams: Vec<StreamAppend>,
    /// Streams that are not written but have to end at this version (0: have to be empty).
    pub conditions: Vec<(StreamId, u64)>,
    /// Makes the append happen at most once.
    pub command: Option<CommandKey>,
    /// The answer a repeat of the command gets: ids, small, no personal data.
    pub command_result: Option<Value>,
    /// Names taken and given back.
    pub reservations: Vec<ReservationChange>,
    /// Who, why, when.
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

/// What an append did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The new head of each written stream, in the order of [`Append::streams`].
    pub versions: Vec<(StreamId, u64)>,
    /// Position of the first event written; 0 if there were none.
    pub first_position: i64,
    /// Position of the last event written; 0 if there were none. Positions in between may be other appends'.
    pub last_position: i64,
}
