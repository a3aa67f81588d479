//! The clients of payments and of texts against the sandbox, over HTTP: every outcome, and the shop's reaction.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod approving;
mod noticing;
mod refunding;
mod texts;

use std::future::pending;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use domain::Amount;
use integrations::payment::nice::{NiceClient, NiceConfig};
use integrations::payment::sign::SecretKey;
use integrations::payment::units::Currency;
use integrations::payment::{
    Answer, CancelRequest, Outcome, PaymentGateway, ReturnError, ReturnForm, UnknownReason,
};
use sandbox::sign::MerchantSecret;
use sandbox::{Options, Sandbox, SmsOptions};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const CLIENT: &str = "client-1";
const SECRET: &str = "secret-key-for-tests";
const SMS_KEY: &str = "sms-key";
const SMS_SECRET: &str = "sms-secret-for-tests";
const SMS_SENDER: &str = "0212345678";

/// A separate sandbox, and the shop's client for it.
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

fn options(file: &Path) -> Options {
    Options {
        file: file.to_owned(),
        client_key: CLIENT.to_owned(),
        secret: MerchantSecret::new(SECRET),
        currency: "USD".to_owned(),
        currency_exponent: 2,
        notice_url: None,
        sms: SmsOptions {
            api_key: SMS_KEY.to_owned(),
            api_secret: SMS_SECRET.to_owned(),
            sender: Some(SMS_SENDER.to_owned()),
        },
    }
}

async fn serve(file: &Path) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let sandbox = Sandbox::open(options(file)).unwrap();
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

    /// A buyer authenticates; the shop checks the form of the browser.
    async fn authenticated(&self, order_id: &str, amount: i64) -> String {
        self.authenticated_by("card", order_id, amount).await
    }

    async fn authenticated_by(&self, method: &str, order_id: &str, amount: i64) -> String {
        let form = self.form(order_id, amount, method).await;
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
        self.paid_by("card", order_id, amount).await
    }

    async fn paid_by(&self, method: &str, order_id: &str, amount: i64) -> String {
        let tid = self.authenticated_by(method, order_id, amount).await;
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

    /// The sandbox's total charges and the balance left of them.
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
    let error = Sandbox::open(options(&broken)).unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
}
