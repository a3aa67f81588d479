//! The settled horizon: no event lost or repeated, in order, and unaffected by unrelated transactions.

use std::collections::HashMap;
use std::time::Duration;

use event_store::testing::Database;
use event_store::{Horizon, Store, StoredEvent};
use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio::time::{Instant, sleep, timeout};

use crate::support::{of, take_any};

const WRITERS: usize = 32;
const LOAD: Duration = Duration::from_secs(4);

/// An awkward writer: it draws a position, waits, and then commits or rolls back.
async fn awkward_writer(pool: PgPool, number: usize, until: Instant) {
    let mut version = 0_i64;
    while Instant::now() < until {
        let mut transaction = event_store::begin(&pool).await.unwrap();
        if rand::random_ratio(1, 3) {
            // a transaction id long before the position
            transaction
                .execute("INSERT INTO other VALUES (1)")
                .await
                .unwrap();
            dawdle(3).await;
        }
        let steps = rand::random_range(1..=3_i64);
        for step in 1..=steps {
            sqlx::query(
                "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
                 VALUES ('pile', $1, $2, 'Taken', '1.0', '{\"Taken\":{\"many\":1}}', '{}')",
            )
            .bind(format!("awkward-{number}"))
            .bind(version + step)
            .execute(&mut *transaction)
            .await
            .unwrap();
            dawdle(4).await;
        }
        if rand::random_ratio(1, 4) {
            transaction.rollback().await.unwrap();
        } else {
            transaction.commit().await.unwrap();
            version += steps;
        }
    }
}

/// A writer of streams that are shared with other writers.
async fn shared_writer(store: Store, until: Instant) {
    while Instant::now() < until {
        let id = format!("shared-{}", rand::random_range(0..4));
        store.append(of(vec![take_any(&id)])).await.unwrap();
        dawdle(5).await;
    }
}

async fn dawdle(most: u64) {
    sleep(Duration::from_micros(rand::random_range(0..=most * 1_000))).await;
}

/// Follows the log to the end, up to the position that `limit` returns.
async fn follow(
    store: &Store,
    limit: impl AsyncFn() -> i64,
    until: impl AsyncFn(i64) -> bool,
) -> Vec<StoredEvent> {
    let mut seen: Vec<StoredEvent> = Vec::new();
    let mut at = 0;
    loop {
        let safe = limit().await;
        let page = store.read_all(at, safe, 200).await.unwrap();
        match page.last() {
            Some(last) => at = last.position,
            None if until(at).await => return seen,
            None => sleep(Duration::from_millis(1)).await,
        }
        seen.extend(page);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_committed_event_once_in_order_behind_32_awkward_writers() {
    let store = Database::create().await.store().await;
    store
        .pool()
        .execute("CREATE TABLE other (n int)")
        .await
        .unwrap();
    let until = Instant::now() + LOAD;
    let mut writers = Vec::new();
    for number in 0..WRITERS {
        writers.push(match number % 4 {
            0 => tokio::spawn(shared_writer(store.clone(), until)),
            _ => tokio::spawn(awkward_writer(store.pool().clone(), number, until)),
        });
    }
    // an unrelated transaction that stays open as long as the load lasts
    let mut stranger = event_store::begin(store.pool()).await.unwrap();
    stranger
        .execute("INSERT INTO other VALUES (0)")
        .await
        .unwrap();

    let horizon = Horizon::follow(&store);
    let settled = horizon.settled();
    let lag = tokio::spawn(lag(store.clone(), horizon.settled(), until));
    let writing = |_: i64| async move { Instant::now() > until + Duration::from_millis(200) };
    let naive = follow(&store, async || i64::MAX, writing);
    let last = async |at: i64| {
        let end = Instant::now() > until + Duration::from_millis(200);
        end && at
            >= sqlx::query_scalar("SELECT max(global_position) FROM events")
                .fetch_one(store.pool())
                .await
                .unwrap()
    };
    let careful = follow(&store, async || *settled.borrow(), last);
    let (naive, careful) = tokio::join!(naive, timeout(LOAD * 4, careful));
    let careful = careful.unwrap();
    for writer in writers {
        writer.await.unwrap();
    }
    stranger.commit().await.unwrap();

    let truth = store.read_all(0, i64::MAX, i64::MAX).await.unwrap();
    println!(
        "{} events; a naive reader lost {}; worst lag {:?}",
        truth.len(),
        truth.len() - naive.len(),
        lag.await.unwrap()
    );
    let positions = |events: &[StoredEvent]| {
        events
            .iter()
            .map(|event| event.position)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        positions(&careful),
        positions(&truth),
        "lost, repeated or out of order"
    );
    contiguous(&careful);
    assert!(
        naive.len() < truth.len(),
        "this load would not have shown a loss"
    );
}

fn contiguous(events: &[StoredEvent]) {
    let mut heads: HashMap<&str, u64> = HashMap::new();
    for event in events {
        let head = heads.entry(event.stream.id.as_str()).or_default();
        *head += 1;
        assert_eq!(event.version, *head, "{}", event.stream);
    }
}

/// The longest time the horizon was behind a committed event, under load and with an unrelated transaction open.
async fn lag(
    store: Store,
    mut settled: tokio::sync::watch::Receiver<i64>,
    until: Instant,
) -> Duration {
    let mut worst = Duration::ZERO;
    while Instant::now() < until {
        let appended = store.append(of(vec![take_any("probe")])).await.unwrap();
        let since = Instant::now();
        settled
            .wait_for(|settled| *settled >= appended.last_position)
            .await
            .unwrap();
        worst = worst.max(since.elapsed());
        assert!(worst < Duration::from_secs(1), "the horizon was held up");
        dawdle(20).await;
    }
    worst
}

/// A pooled connection begins its next transaction at once; identified by process it would hold the horizon forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_never_rests_does_not_hold_the_horizon() {
    const NEXT: &str = "BEGIN; INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
        VALUES ('pile', gen_random_uuid()::text, 1, 'Taken', '1.0', '{}', '{}')";
    let database = Database::create().await;
    let store = database.store().await;
    let mut busy = PgConnection::connect(database.url()).await.unwrap();
    busy.execute(NEXT).await.unwrap();
    let again = format!("COMMIT; {NEXT}");
    let restless = tokio::spawn(async move {
        loop {
            busy.execute(again.as_str()).await.unwrap();
            sleep(Duration::from_millis(2)).await;
        }
    });
    for _ in 0..20 {
        store.append(of(vec![take_any("a")])).await.unwrap();
        let settled = timeout(Duration::from_secs(2), store.settle()).await;
        assert!(settled.is_ok(), "a busy connection holds the horizon");
    }
    restless.abort();
}

#[tokio::test]
async fn an_open_writer_holds_the_horizon_until_it_ends_and_a_stranger_never_does() {
    let database = Database::create().await;
    let store = database.store().await;
    store
        .pool()
        .execute("CREATE TABLE other (n int)")
        .await
        .unwrap();
    let mut stranger = event_store::begin(store.pool()).await.unwrap();
    stranger
        .execute("INSERT INTO other VALUES (0)")
        .await
        .unwrap();
    let first = store.append(of(vec![take_any("a")])).await.unwrap();
    assert_eq!(store.settle().await.unwrap(), first.last_position);

    let mut open = event_store::begin(store.pool()).await.unwrap();
    open.execute(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         VALUES ('pile', 'open', 1, 'Taken', '1.0', '{}', '{}')",
    )
    .await
    .unwrap();
    let later = store.append(of(vec![take_any("a")])).await.unwrap();
    let early = timeout(Duration::from_millis(300), store.settle()).await;
    assert!(
        early.is_err(),
        "settled while an earlier position was still open"
    );
    open.rollback().await.unwrap();
    assert_eq!(store.settle().await.unwrap(), later.last_position);
}

#[tokio::test]
async fn other_processes_hear_of_appends() {
    let database = Database::create().await;
    let (here, there) = (database.store().await, database.store().await);
    let horizon = Horizon::follow(&there);
    let mut settled = horizon.settled();
    sleep(Duration::from_millis(600)).await; // long enough for the polling interval to have grown
    let mut soon = 0;
    for _ in 0..9 {
        let since = Instant::now();
        let appended = here.append(of(vec![take_any("a")])).await.unwrap();
        settled
            .wait_for(|settled| *settled >= appended.last_position)
            .await
            .unwrap();
        soon += usize::from(since.elapsed() < Duration::from_millis(100));
        sleep(Duration::from_millis(400)).await;
    }
    // polling happens every quarter of a second, so it would be soon for four of ten only
    assert!(soon >= 7, "{soon} of 9 soon: polled, not notified");
}
