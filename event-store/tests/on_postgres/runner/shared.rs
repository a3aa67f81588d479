//! Projections that follow the log commit together, and who cannot go on delays no other.

use std::sync::Arc;
use std::time::Duration;

use event_store::testing::Database;
use event_store::{
    Append, Projection, ProjectionError, Store, StoredEvent, WaitOutcome, async_trait,
};
use sqlx::{Executor, PgConnection};
use tokio::time::timeout;

use super::{Running, SOON, unwanted, written};
use crate::support::{of, take_any};

/// Copies positions, with the transaction that wrote them.
struct Follower {
    name: &'static str,
    create: &'static str,
    insert: &'static str,
    kinds: &'static [&'static str],
}

const KINDS: &[&str] = &["pile"];

macro_rules! follower {
    ($name:literal, $kinds:expr) => {
        Arc::new(Follower {
            name: $name,
            create: concat!(
                "CREATE TABLE p_",
                $name,
                "_v1 (position bigint, written_by xid8, nr bigint GENERATED ALWAYS AS IDENTITY)"
            ),
            insert: concat!(
                "INSERT INTO p_",
                $name,
                "_v1 VALUES ($1, pg_current_xact_id())"
            ),
            kinds: $kinds,
        })
    };
}

#[async_trait]
impl Projection for Follower {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        self.create
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.kinds
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            let insert = sqlx::query(self.insert).bind(event.position);
            insert.execute(&mut *tx).await?;
        }
        Ok(())
    }
}

fn four() -> Vec<Arc<dyn Projection>> {
    vec![
        follower!("first", KINDS),
        follower!("second", KINDS),
        follower!("third", KINDS),
        follower!("stranger", &["something else"]),
    ]
}

const NAMES: [&str; 4] = ["first", "second", "third", "stranger"];

async fn append(store: &Store, append: Append) -> i64 {
    store.append(append).await.unwrap().last_position
}

async fn copied(store: &Store, name: &str) -> Vec<i64> {
    sqlx::query_scalar(&format!("SELECT position FROM {name} ORDER BY nr"))
        .fetch_all(store.pool())
        .await
        .unwrap()
}

/// Waits until these have applied everything up to a position.
async fn reach(store: &Store, names: &[&str], position: i64) {
    let waited = store.wait_for(names, position, SOON).await.unwrap();
    assert!(matches!(waited, WaitOutcome::Reached(_)), "{waited:?}");
}

#[tokio::test]
async fn those_that_follow_write_their_rows_and_move_in_one_transaction() {
    let store = Database::create().await.store().await;
    let running = Running::start(&store, four(), 100);
    for _ in 0..10 {
        let position = append(&store, of(vec![take_any("a"), take_any("b")])).await;
        reach(&store, &NAMES, position).await;
    }
    running.stop().await;
    for name in &NAMES[..3] {
        assert_eq!(copied(&store, name).await, written(&store).await);
    }
    let shared: i64 = sqlx::query_scalar(
        "SELECT count(DISTINCT written_by) FROM first JOIN second USING (written_by) JOIN third USING (written_by)",
    )
    .fetch_one(store.pool())
    .await
    .unwrap();
    // The first may be written while the tables of the others are being created.
    assert!(shared >= 8, "{shared} transactions of ten hold rows of all");
}

#[tokio::test]
async fn a_locked_checkpoint_or_table_delays_its_own_projection_only() {
    let store = Database::create().await.store().await;
    let running = Running::start(&store, four(), 100);
    let mut position = append(&store, of(vec![take_any("a")])).await;
    reach(&store, &NAMES, position).await;
    for lock in [
        "SELECT FROM projection_checkpoint WHERE name = 'second' FOR UPDATE",
        "LOCK TABLE p_second_v1 IN ACCESS EXCLUSIVE MODE",
    ] {
        let mut holding = event_store::begin(store.pool()).await.unwrap();
        holding.execute(lock).await.unwrap();
        for _ in 0..3 {
            append(&store, of(vec![take_any("a")])).await;
            position = append(&store, unwanted()).await;
            reach(&store, &["first", "third", "stranger"], position).await;
        }
        let short = Duration::from_millis(100);
        let waited = timeout(SOON, store.wait_for(&["second"], position, short)).await;
        assert!(
            matches!(waited.unwrap().unwrap(), WaitOutcome::Stale(_)),
            "{lock}"
        );
        holding.rollback().await.unwrap();
        reach(&store, &NAMES, position).await;
    }
    running.stop().await;
    let everything = copied(&store, "first").await;
    assert_eq!(copied(&store, "second").await, everything);
    assert_eq!(everything.len(), 7);
}
