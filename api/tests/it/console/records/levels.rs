//! Membership levels.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::console::{percent, product, seller};

#[tokio::test]
async fn whoever_joins_begins_in_the_welcome_level_and_has_its_discount_at_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for (code, index, welcome, discount) in [("gold", 2, false, 50), ("hello", 0, true, 10)] {
        let level = json!({
            "code": code, "name": "등급 이름", "index": index, "isActive": true, "isWelcome": welcome,
            "discount": percent(discount), "pointsPercent": 1,
        });
        shop.post("/api/console/levels", &level)
            .as_(&staff)
            .send()
            .await
            .expect(201);
    }
    let seller = seller(&shop).await;
    let made = shop
        .post("/api/console/shop/products", &product(10_000, Value::Null))
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let member = shop.sign_up("newcomer1").await;
    let form = json!({ "carts": [{ "_product": made.body["product"]["_id"], "quantity": 1 }] });
    let preview = shop
        .post("/api/v1/shop/orders/preview", &form)
        .as_(&member)
        .send()
        .await
        .expect(200);
    assert_eq!(preview.body["quote"]["totals"]["levelDiscount"], 1_000);
    // In the append of joining: the same command, at consecutive positions.
    let commands: Vec<(String, String)> = sqlx::query_as(
        "SELECT event_type, metadata::jsonb ->> 'command' FROM events
         WHERE aggregate_type = 'member' AND event_type IN ('MemberJoined', 'MembershipLevelAssigned')
           AND aggregate_id = (SELECT aggregate_id FROM events WHERE event_type = 'MembershipLevelAssigned' ORDER BY global_position DESC LIMIT 1)
         ORDER BY global_position",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(
        commands,
        [
            ("MemberJoined".to_owned(), "join".to_owned()),
            ("MembershipLevelAssigned".to_owned(), "join".to_owned())
        ]
    );
}
