//! A primary dies under load and its standby takes over. With a synchronous standby no acknowledged append is lost; with an asynchronous
//! one some are, and this test detects it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use event_store::testing::Server;
use event_store::{
    Append, AppendError, Projection, ProjectionError, Runner, Store, StoreOptions, StoredEvent,
    async_trait,
};
use sqlx::PgConnection;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::support::{key, of, take_any};

const WRITERS: usize = 8;
const SOON: Duration = Duration::from_secs(30);

/// Logs positions in the order they are applied; a second copy would add a second row.
struct PositionLog;

#[async_trait]
impl Projection for PositionLog {
    fn name(&self) -> &'static str {
        "seen"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_seen_v1 (position bigint, stream text, version bigint, nr bigint GENERATED ALWAYS AS IDENTITY)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["pile"]
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            sqlx::query("INSERT INTO p_seen_v1 VALUES ($1, $2, $3)")
                .bind(event.position)
                .bind(event.stream.to_string())
                .bind(i64::try_from(event.version)?)
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}

struct Following {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

fn follow(store: &Store) -> Following {
    let (stop, stopped) = oneshot::channel::<()>();
    let runner = Runner::new(store.clone(), vec![Arc::new(PositionLog)]);
    let task = tokio::spawn(async move {
        runner
            .run(async {
                drop(stopped.await);
            })
            .await
            .unwrap();
    });
    Following { stop, task }
}

impl Following {
    async fn end(self) {
        drop(self.stop);
        drop(timeout(SOON, self.task).await);
    }
}

/// One writer's stream, and the command of each of its appends.
fn command(writer: usize, number: u32) -> Append {
    let mut append = of(vec![take_any(&format!("pile-{writer}"))]);
    append.command = Some(key(&format!("{writer}-{number}"), 1));
    append
}

/// Acknowledged appends: position by writer and number.
type AcknowledgedAppends = BTreeMap<(usize, u32), i64>;

/// Writes until stopped or the primary is gone; an append without a reply comes last.
async fn write(
    store: Store,
    writer: usize,
    stop: Arc<AtomicBool>,
    told: Arc<AtomicU32>,
) -> (AcknowledgedAppends, u32) {
    let mut acknowledged = AcknowledgedAppends::new();
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        let answer = timeout(
            Duration::from_secs(20),
            store.append(command(writer, number)),
        )
        .await;
        match answer {
            Ok(Ok(appended)) => {
                acknowledged.insert((writer, number), appended.first_position);
                told.fetch_add(1, Ordering::Relaxed);
                number += 1;
            }
            _ => break,
        }
    }
    (acknowledged, number)
}

async fn connect(url: &str) -> Store {
    let options = StoreOptions {
        acquire_timeout: Duration::from_secs(3),
        ..StoreOptions::default()
    };
    Store::connect(url, options).await.unwrap()
}

async fn positions(store: &Store, up_to: i64) -> Vec<i64> {
    let events = store.read_all(0, up_to, i64::MAX).await.unwrap();
    events.iter().map(|event| event.position).collect()
}

/// Number of acknowledged appends that are not in the log at their position.
async fn lost(store: &Store, acknowledged: &AcknowledgedAppends) -> usize {
    let head = store.head().await.unwrap();
    let events = store.read_all(0, head, i64::MAX).await.unwrap();
    let mut versions: BTreeMap<String, u64> = BTreeMap::new();
    for event in &events {
        let version = versions.entry(event.stream.id.clone()).or_default();
        *version += 1;
        assert_eq!(
            event.version, *version,
            "a stream has no holes and no order but its own"
        );
    }
    let found: BTreeMap<i64, &str> = events
        .iter()
        .map(|event| (event.position, event.stream.id.as_str()))
        .collect();
    assert_eq!(found.len(), events.len(), "a position is one event's");
    acknowledged
        .iter()
        .filter(|((writer, _), position)| {
            found.get(position) != Some(&format!("pile-{writer}").as_str())
        })
        .count()
}

/// State after the primary dies while writing; `synchronous`: it waits for its standby before it acknowledges.
struct FailoverOutcome {
    _standby: Server,
    store: Store,
    acknowledged: AcknowledgedAppends,
    unanswered: Vec<(usize, u32)>,
}

async fn a_primary_dies(synchronous: bool) -> FailoverOutcome {
    let (mut primary, standby) = Server::pair("shop").await.unwrap();
    if synchronous {
        primary.wait_for_standby().await.unwrap();
    }
    let before = connect(&primary.url("shop")).await;
    before.migrate().await.unwrap();
    let following = follow(&before);
    let (stop, told) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU32::new(0)),
    );
    let writing: Vec<_> = (0..WRITERS)
        .map(|writer| tokio::spawn(write(before.clone(), writer, stop.clone(), told.clone())))
        .collect();
    sleep(Duration::from_secs(1)).await;
    if !synchronous {
        // the standby is cut off, like a network slower than the writers
        let away = "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=1'";
        let cut_off = standby.execute(&[away, "SELECT pg_reload_conf()"]).await;
        cut_off.unwrap();
    }
    sleep(Duration::from_secs(1)).await;
    // what is settled on a standby does not change, though its sequence runs ahead of its rows
    let mirror = connect(&standby.url("shop")).await;
    let settled = mirror.settle().await.unwrap();
    let seen = positions(&mirror, settled).await;
    primary.kill();
    let (mut acknowledged, mut unanswered) = (AcknowledgedAppends::new(), Vec::new());
    for writer in writing.into_iter().enumerate() {
        let (done, next) = writer.1.await.unwrap();
        acknowledged.extend(done);
        unanswered.push((writer.0, next));
    }
    stop.store(true, Ordering::Relaxed);
    following.end().await;
    assert!(told.load(Ordering::Relaxed) > 50, "nothing was written");

    standby.take_over().await.unwrap();
    let store = connect(&standby.url("shop")).await;
    assert!(settled > 0);
    assert_eq!(seen, positions(&store, settled).await, "up to {settled}");
    FailoverOutcome {
        _standby: standby,
        store,
        acknowledged,
        unanswered,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_synchronous_standby_has_everything_that_was_acknowledged_and_goes_on() {
    let survived = a_primary_dies(true).await;
    let FailoverOutcome {
        store,
        acknowledged,
        unanswered,
        ..
    } = &survived;
    assert_eq!(lost(store, acknowledged).await, 0);
    let head = store.head().await.unwrap();
    assert!(store.settle().await.unwrap() >= head);

    // appends without a reply are repeated with the same command: each is written once, whether the first attempt was or not
    for (writer, number) in unanswered {
        let again = store.append(command(*writer, *number)).await;
        assert!(
            matches!(again, Ok(_) | Err(AppendError::CommandRepeated(_))),
            "{again:?}"
        );
        let twice = store.append(command(*writer, *number)).await;
        assert!(
            matches!(twice, Err(AppendError::CommandRepeated(_))),
            "{twice:?}"
        );
    }
    let new = store.append(command(0, u32::MAX)).await.unwrap();
    assert!(new.first_position > head, "positions only rise");

    // read models continue from their position on the standby
    let following = follow(store);
    let head = store.head().await.unwrap();
    let reached = store.wait_for(&["seen"], head, SOON).await.unwrap();
    assert_eq!(
        reached,
        event_store::WaitOutcome::Reached(reached.position())
    );
    following.end().await;
    let differing: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT position, count(*) AS n FROM p_seen_v1 GROUP BY 1) s
         FULL JOIN events e ON e.global_position = s.position WHERE s.n IS DISTINCT FROM 1 OR e.global_position IS NULL",
    )
    .fetch_one(store.pool())
    .await
    .unwrap();
    assert_eq!(differing, 0, "each event once in the read model");
    let disorder: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT position, lag(position) OVER (ORDER BY nr) AS before FROM p_seen_v1) s WHERE before > position",
    )
    .fetch_one(store.pool())
    .await
    .unwrap();
    assert_eq!(disorder, 0, "in the log's order");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_asynchronous_standby_loses_what_was_acknowledged_and_that_is_seen() {
    let survived = a_primary_dies(false).await;
    assert!(lost(&survived.store, &survived.acknowledged).await > 0);
}

/// A database that is reachable only after a while, like one that recovers from a crash.
#[tokio::test]
async fn connecting_waits_for_a_database_that_is_starting() {
    let server = Server::start(&[]).unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let url = server.url("postgres");
    let (front, rest) = url.rsplit_once(':').unwrap();
    let (real, database) = rest.split_once('/').unwrap();
    let late = format!("{front}:{port}/{database}");
    let options = StoreOptions {
        acquire_timeout: Duration::from_millis(200),
        ..StoreOptions::default()
    };
    let hurried = StoreOptions {
        startup_timeout: Duration::ZERO,
        ..options.clone()
    };
    assert!(Store::connect(&late, hurried).await.is_err());
    let connecting = tokio::spawn(async move { Store::connect(&late, options).await });
    sleep(Duration::from_secs(1)).await;
    assert!(!connecting.is_finished(), "it waits");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port))
        .await
        .unwrap();
    let real: u16 = real.parse().unwrap();
    let _door = tokio::spawn(async move {
        while let Ok((mut outer, _)) = listener.accept().await {
            let mut inner = tokio::net::TcpStream::connect(("127.0.0.1", real))
                .await
                .unwrap();
            tokio::spawn(
                async move { tokio::io::copy_bidirectional(&mut outer, &mut inner).await },
            );
        }
    });
    let store = timeout(SOON, connecting).await.unwrap().unwrap().unwrap();
    assert!(!store.is_standby().await.unwrap());
}
