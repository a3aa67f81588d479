//! An order to be paid, and the payment service's own words about it.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::shop::id_of;
use crate::support::{Account, Reply, TestApp};

/// A shop whose client waits only a moment for the payment service, one product and a shopper with an unpaid order.
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
    // The service's own words about the payment, signed by it.
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

/// The service charges although we have not asked: as when another process of ours asked and died.
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

/// Asks what became of an order's payment; answers the order.
/// Asks what became of a payment until the service can say: on a busy machine its answers may come too late.
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

/// An attempt of which nobody knows how it ended.
pub const UNKNOWN: [&str; 3] = [
    "PaymentStarted",
    "PaymentApprovalRequested",
    "PaymentApprovalUnknown",
];

/// What the log tells of an order's first attempt until the shop's deadline found out: that may be at any moment.
pub async fn attempt(shop: &TestApp, order: &str) -> Vec<String> {
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let stream = event_store::StreamId::of::<domain::payment::Payment>(payment);
    let told = shop.app.store.read_stream(&stream).await.unwrap();
    let types = told.into_iter().map(|event| event.event_type);
    types
        .take_while(|told| !["PaymentApproved", "PaymentNetCanceled"].contains(&told.as_str()))
        .collect()
}
