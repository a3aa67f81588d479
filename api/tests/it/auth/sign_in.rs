//! Signing in.

use api::tokens::Tokens;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use time::Duration;

use crate::support::TestApp;

#[tokio::test]
async fn a_member_signs_in_and_is_who_they_said() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let me = shop
        .get("/api/v1/me/info")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(me.body["user"]["_id"], json!(hong.id));
    assert_eq!(me.body["user"]["name"], "홍길동");
    assert_eq!(me.body["user"]["phone"], "01012345678");
    assert_eq!(me.body["user"]["type"], "PERSON");
    assert_eq!(me.body["user"]["scope"], json!([]));
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_look_the_same() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let wrong = shop.login("hong1234", "wrong123!").await.expect(401);
    let unknown = shop.login("nobody12", "abcd123!").await.expect(401);
    assert_eq!(wrong.code(), "bad_credentials");
    assert_eq!(unknown.code(), "bad_credentials");
    assert_eq!(
        wrong.body["error"]["message"],
        unknown.body["error"]["message"]
    );
    assert_eq!(
        shop.get("/api/auth/refreshToken")
            .send()
            .await
            .expect(401)
            .code(),
        "bad_credentials"
    );
}

#[tokio::test]
async fn five_failures_in_a_row_close_the_name_for_a_minute_even_in_parallel() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let tries = (0..20).map(|_| shop.login(&hong.username, "wrong123!"));
    let replies = futures::future::join_all(tries).await;
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 401).count(),
        5
    );
    assert_eq!(
        replies.iter().filter(|reply| reply.status == 429).count(),
        15
    );
    let locked = shop.login(&hong.username, &hong.password).await.expect(429);
    assert_eq!(locked.code(), "too_many_requests");
    assert!(locked.header("retry-after").is_some());
    shop.advance(Duration::seconds(61));
    shop.login(&hong.username, &hong.password).await.expect(200);
}

#[tokio::test]
async fn an_access_token_runs_out_by_the_shop_s_clock() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    shop.advance(Duration::minutes(14));
    shop.get("/api/v1/me/info")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    shop.advance(Duration::minutes(1));
    let late = shop
        .get("/api/v1/me/info")
        .as_(&hong)
        .send()
        .await
        .expect(401);
    assert_eq!(late.code(), "token_expired");
}

#[tokio::test]
async fn a_token_of_another_shop_or_no_token_gets_nowhere() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let now = application::clock::Clock::now(shop.clock.as_ref());
    let api::tokens::Bearer::Member(
        session,
        api::tokens::SignIn {
            family: Some(family),
            ..
        },
    ) = shop.app.tokens.read(&hong.token, now).unwrap()
    else {
        unreachable!("a member's token")
    };
    let foreign = Tokens::new(&[9; 32]).access(&session, family, now).unwrap();
    let me = |token: String| shop.get("/api/v1/me/info").token(&token).send();
    assert_eq!(me(foreign).await.expect(401).code(), "token_invalid");
    assert_eq!(
        me("rubbish".to_owned()).await.expect(401).code(),
        "token_invalid"
    );
    assert_eq!(
        me(hong.refresh.clone()).await.expect(401).code(),
        "token_invalid"
    );
    assert_eq!(
        shop.get("/api/v1/me/info").send().await.expect(401).code(),
        "login_required"
    );
    let basic = shop
        .get("/api/v1/me/info")
        .header("authorization", "Basic x")
        .send()
        .await;
    assert_eq!(basic.expect(401).code(), "token_invalid");
}

#[tokio::test]
async fn scopes_come_from_the_log() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller12").await;
    let scope = |token: String| shop.get("/api/v1/me/info").token(&token).send();
    assert_eq!(
        scope(staff.token).await.body["user"]["scope"],
        json!(["console"])
    );
    assert_eq!(
        scope(seller.token).await.body["user"]["scope"],
        json!(["company"])
    );
}

#[tokio::test]
async fn a_malformed_basic_header_is_no_sign_in() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let encoded = |bytes: &[u8]| format!("Basic {}", STANDARD.encode(bytes));
    for header in [
        String::new(),
        "Basic".to_owned(),
        "Basic ".to_owned(),
        "Basic %%%".to_owned(),
        "Basic =".to_owned(),
        encoded(b"hong1234"),
        encoded(b":"),
        encoded(b"hong1234:"),
        encoded(b"\xff\xfe:\xff"),
        encoded(b"hong1234\0:abcd123!"),
        encoded(b"' OR 1=1 --:abcd123!"),
        encoded(&[b'a'; 5_000]),
    ] {
        let asked = shop.get("/api/auth/refreshToken");
        let reply = asked.header("authorization", &header).send().await;
        assert_eq!(
            (reply.status, reply.code()),
            (401, "bad_credentials"),
            "{header:.60}: {}",
            reply.text
        );
    }
    let none = shop.get("/api/auth/refreshToken").send().await.expect(401);
    assert_eq!(none.code(), "bad_credentials");
}
