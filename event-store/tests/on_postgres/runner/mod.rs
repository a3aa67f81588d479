//! Projections: each event once, whatever is interrupted; errors visible; a new version beside the old one.

mod errors;
mod shared;
mod versions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use event_store::testing::Database;
use event_store::{
    Append, AppendError, Checkpoint, Projection, ProjectionError, Runner, Store, StoredEvent,
    WaitOutcome, async_trait,
};
use sqlx::{PgConnection, PgPool};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::support::{counted, key, of, take_any};

pub const SOON: Duration = Duration::from_secs(20);

/// Copies the events it sees, with the id of its instance. Its table would accept a second copy.
struct Copy {
    version: u32,
    instance: &'static str,
}

impl Copy {
    fn new(instance: &'static str) -> Arc<Self> {
        Arc::new(Self {
            version: 1,
            instance,
        })
    }
}

#[async_trait]
impl Projection for Copy {
    fn name(&self) -> &'static str {
        "copy"
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn create_sql(&self) -> &'static str {
        match self.version {
            1 => {
                "CREATE TABLE p_copy_v1 (position bigint, stream text, version bigint, instance text, epoch bigint,
                     nr bigint GENERATED ALWAYS AS IDENTITY);
                 CREATE TABLE p_copy_v1_batches (events bigint)"
            }
            _ => "CREATE TABLE p_copy_v2 (position bigint, twice bigint, nr bigint GENERATED ALWAYS AS IDENTITY)",
        }
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
            if self.version == 2 {
                sqlx::query("INSERT INTO p_copy_v2 VALUES ($1, $1 * 2)")
                    .bind(event.position)
                    .execute(&mut *tx)
                    .await?;
                continue;
            }
            sqlx::query(
                "INSERT INTO p_copy_v1 VALUES ($1, $2, $3, $4,
                     (SELECT lease_epoch FROM projection_checkpoint WHERE name = 'copy' AND version = 1))",
            )
            .bind(event.position)
            .bind(event.stream.to_string())
            .bind(i64::try_from(event.version)?)
            .bind(self.instance)
            .execute(&mut *tx)
            .await?;
        }
        Ok(())
    }
}

/// A runner, until it is stopped.
pub struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    pub fn start(store: &Store, projections: Vec<Arc<dyn Projection>>, batch: u32) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let runner = Runner::new(store.clone(), projections)
            .with_batch(batch)
            .with_attempts(3);
        let task = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            runner.run(stopped).await.unwrap();
        });
        Self { stop, task }
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

async fn copied(store: &Store) -> Vec<i64> {
    sqlx::query_scalar("SELECT position FROM copy ORDER BY nr")
        .fetch_all(store.pool())
        .await
        .unwrap()
}

pub async fn written(store: &Store) -> Vec<i64> {
    sqlx::query_scalar("SELECT global_position FROM events ORDER BY global_position")
        .fetch_all(store.pool())
        .await
        .unwrap()
}

async fn checkpoint(store: &Store, name: &str, version: i32) -> Option<Checkpoint> {
    let all = store.checkpoints().await.unwrap();
    all.into_iter()
        .find(|each| each.name == name && each.version == version)
}

/// Waits until `condition` holds.
pub async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + SOON;
    while !condition().await {
        assert!(Instant::now() < deadline, "never: {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn rows_follow_the_log_and_readers_can_wait_for_them() {
    let database = Database::create().await;
    let store = database.store().await;
    let before = counted(&store, "a", 10).await;
    let running = Running::start(&store, vec![Copy::new("one")], 2);
    for _ in 0..10 {
        let appended = store
            .append(of(vec![take_any("a"), take_any("b")]))
            .await
            .unwrap();
        let waited = store
            .wait_for(&["copy"], appended.last_position, SOON)
            .await
            .unwrap();
        assert_eq!(waited, WaitOutcome::Reached(appended.last_position));
        assert_eq!(copied(&store).await.last(), Some(&appended.last_position));
    }
    assert_eq!(copied(&store).await, written(&store).await);
    // a process that runs no projections waits as well
    let elsewhere = database.store().await;
    let appended = store.append(of(vec![take_any("a")])).await.unwrap();
    let waited = elsewhere
        .wait_for(&["copy"], appended.last_position, SOON)
        .await
        .unwrap();
    assert!(matches!(waited, WaitOutcome::Reached(_)));
    running.stop().await;

    let far = appended.last_position + 100;
    let short = Duration::from_millis(50);
    let waited = store.wait_for(&["copy"], far, short).await.unwrap();
    assert_eq!(waited, WaitOutcome::Stale(appended.last_position));
    let waited = store
        .wait_for(&["copy", "unknown"], before.last_position, short)
        .await
        .unwrap();
    assert_eq!(waited, WaitOutcome::Stale(0));
    let waited = store.wait_for(&[], far, short).await.unwrap();
    assert!(matches!(waited, WaitOutcome::Reached(_)));
}

#[tokio::test]
async fn a_checkpoint_moves_over_events_the_projection_does_not_want() {
    let store = Database::create().await.store().await;
    let running = Running::start(&store, vec![Copy::new("one")], 2);
    let append = unwanted();
    let appended = store.append(append).await.unwrap();
    let waited = store
        .wait_for(&["copy"], appended.last_position, SOON)
        .await
        .unwrap();
    assert_eq!(waited, WaitOutcome::Reached(appended.last_position));
    assert_eq!(copied(&store).await, [0_i64; 0]);
    running.stop().await;
}

/// An event of a kind that the copy ignores.
fn unwanted() -> Append {
    let mut append = of(vec![take_any("a")]);
    for stream in &mut append.streams {
        stream.stream.kind = "something else".to_owned();
    }
    append
}

/// The first step of a successor, which is then slow while the old holder still assumes it has the lease.
async fn usurp(store: &Store) -> i64 {
    sqlx::query_scalar(
        "UPDATE projection_checkpoint SET lease_epoch = lease_epoch + 1 RETURNING lease_epoch",
    )
    .fetch_one(store.pool())
    .await
    .unwrap()
}

/// How often the lease of `copy` changed hands, and how many instances worked under each epoch; empty as long as the creation of the table
/// was interrupted.
async fn epochs(pool: &PgPool) -> Vec<(i64, i64)> {
    let created: bool = sqlx::query_scalar("SELECT to_regclass('copy') IS NOT NULL")
        .fetch_one(pool)
        .await
        .unwrap();
    if !created {
        return Vec::new();
    }
    sqlx::query_as("SELECT epoch, count(DISTINCT instance) FROM copy GROUP BY epoch")
        .fetch_all(pool)
        .await
        .unwrap()
}

/// Two runners on one log, with writers, while connections are cut all the time: those of the leases, of running batches, of writers, of
/// the horizon.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whatever_is_cut_each_event_is_applied_once_and_each_command_done_once() {
    const LOAD: Duration = Duration::from_secs(6);
    let database = Database::create().await;
    let admin = database.pool(1).await;
    let (one, two) = (database.store().await, database.store().await);
    let writers = database.store().await;
    let runners = [
        Running::start(&one, vec![Copy::new("one")], 7),
        Running::start(&two, vec![Copy::new("two")], 7),
    ];
    let until = Instant::now() + LOAD;
    let stop = Arc::new(AtomicBool::new(false));
    let mut writing = Vec::new();
    for writer in 0..4 {
        let (store, stop) = (writers.clone(), stop.clone());
        writing.push(tokio::spawn(async move {
            let mut done = 0_i64;
            while !stop.load(Ordering::Relaxed) {
                let mut append = of(vec![take_any("shared"), take_any(&format!("own-{writer}"))]);
                append.command = Some(key(&format!("{writer}-{done}"), 1));
                loop {
                    match store.append(append.clone()).await {
                        Ok(_) | Err(AppendError::CommandRepeated(_)) => break,
                        Err(AppendError::Unavailable(_)) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
                done += 1;
                sleep(Duration::from_millis(3)).await;
            }
            done
        }));
    }
    let mut cuts = 0_i64;
    // A busy machine hands leases over more slowly.
    while Instant::now() < until
        || (epochs(&admin).await.len() <= 3 && Instant::now() < until + SOON)
    {
        sleep(Duration::from_millis(rand::random_range(10..120))).await;
        let leases_only = rand::random_ratio(1, 2);
        cuts += sqlx::query_scalar::<_, i64>(
            "SELECT count(pg_terminate_backend(pid)) FROM (
                 SELECT pid FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                   AND (NOT $1 OR application_name = 'event-store leases')
                 ORDER BY random() LIMIT 2) victims",
        )
        .bind(leases_only)
        .fetch_one(&admin)
        .await
        .unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let mut done = 0;
    for writer in writing {
        done += writer.await.unwrap();
    }
    // Its connections are not among those cut last.
    let after = database.store().await;
    let truth = written(&after).await;
    let last = truth.last().copied().unwrap_or_default();
    let waited = after.wait_for(&["copy"], last, SOON).await.unwrap();
    assert!(
        matches!(waited, WaitOutcome::Reached(_)),
        "{waited:?} of {last}"
    );
    for runner in runners {
        runner.stop().await;
    }
    println!("{} events, {cuts} cuts", truth.len());
    assert!(cuts > 30);
    assert_eq!(
        i64::try_from(truth.len()).unwrap(),
        done * 2,
        "a command was done twice or not at all"
    );
    assert_eq!(
        copied(&after).await,
        truth,
        "lost, repeated or out of order"
    );
    let epochs = epochs(&admin).await;
    assert!(epochs.len() > 3, "the lease never changed hands");
    assert!(
        epochs.iter().all(|(_, instances)| *instances == 1),
        "a zombie worked under somebody else's epoch: {epochs:?}"
    );
}

/// A runner whose lease was taken over unnoticed must not move the checkpoint, even from where it left it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_epoch_stops_the_old_one_at_the_same_position() {
    let store = Database::create().await.store().await;
    let running = Running::start(&store, vec![Copy::new("one")], 7);
    let first = counted(&store, "a", 1).await;
    store
        .wait_for(&["copy"], first.last_position, SOON)
        .await
        .unwrap();
    let theirs = usurp(&store).await;
    let second = store.append(of(vec![take_any("a")])).await.unwrap();
    store
        .wait_for(&["copy"], second.last_position, SOON)
        .await
        .unwrap();
    let under: i64 = sqlx::query_scalar("SELECT epoch FROM copy WHERE position = $1")
        .bind(second.last_position)
        .fetch_one(store.pool())
        .await
        .unwrap();
    assert!(
        under > theirs,
        "applied under an epoch that was somebody else's"
    );
    let theirs = usurp(&store).await;
    let third = store.append(unwanted()).await.unwrap();
    store
        .wait_for(&["copy"], third.last_position, SOON)
        .await
        .unwrap();
    let under: i64 = sqlx::query_scalar("SELECT lease_epoch FROM projection_checkpoint")
        .fetch_one(store.pool())
        .await
        .unwrap();
    assert!(
        under > theirs,
        "moved under an epoch that was somebody else's"
    );
    let wanted = [first.last_position, second.last_position];
    assert_eq!(copied(&store).await, wanted);
    running.stop().await;
}
