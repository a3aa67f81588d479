//! How many orders a second one program places, over HTTP: `cargo bench -p api --bench place_order [-- SECONDS]`.
//!
//! Each order is the real one: the cart is priced, what is personal is sealed, the streams are locked and loaded, the rules decide,
//! and one append takes the goods and places the order. Beside it stands what Postgres does in the same run for a transaction
//! that inserts two rows as large as those events, and commits.

mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use demo::people::PASSWORD;
use event_store::testing::Database;
use serde_json::{Value, json};
use served::{Anything, BenchServer};
use sqlx::PgPool;
use uuid::Uuid;

/// How many place orders at once.
const CALLERS: [usize; 2] = [1, 32];
/// More than any round sells.
const STOCK: u32 = 10_000_000;
/// Who places them.
const SHOPPER: &str = "shopper01";
/// Bytes of the two events of an order of one line.
const PAYLOADS: [usize; 2] = [3_000, 200];

/// Something that is asked over and over by one caller.
trait Work: Clone + Send + Sync + 'static {
    fn once(&self, caller: usize) -> impl Future<Output = Result<(), Anything>> + Send;
}

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let seconds = std::env::args()
        .filter_map(|word| word.parse::<u64>().ok())
        .next()
        .unwrap_or(10);
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

/// How often a second, over `round`.
async fn rate(work: &impl Work, callers: usize, round: Duration) -> Result<u64, Anything> {
    work.once(0).await?;
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (work, done) = (work.clone(), done.clone());
            tokio::spawn(async move {
                while begun.elapsed() < round {
                    work.once(caller).await?;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<_, Anything>(())
            })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    let millis = u64::try_from(begun.elapsed().as_millis())?;
    Ok(done.load(Ordering::Relaxed) * 1_000 / millis.max(1))
}

/// The token of an account of the demonstration.
async fn signed_in(shop: &BenchServer, username: &str) -> Result<String, Anything> {
    let url = format!("{}/api/auth/refreshToken", shop.url);
    let ask = shop.client.get(url).basic_auth(username, Some(PASSWORD));
    let body: Value = ask.send().await?.json().await?;
    let token = body.get("accessToken").and_then(Value::as_str);
    token
        .map(str::to_owned)
        .ok_or_else(|| format!("{username}: {body}").into())
}

/// Products without options, with more in stock than is sold here.
async fn stocked(shop: &BenchServer) -> Result<Vec<Uuid>, Anything> {
    let products: Vec<(Uuid, i64)> = sqlx::query_as(
        "SELECT id, version FROM products WHERE NOT removed AND kind = 'NORMAL_PRODUCT' AND shows \
         AND coalesce(jsonb_array_length(data -> 'options'), 0) = 0 ORDER BY id LIMIT 32",
    )
    .fetch_all(shop.app.pool())
    .await?;
    let operator = signed_in(shop, "operator").await?;
    for (id, version) in &products {
        let answer = shop
            .client
            .put(format!("{}/api/console/shop/products/{id}", shop.url))
            .bearer_auth(&operator)
            .json(&json!({ "version": version, "stock": [{ "_stock": id, "quantity": STOCK }] }))
            .send()
            .await?;
        if !answer.status().is_success() {
            return Err(format!("stock of {id}: {}", answer.text().await?).into());
        }
    }
    Ok(products.into_iter().map(|(id, _)| id).collect())
}

/// Members who place orders.
#[derive(Clone)]
struct Shopper {
    client: reqwest::Client,
    url: String,
    token: String,
    products: Arc<Vec<Uuid>>,
}

impl Shopper {
    async fn new(shop: &BenchServer, products: &[Uuid]) -> Result<Self, Anything> {
        Ok(Self {
            client: shop.client.clone(),
            url: format!("{}/api/v1/shop/orders", shop.url),
            token: signed_in(shop, SHOPPER).await?,
            products: Arc::new(products.to_vec()),
        })
    }
}

impl Work for Shopper {
    async fn once(&self, caller: usize) -> Result<(), Anything> {
        let product = self.products.get(caller % self.products.len());
        let form = json!({
            "carts": [{ "_product": product, "quantity": 1 }],
            "sender": { "name": "홍길동", "phone": "010-1234-5678", "email": "hong@example.com" },
            "receiver": { "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" },
            "_terms": ["purchase", "privacy", "privacy-third"],
        });
        let ask = self.client.post(&self.url).bearer_auth(&self.token);
        let answer = ask.json(&form).send().await?;
        match answer.status().as_u16() {
            201 => Ok(()),
            status => Err(format!("{status}: {}", answer.text().await?).into()),
        }
    }
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
    async fn once(&self, _caller: usize) -> Result<(), Anything> {
        let mut transaction = event_store::begin(&self.pool).await?;
        for bytes in PAYLOADS {
            sqlx::query("INSERT INTO bare (payload) VALUES ($1)")
                .bind("x".repeat(bytes))
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}
