//! Whether a name is in use: the same answer as joining, and nothing else.

use serde_json::{Value, json};

use crate::support::{TestApp, sign_up_form};

/// The existence check agrees with joining (the specification's `users/existence`; V128, V129, V142, V143).
#[tokio::test]
async fn the_existence_check_says_what_joining_says() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let gone = shop.sign_up("gone1234").await;
    let leaving = json!({ "password": gone.password });
    let left = shop.post("/api/v1/me/withdraw", &leaving).as_(&gone);
    left.send().await.expect(200);
    for (place, (username, nickname)) in [
        ("hong1234", "처음이"),
        ("gone1234", "떠난이"),
        ("lee12345", "HONG1234"),
        ("lee12345", "gone1234"),
        ("Hong1234", "대문자"),
        ("lee", "짧은이"),
        ("lee12346", "홍 길동"),
        ("lee12346", "새이름"),
    ]
    .into_iter()
    .enumerate()
    {
        let wanted = json!({ "username": username, "nickname": nickname });
        let said = shop.post("/api/v1/users/existence", &wanted).send().await;
        let mut form = sign_up_form(username);
        form["nickname"] = json!(nickname);
        let joined = shop.post("/api/v1/users", &form).send().await;
        let told = match joined.status {
            201 => (200, json!(false)),
            409 => (200, json!(true)),
            status => (status, Value::Null),
        };
        assert_eq!(
            (said.status, said.body["exists"].clone()),
            told,
            "{place}: {wanted}"
        );
        if joined.status == 400 {
            assert_eq!(said.complaint(), joined.complaint(), "{wanted}");
        }
    }
    // Only names are checked, and other input is rejected.
    for wanted in [json!({}), json!({ "email": "hong1234@example.com" })] {
        let said = shop.post("/api/v1/users/existence", &wanted).send().await;
        assert_eq!(said.expect(400).complaint(), ("username", "required"));
    }
    drop(hong);
}

#[tokio::test]
async fn whether_a_name_is_in_use_can_be_asked() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    for (wanted, exists) in [
        (json!({ "username": "hong1234" }), true),
        (json!({ "username": "nobody12" }), false),
        (json!({ "nickname": "HONG1234" }), true),
        (json!({ "nickname": "아무도" }), false),
    ] {
        let reply = shop
            .post("/api/v1/users/existence", &wanted)
            .send()
            .await
            .expect(200);
        assert_eq!(reply.body, json!({ "exists": exists }), "{wanted}");
    }
    shop.post("/api/v1/users/existence", &json!({}))
        .send()
        .await
        .expect(400);
}
