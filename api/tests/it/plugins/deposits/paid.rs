//! Paid accounts: in time and once, with any number of notices.

use axum::http::Method;
use serde_json::{Value, json};
use time::Duration;

use crate::plugins::deposits::{Deposits, HOLDER, PRICE, form};
use crate::support::futures_of;
use crate::support::payments::{notice, tell};

#[tokio::test]
async fn a_deposit_pays_its_order_once_however_often_it_is_told() {
    let here = Deposits::open().await.with_notices().await;
    let shop = &here.shop;
    let mut bare = form(here.apples);
    bare["account"] = json!({ "code": "999", "accountNumber": "1" });
    let refused = shop
        .post("/api/v1/shop/orders", &bare)
        .as_(&here.hong)
        .send()
        .await
        .expect(400);
    let fields = refused.body["error"]["fields"].as_array().unwrap();
    let named: Vec<&str> = fields
        .iter()
        .map(|f| f["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        named,
        [
            "account.code",
            "account.accountNumber",
            "account.accountHolder"
        ]
    );

    let (order, tid) = here.order().await;
    let seen = here.waiting(&order).await;
    assert_eq!(seen["status"], "ORDER_NONPAYMENT");
    assert_eq!(seen["depositor"], "홍길동");
    let payment = &seen["payments"][0];
    assert_eq!(payment["awaitsDeposit"], true, "{payment}");
    assert_eq!(payment["account"]["bankName"], "신한은행");
    assert!(!payment["account"]["number"].as_str().unwrap().is_empty());
    let placed: String = seen["createdAt"].as_str().unwrap().to_owned();
    let pay_by: String = seen["payBy"].as_str().unwrap().to_owned();
    let day = |text: &str| {
        time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).unwrap()
    };
    let waits = day(&pay_by) - day(&placed);
    assert!(
        waits > Duration::hours(71) && waits <= Duration::hours(73),
        "{waits}"
    );
    // Personal data is sealed.
    let log: Vec<String> = sqlx::query_scalar("SELECT payload::text FROM events")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    assert!(
        !log.iter()
            .any(|payload| payload.contains(HOLDER) || payload.contains("110123456789"))
    );
    // The same window again would be a second account.
    let again = shop
        .post(
            "/api/plugins/nicepayments/generate/order",
            &json!({ "_order": order }),
        )
        .as_(&here.hong)
        .send()
        .await
        .expect(409);
    assert_eq!(again.body["error"]["details"]["reason"], "deposit_awaited");

    let other = here
        .sandbox("deposit", &json!({ "tid": tid, "amount": 1 }))
        .await
        .expect(409);
    assert_eq!(other.body["resultCode"], "4122");
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    here.until(&order, "the deposit was not told", |order| {
        order["status"] == "ORDER_PAYMENT"
    })
    .await;
    let told = notice(shop, &tid).await;
    for reply in futures_of(3, |_| tell(shop, &told)).await {
        assert_eq!(reply.status, 200);
    }
    assert_eq!(
        (
            here.count("DepositReceived").await,
            here.count("OrderPaid").await,
            here.count("NoticeDoubted").await
        ),
        (1, 1, 0)
    );
    assert_eq!(shop.charges().await["balance"], PRICE);

    // Refused once, the refund is sent to another account.
    shop.fault(json!({ "call": "cancel", "fault": "refuse", "code": "2003", "times": 1 }))
        .await;
    here.cancel(&order).await;
    here.until(&order, "the refund was not refused", |order| {
        order["payments"][0]["needsRefundAccount"] == true
    })
    .await;
    let account = json!({
        "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" },
        "currentPassword": here.hong.password,
    });
    shop.put(
        &format!("/api/v1/me/orders/{order}/refundAccount"),
        &account,
    )
    .as_(&here.hong)
    .send()
    .await
    .expect(200);
    here.until(&order, "the refund never came", |order| {
        order["status"] == "ORDER_CANCELED" && order["payments"][0]["refunded"] == PRICE
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
    here.in_order().await;
}

#[tokio::test]
async fn three_notices_of_one_deposit_at_once_pay_once() {
    let here = Deposits::open().await;
    let (order, tid) = here.order().await;
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    let told = notice(&here.shop, &tid).await;
    let replies = futures_of(3, |_| tell(&here.shop, &told)).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(here.seen(&order).await["status"], "ORDER_PAYMENT");
    assert_eq!(
        (
            here.count("DepositReceived").await,
            here.count("OrderPaid").await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_genuine_notice_of_a_deposit_pays_no_other_order() {
    let here = Deposits::open().await;
    let shop = &here.shop;
    let (first, tid) = here.order().await;
    let (second, other) = here.order().await;
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    let genuine = notice(shop, &tid).await;
    let called: Value = serde_json::from_str(&notice(shop, &other).await).unwrap();
    let mut swapped: Value = serde_json::from_str(&genuine).unwrap();
    swapped["orderId"] = called["orderId"].clone();
    for _ in 0..2 {
        tell(shop, &swapped.to_string()).await.expect(200);
    }
    assert_eq!(here.seen(&second).await["status"], "ORDER_NONPAYMENT");
    assert_eq!(here.count("DepositReceived").await, 0);
    assert_eq!(here.count("NoticeDoubted").await, 1);
    tell(shop, &genuine).await.expect(200);
    assert_eq!(here.seen(&first).await["status"], "ORDER_PAYMENT");
    assert_eq!(here.seen(&second).await["status"], "ORDER_NONPAYMENT");
    assert_eq!(shop.charges().await["balance"], PRICE);
    here.in_order().await;
}

#[tokio::test]
async fn a_notice_nobody_can_confirm_settles_nothing_and_is_told() {
    use integrations::payment::sign::{SecretKey, sign_answer};
    let here = Deposits::open().await;
    let shop = &here.shop;
    let (order, tid) = here.order().await;
    let ready = notice(shop, &tid).await;
    let secret = SecretKey::new(shop.app.settings.payment.secret_key.clone());
    let signed = |amount: i64, tid: &str| {
        let mut told: Value = serde_json::from_str(&ready).unwrap();
        told["status"] = json!("paid");
        told["tid"] = json!(tid);
        told["amount"] = json!(amount);
        told["balanceAmt"] = json!(amount);
        let date = told["ediDate"].as_str().unwrap().to_owned();
        told["signature"] = json!(sign_answer(&secret, tid, amount, &date));
        told.to_string()
    };
    // The signature covers neither the status nor the account, so a notice of the issue can be changed to one of a deposit.
    for (told, doubts) in [
        (signed(PRICE, &tid), 1),
        (signed(PRICE, &tid), 1),
        (signed(1, &tid), 2),
        (signed(PRICE, "SBX-of-somebody"), 3),
    ] {
        tell(shop, &told).await.expect(200);
        assert_eq!(here.count("NoticeDoubted").await, doubts);
    }
    let mut forged: Value = serde_json::from_str(&signed(PRICE, &tid)).unwrap();
    forged["signature"] = json!("0".repeat(64));
    tell(shop, &forged.to_string()).await.expect(403);
    assert_eq!(here.seen(&order).await["status"], "ORDER_NONPAYMENT");
    assert_eq!(here.count("DepositReceived").await, 0);

    // A bank that accepts another amount: it is received anyway, and refunded.
    let less = json!({ "tid": tid, "amount": 700, "careless": true });
    here.sandbox("deposit", &less).await.expect(200);
    let told = notice(shop, &tid).await;
    tell(shop, &told).await.expect(200);
    here.given_back(&order, 700).await;
    let seen = here.seen(&order).await;
    assert_eq!(seen["status"], "ORDER_NONPAYMENT");
    assert_eq!(seen["payments"][0]["status"], "PAYMENT_CANCELED");
    here.in_order().await;

    // And the order can still be paid by another method.
    let card = json!({ "_order": order, "method": "card" });
    let window = shop
        .post("/api/plugins/nicepayments/generate/order", &card)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    let form = shop.authenticate(&window.body["payment"]).await;
    shop.come_back(&form).await.expect(303);
    assert_eq!(here.seen(&order).await["status"], "ORDER_PAYMENT");
    here.in_order().await;
}

#[tokio::test]
async fn a_deposit_whose_notice_is_lost_is_found() {
    // Before a cancellation, at the deadline, and at every query.
    let mut here = Deposits::open().await;
    let (canceled, tid) = here.order().await;
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    here.cancel(&canceled).await;
    here.given_back(&canceled, PRICE).await;

    let (asked, tid) = here.order().await;
    let (waiting, last) = here.order().await;
    for tid in [tid, last] {
        here.sandbox("deposit", &json!({ "tid": tid }))
            .await
            .expect(200);
    }
    let found = here
        .shop
        .post(&format!("/api/v1/shop/orders/{asked}/process"), &json!({}))
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    assert_eq!(found.body["order"]["status"], "ORDER_PAYMENT");
    here.shop.advance(Duration::hours(73));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    here.until(
        &waiting,
        "paid in time, canceled by the deadline",
        |order| order["status"] == "ORDER_PAYMENT",
    )
    .await;
    here.in_order().await;
}

#[tokio::test]
async fn an_account_whose_answer_never_came_is_found_and_another_way_to_pay_closes_it() {
    let here = Deposits::open().await;
    here.shop
        .fault(json!({ "call": "approve", "fault": "timeoutAfter", "times": 1 }))
        .await;
    let (order, tid) = here.order().await;
    here.waiting(&order).await;
    assert_eq!(here.count("VirtualAccountIssued").await, 1);

    let card = json!({ "_order": order, "method": "card" });
    let window = here
        .shop
        .post("/api/plugins/nicepayments/generate/order", &card)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    let form = here.shop.authenticate(&window.body["payment"]).await;
    here.shop.come_back(&form).await.expect(303);
    here.until(&order, "paid by the second attempt", |order| {
        order["status"] == "ORDER_PAYMENT" && order["payments"].as_array().unwrap().len() == 2
    })
    .await;
    here.until_event("VirtualAccountClosed").await;
    let closed = here
        .sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(409);
    assert_eq!(closed.body["resultCode"], "4123");
    // Only the buyer and staff can set the refund account.
    let stranger = here.shop.sign_up("kim12345").await;
    let account = json!({ "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "김도둑" } });
    here.shop
        .ask(
            Method::PUT,
            &format!("/api/v1/me/orders/{order}/refundAccount"),
        )
        .json(&account)
        .as_(&stranger)
        .send()
        .await
        .expect(404);
    here.in_order().await;
}
