//! Lag of a read model.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use event_store::testing::Database;
use event_store::{Projection, ProjectionError, Runner, Store, StoredEvent, async_trait};
use sqlx::PgConnection;
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};

use crate::pile::command;
use crate::rounds::{Anything, Scale, at, each_second, median, times};

/// Number of events written by placing an order.
const AT_ONCE: u32 = 4;
const NAME: &str = "follower";

/// A read model without rows, to measure the cost of following the log alone.
struct Follower;

#[async_trait]
impl Projection for Follower {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE follower (seen bigint NOT NULL); INSERT INTO follower VALUES (0)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["pile"]
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        sqlx::query("UPDATE follower SET seen = seen + $1")
            .bind(i64::try_from(batch.len())?)
            .execute(tx)
            .await?;
        Ok(())
    }
}

/// Time between the append of each event and its arrival in the read model.
struct Lag {
    each_second: u128,
    p50: Duration,
    p99: Duration,
}

pub async fn measure(scale: &Scale) -> Result<(), Anything> {
    println!("## How long a read model is behind\n");
    println!(
        "From the answer of an append to the commit of the read model's transaction. Appends of {AT_ONCE} events come at their \
         time, however long the ones before take. The foreign transaction has written a table of its own and stays open.\n"
    );
    println!("| events a second | came | p50 | p99 | p50, foreign transaction | p99 | of it |");
    println!("|---|---|---|---|---|---|---|");
    let store = Database::create().await.store().await;
    let following = store.clone();
    let runner = tokio::spawn(async move {
        Runner::new(following, vec![Arc::new(Follower)])
            .run(std::future::pending())
            .await
    });
    sqlx::query("CREATE TABLE foreign_work (done bigint)")
        .execute(store.pool())
        .await?;
    sleep(Duration::from_secs(1)).await;
    for rate in [500, 2_000] {
        let (mut alone, mut beside) = (Vec::new(), Vec::new());
        for turn in 1..=scale.rounds() {
            let quiet = round(&store, rate, scale.round()).await?;
            let mut foreign = event_store::begin(store.pool()).await?;
            sqlx::query("INSERT INTO foreign_work VALUES (1)")
                .execute(&mut *foreign)
                .await?;
            let busy = round(&store, rate, scale.round()).await?;
            foreign.commit().await?;
            eprintln!(
                "{rate} events/s, turn {turn}: p99 {:.1?}, {:.1?}",
                quiet.p99, busy.p99
            );
            alone.push(quiet);
            beside.push(busy);
        }
        let (alone, beside) = (middle(&alone), middle(&beside));
        println!(
            "| {rate} | {} | {:.1?} | {:.1?} | {:.1?} | {:.1?} | {} |",
            alone.each_second,
            alone.p50,
            alone.p99,
            beside.p50,
            beside.p99,
            times(beside.p99.as_nanos(), alone.p99.as_nanos())
        );
    }
    println!();
    runner.abort();
    Ok(())
}

fn middle(lags: &[Lag]) -> Lag {
    Lag {
        each_second: median(lags.iter().map(|lag| lag.each_second)),
        p50: median(lags.iter().map(|lag| lag.p50)),
        p99: median(lags.iter().map(|lag| lag.p99)),
    }
}

async fn round(store: &Store, rate: u32, lasting: Duration) -> Result<Lag, Anything> {
    let arrivals: Arc<Mutex<Vec<(i64, Instant)>>> = Arc::default();
    let mut positions = Runner::new(store.clone(), vec![]).positions();
    let seen = Arc::clone(&arrivals);
    let watching = tokio::spawn(async move {
        while positions.changed().await.is_ok() {
            let reached = positions.borrow_and_update().get(NAME).copied();
            let now = Instant::now();
            if let (Some(position), Ok(mut arrivals)) = (reached, seen.lock()) {
                arrivals.push((position, now));
            }
        }
    });
    let begun = Instant::now();
    let mut writing = JoinSet::new();
    let mut ticks = interval(Duration::from_secs(1) * AT_ONCE / rate);
    while begun.elapsed() < lasting {
        ticks.tick().await;
        let store = store.clone();
        writing.spawn(async move {
            let appended = store.append(command(AT_ONCE)?).await?;
            Ok::<_, Anything>((appended.last_position, Instant::now()))
        });
    }
    let mut appends = Vec::new();
    while let Some(done) = writing.join_next().await {
        appends.push(done??);
    }
    let took = begun.elapsed();
    let last = appends.iter().map(|(position, _)| *position).max();
    store
        .wait_for(&[NAME], last.unwrap_or_default(), Duration::from_secs(60))
        .await?;
    sleep(Duration::from_millis(100)).await;
    watching.abort();
    let arrivals = arrivals.lock().map_err(|error| error.to_string())?;
    let mut lags: Vec<Duration> = appends
        .iter()
        .filter_map(|(position, answered)| {
            let at = arrivals.partition_point(|(reached, _)| reached < position);
            let (_, arrived) = arrivals.get(at)?;
            Some(arrived.saturating_duration_since(*answered))
        })
        .collect();
    if lags.len() < appends.len() {
        return Err("the read model did not come to all events".into());
    }
    lags.sort_unstable();
    let events = lags.len() * usize::try_from(AT_ONCE)?;
    Ok(Lag {
        each_second: each_second(events, took)?,
        p50: at(&lags, 50),
        p99: at(&lags, 99),
    })
}
