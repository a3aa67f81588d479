//! Reading events of the log inside a projection.

use event_store::StoredEvent;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::timestamp::whole_micros;

/// The event as its enum. The store has already upcast old versions.
pub(crate) fn event<E: DeserializeOwned>(recorded: &StoredEvent) -> Result<E, ReadError> {
    recorded.payload.read().map_err(ReadError::from)
}

/// When it happened, by the shop's clock.
pub(crate) fn at(recorded: &StoredEvent) -> OffsetDateTime {
    whole_micros(recorded.metadata.occurred_at)
}

/// Whether the actor is staff.
pub(crate) fn by_staff(recorded: &StoredEvent) -> bool {
    let actor = domain::Actor::deserialize(&recorded.metadata.actor);
    matches!(actor, Ok(domain::Actor::Operator { .. }))
}

/// Version of the stream after the event.
pub(crate) fn version(recorded: &StoredEvent) -> i64 {
    i64::try_from(recorded.version).unwrap_or(i64::MAX)
}

/// The events of one kind of stream.
pub(crate) fn of<'a>(
    batch: &'a [StoredEvent],
    kind: &'a str,
) -> impl Iterator<Item = &'a StoredEvent> {
    batch
        .iter()
        .filter(move |recorded| recorded.stream.kind == kind)
}

/// The streams of one kind that a batch touches.
pub(crate) fn streams<'a>(
    batch: &'a [StoredEvent],
    kind: &'a str,
) -> impl Iterator<Item = String> + 'a {
    of(batch, kind).map(|recorded| recorded.stream.id.clone())
}

/// The events with their index among those that share a position (an upcaster may turn one event into several).
pub(crate) fn parts(batch: &[StoredEvent]) -> impl Iterator<Item = (i32, &StoredEvent)> {
    let mut last = (0_i64, 0_i32);
    batch.iter().map(move |recorded| {
        let part = if last.0 == recorded.position {
            last.1.saturating_add(1)
        } else {
            0
        };
        last = (recorded.position, part);
        (part, recorded)
    })
}

/// The stream's id, where it is one of our ids.
pub(crate) fn stream_id<T: std::str::FromStr<Err = uuid::Error>>(
    recorded: &StoredEvent,
) -> Result<T, ReadError> {
    recorded.stream.id.parse().map_err(|_| {
        ReadError::StreamId(format!("{}:{}", recorded.stream.kind, recorded.stream.id))
    })
}
