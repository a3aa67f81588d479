//! Rules of the shop as a whole: its currency's step, the level newcomers begin in, and HTML that harms nobody.

use api::audit::explain;
use application::clock::Clock;
use domain::catalogue::Product;
use domain::ids::ProductId;
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::shop_support::{id_of, order_form};
use crate::support::TestApp;

const KRW: [(&str, &str); 3] = [
    ("JANGBU_CURRENCY_CODE", "KRW"),
    ("JANGBU_CURRENCY_EXPONENT", "0"),
    ("JANGBU_CURRENCY_STEP", "100"),
];

fn setting(code: &str, exponent: u8, step: i64) -> Value {
    json!({
        "name": "장부상회", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7,
        "currency": { "code": code, "exponent": exponent, "step": step },
    })
}

fn product(price: i64, discount: Value) -> Value {
    json!({
        "code": "KRW-1", "name": "원화 상품", "price": price, "discount": discount, "shows": true, "stock": 100,
        "content": "<h2>안내</h2><p onclick=\"x()\">글<script>alert(1)</script></p><img src=/pictures/a.webp onerror=alert(1)>\
            <a href=\"javascript:alert(1)\">링크</a><iframe src=\"https://evil.example\"></iframe>",
    })
}

/// A seller who delivers for nothing.
async fn seller(shop: &TestApp) -> crate::support::Account {
    let seller = shop.company("hangang01").await;
    let group = json!({
        "name": "기본 배송", "isDefault": true, "isActive": true,
        "options": [{ "name": "무료", "fixedAmount": 0 }],
    });
    shop.post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    seller
}

fn percent(value: u8) -> Value {
    json!({ "unit": "PERCENT", "value": value, "limit": null })
}

#[tokio::test]
async fn a_shop_in_won_takes_and_shows_whole_won_only() {
    let shop = TestApp::with(&KRW).await;
    let staff = shop.console().await;
    let dollars = shop
        .post("/api/console/setting", &setting("USD", 2, 1))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(dollars.body["error"]["fields"][0]["field"], "currency.code");
    let cents = shop
        .post("/api/console/setting", &setting("KRW", 0, 1))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(cents.body["error"]["fields"][0]["code"], "not_whole_units");
    shop.post("/api/console/setting", &setting("KRW", 0, 100))
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let seller = seller(&shop).await;
    let uneven = json!({ "unit": "AMOUNT", "value": 150, "limit": null });
    let refused = shop
        .post("/api/console/shop/products", &product(1_234_550, uneven))
        .as_(&seller)
        .send()
        .await
        .expect(400);
    let fields: Vec<(&str, &str)> = refused.body["error"]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| {
            (
                field["field"].as_str().unwrap(),
                field["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        fields,
        [
            ("price", "not_whole_steps"),
            ("discount.value", "not_whole_steps")
        ]
    );
    let made = shop
        .post(
            "/api/console/shop/products",
            &product(1_234_500, percent(15)),
        )
        .as_(&seller)
        .send()
        .await
        .expect(201);
    let id = made.body["product"]["_id"].as_str().unwrap().to_owned();
    let uneven = json!({ "version": made.body["product"]["version"], "price": 1_234_550 });
    shop.put(&format!("/api/console/shop/products/{id}"), &uneven)
        .as_(&seller)
        .send()
        .await
        .expect(400);

    // ₩12,345 less 15% is ₩10,493.25 to the hundredth: the card says 10,493, and both bounds of the list mean that
    for (bounds, found) in [
        ("priceMin=1049300&priceMax=1049300", 1),
        ("priceMin=1049400", 0),
        ("priceMax=1049200", 0),
    ] {
        let list = shop
            .get(&format!("/api/v1/shop/products?{bounds}"))
            .header("X-Wait-Position", &made.position())
            .send()
            .await
            .expect(200);
        assert_eq!(list.body["summary"]["totalCount"], found, "{bounds}");
        if found == 1 {
            assert_eq!(list.body["products"][0]["salePrice"], 1_049_300);
        }
    }
    let form = json!({ "carts": [{ "_product": id, "quantity": 3 }] });
    let preview = shop
        .post("/api/v1/shop/orders/preview", &form)
        .send()
        .await
        .expect(200);
    assert_eq!(preview.body["quote"]["totals"]["payable"], 3_147_900);
    // prices have the tax in them: nothing looks as if it were added
    assert_eq!(preview.body["quote"]["totals"].get("tax"), None);
}

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
    // in the append of joining: the same command, position after position
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

/// A seller whose group holds these ways to deliver from a warehouse at Seoul's city hall.
async fn seller_with(shop: &TestApp, name: &str, options: Value) -> crate::support::Account {
    let seller = shop.company(name).await;
    let group = json!({
        "name": "기본 배송", "isDefault": true, "isActive": true, "options": options,
        "warehouse": { "name": "서울 창고", "code": "SEL", "geolocation": { "longitude": 126.978, "latitude": 37.5665 } },
    });
    shop.post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    seller
}

fn by_distance() -> Value {
    json!({
        "name": "자체 배송", "method": "COMPANY", "chargeType": "travel-range",
        "travelRange": [{ "distance": 0, "amount": 300 }, { "distance": 10, "amount": 500 }, { "distance": 300, "amount": 900 }],
    })
}

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

    // an order: asked for, then found, frozen and explained; and nobody reads in the log where the buyer is
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
    // what an order was priced with explains it, whatever is in use by now
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
async fn a_coupon_is_used_in_its_period_only_and_its_box_says_so() {
    let shop = TestApp::start().await;
    let (staff, hong) = (shop.console().await, shop.sign_up("hong1234").await);
    let seller = seller(&shop).await;
    let made = shop.post("/api/console/shop/products", &product(10_000, Value::Null));
    let made = made.as_(&seller).send().await.expect(201);
    let id = made.body["product"]["_id"].as_str().unwrap();
    let later = |minutes: i64| {
        let moment = shop.clock.now() + Duration::minutes(minutes);
        moment.format(&Rfc3339).unwrap()
    };
    let coupon = json!({
        "name": "오 분 쿠폰", "unit": "PERCENT", "value": 10, "onDisplay": true, "issue": { "type": "request", "isActive": true },
        "usage": { "type": "total", "isActive": true, "startsAt": later(5), "endsAt": later(10) },
    });
    let made = shop.post("/api/console/shop/coupons", &coupon).as_(&staff);
    let made = made.send().await.expect(201);
    let drawing = json!({ "_coupon": made.body["coupon"]["_id"] });
    let drawn = shop.post("/api/v1/me/coupons", &drawing).as_(&hong);
    let drawn = drawn.send().await.expect(201);
    let mut form = order_form(id.parse().unwrap(), 1);
    form["coupons"] = json!([{ "_issued": drawn.body["coupon"]["_id"] }]);
    let read = async |path: &str| {
        let ask = shop.get(path).header("X-Wait-Position", &drawn.position());
        ask.as_(&hong).send().await.expect(200).body
    };
    for (payable, why, tab, state) in [
        (10_000, json!("not_started"), "usable", "held"),
        (9_000, Value::Null, "usable", "held"),
        (10_000, Value::Null, "expired", "expired"),
    ] {
        let preview = shop.post("/api/v1/shop/orders/preview", &form).as_(&hong);
        let preview = preview.send().await.expect(200).body;
        assert_eq!(preview["quote"]["totals"]["payable"], payable);
        // one that is over is not offered at all
        assert_eq!(preview["coupons"][0]["why"], why);
        if payable == 10_000 {
            let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong).send();
            assert_eq!(placed.await.expect(409).code(), "coupon_not_applicable");
        }
        for other in ["usable", "expired"] {
            let coupons = read(&format!("/api/v1/me/coupons?tab={other}")).await;
            let own = &coupons["coupons"][0];
            match other == tab {
                true => assert_eq!(
                    (&own["state"], &own["startsAt"]),
                    (&json!(state), &coupon["usage"]["startsAt"])
                ),
                false => assert!(own.is_null(), "{own}"),
            }
        }
        shop.advance(Duration::minutes(5));
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

/// Lines are named by their place in what was sent, from 0, as everywhere.
#[tokio::test]
async fn the_line_that_lacks_its_option_is_named_by_its_place() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let coat = ProductId(Uuid::now_v7());
    let option = json!({ "_id": Uuid::now_v7(), "name": "크기", "value": "큰 것", "price": 0, "enabled": true });
    let form = json!({ "code": "COAT", "name": "외투", "_seller": seller, "price": 5_000, "shows": true,
        "optionsConf": { "enabled": true }, "options": [option] });
    shop.record::<Product>(&coat.to_string(), form).await;
    let hong = shop.sign_up("hong1234").await;
    let line = |product: ProductId| json!({ "_product": product, "quantity": 1 });
    for (carts, field) in [
        ([line(coat), line(apples)], "carts.0._option"),
        ([line(apples), line(coat)], "carts.1._option"),
    ] {
        let mut form = order_form(apples, 1);
        form["carts"] = json!(carts);
        for path in ["/api/v1/shop/orders/preview", "/api/v1/shop/orders"] {
            let refused = shop.post(path, &form).as_(&hong).send().await.expect(400);
            assert_eq!(refused.complaint(), (field, "option_required"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_payment_is_prepared_for_what_the_document_names_and_nothing_else() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    let document = serde_json::to_value(api::router::openapi()).unwrap();
    let path = "/api/plugins/nicepayments/generate/{type}";
    let place = &document["paths"][path]["post"]["parameters"];
    let place = place.as_array().unwrap().iter();
    let mut place = place.filter(|one| one["name"] == "type");
    let place = place.next().unwrap();
    let schema = match place["schema"]["$ref"].as_str() {
        Some(named) => document.pointer(named.trim_start_matches('#')).unwrap(),
        None => &place["schema"],
    };
    let named = schema["enum"].as_array().unwrap();
    for (of, status) in named
        .iter()
        .map(|of| (of.as_str().unwrap(), 200))
        .chain([("listing", 404)])
    {
        let form = json!({ "_order": order });
        let asked = shop.post(&path.replace("{type}", of), &form).as_(&hong);
        asked.send().await.expect(status);
    }
}
