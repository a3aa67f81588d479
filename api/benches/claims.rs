//! Cost of a claim over HTTP: `cargo bench -p api --bench claims [-- SECONDS]`.
//!
//! Measures the preview of a cancellation of an order with a hundred lines, with the load of that order alone as a baseline; and partial
//! cancellations of paid orders bought with a coupon and points, piece by piece, with the placement of orders in the same run as a
//! baseline. Each claim splits the purchase and gives back stock, money and points, the last one of an order also its coupon and shipping
//! fee; the refunds are sent to the payment gateway meanwhile.

mod served;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use application::clock::{Clock, SystemClock};
use application::executor::CommandContext;
use domain::ids::{LotId, MemberId};
use domain::order::Order;
use domain::points::{self, Points, PointsCommand};
use domain::{Actor, Amount};
use event_store::testing::{at, measured};
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use served::shoppers::{
    STOCK, Shopper, Work, order_form, post, rate, round_seconds, signed_in, stocked,
};
use served::{Anything, BenchServer};
use uuid::Uuid;

/// Numbers of concurrent callers.
const CALLERS: [usize; 2] = [1, 32];
/// Lines of the previewed order.
const LINES: usize = 100;
const PREVIEWS: usize = 200;
/// Pieces of an order that are claimed one after another.
const PIECES: u32 = 6;
/// Orders to be paid for each second of a round, by 32 callers and by one.
const ORDERS_A_SECOND: usize = 60;
/// Points used in an order, in hundredths.
const POINTS: i64 = 60;
/// Points granted, more than all orders of a member use.
const GRANTED: i64 = 1_000_000;
/// Number of shoppers of the demonstration who buy; each draws a coupon once.
const BUYERS: usize = 12;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let seconds = round_seconds();
    let round = Duration::from_secs(seconds);
    let shop = BenchServer::demonstration().await?;
    let products = stocked(&shop).await?;
    preview(&shop).await?;

    println!("## Partial cancellations a second, over HTTP\n");
    println!(
        "{seconds} s each: one of {PIECES} pieces, until none is left, of paid orders with a coupon and points. Beside it orders of one line.\n"
    );
    println!("| callers | claims | orders placed | of it |");
    println!("|---|---|---|---|");
    let buyers = Buyer::all(&shop).await?;
    for callers in CALLERS {
        let orders = ORDERS_A_SECOND * usize::try_from(seconds)? * (1 + usize::from(callers > 1));
        let claims = Claims::paid(&shop, &buyers, &products, orders).await?;
        let claimed = rate(&claims, callers, round).await?;
        let placed = rate(&Shopper::new(&shop, &products).await?, callers, round).await?;
        let ratio = claimed * 100 / placed.max(1);
        let (whole, hundredths) = (ratio / 100, ratio % 100);
        println!("| {callers} | {claimed} | {placed} | {whole}.{hundredths:02}x |");
    }
    println!();
    shop.stop().await
}

/// The preview of a whole cancellation of a paid order of many lines.
async fn preview(shop: &BenchServer) -> Result<(), Anything> {
    let seller = signed_in(shop, "hangang").await?;
    let mut lines = Vec::new();
    for line in 0..LINES {
        let product = json!({
            "code": format!("CLAIM-{line}"), "name": format!("상자 {line}"), "price": 1_000, "shows": true, "stock": STOCK,
        });
        let made = post(shop, &seller, "/api/console/shop/products", &product).await?;
        lines.push((id_at(&made, "/product/_id")?, 2));
    }
    let buyer = Buyer::named(shop, "shopper01").await?;
    let order = buyer.buys(shop, &order_form(&lines)).await?;
    let path = format!("/api/v1/me/orders/{}/cancel/preview", order.id);
    let ours = measured::<Anything>(PREVIEWS, async || {
        let answer = post(shop, &buyer.token, &path, &json!({})).await?;
        let shown = answer.pointer("/preview/lines").and_then(Value::as_array);
        match shown.map(Vec::len) {
            Some(LINES) => Ok(()),
            other => Err(format!("{other:?} lines are previewed: {answer}").into()),
        }
    })
    .await?;
    let load = measured::<Anything>(PREVIEWS, async || {
        let loaded = shop.app.store.load::<Order>(&order.id.to_string()).await;
        loaded
            .map(drop)
            .map_err(|error| format!("{error:?}").into())
    })
    .await?;
    println!("## The preview of a cancellation of {LINES} lines, over HTTP\n");
    println!("| p50 | p95 | load of the order alone, p95 |");
    println!("|---|---|---|");
    println!(
        "| {} | {} | {} |\n",
        at(&ours, 50),
        at(&ours, 95),
        at(&load, 95)
    );
    Ok(())
}

fn id_at(answer: &Value, path: &str) -> Result<Uuid, Anything> {
    let id = answer.pointer(path).and_then(Value::as_str);
    Ok(id
        .ok_or_else(|| format!("no {path} in {answer}"))?
        .parse()?)
}

/// A member who has signed in.
#[derive(Clone)]
struct Buyer {
    token: String,
    /// Follows no redirects, because the target of the payment's redirect is checked.
    client: reqwest::Client,
}

/// A paid order.
struct PaidOrder {
    id: Uuid,
    number: String,
}

impl Buyer {
    async fn named(shop: &BenchServer, username: &str) -> Result<Self, Anything> {
        Ok(Self {
            token: signed_in(shop, username).await?,
            client: reqwest::Client::builder()
                .redirect(Policy::none())
                .build()?,
        })
    }

    /// All buyers, with points for all their orders.
    async fn all(shop: &BenchServer) -> Result<Vec<Self>, Anything> {
        let mut all = Vec::new();
        for number in 1..=BUYERS {
            let username = format!("shopper{number:02}");
            let buyer = Self::named(shop, &username).await?;
            let url = format!("{}/api/v1/me/info", shop.url);
            let ask = shop.client.get(url).bearer_auth(&buyer.token);
            let info: Value = ask.send().await?.json().await?;
            let member = id_at(&info, "/user/_id")?;
            grant(shop, MemberId(member)).await?;
            all.push(buyer);
        }
        Ok(all)
    }

    /// Places the order and pays it, as a browser does.
    async fn buys(&self, shop: &BenchServer, form: &Value) -> Result<PaidOrder, Anything> {
        let placed = post(shop, &self.token, "/api/v1/shop/orders", form).await?;
        let id = id_at(&placed, "/order/_id")?;
        let asked = json!({ "_order": id });
        let path = "/api/plugins/nicepayments/generate/order";
        let window = post(shop, &self.token, path, &asked).await?;
        let address = format!("{}/sandbox/authenticate", shop.sandbox);
        let ask = self
            .client
            .post(address)
            .json(window.get("payment").ok_or("no window")?);
        let fields: serde_json::Map<String, Value> = ask.send().await?.json().await?;
        let form: Vec<(&str, String)> = fields
            .iter()
            .map(|(name, value)| {
                (
                    name.as_str(),
                    value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned),
                )
            })
            .collect();
        let back = format!("{}/plugins/nicepayments/response", shop.url);
        let paid = self.client.post(back).form(&form).send().await?;
        let to = paid
            .headers()
            .get("location")
            .and_then(|to| to.to_str().ok());
        if !to.is_some_and(|to| to.contains("order=") && !to.contains("error=")) {
            return Err(format!("paying {id} led to {to:?}").into());
        }
        let number = placed.pointer("/order/orderNo").and_then(Value::as_str);
        Ok(PaidOrder {
            id,
            number: number.ok_or("no order number")?.to_owned(),
        })
    }
}

async fn grant(shop: &BenchServer, member: MemberId) -> Result<(), Anything> {
    let command = CommandContext::for_actor("benchmark", Actor::System);
    let grant = PointsCommand::Grant {
        member,
        lot: LotId(Uuid::now_v7()),
        amount: Amount::new(GRANTED),
        reason: "benchmark".to_owned(),
        order: None,
        grant: None,
        expires_at: SystemClock.now() + time::Duration::days(300),
    };
    let granted = shop
        .app
        .executor
        .execute::<Points>(&command, points::stream_id(member), grant)
        .await;
    granted
        .map(drop)
        .map_err(|error| format!("{error:?}").into())
}

/// Claims on paid orders, one piece each.
#[derive(Clone)]
struct Claims {
    client: reqwest::Client,
    url: String,
    /// The purchase of each order and its buyer's token.
    purchases: Arc<Vec<(String, String)>>,
    next: Arc<AtomicUsize>,
}

impl Claims {
    /// Places and pays this many orders, each with its own coupon.
    async fn paid(
        shop: &BenchServer,
        buyers: &[Buyer],
        products: &[Uuid],
        orders: usize,
    ) -> Result<Self, Anything> {
        let operator = signed_in(shop, "operator").await?;
        let mut purchases = Vec::new();
        while purchases.len() < orders {
            let coupon = json!({
                "name": "전체 할인", "unit": "PERCENT", "value": 10, "onDisplay": true,
                "issue": { "type": "request", "isActive": true },
                "usage": { "type": "total", "isActive": true, "combinable": true },
            });
            let made = post(shop, &operator, "/api/console/shop/coupons", &coupon).await?;
            let coupon = id_at(&made, "/coupon/_id")?;
            let bought = buyers
                .iter()
                .zip(products.iter().cycle().skip(purchases.len()));
            let bought = bought.map(|(buyer, product)| async move {
                let asked = json!({ "_coupon": coupon });
                let drawn = post(shop, &buyer.token, "/api/v1/me/coupons", &asked).await?;
                let mut form = order_form(&[(*product, PIECES)]);
                if let Some(form) = form.as_object_mut() {
                    let issued = id_at(&drawn, "/coupon/_id")?;
                    form.insert("coupons".to_owned(), json!([{ "_issued": issued }]));
                    form.insert("point".to_owned(), json!(POINTS));
                }
                let order = buyer.buys(shop, &form).await?;
                Ok::<_, Anything>((format!("{}-1", order.number), buyer.token.clone()))
            });
            purchases.extend(futures::future::try_join_all(bought).await?);
        }
        Ok(Self {
            client: shop.client.clone(),
            url: format!("{}/api/v1/me/purchases/cancel", shop.url),
            purchases: Arc::new(purchases),
            next: Arc::default(),
        })
    }
}

impl Work for Claims {
    async fn once(&self, _caller: usize) -> Result<bool, Anything> {
        // First one piece of each order, then the next piece of each.
        let claim = self.next.fetch_add(1, Ordering::Relaxed);
        if claim >= self.purchases.len() * usize::try_from(PIECES)? {
            return Ok(false);
        }
        let (purchase, token) = self
            .purchases
            .iter()
            .cycle()
            .nth(claim)
            .ok_or("no orders")?;
        let body =
            json!({ "_purchases": [purchase], "quantities": [1], "reason": "마음이 바뀌었어요" });
        let ask = self.client.post(&self.url).bearer_auth(token).json(&body);
        let answer = ask.send().await?;
        match answer.status().as_u16() {
            200 => Ok(true),
            status => Err(format!("{purchase}: {status} {}", answer.text().await?).into()),
        }
    }
}
