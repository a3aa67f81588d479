//! A confirmed purchase, and public reads.

use serde_json::{Value, json};

use crate::support::kinds::{agree, kinds};
use crate::support::{Account, Reply, TestApp};

/// A delivered purchase, optionally confirmed.
pub async fn bought(
    shop: &TestApp,
    (seller, buyer): (&Account, &Account),
    product: &Value,
    confirmed: bool,
) -> String {
    let order = shop.paid_order(buyer, product).await;
    let purchase = order.purchase();
    let prepared = json!({ "orderStatus": "ORDER_CONFIRM" });
    shop.work(seller, &purchase, prepared).await.expect(200);
    shop.ship(seller, &purchase, "123456789012")
        .await
        .expect(200);
    let there = json!({ "orderStatus": "DELIVERY_COMPLETE" });
    shop.work(seller, &purchase, there).await.expect(200);
    if confirmed {
        let path = format!("/api/v1/me/orders/{}/confirm", order.id);
        let done = shop.post(&path, &json!({})).as_(buyer).send().await;
        done.expect(200);
    }
    purchase
}

/// Reads after all events are in the read models.
pub async fn read(shop: &TestApp, path: &str, who: Option<&Account>) -> Reply {
    let head: i64 = sqlx::query_scalar("SELECT max(global_position) FROM events")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    let ask = shop.get(path).header("x-wait-position", &head.to_string());
    match who {
        Some(account) => ask.as_(account).send().await,
        None => ask.send().await,
    }
}

/// Checks that the back office declares the fields it shows.
pub fn declared(name: &str, document: &Value) {
    let known = kinds();
    let kind = known.iter().find(|kind| kind["name"] == name).unwrap();
    let beside = ["_id", "version", "removed", "_user", "_seller"];
    agree(name, &kind["fields"], document, &beside);
}
