//! The console's list of messages, and sending one again.

use domain::message::MessageState;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::mail::MAILED;
use crate::support::shop::id_of;
use crate::support::{TestApp, until};

const TO: &str = "hong@example.com";
const PATH: &str = "/api/console/messages";

#[tokio::test]
async fn staff_see_what_became_of_a_message_and_send_it_again() {
    let shop = TestApp::with(&[MAILED]).await;
    shop.mail_fault(&json!({ "step": "rcpt", "fault": "refuse", "code": 550, "times": 1 }))
        .await;
    let sells = shop.seller().await;
    let apples = shop.product(sells, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let placed = shop.order(&hong, apples, 1).await.expect(201);
    let order = id_of(&placed);
    shop.pay(&hong.token, &order).await.expect(303);
    shop.message_becomes(MessageState::Bounced).await;
    let staff = shop.console().await;
    let list = async |query: &str| -> Value {
        shop.settled().await;
        let list = shop.get(&format!("{PATH}{query}")).as_(&staff).send().await;
        list.expect(200).body
    };
    let all = list("").await;
    assert_eq!(all["summary"]["totalCount"], 1);
    let message = &all["messages"][0];
    assert_eq!(message["channel"], "MAIL");
    assert_eq!(message["template"], "ORDER_PLACED");
    assert_eq!(message["title"], "주문 완료");
    assert_eq!(message["state"], "BOUNCED");
    assert_eq!(message["attempts"], 1);
    assert_eq!(
        (&message["reason"], &message["code"]),
        (&json!("ADDRESS"), &json!(550))
    );
    assert_eq!(message["cause"]["kind"], "order");
    assert_eq!(message["cause"]["_id"], order.as_str());
    assert_eq!(message["cause"]["orderNo"], placed.body["order"]["orderNo"]);
    assert_eq!(message["resendable"], true);
    assert_eq!(message["stopsAddress"], true);
    assert_eq!(message["text"], Value::Null);
    assert!(!all.to_string().contains(TO), "no receiver is shown");
    assert_eq!(list("?state=SENT").await["summary"]["totalCount"], 0);
    assert_eq!(
        list("?template=ORDER_PLACED").await["summary"]["totalCount"],
        1
    );
    assert_eq!(
        list(&format!("?about={order}")).await["summary"]["totalCount"],
        1
    );
    assert_eq!(
        list(&format!("?about={}", Uuid::nil())).await["summary"]["totalCount"],
        0
    );
    let wrong = shop
        .get(&format!("{PATH}?state=LOST"))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(wrong.expect(400).code(), "invalid_query");

    let id = message["_id"].as_str().unwrap();
    let resend = format!("{PATH}/{id}/resend");
    let release = format!("{PATH}/{id}/release");
    let body = json!({ "memo": "주소를 확인했습니다" });
    let released = shop.post(&release, &body).as_(&staff).send().await;
    assert_eq!(released.expect(200).body["message"]["stopsAddress"], false);
    let sent = shop.post(&resend, &json!({})).as_(&staff).send().await;
    assert_eq!(sent.expect(200).body["message"]["state"], "REQUESTED");
    shop.message_becomes(MessageState::Sent).await;
    assert_eq!(shop.mails(TO).await.len(), 1);
    let again = shop.post(&resend, &json!({})).as_(&staff).send().await;
    assert_eq!(again.expect(409).code(), "not_allowed_now");
    let nobody = format!("{PATH}/{}/resend", Uuid::nil());
    let nobody = shop.post(&nobody, &json!({})).as_(&staff).send().await;
    assert_eq!(nobody.expect(404).code(), "not_found");
    until("the list says so", async || {
        let list = list("?state=SENT").await;
        let sent = &list["messages"][0];
        (sent["queueId"].is_string() && sent["reason"].is_null()).then_some(())
    })
    .await;
    // Members and sellers see none.
    for path in [PATH.to_owned(), resend] {
        let method = if path == PATH {
            reqwest::Method::GET
        } else {
            reqwest::Method::POST
        };
        let refused = shop.ask(method, &path).as_(&hong).send().await;
        assert_eq!(refused.expect(403).code(), "access_denied");
    }
}
