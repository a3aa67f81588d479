//! Virtual accounts: a deposit pays its order once, in time and to the cent; any other money goes back, and none is lost.

use api::audit::forget;
use axum::http::Method;
use domain::ids::ProductId;
use integrations::payment::{CancelRequest, Outcome};
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::shop_journey::futures_of;
use crate::shop_payment::{notice, tell};
use crate::shop_support::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, until};

const HOLDER: &str = "홍길동환불";
const PRICE: i64 = 1_250;

struct Deposits {
    shop: TestApp,
    hong: Account,
    apples: ProductId,
}

fn form(apples: ProductId) -> Value {
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

    /// The service tells the shop by itself.
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

    /// An order that waits for its deposit; its id, and the service's id of the payment.
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

    /// Once its account is shown.
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

    /// The money of a deposit went back, all of it.
    async fn given_back(&self, order: &str, amount: i64) {
        self.until(order, "the deposit never went back", |order| {
            order["payments"][0]["refunded"] == amount
        })
        .await;
        assert_eq!(self.shop.charges().await["balance"], 0);
        assert_eq!(self.count("DepositReceived").await, 1);
        assert_eq!(self.count("OrderPaid").await, 0);
    }

    /// Books, conservation and read models agree with the log.
    async fn in_order(&self) {
        let report = verify(&self.shop.app.store, |_| {}).await.unwrap();
        assert!(report.is_clean(), "{:#?}", report.differences);
    }
}

#[tokio::test]
async fn a_deposit_pays_its_order_once_however_often_it_is_told() {
    let here = Deposits::open().await.with_notices().await;
    let shop = &here.shop;
    let mut bare = form(here.apples);
    bare["account"] = json!({ "code": "999", "accountNumber": "1" });
    let refused = shop
        .post("/api/v1/shop/orders", &bare)
        .as_(&here.hong)
        .send()
        .await
        .expect(400);
    let fields = refused.body["error"]["fields"].as_array().unwrap();
    let named: Vec<&str> = fields
        .iter()
        .map(|f| f["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        named,
        [
            "account.code",
            "account.accountNumber",
            "account.accountHolder"
        ]
    );

    let (order, tid) = here.order().await;
    let seen = here.waiting(&order).await;
    assert_eq!(seen["status"], "ORDER_NONPAYMENT");
    assert_eq!(seen["depositor"], "홍길동");
    let payment = &seen["payments"][0];
    assert_eq!(payment["awaitsDeposit"], true, "{payment}");
    assert_eq!(payment["account"]["bankName"], "신한은행");
    assert!(!payment["account"]["number"].as_str().unwrap().is_empty());
    let placed: String = seen["createdAt"].as_str().unwrap().to_owned();
    let pay_by: String = seen["payBy"].as_str().unwrap().to_owned();
    let day = |text: &str| {
        time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).unwrap()
    };
    let waits = day(&pay_by) - day(&placed);
    assert!(
        waits > Duration::hours(71) && waits <= Duration::hours(73),
        "{waits}"
    );
    // what names somebody is sealed
    let log: Vec<String> = sqlx::query_scalar("SELECT payload::text FROM events")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    assert!(
        !log.iter()
            .any(|payload| payload.contains(HOLDER) || payload.contains("110123456789"))
    );
    // the same window again would be a second account
    let again = shop
        .post(
            "/api/plugins/nicepayments/generate/order",
            &json!({ "_order": order }),
        )
        .as_(&here.hong)
        .send()
        .await
        .expect(409);
    assert_eq!(again.body["error"]["details"]["reason"], "deposit_awaited");

    let other = here
        .sandbox("deposit", &json!({ "tid": tid, "amount": 1 }))
        .await
        .expect(409);
    assert_eq!(other.body["resultCode"], "4122");
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    here.until(&order, "the deposit was not told", |order| {
        order["status"] == "ORDER_PAYMENT"
    })
    .await;
    let told = notice(shop, &tid).await;
    for reply in futures_of(3, |_| tell(shop, &told)).await {
        assert_eq!(reply.status, 200);
    }
    assert_eq!(
        (
            here.count("DepositReceived").await,
            here.count("OrderPaid").await,
            here.count("NoticeDoubted").await
        ),
        (1, 1, 0)
    );
    assert_eq!(shop.charges().await["balance"], PRICE);

    // refused once, the refund goes to another account
    shop.fault(json!({ "call": "cancel", "fault": "refuse", "code": "2003", "times": 1 }))
        .await;
    here.cancel(&order).await;
    here.until(&order, "the refund was not refused", |order| {
        order["payments"][0]["needsRefundAccount"] == true
    })
    .await;
    let account = json!({ "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" } });
    shop.put(
        &format!("/api/v1/me/orders/{order}/refundAccount"),
        &account,
    )
    .as_(&here.hong)
    .send()
    .await
    .expect(200);
    here.until(&order, "the refund never came", |order| {
        order["status"] == "ORDER_CANCELED" && order["payments"][0]["refunded"] == PRICE
    })
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
    here.in_order().await;
}

#[tokio::test]
async fn three_notices_of_one_deposit_at_once_pay_once() {
    let here = Deposits::open().await;
    let (order, tid) = here.order().await;
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    let told = notice(&here.shop, &tid).await;
    let replies = futures_of(3, |_| tell(&here.shop, &told)).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(here.seen(&order).await["status"], "ORDER_PAYMENT");
    assert_eq!(
        (
            here.count("DepositReceived").await,
            here.count("OrderPaid").await
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_notice_nobody_can_confirm_settles_nothing_and_is_told() {
    use integrations::payment::sign::{SecretKey, sign_answer};
    let here = Deposits::open().await;
    let shop = &here.shop;
    let (order, tid) = here.order().await;
    let ready = notice(shop, &tid).await;
    let secret = SecretKey::new(shop.app.settings.payment.secret_key.clone());
    let signed = |amount: i64, tid: &str| {
        let mut told: Value = serde_json::from_str(&ready).unwrap();
        told["status"] = json!("paid");
        told["tid"] = json!(tid);
        told["amount"] = json!(amount);
        told["balanceAmt"] = json!(amount);
        let date = told["ediDate"].as_str().unwrap().to_owned();
        told["signature"] = json!(sign_answer(&secret, tid, amount, &date));
        told.to_string()
    };
    // the signature covers neither the status nor the account, so a notice of the issue may be made one of a deposit
    for (told, doubts) in [
        (signed(PRICE, &tid), 1),
        (signed(PRICE, &tid), 1),
        (signed(1, &tid), 2),
        (signed(PRICE, "SBX-of-somebody"), 3),
    ] {
        tell(shop, &told).await.expect(200);
        assert_eq!(here.count("NoticeDoubted").await, doubts);
    }
    let mut forged: Value = serde_json::from_str(&signed(PRICE, &tid)).unwrap();
    forged["signature"] = json!("0".repeat(64));
    tell(shop, &forged.to_string()).await.expect(403);
    assert_eq!(here.seen(&order).await["status"], "ORDER_NONPAYMENT");
    assert_eq!(here.count("DepositReceived").await, 0);

    // a bank that takes another amount: it is money all the same, and goes back
    let less = json!({ "tid": tid, "amount": 700, "careless": true });
    here.sandbox("deposit", &less).await.expect(200);
    let told = notice(shop, &tid).await;
    tell(shop, &told).await.expect(200);
    here.given_back(&order, 700).await;
    let seen = here.seen(&order).await;
    assert_eq!(seen["status"], "ORDER_NONPAYMENT");
    assert_eq!(seen["payments"][0]["status"], "PAYMENT_CANCELED");
    here.in_order().await;

    // and the order can still be paid, otherwise
    let card = json!({ "_order": order, "method": "card" });
    let window = shop
        .post("/api/plugins/nicepayments/generate/order", &card)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    let form = shop.authenticate(&window.body["payment"]).await;
    shop.come_back(&form).await.expect(303);
    assert_eq!(here.seen(&order).await["status"], "ORDER_PAYMENT");
    here.in_order().await;
}

#[tokio::test]
async fn an_unpaid_account_gives_everything_back_and_what_comes_later_goes_back() {
    let mut here = Deposits::open().await;
    let (order, tid) = here.order().await;
    assert_eq!(here.shop.left(here.apples).await, 9);
    here.shop.advance(Duration::hours(71));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(here.seen(&order).await["status"], "ORDER_NONPAYMENT");
    here.shop.advance(Duration::hours(2));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    here.until(&order, "the order waits for ever", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    assert_eq!(here.shop.left(here.apples).await, 10);
    here.until(&order, "the account stays open", |order| {
        order["payments"][0]["status"] == "PAYMENT_CANCELED"
    })
    .await;
    here.until_event("VirtualAccountClosed").await;
    let closed = here
        .sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(409);
    assert_eq!(closed.body["resultCode"], "4123");

    let late = json!({ "tid": tid, "careless": true });
    here.sandbox("deposit", &late).await.expect(200);
    let told = notice(&here.shop, &tid).await;
    for reply in futures_of(3, |_| tell(&here.shop, &told)).await {
        assert_eq!(reply.status, 200);
    }
    here.given_back(&order, PRICE).await;
    assert_eq!(here.shop.left(here.apples).await, 10);
    here.in_order().await;
}

#[tokio::test]
async fn a_deposit_whose_notice_is_lost_is_found() {
    // before a cancellation, at the deadline, and by whoever asks
    let mut here = Deposits::open().await;
    let (canceled, tid) = here.order().await;
    here.sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(200);
    here.cancel(&canceled).await;
    here.given_back(&canceled, PRICE).await;

    let (asked, tid) = here.order().await;
    let (waiting, last) = here.order().await;
    for tid in [tid, last] {
        here.sandbox("deposit", &json!({ "tid": tid }))
            .await
            .expect(200);
    }
    let found = here
        .shop
        .post(&format!("/api/v1/shop/orders/{asked}/process"), &json!({}))
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    assert_eq!(found.body["order"]["status"], "ORDER_PAYMENT");
    here.shop.advance(Duration::hours(73));
    here.hong = here.shop.account("hong1234", &here.hong.password).await;
    here.until(
        &waiting,
        "paid in time, canceled by the deadline",
        |order| order["status"] == "ORDER_PAYMENT",
    )
    .await;
    here.in_order().await;
}

#[tokio::test]
async fn an_account_whose_answer_never_came_is_found_and_another_way_to_pay_closes_it() {
    let here = Deposits::open().await;
    here.shop
        .fault(json!({ "call": "approve", "fault": "timeoutAfter", "times": 1 }))
        .await;
    let (order, tid) = here.order().await;
    here.waiting(&order).await;
    assert_eq!(here.count("VirtualAccountIssued").await, 1);

    let card = json!({ "_order": order, "method": "card" });
    let window = here
        .shop
        .post("/api/plugins/nicepayments/generate/order", &card)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    let form = here.shop.authenticate(&window.body["payment"]).await;
    here.shop.come_back(&form).await.expect(303);
    here.until(&order, "paid by the second attempt", |order| {
        order["status"] == "ORDER_PAYMENT" && order["payments"].as_array().unwrap().len() == 2
    })
    .await;
    here.until_event("VirtualAccountClosed").await;
    let closed = here
        .sandbox("deposit", &json!({ "tid": tid }))
        .await
        .expect(409);
    assert_eq!(closed.body["resultCode"], "4123");
    // nobody but the buyer and staff says where money goes
    let stranger = here.shop.sign_up("kim12345").await;
    let account = json!({ "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "김도둑" } });
    here.shop
        .ask(
            Method::PUT,
            &format!("/api/v1/me/orders/{order}/refundAccount"),
        )
        .json(&account)
        .as_(&stranger)
        .send()
        .await
        .expect(404);
    here.in_order().await;
}

impl Deposits {
    async fn until_event(&self, event_type: &str) {
        until(event_type, async || {
            (self.count(event_type).await > 0).then_some(())
        })
        .await;
    }

    /// A year later the bank lets money in all the same, and it goes back: five years from then on, nothing is `erased`.
    async fn is_kept_for_longer(&self, tid: &str, erased: &str) {
        self.shop.advance(Duration::days(365));
        let late = json!({ "tid": tid, "careless": true });
        self.sandbox("deposit", &late).await.expect(200);
        let told = notice(&self.shop, tid).await;
        tell(&self.shop, &told).await.expect(200);
        self.until_event("RefundCompleted").await;

        // five years after it was canceled, but not yet after its money went back
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

#[tokio::test]
async fn who_turns_to_a_card_keeps_the_time_of_the_account() {
    let mut here = Deposits::open().await;
    let (order, tid) = here.order().await;
    let promised = here.says(&order, "입금대기").await["payBy"].clone();
    // the hour an order has without an account is over
    here.later(Duration::hours(5)).await;
    here.generate(&order, "card").await;
    let seen = here.says(&order, "결제대기").await;
    assert_eq!(
        (&seen["payBy"], here.count("DepositWaitEnded").await),
        (&promised, 1)
    );
    here.until_event("VirtualAccountClosed").await;
    assert_eq!(here.count("DepositWaitEnded").await, 1);

    here.later(Duration::hours(66)).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(here.seen(&order).await["statusText"], "결제대기");
    assert_eq!(here.shop.left(here.apples).await, 9);
    here.later(Duration::hours(2)).await;
    here.until(&order, "the order waits for ever", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    assert_eq!(here.shop.left(here.apples).await, 10);

    let late = json!({ "tid": tid, "careless": true });
    here.sandbox("deposit", &late).await.expect(200);
    let told = notice(&here.shop, &tid).await;
    tell(&here.shop, &told).await.expect(200);
    here.given_back(&order, PRICE).await;
    here.in_order().await;
}

#[tokio::test]
async fn an_account_closed_in_any_way_is_not_waited_for() {
    let here = Deposits::open().await;
    let shop = &here.shop;
    // by the buyer
    let (given_up, _) = here.order().await;
    let payment = here.waiting(&given_up).await["payments"][0]["_id"].clone();
    let why = json!({ "_payment": payment, "reason": "다른 방법" });
    shop.post("/api/plugins/nicepayments/cancel", &why)
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    here.says(&given_up, "결제대기").await;
    // at the service
    let (closed, tid) = here.order().await;
    let outcome = shop
        .app
        .gateway
        .cancel(&CancelRequest {
            tid,
            order_id: closed.clone(),
            amount: None,
            reason: "은행".to_owned(),
            refund_account: None,
        })
        .await;
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
    shop.post(&format!("/api/v1/shop/orders/{closed}/process"), &json!({}))
        .as_(&here.hong)
        .send()
        .await
        .expect(200);
    here.says(&closed, "결제대기").await;
    // by a deposit of another amount, which goes back
    let (spent, tid) = here.order().await;
    let less = json!({ "tid": tid, "amount": 700, "careless": true });
    here.sandbox("deposit", &less).await.expect(200);
    let told = notice(shop, &tid).await;
    tell(shop, &told).await.expect(200);
    here.given_back(&spent, 700).await;
    here.says(&spent, "결제대기").await;
    assert_eq!(here.count("DepositWaitEnded").await, 3);
    here.in_order().await;
}

#[tokio::test]
async fn the_end_of_an_account_given_up_ends_no_wait_for_the_next_one() {
    let here = Deposits::open().await;
    let (order, _) = here.order().await;
    here.shop
        .held_back(async {
            here.generate(&order, "card").await;
            let window = here.generate(&order, "vbank").await;
            let form = here.shop.authenticate(&window).await;
            here.shop.come_back(&form).await.expect(303);
            assert_eq!(here.count("VirtualAccountClosed").await, 0);
        })
        .await;
    here.until_event("VirtualAccountClosed").await;
    here.shop.settled().await;
    assert_eq!(here.seen(&order).await["statusText"], "입금대기");
    assert_eq!(here.count("DepositWaitEnded").await, 1);
    here.in_order().await;
}

#[tokio::test]
async fn a_late_deposit_keeps_who_a_guest_was_for_as_long_as_it_has_to() {
    let here = Deposits::open().await;
    let shop = &here.shop;
    let placed = shop.post("/api/v1/shop/orders", &form(here.apples));
    let placed = placed.send().await.expect(201);
    let (order, token) = (id_of(&placed), placed.body["guestToken"].as_str().unwrap());
    shop.pay(token, &order).await.expect(303);
    let tid = here.tid(&order).await;
    shop.advance(Duration::hours(73));
    here.until_event("VirtualAccountClosed").await;
    here.is_kept_for_longer(&tid, "GuestRecordsErased").await;
}

#[tokio::test]
async fn a_late_deposit_keeps_who_a_member_was_who_left_for_as_long_as_it_has_to() {
    let here = Deposits::open().await;
    let (_, tid) = here.order().await;
    here.shop.advance(Duration::hours(73));
    here.until_event("VirtualAccountClosed").await;
    forget::run(&here.shop.app, &here.hong.username)
        .await
        .unwrap();
    here.is_kept_for_longer(&tid, "StatutoryDataErased").await;
}
