//! A newer version of the program works beside this one: what it wrote and this one does not know is neither passed over nor guessed.

use std::path::Path;
use std::time::Duration;

use domain::refold::{KINDS, knows};
use serde_json::json;

use crate::shop_support::id_of;
use crate::support::TestApp;

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
        assert_eq!(knowing(version), 1, "{name}");
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

    // serde would read it by leaving out what it does not know
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

    // nothing in the background goes past it, and nothing is put aside
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
