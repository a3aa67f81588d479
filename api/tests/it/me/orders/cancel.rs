//! Canceling an order: everything is given back once, and no money is kept.

use serde_json::json;
use time::Duration;

use crate::support::payments::{charge_behind_our_back, events, notice, shop_with_order, tell};
use crate::support::shop::id_of;
use crate::support::{TestApp, futures_of};

#[tokio::test]
async fn money_for_an_order_that_was_canceled_meanwhile_goes_back() {
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap().to_owned();
    charge_behind_our_back(&shop, &window, &tid).await;
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    shop.post(&format!("/api/v1/me/orders/{order}/cancel"), &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let paid = notice(&shop, &tid).await;
    tell(&shop, &paid).await.expect(200);
    let seen = shop
        .until(&hong.token, &order, "the money was kept", |order| {
            order["payments"][0]["refunded"] == 1_250
        })
        .await;
    assert_eq!(seen["status"], "ORDER_CANCELED");
    assert_eq!(shop.charges().await["balance"], 0);
    tell(&shop, &paid).await.expect(200);
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "RefundRequested").await
        ),
        (1, 1)
    );
    let back = shop.come_back(&form).await.expect(303);
    assert!(
        back.header("location")
            .unwrap()
            .contains("error=not_allowed_now"),
        "{back:?}"
    );
}

#[tokio::test]
async fn twenty_cancellations_at_once_give_everything_back_once() {
    let (shop, hong, order) = shop_with_order().await;
    shop.pay(&hong.token, &order).await.expect(303);
    let path = format!("/api/v1/me/orders/{order}/cancel");
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let replies = futures_of(20, |_| shop.post(&path, &cancel).as_(&hong).send()).await;
    let count = |status| {
        replies
            .iter()
            .filter(|reply| reply.status == status)
            .count()
    };
    assert_eq!((count(200), count(409)), (1, 19), "{replies:?}");
    shop.until(&hong.token, &order, "the money was kept", |order| {
        order["payments"][0]["refunded"] == 1_250
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
    for event_type in ["CancelApproved", "StockGivenBack", "RefundRequested"] {
        assert_eq!(events(&shop, event_type).await, 1, "{event_type}");
    }
}

#[tokio::test]
async fn an_order_nobody_pays_in_time_gives_everything_back() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let placed = shop
        .post(
            "/api/v1/shop/orders",
            &crate::support::shop::order_form(apples, 4),
        )
        .send()
        .await
        .expect(201);
    let (order, token) = (
        id_of(&placed),
        placed.body["guestToken"].as_str().unwrap().to_owned(),
    );
    assert_eq!(shop.left(apples).await, 6);
    shop.advance(Duration::minutes(61));
    shop.until(&token, &order, "it is still held", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    assert_eq!(shop.left(apples).await, 10);
    let late = shop
        .post("/api/plugins/pay/generate", &json!({ "_order": order }))
        .token(&token)
        .send()
        .await;
    assert_eq!(late.code(), "not_allowed_now");
}

#[tokio::test]
async fn an_unpaid_order_gives_goods_coupon_and_points_back_by_hand_and_by_deadline() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    shop.grant(&hong, 500).await;
    let coupon = shop.coupon(10, None, None).await;
    let drawn = shop.post("/api/v1/me/coupons", &json!({ "_coupon": coupon }));
    let drawn = drawn.as_(&hong).send().await.expect(201);
    let issued = &drawn.body["coupon"]["_id"];
    let mut form = crate::support::shop::order_form(apples, 4);
    form["coupons"] = json!([{ "_issued": issued }]);
    form["point"] = json!(300);
    // Stock left, usable points, tab of the coupon.
    let held = async |token: &str| {
        let head = shop.app.store.head().await.unwrap().to_string();
        let get = |path: &str| shop.get(path).header("x-wait-position", &head).token(token);
        let points = get("/api/v1/me/points").send().await.expect(200);
        let mut tabs = Vec::new();
        for tab in ["usable", "used"] {
            let path = format!("/api/v1/me/coupons?tab={tab}");
            let boxed = get(&path).send().await.expect(200).body;
            let mut coupons = boxed["coupons"].as_array().unwrap().iter();
            if coupons.any(|coupon| coupon["_id"] == *issued) {
                tabs.push(tab);
            }
        }
        let available = points.body["summary"]["available"].as_i64();
        (shop.left(apples).await, available.unwrap(), tabs)
    };
    for by_hand in [true, false] {
        let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
        let placed = placed.send().await.expect(201);
        let order = id_of(&placed);
        assert_eq!(held(&hong.token).await, (6, 200, vec!["used"]));
        if by_hand {
            let path = format!("/api/v1/me/orders/{order}/cancel");
            let reason = json!({ "reason": "마음이 바뀌었어요" });
            let canceled = shop.post(&path, &reason).as_(&hong).send().await;
            canceled.expect(200);
        } else {
            shop.advance(Duration::minutes(61));
        }
        // The earlier token may have expired by now.
        let token = shop.account("hong1234", &hong.password).await.token;
        shop.until(&token, &order, "it is still held", |order| {
            order["status"] == "ORDER_CANCELED"
        })
        .await;
        let back = held(&token).await;
        assert_eq!(back, (10, 500, vec!["usable"]), "by hand: {by_hand}");
    }
}

#[tokio::test]
async fn canceling_and_paying_at_once_never_keeps_money_for_nothing() {
    for round in 0..8 {
        let (shop, hong, order) = shop_with_order().await;
        let window = shop.window(&hong.token, &order).await;
        let form = shop.authenticate(&window).await;
        let tid = form["tid"].as_str().unwrap().to_owned();
        charge_behind_our_back(&shop, &window, &tid).await;
        let paid = notice(&shop, &tid).await;
        let cancel = json!({ "reason": "마음이 바뀌었어요" });
        let canceling = shop
            .post(&format!("/api/v1/me/orders/{order}/cancel"), &cancel)
            .as_(&hong)
            .send();
        let (canceled, told) = tokio::join!(canceling, tell(&shop, &paid));
        assert_eq!(
            (canceled.status, told.status),
            (200, 200),
            "{round} {canceled:?} {told:?}"
        );
        // In either order, it is canceled in the end, so the money is refunded.
        shop.until(&hong.token, &order, "the money was kept", |order| {
            order["payments"][0]["refunded"] == 1_250
        })
        .await;
        assert_eq!(shop.charges().await["balance"], 0, "{round}");
        let stream = event_store::StreamId::new("order", &order);
        let kinds: Vec<String> = shop
            .app
            .store
            .read_stream(&stream)
            .await
            .unwrap()
            .into_iter()
            .map(|event| event.event_type)
            .collect();
        let both = ["OrderPaid", "OrderCanceled"]
            .iter()
            .all(|kind| kinds.iter().any(|known| known == kind));
        assert!(!both, "{round} paid and canceled: {kinds:?}");
    }
}
