//! Money: whatever the payment service does, nobody pays twice and nothing that was taken in vain is kept.

use std::io;
use std::sync::Mutex;

use axum::http::Method;
use serde_json::{Value, json};
use time::Duration;

use crate::shop_journey::futures_of;
use crate::shop_support::id_of;
use crate::support::{Account, Reply, TestApp};

/// A shop whose client waits only a moment for the payment service, one product and a shopper with an unpaid order.
async fn shop_with_order() -> (TestApp, Account, String) {
    let shop = TestApp::with(&[
        ("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "2"),
        ("JANGBU_PAYMENT_CONNECT_TIMEOUT_SECONDS", "1"),
    ])
    .await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    (shop, hong, order)
}

async fn events(shop: &TestApp, event_type: &str) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = $1")
        .bind(event_type)
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

pub async fn notice(shop: &TestApp, tid: &str) -> String {
    // The service's own words about the payment, signed by it.
    let payment = &shop.app.settings.payment;
    let client = reqwest::Client::new();
    let url = format!("{}/v1/payments/{tid}", shop.sandbox);
    client
        .get(url)
        .basic_auth(&payment.client_key, Some(&payment.secret_key))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap()
}

pub async fn tell(shop: &TestApp, notice: &str) -> Reply {
    shop.ask(Method::POST, "/api/plugins/nicepayments/notice")
        .body("application/json", notice.to_owned())
        .send()
        .await
}

#[tokio::test]
async fn eight_completions_at_once_charge_once_and_answer_alike() {
    let (shop, hong, order) = shop_with_order().await;
    // The service answers the charge late, so that all eight are under way before anybody knows how it ends.
    shop.fault(json!({ "call": "approve", "fault": "late", "milliseconds": 300, "times": 8 }))
        .await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let replies = shop
        .undecided(futures_of(8, |_| shop.come_back(&form)))
        .await;
    let target = format!("/shop/result?order={order}");
    for reply in &replies {
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, Some(target.as_str()))
        );
    }
    // One request asks the service. The service would refuse a second question, but its refusal is not our guard.
    assert_eq!(
        (
            events(&shop, "PaymentApprovalRequested").await,
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1, 1)
    );
    assert_eq!(shop.charges().await["charged"], 1_250);
    let again = shop
        .post("/api/plugins/pay/approval", &form)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(again.body["order"]["status"], "ORDER_PAYMENT");
}

#[tokio::test]
async fn a_charge_whose_answer_never_came_is_found_and_never_made_twice() {
    for fault in ["timeoutAfter", "dropAfter", "errorAfter", "badSignature"] {
        let (shop, hong, order) = shop_with_order().await;
        shop.fault(json!({ "call": "approve", "fault": fault, "times": 1 }))
            .await;
        shop.pay(&hong.token, &order).await.expect(303);
        let seen = shop
            .until(&hong.token, &order, fault, |order| {
                order["status"] == "ORDER_PAYMENT"
            })
            .await;
        assert_eq!(seen["payments"].as_array().unwrap().len(), 1, "{fault}");
        assert_eq!(shop.charges().await["charged"], 1_250, "{fault}");
        assert_eq!(events(&shop, "PaymentApproved").await, 1, "{fault}");
    }
}

#[tokio::test]
async fn a_charge_that_never_happened_is_closed_and_can_be_tried_again() {
    for fault in ["timeoutBefore", "dropBefore", "errorBefore"] {
        let (shop, hong, order) = shop_with_order().await;
        shop.fault(json!({ "call": "approve", "fault": fault, "times": 1 }))
            .await;
        let back = shop.pay(&hong.token, &order).await.expect(303);
        assert!(
            back.header("location")
                .unwrap()
                .contains("error=payment_refused"),
            "{fault} {back:?}"
        );
        assert_eq!(shop.charges().await["balance"], 0, "{fault}");
        let back = shop.pay(&hong.token, &order).await.expect(303);
        assert!(
            !back.header("location").unwrap().contains("error"),
            "{fault} {back:?}"
        );
        assert_eq!(shop.charges().await["balance"], 1_250, "{fault}");
    }
}

#[tokio::test]
async fn while_nobody_knows_the_deadline_asks_until_the_service_says() {
    let (shop, hong, order) = shop_with_order().await;
    shop.fault(json!({ "call": "approve", "fault": "timeoutAfter", "times": 1 }))
        .await;
    shop.fault(json!({ "call": "query", "fault": "errorBefore", "times": 1 }))
        .await;
    let back = shop.pay(&hong.token, &order).await.expect(303);
    assert!(
        back.header("location")
            .unwrap()
            .contains("error=unavailable"),
        "{back:?}"
    );
    let seen = shop
        .until(&hong.token, &order, "never resolved", |order| {
            order["status"] == "ORDER_PAYMENT"
        })
        .await;
    assert_eq!(seen["payments"].as_array().unwrap().len(), 1);
    assert_eq!(shop.charges().await["balance"], 1_250);
}

#[tokio::test]
async fn a_refusal_is_told_and_the_next_attempt_may_succeed() {
    let (shop, hong, order) = shop_with_order().await;
    shop.fault(json!({ "call": "approve", "fault": "refuse", "code": "3095", "times": 1 }))
        .await;
    let back = shop.pay(&hong.token, &order).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some(format!("/shop/result?order={order}&error=payment_refused").as_str())
    );
    shop.pay(&hong.token, &order).await.expect(303);
    assert_eq!(
        shop.my_order(&hong.token, &order).await["status"],
        "ORDER_PAYMENT"
    );
}

#[tokio::test]
async fn what_the_browser_brings_is_believed_only_if_the_service_signed_it() {
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let good = shop.authenticate(&window).await;
    for (field, value) in [
        ("amount", json!("1")),
        ("signature", json!("00")),
        ("clientId", json!("other")),
        ("authToken", json!("x")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        let back = shop.come_back(&bad).await.expect(303);
        assert!(
            back.header("location")
                .unwrap()
                .contains("error=payment_refused"),
            "{field} {back:?}"
        );
    }
    let mut foreign = good.clone();
    foreign["orderId"] = json!("20260101-ABCDEFGH-1");
    let back = shop.come_back(&foreign).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some("/shop/result?error=not_found")
    );
    assert_eq!(
        (
            events(&shop, "PaymentApprovalRequested").await,
            shop.charges().await["charged"].clone()
        ),
        (0, json!(0))
    );
    shop.come_back(&good).await.expect(303);
    assert_eq!(
        shop.my_order(&hong.token, &order).await["status"],
        "ORDER_PAYMENT"
    );
}

#[tokio::test]
async fn a_notice_three_times_at_once_pays_once_and_before_the_browser_does() {
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap().to_owned();
    charge_behind_our_back(&shop, &window, &tid).await;
    let paid = notice(&shop, &tid).await;
    let replies = shop.undecided(futures_of(3, |_| tell(&shop, &paid))).await;
    for reply in replies {
        assert_eq!(
            (
                reply.status,
                reply.text.as_str(),
                reply.header("content-type")
            ),
            (200, "OK", Some("text/html"))
        );
    }
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    let back = shop.come_back(&form).await.expect(303);
    assert!(
        !back.header("location").unwrap().contains("error"),
        "{back:?}"
    );
    assert_eq!(tell(&shop, "{}").await.status, 403);
    let changed = paid.replace("1250", "1");
    assert_eq!(tell(&shop, &changed).await.status, 403);
}

/// The service charges although we have not asked: as when another process of ours asked and died.
pub async fn charge_behind_our_back(shop: &TestApp, window: &Value, tid: &str) {
    let amount = domain::Amount::new(window["amount"].as_i64().unwrap());
    let outcome = shop
        .app
        .gateway
        .approve(tid, amount, window["orderId"].as_str().unwrap())
        .await;
    assert!(
        matches!(outcome, integrations::payment::Outcome::Done(_)),
        "{outcome:?}"
    );
}

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

/// A charge in each of two windows, and the shop is told of both at once: either would pay the order.
#[tokio::test]
async fn of_two_payments_for_one_order_one_pays_it_and_one_goes_back() {
    let (shop, hong, order) = shop_with_order().await;
    let mut notices = Vec::new();
    for method in ["card", "bank"] {
        let wanted = json!({ "_order": order, "method": method });
        let opened = shop.post("/api/plugins/pay/generate", &wanted).as_(&hong);
        let window = opened.send().await.expect(200).body["payment"].take();
        let form = shop.authenticate(&window).await;
        let tid = form["tid"].as_str().unwrap();
        charge_behind_our_back(&shop, &window, tid).await;
        notices.push(notice(&shop, tid).await);
    }
    let told = futures_of(2, |which| tell(&shop, &notices[which]));
    for reply in shop.undecided(told).await {
        reply.expect(200);
    }
    shop.until(&hong.token, &order, "one of them goes back", |order| {
        let payments = order["payments"].as_array().unwrap().iter();
        payments.filter(|one| one["refunded"] == 1_250).count() == 1
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 1_250);
    let happened = [
        ("PaymentApproved", 2),
        ("OrderPaid", 1),
        ("RefundCompleted", 1),
    ];
    for (event_type, times) in happened {
        assert_eq!(events(&shop, event_type).await, times, "{event_type}");
    }
    assert_eq!(
        shop.my_order(&hong.token, &order).await["status"],
        "ORDER_PAYMENT"
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
async fn a_refund_nobody_saw_the_end_of_is_made_once() {
    for fault in [
        "timeoutAfter",
        "timeoutBefore",
        "errorAfter",
        "dropAfter",
        "twice",
    ] {
        let (shop, hong, order) = shop_with_order().await;
        shop.pay(&hong.token, &order).await.expect(303);
        shop.fault(json!({ "call": "cancel", "fault": fault, "times": 1 }))
            .await;
        let cancel = json!({ "reason": "마음이 바뀌었어요" });
        shop.post(&format!("/api/v1/me/orders/{order}/cancel"), &cancel)
            .as_(&hong)
            .send()
            .await
            .expect(200);
        // the order is the log's, its payments are the read model's: they come together, but are not read at once
        shop.until(&hong.token, &order, fault, |order| {
            order["payments"][0]["refunded"] == 1_250
                && order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED"
        })
        .await;
        assert_eq!(shop.charges().await["balance"], 0, "{fault}");
        assert_eq!(events(&shop, "RefundCompleted").await, 1, "{fault}");
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
            &crate::shop_support::order_form(apples, 4),
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
    let mut form = crate::shop_support::order_form(apples, 4);
    form["coupons"] = json!([{ "_issued": issued }]);
    form["point"] = json!(300);
    // what is left, the points that can be used, the tab the coupon is in
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
        // the token of before may be too old by now
        let token = shop.account("hong1234", &hong.password).await.token;
        shop.until(&token, &order, "it is still held", |order| {
            order["status"] == "ORDER_CANCELED"
        })
        .await;
        let back = held(&token).await;
        assert_eq!(back, (10, 500, vec!["usable"]), "by hand: {by_hand}");
    }
}

/// The process that asked for a charge dies between the service's yes and what it would have recorded.
#[tokio::test]
async fn a_charge_whose_process_died_is_settled_once_by_its_deadline() {
    use application::executor::{AppendBatch, CommandContext};
    use domain::event::Decider;
    use domain::payment::{Payment, PaymentCommand, PaymentStage};
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let (tid, amount) = (form["tid"].as_str().unwrap(), domain::Amount::new(1_250));
    let id = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let command = CommandContext::for_actor("request-approval", domain::Actor::System);
    shop.app
        .executor
        .transact(&command, |context| async {
            let context = context;
            let payment = shop.app.store.load::<Payment>(&id.to_string()).await?;
            let tid = tid.to_owned();
            let events = payment
                .state
                .decide(PaymentCommand::RequestApproval { tid, amount }, &context)?;
            let expected = event_store::Expected::Exact(payment.version);
            Ok(AppendBatch::of([
                event_store::StreamAppend::new::<Payment>(id, expected, &events)?,
            ]))
        })
        .await
        .unwrap();
    let name = window["orderId"].as_str().unwrap();
    let said = shop.app.gateway.approve(tid, amount, name).await;
    assert!(
        matches!(said, integrations::payment::Outcome::Done(_)),
        "{said:?}"
    );
    assert_eq!(stage(&shop, &order, 1).await, PaymentStage::Requested);
    shop.advance(Duration::minutes(2));
    let seen = shop
        .until(&hong.token, &order, "never settled", |order| {
            order["status"] == "ORDER_PAYMENT"
        })
        .await;
    assert_eq!(seen["payments"].as_array().unwrap().len(), 1);
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    let charges = shop.charges().await;
    assert_eq!(
        (&charges["charged"], &charges["balance"]),
        (&json!(1_250), &json!(1_250))
    );
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
        // Whichever came first, it was canceled in the end, so the money goes back.
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

#[tokio::test]
async fn however_many_drive_a_refund_the_money_goes_back_once() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let (apples, pears) = (
        shop.product(seller, 1_000, 10).await,
        shop.product(seller, 1_000, 10).await,
    );
    let hong = shop.sign_up("hong1234").await;
    let mut form = crate::shop_support::order_form(apples, 1);
    form["carts"] =
        json!([{ "_product": apples, "quantity": 1 }, { "_product": pears, "quantity": 1 }]);
    let placed = shop
        .post("/api/v1/shop/orders", &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let order = id_of(&placed);
    shop.pay(&hong.token, &order).await.expect(303);
    let number = placed.body["order"]["orderNo"].as_str().unwrap();
    shop.fault(json!({ "call": "cancel", "fault": "late", "milliseconds": 300 }))
        .await;
    let cancel = json!({ "_purchases": [format!("{number}-1")], "reason": "마음이 바뀌었어요" });
    shop.post("/api/v1/me/purchases/cancel", &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let state = shop
        .app
        .store
        .load::<domain::payment::Payment>(&payment.to_string())
        .await
        .unwrap()
        .state;
    let refund = state.refunds[0].id;
    futures_of(4, |_| {
        application::payments::refund::drive(&shop.app, payment, refund)
    })
    .await;
    shop.until(&hong.token, &order, "the refund never came", |order| {
        order["payments"][0]["refunded"] == 1_000
    })
    .await;
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(shop.charges().await["balance"], 1_250);
    assert_eq!(events(&shop, "RefundCompleted").await, 1);
}

/// Asks what became of an order's payment; answers the order.
/// Asks what became of a payment until the service can say: on a busy machine its answers may come too late.
async fn process(shop: &TestApp, hong: &Account, order: &str) -> Reply {
    let address = format!("/api/v1/shop/orders/{order}/process");
    for _ in 0..20 {
        let reply = shop.post(&address, &json!({})).as_(hong).send().await;
        if reply.status != 503 {
            return reply;
        }
        tokio::time::sleep(std::time::Duration::from_millis(250)).await;
    }
    panic!("the service never says what became of {order}");
}

async fn stage(shop: &TestApp, order: &str, attempt: u32) -> domain::payment::PaymentStage {
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), attempt);
    let loaded = shop
        .app
        .store
        .load::<domain::payment::Payment>(&payment.to_string())
        .await;
    loaded.unwrap().state.stage
}

/// An attempt of which nobody knows how it ended.
const UNKNOWN: [&str; 3] = [
    "PaymentStarted",
    "PaymentApprovalRequested",
    "PaymentApprovalUnknown",
];

/// What the log tells of an order's first attempt until the shop's deadline found out: that may be at any moment.
async fn attempt(shop: &TestApp, order: &str) -> Vec<String> {
    let payment = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let stream = event_store::StreamId::of::<domain::payment::Payment>(payment);
    let told = shop.app.store.read_stream(&stream).await.unwrap();
    let types = told.into_iter().map(|event| event.event_type);
    types
        .take_while(|told| !["PaymentApproved", "PaymentNetCanceled"].contains(&told.as_str()))
        .collect()
}

#[tokio::test]
async fn a_refusal_to_tell_is_no_refusal_of_the_payment() {
    use domain::payment::PaymentStage;
    use integrations::payment::codes::{Call, Verdict, verdict};
    use integrations::payment::protocol::RESULT_CODES;
    let (shop, hong, _) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 100).await;
    let refusals = RESULT_CODES
        .iter()
        .map(|row| row.code)
        .filter(|code| verdict(Call::Query, code) == Verdict::Refused)
        .chain(["401", "403", "404", "405", "9998"]);
    for (count, code) in (1..).zip(refusals) {
        let order = id_of(&shop.order(&hong, pears, 1).await.expect(201));
        let window = shop.window(&hong.token, &order).await;
        let only = &window["orderId"];
        shop.fault(
            json!({ "call": "approve", "fault": "errorAfter", "times": 1, "orderId": only }),
        )
        .await;
        shop.fault(
            json!({ "call": "query", "fault": "refuse", "code": code, "times": 1, "orderId": only }),
        )
        .await;
        let form = shop.authenticate(&window).await;
        let back = shop.come_back(&form).await.expect(303);
        let to = back.header("location").unwrap();
        if code == "A115" {
            assert!(to.contains("error=payment_refused"), "{code} {to}");
            assert_eq!(stage(&shop, &order, 1).await, PaymentStage::Refused);
            continue;
        }
        assert!(to.contains("error=unavailable"), "{code} {to}");
        assert_eq!(attempt(&shop, &order).await, UNKNOWN, "{code}");
        let seen = process(&shop, &hong, &order).await.expect(200);
        assert_eq!(seen.body["order"]["status"], "ORDER_PAYMENT", "{code}");
        assert_eq!(shop.charges().await["charged"], 1_250 * count, "{code}");
    }
}

#[tokio::test]
async fn a_refusal_to_undo_is_no_refusal_of_the_payment() {
    use domain::payment::PaymentStage;
    let (shop, hong, _) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 100).await;
    for code in ["2003", "2020", "A101", "U104"] {
        let order = id_of(&shop.order(&hong, pears, 1).await.expect(201));
        let only = shop.window(&hong.token, &order).await["orderId"].clone();
        shop.fault(
            json!({ "call": "approve", "fault": "errorBefore", "times": 1, "orderId": only }),
        )
        .await;
        shop.fault(json!({ "call": "netCancel", "fault": "refuse", "code": code, "times": 1, "orderId": only }))
            .await;
        let back = shop.pay(&hong.token, &order).await.expect(303);
        assert!(
            back.header("location")
                .unwrap()
                .contains("error=unavailable"),
            "{code} {back:?}"
        );
        assert_eq!(attempt(&shop, &order).await, UNKNOWN, "{code}");
        process(&shop, &hong, &order).await.expect(200);
        assert_eq!(
            stage(&shop, &order, 1).await,
            PaymentStage::NetCanceled,
            "{code}"
        );
    }
    assert_eq!(shop.charges().await["charged"], 0);
}

#[tokio::test]
async fn one_transaction_never_pays_two_orders() {
    let (shop, hong, first) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 10).await;
    let kim = shop.sign_up("kim12345").await;
    let second = id_of(&shop.order(&kim, pears, 1).await.expect(201));
    let paid = shop
        .authenticate(&shop.window(&hong.token, &first).await)
        .await;
    shop.come_back(&paid).await.expect(303);
    // The signature covers token and amount only, so a buyer may put another order's transaction into their own form.
    let mut swapped = shop
        .authenticate(&shop.window(&kim.token, &second).await)
        .await;
    swapped["tid"] = paid["tid"].clone();
    let back = shop.come_back(&swapped).await.expect(303);
    assert!(
        back.header("location")
            .unwrap()
            .contains("error=payment_refused"),
        "{back:?}"
    );
    assert_eq!(
        shop.my_order(&kim.token, &second).await["status"],
        "ORDER_NONPAYMENT"
    );
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    assert_eq!(shop.charges().await["balance"], 1_250);
}

#[tokio::test]
async fn a_charge_made_for_another_order_pays_that_one() {
    let (shop, hong, first) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 10).await;
    let kim = shop.sign_up("kim12345").await;
    let second = id_of(&shop.order(&kim, pears, 1).await.expect(201));
    let theirs = shop
        .authenticate(&shop.window(&hong.token, &first).await)
        .await;
    let mut swapped = shop
        .authenticate(&shop.window(&kim.token, &second).await)
        .await;
    swapped["tid"] = theirs["tid"].clone();
    shop.come_back(&swapped).await.expect(303);
    assert_eq!(
        shop.my_order(&kim.token, &second).await["status"],
        "ORDER_NONPAYMENT"
    );
    assert_eq!(
        shop.my_order(&hong.token, &first).await["status"],
        "ORDER_PAYMENT"
    );
    assert_eq!(shop.charges().await["balance"], 1_250);
}

/// What this process wrote into its log as an error.
static ERRORS: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Errors;

impl io::Write for Errors {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        ERRORS.lock().unwrap().write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn to_swap_the_transactions_of_ones_own_orders_is_no_error_of_the_shop() {
    let (shop, hong, first) = shop_with_order().await;
    let pears = shop.product(shop.seller().await, 1_000, 10).await;
    let second = id_of(&shop.order(&hong, pears, 1).await.expect(201));
    let log = tracing_subscriber::fmt().with_writer(|| Errors);
    log.with_max_level(tracing::Level::ERROR).init();
    let mut forms = Vec::new();
    for order in [&first, &second] {
        forms.push(
            shop.authenticate(&shop.window(&hong.token, order).await)
                .await,
        );
    }
    let tids = [forms[1]["tid"].clone(), forms[0]["tid"].clone()];
    for (form, tid) in forms.iter_mut().zip(tids) {
        form["tid"] = tid;
    }
    // what is charged is the second one's, whoever's form brings it
    let back = shop.come_back(&forms[0]).await.expect(303);
    let back = back.header("location").unwrap();
    assert!(back.contains("error=payment_refused"), "{back}");
    let approval = "/api/plugins/pay/approval";
    for (form, status) in [(&forms[0], 409), (&forms[1], 200)] {
        let answer = shop.post(approval, form).as_(&hong).send().await;
        answer.expect(status);
    }
    for (order, status) in [(&first, "ORDER_NONPAYMENT"), (&second, "ORDER_PAYMENT")] {
        assert_eq!(shop.my_order(&hong.token, order).await["status"], status);
    }
    assert_eq!(shop.charges().await["balance"], 1_250);
    let said = String::from_utf8(ERRORS.lock().unwrap().clone()).unwrap();
    for form in &forms {
        let number = form["orderId"].as_str().unwrap();
        assert!(!said.contains(number), "{said}");
    }
}

#[tokio::test]
async fn a_refund_asked_for_with_a_wrong_key_is_made_once_the_key_is_right() {
    let (shop, hong, order) = shop_with_order().await;
    shop.pay(&hong.token, &order).await.expect(303);
    shop.fault(json!({ "call": "cancel", "fault": "refuse", "code": "U104", "times": 1 }))
        .await;
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    shop.post(&format!("/api/v1/me/orders/{order}/cancel"), &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    shop.until(&hong.token, &order, "the refund was given up", |order| {
        order["payments"][0]["refunded"] == 1_250
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
}

/// The address a window sends the browser back to, without the shop's own name.
fn way_back(window: &Value) -> String {
    let url = reqwest::Url::parse(window["returnUrl"].as_str().unwrap()).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

#[tokio::test]
async fn a_closed_window_leads_to_its_order_and_to_no_other() {
    let (shop, hong, order) = shop_with_order().await;
    let guest = shop
        .post(
            "/api/v1/shop/orders",
            &crate::shop_support::order_form(shop.product(shop.seller().await, 1_000, 10).await, 1),
        )
        .send()
        .await
        .expect(201);
    let (guests, guest_token) = (
        id_of(&guest),
        guest.body["guestToken"].as_str().unwrap().to_owned(),
    );
    let closed = json!({ "authResultCode": "9999", "authResultMsg": "닫힘", "mallReserved": "" });
    let refused = json!({ "authResultCode": "3095", "authResultMsg": "거절", "mallReserved": "" });
    for (token, order) in [(&hong.token, &order), (&guest_token, &guests)] {
        let address = way_back(&shop.window(token, order).await);
        for (form, error) in [(&closed, "window_closed"), (&refused, "payment_refused")] {
            let back = shop.come_back_to(&address, form).await.expect(303);
            let target = format!("/shop/result?order={order}&error={error}");
            assert_eq!(back.header("location"), Some(target.as_str()));
        }
        // What the result page asks for, and the window it opens again.
        let seen = shop
            .post(&format!("/api/v1/shop/orders/{order}/process"), &json!({}))
            .token(token)
            .send()
            .await
            .expect(200);
        let next = seen.body["order"]["nextActions"].as_array().unwrap();
        assert!(next.contains(&json!("pay")), "{next:?}");
        // The page itself, on a reload or a step back.
        let page = shop.get(&address).send().await;
        assert!(matches!(page.status, 200 | 503), "{}", page.status);
    }
    // Another order's id under this seal leads nowhere, and neither does a broken address.
    let mine = way_back(&shop.window(&hong.token, &order).await);
    let changed = mine.replace(&order, &guests);
    for address in [
        changed.as_str(),
        "/plugins/nicepayments/response?order=%zz&seal=1",
        "/plugins/nicepayments/response?order=1&order=2",
    ] {
        let back = shop.come_back_to(address, &closed).await.expect(303);
        assert_eq!(
            back.header("location"),
            Some("/shop/result?error=window_closed")
        );
    }
    // The right address and no form at all.
    let back = shop
        .ask(Method::POST, &mine)
        .body("application/x-www-form-urlencoded", String::new())
        .send()
        .await
        .expect(303);
    assert!(back.header("location").unwrap().contains(&order));
    for page in ["/plugins/nicepayments/request", "/plugins/nice/pay/result"] {
        assert!(matches!(shop.get(page).send().await.status, 200 | 503));
    }
    // Paying goes on in the very window that was closed, through its own address.
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let back = shop.come_back_to(&mine, &form).await.expect(303);
    assert_eq!(
        back.header("location"),
        Some(format!("/shop/result?order={order}").as_str())
    );
}
