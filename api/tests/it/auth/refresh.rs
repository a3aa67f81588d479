//! Renewing tokens, and ending a sign-in after misuse.

use api::tokens::refresh_hash;
use projections::state::credentials::{NewToken, Rotation, rotate};
use serde_json::json;
use time::Duration;

use crate::support::{Reply, TestApp};

#[tokio::test]
async fn a_refresh_token_is_good_once_and_its_reuse_ends_the_sign_in() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let again = |token: String| shop.get("/api/auth/accessToken").token(&token).send();
    let second = again(hong.refresh.clone()).await.expect(200);
    let second = second.body["refreshToken"].as_str().unwrap().to_owned();
    let third = again(second.clone()).await.expect(200);
    assert_eq!(third.body["payload"]["_user"], json!(hong.id));
    let third = third.body["refreshToken"].as_str().unwrap().to_owned();
    // A copy of the first token is used.
    assert_eq!(
        again(hong.refresh.clone()).await.expect(401).code(),
        "token_reused"
    );
    assert_eq!(again(third).await.expect(401).code(), "token_invalid");
    // Another sign-in of the same member stays valid.
    let other = shop.login(&hong.username, &hong.password).await.expect(200);
    again(other.body["refreshToken"].as_str().unwrap().to_owned())
        .await
        .expect(200);
}

#[tokio::test]
async fn who_lost_the_answer_gets_the_same_again_for_ten_seconds_and_nobody_after_that() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let again = |token: String| shop.get("/api/auth/accessToken").token(&token).send();
    let token_of = |reply: Reply| reply.body["refreshToken"].as_str().unwrap().to_owned();
    let first = token_of(again(hong.refresh.clone()).await.expect(200));
    shop.advance(Duration::seconds(8));
    let same = token_of(again(hong.refresh.clone()).await.expect(200));
    assert_eq!(same, first);
    // The tokens cannot be predicted.
    assert_ne!(first, hong.refresh);
    shop.advance(Duration::seconds(3));
    let stolen = again(hong.refresh.clone()).await.expect(401);
    assert_eq!(stolen.code(), "token_reused");
    assert_eq!(again(first).await.expect(401).code(), "token_invalid");

    // A token whose successor was replaced is not accepted as a parallel use any more.
    let other = token_of(shop.login(&hong.username, &hong.password).await.expect(200));
    let next = token_of(again(other.clone()).await.expect(200));
    let last = token_of(again(next).await.expect(200));
    assert_eq!(again(other).await.expect(401).code(), "token_reused");
    assert_eq!(again(last).await.expect(401).code(), "token_invalid");
}

#[tokio::test]
async fn parallel_uses_of_one_refresh_token_are_answered_with_the_same_successor() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    // More than there are connections.
    let uses = (0..40).map(|_| {
        shop.get("/api/auth/accessToken")
            .token(&hong.refresh)
            .send()
    });
    let mut successors = Vec::new();
    for reply in futures::future::join_all(uses).await {
        let reply = reply.expect(200);
        successors.push(reply.body["refreshToken"].as_str().unwrap().to_owned());
    }
    successors.dedup();
    assert_eq!(successors.len(), 1, "{successors:?}");
    let successor = successors.pop().unwrap();
    let next = shop.get("/api/auth/accessToken").token(&successor);
    next.send().await.expect(200);
}

/// Spec V124-V126: signing out ends the sign-in on the server too, with any of its tokens, and can be repeated.
#[tokio::test]
async fn signing_out_ends_all_that_grew_from_the_sign_in() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let again = |token: String| shop.get("/api/auth/accessToken").token(&token).send();
    let renewed = again(hong.refresh.clone()).await.expect(200);
    let successor = renewed.body["refreshToken"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        let out = shop.delete("/api/auth/refreshToken").token(&hong.refresh);
        out.send().await.expect(204);
    }
    for token in [successor, hong.refresh] {
        assert_eq!(again(token).await.expect(401).code(), "token_invalid");
    }
    let unknown = shop.delete("/api/auth/refreshToken").token("unknown");
    unknown.send().await.expect(401);
}

#[tokio::test]
async fn a_new_password_ends_the_sign_in_that_is_being_renewed() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let mut renewal = event_store::begin(shop.app.pool()).await.unwrap();
    let now = shop.app.clock.now();
    let successor = NewToken {
        hash: &refresh_hash("successor"),
        issued_at: now,
        expires_at: now + Duration::days(1),
    };
    let renewed = rotate(&mut renewal, &refresh_hash(&hong.refresh), successor).await;
    assert!(matches!(renewed.unwrap(), Rotation::Rotated(..)));
    let meanwhile = async {
        shop.until_waiting(1).await;
        renewal.commit().await.unwrap();
    };
    let body = json!({ "password": "new12345!", "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong).key("renewed");
    let (changed, ()) = futures::future::join(change.send(), meanwhile).await;
    changed.expect(200);
    let stolen = shop
        .get("/api/auth/accessToken")
        .token("successor")
        .send()
        .await;
    assert_eq!(stolen.expect(401).code(), "token_invalid");
}

#[tokio::test]
async fn a_refresh_token_runs_out_and_can_be_signed_out() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let other = shop.login(&hong.username, &hong.password).await.expect(200);
    let other = other.body["refreshToken"].as_str().unwrap();
    shop.delete("/api/auth/refreshToken")
        .token(other)
        .send()
        .await
        .expect(204);
    assert_eq!(
        shop.get("/api/auth/accessToken")
            .token(other)
            .send()
            .await
            .expect(401)
            .code(),
        "token_invalid"
    );
    shop.advance(Duration::days(14));
    let late = shop
        .get("/api/auth/accessToken")
        .token(&hong.refresh)
        .send()
        .await
        .expect(401);
    assert_eq!(late.code(), "token_expired");
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_ends_every_sign_in() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    shop.sign_up("kim12345").await;
    let change = |current: &str, nickname: &str| json!({ "password": "new12345!", "currentPassword": current, "nickname": nickname });
    let send = async |body: serde_json::Value| {
        let sent = shop.put("/api/v1/me/info", &body).as_(&hong);
        sent.key("renewed").send().await
    };
    let refused = send(change("wrong123!", "바람")).await.expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"],
        "currentPassword"
    );
    // The rejected request does not change the nickname either.
    let me = shop.get("/api/v1/me/info").as_(&hong).send().await;
    assert_eq!(me.body["user"]["nickname"], "hong1234");
    let taken = send(change(&hong.password, "kim12345")).await.expect(409);
    assert_eq!(taken.code(), "nickname_taken");
    shop.login(&hong.username, &hong.password).await.expect(200);
    let changed = send(change(&hong.password, "바람")).await.expect(200);
    assert_eq!(changed.body["user"]["nickname"], "바람");
    shop.login(&hong.username, &hong.password).await.expect(401);
    // The same request twice is executed once.
    let again = shop.account(&hong.username, "new12345!").await;
    let repeat = shop.put("/api/v1/me/info", &change(&hong.password, "바람"));
    let repeated = repeat.as_(&again).key("renewed").send().await.expect(200);
    assert_eq!(repeated.body, changed.body);
    assert_eq!(repeated.header("idempotent-replay"), Some("1"));
    shop.get("/api/v1/me/info")
        .as_(&again)
        .send()
        .await
        .expect(200);
    shop.get("/api/auth/accessToken")
        .token(&hong.refresh)
        .send()
        .await
        .expect(401);
}
