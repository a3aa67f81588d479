//! Members who place orders, and the measurement of rates.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use demo::people::PASSWORD;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Anything, BenchServer};

/// Stock, more than any round sells.
pub const STOCK: u32 = 10_000_000;

/// Work that a caller repeats.
pub trait Work: Clone + Send + Sync + 'static {
    /// Executes it once; false if nothing is left to do.
    fn once(&self, caller: usize) -> impl Future<Output = Result<bool, Anything>> + Send;
}

/// Seconds of a round: the number on the command line, or ten.
pub fn round_seconds() -> u64 {
    let words = std::env::args();
    words
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(10)
}

/// Executions per second, over `round` or until nothing is left to do.
pub async fn rate(work: &impl Work, callers: usize, round: Duration) -> Result<u64, Anything> {
    work.once(0).await?;
    let done = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (work, done) = (work.clone(), done.clone());
            tokio::spawn(async move {
                while begun.elapsed() < round && work.once(caller).await? {
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

/// Posts a JSON body with a token; returns the body of the response.
pub async fn post(
    shop: &BenchServer,
    token: &str,
    path: &str,
    body: &Value,
) -> Result<Value, Anything> {
    let ask = shop.client.post(format!("{}{path}", shop.url)).json(body);
    let answer = ask.bearer_auth(token).send().await?;
    if !answer.status().is_success() {
        let status = answer.status();
        return Err(format!("{path}: {status} {}", answer.text().await?).into());
    }
    Ok(answer.json().await?)
}

/// The token of an account of the demonstration.
pub async fn signed_in(shop: &BenchServer, username: &str) -> Result<String, Anything> {
    let url = format!("{}/api/auth/refreshToken", shop.url);
    let ask = shop.client.get(url).basic_auth(username, Some(PASSWORD));
    let body: Value = ask.send().await?.json().await?;
    let token = body.get("accessToken").and_then(Value::as_str);
    token
        .map(str::to_owned)
        .ok_or_else(|| format!("{username}: {body}").into())
}

/// Products without options, with more stock than is sold here.
pub async fn stocked(shop: &BenchServer) -> Result<Vec<Uuid>, Anything> {
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

/// The form of an order of these lines: product and quantity.
pub fn order_form(lines: &[(Uuid, u32)]) -> Value {
    let carts: Vec<Value> = lines
        .iter()
        .map(|(product, pieces)| json!({ "_product": product, "quantity": pieces }))
        .collect();
    json!({
        "carts": carts,
        "sender": { "name": "홍길동", "phone": "010-1234-5678", "email": "hong@example.com" },
        "receiver": { "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" },
        "_terms": ["purchase", "privacy", "privacy-third"],
    })
}

/// Members who place orders of one line.
#[derive(Clone)]
pub struct Shopper {
    client: reqwest::Client,
    url: String,
    token: String,
    products: Arc<Vec<Uuid>>,
}

impl Shopper {
    /// A shopper of the demonstration who buys these products.
    pub async fn new(shop: &BenchServer, products: &[Uuid]) -> Result<Self, Anything> {
        Ok(Self {
            client: shop.client.clone(),
            url: format!("{}/api/v1/shop/orders", shop.url),
            token: signed_in(shop, "shopper01").await?,
            products: Arc::new(products.to_vec()),
        })
    }
}

impl Work for Shopper {
    async fn once(&self, caller: usize) -> Result<bool, Anything> {
        let product = self.products.iter().cycle().nth(caller).copied();
        let form = order_form(&[(product.ok_or("no products")?, 1)]);
        let ask = self.client.post(&self.url).bearer_auth(&self.token);
        let answer = ask.json(&form).send().await?;
        match answer.status().as_u16() {
            201 => Ok(true),
            status => Err(format!("{status}: {}", answer.text().await?).into()),
        }
    }
}
