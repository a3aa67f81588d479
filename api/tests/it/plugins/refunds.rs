//! Refunds: the money is refunded once, whatever the gateway answers.

use serde_json::json;

use crate::support::payments::{charge_behind_our_back, events, notice, shop_with_order, tell};
use crate::support::shop::id_of;
use crate::support::{TestApp, futures_of};

/// A charge in each of two windows, completed at the same time: either would pay the order.
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
        // The order comes from the log, its payments from the read model: the response combines them, but they are not read at the same
        // time.
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
async fn however_many_drive_a_refund_the_money_goes_back_once() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let (apples, pears) = (
        shop.product(seller, 1_000, 10).await,
        shop.product(seller, 1_000, 10).await,
    );
    let hong = shop.sign_up("hong1234").await;
    let mut form = crate::support::shop::order_form(apples, 1);
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
