//! Changing contact data and credentials requires the password.

use serde_json::{Value, json};
use time::Duration;

use crate::support::{Account, Reply, TestApp, sign_up_form};

async fn change(shop: &TestApp, who: &Account, body: &Value) -> Reply {
    shop.put("/api/v1/me/info", body).as_(who).send().await
}

#[tokio::test]
async fn how_i_am_reached_and_how_i_sign_in_change_only_with_my_password() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let told = async || {
        let me = shop.get("/api/v1/me/info").as_(&hong).send().await;
        me.expect(200).body["user"].clone()
    };
    let before = told().await;
    for (field, value) in [
        ("email", "thief@example.com"),
        ("phone", "010-9999-9999"),
        ("password", "stolen12!"),
    ] {
        let mut body = json!({ "nickname": "도둑", field: value });
        let refused = change(&shop, &hong, &body).await.expect(400);
        assert_eq!(
            refused.complaint(),
            ("currentPassword", "required"),
            "{field}"
        );
        let message = &refused.body["error"]["fields"][0]["message"];
        assert_eq!(message, "현재 비밀번호를 입력해 주세요.");
        body["currentPassword"] = json!("wrong123!");
        let refused = change(&shop, &hong, &body).await.expect(400);
        let complaint = ("currentPassword", "current_password");
        assert_eq!(refused.complaint(), complaint, "{field}");
    }
    assert_eq!(told().await, before, "not even what needs no password");
    shop.login(&hong.username, &hong.password).await.expect(200);

    // An equal value is no change, however it is written.
    let same = json!({ "email": before["email"], "phone": "010-1234-5678", "nickname": "바람", "name": "홍길순" });
    change(&shop, &hong, &same).await.expect(200);
    let proven = json!({ "email": "new@example.com", "phone": "01099998888", "currentPassword": hong.password });
    let changed = change(&shop, &hong, &proven).await.expect(200).body;
    assert_eq!(changed["user"]["email"], "new@example.com");
    assert_eq!(changed["user"]["phone"], "01099998888");
    assert_eq!(changed["user"]["nickname"], "바람");
}

#[tokio::test]
async fn who_guesses_at_an_open_browser_is_slowed_down_and_signing_in_goes_on() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let with = |password: &str| json!({ "email": "new@example.com", "currentPassword": password });
    for _ in 0..4 {
        change(&shop, &hong, &with("wrong123!")).await.expect(400);
    }
    let leaving = json!({ "password": "wrong123!" });
    let leave = || shop.post("/api/v1/me/withdraw", &leaving).as_(&hong).send();
    leave().await.expect(400);
    let refused = change(&shop, &hong, &with(&hong.password))
        .await
        .expect(429);
    assert_eq!(refused.code(), "too_many_requests");
    leave().await.expect(429);
    shop.login(&hong.username, &hong.password).await.expect(200);
    shop.advance(Duration::seconds(61));
    change(&shop, &hong, &with(&hong.password))
        .await
        .expect(200);
}

/// E-mail addresses are not confirmed, so several members may have the same one.
#[tokio::test]
async fn an_unconfirmed_e_mail_blocks_nobody() {
    let shop = TestApp::start().await;
    let first = sign_up_form("first123");
    shop.post("/api/v1/users", &first).send().await.expect(201);
    let mut second = sign_up_form("second12");
    second["email"] = first["email"].clone();
    shop.post("/api/v1/users", &second).send().await.expect(201);
    let third = shop.sign_up("third123").await;
    let taken = json!({ "email": first["email"], "currentPassword": third.password });
    change(&shop, &third, &taken).await.expect(200);
}

#[tokio::test]
async fn a_password_is_verified_and_wrong_ones_are_counted() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let verify = async |who: &Account, password: &str| {
        let form = json!({ "password": password });
        let ask = shop.post("/api/v1/me/verify", &form).as_(who);
        ask.send().await
    };
    verify(&hong, &hong.password).await.expect(204);
    let empty = verify(&hong, "").await.expect(400);
    assert_eq!(empty.complaint(), ("password", "required"));
    for _ in 0..5 {
        let wrong = verify(&hong, "wrong123!").await.expect(400);
        assert_eq!(wrong.complaint(), ("password", "current_password"));
    }
    // The right one does not help any more, here or where a password is changed.
    verify(&hong, &hong.password).await.expect(429);
    let change = json!({ "password": "new12345!", "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &change).as_(&hong);
    change.send().await.expect(429);
    verify(&kim, &kim.password).await.expect(204);
    let form = json!({ "password": kim.password });
    shop.post("/api/v1/me/verify", &form)
        .send()
        .await
        .expect(401);
}
