//! The front of the shop: what staff puts there, and what shoppers see of it now.

use serde_json::{Value, json};

use crate::support::{Account, Reply, TestApp};

/// Code and field of a refusal's only complaint.
fn complaint(reply: &Reply) -> (&str, &str, &str) {
    let field = &reply.body["error"]["fields"][0];
    (
        reply.code(),
        field["field"].as_str().unwrap_or("-"),
        field["code"].as_str().unwrap_or("-"),
    )
}

/// Makes a record in the console.
async fn made(shop: &TestApp, staff: &Account, path: &str, document: &Value) -> Reply {
    shop.post(&format!("/api/console/{path}"), document)
        .as_(staff)
        .send()
        .await
}

fn banner(device: &str) -> Value {
    let slide = json!({ "image": { "url": "/pictures/JU-01.webp" }, "url": "/shop/products" });
    json!({ "code": "MAIN_1", "name": "메인", "device": device, "slides": [slide], "display": { "enabled": true } })
}

#[tokio::test]
async fn codes_are_unique_a_banners_per_device_and_terms_per_edition() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    made(&shop, &staff, "banners", &banner("PC"))
        .await
        .expect(201);
    made(&shop, &staff, "banners", &banner("MOBILE"))
        .await
        .expect(201);
    let again = made(&shop, &staff, "banners", &banner("PC"))
        .await
        .expect(409);
    assert_eq!(again.code(), "code_taken");
    let terms = |edition: u32| json!({ "code": "service", "name": "이용약관", "content": "제1조", "edition": edition, "startsAt": "2026-01-01T00:00:00+09:00" });
    made(&shop, &staff, "terms", &terms(1)).await.expect(201);
    made(&shop, &staff, "terms", &terms(2)).await.expect(201);
    let again = made(&shop, &staff, "terms", &terms(2)).await.expect(409);
    assert_eq!(again.code(), "code_taken");
}

#[tokio::test]
async fn links_never_lead_to_scripts_and_periods_have_an_order() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for address in [
        "javascript:alert(1)",
        "//evil.example",
        "data:text/html,x",
        "/a b",
        "https://",
        "\\\\evil",
    ] {
        let mut wrong = banner("PC");
        wrong["slides"][0]["url"] = json!(address);
        let refused = made(&shop, &staff, "banners", &wrong).await.expect(400);
        assert_eq!(
            complaint(&refused),
            ("invalid", "slides.0.url", "not_an_address"),
            "{address}"
        );
    }
    let mut wrong = banner("PC");
    wrong["display"] = json!({ "enabled": true, "hasPeriod": true, "startedAt": "2026-06-01T00:00:00Z", "endedAt": "2026-05-01T00:00:00Z" });
    let refused = made(&shop, &staff, "banners", &wrong).await.expect(400);
    assert_eq!(
        complaint(&refused),
        ("invalid", "display.endedAt", "out_of_order")
    );
}

#[tokio::test]
async fn a_product_names_a_brand_that_is_there() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let product =
        json!({ "code": "A-1", "name": "사과", "price": 100, "shows": true, "brand": "baram" });
    let refused = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(400);
    assert_eq!(complaint(&refused), ("invalid", "brand", "unknown"));
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let brand = made(&shop, &staff, "shop/brands", &brand).await.expect(201);
    let product = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(201);
    // A brand that is gone does not keep what names it from being changed.
    let gone = brand.body["brand"]["_id"].as_str().unwrap();
    shop.delete(&format!("/api/console/shop/brands/{gone}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    let own = product.body["product"]["_id"].as_str().unwrap();
    shop.put(
        &format!("/api/console/shop/products/{own}"),
        &json!({ "price": 200, "version": 1 }),
    )
    .as_(&seller)
    .send()
    .await
    .expect(200);
}
