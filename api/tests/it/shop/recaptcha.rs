//! The check against programs before guests write: passes, verdicts, and a service that is down or slow.

use serde_json::{Value, json};
use time::Duration;

use crate::support::{Reply, TestApp};

const CHECK: &str = "/api/plugins/recaptcha";
const CONTACTS: &str = "/api/v1/center/contacts";
const ON: (&str, &str) = ("JANGBU_RECAPTCHA_SITE_KEY", "site-key");

/// A shop with the check, whose sandbox is the one of its payments.
async fn guarded(more: &[(&str, &str)]) -> TestApp {
    let settings: Vec<_> = [ON, ("JANGBU_RECAPTCHA_TIMEOUT_SECONDS", "1")]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    TestApp::with(&settings).await
}

async fn handed_out(shop: &TestApp) -> String {
    let call = shop.post(&format!("{}/sandbox/recaptcha", shop.sandbox), &json!({}));
    let body = call.send().await.expect(200).body;
    body["response"].as_str().unwrap().to_owned()
}

async fn check(shop: &TestApp, response: &str) -> Reply {
    let form = json!({ "response": response });
    shop.post(CHECK, &form).send().await
}

async fn pass(shop: &TestApp, response: &str) -> String {
    let body = check(shop, response).await.expect(200).body;
    body["pass"].as_str().unwrap().to_owned()
}

async fn write(shop: &TestApp, pass: &str) -> Reply {
    let form = json!({
        "category": "OTHER", "name": "김문의", "email": "kim@example.com", "subject": "문의", "content": "문의합니다.",
        "agreed": true, "recaptcha": pass,
    });
    shop.post(CONTACTS, &form).send().await
}

async fn fault(shop: &TestApp, rule: Value) {
    let faults = format!("{}/sandbox/faults", shop.sandbox);
    shop.post(&faults, &rule).send().await;
}

#[tokio::test]
async fn a_guest_needs_a_pass_of_their_own_that_is_not_too_old() {
    let shop = guarded(&[]).await;
    let config = shop.get(CHECK).send().await.expect(200).body;
    assert_eq!(config["enabled"], true);
    assert_eq!(config["siteKey"], "site-key");
    assert!(
        config["scriptUrl"]
            .as_str()
            .unwrap()
            .starts_with(&shop.sandbox)
    );
    for forged in ["", "x", "99999999999.AAAA", "99999999999999999999.x"] {
        let refused = write(&shop, forged).await.expect(400);
        assert_eq!(refused.complaint(), ("recaptcha", "required"), "{forged}");
    }
    let response = handed_out(&shop).await;
    let own = pass(&shop, &response).await;
    write(&shop, &own).await.expect(201);
    // A response has one verdict.
    for used in [response.as_str(), "", "made-up"] {
        let refused = check(&shop, used).await.expect(400);
        assert_eq!(refused.complaint(), ("response", "not_human"), "{used}");
    }
    let (until, hash) = own.split_once('.').unwrap();
    let longer = format!("{}.{hash}", until.parse::<i64>().unwrap() + 1);
    write(&shop, &longer).await.expect(400);
    shop.advance(Duration::minutes(31));
    let late = write(&shop, &own).await.expect(400);
    assert_eq!(late.complaint(), ("recaptcha", "required"));
}

#[tokio::test]
async fn a_service_that_is_down_slow_or_set_up_wrongly_keeps_nobody_out() {
    let shop = guarded(&[
        ("JANGBU_LIMITS_SUBMISSIONS_PER_HOUR", "1"),
        ("JANGBU_LIMITS_SUBMISSIONS_BURST", "2"),
    ])
    .await;
    for rule in [
        json!({ "call": "siteVerify", "fault": "errorBefore", "times": 1 }),
        json!({ "call": "siteVerify", "fault": "timeoutBefore", "times": 1 }),
        json!({ "call": "siteVerify", "fault": "refuse", "code": "invalid-input-secret", "times": 1 }),
    ] {
        fault(&shop, rule.clone()).await;
        assert!(!pass(&shop, "anything").await.is_empty(), "{rule}");
    }
    fault(
        &shop,
        json!({ "call": "siteVerify", "fault": "errorBefore" }),
    )
    .await;
    let without = pass(&shop, "anything").await;
    // The limit of the address holds.
    write(&shop, &without).await.expect(201);
    write(&shop, &without).await.expect(201);
    let late = write(&shop, &without).await.expect(429);
    assert_eq!(late.code(), "too_many_requests");
}

#[tokio::test]
async fn without_a_key_the_check_is_off() {
    let shop = TestApp::start().await;
    let config = shop.get(CHECK).send().await.expect(200).body;
    assert_eq!(
        config,
        json!({ "enabled": false, "siteKey": "", "scriptUrl": "" })
    );
    assert_eq!(pass(&shop, "").await, "");
    write(&shop, "").await.expect(201);
}
