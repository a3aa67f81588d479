//! The client of texts against the sandbox: every outcome, and what it finds again.

use integrations::sms::solapi::{SolapiClient, SolapiConfig};
use integrations::sms::{Failure, Lookup, Outcome, Sms, SmsAttempt, SmsGateway, Talk};
use serde_json::json;
use std::time::Duration;

use super::{SMS_KEY, SMS_SECRET, SMS_SENDER, Stand};

const TO: &str = "01012345678";

fn config(stand: &Stand) -> SolapiConfig {
    SolapiConfig {
        base_url: format!("http://{}", stand.address),
        api_key: SMS_KEY.to_owned(),
        api_secret: SMS_SECRET.to_owned(),
        sender: SMS_SENDER.to_owned(),
        talk_profile: Some("KA01PF1".to_owned()),
        timeout: Duration::from_secs(1),
        bypass_proxy: true,
    }
}

fn client(stand: &Stand) -> SolapiClient {
    SolapiClient::new(config(stand)).unwrap()
}

fn sms(id: &str, attempt: u32) -> Sms {
    Sms {
        id: id.to_owned(),
        attempt,
        number: TO.to_owned(),
        subject: "[장부상회] 주문 접수".to_owned(),
        text: "[장부상회] 주문 접수".to_owned(),
        talk: None,
    }
}

fn attempt(id: &str, attempt: u32) -> SmsAttempt {
    SmsAttempt {
        id: id.to_owned(),
        attempt,
        number: TO.to_owned(),
    }
}

fn failed(why: Failure, code: u16) -> Outcome {
    let code = Some(code);
    Outcome::Failed { why, code }
}

async fn taken(stand: &Stand) -> usize {
    let answer = stand.ask(&format!("/sandbox/texts?to={TO}")).await;
    answer["texts"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_text_is_taken_and_found_by_its_own_id() {
    let stand = Stand::new().await;
    let client = client(&stand);
    let sent = client.send(&sms("m1", 1)).await;
    let is_taken = matches!(&sent, Outcome::Sent { queue_id } if queue_id.starts_with("M4V"));
    assert!(is_taken, "{sent:?}");
    let found = client.find(&attempt("m1", 1)).await;
    assert_eq!(found, Lookup::Found(sent));
    // Also for a later attempt: the receiver has it.
    assert!(matches!(
        client.find(&attempt("m1", 2)).await,
        Lookup::Found(Outcome::Sent { .. })
    ));
    assert_eq!(client.find(&attempt("m2", 1)).await, Lookup::Missing);
    // Many to one number: more than a page.
    for number in 0..101 {
        client.send(&sms(&format!("other{number}"), 1)).await;
    }
    assert!(matches!(
        client.find(&attempt("m1", 1)).await,
        Lookup::Found(Outcome::Sent { .. })
    ));
    assert_eq!(client.find(&attempt("m2", 1)).await, Lookup::Missing);
}

#[tokio::test]
async fn kinds_are_those_of_the_gateway() {
    let stand = Stand::new().await;
    let client = client(&stand);
    client.send(&sms("short", 1)).await;
    let mut long = sms("long", 1);
    long.text = "가".repeat(46);
    client.send(&long).await;
    let mut talk = sms("talk", 1);
    talk.talk = Some(Talk {
        template: "KA01TP1".to_owned(),
        variables: [("orderNo".to_owned(), "1".to_owned())].into(),
    });
    client.send(&talk).await;
    let texts = stand.ask("/sandbox/texts").await["texts"].clone();
    let shown = texts.as_array().unwrap().iter();
    let kinds: Vec<_> = shown.map(|text| text["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["SMS", "LMS", "ATA"]);
    assert_eq!(texts[1]["subject"], "[장부상회] 주문 접수");
    assert_eq!(texts[2]["kakaoOptions"]["variables"]["#{orderNo}"], "1");
    // A template the gateway does not have.
    let mut wrong = sms("wrong", 1);
    wrong.talk = Some(Talk {
        template: "OTHER".to_owned(),
        variables: [].into(),
    });
    assert_eq!(client.send(&wrong).await, failed(Failure::Unsendable, 1042));
}

#[tokio::test]
async fn refusals_have_the_reason_of_their_code() {
    let stand = Stand::new().await;
    let shop = client(&stand);
    for (code, expected) in [
        ("1060", Failure::Address),
        ("1061", Failure::Address),
        ("1062", Failure::Access),
        ("1030", Failure::Refused),
        ("1029", Failure::Unsendable),
        ("1099", Failure::Rejected),
        ("429", Failure::Refused),
        ("400", Failure::Rejected),
    ] {
        stand
            .fault(json!({ "call": "sendSms", "fault": "refuse", "code": code, "times": 1 }))
            .await;
        let outcome = shop.send(&sms(code, 1)).await;
        assert_eq!(outcome, failed(expected, code.parse().unwrap()), "{code}");
    }
    assert_eq!(taken(&stand).await, 0);
    // What was refused is listed; only that of the same attempt is its outcome.
    let listed = shop.find(&attempt("1060", 1)).await;
    assert_eq!(listed, Lookup::Found(failed(Failure::Address, 1060)));
    assert_eq!(shop.find(&attempt("1060", 2)).await, Lookup::Missing);
    // Another sender, key or secret.
    let other = |change: fn(&mut SolapiConfig)| {
        let mut config = config(&stand);
        change(&mut config);
        SolapiClient::new(config).unwrap()
    };
    let sender = other(|config| config.sender = "0299999999".to_owned());
    let refused = sender.send(&sms("m1", 1)).await;
    assert_eq!(refused, failed(Failure::Access, 1062));
    for wrong in [
        other(|config| config.api_key = "other".to_owned()),
        other(|config| config.api_secret = "other".to_owned()),
    ] {
        let refused = wrong.send(&sms("m1", 1)).await;
        assert_eq!(refused, failed(Failure::Access, 403));
        assert_eq!(wrong.find(&attempt("m1", 1)).await, Lookup::Unknown);
    }
}

#[tokio::test]
async fn a_lost_answer_is_unknown_and_can_be_asked_for() {
    for (fault, has_it) in [
        ("timeoutBefore", false),
        ("timeoutAfter", true),
        ("errorBefore", false),
        ("errorAfter", true),
        ("dropBefore", false),
        ("dropAfter", true),
    ] {
        let stand = Stand::new().await;
        let client = client(&stand);
        stand
            .fault(json!({ "call": "sendSms", "fault": fault, "times": 1, "to": TO }))
            .await;
        assert_eq!(
            client.send(&sms("m1", 1)).await,
            Outcome::Unknown,
            "{fault}"
        );
        let found = client.find(&attempt("m1", 1)).await;
        let is_found = matches!(found, Lookup::Found(Outcome::Sent { .. }));
        assert_eq!(is_found, has_it, "{fault}: {found:?}");
        assert_eq!(found == Lookup::Missing, !has_it, "{fault}: {found:?}");
        for silent in ["timeoutBefore", "errorBefore", "dropBefore"] {
            stand
                .fault(json!({ "call": "findSms", "fault": silent, "times": 1 }))
                .await;
            assert_eq!(client.find(&attempt("m1", 1)).await, Lookup::Unknown);
        }
    }
}

/// A signature that a listener saw is worth nothing: it was used.
#[tokio::test]
async fn a_call_is_signed_once() {
    let stand = Stand::new().await;
    let date = "2026-01-02T03:04:05Z";
    let header = |date: &str, signature: &str| {
        format!(
            "HMAC-SHA256 apiKey={SMS_KEY}, date={date}, salt=jqsba2jxjnrjor, signature={signature}"
        )
    };
    let call = async |header: Option<String>| {
        let url = format!("http://{}/messages/v4/list", stand.address);
        let mut request = stand.http.get(url);
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        let answer: serde_json::Value = request.send().await.unwrap().json().await.unwrap();
        answer["errorCode"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(call(None).await, "InvalidAPIKey");
    assert_eq!(call(Some(header(date, "0"))).await, "RequestTimeTooSkewed");
    let now = time::OffsetDateTime::now_utc();
    let now = now.format(&time::format_description::well_known::Rfc3339);
    let unsigned = header(&now.unwrap(), &"0".repeat(64));
    assert_eq!(call(Some(unsigned)).await, "SignatureDoesNotMatch");
}
