//! How fast the log is: `cargo bench -p event-store`.
//!
//! On the throw-away server of the tests (no fsync), or on the one of `JANGBU_TEST_DATABASE_URL`. The same work by a
//! stock postgres-es stands beside ours, from the same run: only the ratios mean something.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cqrs_es::event_sink::EventSink;
use cqrs_es::persist::PersistedEventStore;
use cqrs_es::{Aggregate, CqrsFramework, DomainEvent};
use event_store::testing::Database;
use event_store::{
    Append, Expected, LockedStreams, Metadata, Projection, ProjectionError, Recorded, Runner,
    Store, StoreError, StreamAppend, StreamId, async_trait,
};
use futures::future::BoxFuture;
use postgres_es::PostgresEventRepository;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tokio::task::JoinSet;
use uuid::Uuid;

const ROUND: Duration = Duration::from_secs(3);

type Anything = Box<dyn std::error::Error + Send + Sync>;
type Work = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Anything>> + Send + Sync>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Taken { many: i64, note: String },
}

impl DomainEvent for Event {
    fn event_type(&self) -> String {
        "Taken".to_owned()
    }

    fn event_version(&self) -> String {
        "1.0".to_owned()
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Pile {
    taken: i64,
}

impl Aggregate for Pile {
    const TYPE: &'static str = "pile";
    type Command = i64;
    type Event = Event;
    type Error = std::fmt::Error;
    type Services = ();

    async fn handle(
        &mut self,
        many: i64,
        _services: &(),
        sink: &EventSink<Self>,
    ) -> Result<(), std::fmt::Error> {
        sink.write(taken(many), self).await;
        Ok(())
    }

    fn apply(&mut self, event: Event) {
        let Event::Taken { many, .. } = event;
        self.taken += many;
    }
}

fn taken(many: i64) -> Event {
    let note =
        "about as long as the small events of a shop usually are, some words and a few numbers";
    Event::Taken {
        many,
        note: note.to_owned(),
    }
}

fn append(streams: Vec<StreamAppend>) -> Append {
    let actor = serde_json::json!({"kind": "member", "id": Uuid::now_v7()});
    Append::new(Metadata::new(actor, OffsetDateTime::now_utc()), streams)
}

/// One event each for `count` new streams.
fn fresh(count: u32) -> Result<Append, StoreError> {
    let streams = (0..count)
        .map(|_| StreamAppend::new::<Pile>(Uuid::now_v7(), Expected::NoStream, &[taken(1)]))
        .collect::<Result<_, _>>()?;
    Ok(append(streams))
}

/// Lets `callers` do `work` over and over for one round, and prints what came of it.
async fn round(what: &str, callers: u32, work: Work) -> Result<(), Anything> {
    let until = Instant::now() + ROUND;
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let work = Arc::clone(&work);
        tasks.spawn(async move {
            let mut times = Vec::new();
            while Instant::now() < until {
                let since = Instant::now();
                work().await?;
                times.push(since.elapsed());
            }
            Ok::<_, Anything>(times)
        });
    }
    let mut times: Vec<Duration> = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    times.sort_unstable();
    let at = |percent: usize| {
        times
            .get(times.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    };
    let each_second = u128::try_from(times.len())? * 1000 / ROUND.as_millis();
    println!(
        "{what:<44} {callers:>4} callers {each_second:>7}/s   p50 {:>9.2?}   p99 {:>9.2?}",
        at(50),
        at(99)
    );
    Ok(())
}

fn ours(store: &Store, streams: u32) -> Work {
    let store = store.clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move {
            store.append(fresh(streams)?).await?;
            Ok(())
        })
    })
}

fn stock(store: &Store, commands: u32) -> Work {
    let repository = PostgresEventRepository::new(store.pool().clone());
    let persisted = PersistedEventStore::<_, Pile>::new_event_store(repository);
    let framework = Arc::new(CqrsFramework::new(persisted, vec![], ()));
    Arc::new(move || {
        let framework = Arc::clone(&framework);
        Box::pin(async move {
            for _ in 0..commands {
                framework.execute(&Uuid::now_v7().to_string(), 1).await?;
            }
            Ok(())
        })
    })
}

fn hot(store: &Store) -> Work {
    let store = store.clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move {
            // young enough that folding it is not what is measured
            let id = format!("hot-{}", Uuid::now_v7().as_u128() % 64);
            let streams = [StreamId::of::<Pile>(&id)];
            let decide = |locked: &LockedStreams| {
                let loaded = locked.state::<Pile>(&id)?;
                let expected = Expected::Exact(loaded.version);
                Ok::<_, StoreError>(append(vec![StreamAppend::new::<Pile>(
                    &id,
                    expected,
                    &[taken(1)],
                )?]))
            };
            store.append_locked(&streams, decide).await?;
            Ok(())
        })
    })
}

/// A stream of that many events.
async fn long(store: &Store, events: usize) -> Result<String, Anything> {
    let id = format!("of-{events}");
    let all = vec![taken(1); events];
    for some in all.chunks(1_000) {
        let stream = StreamAppend::new::<Pile>(&id, Expected::Any, some)?;
        store.append(append(vec![stream])).await?;
    }
    Ok(id)
}

fn load(store: &Store, id: &str) -> Work {
    let (store, id) = (store.clone(), id.to_owned());
    Arc::new(move || {
        let (store, id) = (store.clone(), id.clone());
        Box::pin(async move {
            store.load::<Pile>(&id).await?;
            Ok(())
        })
    })
}

/// A read model of nothing, to see what following the log costs by itself.
struct Follower {
    name: &'static str,
    kinds: &'static [&'static str],
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
        ""
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.kinds
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[Recorded],
    ) -> Result<(), ProjectionError> {
        let count = i64::try_from(batch.len())?;
        sqlx::query("SELECT $1::bigint")
            .bind(count)
            .execute(tx)
            .await?;
        Ok(())
    }
}

/// Twenty projections, three of which want what is written.
fn followers() -> Vec<Arc<dyn Projection>> {
    const NAMES: [&str; 20] = [
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r",
        "s", "t",
    ];
    let wants = |number: usize| -> &'static [&'static str] {
        if number < 3 { &["pile"] } else { &["nothing"] }
    };
    NAMES
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let kinds = wants(number);
            let follower: Arc<dyn Projection> = Arc::new(Follower { name, kinds });
            follower
        })
        .collect()
}

/// An append, and then until all projections have it.
fn read_your_write(store: &Store) -> Work {
    let store = store.clone();
    Arc::new(move || {
        let store = store.clone();
        Box::pin(async move {
            let appended = store.append(fresh(1)?).await?;
            store
                .wait_for(&["a", "t"], appended.last_position, Duration::from_secs(5))
                .await?;
            Ok(())
        })
    })
}

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let database = Database::create().await;
    let store = database.store().await;
    for callers in [1, 8, 32] {
        round("append, 1 event", callers, ours(&store, 1)).await?;
        round("  stock postgres-es, 1 event", callers, stock(&store, 1)).await?;
    }
    for callers in [1, 32] {
        round("append, 4 streams at once", callers, ours(&store, 4)).await?;
        round(
            "  stock postgres-es, 4 commands in a row",
            callers,
            stock(&store, 4),
        )
        .await?;
    }
    for callers in [1, 32] {
        round("append_locked, 64 hot streams", callers, hot(&store)).await?;
    }
    let quick = store.clone().with_snapshots("bench");
    for events in [10, 1_000, 10_000] {
        let id = long(&store, events).await?;
        round(&format!("load, {events} events"), 1, load(&store, &id)).await?;
        round("  from a snapshot", 1, load(&quick, &id)).await?;
    }
    let following = store.clone();
    let runner = tokio::spawn(async move {
        let runner = Runner::new(following, followers());
        runner.run(std::future::pending()).await
    });
    tokio::time::sleep(Duration::from_secs(3)).await;
    round("append, 20 projections following", 1, ours(&store, 1)).await?;
    round("append, 20 projections following", 32, ours(&store, 1)).await?;
    round(
        "append and wait for the projections",
        1,
        read_your_write(&store),
    )
    .await?;
    round(
        "append and wait for the projections",
        8,
        read_your_write(&store),
    )
    .await?;
    runner.abort();
    Ok(())
}
