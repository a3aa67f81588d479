//! The customer centre: what anybody reads there, and questions of members.

use serde_json::{Value, json};

use crate::support::pictures::{giving, picture_bytes};
use crate::support::reviews::{declared, read};
use crate::support::window::{made, put_up, seen};
use crate::support::{Account, TestApp, until};

const QUESTIONS: &str = "/api/v1/center/questions";

fn names<'a>(list: &'a Value, many: &str, field: &str) -> Vec<&'a str> {
    let rows = list[many].as_array().unwrap().iter();
    rows.map(|row| row[field].as_str().unwrap()).collect()
}

#[tokio::test]
async fn questions_are_found_by_topic_and_text_and_hidden_ones_are_not() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let faq = |category: &str, query: &str, index: i32, shows: bool| {
        json!({ "category": category, "name": query, "reply": "<p class=\"big\">다음 <b>영업일</b></p><script>x</script>",
            "index": index, "shows": shows })
    };
    put_up(
        &shop,
        &staff,
        "center/faqs",
        &faq("DELIVERY", "배송 기간", 1, true),
    )
    .await;
    let (first, _) = put_up(
        &shop,
        &staff,
        "center/faqs",
        &faq("ORDER", "입금 기한", 9, true),
    )
    .await;
    let (hidden, at) = put_up(
        &shop,
        &staff,
        "center/faqs",
        &faq("ORDER", "숨긴 질문", 99, false),
    )
    .await;

    let all = seen(&shop, &at, "center/faqs").await;
    assert_eq!(names(&all, "faqs", "query"), ["입금 기한", "배송 기간"]);
    assert_eq!(all["summary"]["totalCount"], 2);
    assert_eq!(
        all["faqs"][0]["reply"],
        "<p class=\"big\">다음 <b>영업일</b></p>"
    );
    let of = |query: &'static str| seen(&shop, &at, query);
    let about = of("center/faqs?category=DELIVERY").await;
    assert_eq!(names(&about, "faqs", "query"), ["배송 기간"]);
    let found = of("center/faqs?searchValue=%EC%9E%85%EA%B8%88").await;
    assert_eq!(names(&found, "faqs", "query"), ["입금 기한"]);
    // in the text of the answer, not in its markup
    assert_eq!(
        of("center/faqs?searchValue=%EC%98%81%EC%97%85%EC%9D%BC").await["summary"]["totalCount"],
        2
    );
    assert_eq!(
        of("center/faqs?searchValue=big").await["summary"]["totalCount"],
        0
    );
    assert_eq!(
        of("center/faqs?limit=1&skip=1").await["faqs"][0]["query"],
        "배송 기간"
    );
    assert_eq!(
        seen(&shop, &at, &format!("center/faqs/{first}")).await["faq"]["query"],
        "입금 기한"
    );
    let path = format!("/api/v1/center/faqs/{hidden}");
    shop.get(&path).send().await.expect(404);
    shop.get("/api/v1/center/faqs?category=MOON")
        .send()
        .await
        .expect(400);
}

#[tokio::test]
async fn notices_are_shown_in_their_period_the_pinned_ones_first() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let notice = |name: &str, pinned: bool, display: Value| {
        json!({ "name": name, "category": "GENERAL", "content": "<p onclick=\"x\">글</p>", "pinned": pinned,
            "files": [{ "name": "안내.pdf", "url": "/files/a.pdf" }], "display": display })
    };
    let always = json!({ "enabled": true });
    put_up(
        &shop,
        &staff,
        "center/notifications",
        &notice("오래된 공지", false, always.clone()),
    )
    .await;
    let (pinned, _) = put_up(
        &shop,
        &staff,
        "center/notifications",
        &notice("고정 공지", true, always.clone()),
    )
    .await;
    put_up(
        &shop,
        &staff,
        "center/notifications",
        &notice("새 공지", false, always),
    )
    .await;
    let later =
        json!({ "enabled": true, "hasPeriod": true, "startedAt": "2999-01-01T00:00:00+09:00" });
    let (future, at) = put_up(
        &shop,
        &staff,
        "center/notifications",
        &notice("예약 공지", true, later),
    )
    .await;

    let all = seen(&shop, &at, "center/notifications").await;
    assert_eq!(
        names(&all, "notifications", "name"),
        ["고정 공지", "새 공지", "오래된 공지"]
    );
    let one = seen(&shop, &at, &format!("center/notifications/{pinned}")).await;
    assert_eq!(one["notification"]["content"], "<p>글</p>");
    assert_eq!(
        one["notification"]["files"],
        json!([{ "name": "안내.pdf", "url": "/files/a.pdf" }])
    );
    assert_eq!(
        (&one["newer"], &one["older"]["name"]),
        (&Value::Null, &json!("새 공지"))
    );
    let path = format!("/api/v1/center/notifications/{future}");
    shop.get(&path).send().await.expect(404);

    let mut wrong = notice("파일 없음", false, json!({}));
    wrong["files"] = json!([{ "name": "x", "url": "javascript:alert(1)" }]);
    let refused = made(&shop, &staff, "center/notifications", &wrong).await;
    assert_eq!(refused.expect(400).complaint().0, "files.0.url");
}

#[tokio::test]
async fn a_question_is_between_its_author_and_staff() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let seller = shop.company("seller01").await;
    let upload = |who| {
        giving(
            &shop,
            "/api/v1/files",
            "file",
            "영수증.png",
            &picture_bytes(3),
        )
        .as_(who)
    };
    let own_file = upload(&hong).send().await.expect(201).body["file"].clone();
    let other_file = upload(&kim).send().await.expect(201).body["file"]["_id"].clone();
    let secrets = ["몰래여쭙니다", "공일공 번호", "그리로 연락"];
    let form = json!({ "category": "CLAIM", "subject": secrets[0], "content": secrets[1], "files": [own_file["_id"]] });
    shop.post(QUESTIONS, &form).send().await.expect(401);
    let mut stolen = form.clone();
    stolen["files"] = json!([other_file]);
    let refused = shop.post(QUESTIONS, &stolen).as_(&hong).send().await;
    assert_eq!(refused.expect(400).complaint(), ("files", "unknown"));
    let short = json!({ "category": "CLAIM", "subject": "헉", "content": "헉" });
    let refused = shop.post(QUESTIONS, &short).as_(&hong).send().await;
    assert_eq!(refused.expect(400).complaint().0, "subject");

    let asked = shop
        .post(QUESTIONS, &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let id = asked.body["question"]["_id"].as_str().unwrap().to_owned();
    assert_eq!(asked.body["question"]["files"][0]["url"], own_file["url"]);
    let (one, console) = (
        format!("{QUESTIONS}/{id}"),
        format!("/api/console/center/questions/{id}"),
    );
    let mut changed = form.clone();
    changed["content"] = json!("공일공 번호 둘");
    shop.put(&one, &changed).as_(&hong).send().await.expect(200);

    let seen = shop.get(&console).as_(&staff).send().await.expect(200).body["question"].clone();
    assert_eq!(seen["content"], "공일공 번호 둘");
    declared("question", &seen);
    // Only the answer can be written, and only as a text.
    let version = &seen["version"];
    let forged = json!({ "version": version, "answer": "x", "state": "ANSWER_COMPLETE", "repliedAt": "2020-01-01T00:00:00Z" });
    let kept = shop
        .put(&console, &forged)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(kept.body["question"], seen);
    let rewritten = json!({ "version": version, "category": "ORDER", "reply": "x" });
    let refused = shop.put(&console, &rewritten).as_(&staff).send().await;
    assert_eq!(refused.expect(400).complaint(), ("category", "read_only"));
    let answer = json!({ "version": version, "reply": secrets[2] });
    shop.put(&console, &answer)
        .as_(&seller)
        .send()
        .await
        .expect(403);
    let done = shop
        .put(&console, &answer)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(done.body["question"]["state"], "ANSWER_COMPLETE");
    let back = shop
        .put(&console, &done.body["question"])
        .as_(&staff)
        .send()
        .await;
    assert_eq!(back.expect(200).body, done.body);

    for who in [None, Some(&kim), Some(&seller)] {
        for place in [
            QUESTIONS,
            &one,
            &console,
            &format!("{console}/history"),
            "/api/console/center/questions",
        ] {
            let reply = read(&shop, place, who).await;
            assert!(
                !secrets.iter().any(|secret| reply.text.contains(secret)),
                "{place}: {}",
                reply.text
            );
        }
        shop_refuses(&shop, &one, who, &form).await;
    }
    let listed = read(&shop, QUESTIONS, Some(&hong)).await;
    assert_eq!(listed.body["questions"][0]["reply"], secrets[2]);
    assert_eq!(
        read(&shop, QUESTIONS, Some(&kim)).await.body["summary"]["totalCount"],
        0
    );
    let story = read(&shop, &format!("{console}/history"), Some(&staff)).await;
    assert!(!story.expect(200).text.contains("\"sealed\""));
    let sheet = read(
        &shop,
        "/api/console/center/questions/export?format=csv",
        Some(&staff),
    )
    .await;
    assert!(
        sheet.text.contains(secrets[2]) && !sheet.text.contains("\"sealed\""),
        "{}",
        sheet.text
    );
    let log: String = sqlx::query_scalar(
        "SELECT string_agg(payload::text, '') || (SELECT string_agg(data::text, '') FROM records) FROM events",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert!(!secrets.iter().any(|secret| log.contains(secret)));

    let late = shop.put(&one, &form).as_(&hong).send().await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");
    until("an alarm about the answer", async || {
        let alarms = shop.get("/api/v1/me/alarms").as_(&hong).send().await;
        alarms.text.contains("QUESTION_ANSWERED").then_some(())
    })
    .await;
    shop.delete(&one).as_(&hong).send().await.expect(200);
    shop.post(&format!("{one}/restore"), &json!({}))
        .as_(&hong)
        .send()
        .await
        .expect(200);
    shop.delete(&console).as_(&staff).send().await.expect(200);
    let barred = shop
        .post(&format!("{one}/restore"), &json!({}))
        .as_(&hong)
        .send()
        .await;
    assert_eq!(barred.expect(409).code(), "not_allowed_now");
    let report = projections::verify::verify(&shop.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}

/// Others can neither change nor remove a question.
async fn shop_refuses(shop: &TestApp, one: &str, who: Option<&Account>, form: &Value) {
    let mut calls = [shop.put(one, form), shop.delete(one)];
    let expected = if who.is_some() { 404 } else { 401 };
    if let Some(who) = who {
        calls = calls.map(|call| call.as_(who));
    }
    for call in calls {
        call.send().await.expect(expected);
    }
}
