//! Adapters to cqrs-es: [`PgEventStore`] for `CqrsFramework`, [`PgEventRepository`] for replays.
//!
//! The snapshot and aggregate stores of cqrs-es are not used: in 0.5.0 they apply every event twice.

use std::collections::HashMap;
use std::sync::Arc;

use cqrs_es::persist::{
    PersistedEventRepository, PersistenceError, ReplayFeed, ReplayStream, SerializedEvent,
    SerializedSnapshot,
};
use cqrs_es::{Aggregate, AggregateContext, AggregateError, EventEnvelope, EventStore};
use futures::TryStreamExt;
use postgres_es::PostgresEventRepository;
use serde_json::Value;
use sqlx::types::Json;
use time::OffsetDateTime;

use crate::append::{Append, Expected, StreamAppend};
use crate::error::{AppendError, StoreError, unavailable};
use crate::metadata::Metadata;
use crate::store::Store;
use crate::upcast::{UpcastEvent, Upcasters};

/// Number of events a replay reads ahead.
const READ_AHEAD: usize = 200;

/// The cqrs-es `EventStore` on top of [`Store`]: `CqrsFramework::new(PgEventStore::new(store), vec![], services)`.
#[derive(Clone)]
pub struct PgEventStore {
    store: Store,
    repository: PgEventRepository,
}

impl PgEventStore {
    /// An adapter for this store.
    pub fn new(store: Store) -> Self {
        Self {
            repository: PgEventRepository::new(&store),
            store,
        }
    }
}

/// A loaded aggregate, to be committed.
#[derive(Clone, Debug)]
pub struct PgAggregateContext<A> {
    /// Its id.
    pub aggregate_id: String,
    /// Its state.
    pub aggregate: A,
    /// Version it was loaded at; 0 for a new one.
    pub version: u64,
}

impl<A: Aggregate> AggregateContext<A> for PgAggregateContext<A> {
    fn aggregate(&mut self) -> &mut A {
        &mut self.aggregate
    }
}

impl<A: Aggregate> EventStore<A> for PgEventStore {
    type AC = PgAggregateContext<A>;

    async fn load_events(
        &self,
        aggregate_id: &str,
    ) -> Result<Vec<EventEnvelope<A>>, AggregateError<A::Error>> {
        let events = self.repository.get_events::<A>(aggregate_id).await?;
        let envelopes: Result<_, PersistenceError> =
            events.into_iter().map(EventEnvelope::try_from).collect();
        Ok(envelopes?)
    }

    async fn load_aggregate(
        &self,
        aggregate_id: &str,
    ) -> Result<Self::AC, AggregateError<A::Error>> {
        let loaded = self
            .store
            .load::<A>(aggregate_id)
            .await
            .map_err(persistence)?;
        Ok(PgAggregateContext {
            aggregate_id: aggregate_id.to_owned(),
            aggregate: loaded.state,
            version: loaded.version,
        })
    }

    async fn commit(
        &self,
        events: Vec<A::Event>,
        context: Self::AC,
        metadata: HashMap<String, String>,
    ) -> Result<Vec<EventEnvelope<A>>, AggregateError<A::Error>> {
        if events.is_empty() {
            return Ok(Vec::new());
        }
        let expected = Expected::Exact(context.version);
        let stream = StreamAppend::new::<A>(&context.aggregate_id, expected, &events)
            .map_err(persistence)?;
        let known = Metadata::from_map(&metadata, OffsetDateTime::now_utc());
        let append = Append::new(known, vec![stream]);
        self.store
            .append_tagged(append, metadata.clone())
            .await
            .map_err(refusal)?;
        let first = usize::try_from(context.version)
            .map_err(|error| persistence(StoreError::Number(error)))?
            .saturating_add(1);
        Ok(events
            .into_iter()
            .zip(first..)
            .map(|(payload, sequence)| EventEnvelope {
                aggregate_id: context.aggregate_id.clone(),
                sequence,
                payload,
                metadata: metadata.clone(),
            })
            .collect())
    }
}

/// The cqrs-es `PersistedEventRepository` on this crate's table.
///
/// Single streams are read by the repository of postgres-es. Its streaming replays panic on database errors, so they are
/// implemented here and yield the error. Events are upcast; all events are in log order.
#[derive(Clone)]
pub struct PgEventRepository {
    store: Store,
    single: Arc<PostgresEventRepository>,
}

impl PgEventRepository {
    /// An adapter for this store.
    pub fn new(store: &Store) -> Self {
        Self {
            store: store.clone(),
            single: Arc::new(PostgresEventRepository::new(store.pool().clone())),
        }
    }

    fn upcast(
        &self,
        events: Vec<SerializedEvent>,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let mut newest = Vec::with_capacity(events.len());
        for event in events {
            newest.extend(upcast(&self.store.inner.upcasters, event)?);
        }
        Ok(newest)
    }

    /// Streams the rows of `sql` from a background task.
    fn stream(&self, sql: &'static str, kind: &'static str, id: Option<String>) -> ReplayStream {
        let (feed, stream) = ReplayStream::new(READ_AHEAD);
        let store = self.store.clone();
        tokio::spawn(async move {
            let mut feed = feed;
            if let Err(error) = pour(&store, sql, kind, id, &mut feed).await {
                // Fails only if the receiver is gone.
                let _ = feed.push(Err(error)).await;
            }
        });
        stream
    }
}

impl PersistedEventRepository for PgEventRepository {
    async fn get_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        self.upcast(self.single.get_events::<A>(aggregate_id).await?)
    }

    async fn get_last_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
        last_sequence: usize,
    ) -> Result<Vec<SerializedEvent>, PersistenceError> {
        let events = self
            .single
            .get_last_events::<A>(aggregate_id, last_sequence)
            .await?;
        self.upcast(events)
    }

    /// Always none: snapshots of cqrs-es are incorrect and never stored.
    async fn get_snapshot<A: Aggregate>(
        &self,
        _aggregate_id: &str,
    ) -> Result<Option<SerializedSnapshot>, PersistenceError> {
        Ok(None)
    }

    /// Rejects snapshots; see the module documentation.
    async fn persist<A: Aggregate>(
        &self,
        events: &[SerializedEvent],
        snapshot_update: Option<(String, Value, usize)>,
    ) -> Result<(), PersistenceError> {
        if snapshot_update.is_some() {
            return Err(PersistenceError::UnknownError(
                "snapshots of cqrs-es 0.5.0 apply events twice; use PersistedEventStore::new_event_store".into(),
            ));
        }
        self.single.persist::<A>(events, None).await
    }

    async fn stream_events<A: Aggregate>(
        &self,
        aggregate_id: &str,
    ) -> Result<ReplayStream, PersistenceError> {
        Ok(self.stream(
            "SELECT aggregate_id, sequence, event_type, event_version, payload, metadata FROM events
             WHERE aggregate_type = $1 AND aggregate_id = $2 ORDER BY sequence",
            A::TYPE,
            Some(aggregate_id.to_owned()),
        ))
    }

    async fn stream_all_events<A: Aggregate>(&self) -> Result<ReplayStream, PersistenceError> {
        Ok(self.stream(
            "SELECT aggregate_id, sequence, event_type, event_version, payload, metadata FROM events
             WHERE aggregate_type = $1 AND $2 IS NULL ORDER BY global_position",
            A::TYPE,
            None,
        ))
    }
}

type StreamRow = (String, i64, String, String, Json<Value>, Json<Value>);

async fn pour(
    store: &Store,
    sql: &str,
    kind: &str,
    id: Option<String>,
    feed: &mut ReplayFeed,
) -> Result<(), PersistenceError> {
    let mut rows = sqlx::query_as::<_, StreamRow>(sql)
        .bind(kind)
        .bind(id)
        .fetch(store.pool());
    while let Some(row) = rows
        .try_next()
        .await
        .map_err(|error| failure(error.into()))?
    {
        let (aggregate_id, sequence, event_type, event_version, payload, metadata) = row;
        let event = SerializedEvent::new(
            aggregate_id,
            usize::try_from(sequence).map_err(|error| failure(error.into()))?,
            kind.to_owned(),
            event_type,
            event_version,
            payload.0,
            metadata.0,
        );
        for event in upcast(&store.inner.upcasters, event)? {
            feed.push(Ok(event)).await?;
        }
    }
    Ok(())
}

fn upcast(
    upcasters: &Upcasters,
    event: SerializedEvent,
) -> Result<Vec<SerializedEvent>, PersistenceError> {
    let stored = UpcastEvent {
        event_type: event.event_type,
        event_version: event.event_version,
        payload: event.payload,
    };
    let newest = upcasters.apply(stored).map_err(failure)?;
    Ok(newest
        .into_iter()
        .map(|newer| SerializedEvent {
            aggregate_id: event.aggregate_id.clone(),
            sequence: event.sequence,
            aggregate_type: event.aggregate_type.clone(),
            event_type: newer.event_type,
            event_version: newer.event_version,
            payload: newer.payload,
            metadata: event.metadata.clone(),
        })
        .collect())
}

fn failure(error: StoreError) -> PersistenceError {
    match error {
        StoreError::Database(error) if unavailable(&error) => {
            PersistenceError::ConnectionError(Box::new(error))
        }
        error @ (StoreError::Decode { .. } | StoreError::UpcastCircle { .. }) => {
            PersistenceError::DeserializationError(Box::new(error))
        }
        error => PersistenceError::UnknownError(Box::new(error)),
    }
}

fn persistence<E: std::error::Error>(error: StoreError) -> AggregateError<E> {
    failure(error).into()
}

fn refusal<E: std::error::Error>(error: AppendError) -> AggregateError<E> {
    match error {
        AppendError::Conflict { .. } => AggregateError::AggregateConflict,
        AppendError::Unavailable(error) => AggregateError::DatabaseConnectionError(Box::new(error)),
        AppendError::Store(error) => persistence(error),
        // Appends of this module have neither reservations nor a command id.
        error => AggregateError::UnexpectedError(Box::new(error)),
    }
}
