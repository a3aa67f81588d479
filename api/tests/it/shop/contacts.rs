//! Contacts: what guests and members write to the shop, the answer by mail, and when they are erased.

use domain::Purpose;
use serde_json::{Value, json};
use time::Duration;

use crate::support::dump::dump;
use crate::support::reviews::{declared, read};
use crate::support::{Account, Reply, TestApp, until};

const CONTACTS: &str = "/api/v1/center/contacts";
const CONSOLE: &str = "/api/console/center/contacts";
const TO: &str = "kim@example.com";

fn form() -> Value {
    json!({
        "category": "SELLING", "name": "김입점", "company": "입점상회", "email": TO, "phone": "010-9876-5432",
        "subject": "입점 절차를 여쭙니다", "content": "수수료가 얼마인가요?\n답을 기다립니다.", "agreed": true,
    })
}

async fn sent(shop: &TestApp, who: Option<&Account>) -> String {
    let call = shop.post(CONTACTS, &form());
    let call = match who {
        Some(who) => call.as_(who),
        None => call,
    };
    let made = call.send().await.expect(201);
    made.body["_id"].as_str().unwrap().to_owned()
}

async fn seen(shop: &TestApp, staff: &Account, id: &str) -> Value {
    let reply = read(shop, &format!("{CONSOLE}/{id}"), Some(staff)).await;
    reply.expect(200).body["contact"].clone()
}

async fn answer(shop: &TestApp, staff: &Account, id: &str, reply: &str) -> Reply {
    let version = seen(shop, staff, id).await["version"].clone();
    let body = json!({ "version": version, "reply": reply });
    let call = shop.put(&format!("{CONSOLE}/{id}"), &body).as_(staff);
    call.send().await
}

async fn has_key(shop: &TestApp, id: &str) -> bool {
    let sql = "SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NOT NULL";
    let count: i64 = sqlx::query_scalar(sql)
        .bind(id)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    count > 0
}

#[tokio::test]
async fn a_guest_writes_staff_answer_and_the_answer_comes_by_mail_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let id = sent(&shop, None).await;
    let contact = seen(&shop, &staff, &id).await;
    assert_eq!(contact["phone"], "01098765432");
    assert_eq!(contact["state"], "ANSWER_AWAITING");
    assert_eq!(contact["_user"], Value::Null);
    declared("contact", &contact);
    // Only the answer can be written.
    let forged = json!({ "version": contact["version"], "answer": "x", "state": "ANSWER_COMPLETE", "details": null });
    let path = format!("{CONSOLE}/{id}");
    let refused = shop.put(&path, &forged).as_(&staff).send().await;
    assert_eq!(refused.expect(400).complaint(), ("details", "read_only"));
    for who in [None, Some(&seller)] {
        let status = if who.is_some() { 403 } else { 401 };
        for place in [CONSOLE, &path, &format!("{path}/history")] {
            let reply = read(&shop, place, who).await.expect(status);
            assert!(!reply.text.contains("김입점"), "{}", reply.text);
        }
    }

    let reply = "수수료는 상품에 따라 다릅니다.\n담당자가 연락드립니다.";
    let done = answer(&shop, &staff, &id, reply).await.expect(200);
    assert_eq!(done.body["contact"]["state"], "ANSWER_COMPLETE");
    let mail = shop.mail(TO, "문의에 답변드립니다").await;
    let text = mail["text"].as_str().unwrap();
    for part in [
        "김입점님, 안녕하세요.",
        "수수료는 상품에 따라 다릅니다.\n\n담당자가 연락드립니다.",
        "남기신 문의: 입점 절차를 여쭙니다",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Sent back as it was shown: no second mail. A corrected answer is sent, too.
    let back = shop.put(&path, &done.body["contact"]).as_(&staff);
    assert_eq!(back.send().await.expect(200).body, done.body);
    answer(&shop, &staff, &id, "수수료는 8%입니다.")
        .await
        .expect(200);
    until("the corrected answer", async || {
        (shop.mails(TO).await.len() == 2).then_some(())
    })
    .await;
    let stored = dump(shop.app.pool()).await;
    for secret in ["김입점", "입점상회", TO, "01098765432", "수수료"] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    let story = read(&shop, &format!("{path}/history"), Some(&staff)).await;
    assert!(!story.expect(200).text.contains("\"sealed\""));

    // Removed by staff: nothing of it can be read again.
    shop.delete(&path).as_(&staff).send().await.expect(200);
    until("the key is destroyed", async || {
        (!has_key(&shop, &id).await).then_some(())
    })
    .await;
    shop.app.keys.forget_cached();
    let restored = shop.post(&format!("{path}/restore"), &json!({ "version": 1 }));
    restored.as_(&staff).send().await.expect(200);
    let erased = seen(&shop, &staff, &id).await;
    for field in ["name", "email", "phone", "subject", "content", "reply"] {
        assert_eq!(erased[field], Value::Null, "{field}");
    }
    let report = projections::verify::verify(&shop.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_and_nothing_is_written() {
    let shop = TestApp::start().await;
    let head = "SELECT count(*) FROM events WHERE aggregate_type = 'contact'";
    for (field, value, code) in [
        ("name", json!("김"), "name"),
        ("email", json!("kim"), "email"),
        ("phone", json!("123"), "phone"),
        ("subject", json!(" "), "subject"),
        ("content", json!("가".repeat(2_001)), "too_long"),
        ("company", json!("가"), "companyName"),
        ("agreed", json!(false), "required"),
    ] {
        let mut wrong = form();
        wrong[field] = value;
        let refused = shop.post(CONTACTS, &wrong).send().await.expect(400);
        assert_eq!(refused.complaint(), (field, code));
    }
    let mut silent = form();
    silent["email"] = json!("");
    silent["phone"] = json!(" ");
    let refused = shop.post(CONTACTS, &silent).send().await.expect(400);
    assert_eq!(refused.complaint(), ("email", "required"));
    let mut moon = form();
    moon["category"] = json!("MOON");
    shop.post(CONTACTS, &moon).send().await.expect(400);
    let written: i64 = sqlx::query_scalar(head)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(written, 0);
}

#[tokio::test]
async fn an_address_that_writes_too_much_has_to_wait() {
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_SUBMISSIONS_PER_HOUR", "1"),
        ("JANGBU_LIMITS_SUBMISSIONS_BURST", "2"),
    ])
    .await;
    // What is refused for its fields does not count.
    let mut wrong = form();
    wrong["name"] = json!("");
    for _ in 0..3 {
        shop.post(CONTACTS, &wrong).send().await.expect(400);
    }
    sent(&shop, None).await;
    sent(&shop, None).await;
    let late = shop.post(CONTACTS, &form()).send().await.expect(429);
    assert_eq!(late.code(), "too_many_requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_is_erased_after_three_years_or_with_its_member() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let of_guest = sent(&shop, None).await;
    let of_member = sent(&shop, Some(&hong)).await;
    assert_eq!(seen(&shop, &staff, &of_member).await["_user"], hong.id);
    answer(&shop, &staff, &of_member, "연락드리겠습니다.")
        .await
        .expect(200);
    let leave = json!({ "password": hong.password });
    let left = shop.post("/api/v1/me/withdraw", &leave).as_(&hong);
    left.send().await.expect(200);
    until("the member's contact is erased", async || {
        (!has_key(&shop, &of_member).await).then_some(())
    })
    .await;
    shop.app.keys.forget_cached();
    assert_eq!(seen(&shop, &staff, &of_member).await["reply"], Value::Null);
    assert_eq!(
        seen(&shop, &staff, &of_guest).await["name"],
        "김입점",
        "others stay"
    );
    let forgotten = api::backup::forgotten(&shop.app.store).await.unwrap();
    let id = of_member.parse().unwrap();
    assert!(forgotten.contains(&(id, Purpose::Statutory)));

    shop.until_counted("SELECT count(*) FROM deadlines WHERE id = $1", &of_guest)
        .await;
    shop.advance(Duration::days(3 * 365));
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert!(has_key(&shop, &of_guest).await);
    shop.advance(Duration::days(2));
    shop.until_counted(
        "SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'ContactRemoved'",
        &of_guest,
    )
    .await;
    until("the guest's contact is erased", async || {
        (!has_key(&shop, &of_guest).await).then_some(())
    })
    .await;
    let report = projections::verify::verify(&shop.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}
