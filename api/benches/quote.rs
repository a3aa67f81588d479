//! Cost of pricing a cart, over HTTP: `cargo bench -p api --bench quote`.
//!
//! The preview of an order of a hundred lines by a member with fifty coupons in the box, each tried on every line. The baseline is the
//! preview of the same cart by a member without coupons.

mod served;

use event_store::testing::{at, measured};
use serde_json::{Value, json};
use served::shoppers::{order_form, post, signed_in};
use served::{Anything, BenchServer};
use uuid::Uuid;

/// Lines of the cart.
const LINES: usize = 100;
/// Coupons in the box, of all stages in turn.
const COUPONS: usize = 50;
const PREVIEWS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let shop = BenchServer::demonstration().await?;
    let form = cart(&shop).await?;
    let with = signed_in(&shop, "shopper01").await?;
    coupons(&shop, &with).await?;
    let without = signed_in(&shop, "shopper02").await?;
    println!("## The price of a cart of {LINES} lines, over HTTP\n");
    println!("| coupons in the box | p50 | p95 |");
    println!("|---|---|---|");
    for (name, token) in [("a few", &without), ("50 more", &with)] {
        let previews = measured::<Anything>(PREVIEWS, async || {
            let answer = post(&shop, token, "/api/v1/shop/orders/preview", &form).await?;
            let lines = answer.pointer("/lines").and_then(Value::as_array);
            match lines.map(Vec::len) {
                Some(LINES) => Ok(()),
                other => Err(format!("{other:?} lines are priced: {answer}").into()),
            }
        })
        .await?;
        println!("| {name} | {} | {} |", at(&previews, 50), at(&previews, 95));
    }
    println!();
    shop.stop().await
}

/// A cart of products of one seller.
async fn cart(shop: &BenchServer) -> Result<Value, Anything> {
    let seller = signed_in(shop, "hangang").await?;
    let mut lines = Vec::new();
    for line in 0..LINES {
        let product = json!({
            "code": format!("QUOTE-{line}"), "name": format!("상자 {line}"), "price": 1_000 + line, "shows": true, "stock": 100,
        });
        let made = post(shop, &seller, "/api/console/shop/products", &product).await?;
        lines.push((id_at(&made, "/product/_id")?, 2));
    }
    Ok(order_form(&lines))
}

/// Puts the coupons into the box of a member.
async fn coupons(shop: &BenchServer, member: &str) -> Result<(), Anything> {
    let operator = signed_in(shop, "operator").await?;
    for (number, stage) in ["product", "fare", "total"]
        .into_iter()
        .cycle()
        .take(COUPONS)
        .enumerate()
    {
        let coupon = json!({
            "name": format!("쿠폰 {number}"), "unit": "PERCENT", "value": 5 + number % 20, "limit": 10_000, "onDisplay": true,
            "issue": { "type": "request", "isActive": true },
            "usage": { "type": stage, "isActive": true, "combinable": true, "limit": { "target": { "price__min": 100 * number } } },
        });
        let made = post(shop, &operator, "/api/console/shop/coupons", &coupon).await?;
        let id = id_at(&made, "/coupon/_id")?;
        post(
            shop,
            member,
            "/api/v1/me/coupons",
            &json!({ "_coupon": id }),
        )
        .await?;
    }
    Ok(())
}

fn id_at(answer: &Value, path: &str) -> Result<Uuid, Anything> {
    let id = answer.pointer(path).and_then(Value::as_str);
    Ok(id
        .ok_or_else(|| format!("no {path} in {answer}"))?
        .parse()?)
}
