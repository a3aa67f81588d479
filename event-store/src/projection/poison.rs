//! Poison events: found inside their batch, parked with the rest of their stream, resumed later.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::{Connection, PgConnection};

use super::checkpoint::Key;
use super::schemas::SchemaRole;
use super::{OnPoison, Projection, ProjectionError};
use crate::error::StoreError;
use crate::store::Store;
use crate::stored_event::StoredEvent;
use crate::stream_id::StreamId;

/// The parked streams, with the first position of each that is not applied.
#[derive(Clone, Debug, Default)]
pub(super) struct ParkedStreams(HashMap<StreamId, i64>);

impl ParkedStreams {
    /// Loads the parked streams of one set of tables.
    pub(super) async fn load(
        connection: &mut PgConnection,
        key: Key,
        place: SchemaRole,
    ) -> Result<Self, sqlx::Error> {
        let rows: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT stream_kind, stream_id, position FROM projection_parked
             WHERE name = $1 AND version = $2 AND place = $3",
        )
        .bind(key.name)
        .bind(key.version)
        .bind(place.word())
        .fetch_all(connection)
        .await?;
        Ok(Self(
            rows.into_iter()
                .map(|(kind, id, position)| (StreamId { kind, id }, position))
                .collect(),
        ))
    }

    fn holds(&self, event: &StoredEvent) -> bool {
        self.0.contains_key(&event.stream)
    }

    /// The events without those of parked streams.
    pub(super) fn pass(&self, mut events: Vec<StoredEvent>) -> Vec<StoredEvent> {
        if !self.0.is_empty() {
            events.retain(|event| !self.holds(event));
        }
        events
    }
}

/// Records that `event` and all later events of its stream are held back.
pub(super) async fn park(
    connection: &mut PgConnection,
    key: Key,
    place: SchemaRole,
    event: &StoredEvent,
    error: &ProjectionError,
) -> Result<(), sqlx::Error> {
    tracing::error!(
        projection = key.name,
        stream = %event.stream,
        position = event.position,
        %error,
        "a stream is parked: an event of it cannot be applied"
    );
    sqlx::query(
        "INSERT INTO projection_parked (name, version, place, stream_kind, stream_id, position, event_type, error)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (name, version, place, stream_kind, stream_id) DO UPDATE
             SET position = excluded.position, event_type = excluded.event_type, error = excluded.error,
                 parked_at = excluded.parked_at",
    )
    .bind(key.name)
    .bind(key.version)
    .bind(place.word())
    .bind(&event.stream.kind)
    .bind(&event.stream.id)
    .bind(event.position)
    .bind(&event.event_type)
    .bind(error.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes the parked streams of one set of tables.
pub(super) async fn forget(
    connection: &mut PgConnection,
    key: Key,
    place: SchemaRole,
) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM projection_parked WHERE name = $1 AND version = $2 AND place = $3")
        .bind(key.name)
        .bind(key.version)
        .bind(place.word())
        .execute(connection)
        .await?;
    Ok(())
}

/// Reasons why events were not applied.
#[derive(Debug)]
pub(super) enum Blocker {
    /// This event cannot be applied.
    At(Box<StoredEvent>, ProjectionError),
    /// A failure not caused by an event.
    Around(StoreError),
}

impl From<sqlx::Error> for Blocker {
    fn from(error: sqlx::Error) -> Self {
        Self::Around(error.into())
    }
}

impl From<StoreError> for Blocker {
    fn from(error: StoreError) -> Self {
        Self::Around(error)
    }
}

/// Applies events in the caller's transaction and isolates those that fail: a failing batch is halved until the error is attributed
/// to one event, whose stream is parked if the projection parks.
pub(super) async fn apply_around(
    connection: &mut PgConnection,
    projection: &dyn Projection,
    (key, place): (Key, SchemaRole),
    parked: &mut ParkedStreams,
    events: Vec<StoredEvent>,
) -> Result<(), Blocker> {
    let mut left = vec![parked.pass(events)];
    while let Some(events) = left.pop() {
        let Some(first) = events.first() else {
            continue;
        };
        let mut attempt = connection.begin().await?;
        let error = match projection.apply(&mut attempt, &events).await {
            Ok(()) => {
                attempt.commit().await?;
                continue;
            }
            Err(ProjectionError::Database(error)) if crate::error::passing(&error) => {
                return Err(error.into());
            }
            Err(error) if error.is_passing() => {
                return Err(Blocker::At(Box::new(first.clone()), error));
            }
            Err(error) => error,
        };
        attempt.rollback().await?;
        let half = split(&events);
        if half > 0 {
            let mut before = events;
            let after = before.split_off(half);
            left.push(after);
            left.push(before);
            continue;
        }
        if projection.on_poison() == OnPoison::Stop {
            return Err(Blocker::At(Box::new(first.clone()), error));
        }
        park(connection, key, place, first, &error).await?;
        parked.0.insert(first.stream.clone(), first.position);
        left = left.into_iter().map(|events| parked.pass(events)).collect();
    }
    Ok(())
}

/// Index at which to halve a batch, without separating events that share a position; 0 if there is none.
fn split(events: &[StoredEvent]) -> usize {
    let boundary = |at: &usize| match (events.get(at.saturating_sub(1)), events.get(*at)) {
        (Some(before), Some(after)) => {
            before.position != after.position || before.stream != after.stream
        }
        _ => false,
    };
    let middle = events.len() / 2;
    (1..=middle)
        .rev()
        .find(boundary)
        .or_else(|| (middle + 1..events.len()).find(boundary))
        .unwrap_or(0)
}

/// Result of resuming.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResumeOutcome {
    /// Whether it had stopped and is running again.
    pub stopped: bool,
    /// Number of parked streams that have caught up.
    pub caught_up: u64,
    /// Number of streams that are still parked.
    pub still_parked: u64,
}

/// Reasons why nothing was resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The projection never ran.
    #[error("projection {0} never ran")]
    Unknown(String),
    /// A database or log error.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for ResumeError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// Restarts a stopped projection, and brings its parked streams up to its checkpoint, whichever process runs it. A stream that
/// still fails stays parked, at the event that fails now.
///
/// # Errors
/// [`ResumeError`]; nothing has changed then.
pub async fn resume(
    store: &Store,
    projection: &Arc<dyn Projection>,
) -> Result<ResumeOutcome, ResumeError> {
    let key = Key::of(projection.as_ref())?;
    let mut connection = store.pool().acquire().await?;
    let mut transaction = connection.begin().await?;
    // Locks the row, so that the running process waits here and restarts under the next epoch.
    let row: Option<(i64, bool)> = sqlx::query_as(
        "WITH old AS (SELECT position, stopped_at IS NOT NULL AS stopped FROM projection_checkpoint
                      WHERE name = $1 AND version = $2 FOR UPDATE)
         UPDATE projection_checkpoint c
         SET lease_epoch = c.lease_epoch + 1, stopped_at = NULL, last_error = NULL, failing_since = NULL
         FROM old WHERE c.name = $1 AND c.version = $2 RETURNING old.position, old.stopped",
    )
    .bind(key.name)
    .bind(key.version)
    .fetch_optional(&mut *transaction)
    .await?;
    let Some((position, stopped)) = row else {
        return Err(ResumeError::Unknown(key.name.to_owned()));
    };
    let mut resumed = ResumeOutcome {
        stopped,
        ..ResumeOutcome::default()
    };
    for (stream, from) in ParkedStreams::load(&mut transaction, key, SchemaRole::Live)
        .await?
        .0
    {
        sqlx::query(
            "DELETE FROM projection_parked
             WHERE name = $1 AND version = $2 AND place = 'live' AND stream_kind = $3 AND stream_id = $4",
        )
        .bind(key.name)
        .bind(key.version)
        .bind(&stream.kind)
        .bind(&stream.id)
        .execute(&mut *transaction)
        .await?;
        let mut held = store.read_stream(&stream).await?;
        held.retain(|event| event.position >= from && event.position <= position);
        let mut again = ParkedStreams::default();
        let place = (key, SchemaRole::Live);
        match apply_around(
            &mut transaction,
            projection.as_ref(),
            place,
            &mut again,
            held,
        )
        .await
        {
            Ok(()) if again.0.is_empty() => resumed.caught_up += 1,
            Ok(()) => resumed.still_parked += 1,
            Err(Blocker::At(event, error)) => {
                park(&mut transaction, key, SchemaRole::Live, &event, &error).await?;
                resumed.still_parked += 1;
            }
            Err(Blocker::Around(error)) => return Err(error.into()),
        }
    }
    transaction.commit().await?;
    Ok(resumed)
}
