//! Virtual accounts and notices.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use domain::Amount;
use integrations::payment::{
    CancelRequest, NoticeError, PaymentGateway, RefundAccount, Status, UnknownReason,
};
use serde_json::json;
use tokio::net::TcpListener;

use crate::{Stand, done, refund, refused, unknown};

#[tokio::test]
async fn a_virtual_account_waits_for_its_deposit() {
    let stand = Stand::new().await;
    let form = stand.form("order-1", 800, "vbank").await;
    let issued = done(
        stand
            .gateway
            .approve(&form.tid, Amount::new(800), "order-1")
            .await,
    );
    assert_eq!(
        (issued.status, issued.balance),
        (Status::Ready, Amount::ZERO)
    );
    assert_eq!(issued.virtual_account.unwrap().holder, "김장부");
    stand
        .tell("/sandbox/deposit", json!({ "tid": form.tid }))
        .await;
    assert_eq!(
        done(stand.gateway.query(&form.tid).await).status,
        Status::Paid
    );
    assert_eq!(refused(stand.cancel(&form.tid, "c1", None).await), "2003");
    let account = RefundAccount {
        bank_code: "088".into(),
        number: "110".into(),
        holder: "김장부".into(),
    };
    let request = CancelRequest {
        refund_account: Some(account),
        ..refund(&form.tid, "c1", None)
    };
    assert_eq!(
        done(stand.gateway.cancel(&request).await).status,
        Status::Cancelled
    );

    let form = stand.form("order-2", 800, "vbank").await;
    done(
        stand
            .gateway
            .approve(&form.tid, Amount::new(800), "order-2")
            .await,
    );
    stand
        .tell("/sandbox/clock", json!({ "forwardSeconds": 8 * 86_400 }))
        .await;
    assert_eq!(
        done(stand.gateway.query(&form.tid).await).status,
        Status::Expired
    );
}

/// A notice endpoint of a shop; rejects the first `refusals` notices.
async fn notice_door(refusals: usize) -> (String, Arc<Mutex<Vec<Vec<u8>>>>) {
    let got = Arc::new(Mutex::new(Vec::new()));
    let (kept, left) = (Arc::clone(&got), Arc::new(Mutex::new(refusals)));
    let door = post(move |body: axum::body::Bytes| {
        let refuse = {
            let mut left = left.lock().unwrap();
            let refuse = *left > 0;
            *left = left.saturating_sub(1);
            refuse
        };
        if !refuse {
            kept.lock().unwrap().push(body.to_vec());
        }
        async move {
            (
                [(CONTENT_TYPE, "text/html")],
                if refuse { "FAIL" } else { "OK" },
            )
                .into_response()
        }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/notice", listener.local_addr().unwrap());
    tokio::spawn(async move {
        axum::serve(listener, Router::new().route("/notice", door))
            .await
            .unwrap()
    });
    (url, got)
}

async fn soon(what: &str, mut look: impl FnMut() -> bool) {
    for _ in 0..200 {
        if look() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    unreachable!("{what}")
}

#[tokio::test]
async fn notices_come_twice_and_again_until_taken_and_are_known_by_their_key() {
    let stand = Stand::new().await;
    let (url, got) = notice_door(1).await;
    stand
        .tell("/sandbox/settings", json!({ "noticeUrl": url }))
        .await;
    stand
        .fault(json!({ "call": "notice", "fault": "twice", "times": 1 }))
        .await;
    let tid = stand.paid("order-1", 500).await;
    soon("two notices", || got.lock().unwrap().len() == 2).await;
    let bodies = got.lock().unwrap().clone();
    let notices: Vec<_> = bodies
        .iter()
        .map(|body| stand.gateway.read_notice(body).unwrap())
        .collect();
    assert_eq!(notices[0].key(), notices[1].key());
    assert_eq!(
        (notices[0].answer.status, notices[0].answer.amount),
        (Status::Paid, Amount::new(500))
    );

    done(stand.cancel(&tid, "c1", Some(100)).await);
    done(stand.cancel(&tid, "c2", Some(100)).await);
    soon("two more", || got.lock().unwrap().len() == 4).await;
    let keys: Vec<_> = got.lock().unwrap()[2..]
        .iter()
        .map(|body| stand.gateway.read_notice(body).unwrap().key())
        .collect();
    assert_ne!(keys[0], keys[1], "two refunds are two notices");

    let forged = String::from_utf8(bodies[0].clone())
        .unwrap()
        .replace("\"amount\":500", "\"amount\":900");
    assert_eq!(
        stand.gateway.read_notice(forged.as_bytes()),
        Err(NoticeError::Signature)
    );
    assert!(matches!(
        stand.gateway.read_notice(b"tid=1"),
        Err(NoticeError::Unreadable(_))
    ));
    let mut all = stand.ask("/sandbox/notices").await;
    for _ in 0..40 {
        if all["taken"] == 4 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
        all = stand.ask("/sandbox/notices").await;
    }
    assert_eq!((&all["taken"], &all["waiting"]), (&json!(4), &json!(0)));
}

#[tokio::test]
async fn a_notice_can_come_before_the_answer_and_even_without_one() {
    let stand = Stand::new().await;
    let (url, got) = notice_door(0).await;
    stand
        .tell("/sandbox/settings", json!({ "noticeUrl": url }))
        .await;
    stand
        .fault(json!({ "call": "notice", "fault": "early" }))
        .await;
    stand.paid("order-1", 500).await;
    assert_eq!(
        got.lock().unwrap().len(),
        1,
        "it was there before the answer"
    );
    stand
        .fault(json!({ "call": "approve", "fault": "timeoutAfter", "times": 1 }))
        .await;
    let tid = stand.authenticated("order-2", 500).await;
    assert_eq!(
        unknown(
            stand
                .gateway
                .approve(&tid, Amount::new(500), "order-2")
                .await
        ),
        UnknownReason::Timeout
    );
    soon("the notice", || got.lock().unwrap().len() == 2).await;
}
