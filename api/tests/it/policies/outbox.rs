//! The outbox: each message once, whatever breaks.

use application::messages::{outbox, resend};
use domain::ids::MessageId;
use domain::message::{Message, MessageCommand, MessageState};
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::mail::MAILED;
use crate::support::{TestApp, until};

const TO: &str = "hong1234@example.com";

/// Has a mail requested for a new member.
async fn told(shop: &TestApp) {
    let hong = shop.sign_up("hong1234").await;
    let body = json!({ "password": "new12345!", "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong);
    change.send().await.expect(200);
}

async fn state_of(shop: &TestApp, id: MessageId) -> Message {
    let loaded = shop.app.store.load::<Message>(&id.to_string()).await;
    loaded.unwrap().state
}

#[tokio::test]
async fn a_mail_is_sent_once_with_its_own_id() {
    let shop = TestApp::with(&[MAILED]).await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Sent).await;
    let mail = shop.mail(TO, "비밀번호가 변경되었습니다").await;
    assert_eq!(mail["messageId"], format!("<{id}@jangbu.example>"));
    let queue: Option<String> = sqlx::query_scalar(
        "SELECT payload->'MessageSent'->>'queueId' FROM events WHERE event_type = 'MessageSent'",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(queue.as_deref(), mail["id"].as_str());
    // However often the worker looks at it, also after a day.
    for _ in 0..3 {
        outbox::deliver(&shop.app, id).await.unwrap();
    }
    shop.advance(Duration::days(1));
    outbox::deliver(&shop.app, id).await.unwrap();
    assert_eq!(shop.mails(TO).await.len(), 1);
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await;
    assert!(report.unwrap().is_clean());
}

#[tokio::test]
async fn of_many_workers_one_sends() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "connect", "fault": "refuse", "code": 421, "times": 1 }))
        .await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Deferred).await;
    shop.mail_fault(&json!({ "step": "message", "fault": "late", "milliseconds": 300 }))
        .await;
    shop.advance(Duration::hours(1));
    let all = (0..8).map(|_| outbox::deliver(&shop.app, id));
    for done in futures::future::join_all(all).await {
        done.unwrap();
    }
    shop.message_becomes(MessageState::Sent).await;
    assert_eq!(shop.mails(TO).await.len(), 1);
}

/// The server takes the mail, and its answer is lost: whether it has it is unknown, so it is not sent again.
#[tokio::test]
async fn a_lost_answer_is_uncertain_and_not_repeated() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "message", "fault": "dropAfter", "times": 1 }))
        .await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Uncertain).await;
    shop.advance(Duration::days(2));
    outbox::deliver(&shop.app, id).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(state_of(&shop, id).await.attempts, 1);
    assert_eq!(shop.mails(TO).await.len(), 1);
    // Staff may decide otherwise.
    let again = TestApp::by_system("resend-message");
    resend(&shop.app, &again, id).await.unwrap();
    shop.message_becomes(MessageState::Sent).await;
    let mails = shop.mails(TO).await;
    assert_eq!(mails.len(), 2);
    assert_eq!(mails[0]["messageId"], mails[1]["messageId"]);
}

/// What a worker leaves that is killed after it has begun: an attempt without an outcome.
#[tokio::test]
async fn an_attempt_of_a_killed_worker_is_concluded() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "connect", "fault": "refuse", "code": 421, "times": 1 }))
        .await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Deferred).await;
    shop.held_back(async {
        shop.advance(Duration::minutes(1));
        let command = TestApp::by_system("attempt-message");
        let attempt = MessageCommand::Attempt(None);
        let executor = &shop.app.executor;
        executor
            .execute::<Message>(&command, id, attempt)
            .await
            .unwrap();
    })
    .await;
    // The worker runs again, and waits as long as the other one may still be at it.
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(state_of(&shop, id).await.state, MessageState::Sending);
    shop.advance(Duration::minutes(5));
    shop.message_becomes(MessageState::Uncertain).await;
    assert_eq!(shop.mails(TO).await, Vec::<Value>::new());
}

#[tokio::test]
async fn what_did_not_reach_the_server_is_sent_again() {
    for (rule, attempts) in [
        (
            json!({ "step": "connect", "fault": "refuse", "code": 421 }),
            2,
        ),
        (json!({ "step": "connect", "fault": "dropBefore" }), 2),
        (json!({ "step": "rcpt", "fault": "refuse", "code": 451 }), 3),
        (json!({ "step": "data", "fault": "dropBefore" }), 2),
        (
            json!({ "step": "message", "fault": "refuse", "code": 452 }),
            2,
        ),
    ] {
        let shop = TestApp::with(&[MAILED]).await;
        let mut rule = rule;
        rule["times"] = json!(attempts);
        shop.mail_fault(&rule).await;
        told(&shop).await;
        for _ in 0..attempts {
            shop.message_becomes(MessageState::Deferred).await;
            assert_eq!(shop.mails(TO).await, Vec::<Value>::new(), "{rule}");
            let before = shop.messages().await[0].1.attempts;
            shop.advance(Duration::minutes(20));
            until("the next attempt", async || {
                let (_, message) = shop.messages().await.remove(0);
                (message.attempts > before && message.state != MessageState::Sending).then_some(())
            })
            .await;
        }
        let id = shop.message_becomes(MessageState::Sent).await;
        assert_eq!(state_of(&shop, id).await.attempts, attempts + 1, "{rule}");
        assert_eq!(shop.mails(TO).await.len(), 1, "{rule}");
    }
}

#[tokio::test]
async fn an_address_the_server_refuses_for_good_bounces() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "rcpt", "fault": "refuse", "code": 550, "to": TO }))
        .await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Bounced).await;
    shop.settled().await;
    let row = projections::messages::message(shop.app.pool(), id).await;
    let row = row.unwrap().unwrap();
    assert_eq!(
        (row.reason.as_deref(), row.code),
        (Some("ADDRESS"), Some(550))
    );
    assert_eq!(shop.mails(TO).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_message_to_an_erased_member_is_not_sent() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "connect", "fault": "refuse", "code": 421, "times": 1 }))
        .await;
    told(&shop).await;
    shop.message_becomes(MessageState::Deferred).await;
    let hong = shop.account("hong1234", "new12345!").await;
    let leaving = json!({ "password": "new12345!" });
    let left = shop.post("/api/v1/me/withdraw", &leaving).as_(&hong);
    left.send().await.expect(200);
    shop.advance(Duration::minutes(1));
    shop.message_becomes(MessageState::GivenUp).await;
    assert_eq!(shop.mails(TO).await, Vec::<Value>::new());
}

/// A server says that there is no such address: mail to it stops until staff lift it or the member corrects the address.
#[tokio::test]
async fn mail_to_an_address_that_bounced_stops() {
    let shop = TestApp::with(&[MAILED]).await;
    let staff = shop.console().await;
    let refusal =
        |code: u16| json!({ "step": "rcpt", "fault": "refuse", "code": code, "times": 1 });
    shop.mail_fault(&refusal(550)).await;
    let hong = shop.sign_up("hong1234").await;
    shop.settled().await;
    let info = async || {
        shop.get("/api/v1/me/info")
            .as_(&hong)
            .send()
            .await
            .expect(200)
            .body
    };
    assert_eq!(info().await["user"]["emailStopped"], false);
    let find_id = async |email: &str| {
        let find = json!({ "email": email });
        let find = shop.post("/api/v1/users/find-id", &find);
        find.send().await.expect(204);
    };
    find_id(TO).await;
    let bounced = shop.message_becomes(MessageState::Bounced).await;
    shop.settled().await;
    assert_eq!(info().await["user"]["emailStopped"], true);
    let list = shop.get("/api/console/messages").as_(&staff).send().await;
    assert_eq!(list.expect(200).body["messages"][0]["stopsAddress"], true);

    // Whatever is asked for later is given up at once, without an attempt; the server would take it.
    let find = json!({ "username": "hong1234", "email": TO });
    let find = shop.post("/api/v1/users/find-password", &find);
    find.send().await.expect(204);
    let given_up = until("the second is given up", async || {
        let mut messages = shop.messages().await;
        let (id, last) = messages.pop()?;
        (messages.len() == 1 && last.state == MessageState::GivenUp).then_some((id, last))
    })
    .await;
    assert_eq!(given_up.1.attempts, 0);
    assert_eq!(shop.mails(TO).await, Vec::<Value>::new());
    shop.settled().await;
    let list = shop.get("/api/console/messages?state=GIVEN_UP").as_(&staff);
    let list = list.send().await.expect(200).body;
    assert_eq!(list["messages"][0]["reason"], "ADDRESS_STOPPED");

    // Staff lift it, once, with a reason.
    let path = format!("/api/console/messages/{bounced}/release");
    let empty = json!({ "memo": "" });
    let empty = shop.post(&path, &empty).as_(&staff).send().await;
    assert_eq!(empty.expect(400).code(), "invalid");
    let other = format!("/api/console/messages/{}/release", given_up.0);
    let memo = json!({ "memo": "회원에게 확인" });
    let other = shop.post(&other, &memo).as_(&staff).send().await;
    assert_eq!(other.expect(409).code(), "not_allowed_now");
    shop.post(&path, &memo).as_(&hong).send().await.expect(403);
    let lifted = shop.post(&path, &memo).as_(&staff).send().await.expect(200);
    assert_eq!(lifted.body["message"]["stopsAddress"], false);
    assert_eq!(info().await["user"]["emailStopped"], false);
    let twice = shop.post(&path, &memo).as_(&staff).send().await;
    assert_eq!(twice.expect(409).code(), "not_allowed_now");
    let again = TestApp::by_system("resend-message");
    resend(&shop.app, &again, given_up.0).await.unwrap();
    shop.mail(TO, "비밀번호 재설정 안내").await;

    // It bounces again; a corrected address is free.
    shop.mail_fault(&refusal(553)).await;
    resend(&shop.app, &again, bounced).await.unwrap();
    until("it stops again", async || {
        let stopped = info().await["user"]["emailStopped"] == true;
        stopped.then_some(())
    })
    .await;
    let to = "hong.new@example.com";
    let change = json!({ "email": to, "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &change).as_(&hong);
    change.send().await.expect(200);
    assert_eq!(info().await["user"]["emailStopped"], false);
    shop.settled().await;
    find_id(to).await;
    shop.mail(to, "아이디 확인 안내").await;

    // Neither the address nor its hash is in the log, and what is kept goes with the member.
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM stopped_addresses")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(kept, 1);
    let hash: Vec<u8> = sqlx::query_scalar("SELECT hash FROM stopped_addresses")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let said: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE payload::text LIKE '%' || $1 || '%' OR payload::text LIKE '%' || $2 || '%'",
    )
    .bind(TO)
    .bind(hash)
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(said, 0);
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await;
    assert!(report.unwrap().is_clean());
}

/// A full mailbox, a refusal for the moment or one of the text stop no address.
#[tokio::test]
async fn other_refusals_stop_no_address() {
    for rule in [
        json!({ "step": "rcpt", "fault": "refuse", "code": 552 }),
        json!({ "step": "rcpt", "fault": "refuse", "code": 450 }),
        json!({ "step": "message", "fault": "refuse", "code": 550 }),
    ] {
        let shop = TestApp::with(&[MAILED]).await;
        let mut rule = rule;
        rule["times"] = json!(1);
        shop.mail_fault(&rule).await;
        told(&shop).await;
        until("the attempt ends", async || {
            let (_, message) = shop.messages().await.pop()?;
            let failed = [MessageState::Bounced, MessageState::Deferred];
            failed.contains(&message.state).then_some(())
        })
        .await;
        shop.settled().await;
        let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM stopped_addresses")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
        assert_eq!(kept, 0, "{rule}");
    }
}

/// A relay mails back later that a mail did not arrive: it bounces then, and an address that does not exist is stopped.
#[tokio::test]
async fn a_notification_of_the_relay_makes_a_sent_mail_bounce() {
    const SECRET: &str = "secret-of-the-relay";
    let shop = TestApp::with(&[MAILED, ("JANGBU_MAIL_BOUNCE_SECRET", SECRET)]).await;
    told(&shop).await;
    let id = shop.message_becomes(MessageState::Sent).await;
    let notification = |action: &str, status: &str, id: &str| {
        format!(
            "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; relay\r\n\r\nFinal-Recipient: rfc822; {TO}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n\
             --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{id}@jangbu.example>\r\n\r\n--b--\r\n"
        )
    };
    let post = async |secret: Option<&str>, mail: String| {
        let ask = shop.ask(reqwest::Method::POST, "/api/plugins/mail/bounce");
        let ask = match secret {
            Some(secret) => ask.token(secret),
            None => ask,
        };
        ask.body("message/rfc822", mail.into_bytes()).send().await
    };
    let id_text = id.to_string();
    let failed = notification("failed", "5.1.1", &id_text);
    for secret in [None, Some("another-secret-here")] {
        let refused = post(secret, failed.clone()).await;
        assert_eq!(refused.expect(403).code(), "access_denied");
    }
    let other = uuid::Uuid::now_v7().to_string();
    for mail in [
        notification("delayed", "4.4.1", &id_text),
        notification("failed", "5.1.1", &other),
        notification("failed", "5.1.1", "x"),
        "Subject: out of office\r\n\r\nHello".to_owned(),
        String::new(),
    ] {
        post(Some(SECRET), mail).await.expect(204);
    }
    assert_eq!(state_of(&shop, id).await.state, MessageState::Sent);
    for _ in 0..2 {
        post(Some(SECRET), failed.clone()).await.expect(204);
    }
    let bounced = state_of(&shop, id).await;
    assert_eq!(
        (bounced.state, bounced.stops_address),
        (MessageState::Bounced, true)
    );
    let bounces = "SELECT count(*) FROM events WHERE event_type = 'MessageBounced'";
    let bounces: i64 = sqlx::query_scalar(bounces)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(bounces, 1);
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await;
    assert!(report.unwrap().is_clean());
    // Without a secret set, none is believed.
    let off = TestApp::with(&[]).await;
    let ask = off.ask(reqwest::Method::POST, "/api/plugins/mail/bounce");
    let ask = ask.token("").body("message/rfc822", failed.into_bytes());
    ask.send().await.expect(403);
}
