//! Displays and showrooms.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::window::{put_up, seen};

#[tokio::test]
async fn displays_and_showrooms_show_what_is_for_sale_in_their_order() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let (first, second, hidden) = (
        shop.product(seller, 1_000, 5).await,
        shop.product(seller, 2_000, 5).await,
        shop.product(seller, 3_000, 5).await,
    );
    let gone = json!({ "code": "GONE", "name": "숨은 상품", "_seller": seller, "price": 100, "shows": false });
    shop.record::<domain::catalogue::Product>(&hidden.to_string(), gone)
        .await;
    let display = |code: &str, shows: bool| json!({ "code": code, "name": "진열", "_products": [second, hidden, first], "shows": shows });
    put_up(
        &shop,
        &staff,
        "shop/displays",
        &display("MAIN_FEATURED", true),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "shop/displays",
        &display("BEST_REVIEW", true),
    )
    .await;
    put_up(&shop, &staff, "shop/displays", &display("POPULAR", false)).await;
    let room = json!({ "code": "city", "name": "도심", "image": { "url": "/pictures/JU-01.webp" }, "_products": [second, first], "shows": true });
    let (id, position) = put_up(&shop, &staff, "shop/showrooms", &room).await;
    let body = seen(&shop, &position, "shop/displays").await;
    let displays = body["displays"].as_array().unwrap();
    assert_eq!(
        displays.len(),
        1,
        "BEST_REVIEW is hidden (spec V114), POPULAR switched off: {body}"
    );
    let ids: Vec<&Value> = displays[0]["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| &card["_id"])
        .collect();
    assert_eq!(ids, [&json!(second), &json!(first)]);
    assert!(
        seen(&shop, &position, "shop/displays?code=POPULAR,BEST_REVIEW").await["displays"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    shop.get("/api/v1/shop/displays/BEST_REVIEW/categories")
        .send()
        .await
        .expect(404);
    for key in [id.as_str(), "city"] {
        let room = seen(&shop, &position, &format!("shop/showrooms/{key}")).await;
        assert_eq!(
            room["showroom"]["products"][0]["_id"],
            json!(second),
            "{key}"
        );
    }
    shop.get("/api/v1/shop/showrooms/nothing")
        .send()
        .await
        .expect(404);
}
