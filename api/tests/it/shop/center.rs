//! The customer centre: what anybody reads there.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::window::{made, put_up, seen};

fn names<'a>(list: &'a Value, many: &str, field: &str) -> Vec<&'a str> {
    let rows = list[many].as_array().unwrap().iter();
    rows.map(|row| row[field].as_str().unwrap()).collect()
}

#[tokio::test]
async fn questions_are_found_by_topic_and_text_and_hidden_ones_are_not() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let faq = |category: &str, query: &str, index: i32, shows: bool| {
        json!({ "category": category, "query": query, "reply": "<p class=\"big\">다음 <b>영업일</b></p><script>x</script>",
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
