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
        let attempt = MessageCommand::Attempt;
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
        (Some("REJECTED"), Some(550))
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
