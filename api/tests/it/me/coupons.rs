//! Coupons of the member: drawn as long as there are any, used in their period.

use std::collections::BTreeMap;

use application::clock::Clock;
use serde_json::{Value, json};
use time::Duration;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::shop::orders::races::{shoppers, tally};
use crate::support::console::{product, seller};
use crate::support::shop::order_form;
use crate::support::{Account, TestApp, futures_of};

#[tokio::test]
async fn a_coupon_with_five_pieces_is_drawn_five_times_and_once_by_each() {
    let shop = TestApp::start().await;
    let coupon = shop.coupon(10, Some(5), None).await;
    let accounts = shoppers(&shop, 20);
    let draw = json!({ "_coupon": coupon });
    let replies = futures_of(20, |place| {
        shop.post("/api/v1/me/coupons", &draw)
            .as_(&accounts[place])
            .send()
    })
    .await;
    let outcomes = tally(&replies, "drawn");
    assert_eq!(
        outcomes,
        BTreeMap::from([("coupon_used_up".to_owned(), 15), ("drawn".to_owned(), 5)])
    );
    let free = shop.coupon(5, None, None).await;
    let same = futures_of(4, |_| {
        shop.post("/api/v1/me/coupons", &json!({ "_coupon": free }))
            .as_(&accounts[0])
            .send()
    })
    .await;
    let outcomes = tally(&same, "drawn");
    assert_eq!(
        outcomes,
        BTreeMap::from([("coupon_drawn".to_owned(), 3), ("drawn".to_owned(), 1)])
    );
    let drawn = same.iter().find(|reply| reply.status == 201).unwrap();
    for (account, has_it) in [(&accounts[0], true), (&accounts[1], false)] {
        let offer = shop.get(&format!("/api/v1/shop/coupons/{free}"));
        let offer = offer
            .as_(account)
            .header("x-wait-position", &drawn.position());
        assert_eq!(
            offer.send().await.expect(200).body["coupon"]["drawn"],
            has_it
        );
    }
    let unknown = shop.get(&format!("/api/v1/shop/coupons/{}", Uuid::now_v7()));
    assert_eq!(unknown.send().await.code(), "not_found");
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
        // An expired coupon is not offered at all.
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
async fn a_product_offers_the_coupons_that_fit_it_and_that_the_member_can_draw() {
    let shop = TestApp::start().await;
    let (staff, hong) = (shop.console().await, shop.sign_up("hong1234").await);
    let apples = shop.product(shop.seller().await, 10_000, 20).await;
    let pears = shop.product(shop.seller().await, 10_000, 20).await;
    let made = async |name: &str, change: Value| {
        let mut coupon = json!({
            "name": name, "unit": "PERCENT", "value": 10, "onDisplay": true,
            "issue": { "type": "request", "isActive": true },
            "usage": { "type": "product", "isActive": true },
        });
        for (path, value) in change.as_object().unwrap() {
            let (rule, field) = path.split_once('.').unwrap_or(("", path));
            match rule {
                "" => coupon[field] = value.clone(),
                rule => coupon[rule][field] = value.clone(),
            }
        }
        let made = shop.post("/api/console/shop/coupons", &coupon).as_(&staff);
        made.send().await.expect(201).body["coupon"]["_id"].clone()
    };
    let of = |product| json!({ "type": "PRODUCTS", "_products": [product] });
    made("작은 할인", json!({ "value": 5 })).await;
    let large = json!({ "value": 30, "limit": 2_000, "usage.target": of(apples) });
    let large = made("큰 할인", large).await;
    // each of these fails by one thing
    made("다른 상품", json!({ "usage.target": of(pears) })).await;
    let dear = json!({ "target": { "price__min": 10_001 } });
    made("비싼 상품", json!({ "usage.limit": dear })).await;
    let target = json!({ "type": "USER_TYPES", "userTypes": ["COMPANY"] });
    made("사업자", json!({ "issue.target": target })).await;
    made("꺼 둔 쿠폰", json!({ "issue.isActive": false })).await;
    made("숨긴 쿠폰", json!({ "onDisplay": false })).await;
    let none = json!({ "shop": { "count__sum": 0 } });
    made("다 나간 쿠폰", json!({ "issue.limit": none })).await;
    made(
        "끝난 쿠폰",
        json!({ "usage.endsAt": "2020-01-01T00:00:00Z" }),
    )
    .await;
    let offers = async |query: &str, who: Option<&Account>| {
        shop.settled().await;
        let ask = shop.get(&format!("/api/v1/shop/coupons?{query}"));
        let ask = match who {
            Some(who) => ask.as_(who),
            None => ask,
        };
        let found = ask.send().await.expect(200).body["coupons"].clone();
        let found = found.as_array().unwrap().iter();
        found
            .map(|one| (one["name"].clone(), one["takes"].clone()))
            .collect::<Vec<_>>()
    };
    let one = format!("_product={apples}");
    let (small, big) = (json!("작은 할인"), json!("큰 할인"));
    assert_eq!(
        offers(&one, Some(&hong)).await,
        [(big.clone(), json!(2_000)), (small.clone(), json!(500))]
    );
    let two = format!("{one}&quantity=2");
    let of_two = offers(&two, Some(&hong)).await;
    assert!(
        of_two.contains(&(small.clone(), json!(1_000))),
        "{of_two:?}"
    );
    assert!(
        of_two.contains(&(json!("비싼 상품"), json!(2_000))),
        "{of_two:?}"
    );
    assert_eq!(offers(&one, None).await, []);
    // one that was drawn is in the box, and says what it is for
    let draw = shop.post("/api/v1/me/coupons", &json!({ "_coupon": large }));
    let drawn = draw.as_(&hong).send().await.expect(201);
    assert_eq!(drawn.body["coupon"]["goods"], json!(["사과 한 상자"]));
    let left = offers(&one, Some(&hong)).await;
    assert_eq!(left, [(small, json!(500))]);
    let mine = shop.get("/api/v1/me/coupons").as_(&hong).send().await;
    let mine = &mine.expect(200).body["coupons"][0];
    assert_eq!(
        mine["sentence"],
        "사과 한 상자 하나에서 30% 할인, 최대 $20, 다른 쿠폰과 함께 쓸 수 없음"
    );
    assert_eq!(mine["goods"], json!(["사과 한 상자"]));
    let all = shop.get("/api/v1/shop/coupons").as_(&hong).send().await;
    let all = all.expect(200).body["coupons"].clone();
    let mut all = all.as_array().unwrap().iter();
    let offer = all.find(|one| one["_id"] == large).unwrap();
    assert_eq!(offer["sentence"], mine["sentence"]);
    // staff's list says the same, with whom it is for
    let list = shop.get("/api/console/shop/coupons?limit=100").as_(&staff);
    let list = list.send().await.expect(200).body["coupons"].clone();
    let mut found = list.as_array().unwrap().iter();
    let row = found.find(|row| row["_id"] == large).unwrap();
    let sentence = row["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("모든 회원이 내려받아 사과 한 상자 하나에서 30% 할인"),
        "{sentence}"
    );
    let gone = format!("_product={}", Uuid::now_v7());
    let gone = shop.get(&format!("/api/v1/shop/coupons?{gone}")).as_(&hong);
    assert_eq!(gone.send().await.expect(409).code(), "not_on_sale");
}

#[tokio::test]
async fn a_coupon_for_an_exhibition_is_for_its_products_as_they_are_when_it_is_used() {
    let shop = TestApp::start().await;
    let (staff, hong) = (shop.console().await, shop.sign_up("hong1234").await);
    let seller = seller(&shop).await;
    let made = shop.post("/api/console/shop/products", &product(10_000, Value::Null));
    let made = made.as_(&seller).send().await.expect(201);
    let id = made.body["product"]["_id"].clone();
    let exhibition = json!({ "name": "봄 라이딩", "thumb": { "url": "/pictures/a.webp" }, "shows": true, "_products": [id] });
    let made = shop
        .post("/api/console/shop/exhibitions", &exhibition)
        .as_(&staff);
    let spring = made.send().await.expect(201).body["exhibition"]["_id"].clone();
    let coupon = |of: Value| {
        json!({ "name": "기획전 쿠폰", "unit": "PERCENT", "value": 10, "onDisplay": true, "issue": { "type": "request", "isActive": true },
            "usage": { "type": "product", "isActive": true, "target": { "type": "EXHIBITIONS", "_exhibitions": of } } })
    };
    let path = "/api/console/shop/coupons";
    for (of, code) in [(json!([]), "required"), (json!(["spring"]), "unknown")] {
        let refused = shop
            .post(path, &coupon(of))
            .as_(&staff)
            .send()
            .await
            .expect(400);
        assert_eq!(refused.complaint(), ("usage.target._exhibitions", code));
    }
    let made = shop.post(path, &coupon(json!([spring]))).as_(&staff);
    let made = made.send().await.expect(201);
    let drawing = json!({ "_coupon": made.body["coupon"]["_id"] });
    let drawn = shop.post("/api/v1/me/coupons", &drawing).as_(&hong);
    let drawn = drawn.send().await.expect(201);

    let takes = async |at: &str| {
        let form = json!({ "carts": [{ "_product": id, "quantity": 1 }] });
        let preview = shop.post("/api/v1/shop/orders/preview", &form).as_(&hong);
        let preview = preview
            .header("x-wait-position", at)
            .send()
            .await
            .expect(200)
            .body;
        let coupon = preview["coupons"][0].clone();
        (
            coupon["takes"][0]["amount"].clone(),
            coupon["sentence"].clone(),
        )
    };
    let (amount, _) = takes(&drawn.position()).await;
    assert_eq!(amount, 1_000);
    let box_ = shop.get("/api/v1/me/coupons").as_(&hong);
    let box_ = box_
        .header("x-wait-position", &drawn.position())
        .send()
        .await
        .expect(200);
    assert!(box_.text.contains("봄 라이딩 기획전 상품"), "{}", box_.text);

    // The badge of its products, and none without it.
    let flags = async |at: &str| {
        let list = shop
            .get("/api/v1/shop/products")
            .header("x-wait-position", at);
        list.send().await.expect(200).body["products"][0]["flags"].clone()
    };
    assert_eq!(flags(&drawn.position()).await, json!(["기획전"]));
    let without = json!({ "_products": [], "version": 1 });
    let own = format!("/api/console/shop/exhibitions/{}", spring.as_str().unwrap());
    let changed = shop
        .put(&own, &without)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(flags(&changed.position()).await, json!([]));
    let (amount, _) = takes(&changed.position()).await;
    assert_eq!(amount, Value::Null);
}
