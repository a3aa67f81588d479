//! Mail for the safety of an account: a device it did not know, and a changed address.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::TestApp;

const TO: &str = "hong1234@example.com";

#[tokio::test]
async fn a_new_device_is_told_once_and_a_known_one_is_not() {
    let shop = TestApp::start().await;
    // The first sign-in is no news.
    let hong = shop.sign_up("hong1234").await;
    let again = shop.login("hong1234", &hong.password).await.expect(200);
    let mail = shop.mail(TO, "새 기기에서 로그인했습니다").await;
    assert!(
        mail["text"]
            .as_str()
            .unwrap()
            .contains("/login/find-password"),
        "{mail}"
    );
    let cookie = again.headers["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let pair = STANDARD.encode(format!("hong1234:{}", hong.password));
    for _ in 0..2 {
        let known = shop
            .get("/api/auth/refreshToken")
            .header("authorization", &format!("Basic {pair}"))
            .header("cookie", &cookie);
        known.send().await.expect(200);
    }
    let wrong = shop.login("hong1234", "wrong123!").await;
    assert_eq!(wrong.expect(401).code(), "bad_credentials");
    // A request for a mail after all of these: what was asked for before is written by then.
    let form = json!({ "email": TO });
    shop.post("/api/v1/users/find-id", &form)
        .send()
        .await
        .expect(204);
    shop.mail(TO, "아이디 확인 안내").await;
    assert_eq!(shop.mails(TO).await.len(), 2);
}

#[tokio::test]
async fn a_changed_address_is_told_to_the_old_one() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let new = "hong.new@example.com";
    for body in [
        json!({ "name": "홍길순" }),
        json!({ "email": new, "currentPassword": hong.password }),
    ] {
        let change = shop.put("/api/v1/me/info", &body).as_(&hong);
        change.send().await.expect(200);
    }
    let mail = shop.mail(TO, "이메일 주소가 변경되었습니다").await;
    assert!(!mail["text"].as_str().unwrap().contains(new), "{mail}");
    shop.settled().await;
    assert_eq!(shop.mails(new).await, Vec::<Value>::new());
    assert_eq!(shop.messages().await.len(), 1);
}
