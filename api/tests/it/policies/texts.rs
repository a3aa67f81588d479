//! Texts to the phones of buyers: one an event, and none twice, also when the gateway or the worker fails.

use application::messages::{outbox, resend};
use application::policies::Policy;
use application::policies::order_mails::OrderMails;
use domain::ids::MessageId;
use domain::message::{Message, MessageCommand, MessageState};
use event_store::StreamId;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::console::seller;
use crate::support::dump::dump;
use crate::support::mail::MAILED;
use crate::support::shop::{id_of, order_form};
use crate::support::texts::TEXTED;
use crate::support::{TestApp, until};

const TO: &str = "01012345678";

/// A paid order of a new member.
async fn paid(shop: &TestApp) -> String {
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    order
}

async fn is_clean(shop: &TestApp) -> bool {
    shop.settled().await;
    verify(&shop.app.store, |_| {}).await.unwrap().is_clean()
}

async fn state_of(shop: &TestApp, id: MessageId) -> Message {
    let loaded = shop.app.store.load::<Message>(&id.to_string()).await;
    loaded.unwrap().state
}

#[tokio::test]
async fn a_buyer_is_told_by_text_and_by_mail() {
    let shop = TestApp::with(&[MAILED, TEXTED]).await;
    let sells = seller(&shop).await;
    let apples = shop.console_product(&sells, "APPLE-01").await;
    let hong = shop.sign_up("hong1234").await;
    let order = shop.paid_order(&hong, &apples).await;
    let placed = shop.text(TO, "주문 접수").await;
    let text = placed["text"].as_str().unwrap();
    for part in [
        "[장부상회] 주문 접수",
        &format!("주문번호: {}", order.order_no),
        "상품: 사과 한 상자",
        "결제 금액: $20.00",
        &format!("/mypage/orders-detail?order={}", order.id),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(
        (&placed["type"], &placed["from"]),
        (&"LMS".into(), &"0212345678".into())
    );
    shop.mail("hong@example.com", "주문이 완료되었습니다").await;
    // Nothing of it can be read in the log or a table.
    let stored = dump(shop.app.pool()).await;
    for secret in [TO, "010-1234-5678", "주문 접수\n"] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    let confirm = json!({ "orderStatus": "ORDER_CONFIRM" });
    shop.work(&sells, &order.purchase(), confirm)
        .await
        .expect(200);
    shop.ship(&sells, &order.purchase(), "123456789012")
        .await
        .expect(200);
    let shipped = shop.text(TO, "상품 발송").await;
    let text = shipped["text"].as_str().unwrap();
    assert!(text.contains("CJ대한통운 123456789012"), "{text}");
    assert!(text.contains("tracking.html?wblNo=123456789012"), "{text}");
    let other = shop.paid_order(&hong, &apples).await;
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", other.id);
    shop.post(&path, &cancel)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let refunded = shop.text(TO, "환불 완료").await;
    assert_eq!(refunded["type"], "SMS");
    assert!(is_clean(&shop).await);
}

#[tokio::test]
async fn a_guest_is_told_without_a_mail_address() {
    let shop = TestApp::with(&[MAILED, TEXTED]).await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let mut form = order_form(apples, 1);
    form["sender"].as_object_mut().unwrap().remove("email");
    let placed = shop
        .post("/api/v1/shop/orders", &form)
        .send()
        .await
        .expect(201);
    let token = placed.body["guestToken"].as_str().unwrap().to_owned();
    shop.pay(&token, &id_of(&placed)).await.expect(303);
    let text = shop.text(TO, "주문 접수").await;
    assert!(
        text["text"].as_str().unwrap().contains("/shop/lookup"),
        "{text}"
    );
    assert_eq!(shop.messages().await.len(), 1);
}

#[tokio::test]
async fn a_buyer_is_told_where_to_deposit_by_text() {
    let shop = TestApp::with(&[TEXTED]).await;
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
    let text = shop.text(TO, "입금 안내").await;
    let text = text["text"].as_str().unwrap();
    assert!(
        text.contains("입금 계좌: ") && text.contains("입금 기한: "),
        "{text}"
    );
}

/// However often the log is read, each event leads to one text.
#[tokio::test]
async fn an_event_that_is_read_again_is_told_by_one_text() {
    let shop = TestApp::with(&[MAILED, TEXTED]).await;
    let order = paid(&shop).await;
    shop.text(TO, "주문 접수").await;
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
        let sent = |(_, message): &(MessageId, Message)| message.state == MessageState::Sent;
        messages.iter().all(sent).then_some(())
    })
    .await;
    assert_eq!(shop.messages().await.len(), 2);
    assert_eq!(shop.texts(TO).await.len(), 1);
}

#[tokio::test]
async fn no_text_is_sent_while_they_are_off() {
    for settings in [
        &[MAILED][..],
        &[MAILED, TEXTED, ("JANGBU_SMS_ORDER_PLACED", "false")][..],
    ] {
        let shop = TestApp::with(settings).await;
        paid(&shop).await;
        shop.mail("hong@example.com", "주문이 완료되었습니다").await;
        shop.settled().await;
        assert_eq!(shop.messages().await.len(), 1);
        assert_eq!(shop.texts(TO).await, Vec::<Value>::new());
    }
}

/// The gateway takes the text and its answer is lost: it is asked before anything is sent again, and the text is there once.
#[tokio::test]
async fn after_an_unknown_outcome_the_gateway_is_asked() {
    for (fault, attempts) in [("dropAfter", 1), ("dropBefore", 2), ("errorAfter", 1)] {
        let shop = TestApp::with(&[TEXTED]).await;
        shop.fault(json!({ "call": "sendSms", "fault": fault, "times": 1 }))
            .await;
        paid(&shop).await;
        let id = shop.message_becomes(MessageState::Uncertain).await;
        assert_eq!(state_of(&shop, id).await.attempts, 1);
        // Before it is time, nothing is asked and nothing sent.
        outbox::deliver(&shop.app, id).await.unwrap();
        assert_eq!(state_of(&shop, id).await.state, MessageState::Uncertain);
        // A gateway that does not answer is asked again later.
        shop.fault(json!({ "call": "findSms", "fault": "errorBefore", "times": 1 }))
            .await;
        shop.advance(Duration::minutes(3));
        until("it is asked in vain", async || {
            let message = state_of(&shop, id).await;
            (message.asks == 2).then_some(())
        })
        .await;
        assert_eq!(state_of(&shop, id).await.attempts, 1);
        shop.advance(Duration::minutes(5));
        until("the gateway answers", async || {
            let state = state_of(&shop, id).await.state;
            (state != MessageState::Uncertain).then_some(())
        })
        .await;
        shop.advance(Duration::minutes(1));
        shop.message_becomes(MessageState::Sent).await;
        assert_eq!(state_of(&shop, id).await.attempts, attempts, "{fault}");
        assert_eq!(shop.texts(TO).await.len(), 1, "{fault}");
        assert!(is_clean(&shop).await, "{fault}");
    }
}

/// What a worker leaves that is killed between the gateway's yes and the outcome.
#[tokio::test]
async fn the_attempt_of_a_killed_worker_is_asked_for() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.fault(json!({ "call": "sendSms", "fault": "refuse", "code": "1030", "times": 1 }))
        .await;
    paid(&shop).await;
    let id = shop.message_becomes(MessageState::Deferred).await;
    shop.held_back(async {
        shop.advance(Duration::minutes(1));
        let command = TestApp::by_system("attempt-message");
        let attempt = MessageCommand::Attempt(None);
        let executor = &shop.app.executor;
        let done = executor.execute::<Message>(&command, id, attempt).await;
        done.unwrap();
    })
    .await;
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(state_of(&shop, id).await.state, MessageState::Sending);
    assert_eq!(shop.texts(TO).await, Vec::<Value>::new());
    shop.advance(Duration::minutes(5));
    until("the gateway does not have it", async || {
        let state = state_of(&shop, id).await.state;
        (state == MessageState::Deferred).then_some(())
    })
    .await;
    shop.advance(Duration::hours(1));
    shop.message_becomes(MessageState::Sent).await;
    assert_eq!(state_of(&shop, id).await.attempts, 3);
    assert_eq!(shop.texts(TO).await.len(), 1);
}

/// Staff who press 다시 보내기 while it is uncertain have the gateway asked, not a second text sent.
#[tokio::test]
async fn staff_do_not_send_a_text_twice() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.fault(json!({ "call": "sendSms", "fault": "dropAfter", "times": 1 }))
        .await;
    paid(&shop).await;
    let id = shop.message_becomes(MessageState::Uncertain).await;
    let again = TestApp::by_system("resend-message");
    resend(&shop.app, &again, id).await.unwrap();
    shop.message_becomes(MessageState::Sent).await;
    assert_eq!(shop.texts(TO).await.len(), 1);
}

#[tokio::test]
async fn a_number_that_takes_no_texts_is_stopped() {
    let shop = TestApp::with(&[TEXTED]).await;
    let staff = shop.console().await;
    shop.fault(json!({ "call": "sendSms", "fault": "refuse", "code": "1061", "times": 1 }))
        .await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = async || {
        let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
        shop.pay(&hong.token, &order).await.expect(303);
    };
    order().await;
    let bounced = shop.message_becomes(MessageState::Bounced).await;
    shop.settled().await;
    order().await;
    until("the second is given up", async || {
        let messages = shop.messages().await;
        let (_, last) = messages.into_iter().next_back()?;
        (last.state == MessageState::GivenUp && last.attempts == 0).then_some(())
    })
    .await;
    shop.settled().await;
    let list = shop.get("/api/console/messages?channel=SMS").as_(&staff);
    let list = list.send().await.expect(200).body;
    let seen = |place: usize| {
        let message = &list["messages"][place];
        json!([
            message["channel"],
            message["state"],
            message["reason"],
            message["code"]
        ])
    };
    assert_eq!(seen(0), json!(["SMS", "GIVEN_UP", "ADDRESS_STOPPED", null]));
    assert_eq!(seen(1), json!(["SMS", "BOUNCED", "ADDRESS", 1061]));
    let mails = shop.get("/api/console/messages?channel=MAIL").as_(&staff);
    assert_eq!(mails.send().await.expect(200).body["messages"], json!([]));
    // Mail is not stopped with it, and staff lift it.
    let info = shop.get("/api/v1/me/info").as_(&hong).send().await;
    assert_eq!(info.expect(200).body["user"]["emailStopped"], false);
    let path = format!("/api/console/messages/{bounced}/release");
    let memo = json!({ "memo": "회원에게 확인" });
    shop.post(&path, &memo).as_(&staff).send().await.expect(200);
    order().await;
    shop.text(TO, "주문 접수").await;
    assert!(is_clean(&shop).await);
}

/// With a template of the gateway in the record, AlimTalk is sent, with the text for who cannot get it.
#[tokio::test]
async fn a_record_with_a_talk_template_is_sent_as_alimtalk() {
    let shop = TestApp::with(&[TEXTED, ("JANGBU_SMS_TALK_PROFILE", "KA01PF1")]).await;
    let staff = shop.console().await;
    let records = "/api/console/message-templates";
    let text = json!({
        "name": "주문 알림톡", "template": "ORDER_PLACED_SMS", "subject": "주문 감사", "content": "{{orderNo}}",
        "talkTemplate": "KA01TP1", "enabled": true,
    });
    let mut mail = text.clone();
    mail["template"] = json!("ORDER_PLACED");
    let refused = shop
        .post(records, &mail)
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(refused.code(), "invalid");
    let mut strange = text.clone();
    strange["content"] = json!("{{orderNo}} 🍎");
    shop.post(records, &strange)
        .as_(&staff)
        .send()
        .await
        .expect(400);
    shop.post(records, &text)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    shop.settled().await;
    paid(&shop).await;
    let sent = shop.text(TO, "주문 감사").await;
    assert_eq!(sent["type"], "ATA");
    assert_eq!(sent["kakaoOptions"]["templateId"], "KA01TP1");
    let (_, message) = shop.messages().await.remove(0);
    assert_eq!(
        message.terms.unwrap().channel,
        domain::message::Channel::Talk
    );
    // A preview counts bytes, and staff try a text on their own phone.
    let trial =
        json!({ "template": "ORDER_PLACED_SMS", "subject": "주문 감사", "content": "{{orderNo}}" });
    let preview = shop
        .post("/api/console/message-texts/preview", &trial)
        .as_(&staff);
    let preview = preview.send().await.expect(200).body;
    assert_eq!(preview["sms"], json!({ "bytes": 38, "kind": "SMS" }));
    let test = shop
        .post("/api/console/message-texts/test", &trial)
        .as_(&staff);
    test.send().await.expect(201);
    until("the trial comes", async || {
        let texts = shop
            .get(&format!("{}/sandbox/texts", shop.sandbox))
            .send()
            .await;
        texts
            .expect(200)
            .body
            .to_string()
            .contains("[시험]")
            .then_some(())
    })
    .await;
    assert!(is_clean(&shop).await);
}
