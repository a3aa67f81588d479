//! A new version beside the old one, and projections reset.

use std::sync::Arc;
use std::time::Duration;

use event_store::testing::Database;
use event_store::{Store, WaitOutcome};
use sqlx::Executor;

use super::{Copy, Running, SOON, checkpoint, copied, eventually, written};
use crate::support::{of, take_any};

#[tokio::test]
async fn a_new_version_is_built_beside_the_old_one_and_takes_over_its_view() {
    let store = Database::create().await.store().await;
    for _ in 0..30 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let running = Running::start(&store, vec![Copy::new("one")], 5);
    store.wait_for(&["copy"], 30, SOON).await.unwrap();
    running.stop().await;
    let running = Running::start(
        &store,
        vec![Arc::new(Copy {
            version: 2,
            instance: "one",
        })],
        5,
    );
    eventually("the view shows version 2", async || {
        let twice = sqlx::query_scalar::<_, i64>("SELECT max(twice) FROM copy")
            .fetch_one(store.pool())
            .await;
        let row = checkpoint(&store, "copy", 1).await.unwrap();
        // until then readers see all of version 1
        twice.is_ok_and(|twice| twice == 60) || (assert_view_is_whole(&store).await && !row.active)
    })
    .await;
    let (old, new) = (
        checkpoint(&store, "copy", 1).await.unwrap(),
        checkpoint(&store, "copy", 2).await.unwrap(),
    );
    assert!(!old.active && new.active);
    let appended = store.append(of(vec![take_any("a")])).await.unwrap();
    store
        .wait_for(&["copy"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(copied(&store).await, written(&store).await);
    running.stop().await;
}

async fn assert_view_is_whole(store: &Store) -> bool {
    assert_eq!(copied(store).await.len(), 30);
    false
}

#[tokio::test]
async fn a_projection_thrown_away_is_built_again_under_the_runner() {
    let store = Database::create().await.store().await;
    for _ in 0..30 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let running = Running::start(&store, vec![Copy::new("one")], 5);
    store.wait_for(&["copy"], 30, SOON).await.unwrap();
    store.reset_projection("copy", 1).await.unwrap();
    let appended = store.append(of(vec![take_any("a")])).await.unwrap();
    eventually("built again", async || copied(&store).await.len() == 31).await;
    store
        .wait_for(&["copy"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(copied(&store).await, written(&store).await);
    running.stop().await;
    // or the table was dropped
    store
        .pool()
        .execute("DROP TABLE p_copy_v1 CASCADE")
        .await
        .unwrap();
    let running = Running::start(&store, vec![Copy::new("one")], 5);
    eventually("built from a dropped table", async || {
        sqlx::query_scalar::<_, i64>("SELECT count(*) FROM copy")
            .fetch_one(store.pool())
            .await
            .is_ok_and(|count| count == 31)
    })
    .await;
    running.stop().await;
}

#[tokio::test]
async fn a_projection_thrown_away_has_reached_nothing_until_it_is_built_again() {
    let database = Database::create().await;
    let store = database.store().await;
    // another process, which runs no projections and resets
    let operator = database.store().await;
    for _ in 0..30 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let running = Running::start(&store, vec![Copy::new("one")], 5);
    store.wait_for(&["copy"], 30, SOON).await.unwrap();
    for thrower in [&store, &operator] {
        // prevents the new start while the test checks
        let mut lock = event_store::begin(operator.pool()).await.unwrap();
        lock.execute("LOCK TABLE p_copy_v1 IN ACCESS EXCLUSIVE MODE")
            .await
            .unwrap();
        thrower.reset_projection("copy", 1).await.unwrap();
        let at_once = store
            .wait_for(&["copy"], 30, Duration::from_millis(600))
            .await
            .unwrap();
        assert_eq!(at_once, WaitOutcome::Stale(0));
        lock.rollback().await.unwrap();
        // without any new event
        let waited = store.wait_for(&["copy"], 30, SOON).await.unwrap();
        assert_eq!(waited, WaitOutcome::Reached(30));
        assert_eq!(copied(&store).await, written(&store).await);
    }
    running.stop().await;
}
