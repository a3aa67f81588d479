//! Reports on texts: whether the phone got one, asked for until it is known, or told by the gateway's webhook.

use application::messages::outbox;
use domain::ids::{MessageId, ProductId};
use domain::message::{Message, MessageState};
use event_store::StreamId;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::shop::id_of;
use crate::support::texts::TEXTED;
use crate::support::{Account, TestApp, until};

const WEBHOOK: &str = "/api/plugins/solapi/report";

impl TestApp {
    /// What the carrier reports on the next text.
    async fn next_report(&self, mut rule: Value) {
        rule["call"] = json!("reportSms");
        rule["times"] = json!(1);
        self.fault(rule).await;
    }

    async fn text_message(&self, id: MessageId) -> Message {
        let loaded = self.app.store.load::<Message>(&id.to_string()).await;
        loaded.unwrap().state
    }

    /// Events of a message, without those of earlier stages.
    async fn reports(&self, id: MessageId) -> Vec<String> {
        let stream = StreamId::of::<Message>(id);
        let events = self.app.store.read_stream(&stream).await.unwrap();
        let names = events.into_iter().map(|event| event.event_type);
        let sent = names.skip_while(|name| name != "MessageSent").skip(1);
        sent.collect()
    }

    /// Has reports posted to this shop.
    async fn register_webhook(&self) {
        let path = format!("{}/sandbox/texts/webhook", self.sandbox);
        let webhook = json!({ "reportUrl": format!("{}{WEBHOOK}", self.url) });
        self.post(&path, &webhook).send().await.expect(204);
    }

    async fn is_verified(&self) -> bool {
        self.settled().await;
        verify(&self.app.store, |_| {}).await.unwrap().is_clean()
    }
}

struct Buying {
    buyer: Account,
    product: ProductId,
}

impl Buying {
    async fn at(shop: &TestApp) -> Self {
        let sells = shop.seller().await;
        Self {
            product: shop.product(sells, 10_010, 10).await,
            buyer: shop.sign_up("hong1234").await,
        }
    }

    /// Pays an order, which leads to a text.
    async fn pay(&self, shop: &TestApp) {
        let order = id_of(&shop.order(&self.buyer, self.product, 1).await.expect(201));
        shop.pay(&self.buyer.token, &order).await.expect(303);
    }
}

#[tokio::test]
async fn a_text_is_delivered_once_its_carrier_says_so() {
    let shop = TestApp::with(&[TEXTED]).await;
    let staff = shop.console().await;
    shop.next_report(json!({ "fault": "late", "milliseconds": 1_500 }))
        .await;
    Buying::at(&shop).await.pay(&shop).await;
    let id = shop.message_becomes(MessageState::Sent).await;
    // Not asked before it is time.
    outbox::deliver(&shop.app, id).await.unwrap();
    assert!(shop.reports(id).await.is_empty());
    // The carrier has not reported yet, so it is asked again.
    shop.advance(Duration::MINUTE);
    until("the gateway has no report", async || {
        (shop.reports(id).await == ["MessageReportMissing"]).then_some(())
    })
    .await;
    tokio::time::sleep(std::time::Duration::from_millis(1_600)).await;
    shop.advance(Duration::minutes(4));
    shop.message_becomes(MessageState::Delivered).await;
    shop.settled().await;
    let list = shop.get("/api/console/messages?state=DELIVERED");
    let list = list.as_(&staff).send().await.expect(200).body;
    let message = &list["messages"][0];
    assert_eq!(
        (&message["state"], &message["resendable"], &message["dueAt"]),
        (&json!("DELIVERED"), &json!(false), &Value::Null)
    );
    assert!(shop.is_verified().await);
}

/// A report that never comes leaves the text sent; it is not asked for for ever.
#[tokio::test]
async fn a_report_that_never_comes_leaves_the_text_sent() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.next_report(json!({ "fault": "timeoutBefore" })).await;
    Buying::at(&shop).await.pay(&shop).await;
    let id = shop.message_becomes(MessageState::Sent).await;
    for asked in 1..=8 {
        // A gateway that does not answer has no report either.
        if asked == 3 {
            shop.fault(json!({ "call": "findSms", "fault": "errorBefore", "times": 1 }))
                .await;
        }
        shop.advance(Duration::days(1));
        until("it is asked again", async || {
            (shop.reports(id).await.len() == asked).then_some(())
        })
        .await;
    }
    let message = shop.text_message(id).await;
    assert_eq!((message.state, message.due_at), (MessageState::Sent, None));
    shop.advance(Duration::days(30));
    outbox::deliver(&shop.app, id).await.unwrap();
    assert_eq!(shop.reports(id).await.len(), 8);
    assert!(shop.is_verified().await);
}

#[tokio::test]
async fn a_number_without_a_subscriber_is_stopped_when_it_is_reported() {
    let shop = TestApp::with(&[TEXTED]).await;
    let staff = shop.console().await;
    shop.next_report(json!({ "fault": "refuse", "code": "3032" }))
        .await;
    let buying = Buying::at(&shop).await;
    buying.pay(&shop).await;
    shop.message_becomes(MessageState::Sent).await;
    shop.advance(Duration::MINUTE);
    shop.message_becomes(MessageState::Bounced).await;
    shop.settled().await;
    buying.pay(&shop).await;
    until("the second is given up", async || {
        let messages = shop.messages().await;
        let (_, last) = messages.into_iter().next_back()?;
        (last.state == MessageState::GivenUp && last.attempts == 0).then_some(())
    })
    .await;
    shop.settled().await;
    let list = shop.get("/api/console/messages").as_(&staff);
    let list = list.send().await.expect(200).body;
    let first = &list["messages"][1];
    assert_eq!(
        (&first["state"], &first["reason"], &first["code"]),
        (&json!("BOUNCED"), &json!("ADDRESS"), &json!(3032))
    );
    assert_eq!(first["stopsAddress"], true);
    assert_eq!(list["messages"][0]["reason"], "ADDRESS_STOPPED");
    assert!(shop.is_verified().await);
}

/// A phone that was off is no reason to stop its number, and staff may send the text again.
#[tokio::test]
async fn a_text_that_did_not_arrive_can_be_sent_again() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.next_report(json!({ "fault": "refuse", "code": "3040" }))
        .await;
    Buying::at(&shop).await.pay(&shop).await;
    shop.message_becomes(MessageState::Sent).await;
    shop.advance(Duration::MINUTE);
    let id = shop.message_becomes(MessageState::Bounced).await;
    let message = shop.text_message(id).await;
    assert!(!message.stops_address);
    let again = TestApp::by_system("resend-message");
    application::messages::resend(&shop.app, &again, id)
        .await
        .unwrap();
    shop.message_becomes(MessageState::Sent).await;
    assert_eq!(shop.text_message(id).await.attempts, 2);
    // Each attempt waits for its own report.
    shop.next_report(json!({ "fault": "early" })).await;
    tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
    shop.advance(Duration::MINUTE);
    shop.message_becomes(MessageState::Delivered).await;
    assert!(shop.is_verified().await);
}

/// The gateway posts each report twice; it is recorded once, and without waiting for the next question.
#[tokio::test]
async fn the_webhook_tells_sooner_and_twice_changes_nothing() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.register_webhook().await;
    shop.next_report(json!({ "fault": "late", "milliseconds": 500 }))
        .await;
    Buying::at(&shop).await.pay(&shop).await;
    let id = shop.message_becomes(MessageState::Delivered).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    shop.advance(Duration::days(1));
    shop.settled().await;
    assert_eq!(shop.reports(id).await, ["MessageDelivered"]);
    assert!(shop.is_verified().await);
}

/// What a webhook says is not believed: the gateway is asked.
#[tokio::test]
async fn a_forged_report_changes_nothing() {
    let shop = TestApp::with(&[TEXTED]).await;
    shop.next_report(json!({ "fault": "timeoutBefore" })).await;
    Buying::at(&shop).await.pay(&shop).await;
    let id = shop.message_becomes(MessageState::Sent).await;
    let forged = |message: &str, code: &str| json!([{ "messageId": "M4V1", "statusCode": code, "customFields": { "message": message, "attempt": "1" } }]);
    let id_text = id.to_string();
    let unknown = uuid::Uuid::now_v7().to_string();
    for body in [
        forged(&id_text, "4000"),
        forged(&id_text, "3032"),
        forged(&unknown, "4000"),
        forged("x", "4000"),
        json!([{}]),
        json!([]),
    ] {
        shop.post(WEBHOOK, &body).send().await.expect(204);
    }
    let broken = shop.post(WEBHOOK, &json!({ "messageId": 1 })).send().await;
    assert_eq!(broken.expect(400).code(), "malformed_json");
    assert_eq!(shop.text_message(id).await.state, MessageState::Sent);
    assert!(shop.reports(id).await.is_empty());
}
