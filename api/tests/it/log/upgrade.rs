//! A newer version of the program runs beside this one: its unknown events are neither skipped nor guessed.

use std::path::Path;
use std::time::Duration;

use api::audit::verify::report_text;
use domain::order::{Order, PurchaseStatus};
use domain::registry::{KINDS, knows};
use domain::upcasting::UPCASTERS;
use event_store::WaitOutcome;
use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::reviews::bought;
use crate::support::shop::id_of;
use crate::support::{TestApp, until};

/// Every sample is known in its stored version, or in the one an upcaster converts it to.
#[test]
fn every_stored_sample_is_known_and_no_other_version_of_it() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domain/samples");
    let mut seen = 0;
    for file in std::fs::read_dir(samples).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let (event_type, rest) = name.split_once('.').unwrap();
        let version = rest.strip_suffix(".json").unwrap();
        let knowing = |version: &str| {
            let known = |kind: &&&str| knows(kind, event_type, version) == Some(true);
            KINDS.iter().filter(known).count()
        };
        // Upcasters are applied until none matches.
        let next = |version: &str| {
            let mut upcasters = UPCASTERS.iter();
            let old = upcasters.find(|old| (old.event_type, old.version) == (event_type, version));
            old.map(|old| old.next)
        };
        let mut newest = version;
        while let Some(later) = next(newest) {
            newest = later;
        }
        assert_eq!(knowing(newest), 1, "{name}");
        assert_eq!(knowing(version), usize::from(newest == version), "{name}");
        assert_eq!(knowing("99.0"), 0, "{name}");
        seen += 1;
    }
    assert!(seen > 50);
    assert_eq!(knows("a kind of tomorrow", "OrderPaid", "1.0"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_tomorrow_stops_who_needs_it_and_nobody_else() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let buyer = shop.sign_up("tomorrow01").await;
    let touched = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    let other = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    let position = shop.app.store.head().await.unwrap();
    shop.app
        .store
        .wait_for(&["orders"], position, Duration::from_secs(20))
        .await
        .unwrap();

    // serde would parse it by ignoring unknown fields.
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         SELECT aggregate_type, aggregate_id, (SELECT max(sequence) + 1 FROM events n WHERE n.aggregate_id = e.aggregate_id),
                event_type, '99.0', payload, metadata
         FROM events e WHERE aggregate_type = 'order' AND aggregate_id = $1 ORDER BY sequence LIMIT 1",
    )
    .bind(&touched)
    .execute(shop.app.pool())
    .await
    .unwrap();
    let cancel = async |order: &str| {
        let path = format!("/api/v1/me/orders/{order}/cancel");
        let form = json!({ "reason": "단순 변심" });
        shop.post(&path, &form).as_(&buyer).once().await
    };
    let refused = cancel(&touched).await.expect(503);
    assert_eq!(refused.code(), "outdated", "{}", refused.text);
    cancel(&other).await.expect(200);
    shop.get("/api/v1/shop/products").send().await.expect(200);

    // No follower goes past it, and no stream is parked.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let past: i64 =
        sqlx::query_scalar("SELECT count(*) FROM projection_checkpoint WHERE position > $1")
            .bind(position)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(past, 0);
    let parked: i64 = sqlx::query_scalar("SELECT count(*) FROM projection_parked")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(parked, 0);
    let leases: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'event-store leases' AND datname = current_database()",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(leases, 0, "the newer version's worker can go on");
}

/// Appends version 1.0 of an event of an order, as an earlier program did.
async fn told_yesterday(shop: &TestApp, order: &str, event_type: &str, said: &Value) {
    let position: i64 = sqlx::query_scalar(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         SELECT aggregate_type, aggregate_id, sequence + 1, $2, '1.0', $3::json, metadata
         FROM events WHERE aggregate_type = 'order' AND aggregate_id = $1 ORDER BY sequence DESC LIMIT 1
         RETURNING global_position",
    )
    .bind(order)
    .bind(event_type)
    .bind(json!({ event_type: said }).to_string())
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    let read = ["orders", "order_timeline", "deadlines", "policy_earning"];
    let patience = Duration::from_secs(20);
    let waited = shop.app.store.wait_for(&read, position, patience).await;
    assert!(matches!(waited, Ok(WaitOutcome::Reached(_))), "{waited:?}");
}

/// Before reasons were sealed, the text of the buyer was stored in clear.
#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_of_yesterday_still_says_why() {
    let shop = TestApp::start().await;
    let seller = shop.company("yesterco").await;
    let buyer = shop.sign_up("yester02").await;
    let product = shop.console_product(&seller, "P-WHY").await;
    let order = shop.paid_order(&buyer, &product).await;
    let old = json!({
        "claim": Uuid::now_v7(), "purchaseNos": [order.purchase()], "by": "buyer", "reason": "색이 달라요",
        "refund": { "money": 0, "points": [], "coupons": [] },
    });
    told_yesterday(&shop, &order.id, "CancelRequested", &old).await;
    let seen = shop.my_order(&buyer.token, &order.id).await;
    assert_eq!(seen["purchases"][0]["claim"]["reason"], "색이 달라요");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));
}

/// A log written by an earlier program still works: aggregates, read models and policies see its events upcast.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_yesterday_is_read_in_todays_words() {
    let shop = TestApp::start().await;
    let seller = shop.company("yesterco").await;
    let buyer = shop.sign_up("yester01").await;
    let product = shop.console_product(&seller, "P-OLD").await;
    let purchase = bought(&shop, (&seller, &buyer), &product, false).await;
    let orders: Vec<(String,)> =
        sqlx::query_as("SELECT DISTINCT aggregate_id FROM events WHERE event_type = 'OrderPlaced'")
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
    let [(order,)] = orders.as_slice() else {
        panic!("{orders:?}");
    };
    let old = json!({ "purchaseNo": purchase, "byBuyer": true });
    told_yesterday(&shop, order, "PurchaseCompleted", &old).await;

    let state = shop.app.store.load::<Order>(order).await.unwrap().state;
    let status = state.purchase(&purchase).unwrap().purchase_status;
    assert_eq!(status, PurchaseStatus::Complete);
    let seen = shop.my_order(&buyer.token, order).await;
    assert_eq!(seen["purchases"][0]["purchaseStatus"], "PURCHASE_COMPLETE");
    let waiting: i64 = sqlx::query_scalar("SELECT count(*) FROM deadlines WHERE id = $1")
        .bind(&purchase)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(waiting, 0, "it would be confirmed again");
    let again = format!("/api/v1/me/orders/{order}/confirm");
    let again = shop.post(&again, &json!({})).as_(&buyer).send().await;
    assert!(again.status < 500, "{}", again.text);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));
}

/// Purchases sent before the date of shipping was recorded count as delivered a week later.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_yesterday_arrives_within_a_week() {
    let shop = TestApp::start().await;
    let seller = shop.company("yesterco").await;
    let buyer = shop.sign_up("yester03").await;
    let product = shop.console_product(&seller, "P-SENT").await;
    let order = shop.paid_order(&buyer, &product).await;
    let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
    let no = order.purchase();
    shop.work(&seller, &no, prepare).await.expect(200);
    let old = json!({ "purchaseNo": no, "courier": "kr.cjlogistics", "invoiceNo": "123456789012" });
    told_yesterday(&shop, &order.id, "PurchaseShipped", &old).await;
    shop.advance(time::Duration::days(6));
    tokio::time::sleep(Duration::from_millis(700)).await;
    let state = async || shop.app.store.load::<Order>(&order.id).await.unwrap().state;
    assert_eq!(state().await.status().code(), "SHIPPING_CONFIRM");
    shop.advance(time::Duration::days(1));
    until("it has not arrived", async || {
        (state().await.status().code() == "DELIVERY_COMPLETE").then_some(())
    })
    .await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));
}
