//! Public content of a shop: created by staff, and read by shoppers.

use serde_json::{Value, json};

use crate::support::{Account, Reply, TestApp};

/// Creates a record in the console.
pub async fn made(shop: &TestApp, staff: &Account, path: &str, document: &Value) -> Reply {
    shop.post(&format!("/api/console/{path}"), document)
        .as_(staff)
        .send()
        .await
}

pub fn banner(device: &str) -> Value {
    let slide = json!({ "image": { "url": "/pictures/JU-01.webp" }, "url": "/shop/products" });
    json!({ "code": "MAIN_1", "name": "메인", "device": device, "slides": [slide], "display": { "enabled": true } })
}

/// Creates a record in the console; returns its id.
pub async fn put_up(
    shop: &TestApp,
    staff: &Account,
    path: &str,
    document: &Value,
) -> (String, String) {
    let reply = made(shop, staff, path, document).await.expect(201);
    let one = reply.body.as_object().unwrap().values().next().unwrap();
    (one["_id"].as_str().unwrap().to_owned(), reply.position())
}

/// A public read.
pub async fn seen(shop: &TestApp, position: &str, path: &str) -> Value {
    shop.get(&format!("/api/v1/{path}"))
        .header("x-wait-position", position)
        .send()
        .await
        .expect(200)
        .body
}
