//! Replays the log into tables that are not visible yet.
//!
//! If every row depends on one stream only, streams are read one after the other, in parallel segments. Each batch of whole streams
//! is applied by the projection's own rules to temporary tables, which start and end empty, so there are no look-ups in large
//! tables, no repeated writes and no WAL; their content is then inserted into tables without keys in one statement. Otherwise the
//! log is applied directly in its own order.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use futures::TryStreamExt;
use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::mpsc;

use super::Projection;
use super::checkpoint::Key;
use super::poison::{Blocker, ParkedStreams, apply_around};
use super::schemas::{self, SchemaRole};
use crate::error::StoreError;
use crate::log_rows::{COLUMNS, Row};
use crate::store::Store;
use crate::stored_event::StoredEvent;

/// Approximate number of events applied at once.
pub(super) const BATCH: usize = 5_000;
/// A longer stream is applied in several batches.
const LONGEST: usize = 10 * BATCH;

/// State shared by all segments of a rebuild.
#[derive(Clone)]
pub(super) struct Replay {
    pub store: Store,
    pub projection: Arc<dyn Projection>,
    pub key: Key,
    pub home: String,
    /// The last position to replay.
    pub up_to: i64,
    /// Number of stored events read and applied so far.
    pub done: Arc<AtomicI64>,
}

/// Events of a segment, in order.
struct Batch {
    events: Vec<StoredEvent>,
    /// Number of stored events it contains.
    rows: i64,
    /// Whether no stream continues in the next batch.
    whole: bool,
}

/// One of `of` partitions of all streams.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub nr: u32,
    pub of: u32,
}

impl Replay {
    /// Replays one segment, stream by stream.
    pub(super) async fn segment(self, segment: Segment) -> Result<(), Blocker> {
        let mut connection = schemas::connect(&self.store, "pg_temp", &self.home).await?;
        self.run(&mut connection, Some(segment)).await?;
        connection.close().await?;
        Ok(())
    }

    /// Replays the whole log in its own order, on a connection whose search path selects the new tables.
    pub(super) async fn whole(self, connection: &mut PgConnection) -> Result<(), Blocker> {
        self.run(connection, None).await
    }

    async fn run(
        &self,
        connection: &mut PgConnection,
        segment: Option<Segment>,
    ) -> Result<(), Blocker> {
        let (send, mut batches) = mpsc::channel(1);
        let reader = tokio::spawn(self.clone().read(segment, send));
        let staging = match segment {
            Some(_) => Some(Staging::make(connection, self).await?),
            None => None,
        };
        let mut parked = ParkedStreams::default();
        while let Some(Batch {
            events,
            rows,
            whole,
        }) = batches.recv().await
        {
            let mut transaction = connection.begin().await?;
            let place = (self.key, SchemaRole::Next);
            apply_around(
                &mut transaction,
                self.projection.as_ref(),
                place,
                &mut parked,
                events,
            )
            .await?;
            if let Some(staging) = staging.as_ref().filter(|_| whole) {
                transaction.execute(staging.empty.as_str()).await?;
            }
            transaction.commit().await?;
            self.done.fetch_add(rows, Ordering::Relaxed);
        }
        match reader.await {
            Ok(read) => Ok(read?),
            Err(cut) => Err(Blocker::Around(StoreError::Database(sqlx::Error::Io(
                std::io::Error::other(cut),
            )))),
        }
    }

    async fn read(
        self,
        segment: Option<Segment>,
        send: mpsc::Sender<Batch>,
    ) -> Result<(), StoreError> {
        let kinds = self.projection.kinds();
        let of_kinds = if kinds.is_empty() {
            ""
        } else {
            "AND aggregate_type = ANY($2)"
        };
        let (of_segment, order) = match segment {
            None => (String::new(), "global_position"),
            Some(Segment { of: 1, .. }) => {
                (String::new(), "aggregate_type, aggregate_id, sequence")
            }
            Some(Segment { nr, of }) => (
                format!("AND mod(hashtext(aggregate_id)::bigint + 2147483648, {of}) = {nr}"),
                "aggregate_type, aggregate_id, sequence",
            ),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM events WHERE global_position <= $1 {of_kinds} {of_segment} ORDER BY {order}"
        );
        let mut query = sqlx::query_as::<_, Row>(&sql).bind(self.up_to);
        if !kinds.is_empty() {
            query = query.bind(kinds);
        }
        let mut connection = schemas::connect(&self.store, &self.home, &self.home).await?;
        let mut events: Vec<StoredEvent> = Vec::with_capacity(BATCH);
        let mut rows = 0_i64;
        let mut found = query.fetch(&mut connection);
        while let Some(row) = found.try_next().await? {
            if events.len() >= BATCH {
                let goes_on = segment.is_some()
                    && events.last().is_some_and(|last| {
                        last.stream.kind == row.aggregate_type && last.stream.id == row.aggregate_id
                    });
                if !goes_on || events.len() >= LONGEST {
                    let batch = Batch {
                        events: mem::replace(&mut events, Vec::with_capacity(BATCH)),
                        rows: mem::take(&mut rows),
                        whole: !goes_on,
                    };
                    if send.send(batch).await.is_err() {
                        // The applying task has stopped and reports the reason.
                        return Ok(());
                    }
                }
            }
            rows += 1;
            row.upcast(&self.store.inner.upcasters, &mut events)?;
        }
        let last = Batch {
            events,
            rows,
            whole: true,
        };
        let _ = send.send(last).await;
        Ok(())
    }
}

/// The temporary tables of a segment.
struct Staging {
    /// SQL that moves their content to the new tables and empties them.
    empty: String,
}

impl Staging {
    async fn make(connection: &mut PgConnection, replay: &Replay) -> Result<Self, Blocker> {
        connection.execute(replay.projection.create_sql()).await?;
        let temporary: String =
            sqlx::query_scalar("SELECT pg_my_temp_schema()::regnamespace::text")
                .fetch_one(&mut *connection)
                .await?;
        let next = SchemaRole::Next.schema(&replay.home);
        let tables = schemas::tables(connection, replay.key, &temporary).await?;
        // They hold few rows at a time: indexes other than those used to find rows cost more than they save.
        let indexes: Vec<String> = sqlx::query_scalar(
            "SELECT format('DROP INDEX %s', i.indexrelid::regclass) FROM pg_index i
             JOIN pg_class c ON c.oid = i.indrelid
             WHERE c.relnamespace = pg_my_temp_schema() AND NOT i.indisunique",
        )
        .fetch_all(&mut *connection)
        .await?;
        for index in indexes {
            connection.execute(index.as_str()).await?;
        }
        let mut empty = String::new();
        for table in &tables {
            empty.push_str(&format!(
                "INSERT INTO {next}.\"{table}\" SELECT * FROM pg_temp.\"{table}\"; TRUNCATE pg_temp.\"{table}\"; "
            ));
        }
        Ok(Self { empty })
    }
}
