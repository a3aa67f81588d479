//! Orders per second placed by one program, over HTTP: `cargo bench -p api --bench place_order [-- SECONDS]`.
//!
//! Each order is a complete one: the cart is priced, personal data is sealed, the streams are locked and loaded, the decision is made, and
//! one append takes the stock and places the order. The baseline in the same run is a Postgres transaction that inserts two rows as large
//! as those events, and commits.

mod served;

use std::sync::Arc;
use std::time::Duration;

use event_store::testing::Database;
use served::shoppers::{Shopper, Work, rate, round_seconds, stocked};
use served::{Anything, BenchServer};
use sqlx::PgPool;
use uuid::Uuid;

/// Numbers of concurrent callers.
const CALLERS: [usize; 2] = [1, 32];
/// Sizes in bytes of the two events of an order with one line.
const PAYLOADS: [usize; 2] = [3_000, 200];

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let seconds = round_seconds();
    let round = Duration::from_secs(seconds);
    let shop = BenchServer::demonstration().await?;
    let products = stocked(&shop).await?;
    let one: Vec<Uuid> = products.iter().copied().take(1).collect();
    println!("## Orders a second, over HTTP\n");
    println!(
        "{seconds} s each, orders of one line by members. The bare transaction inserts two rows of the events' sizes.\n"
    );
    println!("| callers | a product each | all the same product | bare transaction |");
    println!("|---|---|---|---|");
    for callers in CALLERS {
        let apart = rate(&Shopper::new(&shop, &products).await?, callers, round).await?;
        let same = rate(&Shopper::new(&shop, &one).await?, callers, round).await?;
        let bare = rate(&Bare::new().await?, callers, round).await?;
        println!("| {callers} | {apart} | {same} | {bare} |");
    }
    println!();
    shop.stop().await
}

/// Transactions that only insert and commit.
#[derive(Clone)]
struct Bare {
    pool: PgPool,
    _database: Arc<Database>,
}

impl Bare {
    async fn new() -> Result<Self, Anything> {
        let database = Database::create().await;
        let pool = database.pool(32).await;
        sqlx::query(
            "CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text)",
        )
        .execute(&pool)
        .await?;
        Ok(Self {
            pool,
            _database: Arc::new(database),
        })
    }
}

impl Work for Bare {
    async fn once(&self, _caller: usize) -> Result<bool, Anything> {
        let mut transaction = event_store::begin(&self.pool).await?;
        for bytes in PAYLOADS {
            sqlx::query("INSERT INTO bare (payload) VALUES ($1)")
                .bind("x".repeat(bytes))
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}
