//! Errors stop a projection at their event, are visible, and do not affect other projections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use event_store::testing::Database;
use event_store::{Projection, ProjectionError, Runner, StoredEvent, WaitOutcome, async_trait};
use sqlx::{Executor, PgConnection};

use super::{Copy, Running, SOON, checkpoint, eventually, written};
use crate::support::{of, take_any};

/// Fails at one position until it is fixed.
struct Choking {
    on: AtomicI64,
    helped: AtomicBool,
}

#[async_trait]
impl Projection for Choking {
    fn name(&self) -> &'static str {
        "choking"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_choking_v1 (position bigint)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[]
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            sqlx::query("INSERT INTO p_choking_v1 VALUES ($1)")
                .bind(event.position)
                .execute(&mut *tx)
                .await?;
            if event.position == self.on.load(Ordering::SeqCst)
                && !self.helped.load(Ordering::SeqCst)
            {
                return Err(ProjectionError::other("cannot digest this"));
            }
        }
        Ok(())
    }
}

#[tokio::test]
async fn an_error_stops_at_its_event_is_visible_and_stops_nobody_else() {
    let store = Database::create().await.store().await;
    for _ in 0..20 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let choking = Arc::new(Choking {
        on: AtomicI64::new(13),
        helped: AtomicBool::new(false),
    });
    let running = Running::start(&store, vec![Copy::new("one"), choking.clone()], 100);
    store.wait_for(&["copy"], 20, SOON).await.unwrap();
    eventually("the error names its event", async || {
        let row = checkpoint(&store, "choking", 1).await;
        row.is_some_and(|row| {
            row.position == 12
                && row
                    .last_error
                    .is_some_and(|error| error.contains("at position 13: cannot digest this"))
        })
    })
    .await;
    choking.helped.store(true, Ordering::SeqCst);
    store.wait_for(&["choking"], 20, SOON).await.unwrap();
    let row = checkpoint(&store, "choking", 1).await.unwrap();
    assert_eq!((row.last_error, row.failing_since), (None, None));
    let rows: Vec<i64> = sqlx::query_scalar("SELECT position FROM choking ORDER BY position")
        .fetch_all(store.pool())
        .await
        .unwrap();
    assert_eq!(rows, written(&store).await);
    running.stop().await;
}

/// Its tables cannot be created.
struct Broken;

#[async_trait]
impl Projection for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_broken_v1 (position no_such_type)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[]
    }

    async fn apply(
        &self,
        _tx: &mut PgConnection,
        _batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        Ok(())
    }
}

#[tokio::test]
async fn tables_that_cannot_be_made_are_an_error_everybody_can_see() {
    let store = Database::create().await.store().await;
    let running = Running::start(&store, vec![Copy::new("one"), Arc::new(Broken)], 5);
    let appended = store.append(of(vec![take_any("a")])).await.unwrap();
    store
        .wait_for(&["copy"], appended.last_position, SOON)
        .await
        .unwrap();
    eventually("the error is visible", async || {
        let row = checkpoint(&store, "broken", 1).await;
        row.is_some_and(|row| {
            row.last_error
                .is_some_and(|error| error.contains("no_such_type"))
        })
    })
    .await;
    // the missing table is created
    store
        .pool()
        .execute("CREATE DOMAIN no_such_type AS bigint")
        .await
        .unwrap();
    let waited = store
        .wait_for(&["broken"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(waited, WaitOutcome::Reached(appended.last_position));
    assert_eq!(
        checkpoint(&store, "broken", 1).await.unwrap().last_error,
        None
    );
    running.stop().await;
}

#[tokio::test]
async fn a_bad_name_and_one_name_twice_are_refused() {
    let store = Database::create().await.store().await;
    let runner = Runner::new(store, vec![Copy::new("one"), Copy::new("two")]);
    assert!(runner.run(std::future::pending()).await.is_err());
}
