//! Texts of messages: records that are checked when they are saved, previewed, tried by mail, and used while they are in use.

use domain::message::{MessageState, Template};
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::mail::MAILED;
use crate::support::shop::id_of;

const RECORDS: &str = "/api/console/message-templates";
const TEXTS: &str = "/api/console/message-texts";
const TO: &str = "hong@example.com";
const STAFF: &str = "staff@example.com";

fn placed(subject: &str, content: &str) -> Value {
    json!({ "name": "주문 문구", "template": "ORDER_PLACED", "subject": subject, "content": content, "enabled": true })
}

#[tokio::test]
async fn a_mail_is_written_from_the_record_in_use_and_says_which() {
    let shop = TestApp::with(&[MAILED]).await;
    let staff = shop.console().await;
    let text = placed(
        "{{orderNo}} 주문 감사",
        "{{greeting}}\n맞춤 문구\n번호: {{orderNo}}\n없는 값 {{amount}}",
    );
    let made = shop
        .post(RECORDS, &text)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let id = made.body["template"]["_id"].as_str().unwrap().to_owned();
    let path = format!("{RECORDS}/{id}");
    let mut revised = placed(
        "주문 {{orderNo}} 감사",
        "{{greeting}}\n맞춤 문구\n번호: {{orderNo}}",
    );
    revised["version"] = json!(1);
    shop.put(&path, &revised)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    let twice = shop.post(RECORDS, &text).as_(&staff).send().await;
    assert_eq!(twice.expect(409).code(), "code_taken");
    shop.settled().await;

    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = shop.order(&hong, apples, 1).await.expect(201);
    let no = order.body["order"]["orderNo"].as_str().unwrap().to_owned();
    shop.pay(&hong.token, &id_of(&order)).await.expect(303);
    shop.message_becomes(MessageState::Sent).await;
    let mail = shop.mail(TO, "감사").await;
    assert_eq!(mail["subject"], format!("[장부상회] 주문 {no} 감사"));
    let body = mail["text"].as_str().unwrap();
    assert!(
        body.contains("맞춤 문구") && body.contains(&format!("번호: {no}")),
        "{body}"
    );
    shop.settled().await;
    let list = shop.get("/api/console/messages").as_(&staff).send().await;
    let list = list.expect(200).body;
    assert_eq!(
        list["messages"][0]["text"],
        json!({ "_template": id, "version": 2 })
    );

    // Switched off, the built-in text is used again.
    let mut off = revised.clone();
    off["version"] = json!(2);
    off["enabled"] = json!(false);
    shop.put(&path, &off).as_(&staff).send().await.expect(200);
    shop.settled().await;
    let order = shop.order(&hong, apples, 1).await.expect(201);
    shop.pay(&hong.token, &id_of(&order)).await.expect(303);
    shop.mail(TO, "주문이 완료되었습니다").await;
    shop.settled().await;
    let list = shop.get("/api/console/messages").as_(&staff).send().await;
    assert_eq!(list.expect(200).body["messages"][0]["text"], Value::Null);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean());
}

#[tokio::test]
async fn what_cannot_be_sent_is_neither_saved_nor_previewed_nor_tried() {
    let shop = TestApp::with(&[MAILED]).await;
    let staff = shop.console().await;
    for (subject, content, field, code) in [
        (
            "주문",
            "{{orderNo}} {{password}}",
            "content",
            "unknown_variable",
        ),
        (
            "주문 {{secret}}",
            "{{orderNo}}",
            "subject",
            "unknown_variable",
        ),
        ("주문", "감사합니다", "content", "missing_variable"),
        (
            "주문\r\nBcc: everyone@example.com",
            "{{orderNo}}",
            "subject",
            "line_break",
        ),
        ("주문", "{{orderNo", "content", "broken_variable"),
        (
            "주문 {{orderLink}}",
            "{{orderNo}}",
            "subject",
            "not_in_subject",
        ),
    ] {
        let body = placed(subject, content);
        for path in [
            RECORDS.to_owned(),
            format!("{TEXTS}/preview"),
            format!("{TEXTS}/test"),
        ] {
            let refused = shop.post(&path, &body).as_(&staff).send().await.expect(400);
            assert_eq!(refused.code(), "invalid", "{path} {body}");
            let errors = refused.body["error"]["fields"].as_array().unwrap();
            let found = errors
                .iter()
                .find(|one| one["field"] == field && one["code"] == code);
            assert!(found.is_some(), "{path} {body}: {errors:?}");
        }
    }
    let test = json!({ "name": "시험 문구", "template": "TEMPLATE_TEST", "subject": "시험", "content": "시험입니다" });
    shop.post(RECORDS, &test)
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(shop.messages().await.len(), 0);
    assert_eq!(shop.mails(STAFF).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_text_is_previewed_and_tried_by_the_outbox() {
    let shop = TestApp::with(&[MAILED]).await;
    let staff = shop.console().await;
    let texts = shop.get(TEXTS).as_(&staff).send().await.expect(200).body;
    let texts = texts["texts"].as_array().unwrap();
    assert_eq!(
        texts.len(),
        Template::ALL.len() - 2,
        "all but the two trials"
    );
    for text in texts {
        let built_in = json!({
            "template": text["template"], "subject": text["builtIn"]["subject"], "content": text["builtIn"]["content"],
        });
        let shown = shop
            .post(&format!("{TEXTS}/preview"), &built_in)
            .as_(&staff)
            .send()
            .await;
        let shown = shown.expect(200).body;
        assert!(!shown["text"].as_str().unwrap().contains("{{"), "{shown}");
    }
    let body = placed(
        "<b>주문</b> {{orderNo}}",
        "상품: {{items}}\n<i>번호</i> {{orderNo}}",
    );
    let sent = shop
        .post(&format!("{TEXTS}/test"), &body)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let id = shop.message_becomes(MessageState::Sent).await;
    assert_eq!(sent.body["_message"], id.to_string());
    let mail = shop.mail(STAFF, "[시험]").await;
    assert!(
        mail["text"]
            .as_str()
            .unwrap()
            .contains("상품: 사과 3kg 외 1건"),
        "{mail}"
    );
    assert!(
        !mail["html"].as_str().unwrap_or_default().contains("<i>"),
        "{mail}"
    );
    // Members and sellers have none of it.
    let hong = shop.sign_up("hong1234").await;
    for path in [format!("{TEXTS}/preview"), format!("{TEXTS}/test")] {
        let refused = shop.post(&path, &body).as_(&hong).send().await;
        assert_eq!(refused.expect(403).code(), "access_denied");
    }
}
