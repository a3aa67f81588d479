//! Concurrent orders: the last pieces, the last uses of a coupon, the same points.

use std::collections::BTreeMap;

use domain::coupon::Campaign;
use domain::ids::{IssuedCouponId, MemberId};
use futures::StreamExt;
use serde_json::json;

use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Ask, Reply, TestApp, futures_of};

/// Number of responses by kind: `made` for successes, and the codes of rejections.
pub fn tally(replies: &[Reply], made: &str) -> BTreeMap<String, usize> {
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

/// The response. After "too busy" and "timed out" the shopper repeats the request with the same key, as the web app does.
async fn answered(ask: impl Fn() -> Ask) -> Reply {
    let key = uuid::Uuid::new_v4().to_string();
    for _ in 0..20 {
        let reply = ask().key(&key).send().await;
        if !["unavailable", "timed_out"].contains(&reply.code()) {
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

/// Shoppers with a token each; joining is intentionally slow, so they do not sign up.
pub fn shoppers(shop: &TestApp, many: usize) -> Vec<Account> {
    (0..many)
        .map(|place| {
            let session = application::access::Session {
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
                    .access(
                        &session,
                        uuid::Uuid::now_v7(),
                        application::clock::Clock::now(&*shop.clock),
                    )
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

/// Forty, not four: a second use is prevented by the lock it is decided under and by the version it was decided at. With a few requests,
/// even without both, later ones would wait for the first one's lock and decide again; only with many does one read before and write after.
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
    assert_eq!(
        preview.body["bestCoupons"],
        json!({ "coupons": [{ "_issued": issued, "purchaseNo": null }], "amount": 125 })
    );
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
