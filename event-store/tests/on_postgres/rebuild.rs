//! Rebuilding a read model under load; events that cannot be applied.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use event_store::projection::{OnPoison, Rebuild, RebuildError, RebuildPhase, resume};
use event_store::testing::Database;
use event_store::{Projection, ProjectionError, Store, StoredEvent, WaitOutcome, async_trait};
use sqlx::{Executor, PgConnection};
use tokio::time::{Instant, sleep};

use crate::runner::{Running, SOON, eventually, written};
use crate::support::{of, take_any};

/// The stock of each pile, and its events; fails at one position until it is fixed.
struct Piles {
    one_stream: bool,
    on_poison: OnPoison,
    chokes_on: AtomicI64,
    helped: AtomicBool,
    /// Extra time of a batch, milliseconds.
    slow: AtomicI64,
}

impl Piles {
    fn new(one_stream: bool, on_poison: OnPoison) -> Arc<Self> {
        Arc::new(Self {
            one_stream,
            on_poison,
            chokes_on: AtomicI64::new(0),
            helped: AtomicBool::new(false),
            slow: AtomicI64::new(0),
        })
    }
}

#[async_trait]
impl Projection for Piles {
    fn name(&self) -> &'static str {
        "piles"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_piles_v1 (id text PRIMARY KEY, events bigint NOT NULL);
         CREATE TABLE p_piles_v1_events (position bigint PRIMARY KEY, id text NOT NULL);
         CREATE INDEX p_piles_v1_events_id ON p_piles_v1_events (id)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["pile"]
    }

    fn on_poison(&self) -> OnPoison {
        self.on_poison
    }

    fn rows_of_one_stream(&self) -> bool {
        self.one_stream
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        let slow = u64::try_from(self.slow.load(Ordering::SeqCst))?;
        sleep(Duration::from_millis(slow)).await;
        let mut piles: BTreeMap<&str, i64> = BTreeMap::new();
        let (mut positions, mut ids) = (Vec::new(), Vec::new());
        for event in batch {
            if event.position == self.chokes_on.load(Ordering::SeqCst)
                && !self.helped.load(Ordering::SeqCst)
            {
                return Err(ProjectionError::other("cannot digest this"));
            }
            *piles.entry(&event.stream.id).or_default() += 1;
            positions.push(event.position);
            ids.push(event.stream.id.as_str());
        }
        sqlx::query(
            "INSERT INTO p_piles_v1 AS p SELECT * FROM unnest($1::text[], $2::bigint[])
             ON CONFLICT (id) DO UPDATE SET events = p.events + excluded.events",
        )
        .bind(piles.keys().copied().collect::<Vec<_>>())
        .bind(piles.values().copied().collect::<Vec<_>>())
        .execute(&mut *tx)
        .await?;
        sqlx::query("INSERT INTO p_piles_v1_events SELECT * FROM unnest($1::bigint[], $2::text[])")
            .bind(positions)
            .bind(ids)
            .execute(&mut *tx)
            .await?;
        Ok(())
    }
}

/// Where the tables differ from the log, up to a position; empty if they agree.
async fn differences(store: &Store, up_to: i64) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT 'event ' || coalesce(e.global_position, p.position) FROM events e
         FULL JOIN piles_events p ON p.position = e.global_position AND p.id = e.aggregate_id
         WHERE coalesce(e.global_position, p.position) <= $1 AND (e.global_position IS NULL OR p.position IS NULL)
         UNION ALL
         SELECT 'pile ' || p.id FROM piles p
         JOIN (SELECT id, count(*) AS events FROM piles_events GROUP BY id) e USING (id) WHERE p.events <> e.events",
    )
    .bind(up_to)
    .fetch_all(store.pool())
    .await
    .unwrap()
}

async fn position(store: &Store) -> i64 {
    sqlx::query_scalar("SELECT position FROM projection_checkpoint WHERE name = 'piles' AND active")
        .fetch_one(store.pool())
        .await
        .unwrap()
}

async fn left_in(store: &Store, schema: &str) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM pg_tables WHERE schemaname = $1")
        .bind(schema)
        .fetch_one(store.pool())
        .await
        .unwrap()
}

/// Writers that run until `until`; each waits for what it wrote and finds it.
async fn load(store: Store, writer: usize, until: Instant) {
    let mut newest = 0;
    while Instant::now() < until {
        let streams = vec![take_any(&format!("own-{writer}")), take_any("shared")];
        let appended = store.append(of(streams)).await.unwrap();
        let waited = store
            .wait_for(&["piles"], appended.last_position, SOON)
            .await
            .unwrap();
        assert!(matches!(waited, WaitOutcome::Reached(_)));
        let found: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM piles_events WHERE position BETWEEN $1 AND $2",
        )
        .bind(appended.first_position)
        .bind(appended.last_position)
        .fetch_one(store.pool())
        .await
        .unwrap();
        assert_eq!(found, 2, "not found after {waited:?}: {appended:?}");
        let now = position(&store).await;
        assert!(now >= newest, "the position went back");
        newest = now;
    }
}

/// Code that changes tables locks the view before it waits for them: readers lock in that order.
#[tokio::test]
async fn whoever_changes_tables_takes_the_view_before_them() {
    let store = Database::create().await.store().await;
    store.append(of(vec![take_any("a")])).await.unwrap();
    let piles = Piles::new(true, OnPoison::Stop);
    let running = Running::start(&store, vec![piles.clone()], 50);
    store.wait_for(&["piles"], 1, SOON).await.unwrap();
    let rebuild = Arc::new(Rebuild::of(&store, piles));
    for anew in [true, false] {
        let mut reader = event_store::begin(store.pool()).await.unwrap();
        reader
            .execute("LOCK TABLE p_piles_v1, p_piles_v1_events IN ACCESS SHARE MODE")
            .await
            .unwrap();
        let changing = match anew {
            true => {
                let rebuild = Arc::clone(&rebuild);
                tokio::spawn(async move { assert!(rebuild.run().await.is_ok()) })
            }
            // the runner builds it from scratch
            false => {
                store.reset_projection("piles", 1).await.unwrap();
                tokio::spawn(async {})
            }
        };
        eventually("the view is taken", async || {
            sqlx::query_scalar::<_, bool>(
                "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'piles'::regclass AND mode = 'AccessExclusiveLock' AND granted)",
            )
            .fetch_one(store.pool())
            .await
            .unwrap()
        })
        .await;
        reader.rollback().await.unwrap();
        changing.await.unwrap();
        store.wait_for(&["piles"], 1, SOON).await.unwrap();
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rebuild_under_load_equals_the_log_and_the_way_back_too() {
    for one_stream in [true, false] {
        let store = Database::create().await.store().await;
        for pile in 0..40 {
            let streams = (0..10)
                .map(|nr| take_any(&format!("pile-{}", pile * 7 + nr)))
                .collect();
            store.append(of(streams)).await.unwrap();
        }
        let piles = Piles::new(one_stream, OnPoison::Stop);
        let running = Running::start(&store, vec![piles.clone()], 50);
        store.wait_for(&["piles"], 400, SOON).await.unwrap();
        // an index added by an operator is kept
        sqlx::query("CREATE INDEX p_piles_v1_added ON p_piles_v1_events (position DESC)")
            .execute(store.pool())
            .await
            .unwrap();
        let keys = "SELECT count(*) FROM pg_indexes WHERE schemaname = 'public' AND tablename LIKE 'p\\_piles%'";
        let keys_before: i64 = sqlx::query_scalar(keys)
            .fetch_one(store.pool())
            .await
            .unwrap();

        let until = Instant::now() + Duration::from_secs(3);
        let writing: Vec<_> = (0..3)
            .map(|writer| tokio::spawn(load(store.clone(), writer, until)))
            .collect();
        sleep(Duration::from_millis(200)).await;
        let rebuild = Rebuild::of(&store, piles.clone()).with_segments(3);
        let rebuilt = rebuild.run().await.unwrap();
        assert!(rebuilt.events >= 400);
        assert_eq!(differences(&store, rebuilt.position).await, [""; 0]);
        sleep(Duration::from_millis(300)).await;
        let back = rebuild.back().await.unwrap();
        assert!(back.position > rebuilt.position);
        assert_eq!(differences(&store, back.position).await, [""; 0]);
        let again = rebuild.run().await.unwrap();
        assert_eq!(differences(&store, again.position).await, [""; 0]);
        for writer in writing {
            writer.await.unwrap();
        }
        let head = store.settle().await.unwrap();
        store.wait_for(&["piles"], head, SOON).await.unwrap();
        assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
        let keys_after: i64 = sqlx::query_scalar(keys)
            .fetch_one(store.pool())
            .await
            .unwrap();
        assert_eq!(keys_after, keys_before);

        assert!(left_in(&store, "projection_previous").await > 0);
        assert!(rebuild.drop_previous().await.unwrap());
        assert_eq!(left_in(&store, "projection_previous").await, 0);
        assert!(matches!(
            rebuild.back().await,
            Err(RebuildError::NothingKept(_))
        ));
        assert_eq!(left_in(&store, "projection_next").await, 0);
        running.stop().await;
    }
}

/// Writers wait for what they wrote while the tables are swapped again and again (`JANGBU_PROOFS=full`: for a minute).
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn who_waited_finds_it_however_often_tables_change_places() {
    let store = Database::create().await.store().await;
    store.append(of(vec![take_any("a")])).await.unwrap();
    let piles = Piles::new(true, OnPoison::Stop);
    let running = Running::start(&store, vec![piles.clone()], 50);
    store.wait_for(&["piles"], 1, SOON).await.unwrap();
    let rebuild = Rebuild::of(&store, piles);
    rebuild.run().await.unwrap();
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    let until = Instant::now() + Duration::from_secs(if full { 60 } else { 2 });
    let writing: Vec<_> = (0..3)
        .map(|writer| tokio::spawn(load(store.clone(), writer, until)))
        .collect();
    while Instant::now() < until {
        let back = rebuild.back().await.unwrap();
        assert_eq!(differences(&store, back.position).await, [""; 0]);
    }
    for writer in writing {
        writer.await.unwrap();
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_cut_off_changes_nothing_and_the_next_one_sweeps() {
    let store = Database::create().await.store().await;
    for nr in 0..30 {
        let streams = vec![take_any(&format!("pile-{nr}"))];
        store.append(of(streams)).await.unwrap();
    }
    let piles = Piles::new(false, OnPoison::Stop);
    let running = Running::start(&store, vec![piles.clone()], 50);
    store.wait_for(&["piles"], 30, SOON).await.unwrap();
    running.stop().await;
    let slow = Piles::new(false, OnPoison::Stop);
    slow.slow.store(60_000, Ordering::SeqCst);
    let cut = tokio::spawn({
        let store = store.clone();
        async move { Rebuild::of(&store, slow).run().await.map(|_| ()) }
    });
    eventually("it is at work", async || {
        left_in(&store, "projection_next").await > 0
    })
    .await;
    let busy = Rebuild::of(&store, piles.clone()).run().await;
    assert!(matches!(busy, Err(RebuildError::Busy(_))), "{busy:?}");
    // as after a killed process: no more progress, and its connections break half way
    cut.abort();
    assert!(cut.await.unwrap_err().is_cancelled());
    sqlx::query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'event-store rebuild'",
    )
    .execute(store.pool())
    .await
    .unwrap();
    eventually("it is seen as cut off", async || {
        let states = store.rebuild_states().await.unwrap();
        states.iter().any(|state| state.phase == "cut-off")
    })
    .await;
    assert!(left_in(&store, "projection_next").await > 0);
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);

    let rebuild = Rebuild::of(&store, piles);
    let progress = rebuild.progress();
    let rebuilt = rebuild.run().await.unwrap();
    assert_eq!((rebuilt.position, rebuilt.events), (30, 30));
    assert_eq!(progress.borrow().phase, RebuildPhase::Switching);
    assert_eq!(left_in(&store, "projection_next").await, 0);
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
    let states = store.rebuild_states().await.unwrap();
    assert_eq!(states.first().unwrap().phase, "done");
}

#[tokio::test]
async fn a_poison_event_parks_its_stream_and_nobody_else() {
    let store = Database::create().await.store().await;
    for nr in 0..40 {
        let streams = vec![take_any(&format!("pile-{}", nr % 4))];
        store.append(of(streams)).await.unwrap();
    }
    let piles = Piles::new(true, OnPoison::Park);
    piles.chokes_on.store(14, Ordering::SeqCst); // of pile-1: 2, 6, 10, 14, ...
    let running = Running::start(&store, vec![piles.clone()], 100);
    let waited = store.wait_for(&["piles"], 40, SOON).await.unwrap();
    assert_eq!(waited, WaitOutcome::Reached(40));
    // later events of that stream are held back too, and this is visible
    store.append(of(vec![take_any("pile-1")])).await.unwrap();
    store.append(of(vec![take_any("pile-2")])).await.unwrap();
    store.wait_for(&["piles"], 42, SOON).await.unwrap();
    let missing: Vec<String> = [14, 18, 22, 26, 30, 34, 38, 41]
        .map(|position| format!("event {position}"))
        .into();
    let mut found = differences(&store, i64::MAX).await;
    found.sort_unstable();
    assert_eq!(found, missing);
    let parked = store.parked_streams("piles", 10).await.unwrap();
    let one = parked.first().unwrap();
    assert_eq!((one.position, one.held_events, parked.len()), (14, 8, 1));
    assert_eq!(
        (one.stream_id.as_str(), one.error.as_str()),
        ("pile-1", "cannot digest this")
    );

    // a rebuild fails at the same event and parks the same stream; returning to the old tables keeps it parked
    let projection: Arc<dyn Projection> = piles.clone();
    let rebuild = Rebuild::of(&store, Arc::clone(&projection)).with_segments(2);
    assert_eq!(rebuild.run().await.unwrap().parked, 1);
    assert_eq!(differences(&store, i64::MAX).await.len(), 8);
    assert_eq!(rebuild.back().await.unwrap().parked, 1);
    // the cause is not fixed
    let resumed = resume(&store, &projection).await.unwrap();
    assert_eq!((resumed.caught_up, resumed.still_parked), (0, 1));
    piles.helped.store(true, Ordering::SeqCst);
    let resumed = resume(&store, &projection).await.unwrap();
    assert_eq!((resumed.caught_up, resumed.still_parked), (1, 0));
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
    let appended = store.append(of(vec![take_any("pile-1")])).await.unwrap();
    store
        .wait_for(&["piles"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
    running.stop().await;
}

#[tokio::test]
async fn money_stops_at_a_poison_event_until_somebody_resumes_it() {
    let store = Database::create().await.store().await;
    for _ in 0..20 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let piles = Piles::new(true, OnPoison::Stop);
    piles.chokes_on.store(13, Ordering::SeqCst);
    let projection: Arc<dyn Projection> = piles.clone();
    let running = Running::start(&store, vec![piles.clone()], 100);
    let stopped = async || {
        let states = store.projection_states().await.unwrap();
        states.iter().any(|state| {
            state.stopped_at.is_some()
                && state.position == 12
                && state.last_error.as_ref().is_some_and(|error| {
                    error == "Taken of pile/a at position 13: cannot digest this"
                })
        })
    };
    eventually("it stops", stopped).await;
    // readers do not wait for a stopped projection
    let began = Instant::now();
    let waited = store.wait_for(&["piles"], 20, SOON).await.unwrap();
    assert_eq!(waited, WaitOutcome::Stale(12));
    assert!(began.elapsed() < Duration::from_secs(5));
    // the cause is not fixed: it stops again; and a rebuild reports the position
    assert!(resume(&store, &projection).await.unwrap().stopped);
    let refused = Rebuild::of(&store, Arc::clone(&projection)).run().await;
    assert!(matches!(
        refused,
        Err(RebuildError::Poison { position: 13, .. })
    ));
    eventually("it stops again", stopped).await;
    piles.helped.store(true, Ordering::SeqCst);
    resume(&store, &projection).await.unwrap();
    let waited = store.wait_for(&["piles"], 20, SOON).await.unwrap();
    assert_eq!(waited, WaitOutcome::Reached(20));
    assert_eq!(written(&store).await.len(), 20);
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
    running.stop().await;
}

#[tokio::test]
async fn a_new_projection_is_built_before_anybody_runs_it_and_its_runner_goes_on() {
    let store = Database::create().await.store().await;
    for _ in 0..20 {
        store.append(of(vec![take_any("a")])).await.unwrap();
    }
    let piles = Piles::new(true, OnPoison::Stop);
    let asked = store.ask_rebuild("piles", "rebuild").await.unwrap();
    assert!(asked && !store.ask_rebuild("piles", "back").await.unwrap());
    let taken = store.take_asked_rebuild().await.unwrap();
    assert_eq!(taken, Some(("piles".to_owned(), "rebuild".to_owned())));
    // taken, but not started yet: it is not interrupted
    let states = store.rebuild_states().await.unwrap();
    assert_eq!(states.first().map(|state| &*state.phase), Some("asked"));
    assert!(!store.ask_rebuild("piles", "back").await.unwrap());
    Rebuild::of(&store, piles.clone()).run().await.unwrap();
    assert_eq!(position(&store).await, 20);
    // these events are not applied again
    piles.chokes_on.store(5, Ordering::SeqCst);
    let running = Running::start(&store, vec![piles], 100);
    let appended = store.append(of(vec![take_any("b")])).await.unwrap();
    store
        .wait_for(&["piles"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(differences(&store, i64::MAX).await, [""; 0]);
    running.stop().await;
}
