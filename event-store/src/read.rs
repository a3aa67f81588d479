//! Reads streams and the log, now or as of a past point.

use std::collections::HashMap;

use cqrs_es::Aggregate;
use domain::unit_of_work::{StreamRef, StreamState, UnitOfWork, WorkStream};
use serde_json::Value;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::StoreError;
use crate::log_rows::{COLUMNS, Page, Row, StreamPage};
use crate::log_snapshot::newest_position;
use crate::snapshot::RECENT;
use crate::store::Store;
use crate::stored_event::{StoredEvent, Versioned};
use crate::stream_id::StreamId;

/// A point in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// After this many events of the stream.
    Version(u64),
    /// After everything up to this position of the log.
    Position(i64),
    /// After everything up to [`Store::position_at`] this time.
    Time(OffsetDateTime),
}

impl Store {
    /// Loads the aggregate `A` with the id `id`.
    ///
    /// # Errors
    /// Database errors; [`StoreError::Decode`].
    pub async fn load<A: Aggregate>(&self, id: &str) -> Result<Versioned<A>, StoreError> {
        let stream = StreamId::of::<A>(id);
        let mut connection = self.pool().acquire().await?;
        let mut read = self
            .read_streams(&mut connection, std::slice::from_ref(&stream))
            .await?;
        drop(connection);
        let Some(read) = read.remove(&stream) else {
            return Ok(Versioned::default());
        };
        let loaded = read.fold::<A>()?;
        self.keep_snapshot(&read, (loaded.version, loaded.position), || {
            serde_json::to_value(&loaded.state)
        });
        Ok(loaded)
    }

    /// Loads a stream whose kind is a value.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn load_stream<S>(&self, stream: &StreamId) -> Result<Versioned<S>, StoreError>
    where
        S: StreamState + Default,
    {
        let mut connection = self.pool().acquire().await?;
        let mut read = self
            .read_streams(&mut connection, std::slice::from_ref(stream))
            .await?;
        drop(connection);
        let mut loaded = Versioned::<S>::default();
        if let Some(read) = read.remove(stream) {
            (loaded.version, loaded.position) = read.replay(&mut loaded.state)?;
            self.keep_snapshot(&read, (loaded.version, loaded.position), || {
                loaded.state.snapshot()
            });
        }
        Ok(loaded)
    }

    /// Loads every stream a unit of work has named, all as of one moment.
    ///
    /// # Errors
    /// Database errors; [`StoreError::Decode`].
    pub async fn load_plan(&self, work: &mut UnitOfWork) -> Result<(), StoreError> {
        let plan: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        let ids: Vec<StreamId> = plan.iter().map(StreamId::from).collect();
        let mut connection = self.pool().acquire().await?;
        let read = self.read_streams(&mut connection, &ids).await?;
        drop(connection);
        for (stream, id) in plan.iter().zip(&ids) {
            if let Some(read) = read.get(id) {
                work.load(stream, |slot| self.open(read, slot))?;
            }
        }
        Ok(())
    }

    /// Restores and replays one stream of a unit of work; returns its version.
    pub(crate) fn open(
        &self,
        read: &StreamPage,
        slot: &mut dyn WorkStream,
    ) -> Result<u64, StoreError> {
        let (version, position) = read.replay(slot)?;
        self.keep_snapshot(read, (version, position), || slot.snapshot());
        Ok(version)
    }

    fn keep_snapshot(
        &self,
        read: &StreamPage,
        at: (u64, i64),
        state: impl FnOnce() -> Result<Value, serde_json::Error>,
    ) {
        if let Some(snapshots) = &self.inner.snapshots {
            snapshots.keep(self.pool(), &read.stream, read.page.rows, at, state);
        }
    }

    /// Deletes snapshots of other fingerprints of the rules written before `before`; returns their number.
    ///
    /// # Errors
    /// Database errors.
    pub async fn forget_foreign_snapshots(
        &self,
        before: OffsetDateTime,
    ) -> Result<u64, StoreError> {
        match &self.inner.snapshots {
            Some(snapshots) => snapshots.forget_foreign(self.pool(), before).await,
            None => Ok(0),
        }
    }

    /// Loads the aggregate as of `at`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn load_at<A: Aggregate>(
        &self,
        id: &str,
        at: At,
    ) -> Result<Versioned<A>, StoreError> {
        match at {
            At::Version(version) => {
                let version = i64::try_from(version).unwrap_or(i64::MAX);
                self.load_until(id, version, i64::MAX).await
            }
            At::Position(position) => self.load_until(id, i64::MAX, position).await,
            At::Time(time) => {
                let position = self.position_at(time).await?;
                self.load_until(id, i64::MAX, position).await
            }
        }
    }

    async fn load_until<A: Aggregate>(
        &self,
        id: &str,
        version: i64,
        position: i64,
    ) -> Result<Versioned<A>, StoreError> {
        let stream = StreamId::of::<A>(id);
        self.stream_page(&stream, version, position).await?.fold()
    }

    /// All events of one stream.
    ///
    /// # Errors
    /// Database errors.
    pub async fn read_stream(&self, stream: &StreamId) -> Result<Vec<StoredEvent>, StoreError> {
        let page = self.stream_page(stream, i64::MAX, i64::MAX).await?;
        Ok(page.events)
    }

    /// The versions of all streams of `kinds` and of `streams`, in one query: used to validate caches. Streams without events are
    /// missing.
    ///
    /// # Errors
    /// Database errors.
    pub async fn heads(
        &self,
        kinds: &[&str],
        streams: &[StreamId],
    ) -> Result<HashMap<StreamId, u64>, StoreError> {
        let (of_kinds, ids): (Vec<&str>, Vec<&str>) = streams
            .iter()
            .map(|stream| (stream.kind.as_str(), stream.id.as_str()))
            .unzip();
        let rows: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT aggregate_type, aggregate_id, max(sequence) FROM events
             WHERE aggregate_type = ANY($1) GROUP BY aggregate_type, aggregate_id
             UNION ALL
             SELECT aggregate_type, aggregate_id, max(sequence) FROM unnest($2::text[], $3::text[]) AS wanted(kind, id)
             JOIN events ON aggregate_type = kind AND aggregate_id = id GROUP BY aggregate_type, aggregate_id",
        )
        .bind(kinds)
        .bind(of_kinds)
        .bind(ids)
        .fetch_all(self.pool())
        .await?;
        rows.into_iter()
            .map(|(kind, id, version)| Ok((StreamId { kind, id }, u64::try_from(version)?)))
            .collect()
    }

    async fn stream_page(
        &self,
        stream: &StreamId,
        version: i64,
        position: i64,
    ) -> Result<Page, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM events
             WHERE aggregate_type = $1 AND aggregate_id = $2 AND sequence <= $3 AND global_position <= $4
             ORDER BY sequence"
        );
        let rows: Vec<Row> = sqlx::query_as(&sql)
            .bind(&stream.kind)
            .bind(&stream.id)
            .bind(version)
            .bind(position)
            .fetch_all(self.pool())
            .await?;
        Page::of(rows, &self.inner.upcasters)
    }

    /// Reads several streams in one query, long ones after their snapshots; a stream without events is an empty page.
    pub(crate) async fn read_streams(
        &self,
        connection: &mut PgConnection,
        streams: &[StreamId],
    ) -> Result<HashMap<StreamId, StreamPage>, StoreError> {
        let sql = format!(
            "SELECT newest.* FROM unnest($1::text[], $2::text[]) AS wanted(kind, id)
             CROSS JOIN LATERAL (
                 SELECT {COLUMNS} FROM events WHERE aggregate_type = kind AND aggregate_id = id
                 ORDER BY sequence DESC LIMIT $3
             ) AS newest ORDER BY kind, id, sequence"
        );
        let mut sorted: HashMap<StreamId, Vec<Row>> = streams
            .iter()
            .map(|stream| (stream.clone(), Vec::new()))
            .collect();
        let (kinds, ids): (Vec<&str>, Vec<&str>) = sorted
            .keys()
            .map(|stream| (stream.kind.as_str(), stream.id.as_str()))
            .unzip();
        let rows: Vec<Row> = sqlx::query_as(&sql)
            .bind(kinds)
            .bind(ids)
            .bind(self.inner.snapshots.as_ref().map(|_| RECENT))
            .fetch_all(&mut *connection)
            .await?;
        for row in rows {
            let stream = StreamId::new(row.aggregate_type.as_str(), &row.aggregate_id);
            sorted.entry(stream).or_default().push(row);
        }
        let long: Vec<StreamId> = sorted
            .iter()
            .filter(|(_, rows)| rows.first().is_some_and(|row| row.sequence > 1))
            .map(|(stream, _)| stream.clone())
            .collect();
        let mut snapshots = match &self.inner.snapshots {
            Some(snapshots) => snapshots.newest(connection, &long).await?,
            None => HashMap::new(),
        };
        for stream in &long {
            let rows = sorted.entry(stream.clone()).or_default();
            let base = snapshots
                .get(stream)
                .map_or(Ok(0), |it| i64::try_from(it.version))?;
            let before = rows.first().map_or(1, |row| row.sequence);
            if base.saturating_add(1) < before {
                let mut gap = self.between(connection, stream, base, before).await?;
                gap.append(rows);
                *rows = gap;
            } else {
                rows.retain(|row| row.sequence > base);
            }
        }
        sorted
            .into_iter()
            .map(|(stream, rows)| {
                let read = StreamPage {
                    base: snapshots.remove(&stream),
                    page: Page::of(rows, &self.inner.upcasters)?,
                    stream: stream.clone(),
                };
                Ok((stream, read))
            })
            .collect()
    }

    /// The events of a stream after one version and before another.
    async fn between(
        &self,
        connection: &mut PgConnection,
        stream: &StreamId,
        after: i64,
        before: i64,
    ) -> Result<Vec<Row>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM events
             WHERE aggregate_type = $1 AND aggregate_id = $2 AND sequence > $3 AND sequence < $4 ORDER BY sequence"
        );
        Ok(sqlx::query_as(&sql)
            .bind(&stream.kind)
            .bind(&stream.id)
            .bind(after)
            .bind(before)
            .fetch_all(connection)
            .await?)
    }

    /// At most `limit` stored events after position `after`, up to and including `up_to`, in log order.
    ///
    /// Complete only up to the settled horizon ([`crate::Horizon`], [`Store::settle`]): beyond it an event with a smaller position
    /// may still be uncommitted.
    ///
    /// # Errors
    /// Database errors.
    pub async fn read_all(
        &self,
        after: i64,
        up_to: i64,
        limit: i64,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        self.read_kinds(&[], after, up_to, limit).await
    }

    /// As [`Store::read_all`], for some stream kinds only; all if none are given.
    ///
    /// # Errors
    /// As [`Store::read_all`].
    pub async fn read_kinds(
        &self,
        kinds: &[&str],
        after: i64,
        up_to: i64,
        limit: i64,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        let page = self.log_page(kinds, after, up_to, limit).await?;
        Ok(page.events)
    }

    /// A page of the log, for some stream kinds only (all if none are given).
    pub(crate) async fn log_page(
        &self,
        kinds: &[&str],
        after: i64,
        up_to: i64,
        limit: i64,
    ) -> Result<Page, StoreError> {
        let of_kinds = if kinds.is_empty() {
            ""
        } else {
            "AND aggregate_type = ANY($4)"
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM events WHERE global_position > $1 AND global_position <= $2 {of_kinds}
             ORDER BY global_position LIMIT $3"
        );
        let mut query = sqlx::query_as(&sql).bind(after).bind(up_to).bind(limit);
        if !kinds.is_empty() {
            query = query.bind(kinds);
        }
        let rows: Vec<Row> = query.fetch_all(self.pool()).await?;
        Page::of(rows, &self.inner.upcasters)
    }

    /// The position of the newest event; 0 if there is none. Earlier events may not be settled yet.
    ///
    /// # Errors
    /// Database errors.
    pub async fn head(&self) -> Result<i64, StoreError> {
        let mut connection = self.pool().acquire().await?;
        newest_position(&mut connection).await
    }

    /// The streams of a kind that contain an event of one of these types, by stored type.
    ///
    /// # Errors
    /// Database errors.
    pub async fn streams_with(
        &self,
        kind: &str,
        event_types: &[&str],
    ) -> Result<Vec<StreamId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT aggregate_id FROM events WHERE aggregate_type = $1 AND event_type = ANY($2)",
        )
        .bind(kind)
        .bind(event_types)
        .fetch_all(self.pool())
        .await?;
        Ok(ids.into_iter().map(|id| StreamId::new(kind, id)).collect())
    }

    /// All events of these types, by stored type, in log order. It searches the whole log.
    ///
    /// # Errors
    /// Database errors.
    pub async fn read_types(&self, event_types: &[&str]) -> Result<Vec<StoredEvent>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM events WHERE event_type = ANY($1) ORDER BY global_position"
        );
        let rows: Vec<Row> = sqlx::query_as(&sql)
            .bind(event_types)
            .fetch_all(self.pool())
            .await?;
        Ok(Page::of(rows, &self.inner.upcasters)?.events)
    }

    /// The position that corresponds to a time: that of the last event (in the order of `occurredAt`, then of the log) that
    /// occurred at `time` or before; 0 before the first.
    ///
    /// # Errors
    /// Database errors.
    pub async fn position_at(&self, time: OffsetDateTime) -> Result<i64, StoreError> {
        let position: Option<i64> = sqlx::query_scalar(
            "SELECT global_position FROM events WHERE occurred_at <= $1
             ORDER BY occurred_at DESC, global_position DESC LIMIT 1",
        )
        .bind(time)
        .fetch_optional(self.pool())
        .await?;
        Ok(position.unwrap_or_default())
    }
}
