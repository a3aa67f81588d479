//! What is known of a guest is erased when the law's time is over.

use api::audit::verify::report_text;
use api::backup::{backup_keys, restore_keys};
use projections::verify::{VerifyOptions, verify_as};
use serde_json::Value;
use time::Duration;

use crate::me::withdraw::keys_left;
use crate::support::TestApp;
use crate::support::shop::{id_of, order_form};

#[tokio::test(flavor = "multi_thread")]
async fn who_a_guest_was_is_forgotten_five_years_after_the_last_thing_that_happened() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let form = order_form(product, 1);
    let order = id_of(
        &shop
            .post("/api/v1/shop/orders", &form)
            .send()
            .await
            .expect(201),
    );
    let until = async |sql: &str| shop.until_counted(sql, &order).await;
    let folder = tempfile::tempdir().unwrap();
    let older = folder.path().join("keys");
    backup_keys(&shop.app, &older).await.unwrap();
    shop.advance(Duration::days(2));
    until("SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'OrderCanceled'")
        .await;
    until("SELECT count(*) FROM deadlines WHERE id = $1 AND due_at - now() > interval '1827 days'")
        .await;
    // five years after it was placed, but not yet after it was canceled
    shop.advance(Duration::days(5 * 365));
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(keys_left(&shop, &order).await, ["statutory"]);
    shop.advance(Duration::days(2));
    until(
        "SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'GuestRecordsErased'",
    )
    .await;
    until("SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NULL").await;
    shop.app.keys.forget_cached();
    let staff = shop.console().await;
    let path = format!("/api/console/shop/orders/{order}");
    let seen = shop.get(&path).as_(&staff).send().await.expect(200);
    assert_eq!(seen.body["order"]["sender"], Value::Null);
    let hashes: i64 =
        sqlx::query_scalar("SELECT count(*) FROM order_contacts WHERE order_id = $1::uuid")
            .bind(&order)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(hashes, 0);
    let asked = VerifyOptions {
        keys: Some(&shop.app.keys),
        at: Some(shop.app.store.settle().await.unwrap()),
        ..VerifyOptions::default()
    };
    let report = verify_as(&shop.app.store, &asked, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));

    // the log knows it, too: where the mark of the destroyed key is lost, an older backup does not bring the key back
    sqlx::query("DELETE FROM keys.data_key WHERE subject = $1::uuid")
        .bind(&order)
        .execute(shop.app.pool())
        .await
        .unwrap();
    restore_keys(&shop.app.settings, &shop.database, &older, None)
        .await
        .unwrap();
    assert!(keys_left(&shop, &order).await.is_empty());
}
