//! Joining: names are unique, forms are validated, and an interrupted registration is completed.

use serde_json::json;

use crate::support::{TestApp, sign_up_form};

#[tokio::test]
async fn of_twenty_who_want_one_name_exactly_one_gets_it() {
    let shop = TestApp::start().await;
    let tries = (0..20).map(|number| {
        let mut form = sign_up_form("hong1234");
        form["nickname"] = json!(format!("길동{number}"));
        let shop = &shop;
        async move { shop.post("/api/v1/users", &form).send().await }
    });
    let replies = futures::future::join_all(tries).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 201).count(),
        1
    );
    assert_eq!(
        replies
            .iter()
            .filter(|reply| reply.code() == "username_taken")
            .count(),
        19
    );
    shop.login("hong1234", "abcd123!").await.expect(200);
}

#[tokio::test]
async fn a_nickname_is_one_member_s_until_they_give_it_back() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let mut form = sign_up_form("kim12345");
    form["nickname"] = json!("hong1234");
    assert_eq!(
        shop.post("/api/v1/users", &form)
            .send()
            .await
            .expect(409)
            .code(),
        "nickname_taken"
    );
    let revised = shop
        .put("/api/v1/me/info", &json!({ "nickname": "새이름" }))
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(revised.body["user"]["nickname"], "새이름");
    assert!(revised.header("x-position").is_some());
    shop.post("/api/v1/users", &form).send().await.expect(201);
    let kim = shop.login("kim12345", "abcd123!").await.expect(200);
    let token = kim.body["accessToken"].as_str().unwrap().to_owned();
    let taken = shop
        .put("/api/v1/me/info", &json!({ "nickname": "새이름" }))
        .token(&token)
        .send()
        .await;
    assert_eq!(taken.expect(409).code(), "nickname_taken");
}

#[tokio::test]
async fn every_wrong_field_is_named_with_a_korean_prompt() {
    let shop = TestApp::start().await;
    let form = json!({
        "username": "Hong", "password": "short", "name": "홍", "nickname": "홍 길동", "email": "x", "phone": "12",
        "type": "COMPANY", "_terms": ["service"],
    });
    let refused = shop.post("/api/v1/users", &form).send().await.expect(400);
    assert_eq!(refused.code(), "invalid");
    let fields = refused.body["error"]["fields"].as_array().unwrap();
    let names: Vec<_> = fields
        .iter()
        .map(|field| field["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "username",
            "password",
            "name",
            "nickname",
            "email",
            "phone",
            "_terms",
            "companyName",
            "ceoName",
            "businessRegistration",
            "licenseCode",
            "registrationToken"
        ]
    );
    assert!(
        fields
            .iter()
            .all(|field| field["message"].as_str().unwrap().ends_with("주세요."))
    );
    // Fourteen or older, and both texts.
    for needed in ["age", "service", "privacy"] {
        let mut without = sign_up_form("hong1234");
        let terms = without["_terms"].as_array_mut().unwrap();
        terms.retain(|term| term != needed);
        let refused = shop.post("/api/v1/users", &without).send();
        let refused = refused.await.expect(400);
        let wrong = json!([{ "field": "_terms", "code": "terms", "message": "필수 약관에 동의해 주세요." }]);
        assert_eq!(refused.body["error"]["fields"], wrong, "{needed}");
    }
    let mut curious = sign_up_form("hong1234");
    curious["_terms"] = json!(["age", "service", "privacy", "moon"]);
    let refused = shop.post("/api/v1/users", &curious);
    let refused = refused.send().await.expect(400);
    assert_eq!(refused.body["error"]["fields"][0]["code"], "unknown_terms");
    let mut operator = sign_up_form("hong1234");
    operator["type"] = json!("OPERATOR");
    let refused = shop
        .post("/api/v1/users", &operator)
        .send()
        .await
        .expect(400);
    assert_eq!(refused.body["error"]["fields"][0]["field"], "type");
}

#[tokio::test]
async fn a_crash_between_joining_and_the_password_is_repaired_by_asking_again() {
    let shop = TestApp::start().await;
    let form = sign_up_form("hong1234");
    let join = || {
        shop.post("/api/v1/users", &form)
            .key("0191-join-of-hong-gildong")
            .send()
    };
    let first = join().await.expect(201);
    // The state after a crash right after the append.
    sqlx::query("DELETE FROM credentials")
        .execute(shop.app.pool())
        .await
        .unwrap();
    shop.login("hong1234", "abcd123!").await.expect(401);
    let again = join().await.expect(201);
    assert_eq!(again.body, first.body);
    assert_eq!(again.header("idempotent-replay"), Some("1"));
    shop.login("hong1234", "abcd123!").await.expect(200);
}

#[tokio::test]
async fn nothing_personal_is_readable_in_the_log() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let log: Vec<String> = sqlx::query_scalar("SELECT payload::text || metadata::text FROM events")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    assert!(!log.is_empty());
    for word in [
        "hong1234",
        "홍길동",
        "01012345678",
        "abcd123!",
        "example.com",
    ] {
        assert!(log.iter().all(|event| !event.contains(word)), "{word}");
    }
}
