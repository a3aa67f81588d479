//! An order to be paid, and the gateway's responses about its payment.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::shop::id_of;
use crate::support::{Account, Reply, TestApp};

/// A shop whose client waits only a moment for the gateway, with one product and a shopper with an unpaid order.
pub async fn shop_with_order() -> (TestApp, Account, String) {
    let shop = TestApp::with(&[
        ("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "2"),
        ("JANGBU_PAYMENT_CONNECT_TIMEOUT_SECONDS", "1"),
    ])
    .await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    (shop, hong, order)
}

pub async fn events(shop: &TestApp, event_type: &str) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = $1")
        .bind(event_type)
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

pub async fn notice(shop: &TestApp, tid: &str) -> String {
    // The gateway's own response about the payment, with its signature.
    let payment = &shop.app.settings.payment;
    let client = reqwest::Client::new();
    let url = format!("{}/v1/payments/{tid}", shop.sandbox);
    client
        .get(url)
        .basic_auth(&payment.client_key, Some(&payment.secret_key))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap()
}

pub async fn tell(shop: &TestApp, notice: &str) -> Reply {
    shop.ask(Method::POST, "/api/plugins/nicepayments/notice")
        .body("application/json", notice.to_owned())
        .send()
        .await
}

/// The gateway charges without a request of this process: as if another process had requested it and stopped.
pub async fn charge_behind_our_back(shop: &TestApp, window: &Value, tid: &str) {
    let amount = domain::Amount::new(window["amount"].as_i64().unwrap());
    let outcome = shop
        .app
        .gateway
        .approve(tid, amount, window["orderId"].as_str().unwrap())
        .await;
    assert!(
        matches!(outcome, integrations::payment::Outcome::Done(_)),
        "{outcome:?}"
    );
}

/// Resolves a payment until the gateway gives a definite response: on a busy machine its responses may be late. Returns the order.
pub async fn process(shop: &TestApp, hong: &Account, order: &str) -> Reply {
    let address = format!("/api/v1/shop/orders/{order}/process");
    for _ in 0..20 {
        let reply = shop.post(&address, &json!({})).as_(hong).send().await;
        if reply.status != 503 {
            return reply;
        }
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    }
    panic!("the service never says what became of {order}");
}

pub async fn stage(shop: &TestApp, order: &str, attempt: u32) -> domain::payment::PaymentStage {
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), attempt);
    let loaded = shop
        .app
        .store
        .load::<domain::payment::Payment>(&payment.to_string())
        .await;
    loaded.unwrap().state.stage
}

/// Events of an attempt with an unknown outcome.
pub const UNKNOWN: [&str; 3] = [
    "PaymentStarted",
    "PaymentApprovalRequested",
    "PaymentApprovalUnknown",
];

/// Events of an order's first attempt until the shop's deadline resolved it, which may happen at any time.
pub async fn attempt(shop: &TestApp, order: &str) -> Vec<String> {
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let stream = event_store::StreamId::of::<domain::payment::Payment>(payment);
    let told = shop.app.store.read_stream(&stream).await.unwrap();
    let types = told.into_iter().map(|event| event.event_type);
    types
        .take_while(|told| !["PaymentApproved", "PaymentNetCanceled"].contains(&told.as_str()))
        .collect()
}
