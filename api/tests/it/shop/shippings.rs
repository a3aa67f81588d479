//! Shipping options: which one is charged, how much, and when.

use api::audit::explain;
use application::clock::Clock;
use domain::ids::ProductId;
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;

use crate::support::TestApp;
use crate::support::console::{by_distance, product, seller, seller_with};
use crate::support::shop::{id_of, order_form};

#[tokio::test]
async fn a_fare_by_distance_is_found_from_the_receivers_position_and_asks_for_it() {
    let shop = TestApp::start().await;
    let seller = seller_with(&shop, "hangang01", json!([by_distance()])).await;
    let made = shop
        .post("/api/console/shop/products", &product(10_000, Value::Null))
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let form = |receiver: Value| json!({ "carts": [{ "_product": made.body["product"]["_id"], "quantity": 1 }], "receiver": receiver });
    let at = |longitude: f64, latitude: f64| {
        form(json!({ "geolocation": { "longitude": longitude, "latitude": latitude } }))
    };
    let preview = |form: Value| shop.post("/api/v1/shop/orders/preview", &form).send();
    // Seoul itself, Incheon (27 km), Busan (325 km)
    for (form, fare) in [
        (at(126.98, 37.57), 300),
        (at(126.7052, 37.4563), 500),
        (at(129.0756, 35.1796), 900),
    ] {
        let priced = preview(form).await.expect(200);
        assert_eq!(priced.body["quote"]["fares"][0]["fare"], fare);
    }
    for (form, code) in [
        (form(json!({ "postcode": "06236" })), "distance_unknown"),
        (at(126.98, 91.0), "not_on_earth"),
    ] {
        let refused = preview(form).await.expect(400);
        let field = &refused.body["error"]["fields"][0];
        assert_eq!(field["field"], "receiver.geolocation");
        assert_eq!(field["code"], code);
        assert_eq!(field["message"], "위치정보를 다시 입력하세요");
    }
    let asked = preview(form(Value::Null)).await.expect(400);
    assert_eq!(asked.body["error"]["details"]["purchaseNos"], json!(["1"]));

    // An order: previewed, then placed, frozen and explained; and the buyer's location is not readable in the log.
    let buyer = shop.sign_up("busanbuyer").await;
    let id = made.body["product"]["_id"].as_str().unwrap().parse();
    let mut order = order_form(ProductId(id.unwrap()), 1);
    shop.post("/api/v1/shop/orders", &order)
        .as_(&buyer)
        .send()
        .await
        .expect(400);
    order["receiver"]["geolocation"] = json!({ "longitude": 129.0756, "latitude": 35.1796 });
    let placed = shop
        .post("/api/v1/shop/orders", &order)
        .as_(&buyer)
        .send()
        .await
        .expect(201);
    let id = id_of(&placed);
    let seen = shop.my_order(&buyer.token, &id).await;
    assert_eq!(seen["totals"]["fares"], 900);
    let told = explain::whole_order(&shop.app, &id).await.unwrap();
    let fare = told.iter().find(|one| one.amount.name == "fares.0.fare");
    let lines = &fare.unwrap().contributions;
    assert!(
        lines.iter().all(|line| !line.text.contains("확정된 금액")),
        "{lines:?}"
    );
    let readable: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE payload::text LIKE '%129.0756%'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(readable, 0);
}

#[tokio::test]
async fn a_shipping_group_of_a_brand_delivers_that_brand_only() {
    let shop = TestApp::start().await;
    let seller = seller(&shop).await;
    let staff = shop.console().await;
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    shop.post("/api/console/shop/brands", &brand)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let group = json!({
        "name": "바람 배송", "isActive": true, "brands": ["baram"],
        "options": [{ "name": "바람 택배", "fixedAmount": 400 }],
    });
    shop.post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    for (code, brand, fare, free) in [
        ("B-1", json!("baram"), 400, false),
        ("B-2", Value::Null, 0, true),
    ] {
        let mut form = product(10_000, Value::Null);
        form["code"] = json!(code);
        form["brand"] = brand;
        let made = shop
            .post("/api/console/shop/products", &form)
            .as_(&seller)
            .send()
            .await
            .expect(201);
        let id = made.body["product"]["_id"].as_str().unwrap();
        let form = json!({ "carts": [{ "_product": id, "quantity": 1 }] });
        let priced = shop
            .post("/api/v1/shop/orders/preview", &form)
            .send()
            .await
            .expect(200);
        assert_eq!(priced.body["quote"]["fares"][0]["fare"], fare, "{code}");
        let page = shop
            .get(&format!("/api/v1/shop/products/{id}"))
            .header("X-Wait-Position", &made.position())
            .send()
            .await
            .expect(200);
        assert_eq!(page.body["product"]["freeShipping"], free, "{code}");
    }
}

#[tokio::test]
async fn a_shipping_group_delivers_in_its_period_only() {
    let shop = TestApp::start().await;
    let seller = seller(&shop).await;
    let made = shop
        .post("/api/console/shop/products", &product(10_000, Value::Null))
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let id = made.body["product"]["_id"].as_str().unwrap();
    let hour = |hours: i64| {
        let moment = shop.clock.now() + Duration::hours(hours);
        moment.format(&Rfc3339).unwrap()
    };
    let mut group = json!({
        "name": "김장철 배송", "isActive": true, "startsAt": hour(2), "endsAt": hour(1), "products": [id],
        "options": [{ "name": "김장철 택배", "fixedAmount": 400 }],
    });
    let backwards = shop.post("/api/console/shop/shippings", &group);
    let backwards = backwards.as_(&seller).send().await.expect(400);
    assert_eq!(backwards.body["error"]["fields"][0]["field"], "endsAt");
    (group["startsAt"], group["endsAt"]) = (json!(hour(1)), json!(hour(2)));
    let group = shop.post("/api/console/shop/shippings", &group);
    let position = group.as_(&seller).send().await.expect(201).position();

    let order = order_form(id.parse().unwrap(), 1);
    let mut placed = Vec::new();
    for (fare, is_free, groups) in [(0, true, 1), (400, false, 2), (0, true, 1)] {
        let priced = shop.post("/api/v1/shop/orders/preview", &order);
        let priced = priced.send().await.expect(200);
        assert_eq!(priced.body["quote"]["fares"][0]["fare"], fare);
        let bought = shop.post("/api/v1/shop/orders", &order).send().await;
        placed.push((id_of(&bought.expect(201)), fare));
        let seen = |path: String| shop.get(&path).header("X-Wait-Position", &position).send();
        let page = seen(format!("/api/v1/shop/products/{id}")).await;
        assert_eq!(page.body["product"]["freeShipping"], is_free);
        let list = seen("/api/v1/shop/products?freeShipping=true".to_owned()).await;
        assert_eq!(list.body["products"] != json!([]), is_free);
        let all = seen("/api/v1/shop/shippings".to_owned()).await;
        assert_eq!(all.body["shippings"].as_array().unwrap().len(), groups);
        shop.advance(Duration::minutes(61));
    }
    // An order is explained by the records it was priced with, whatever is in use now.
    for (id, fare) in placed {
        let told = explain::whole_order(&shop.app, &id).await.unwrap();
        let told = told.iter().find(|one| one.amount.name == "fares.0.fare");
        let told = told.unwrap();
        assert_eq!(told.amount.value, fare);
        let frozen = |text: &str| text.contains("확정된 금액");
        assert!(!told.contributions.iter().any(|line| frozen(&line.text)));
    }
}

#[tokio::test]
async fn the_way_to_deliver_a_product_page_shows_first_is_the_one_charged() {
    let shop = TestApp::start().await;
    let free = json!({ "name": "무료", "fixedAmount": 0 });
    let seller = seller_with(&shop, "hangang01", json!([by_distance(), free])).await;
    let made = shop
        .post("/api/console/shop/products", &product(10_000, Value::Null))
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let id = &made.body["product"]["_id"];
    let page = shop
        .get(&format!("/api/v1/shop/products/{}", id.as_str().unwrap()))
        .header("X-Wait-Position", &made.position())
        .send()
        .await
        .expect(200);
    assert_eq!(
        page.body["product"]["shipping"]["options"][0]["name"],
        "무료"
    );
    assert_eq!(page.body["product"]["freeShipping"], true);
    let form = json!({ "carts": [{ "_product": id, "quantity": 1 }] });
    let priced = shop
        .post("/api/v1/shop/orders/preview", &form)
        .send()
        .await
        .expect(200);
    assert_eq!(priced.body["quote"]["fares"][0]["name"], "무료");
}
