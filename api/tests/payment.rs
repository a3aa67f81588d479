//! The payment client against the sandbox, over HTTP: every outcome, and what the shop does about it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::future::pending;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::post;
use domain::Amount;
use integrations::payment::nice::{NiceClient, NiceConfig};
use integrations::payment::sign::SecretKey;
use integrations::payment::units::Currency;
use integrations::payment::{
    Answer, CancelRequest, NoticeError, Outcome, PaymentGateway, RefundAccount, ReturnError,
    ReturnForm, Status, UnknownReason,
};
use sandbox::sign::MerchantSecret;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const CLIENT: &str = "client-1";
const SECRET: &str = "secret-key-for-tests";

/// A sandbox of its own, and the shop's client for it.
struct Stand {
    address: SocketAddr,
    gateway: NiceClient,
    http: reqwest::Client,
    _folder: Option<tempfile::TempDir>,
}

fn usd() -> Currency {
    Currency::new("USD", 2, Amount::new(1)).unwrap()
}

fn client(address: SocketAddr, secret: &str, currency: Currency) -> NiceClient {
    NiceClient::new(NiceConfig {
        base_url: format!("http://{address}"),
        client_key: CLIENT.to_owned(),
        secret_key: SecretKey::new(secret),
        currency,
        connect_timeout: Duration::from_millis(300),
        read_timeout: Duration::from_millis(300),
        bypass_proxy: true,
    })
    .unwrap()
}

async fn serve(file: &Path) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let options = Options {
        file: file.to_owned(),
        client_key: CLIENT.to_owned(),
        secret: MerchantSecret::new(SECRET),
        currency: "USD".to_owned(),
        currency_exponent: 2,
        notice_url: None,
    };
    let sandbox = Sandbox::open(options).unwrap();
    tokio::spawn(async move { sandbox.serve(listener, pending()).await.unwrap() });
    address
}

impl Stand {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = serve(&folder.path().join("charges.jsonl")).await;
        Self {
            _folder: Some(folder),
            ..Self::at(address)
        }
    }

    fn at(address: SocketAddr) -> Self {
        Self {
            address,
            gateway: client(address, SECRET, usd()),
            http: reqwest::Client::new(),
            _folder: None,
        }
    }

    async fn tell(&self, path: &str, body: Value) -> Value {
        let response = self
            .http
            .post(format!("http://{}{path}", self.address))
            .json(&body)
            .send()
            .await
            .unwrap();
        assert!(
            response.status().is_success(),
            "{path} {}",
            response.status()
        );
        let text = response.text().await.unwrap();
        if text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&text).unwrap()
        }
    }

    async fn ask(&self, path: &str) -> Value {
        let response = self
            .http
            .get(format!("http://{}{path}", self.address))
            .send()
            .await
            .unwrap();
        response.json().await.unwrap()
    }

    async fn fault(&self, rule: Value) {
        self.tell("/sandbox/faults", rule).await;
    }

    /// A buyer authenticates; the shop checks what the browser brings.
    async fn authenticated(&self, order_id: &str, amount: i64) -> String {
        let form = self.form(order_id, amount, "card").await;
        self.gateway
            .read_return(&form, order_id, Amount::new(amount))
            .unwrap()
            .tid
    }

    async fn form(&self, order_id: &str, amount: i64, method: &str) -> ReturnForm {
        let wish = json!({ "orderId": order_id, "amount": amount, "method": method, "vbankHolder": "김장부" });
        serde_json::from_value(self.tell("/sandbox/authenticate", wish).await).unwrap()
    }

    async fn paid(&self, order_id: &str, amount: i64) -> String {
        let tid = self.authenticated(order_id, amount).await;
        done(
            self.gateway
                .approve(&tid, Amount::new(amount), order_id)
                .await,
        );
        tid
    }

    async fn cancel(&self, tid: &str, cancel_id: &str, amount: Option<i64>) -> Outcome {
        self.gateway.cancel(&refund(tid, cancel_id, amount)).await
    }

    /// What the sandbox charged and still holds, over everything.
    async fn sums(&self) -> (i64, i64) {
        let all = self.ask("/sandbox/charges").await;
        (
            all["charged"].as_i64().unwrap(),
            all["balance"].as_i64().unwrap(),
        )
    }
}

fn refund(tid: &str, cancel_id: &str, amount: Option<i64>) -> CancelRequest {
    CancelRequest {
        tid: tid.to_owned(),
        order_id: cancel_id.to_owned(),
        amount: amount.map(Amount::new),
        reason: "단순 변심".to_owned(),
        refund_account: None,
    }
}

#[track_caller]
fn done(outcome: Outcome) -> Answer {
    match outcome {
        Outcome::Done(answer) => *answer,
        other => unreachable!("{other:?}"),
    }
}

#[track_caller]
fn refused(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused { code, .. } => code,
        other => unreachable!("{other:?}"),
    }
}

#[track_caller]
fn unknown(outcome: Outcome) -> UnknownReason {
    match outcome {
        Outcome::Unknown { why } => why,
        other => unreachable!("{other:?}"),
    }
}

#[track_caller]
fn done_before(outcome: Outcome) -> String {
    match unknown(outcome) {
        UnknownReason::DoneBefore { code, .. } => code,
        other => unreachable!("{other:?}"),
    }
}

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
    // the buyer changes the amount in the browser, and pays one cent
    let form = stand.form("order-1", 1, "card").await;
    let read = stand
        .gateway
        .read_return(&form, "order-1", Amount::new(1004));
    assert_eq!(read, Err(ReturnError::Differs("amount")));
    // ... or pays one cent and changes the form
    let forged = ReturnForm {
        amount: "1004".into(),
        ..form.clone()
    };
    let read = stand
        .gateway
        .read_return(&forged, "order-1", Amount::new(1004));
    assert_eq!(read, Err(ReturnError::Signature));
    // and the service does not charge another amount than was authenticated
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
    // right password, wrong signature
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
    // sent twice on the way: the shop sees only the second answer, and asking tells the truth
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
        // an approval that was still on its way finds the door closed
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
    // an amount the service cannot express is not sent at all
    let won = Currency::new("KRW", 0, Amount::new(100)).unwrap();
    let gateway = client(stand.address, SECRET, won);
    let outcome = gateway.approve(&tid, Amount::new(950), "order-1").await;
    assert!(matches!(outcome, Outcome::NotSent { .. }), "{outcome:?}");
}

#[tokio::test]
async fn an_answer_about_something_else_is_a_doubt() {
    let stand = Stand::new().await;
    let cheap = stand.authenticated("cheap", 900).await;
    // the tid is not part of the return signature: a buyer can put another payment's in its place
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

#[tokio::test]
async fn money_goes_back_in_parts_and_never_more_than_came() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 1000).await;
    let first = done(stand.cancel(&tid, "c1", Some(300)).await);
    assert_eq!(
        (first.status, first.balance),
        (Status::PartialCancelled, Amount::new(700))
    );
    assert_eq!(refused(stand.cancel(&tid, "c2", Some(701)).await), "2032");
    assert_eq!(
        done_before(stand.cancel(&tid, "c1", Some(300)).await),
        "2015"
    );
    assert_eq!(
        done_before(stand.cancel(&tid, "c1", Some(301)).await),
        "2156"
    );
    let rest = done(stand.cancel(&tid, "c3", None).await);
    assert_eq!(
        (rest.status, rest.balance),
        (Status::Cancelled, Amount::ZERO)
    );
    assert_eq!(
        rest.cancels
            .iter()
            .map(|c| c.amount.hundredths())
            .collect::<Vec<_>>(),
        [300, 700]
    );
    assert_eq!(
        rest.cancelled_tid.as_ref(),
        rest.cancels.last().map(|c| &c.tid)
    );
    assert_eq!(done_before(stand.cancel(&tid, "c4", None).await), "2013");
    assert_eq!(refused(stand.cancel("nobody", "c5", None).await), "A115");
    assert_eq!(stand.sums().await, (1000, 0));
}

#[tokio::test]
async fn a_refund_without_an_answer_is_found_and_not_given_twice() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 1000).await;
    let known: Vec<String> = done(stand.cancel(&tid, "c1", Some(100)).await)
        .cancels
        .into_iter()
        .map(|c| c.tid)
        .collect();
    stand
        .fault(json!({ "call": "cancel", "fault": "dropAfter", "times": 1 }))
        .await;
    assert!(matches!(
        unknown(stand.cancel(&tid, "c2", Some(100)).await),
        UnknownReason::ConnectionLost(_)
    ));
    let asked = done(stand.gateway.query(&tid).await);
    let found: Vec<_> = asked.unrecorded_cancels(&known).map(|c| c.amount).collect();
    assert_eq!(found, [Amount::new(100)]);
    assert_eq!(
        done_before(stand.cancel(&tid, "c2", Some(100)).await),
        "2015"
    );
    // one that was never carried out may be asked for again under its id
    stand
        .fault(json!({ "call": "cancel", "fault": "timeoutBefore", "times": 1 }))
        .await;
    assert_eq!(
        unknown(stand.cancel(&tid, "c3", Some(200)).await),
        UnknownReason::Timeout
    );
    assert_eq!(
        done(stand.cancel(&tid, "c3", Some(200)).await).balance,
        Amount::new(600)
    );
    assert_eq!(stand.sums().await, (1000, 600));
}

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

/// A shop's door for notices; refuses the first `refusals`.
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

#[tokio::test]
async fn the_window_page_leads_back_to_the_shop_with_a_signed_form() {
    let stand = Stand::new().await;
    let wish = [
        ("clientId", CLIENT),
        ("method", "card"),
        ("orderId", "order-1"),
        ("amount", "12345"),
        ("goodsName", "<b>사과</b> {{HIDDEN}}"),
        ("returnUrl", "http://shop.test/return?a=1&b=2"),
        ("mallReserved", "note"),
    ];
    let open = |path: &str, fields: Vec<(&'static str, &'static str)>| {
        stand
            .http
            .post(format!("http://{}{path}", stand.address))
            .form(&fields)
            .send()
    };
    let page = open("/pay", wish.to_vec())
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for part in [
        "Jangbu payment sandbox",
        "$123.45",
        "결제하기",
        "취소",
        "거절",
        "&lt;b&gt;사과",
        "lang=\"ko\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let decided = |decision: &'static str| {
        let mut fields = wish.to_vec();
        fields.push(("decision", decision));
        open("/pay/decision", fields)
    };
    let back = decided("pay").await.unwrap().text().await.unwrap();
    assert!(
        back.contains("action=\"http://shop.test/return?a=1&amp;b=2\""),
        "{back}"
    );
    let form = form_in(&back);
    let read = stand
        .gateway
        .read_return(&form, "order-1", Amount::new(12345))
        .unwrap();
    assert_eq!(read.mall_reserved, "note");
    done(
        stand
            .gateway
            .approve(&read.tid, Amount::new(12345), "order-1")
            .await,
    );

    let closed = form_in(&decided("cancel").await.unwrap().text().await.unwrap());
    let read = stand
        .gateway
        .read_return(&closed, "order-1", Amount::new(12345));
    assert!(matches!(read, Err(ReturnError::NotAuthenticated { code, .. }) if code == "9999"));
    let mut bad = wish.to_vec();
    bad[5] = ("returnUrl", "javascript:alert(1)");
    assert_eq!(open("/pay", bad).await.unwrap().status(), 400);
    let script = stand
        .http
        .get(format!("http://{}/v1/js/", stand.address))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(script.contains("AUTHNICE"));
}

/// The hidden fields of a page, as a browser would post them.
fn form_in(page: &str) -> ReturnForm {
    let fields = page
        .split("<input type=\"hidden\" name=\"")
        .skip(1)
        .map(|input| {
            let (name, rest) = input.split_once("\" value=\"").unwrap();
            (
                name.to_owned(),
                Value::from(rest.split_once('"').unwrap().0),
            )
        });
    serde_json::from_value(Value::Object(fields.collect())).unwrap()
}

#[tokio::test]
async fn a_line_cut_short_by_a_crash_is_cut_off_and_anything_else_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("charges.jsonl");
    let good = "{\"what\":\"clockForwarded\",\"seconds\":5}\n";
    std::fs::write(&file, format!("{good}{{\"what\":\"appro")).unwrap();
    let address = serve(&file).await;
    Stand::at(address).paid("order-1", 5).await;
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(
        text.starts_with(good) && !text.contains("appro\""),
        "{text}"
    );
    assert!(
        text.lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok()),
        "{text}"
    );

    let broken = folder.path().join("broken.jsonl");
    std::fs::write(&broken, format!("{good}oops\n{good}")).unwrap();
    let options = Options {
        file: broken,
        client_key: String::new(),
        secret: MerchantSecret::new(""),
        currency: "USD".to_owned(),
        currency_exponent: 2,
        notice_url: None,
    };
    let error = Sandbox::open(options).unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
}
