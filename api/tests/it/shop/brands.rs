//! Brands.

use serde_json::json;

use crate::support::TestApp;
use crate::support::window::{made, put_up, seen};

#[tokio::test]
async fn a_product_names_a_brand_that_is_there() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let product =
        json!({ "code": "A-1", "name": "사과", "price": 100, "shows": true, "brand": "baram" });
    let refused = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("brand", "unknown"));
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let brand = made(&shop, &staff, "shop/brands", &brand).await.expect(201);
    let product = made(&shop, &seller, "shop/products", &product)
        .await
        .expect(201);
    // A removed brand does not prevent changes of records that refer to it.
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

#[tokio::test]
async fn brands_are_found_by_code_and_by_the_letter_they_are_filed_under() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut position = String::new();
    for (code, name, shows) in [
        ("samchuly", "삼천리", true),
        ("alton", "Alton", true),
        ("ssi", "씨앗", true),
        ("hidden", "숨은", false),
    ] {
        let brand = json!({ "code": code, "name": name, "shows": shows });
        (_, position) = put_up(&shop, &staff, "shop/brands", &brand).await;
    }
    let found = async |query: &str| -> Vec<String> {
        let body = seen(&shop, &position, &format!("shop/brands?{query}")).await;
        let brands = body["brands"].as_array().unwrap().iter();
        brands
            .map(|brand| brand["code"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(found("").await, ["alton", "samchuly", "ssi"]);
    assert_eq!(
        found("chars=%E3%85%85").await,
        ["samchuly", "ssi"],
        "ㅅ, also for ㅆ"
    );
    assert_eq!(found("chars=a").await, ["alton"]);
    assert_eq!(found("code=ssi").await, ["ssi"]);
    assert!(found("code=hidden").await.is_empty());
}
