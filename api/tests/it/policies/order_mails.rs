//! Mail to buyers, members and guests, about their orders: one mail an event.

use application::policies::Policy;
use application::policies::order_mails::OrderMails;
use event_store::StreamId;
use serde_json::{Value, json};

use crate::support::console::seller;
use crate::support::dump::dump;
use crate::support::mail::MAILED;
use crate::support::shop::{id_of, order_form};
use crate::support::{TestApp, until};

const TO: &str = "hong@example.com";

fn text(mail: &Value) -> &str {
    mail["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_member_is_told_of_the_order_the_parcel_and_the_refund() {
    let shop = TestApp::with(&[MAILED]).await;
    let sells = seller(&shop).await;
    let apples = shop.console_product(&sells, "APPLE-01").await;
    let hong = shop.sign_up("hong1234").await;
    let order = shop.paid_order(&hong, &apples).await;
    let mail = shop.mail(TO, "주문이 완료되었습니다").await;
    for part in [
        "홍길동님, 안녕하세요.",
        &format!("주문번호: {}", order.order_no),
        "상품: 사과 한 상자",
        "결제 금액: $20.00",
        &format!("/mypage/orders-detail?order={}", order.id),
    ] {
        assert!(text(&mail).contains(part), "{part}: {}", text(&mail));
    }
    assert!(!text(&mail).contains("비회원"));
    // Nothing of it can be read in the log or a table.
    let stored = dump(shop.app.pool()).await;
    for secret in [TO, "주문해 주셔서 감사합니다"] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    shop.work(
        &sells,
        &order.purchase(),
        json!({ "orderStatus": "ORDER_CONFIRM" }),
    )
    .await
    .expect(200);
    shop.ship(&sells, &order.purchase(), "123456789012")
        .await
        .expect(200);
    let mail = shop.mail(TO, "발송").await;
    for part in [
        "택배사: CJ대한통운",
        "송장 번호: 123456789012",
        "https://trace.cjlogistics.com/next/tracking.html?wblNo=123456789012",
    ] {
        assert!(text(&mail).contains(part), "{part}: {}", text(&mail));
    }
    let other = shop.paid_order(&hong, &apples).await;
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", other.id);
    shop.post(&path, &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let mail = shop.mail(TO, "환불").await;
    assert!(text(&mail).contains("환불 금액: $20.00"), "{}", text(&mail));
    assert!(text(&mail).contains(&other.order_no));
}

#[tokio::test]
async fn a_guest_is_told_how_to_find_the_order() {
    let shop = TestApp::with(&[MAILED]).await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let form = order_form(apples, 1);
    let placed = shop
        .post("/api/v1/shop/orders", &form)
        .send()
        .await
        .expect(201);
    let token = placed.body["guestToken"].as_str().unwrap().to_owned();
    shop.pay(&token, &id_of(&placed)).await.expect(303);
    let mail = shop.mail(TO, "주문이 완료되었습니다").await;
    let number = placed.body["order"]["orderNo"].as_str().unwrap();
    assert!(text(&mail).contains(number));
    assert!(text(&mail).contains("/shop/lookup"), "{}", text(&mail));
    // By what the mail says the order is found.
    let found = json!({ "orderNo": number, "phone": "010-1234-5678" });
    shop.post("/api/v1/shop/orders/lookup", &found)
        .send()
        .await
        .expect(200);
}

#[tokio::test]
async fn a_buyer_is_told_where_to_deposit() {
    let shop = TestApp::with(&[MAILED]).await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let mut form = order_form(apples, 1);
    form["paymentMethod"] = json!("vbank");
    form["account"] =
        json!({ "code": "088", "accountNumber": "110-123-456789", "accountHolder": "홍길동" });
    let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
    let order = id_of(&placed.send().await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    let mail = shop.mail(TO, "입금을 기다리고 있습니다").await;
    for part in ["입금 계좌: ", "입금 기한: ", "결제 금액: $"] {
        assert!(text(&mail).contains(part), "{part}: {}", text(&mail));
    }
    assert_eq!(shop.mails(TO).await.len(), 1);
}

/// However often the log is read, each event leads to one mail.
#[tokio::test]
async fn an_event_that_is_read_again_is_told_once() {
    let shop = TestApp::with(&[MAILED]).await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    shop.mail(TO, "주문이 완료되었습니다").await;
    let stream = StreamId::of::<domain::order::Order>(&order);
    let events = shop.app.store.read_stream(&stream).await.unwrap();
    let events = &events;
    let again = (0..4).map(|_| async {
        for event in events {
            OrderMails.react(&shop.app, event).await.unwrap();
        }
    });
    futures::future::join_all(again).await;
    shop.settled().await;
    until("all are sent", async || {
        let messages = shop.messages().await;
        let sent = domain::message::MessageState::Sent;
        messages
            .iter()
            .all(|(_, message)| message.state == sent)
            .then_some(())
    })
    .await;
    assert_eq!(shop.messages().await.len(), 1);
    assert_eq!(shop.mails(TO).await.len(), 1);
}
