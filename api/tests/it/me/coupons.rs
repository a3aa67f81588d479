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
use crate::support::{TestApp, futures_of};

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
