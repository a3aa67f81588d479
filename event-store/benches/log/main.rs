//! Speed of the log: `cargo bench -p event-store [-- quick]`. `make bench` runs it on a durable Postgres.
//!
//! Prints Markdown. Each of our figures is shown with its upper bound from the same run: the rivals take turns, and the median of their
//! rounds is printed. On another machine only the ratios are meaningful.

mod lag;
mod pile;
mod rivals;
mod rounds;

use std::time::Duration;

use event_store::testing::Database;
use event_store::{Expected, Store, StoreOptions, StreamAppend};
use pile::{Pile, append, taken};
use rivals::{checkout, load, one_event, pgbench, stock};
use rounds::{Anything, Rival, Round, Scale, compare, times};
use sqlx::PgPool;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let scale = Scale::asked();
    appends(&scale).await?;
    checkouts(&scale).await?;
    loads(&scale).await?;
    lag::measure(&scale).await?;
    long_log(&scale).await
}

async fn appends(scale: &Scale) -> Result<(), Anything> {
    println!("## Append: one event of a new stream\n");
    println!(
        "With expected version, command id and metadata. pgbench inserts the same two rows in one statement, of 90 clients \
         at the most; the stock postgres-es has no command ids. Alone: every append is a transaction of its own.\n"
    );
    let database = Database::create().await;
    database.store().await;
    let writing = async |writers| {
        let options = StoreOptions {
            max_connections: 40,
            acquire_timeout: Duration::from_secs(30),
            writers,
            ..StoreOptions::default()
        };
        Store::connect(database.url(), options).await
    };
    let store = writing(StoreOptions::default().writers).await?;
    let alone = writing(0).await?;
    println!(
        "| callers | ours | p50 | p99 | alone | pgbench | ours of it | alone of it | stock postgres-es | ours of it | alone of it |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for &callers in scale.callers() {
        let rivals = [
            one_event(&store),
            one_event(&alone),
            pgbench(&database, &store).await?,
            stock(&store, 1),
        ];
        let [ours, alone, limit, stock] = compare(scale, callers, &rivals).await?;
        println!(
            "| {callers} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            ours.rate(),
            ours.p50(),
            ours.p99(),
            alone.rate(),
            limit.rate(),
            ours.of(&limit),
            alone.of(&limit),
            stock.rate(),
            ours.of(&stock),
            alone.of(&stock)
        );
    }
    println!();
    Ok(())
}

async fn checkouts(scale: &Scale) -> Result<(), Anything> {
    println!("## Placing an order: four streams\n");
    println!(
        "Ours is one append, whole or not at all; the stock postgres-es needs four commands, and a crash leaves some of them.\n"
    );
    let store = Database::create().await.store().await;
    println!("| callers | ours | p50 | p99 | four commands | of it |");
    println!("|---|---|---|---|---|---|");
    for callers in [1, 32] {
        let rivals = [checkout(&store), stock(&store, 4)];
        let [ours, separate] = compare(scale, callers, &rivals).await?;
        println!(
            "| {callers} | {} | {} | {} | {} | {} |",
            ours.rate(),
            ours.p50(),
            ours.p99(),
            separate.rate(),
            ours.of(&separate)
        );
    }
    println!();
    Ok(())
}

async fn loads(scale: &Scale) -> Result<(), Anything> {
    println!("## Loading a stream\n");
    println!("| events | whole, p50 | from a snapshot, p50 |");
    println!("|---|---|---|");
    let plain = Database::create().await.store().await;
    let quick = plain.clone().with_snapshots("bench");
    for events in [10, 1_000, 10_000] {
        let id = stream_of(&plain, events).await?;
        let rivals = [load(&plain, &id), load(&quick, &id)];
        let [whole, snapshot] = compare(scale, 1, &rivals).await?;
        println!("| {events} | {} | {} |", whole.p50(), snapshot.p50());
    }
    println!();
    Ok(())
}

/// Creates a stream with this many events.
async fn stream_of(store: &Store, events: usize) -> Result<String, Anything> {
    let id = format!("of-{events}");
    for some in vec![taken(1); events].chunks(1_000) {
        let stream = StreamAppend::new::<Pile>(&id, Expected::Any, some)?;
        store.append(append(vec![stream])).await?;
    }
    Ok(id)
}

async fn long_log(scale: &Scale) -> Result<(), Anything> {
    let (empty, full) = (Database::create().await, Database::create().await);
    let (short, long) = (empty.store().await, full.store().await);
    let events = scale.long_log();
    fill(long.pool(), events).await?;
    println!("## Append to a log of {events} events\n");
    println!("One caller. The first column is a log that was empty.\n");
    println!("| empty, p50 | long, p50 | of it |");
    println!("|---|---|---|");
    let rivals: [Rival; 2] = [one_event(&short), one_event(&long)];
    let [before, after]: [Round; 2] = compare(scale, 1, &rivals).await?;
    let ratio = times(after.p50.as_nanos(), before.p50.as_nanos());
    println!("| {} | {} | {ratio} |\n", before.p50(), after.p50());
    Ok(())
}

/// Copies the first event of a log this many times, each into a stream of its own.
async fn fill(pool: &PgPool, events: u32) -> Result<(), Anything> {
    const AT_ONCE: u32 = 250_000;
    one_event(&Store::new(pool.clone()))
        .round(1, Duration::from_millis(10))
        .await?;
    let mut connection = pool.acquire().await?;
    sqlx::query("SET synchronous_commit = off")
        .execute(&mut *connection)
        .await?;
    let mut filled = 0;
    while filled < events {
        let count = AT_ONCE.min(events - filled);
        sqlx::query(
            "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, event_id, correlation_id)
             SELECT e.aggregate_type, gen_random_uuid()::text, 1, e.event_type, e.event_version, e.payload, e.metadata, gen_random_uuid(), gen_random_uuid()
             FROM (SELECT * FROM events ORDER BY global_position LIMIT 1) e, generate_series(1, $1)",
        )
        .bind(i64::from(count))
        .execute(&mut *connection)
        .await?;
        filled += count;
        eprintln!("{filled} of {events} events");
    }
    sqlx::query("SET synchronous_commit = on")
        .execute(&mut *connection)
        .await?;
    for statement in ["VACUUM ANALYZE events", "CHECKPOINT"] {
        sqlx::query(statement).execute(&mut *connection).await?;
    }
    Ok(())
}
