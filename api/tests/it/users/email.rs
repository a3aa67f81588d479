//! Confirming an e-mail address, and what a confirmed one is good for.

use domain::member::Member;
use projections::verify::{VerifyOptions, verify_as};
use serde_json::{Value, json};
use time::Duration;

use crate::support::dump::dump;
use crate::support::mail::{CONFIRMED, MailLink};
use crate::support::{Account, Reply, TestApp, sign_up_form, until};

const SUBJECT: &str = "이메일 주소를 확인해 주세요";
const TO: &str = "hong1234@example.com";

async fn start() -> TestApp {
    TestApp::with(&[CONFIRMED]).await
}

/// A member with the address of another one.
async fn with_address(shop: &TestApp, username: &str, address: &str) -> Account {
    let mut form = sign_up_form(username);
    form["email"] = json!(address);
    shop.post("/api/v1/users", &form).send().await.expect(201);
    let password = form["password"].as_str().unwrap();
    shop.account(username, password).await
}

/// The links that confirm an address, oldest first, once there are so many.
async fn links(shop: &TestApp, to: &str, many: usize) -> Vec<MailLink> {
    let mails = until("the links come", async || {
        let mut mails = shop.mails(to).await;
        mails.retain(|mail| mail["subject"].as_str().unwrap().contains(SUBJECT));
        (mails.len() >= many).then_some(mails)
    })
    .await;
    assert_eq!(mails.len(), many, "{mails:#?}");
    let links = mails.iter();
    links
        .map(|mail| shop.link_to(mail, "center/confirm-email"))
        .collect()
}

async fn link_of(shop: &TestApp, to: &str, who: &Account, many: usize) -> MailLink {
    let mut links = links(shop, to, many).await.into_iter();
    links.rfind(|link| link.member == who.id).unwrap()
}

async fn confirm(shop: &TestApp, who: &Account, token: &str) -> Reply {
    let body = json!({ "token": token });
    let confirm = shop.post("/api/v1/me/email/confirm", &body);
    confirm.as_(who).send().await
}

async fn ask(shop: &TestApp, who: &Account) -> Reply {
    let ask = shop.post("/api/v1/me/email/confirmation", &Value::Null);
    ask.as_(who).send().await
}

async fn is_confirmed(shop: &TestApp, who: &Account) -> bool {
    let info = shop.get("/api/v1/me/info").as_(who).send().await;
    info.expect(200).body["user"]["emailConfirmed"]
        .as_bool()
        .unwrap()
}

async fn move_to(shop: &TestApp, who: &Account, address: &str) {
    let body = json!({ "email": address, "currentPassword": who.password });
    let change = shop.put("/api/v1/me/info", &body).as_(who);
    change.send().await.expect(200);
    shop.settled().await;
}

/// The log, the tables and the reservations agree.
async fn in_order(shop: &TestApp) {
    shop.settled().await;
    let with_keys = VerifyOptions {
        keys: Some(&shop.app.keys),
        ..VerifyOptions::default()
    };
    let report = verify_as(&shop.app.store, &with_keys, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[tokio::test]
async fn who_joins_confirms_the_address_once_by_the_link_and_the_account() {
    let shop = start().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let mail = shop.mail(TO, SUBJECT).await;
    let link = shop.link_to(&mail, "center/confirm-email");
    assert_eq!(link.member, hong.id);
    let stored = dump(shop.app.pool()).await;
    for secret in [link.token.as_str(), TO] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    assert!(!is_confirmed(&shop, &hong).await);
    // The mailbox alone confirms nothing, nor does another account.
    let body = json!({ "token": link.token });
    let guest = shop.post("/api/v1/me/email/confirm", &body).send().await;
    assert_eq!(guest.expect(401).code(), "login_required");
    for token in [link.token.clone(), format!("{}x", link.token)] {
        let refused = confirm(&shop, &kim, &token).await;
        assert_eq!(refused.expect(409).code(), "link_invalid");
    }
    let empty = confirm(&shop, &hong, "").await;
    assert_eq!(empty.expect(400).complaint(), ("token", "required"));
    let confirmed = confirm(&shop, &hong, &link.token).await.expect(200);
    assert_eq!(confirmed.body["user"]["emailConfirmed"], true);
    let again = confirm(&shop, &hong, &link.token).await;
    assert_eq!(again.expect(409).code(), "link_used");
    assert_eq!(
        ask(&shop, &hong).await.expect(409).code(),
        "not_allowed_now"
    );
    assert!(is_confirmed(&shop, &hong).await);
    in_order(&shop).await;
}

#[tokio::test]
async fn a_link_ends_after_a_day_and_two_clicks_at_once_confirm_once() {
    let shop = start().await;
    let hong = shop.sign_up("hong1234").await;
    let first = link_of(&shop, TO, &hong, 1).await;
    shop.advance(Duration::hours(24));
    let hong = shop.account("hong1234", &hong.password).await;
    let late = confirm(&shop, &hong, &first.token).await;
    assert_eq!(late.expect(409).code(), "link_expired");
    ask(&shop, &hong).await.expect(204);
    let second = link_of(&shop, TO, &hong, 2).await;
    let (one, other) = tokio::join!(
        confirm(&shop, &hong, &second.token),
        confirm(&shop, &hong, &second.token)
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let state = shop.app.store.load::<Member>(&hong.id).await.unwrap().state;
    assert!(state.email_confirmed);
}

#[tokio::test]
async fn an_address_is_confirmed_by_one_member_and_free_when_it_is_left() {
    let shop = start().await;
    let hong = shop.sign_up("hong1234").await;
    // An address that is not confirmed blocks no other member.
    let kim = with_address(&shop, "kim12345", "HONG1234@example.com").await;
    let lee = with_address(&shop, "lee12345", TO).await;
    let of_hong = link_of(&shop, TO, &hong, 2).await;
    let of_kim = link_of(&shop, "HONG1234@example.com", &kim, 1).await;
    let of_lee = link_of(&shop, TO, &lee, 2).await;
    confirm(&shop, &hong, &of_hong.token).await.expect(200);
    let taken = confirm(&shop, &kim, &of_kim.token).await;
    assert_eq!(taken.expect(409).code(), "email_taken");
    assert!(!is_confirmed(&shop, &kim).await);
    in_order(&shop).await;
    // Another address ends the confirmation, and the refused link still works.
    move_to(&shop, &hong, "new@example.com").await;
    assert!(!is_confirmed(&shop, &hong).await);
    confirm(&shop, &kim, &of_kim.token).await.expect(200);
    let old = confirm(&shop, &hong, &of_hong.token).await;
    assert_eq!(old.expect(409).code(), "link_used");
    let next = link_of(&shop, "new@example.com", &hong, 1).await;
    confirm(&shop, &hong, &next.token).await.expect(200);
    in_order(&shop).await;
    // So does closing the account.
    let leaving = json!({ "password": kim.password });
    let left = shop.post("/api/v1/me/withdraw", &leaving).as_(&kim);
    left.send().await.expect(200);
    confirm(&shop, &lee, &of_lee.token).await.expect(200);
    in_order(&shop).await;
}

#[tokio::test]
async fn a_link_is_for_the_address_it_was_sent_to() {
    let shop = start().await;
    let hong = shop.sign_up("hong1234").await;
    let link = link_of(&shop, TO, &hong, 1).await;
    move_to(&shop, &hong, "new@example.com").await;
    let other = confirm(&shop, &hong, &link.token).await;
    assert_eq!(other.expect(409).code(), "link_invalid");
    // Case and spaces make no other address, and a changed nickname no mail.
    move_to(&shop, &hong, "NEW@example.com").await;
    let body = json!({ "nickname": "새별명" });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong);
    change.send().await.expect(200);
    shop.settled().await;
    let link = link_of(&shop, "new@example.com", &hong, 1).await;
    assert_eq!(shop.mails("NEW@example.com").await, Vec::<Value>::new());
    confirm(&shop, &hong, &link.token).await.expect(200);
}

#[tokio::test]
async fn ids_and_passwords_are_found_by_the_member_who_confirmed_the_address() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = with_address(&shop, "kim12345", TO).await;
    assert!(
        shop.mails(TO).await.is_empty(),
        "switched off, and not asked for"
    );
    ask(&shop, &hong).await.expect(204);
    let link = link_of(&shop, TO, &hong, 1).await;
    confirm(&shop, &hong, &link.token).await.expect(200);
    let form = json!({ "email": TO });
    let asked = shop.post("/api/v1/users/find-id", &form).send().await;
    asked.expect(204);
    for username in ["kim12345", "hong1234"] {
        let form = json!({ "username": username, "email": TO });
        let asked = shop.post("/api/v1/users/find-password", &form).send().await;
        asked.expect(204);
    }
    let mail = shop.mail(TO, "비밀번호 재설정").await;
    assert_eq!(shop.link_in(&mail, "find-password").member, hong.id);
    let mail = shop.mail(TO, "아이디 확인").await;
    assert_eq!(shop.link_in(&mail, "find-id").member, hong.id);
    assert_eq!(shop.mails(TO).await.len(), 3);
    // A member with an unconfirmed address of their own comes back as before.
    move_to(&shop, &kim, "kim@example.com").await;
    let form = json!({ "username": "kim12345", "email": "kim@example.com" });
    let asked = shop.post("/api/v1/users/find-password", &form).send().await;
    asked.expect(204);
    shop.mail("kim@example.com", "비밀번호 재설정").await;
}

#[tokio::test]
async fn five_links_a_day_are_sent_to_a_member_and_to_an_address() {
    let shop = start().await;
    let hong = shop.sign_up("hong1234").await;
    links(&shop, TO, 1).await;
    for many in 2..=5 {
        ask(&shop, &hong).await.expect(204);
        links(&shop, TO, many).await;
    }
    shop.advance(Duration::minutes(2));
    let more = ask(&shop, &hong).await.expect(429);
    assert_eq!(more.code(), "too_many_requests");
    let seconds = more.header("retry-after").unwrap().parse::<i64>().unwrap();
    assert!(seconds > 80_000, "{seconds}");
    // Neither another address of the member nor another member with the address gets one.
    move_to(&shop, &hong, "new@example.com").await;
    let kim = with_address(&shop, "kim12345", TO).await;
    shop.settled().await;
    assert_eq!(
        ask(&shop, &kim).await.expect(429).code(),
        "too_many_requests"
    );
    links(&shop, TO, 5).await;
    assert_eq!(shop.mails("new@example.com").await, Vec::<Value>::new());
    shop.advance(Duration::hours(24));
    let hong = shop.account("hong1234", &hong.password).await;
    ask(&shop, &hong).await.expect(204);
    link_of(&shop, "new@example.com", &hong, 1).await;
}
