//! Closed accounts, and late deposits to them.

use api::audit::forget;
use integrations::payment::{CancelRequest, Outcome};
use serde_json::json;
use time::Duration;

use crate::plugins::deposits::{Deposits, PRICE, form};
use crate::support::futures_of;
use crate::support::payments::{notice, tell};
use crate::support::shop::id_of;

#[tokio::test]
async fn an_unpaid_account_gives_everything_back_and_what_comes_later_goes_back() {
    let mut here = Deposits::open().await;
    let (order, tid) = here.order().await;
    assert_eq!(here.shop.left(here.apples).await, 9);
    here.shop.advance(Duration::hours(71));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(here.seen(&order).await["status"], "ORDER_NONPAYMENT");
    here.shop.advance(Duration::hours(2));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    here.until(&order, "the order waits for ever", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    assert_eq!(here.shop.left(here.apples).await, 10);
    here.until(&order, "the account stays open", |order| {
        order["payments"][0]["status"] == "PAYMENT_CANCELED"
    })
    .await;
    here.until_event("VirtualAccountClosed").await;
    let closed = here
        .sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(409);
    assert_eq!(closed.body["resultCode"], "4123");

    let late = json!({ "tid": tid, "careless": true });
    here.sandbox("deposit", &late).await.expect(200);
    let told = notice(&here.shop, &tid).await;
    for reply in futures_of(3, |_| tell(&here.shop, &told)).await {
        assert_eq!(reply.status, 200);
    }
    here.given_back(&order, PRICE).await;
    assert_eq!(here.shop.left(here.apples).await, 10);
    here.in_order().await;
}

#[tokio::test]
async fn who_turns_to_a_card_keeps_the_time_of_the_account() {
    let mut here = Deposits::open().await;
    let (order, tid) = here.order().await;
    let promised = here.says(&order, "입금대기").await["payBy"].clone();
    // The hour that an order has without an account is over.
    here.later(Duration::hours(5)).await;
    here.generate(&order, "card").await;
    let seen = here.says(&order, "결제대기").await;
    assert_eq!(
        (&seen["payBy"], here.count("DepositWaitEnded").await),
        (&promised, 1)
    );
    here.until_event("VirtualAccountClosed").await;
    assert_eq!(here.count("DepositWaitEnded").await, 1);

    here.later(Duration::hours(66)).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(here.seen(&order).await["statusText"], "결제대기");
    assert_eq!(here.shop.left(here.apples).await, 9);
    here.later(Duration::hours(2)).await;
    here.until(&order, "the order waits for ever", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    assert_eq!(here.shop.left(here.apples).await, 10);

    let late = json!({ "tid": tid, "careless": true });
    here.sandbox("deposit", &late).await.expect(200);
    let told = notice(&here.shop, &tid).await;
    tell(&here.shop, &told).await.expect(200);
    here.given_back(&order, PRICE).await;
    here.in_order().await;
}

#[tokio::test]
async fn an_account_closed_in_any_way_is_not_waited_for() {
    let here = Deposits::open().await;
    let shop = &here.shop;
    // Closed by the buyer.
    let (given_up, _) = here.order().await;
    let payment = here.waiting(&given_up).await["payments"][0]["_id"].clone();
    let why = json!({ "_payment": payment, "reason": "다른 방법" });
    shop.post("/api/plugins/nicepayments/cancel", &why)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    here.says(&given_up, "결제대기").await;
    // Closed at the gateway.
    let (closed, tid) = here.order().await;
    let outcome = shop
        .app
        .gateway
        .cancel(&CancelRequest {
            tid,
            order_id: closed.clone(),
            amount: None,
            reason: "은행".to_owned(),
            refund_account: None,
        })
        .await;
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
    shop.post(&format!("/api/v1/shop/orders/{closed}/process"), &json!({}))
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    here.says(&closed, "결제대기").await;
    // Closed by a deposit of another amount, which is refunded.
    let (spent, tid) = here.order().await;
    let less = json!({ "tid": tid, "amount": 700, "careless": true });
    here.sandbox("deposit", &less).await.expect(200);
    let told = notice(shop, &tid).await;
    tell(shop, &told).await.expect(200);
    here.given_back(&spent, 700).await;
    here.says(&spent, "결제대기").await;
    assert_eq!(here.count("DepositWaitEnded").await, 3);
    here.in_order().await;
}

#[tokio::test]
async fn the_end_of_an_account_given_up_ends_no_wait_for_the_next_one() {
    let here = Deposits::open().await;
    let (order, _) = here.order().await;
    here.shop
        .held_back(async {
            here.generate(&order, "card").await;
            let window = here.generate(&order, "vbank").await;
            let form = here.shop.authenticate(&window).await;
            here.shop.come_back(&form).await.expect(303);
            assert_eq!(here.count("VirtualAccountClosed").await, 0);
        })
        .await;
    here.until_event("VirtualAccountClosed").await;
    here.shop.settled().await;
    assert_eq!(here.seen(&order).await["statusText"], "입금대기");
    assert_eq!(here.count("DepositWaitEnded").await, 1);
    here.in_order().await;
}

#[tokio::test]
async fn a_late_deposit_keeps_who_a_guest_was_for_as_long_as_it_has_to() {
    let here = Deposits::open().await;
    let shop = &here.shop;
    let placed = shop.post("/api/v1/shop/orders", &form(here.apples));
    let placed = placed.send().await.expect(201);
    let (order, token) = (id_of(&placed), placed.body["guestToken"].as_str().unwrap());
    shop.pay(token, &order).await.expect(303);
    let tid = here.tid(&order).await;
    shop.advance(Duration::hours(73));
    here.until_event("VirtualAccountClosed").await;
    here.is_kept_for_longer(&tid, "GuestRecordsErased").await;
}

#[tokio::test]
async fn a_late_deposit_keeps_who_a_member_was_who_left_for_as_long_as_it_has_to() {
    let here = Deposits::open().await;
    let (_, tid) = here.order().await;
    here.shop.advance(Duration::hours(73));
    here.until_event("VirtualAccountClosed").await;
    forget::run(&here.shop.app, &here.hong.username)
        .await
        .unwrap();
    here.is_kept_for_longer(&tid, "StatutoryDataErased").await;
}
