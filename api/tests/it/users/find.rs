//! Finding an id and a password by mail (routes R026-R029).

use serde_json::{Value, json};
use time::Duration;

use crate::support::dump::dump;
use crate::support::{TestApp, sign_up_form, until};

const NEW: &str = "new12345!";

async fn forget(shop: &TestApp, username: &str, email: &str) {
    let form = json!({ "username": username, "email": email });
    let asked = shop.post("/api/v1/users/find-password", &form).send().await;
    assert_eq!(asked.expect(204).text, "");
}

/// Waits until the worker has answered what was asked.
async fn answered(shop: &TestApp) {
    until("requests are answered", async || {
        let left = "SELECT count(*) FROM account_mail_requests";
        let left: i64 = sqlx::query_scalar(left)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
    shop.settled().await;
}

async fn set(shop: &TestApp, member: &str, token: &str, password: &str) -> crate::support::Reply {
    let form = json!({ "token": token, "password": password });
    let path = format!("/api/v1/users/find-password/{member}");
    shop.post(&path, &form).send().await
}

#[tokio::test]
async fn a_member_who_forgot_the_password_comes_back() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    forget(&shop, " HONG1234 ", "Hong1234@example.com").await;
    let mail = shop.mail("hong1234@example.com", "비밀번호 재설정").await;
    let link = shop.link_in(&mail, "find-password");
    assert_eq!(link.member, hong.id);
    assert!(mail["html"].as_str().unwrap().contains(&link.token));
    // Nothing readable is stored: neither the link nor the address.
    let stored = dump(shop.app.pool()).await;
    for secret in [
        link.token.as_str(),
        "hong1234@example.com",
        "비밀번호를 다시 설정하려면",
    ] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    let weak = set(&shop, &link.member, &link.token, "short").await;
    assert_eq!(weak.expect(400).complaint(), ("password", "password"));
    set(&shop, &link.member, &link.token, NEW).await.expect(204);
    // Every session has ended, and only the new password is right.
    let info = shop.get("/api/v1/me/info").as_(&hong).send().await;
    assert_eq!(info.expect(401).code(), "token_invalid");
    let old = shop.login("hong1234", &hong.password).await;
    assert_eq!(old.expect(401).code(), "bad_credentials");
    shop.login("hong1234", NEW).await.expect(200);
    // The link is used up, and a mail reports the change.
    let again = set(&shop, &link.member, &link.token, "other123!").await;
    assert_eq!(again.expect(409).code(), "link_used");
    shop.login("hong1234", NEW).await.expect(200);
    let told = shop
        .mail("hong1234@example.com", "비밀번호가 변경되었습니다")
        .await;
    assert!(
        told["text"]
            .as_str()
            .unwrap()
            .contains("/login/find-password")
    );
}

#[tokio::test]
async fn a_password_changed_by_its_owner_is_told_by_mail() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let body = json!({ "password": NEW, "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong);
    change.send().await.expect(200);
    shop.mail("hong1234@example.com", "비밀번호가 변경되었습니다")
        .await;
}

#[tokio::test]
async fn a_link_is_valid_for_its_member_and_for_half_an_hour() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    forget(&shop, "hong1234", "hong1234@example.com").await;
    let mail = shop.mail("hong1234@example.com", "비밀번호 재설정").await;
    let link = shop.link_in(&mail, "find-password");
    let tampered = format!("{}x", link.token);
    for (member, token) in [
        (kim.id.as_str(), link.token.as_str()),
        ("nobody", &link.token),
        (&link.member, &tampered),
        (&link.member, "' OR 1=1"),
    ] {
        let refused = set(&shop, member, token, NEW).await;
        assert_eq!(
            refused.expect(409).code(),
            "link_invalid",
            "{member} {token}"
        );
    }
    let empty = set(&shop, &link.member, "", NEW).await;
    assert_eq!(empty.expect(400).complaint(), ("token", "required"));
    // A link to a password shows no id.
    let path = format!("/api/v1/users/find-id/{}", link.member);
    let shown = shop
        .post(&path, &json!({ "token": link.token }))
        .send()
        .await;
    assert_eq!(shown.expect(409).code(), "link_invalid");
    shop.advance(Duration::minutes(30));
    let late = set(&shop, &link.member, &link.token, NEW).await;
    assert_eq!(late.expect(409).code(), "link_expired");
}

#[tokio::test]
async fn a_later_link_ends_with_the_one_that_is_used() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let mut links = Vec::new();
    for many in 1..=2 {
        forget(&shop, "hong1234", "hong1234@example.com").await;
        let mails = until("the next mail", async || {
            let mails = shop.mails("hong1234@example.com").await;
            (mails.len() == many).then_some(mails)
        })
        .await;
        links.push(shop.link_in(mails.last().unwrap(), "find-password"));
    }
    assert_ne!(links[0].token, links[1].token);
    set(&shop, &links[0].member, &links[0].token, NEW)
        .await
        .expect(204);
    let other = set(&shop, &links[1].member, &links[1].token, "other123!").await;
    assert_eq!(other.expect(409).code(), "link_used");
}

/// An account that does not exist is answered in the same way, and nothing is sent or written about it.
#[tokio::test]
async fn nothing_tells_whether_an_account_exists() {
    let shop = TestApp::start().await;
    shop.sign_up("hong1234").await;
    let known = json!({ "username": "hong1234", "email": "hong1234@example.com" });
    let mut answers = Vec::new();
    for form in [
        known,
        json!({ "username": "nobody12", "email": "hong1234@example.com" }),
        json!({ "username": "hong1234", "email": "other@example.com" }),
        json!({ "username": "nobody12", "email": "nobody@example.com" }),
    ] {
        for path in ["/api/v1/users/find-password", "/api/v1/users/find-id"] {
            let reply = shop.post(path, &form).send().await;
            let mut names: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
            names.sort();
            answers.push((reply.status, reply.text, names));
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert_eq!(answers[0].0, 204);
    answered(&shop).await;
    // One to the right name and address, and one for each request by this address.
    shop.mail("hong1234@example.com", "비밀번호 재설정").await;
    let all = until("all mails", async || {
        let mails = shop.mails("hong1234@example.com").await;
        (mails.len() == 3).then_some(mails)
    })
    .await;
    let ids = all
        .iter()
        .filter(|mail| mail["subject"].as_str().unwrap().contains("아이디"));
    assert_eq!(ids.count(), 2);
    for other in ["other@example.com", "nobody@example.com"] {
        assert_eq!(shop.mails(other).await, Vec::<Value>::new());
    }
    assert_eq!(shop.messages().await.len(), 3);
}

#[tokio::test]
async fn an_id_is_shown_once_to_everyone_with_the_address() {
    let shop = TestApp::start().await;
    let mut form = sign_up_form("kim12345");
    form["email"] = json!("hong1234@example.com");
    shop.post("/api/v1/users", &form).send().await.expect(201);
    let hong = shop.sign_up("hong1234").await;
    let gone = {
        let mut form = sign_up_form("gone1234");
        form["email"] = json!("hong1234@example.com");
        shop.post("/api/v1/users", &form).send().await.expect(201);
        shop.account("gone1234", form["password"].as_str().unwrap())
            .await
    };
    let leaving = json!({ "password": gone.password });
    let left = shop.post("/api/v1/me/withdraw", &leaving).as_(&gone);
    left.send().await.expect(200);
    shop.settled().await;
    let form = json!({ "email": "HONG1234@example.com" });
    shop.post("/api/v1/users/find-id", &form)
        .send()
        .await
        .expect(204);
    let mails = until("both mails", async || {
        let mails = shop.mails("hong1234@example.com").await;
        (mails.len() == 2).then_some(mails)
    })
    .await;
    let mut found = Vec::new();
    for mail in &mails {
        let link = shop.link_in(mail, "find-id");
        let path = format!("/api/v1/users/find-id/{}", link.member);
        let body = json!({ "token": link.token });
        let shown = shop.post(&path, &body).send().await.expect(200);
        found.push(shown.body["username"].as_str().unwrap().to_owned());
        let again = shop.post(&path, &body).send().await;
        assert_eq!(again.expect(409).code(), "link_used");
    }
    found.sort();
    assert_eq!(found, ["hong1234", "kim12345"]);
    // The address that counts is the present one.
    let body = json!({ "email": "new@example.com", "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong);
    change.send().await.expect(200);
    shop.settled().await;
    let form = json!({ "email": "new@example.com" });
    shop.post("/api/v1/users/find-id", &form)
        .send()
        .await
        .expect(204);
    shop.mail("new@example.com", "아이디 확인").await;
}

#[tokio::test]
async fn an_address_and_a_client_are_limited() {
    let shop = TestApp::start().await;
    let form = json!({ "email": "nobody@example.com" });
    for _ in 0..5 {
        shop.post("/api/v1/users/find-id", &form)
            .send()
            .await
            .expect(204);
    }
    let more = shop.post("/api/v1/users/find-id", &form).send().await;
    let more = more.expect(429);
    assert_eq!(more.code(), "too_many_requests");
    assert!(more.header("retry-after").is_some());
    let form = json!({ "username": "nobody12", "email": "nobody@example.com" });
    let more = shop.post("/api/v1/users/find-password", &form).send().await;
    assert_eq!(more.expect(429).code(), "too_many_requests");
    // One name, with different addresses.
    for number in 0..6 {
        let form = json!({ "username": "nobody12", "email": format!("a{number}@example.com") });
        let asked = shop.post("/api/v1/users/find-password", &form).send().await;
        assert_eq!(asked.status, if number < 5 { 204 } else { 429 });
    }
    let limits = [
        ("JANGBU_LIMITS_GUESSES_PER_MINUTE", "1"),
        ("JANGBU_LIMITS_GUESSES_BURST", "3"),
    ];
    let shop = TestApp::with(&limits).await;
    let mut statuses = Vec::new();
    for number in 0..5 {
        let form = json!({ "email": format!("a{number}@example.com") });
        statuses.push(
            shop.post("/api/v1/users/find-id", &form)
                .send()
                .await
                .status,
        );
    }
    assert_eq!(statuses, [204, 204, 204, 429, 429]);
}
