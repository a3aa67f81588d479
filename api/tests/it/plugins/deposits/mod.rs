//! Virtual accounts: a deposit pays its order once, in time and to the cent; any other money is refunded, and none is lost.

mod ended;
mod paid;

use domain::ids::ProductId;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::payments::{notice, tell};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, until};

pub const HOLDER: &str = "홍길동환불";
pub const PRICE: i64 = 1_250;

pub struct Deposits {
    shop: TestApp,
    hong: Account,
    apples: ProductId,
}

pub fn form(apples: ProductId) -> Value {
    let mut form = order_form(apples, 1);
    form["paymentMethod"] = json!("vbank");
    form["account"] =
        json!({ "code": "088", "accountNumber": "110-123-456789", "accountHolder": HOLDER });
    form
}

impl Deposits {
    async fn open() -> Self {
        let shop = TestApp::with(&[
            ("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "1"),
            ("JANGBU_PAYMENT_CONNECT_TIMEOUT_SECONDS", "1"),
        ])
        .await;
        let seller = shop.seller().await;
        let apples = shop.product(seller, 1_000, 10).await;
        let hong = shop.sign_up("hong1234").await;
        Self { shop, hong, apples }
    }

    /// Enables the gateway's notices.
    async fn with_notices(self) -> Self {
        let to = format!("{}/api/plugins/nicepayments/notice", self.shop.url);
        self.sandbox("settings", &json!({ "noticeUrl": to }))
            .await
            .expect(204);
        self
    }

    async fn sandbox(&self, call: &str, body: &Value) -> Reply {
        let address = format!("{}/sandbox/{call}", self.shop.sandbox);
        self.shop.post(&address, body).send().await
    }

    /// An order that waits for its deposit; returns its id, and the gateway's id of the payment.
    async fn order(&self) -> (String, String) {
        let placed = self
            .shop
            .post("/api/v1/shop/orders", &form(self.apples))
            .as_(&self.hong)
            .send()
            .await
            .expect(201);
        let order = id_of(&placed);
        let back = self.shop.pay(&self.hong.token, &order).await.expect(303);
        assert_eq!(
            back.header("location"),
            Some(format!("/shop/result?order={order}").as_str())
        );
        let tid = self.tid(&order).await;
        (order, tid)
    }

    async fn tid(&self, order: &str) -> String {
        let id = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
        let payment = self
            .shop
            .app
            .store
            .load::<domain::payment::Payment>(&id.to_string())
            .await;
        payment.unwrap().state.tid.unwrap()
    }

    async fn seen(&self, order: &str) -> Value {
        self.shop.my_order(&self.hong.token, order).await
    }

    /// Waits until the account is shown.
    async fn waiting(&self, order: &str) -> Value {
        self.until(order, "no account is shown", |order| {
            order["payments"][0]["awaitsDeposit"] == true
        })
        .await
    }

    async fn until(&self, order: &str, what: &str, looks: impl Fn(&Value) -> bool) -> Value {
        self.shop.until(&self.hong.token, order, what, looks).await
    }

    async fn cancel(&self, order: &str) {
        let why = json!({ "reason": "마음이 바뀌었습니다" });
        self.shop
            .post(&format!("/api/v1/me/orders/{order}/cancel"), &why)
            .as_(&self.hong)
            .send()
            .await
            .expect(200);
    }

    async fn count(&self, event_type: &str) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = $1")
            .bind(event_type)
            .fetch_one(self.shop.app.pool())
            .await
            .unwrap()
    }

    /// The money of a deposit was refunded completely.
    async fn given_back(&self, order: &str, amount: i64) {
        self.until(order, "the deposit never went back", |order| {
            order["payments"][0]["refunded"] == amount
        })
        .await;
        assert_eq!(self.shop.charges().await["balance"], 0);
        assert_eq!(self.count("DepositReceived").await, 1);
        assert_eq!(self.count("OrderPaid").await, 0);
    }

    /// The general ledger, conservation and read models agree with the log.
    async fn in_order(&self) {
        let report = verify(&self.shop.app.store, |_| {}).await.unwrap();
        assert!(report.is_clean(), "{:#?}", report.differences);
    }
}

impl Deposits {
    async fn until_event(&self, event_type: &str) {
        until(event_type, async || {
            (self.count(event_type).await > 0).then_some(())
        })
        .await;
    }

    /// A year later the bank accepts a deposit anyway, and it is refunded: nothing is `erased` for five years from then on.
    async fn is_kept_for_longer(&self, tid: &str, erased: &str) {
        self.shop.advance(Duration::days(365));
        let late = json!({ "tid": tid, "careless": true });
        self.sandbox("deposit", &late).await.expect(200);
        let told = notice(&self.shop, tid).await;
        tell(&self.shop, &told).await.expect(200);
        self.until_event("RefundCompleted").await;

        // Five years after it was canceled, but not yet after its refund.
        self.shop.advance(Duration::days(4 * 365 + 10));
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(self.count(erased).await, 0);
        self.shop.advance(Duration::days(365));
        self.until_event(erased).await;
        self.in_order().await;
    }
}

impl Deposits {
    async fn generate(&self, order: &str, method: &str) -> Value {
        let form = json!({ "_order": order, "method": method });
        let window = self
            .shop
            .post("/api/plugins/nicepayments/generate/order", &form)
            .as_(&self.hong)
            .send()
            .await
            .expect(200);
        window.body["payment"].clone()
    }

    async fn later(&mut self, by: Duration) {
        self.shop.advance(by);
        self.hong = self.shop.account("hong1234", &self.hong.password).await;
    }

    async fn says(&self, order: &str, text: &str) -> Value {
        self.until(order, text, |order| order["statusText"] == text)
            .await
    }
}
