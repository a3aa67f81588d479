//! Many at once: the last pieces, the last coupons, one cart.

use std::collections::BTreeMap;

use domain::coupon::Campaign;
use domain::ids::{IssuedCouponId, MemberId};
use futures::StreamExt;
use serde_json::json;
use uuid::Uuid;

use crate::shop_journey::futures_of;
use crate::shop_support::{id_of, order_form};
use crate::support::{Account, Ask, Reply, TestApp};

/// How many of each answer there are: what was `made`, and the codes of what was not.
fn tally(replies: &[Reply], made: &str) -> BTreeMap<String, usize> {
    replies.iter().fold(BTreeMap::new(), |mut tally, reply| {
        let answer = if reply.status == 201 {
            made
        } else {
            reply.code()
        };
        *tally.entry(answer.to_owned()).or_default() += 1;
        tally
    })
}

/// The answer; who hears that the shop is too busy asks again with the same key, as the web app does.
async fn answered(ask: impl Fn() -> Ask) -> Reply {
    let key = uuid::Uuid::new_v4().to_string();
    for _ in 0..20 {
        let reply = ask().key(&key).send().await;
        if reply.code() != "unavailable" {
            return reply;
        }
    }
    ask().key(&key).send().await
}

#[tokio::test]
async fn two_hundred_want_the_last_twenty() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 20).await;
    let replies = futures_of(200, |_| {
        answered(|| shop.post("/api/v1/shop/orders", &order_form(apples, 1)))
    })
    .await;
    let outcomes = tally(&replies, "placed");
    assert_eq!(
        outcomes,
        BTreeMap::from([("placed".to_owned(), 20), ("sold_out".to_owned(), 180)])
    );
    assert_eq!(shop.left(apples).await, 0);
}

/// Shoppers with a token each; joining is slow on purpose, so they do not sign up.
fn shoppers(shop: &TestApp, many: usize) -> Vec<Account> {
    (0..many)
        .map(|place| {
            let session = api::http::tokens::Session {
                user: MemberId(uuid::Uuid::now_v7()),
                user_type: domain::member::MemberType::Person,
                scope: Vec::new(),
                level: domain::member::AccessLevel::Person,
            };
            Account {
                id: session.user.to_string(),
                username: format!("shopper{place}"),
                password: String::new(),
                token: shop
                    .app
                    .tokens
                    .access(&session, application::clock::Clock::now(&*shop.clock))
                    .unwrap(),
                refresh: String::new(),
            }
        })
        .collect()
}

#[tokio::test]
async fn two_hundred_want_a_coupon_with_twenty_uses() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 1_000).await;
    let coupon = shop.coupon(10, None, Some(20)).await;
    let accounts = shoppers(&shop, 200);
    let drawn: Vec<IssuedCouponId> = futures::stream::iter(&accounts)
        .map(|account| async {
            let reply = shop
                .post("/api/v1/me/coupons", &json!({ "_coupon": coupon }))
                .as_(account)
                .send()
                .await
                .expect(201);
            reply.body["coupon"]["_id"]
                .as_str()
                .unwrap()
                .parse::<IssuedCouponId>()
                .unwrap()
        })
        .buffered(20)
        .collect()
        .await;
    let (shop, accounts, drawn) = (&shop, &accounts, &drawn);
    let replies = futures_of(200, |place| async move {
        let mut form = order_form(apples, 1);
        form["coupons"] = json!([{ "_issued": drawn[place] }]);
        let ask = || {
            shop.post("/api/v1/shop/orders", &form)
                .as_(&accounts[place])
        };
        answered(ask).await
    })
    .await;
    let outcomes = tally(&replies, "placed");
    assert_eq!(
        outcomes,
        BTreeMap::from([
            ("coupon_used_up".to_owned(), 180),
            ("placed".to_owned(), 20)
        ])
    );
    let campaign = shop
        .app
        .store
        .load::<Campaign>(&coupon.to_string())
        .await
        .unwrap()
        .state;
    assert_eq!(campaign.used, 20);
    assert_eq!(shop.left(apples).await, 980);
}

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
async fn eight_adds_at_once_make_one_line_of_eight() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 20).await;
    let hong = shop.sign_up("hong1234").await;
    let add = json!({ "_product": apples, "quantity": 1 });
    for reply in futures_of(8, |_| shop.post("/api/v1/me/carts", &add).as_(&hong).send()).await {
        reply.expect(200);
    }
    let cart = shop
        .get("/api/v1/me/carts")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            cart.body["summary"]["totalCount"].clone(),
            cart.body["carts"][0]["quantity"].clone()
        ),
        (json!(1), json!(8))
    );
    assert_eq!(cart.body["quote"]["totals"]["payable"], 8_250);

    let line = cart.body["carts"][0]["_id"].clone();
    let mut form = order_form(apples, 1);
    form["carts"] = json!([]);
    form["_carts"] = json!([line, line]);
    let twice = shop.post("/api/v1/shop/orders", &form).as_(&hong);
    let twice = twice.send().await.expect(400);
    assert_eq!(twice.body["error"]["fields"][0]["field"], "_carts");
    form["_carts"] = json!([line]);
    shop.post("/api/v1/shop/orders", &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let cart = shop
        .get("/api/v1/me/carts")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        cart.body["summary"]["totalCount"], 0,
        "what was ordered leaves the cart"
    );
    let merged = shop.post("/api/v1/me/carts", &json!({ "carts": [{ "_product": apples, "quantity": 2 }, { "_product": apples, "quantity": 3 }] }));
    let merged = merged.as_(&hong).send().await.expect(200);
    assert_eq!(merged.body["carts"][0]["quantity"], 5);
    let kim = shop.sign_up("kim12345").await;
    let id = merged.body["carts"][0]["_id"].as_str().unwrap().to_owned();
    let of_kim = shop.post(
        "/api/v1/me/carts",
        &json!({ "_product": apples, "quantity": 1 }),
    );
    of_kim.as_(&kim).send().await.expect(200);
    let line = format!("/api/v1/me/carts/{id}");
    for ask in [
        shop.get(&line),
        shop.delete(&line),
        shop.put(&line, &json!({ "quantity": 1 })),
    ] {
        assert_eq!(ask.as_(&kim).send().await.code(), "not_found");
    }
    let changed = shop.put(&line, &json!({ "quantity": 7 })).as_(&hong);
    let changed = changed.send().await.expect(200);
    assert_eq!(changed.body["cart"]["quantity"], 7);
    let shown = shop.get(&line).as_(&hong).send().await.expect(200);
    assert_eq!(shown.body["cart"], changed.body["cart"]);
    assert_eq!(shown.body["cart"]["product"]["_id"], apples.to_string());
}

#[tokio::test]
async fn of_forty_who_spend_the_same_points_one_has_them() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 100).await;
    let hong = shop.sign_up("hong1234").await;
    shop.grant(&hong, 500).await;
    let mut form = order_form(apples, 1);
    form["point"] = json!(500);
    let replies = futures_of(40, |_| {
        answered(|| shop.post("/api/v1/shop/orders", &form).as_(&hong))
    })
    .await;
    let outcomes = tally(&replies, "placed");
    assert_eq!(
        outcomes,
        BTreeMap::from([("placed".to_owned(), 1), ("points_short".to_owned(), 39)])
    );
    assert_eq!(shop.left(apples).await, 99);
}

/// Forty, not four: a second use is kept away by the lock it is decided under and by the version it was decided at. Without both, who
/// comes while the first is written still meets its lock and decides again; only in a crowd does somebody read before and write after.
#[tokio::test]
async fn coupons_and_points_are_used_once_and_come_back_with_the_order() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 20).await;
    let hong = shop.sign_up("hong1234").await;
    shop.grant(&hong, 500).await;
    let coupon = shop.coupon(10, None, None).await;
    let drawn = shop
        .post("/api/v1/me/coupons", &json!({ "_coupon": coupon }))
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let issued = drawn.body["coupon"]["_id"].clone();
    let mut form = order_form(apples, 1);
    form["coupons"] = json!([{ "_issued": issued }]);
    form["point"] = json!(500);
    let preview = shop
        .post("/api/v1/shop/orders/preview", &form)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(preview.body["quote"]["totals"]["payable"], 625);
    assert_eq!(preview.body["coupons"][0]["applicable"], json!(["1"]));
    form["payable"] = json!(625);
    let replies = futures_of(40, |_| {
        answered(|| shop.post("/api/v1/shop/orders", &form).as_(&hong))
    })
    .await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 201).count(),
        1,
        "{replies:?}"
    );
    assert!(
        replies
            .iter()
            .all(|reply| reply.status == 201 || reply.code() == "coupon_used"),
        "{replies:?}"
    );
    let placed = replies.iter().find(|reply| reply.status == 201).unwrap();
    let short = shop.post("/api/v1/shop/orders", &{
        let mut form = order_form(apples, 1);
        form["point"] = json!(1);
        form
    });
    assert_eq!(short.as_(&hong).send().await.code(), "points_short");

    let order = id_of(placed);
    shop.pay(&hong.token, &order).await.expect(303);
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    shop.post(&format!("/api/v1/me/orders/{order}/cancel"), &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    shop.until(&hong.token, &order, "the refund never came", |order| {
        order["payments"][0]["refunded"] == 625
    })
    .await;
    let points = shop
        .get("/api/v1/shop/points/qualify")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(points.body["available"], 500);
    let again = shop
        .post("/api/v1/shop/orders", &form)
        .as_(&hong)
        .send()
        .await;
    assert_eq!(again.status, 201, "{}", again.text);

    let free = shop.product(seller, 0, 5).await;
    shop.grant(&hong, 1_000).await;
    let mut form = order_form(free, 1);
    form["point"] = json!(250);
    let placed = shop
        .post("/api/v1/shop/orders", &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    assert_eq!(placed.body["order"]["status"], "ORDER_PAYMENT");
    assert_eq!(placed.body["order"]["paymentMethod"], "free");
}
