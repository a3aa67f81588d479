//! Speed of rebuilding read models and of verifying a log: `cargo bench -p projections --bench rebuild [-- COPIES]`.
//!
//! Runs a simulated shop for a while, copies its streams under other ids until there are enough events, and rebuilds every read model from
//! them. Prints Markdown; the upper limit is printed first: the rate of reading the log
//! without processing it.

#[expect(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "shared with the tests"
)]
#[path = "../tests/read_models/rows.rs"]
mod rows;
#[expect(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "shared with the tests"
)]
#[path = "../tests/read_models/shop/mod.rs"]
mod shop;

use std::error::Error;
use std::time::{Duration, Instant};

use event_store::projection::Rebuild;
use event_store::{Store, StoreError, StoredEvent};
use futures::TryStreamExt;
use projections::verify::verify;
use serde_json::Value;
use tokio::runtime::Runtime;
use uuid::Uuid;

/// Number of actions in the shop that is copied.
const DEEDS: usize = 1_500;
/// Number of copies unless given on the command line.
const COPIES: u32 = 500;
/// Kinds of streams that can be copied.
const KINDS: [&str; 9] = [
    "order",
    "payment",
    "user-payment",
    "stock",
    "points",
    "issued-coupon",
    "coupon-campaign",
    "member",
    "product",
];
/// Prefix of the payment service's charge ids; no two payments share one.
const CHARGE: &str = "tid-";
/// Minimum number of digits of an order number.
const ORDER_NO: usize = 8;

/// The same text with other ids and numbers.
fn renamed(text: &str, copy: u32) -> String {
    if let Some(id) = text.strip_prefix(CHARGE) {
        return format!("{CHARGE}{}", renamed(id, copy));
    }
    let (id, rest) = text.split_once(':').unwrap_or((text, ""));
    if id.len() == 36 && Uuid::try_parse(id).is_ok() {
        let colon = if rest.is_empty() { "" } else { ":" };
        let tail = id.get(8..).unwrap_or_default();
        return format!("{copy:08x}{tail}{colon}{rest}");
    }
    let number = text.split('-').next().unwrap_or_default();
    if number.len() >= ORDER_NO && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{copy}{text}");
    }
    text.to_owned()
}

fn renamed_all(value: &Value, copy: u32) -> Value {
    match value {
        Value::String(text) => Value::String(renamed(text, copy)),
        Value::Array(items) => items.iter().map(|item| renamed_all(item, copy)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (renamed(name, copy), renamed_all(value, copy)))
            .collect(),
        other => other.clone(),
    }
}

async fn copy(store: &Store, log: &[StoredEvent], copy: u32) -> Result<(), Box<dyn Error>> {
    let each = || {
        log.iter()
            .filter(|one| KINDS.contains(&one.stream.kind.as_str()))
    };
    let sequences: Vec<i64> = each()
        .map(|one| i64::try_from(one.version))
        .collect::<Result<_, _>>()?;
    let payloads: Vec<String> = each()
        .map(|one| Ok(renamed_all(&one.value()?, copy).to_string()))
        .collect::<Result<_, StoreError>>()?;
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, event_id, occurred_at)
         SELECT n.kind, n.id, n.sequence, n.type, n.version, n.payload::json, e.metadata, gen_random_uuid(), e.occurred_at
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
              WITH ORDINALITY AS n(kind, id, sequence, type, version, payload, of, nr)
         JOIN events e ON e.global_position = n.of ORDER BY n.nr",
    )
    .bind(each().map(|one| one.stream.kind.as_str()).collect::<Vec<_>>())
    .bind(each().map(|one| renamed(&one.stream.id, copy)).collect::<Vec<_>>())
    .bind(sequences)
    .bind(each().map(|one| one.event_type.as_str()).collect::<Vec<_>>())
    .bind(each().map(|one| one.event_version.as_str()).collect::<Vec<_>>())
    .bind(payloads)
    .bind(each().map(|one| one.position).collect::<Vec<_>>())
    .execute(store.pool())
    .await?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let asked = std::env::args().find_map(|argument| argument.parse().ok());
    Runtime::new()?.block_on(run(asked.unwrap_or(COPIES)))
}

async fn run(copies: u32) -> Result<(), Box<dyn Error>> {
    let shop = rows::lived(7, DEEDS).await;
    let store = &shop.store;
    let log = store.read_all(0, shop.last_position, 1_000_000).await?;
    for nr in 1..=copies {
        copy(store, &log, nr).await?;
    }
    sqlx::query("ANALYZE events").execute(store.pool()).await?;
    let events = store.head().await?;
    println!("## Building read models anew: {events} events in the log\n");
    let read = bare(store).await?;
    println!(
        "Postgres hands out the whole log (`COPY`, nothing is done with it) at {} events/s.\n",
        rate(events, read)
    );
    println!("| read model | its events | read and folded | events/s | until people read it |");
    println!("|---|---|---|---|---|");
    for projection in projections::all() {
        let name = projection.name();
        let done = Rebuild::of(store, projection).run().await?;
        println!(
            "| {name} | {} | {:.2?} | {} | {:.2?} |",
            done.events,
            done.reading,
            rate(done.events, done.reading),
            done.took
        );
    }
    let begun = Instant::now();
    let report = verify(store, |_| {}).await?;
    let took = begun.elapsed();
    let claims: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE event_type IN ('CancelRequested', 'ReturnRequested', 'ExchangeRequested')",
    )
    .fetch_one(store.pool())
    .await?;
    println!("\n## Verifying {events} events, {claims} claims among them\n");
    println!(
        "Fold, books, conservation and every read model: {:.2?}, {} events/s, {} differences.\n",
        took,
        rate(events, took),
        report.differences.len()
    );
    println!("| part, side by side with others | its events | its rows | at work | events/s |");
    println!("|---|---|---|---|---|");
    for (part, pace) in &report.paces {
        println!(
            "| {part} | {} | {} | {:.2?} | {} |",
            pace.events,
            pace.rows,
            pace.took,
            pace.rate()
        );
    }
    println!();
    Ok(())
}

/// Time Postgres takes to send the log.
async fn bare(store: &Store) -> Result<Duration, Box<dyn Error>> {
    let begun = Instant::now();
    let mut connection = store.pool().acquire().await?;
    let mut rows = connection
        .copy_out_raw("COPY (SELECT * FROM events ORDER BY global_position) TO STDOUT")
        .await?;
    while rows.try_next().await?.is_some() {}
    Ok(begun.elapsed())
}

fn rate(events: i64, took: Duration) -> i64 {
    let millis = i64::try_from(took.as_millis()).unwrap_or(i64::MAX).max(1);
    events.saturating_mul(1_000) / millis
}
