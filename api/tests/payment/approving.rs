//! Approvals: charged once, with the right key, and with a definite outcome in the end.

use axum::Router;
use domain::Amount;
use integrations::payment::units::Currency;
use integrations::payment::{
    Outcome, PaymentGateway, ReturnError, ReturnForm, Status, UnknownReason,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{CLIENT, SECRET, Stand, client, done, done_before, refused, unknown, usd};

#[tokio::test]
async fn a_payment_is_authenticated_approved_and_found() {
    let stand = Stand::new().await;
    let tid = stand.authenticated("order-1", 1004).await;
    let before = done(stand.gateway.query(&tid).await);
    assert_eq!(
        (before.status, before.balance),
        (Status::Ready, Amount::ZERO)
    );
    let answer = done(
        stand
            .gateway
            .approve(&tid, Amount::new(1004), "order-1")
            .await,
    );
    assert_eq!(answer.status, Status::Paid);
    assert_eq!(
        (answer.amount, answer.balance),
        (Amount::new(1004), Amount::new(1004))
    );
    assert!(answer.paid_at.is_some() && answer.approve_no.is_some());
    assert_eq!(done(stand.gateway.find("order-1").await).tid, tid);
    assert_eq!(refused(stand.gateway.find("order-2").await), "A115");
    assert_eq!(refused(stand.gateway.query("nobody").await), "A115");
    assert_eq!(
        refused(stand.gateway.query("../../sandbox/charges").await),
        "A115"
    );
}

#[tokio::test]
async fn a_tampered_amount_passes_neither_the_shop_nor_the_service() {
    let stand = Stand::new().await;
    // The buyer changes the amount in the browser, and pays one cent.
    let form = stand.form("order-1", 1, "card").await;
    let read = stand
        .gateway
        .read_return(&form, "order-1", Amount::new(1004));
    assert_eq!(read, Err(ReturnError::Differs("amount")));
    // ... or pays one cent and changes the form.
    let forged = ReturnForm {
        amount: "1004".into(),
        ..form.clone()
    };
    let read = stand
        .gateway
        .read_return(&forged, "order-1", Amount::new(1004));
    assert_eq!(read, Err(ReturnError::Signature));
    // And the gateway does not charge another amount than was authenticated.
    assert_eq!(
        refused(
            stand
                .gateway
                .approve(&form.tid, Amount::new(1004), "order-1")
                .await
        ),
        "A123"
    );
    for (amount, valid) in [(1, true), (1004, false)] {
        let check = stand.http.post(format!(
            "http://{}/v1/check-amount/{}",
            stand.address, form.tid
        ));
        let check = check
            .basic_auth(CLIENT, Some(SECRET))
            .json(&json!({ "amount": amount }));
        let answer: Value = check.send().await.unwrap().json().await.unwrap();
        assert_eq!(
            (&answer["resultCode"], &answer["isValid"]),
            (&json!("0000"), &json!(valid))
        );
    }
    assert_eq!(stand.sums().await, (0, 0));
}

#[tokio::test]
async fn nobody_without_the_secret_gets_in() {
    let stand = Stand::new().await;
    let tid = stand.authenticated("order-1", 500).await;
    let stranger = client(stand.address, "guess", usd());
    assert_eq!(
        refused(stranger.approve(&tid, Amount::new(500), "order-1").await),
        "U104"
    );
    // Right password, wrong signature.
    let forged = json!({ "amount": 500, "ediDate": "2026-01-02T03:04:05.000+0900", "signData": "0".repeat(64) });
    let call = stand
        .http
        .post(format!("http://{}/v1/payments/{tid}", stand.address));
    let answer: Value = call
        .basic_auth(CLIENT, Some(SECRET))
        .json(&forged)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(answer["resultCode"], "A101");
    assert_eq!(answer["service"], "Jangbu payment sandbox");
    assert_eq!(stand.sums().await, (0, 0));
}

#[tokio::test]
async fn an_approval_is_never_charged_twice() {
    let stand = Stand::new().await;
    let first = stand.authenticated("order-1", 500).await;
    let second = stand.authenticated("order-1", 500).await;
    done(
        stand
            .gateway
            .approve(&first, Amount::new(500), "order-1")
            .await,
    );
    assert_eq!(
        done_before(
            stand
                .gateway
                .approve(&first, Amount::new(500), "order-1")
                .await
        ),
        "2201"
    );
    assert_eq!(
        refused(
            stand
                .gateway
                .approve(&second, Amount::new(500), "order-1")
                .await
        ),
        "A127"
    );
    assert_eq!(
        stand.form("order-1", 500, "card").await.auth_result_code,
        "A127"
    );
    // Delivered twice: the shop receives only the second response, and a query returns the state.
    stand
        .fault(json!({ "call": "approve", "fault": "twice", "orderId": "order-2" }))
        .await;
    let tid = stand.authenticated("order-2", 70).await;
    assert_eq!(
        done_before(
            stand
                .gateway
                .approve(&tid, Amount::new(70), "order-2")
                .await
        ),
        "2201"
    );
    assert_eq!(done(stand.gateway.query(&tid).await).status, Status::Paid);
    assert_eq!(stand.sums().await, (570, 570));
}

#[tokio::test]
async fn an_approval_without_an_answer_is_asked_about_and_undone() {
    let stand = Stand::new().await;
    for (fault, charged) in [
        ("timeoutAfter", true),
        ("dropAfter", true),
        ("errorAfter", true),
        ("badSignature", true),
        ("timeoutBefore", false),
        ("dropBefore", false),
        ("errorBefore", false),
    ] {
        let order = format!("order-{fault}");
        stand
            .fault(json!({ "call": "approve", "fault": fault, "times": 1 }))
            .await;
        let tid = stand.authenticated(&order, 900).await;
        let reason = unknown(stand.gateway.approve(&tid, Amount::new(900), &order).await);
        let fits = match fault {
            "timeoutAfter" | "timeoutBefore" => reason == UnknownReason::Timeout,
            "errorAfter" | "errorBefore" => reason == UnknownReason::Service(500),
            "badSignature" => reason == UnknownReason::Signature,
            _ => matches!(reason, UnknownReason::ConnectionLost(_)),
        };
        assert!(fits, "{fault}: {reason:?}");
        let asked = done(stand.gateway.query(&tid).await);
        assert_eq!(asked.status == Status::Paid, charged, "{fault}");
        let undone = done(stand.gateway.net_cancel(&order).await);
        assert_eq!(
            (undone.status, undone.balance),
            (Status::Cancelled, Amount::ZERO),
            "{fault}"
        );
        assert_eq!(
            done_before(stand.gateway.net_cancel(&order).await),
            "2013",
            "{fault}"
        );
        // An approval that arrives later is refused.
        let late = stand.gateway.approve(&tid, Amount::new(900), &order).await;
        assert!(!matches!(late, Outcome::Done(_)), "{fault}: {late:?}");
    }
    assert_eq!(stand.sums().await, (4 * 900, 0));
}

#[tokio::test]
async fn a_net_cancel_is_taken_for_an_hour() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 900).await;
    stand
        .tell("/sandbox/clock", json!({ "forwardSeconds": 3601 }))
        .await;
    assert_eq!(refused(stand.gateway.net_cancel("order-1").await), "2020");
    done(stand.cancel(&tid, "order-1-c1", None).await);
    assert_eq!(refused(stand.gateway.net_cancel("order-9").await), "A115");
}

#[tokio::test]
async fn a_refusal_a_late_answer_and_a_closed_door_are_told_apart() {
    let stand = Stand::new().await;
    stand
        .fault(json!({ "call": "approve", "fault": "refuse", "code": "3095", "times": 1 }))
        .await;
    let tid = stand.authenticated("order-1", 900).await;
    assert_eq!(
        refused(
            stand
                .gateway
                .approve(&tid, Amount::new(900), "order-1")
                .await
        ),
        "3095"
    );
    stand
        .fault(json!({ "call": "approve", "fault": "late", "milliseconds": 100, "times": 1 }))
        .await;
    done(
        stand
            .gateway
            .approve(&tid, Amount::new(900), "order-1")
            .await,
    );

    let nobody = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let gateway = client(nobody, SECRET, usd());
    let outcome = gateway.approve("tid", Amount::new(900), "order-1").await;
    assert!(matches!(outcome, Outcome::NotSent { .. }), "{outcome:?}");
    // An amount that the gateway's currency cannot express is not sent at all.
    let won = Currency::new("KRW", 0, Amount::new(100)).unwrap();
    let gateway = client(stand.address, SECRET, won);
    let outcome = gateway.approve(&tid, Amount::new(950), "order-1").await;
    assert!(matches!(outcome, Outcome::NotSent { .. }), "{outcome:?}");
}

#[tokio::test]
async fn an_answer_about_something_else_is_a_doubt() {
    let stand = Stand::new().await;
    let cheap = stand.authenticated("cheap", 900).await;
    // The tid is not part of the return signature: a buyer can replace it with another payment's.
    let outcome = stand
        .gateway
        .approve(&cheap, Amount::new(900), "dear")
        .await;
    assert_eq!(unknown(outcome), UnknownReason::Differs("orderId"));
}

#[tokio::test]
async fn an_answer_nobody_can_read_is_a_doubt() {
    let strange = Router::new().fallback(|| async { "<html>maintenance</html>" });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stand = Stand::at(listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, strange).await.unwrap() });
    let outcome = stand
        .gateway
        .approve("tid", Amount::new(900), "order-1")
        .await;
    assert!(matches!(unknown(outcome), UnknownReason::Unreadable(_)));
}
