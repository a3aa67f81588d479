//! Cost of one more order of a product that already has many orders: `cargo bench --workspace --bench popular_product [-- ORDERS ...]`.
//!
//! Runs on the temporary server of the tests, or on `JANGBU_TEST_DATABASE_URL`.

use std::time::Duration;

use domain::event::{Actor, Context};
use domain::ids::{OrderId, ProductId};
use domain::stock::{Stock, StockCommand, StockEvent};
use domain::unit_of_work::UnitOfWork;
use event_store::testing::{Database, at, measured};
use event_store::{
    Append, Expected, LockSet, LockedStreams, Metadata, Store, StoreOptions, StreamAppend, StreamId,
};
use time::OffsetDateTime;
use uuid::Uuid;

const ROUNDS: usize = 200;
/// Events per append while the history is generated.
const AT_ONCE: usize = 5_000;

type Anything = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let mut sizes: Vec<usize> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    if sizes.is_empty() {
        sizes = vec![0, 10_000, 100_000];
    }
    let database = Database::create().await;
    let store = Store::connect(database.url(), StoreOptions::default())
        .await?
        .with_snapshots(domain::SCHEMA_FINGERPRINT);
    store.migrate().await?;
    println!("## One more order of a product many have ordered\n");
    println!(
        "{ROUNDS} rounds each. Loading reads the stock ledger's snapshot and what came after it; the whole is one append under the \
         lock: begin, lock, load, decide, write, commit.\n"
    );
    println!("| orders before | state | load, p50 | p95 | the whole, p50 | p95 |");
    println!("|---|---|---|---|---|---|");
    for orders in sizes {
        let product = ProductId(Uuid::now_v7());
        lived(&store, product, orders).await?;
        let state = settled(&store, product).await?;
        let loads = measured::<Anything>(ROUNDS, async || {
            store.load::<Stock>(&product.to_string()).await?;
            Ok(())
        })
        .await?;
        let whole = measured(ROUNDS, async || take(&store, product).await).await?;
        println!(
            "| {orders} | {state} bytes | {} | {} | {} | {} |",
            at(&loads, 50),
            at(&loads, 95),
            at(&whole, 50),
            at(&whole, 95)
        );
    }
    println!();
    Ok(())
}

fn metadata() -> Metadata {
    Metadata {
        command_id: None,
        correlation_id: Uuid::now_v7(),
        causation_id: None,
        actor: serde_json::Value::Null,
        reason: None,
        command: None,
        trace: None,
        occurred_at: OffsetDateTime::now_utc(),
    }
}

/// Creates a stock from which this many orders took one unit each.
async fn lived(store: &Store, product: ProductId, orders: usize) -> Result<(), Anything> {
    let mut events = vec![StockEvent::StockCounted {
        product,
        quantity: 1_000_000,
    }];
    events.extend((0..orders).map(|_| StockEvent::StockTaken {
        order: OrderId(Uuid::now_v7()),
        quantity: 1,
    }));
    for part in events.chunks(AT_ONCE) {
        let part = StreamAppend::new::<Stock>(product, Expected::Any, part)?;
        store.append(Append::new(metadata(), vec![part])).await?;
    }
    sqlx::query("VACUUM ANALYZE").execute(store.pool()).await?;
    Ok(())
}

/// Loads it until its snapshot is written; returns the size of its state in bytes.
async fn settled(store: &Store, product: ProductId) -> Result<usize, Anything> {
    let loaded = store.load::<Stock>(&product.to_string()).await?;
    let head = i64::try_from(loaded.version)?;
    for _ in 0..1_000 {
        let version: Option<i64> =
            sqlx::query_scalar("SELECT version FROM snapshots WHERE aggregate_id = $1")
                .bind(product.to_string())
                .fetch_optional(store.pool())
                .await?;
        if version == Some(head) || head < 100 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(serde_json::to_vec(&loaded.state)?.len())
}

/// Takes one unit for one more order.
async fn take(store: &Store, product: ProductId) -> Result<(), Anything> {
    let context = Context {
        now: OffsetDateTime::now_utc(),
        actor: Actor::System,
    };
    let decide = |locked: &LockedStreams, (): ()| -> Result<Append, Anything> {
        let mut work = UnitOfWork::new(context.clone());
        work.plan_write::<Stock>(product);
        locked.load_plan(&mut work)?;
        let act = StockCommand::Take {
            order: OrderId(Uuid::now_v7()),
            quantity: 1,
        };
        let expected = Expected::Exact(work.version::<Stock>(product));
        let events = work.decide::<Stock>(product, act)?;
        let append = StreamAppend::new::<Stock>(product, expected, &events)?;
        Ok(Append::new(metadata(), vec![append]))
    };
    let stock = LockSet::exclusive([StreamId::of::<Stock>(product)]);
    match store.append_locked(None, &stock, &(), decide).await {
        Ok(_) => Ok(()),
        Err(refused) => Err(format!("{refused:?}").into()),
    }
}
