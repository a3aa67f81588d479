//! HTML in records is sanitised.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::console::{product, seller};

#[tokio::test]
async fn html_is_stored_clean_when_it_is_made_and_when_it_is_changed() {
    let shop = TestApp::start().await;
    let seller = seller(&shop).await;
    let made = shop
        .post("/api/console/shop/products", &product(10_000, Value::Null))
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let clean = "<h2>안내</h2><p>글</p><img src=\"/pictures/a.webp\"><a rel=\"noopener noreferrer nofollow\">링크</a>";
    assert_eq!(made.body["product"]["content"], clean);
    let id = made.body["product"]["_id"].as_str().unwrap();
    let change = json!({ "version": made.body["product"]["version"], "content": "<b onmouseover=x()>새 글</b><svg/onload=x()>" });
    let changed = shop
        .put(&format!("/api/console/shop/products/{id}"), &change)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(changed.body["product"]["content"], "<b>새 글</b>");
    let dirty: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE payload::text ~ 'onclick|onerror|onload|alert|iframe'",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(dirty, 0);
}
