//! Removed records that can be restored, and those that cannot.

use serde_json::{Value, json};

use crate::support::{Ask, Reply, TestApp};

#[tokio::test]
async fn what_names_something_that_is_gone_does_not_come_back() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let sent = async |ask: Ask, status: u16| ask.as_(&staff).send().await.expect(status);
    let (brands, categories, products) = (
        "/api/console/shop/brands",
        "/api/console/shop/categories",
        "/api/console/shop/products",
    );
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let category = json!({ "code": "bike", "name": "자전거" });
    let made = sent(shop.post(brands, &brand), 201).await;
    let brand_at = format!("{brands}/{}", made.body["brand"]["_id"].as_str().unwrap());
    let made = sent(shop.post(categories, &category), 201).await;
    let category_at = format!(
        "{categories}/{}",
        made.body["category"]["_id"].as_str().unwrap()
    );

    let form = json!({
        "code": "B-1", "name": "로드 하나", "_seller": staff.id, "price": 500, "shows": true,
        "brand": "baram", "categories": ["bike"],
    });
    let made = sent(shop.post(products, &form), 201).await;
    let own = format!(
        "{products}/{}",
        made.body["product"]["_id"].as_str().unwrap()
    );
    let without = json!({ "version": 1, "brand": null, "categories": [] });
    sent(shop.put(&own, &without), 200).await;
    sent(shop.delete(&brand_at), 200).await;
    sent(shop.delete(&category_at), 200).await;

    let again = json!({ "version": 1 });
    let restore = format!("{own}/restore");
    let wrong = |reply: &Reply| -> Vec<(String, String)> {
        let fields = reply.body["error"]["fields"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        fields
            .map(|one| (text(&one["field"]), text(&one["code"])))
            .collect()
    };
    let gone = ["categories", "brand"].map(|field| (field.to_owned(), "unknown".to_owned()));
    let refused = sent(shop.post(&restore, &again), 400).await;
    assert_eq!(wrong(&refused), gone);
    let told = refused.body["error"]["fields"][0]["message"]
        .as_str()
        .unwrap();
    assert!(told.contains("bike"), "{told}");
    // A removed record is restored by the same rules, also one that refers to something that never existed.
    sent(shop.delete(&own), 200).await;
    let refused = sent(shop.post(&restore, &again), 400).await;
    assert_eq!(wrong(&refused), gone);
    let display = json!({ "code": "MERIT", "name": "진열", "_products": [uuid::Uuid::now_v7()], "shows": true });
    let refused = sent(shop.post("/api/console/shop/displays", &display), 400).await;
    assert_eq!(
        wrong(&refused),
        [("_products".to_owned(), "unknown".to_owned())]
    );

    sent(shop.post(brands, &brand), 201).await;
    sent(shop.post(categories, &category), 201).await;
    let back = sent(shop.post(&restore, &again), 200).await;
    assert_eq!(back.body["product"]["categories"], json!(["bike"]));
}

#[tokio::test]
async fn what_is_longer_than_today_allows_does_not_come_back() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let level = json!({ "code": "gold", "name": "골드", "index": 2, "isActive": true });
    let made = shop.post("/api/console/levels", &level).as_(&staff);
    let made = made.send().await.expect(201);
    let id = made.body["level"]["_id"].as_str().unwrap();
    let own = format!("/api/console/levels/{id}");
    // Written before names had a maximum length.
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         SELECT aggregate_type, aggregate_id, 2, 'LevelRevised', event_version,
                jsonb_build_object('Revised', jsonb_build_object('changes', jsonb_build_object('name',
                    jsonb_build_object('from', '골드', 'to', repeat('금', 101))))), metadata
         FROM events WHERE aggregate_type = 'level' AND aggregate_id = $1",
    )
    .bind(id)
    .execute(shop.app.pool())
    .await
    .unwrap();
    let short = json!({ "version": 2, "name": "금금" });
    shop.put(&own, &short).as_(&staff).send().await.expect(200);
    let restore = async |version: u64| {
        let asked = json!({ "version": version });
        let ask = shop.post(&format!("{own}/restore"), &asked).as_(&staff);
        ask.send().await
    };
    let refused = restore(2).await.expect(400);
    let field = &refused.body["error"]["fields"][0];
    assert_eq!(
        (refused.code(), &field["field"], &field["code"]),
        ("invalid", &json!("name"), &json!("too_long"))
    );
    for nowhere in [0, 4, u64::MAX] {
        let refused = restore(nowhere).await.expect(400);
        assert_eq!(
            refused.body["error"]["fields"][0]["field"], "version",
            "{nowhere}"
        );
    }
    let back = restore(1).await.expect(200);
    assert_eq!(back.body["level"]["name"], "골드");
}

/// A document of an older program comes back only if it could be saved today, and with today's clean HTML.
#[tokio::test]
async fn what_an_older_program_accepted_comes_back_by_the_rules_of_today() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let sent = async |ask: Ask, status: u16| ask.as_(&staff).send().await.expect(status);

    let id = uuid::Uuid::now_v7().to_string();
    let target = json!({ "type": "EXHIBITIONS", "_exhibitions": ["spring"] });
    let old = json!({ "name": "기획전 쿠폰", "unit": "AMOUNT", "value": 100,
        "issue": { "type": "request", "isActive": true }, "usage": { "type": "product", "isActive": true, "target": target } });
    shop.record_of_older_program::<domain::coupon::Coupon>(&id, old)
        .await;
    let coupon = format!("/api/console/shop/coupons/{id}");
    sent(shop.delete(&coupon), 200).await;
    let version = json!({ "version": 1 });
    let refused = sent(shop.post(&format!("{coupon}/restore"), &version), 400).await;
    assert_eq!(
        refused.complaint(),
        ("usage.target._exhibitions", "unknown")
    );

    let id = uuid::Uuid::now_v7().to_string();
    let old = json!({ "code": "A-1", "name": "옛 상품", "_seller": seller.id, "price": 100, "shows": true,
        "content": "<p onclick=\"steal()\">옛 글</p><script>1</script>" });
    shop.record_of_older_program::<domain::catalogue::Product>(&id, old)
        .await;
    let product = format!("/api/console/shop/products/{id}");
    let change = json!({ "content": "<p>새 글</p>", "version": 1 });
    sent(shop.put(&product, &change), 200).await;
    let version = json!({ "version": 1 });
    let back = sent(shop.post(&format!("{product}/restore"), &version), 200).await;
    assert_eq!(back.body["product"]["content"], "<p>옛 글</p>");
}
