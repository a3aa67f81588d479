//! Fees of exchanges, paid through the payment gateway.

use std::num::NonZeroU32;

use api::audit::ask_payments::{self, Range};
use domain::checkout::user_payments::payment_id;
use domain::payment::{Payment, PaymentStage};
use domain::user_payment::exchange_fee_id;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::exchanges::{Shirts, inspected, picked_up, pickup, sent, status};
use crate::support::payments::{charge_behind_our_back, events, notice, process, tell};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, until};

/// Shipping in both directions at 2.50.
pub(super) const FEE: i64 = 500;

/// Two of three shirts were returned for blue ones; their buyer is at fault.
pub(super) struct Due {
    pub here: Shirts,
    pub claim: String,
}

impl Due {
    pub async fn start() -> Self {
        let here = Shirts::start().await;
        here.ask(1, &here.body(2, 1, "SELLER")).await.expect(200);
        for change in [
            status("EXCHANGE_PENDING"),
            picked_up(),
            inspected(2, 2, "BUYER"),
        ] {
            here.work(2, change).await.expect(200);
        }
        let claim = here.order().await["claims"][0]["_id"].clone();
        Self {
            here,
            claim: claim.as_str().unwrap().to_owned(),
        }
    }

    pub fn shop(&self) -> &TestApp {
        &self.here.shop
    }

    async fn window(&self) -> Value {
        let token = &self.here.hong.token;
        let shop = self.shop();
        shop.fee_window(token, &self.here.order, &self.claim).await
    }

    /// Requests a payment window; the response may be a rejection.
    async fn generate(&self, who: &Account, change: Value) -> Reply {
        let mut form = json!({ "_order": self.here.order, "_claim": self.claim });
        for (field, value) in change.as_object().unwrap() {
            form[field] = value.clone();
        }
        let path = "/api/plugins/nicepayments/generate/order";
        self.shop().post(path, &form).as_(who).send().await
    }

    pub async fn pay(&self) -> Value {
        self.here.order().await["claims"][0]["exchange"]["pay"].clone()
    }

    fn result(&self, error: Option<&str>) -> String {
        let error = error.map(|code| format!("&error={code}"));
        let (order, claim) = (&self.here.order, &self.claim);
        format!(
            "/shop/result?order={order}&claim={claim}{}",
            error.unwrap_or_default()
        )
    }

    /// The stage of the first payment, from the log.
    async fn stage(&self) -> PaymentStage {
        let fee = exchange_fee_id(self.claim.parse().unwrap());
        let payment = payment_id(fee, 1).to_string();
        let loaded = self.shop().app.store.load::<Payment>(&payment).await;
        loaded.unwrap().state.stage
    }

    async fn reject(&self) -> Reply {
        let reject = json!({
            "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
        });
        self.here.work(2, reject).await
    }

    /// The log is consistent, and the gateway agrees with it.
    pub async fn no_difference(&self) {
        let app = &self.shop().app;
        let report = projections::verify::verify(&app.store, |_| {}).await;
        let report = report.unwrap();
        assert!(report.is_clean(), "{:#?}", report.differences.first());
        let range = Range {
            after: 0,
            up_to: app.store.head().await.unwrap(),
            a_second: NonZeroU32::new(1_000).unwrap(),
        };
        let found = ask_payments::run(&app.store, &*app.gateway, range, |_| {}).await;
        assert_eq!(found.unwrap(), vec![]);
    }
}

#[tokio::test]
async fn the_buyer_pays_the_fee_by_card_and_the_replacement_is_sent() {
    let due = Due::start().await;
    let pay = due.pay().await;
    assert_eq!(pay["status"], "PAY_AWAITING");
    assert_eq!(pay["amount"], FEE);
    assert_eq!(pay["_payment"], Value::Null);
    let number = pay["number"].as_str().unwrap();
    let window = due.window().await;
    assert_eq!(window["orderId"], format!("{number}-1"));
    assert_eq!(window["amount"], FEE);
    assert_eq!(window["goodsName"], "교환 비용");
    let again = due.window().await;
    assert_eq!(again["_id"], window["_id"], "an open window is reused");
    let before = due.shop().charges().await["charged"].as_i64().unwrap();
    let form = due.shop().authenticate(&window).await;
    for _ in 0..2 {
        let back = due.shop().come_back(&form).await.expect(303);
        assert_eq!(back.header("location"), Some(due.result(None).as_str()));
    }
    let after = due.shop().charges().await["charged"].as_i64().unwrap();
    assert_eq!(after - before, FEE);
    assert_eq!(events(due.shop(), "UserPaymentCompleted").await, 1);
    assert_eq!(events(due.shop(), "ExchangeFeeReceived").await, 1);
    // A notice reports a known charge.
    let told = notice(due.shop(), form["tid"].as_str().unwrap()).await;
    tell(due.shop(), &told).await.expect(200);
    assert_eq!(events(due.shop(), "UserPaymentCompleted").await, 1);
    let pay = until("the fee's payment is shown", async || {
        let pay = due.pay().await;
        (pay["method"] != Value::Null).then_some(pay)
    })
    .await;
    assert_eq!(pay["status"], "PAY_COMPLETED");
    assert_eq!(
        (&pay["_payment"], &pay["method"]),
        (&window["_id"], &json!("card"))
    );
    let order = due.here.order().await;
    let payments = order["payments"].as_array().unwrap();
    assert_eq!(payments.len(), 2);
    assert_eq!(payments[0]["userPaymentNo"], Value::Null);
    assert_eq!(payments[1]["userPaymentNo"], number);
    let texts = order["timeline"].to_string();
    assert!(texts.contains("교환 비용이 결제되었습니다"), "{texts}");
    let paid = due.generate(&due.here.hong, json!({})).await.expect(409);
    assert_eq!(paid.body["error"]["details"]["reason"], "already_paid");
    // Staff cannot record a bank transfer as well.
    let staff = due.shop().console().await;
    let path = format!(
        "/api/console/shop/orders/{}/claims/{}/fee",
        due.here.order, due.claim
    );
    let body = json!({ "amount": FEE, "reference": "입금 20261125-7" });
    let twice = due.shop().post(&path, &body).as_(&staff).send().await;
    assert_eq!(twice.expect(409).code(), "not_allowed_now");
    // Nor cancel the order through the payment of the fee.
    let body = json!({ "_payment": window["_id"], "reason": "실수" });
    let path = "/api/plugins/nicepayments/cancel";
    let undone = due.shop().post(path, &body).as_(&staff).send().await;
    assert_eq!(undone.expect(409).code(), "not_allowed_now");
    due.here.work(2, sent("111122223333")).await.expect(200);
    due.here
        .work(2, status("EXCHANGE_COMPLETED"))
        .await
        .expect(200);
    due.no_difference().await;
}

#[tokio::test]
async fn only_the_buyer_pays_only_what_is_due_and_only_at_once() {
    let due = Due::start().await;
    let kim = due.shop().sign_up("kim12345").await;
    let head = due.shop().app.store.head().await.unwrap();
    assert_eq!(due.generate(&kim, json!({})).await.status, 404);
    let unknown = json!({ "_claim": "0193a1b2-0000-7000-8000-00000000dead" });
    let unknown = due.generate(&due.here.hong, unknown).await;
    assert_eq!((unknown.status, unknown.code()), (404, "not_found"));
    let slow = json!({ "method": "vbank" });
    let slow = due.generate(&due.here.hong, slow).await.expect(400);
    assert_eq!(slow.complaint(), ("method", "not_at_once"));
    assert!(slow.text.contains("바로 결제되는 수단"), "{}", slow.text);
    assert_eq!(due.shop().app.store.head().await.unwrap(), head);
    // The other part of the order has no claim, and a claim of the seller's fault has no fee.
    due.here
        .ask(1, &due.here.body(1, 0, "SELLER"))
        .await
        .expect(200);
    let other = due.here.order().await["claims"][1]["_id"].clone();
    let early = json!({ "_claim": other });
    let early = due.generate(&due.here.hong, early.clone()).await;
    assert_eq!(early.expect(409).code(), "not_allowed_now");
    for change in [
        status("EXCHANGE_PENDING"),
        picked_up(),
        inspected(1, 1, "SELLER"),
    ] {
        due.here.work(1, change).await.expect(200);
    }
    let free = due
        .generate(&due.here.hong, json!({ "_claim": other }))
        .await;
    let free = free.expect(409);
    assert_eq!(free.body["error"]["details"]["reason"], "no_fee");
    due.no_difference().await;
}

#[tokio::test]
async fn a_member_is_asked_for_the_fee_by_an_alarm() {
    let due = Due::start().await;
    due.shop().settled().await;
    let reply = due.shop().get("/api/v1/me/alarms").as_(&due.here.hong);
    let alarms = reply.send().await.expect(200).body["alarms"].take();
    let alarms = alarms.as_array().unwrap();
    let asked = alarms
        .iter()
        .find(|alarm| alarm["type"] == "EXCHANGE_FEE_REQUESTED")
        .unwrap();
    let content = asked["content"].as_str().unwrap();
    assert!(content.starts_with("$5.00 "), "{content}");
    let path = format!(
        "/mypage/orders/exchange-detail?order={}&claim={}",
        due.here.order, due.claim
    );
    assert_eq!(asked["url"], path);
}

#[tokio::test]
async fn a_repeated_key_starts_one_payment_and_a_closed_window_comes_back_to_the_exchange() {
    let due = Due::start().await;
    let form = json!({ "_order": due.here.order, "_claim": due.claim });
    let path = "/api/plugins/nicepayments/generate/order";
    let ask = || {
        due.shop()
            .post(path, &form)
            .as_(&due.here.hong)
            .key("fee-1")
    };
    let first = ask().send().await.expect(200);
    let second = ask().send().await.expect(200);
    assert_eq!(first.body["payment"]["_id"], second.body["payment"]["_id"]);
    let of_fee = "SELECT count(*) FROM events WHERE event_type = 'PaymentStarted' \
                  AND payload -> 'PaymentStarted' ->> 'userPayment' IS NOT NULL";
    let started: i64 = sqlx::query_scalar(of_fee)
        .fetch_one(due.shop().app.pool())
        .await
        .unwrap();
    assert_eq!(started, 1);
    let address = first.body["payment"]["returnUrl"].as_str().unwrap();
    let address = &address[address.find("/plugins").unwrap()..];
    let closed = json!({ "authResultCode": "9999", "authResultMsg": "closed", "orderId": "" });
    let back = due.shop().come_back_to(address, &closed).await.expect(303);
    let location = back.header("location").unwrap();
    assert!(
        location.contains(&format!("claim={}", due.claim)),
        "{location}"
    );
    // A manipulated address identifies nothing.
    let other = address.replace(&due.claim, "0193a1b2-0000-7000-8000-00000000dead");
    let back = due.shop().come_back_to(&other, &closed).await.expect(303);
    let location = back.header("location").unwrap();
    assert!(!location.contains("claim="), "{location}");
    due.no_difference().await;
}

#[tokio::test]
async fn money_that_comes_after_the_rejection_goes_back() {
    let due = Due::start().await;
    let window = due.window().await;
    let form = due.shop().authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap().to_owned();
    due.reject().await.expect(200);
    assert_eq!(due.pay().await["status"], "PAY_CANCELED");
    let before = due.shop().charges().await["balance"].as_i64().unwrap();
    let back = due.shop().come_back(&form).await.expect(303);
    let location = due.result(Some("not_allowed_now"));
    assert_eq!(back.header("location"), Some(location.as_str()));
    // Charged anyway, as by a process that stopped: a notice reports it.
    charge_behind_our_back(due.shop(), &window, &tid).await;
    let told = notice(due.shop(), &tid).await;
    tell(due.shop(), &told).await.expect(200);
    let (token, order) = (&due.here.hong.token, &due.here.order);
    let given_back = |order: &Value| order["payments"][1]["refunded"] == FEE;
    due.shop()
        .until(token, order, "the fee does not go back", given_back)
        .await;
    let after = due.shop().charges().await["balance"].as_i64().unwrap();
    assert_eq!(after, before);
    assert_eq!(due.pay().await["status"], "PAY_CANCELED");
    due.no_difference().await;
}

/// Either the replacement is sent for a paid fee, or the exchange ends and the money is refunded: never both, never neither.
#[tokio::test]
async fn an_approval_and_a_rejection_at_once_leave_one_of_them() {
    for _ in 0..3 {
        let due = std::sync::Arc::new(Due::start().await);
        due.shop()
            .fault(json!({ "call": "approve", "fault": "late", "milliseconds": 100, "times": 1 }))
            .await;
        let window = due.window().await;
        let form = due.shop().authenticate(&window).await;
        let before = due.shop().charges().await["balance"].as_i64().unwrap();
        let mut both = JoinSet::new();
        let (one, other) = (due.clone(), due.clone());
        both.spawn(async move { one.shop().come_back(&form).await });
        both.spawn(async move { other.reject().await });
        both.join_all().await;
        // Nothing was charged if the rejection came before the intention to charge was recorded.
        let is_open = due.stage().await == PaymentStage::Ready;
        let is_settled = |order: &Value| {
            let pay = &order["claims"][0]["exchange"]["pay"];
            let fee = order["payments"].as_array().and_then(|all| all.last());
            let is_refunded = fee.is_some_and(|fee| fee["refunded"] == fee["amount"]);
            is_open || pay["status"] == "PAY_COMPLETED" || is_refunded
        };
        let (token, order) = (&due.here.hong.token, &due.here.order);
        due.shop()
            .until(token, order, "undecided", is_settled)
            .await;
        let paid = due.pay().await["status"] == "PAY_COMPLETED";
        let after = due.shop().charges().await["balance"].as_i64().unwrap();
        assert_eq!(after - before, if paid { FEE } else { 0 });
        let claim = due.here.order().await["claims"][0]["state"].clone();
        assert_eq!(claim == "REJECTED", !paid, "{claim}");
        due.no_difference().await;
    }
}

#[tokio::test]
async fn a_fee_whose_answer_never_came_is_found_by_the_result_page() {
    let due = Due::start().await;
    due.shop()
        .fault(json!({ "call": "approve", "fault": "dropAfter", "times": 1 }))
        .await;
    let window = due.window().await;
    let form = due.shop().authenticate(&window).await;
    due.shop().come_back(&form).await.expect(303);
    let asked = process(due.shop(), &due.here.hong, &due.here.order).await;
    asked.expect(200);
    let (token, order) = (&due.here.hong.token, &due.here.order);
    let is_paid =
        |order: &Value| order["claims"][0]["exchange"]["pay"]["status"] == "PAY_COMPLETED";
    due.shop().until(token, order, "not found", is_paid).await;
    assert_eq!(events(due.shop(), "ExchangeFeeReceived").await, 1);
    due.no_difference().await;
}

/// A guest pays the fee with the token of their order, and of no other.
#[tokio::test]
async fn a_guest_pays_the_fee_with_their_token() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let product = shop.console_product(&seller, "A-1").await;
    let product = product["_id"].as_str().unwrap().parse().unwrap();
    let place = async || {
        let placed = shop.post("/api/v1/shop/orders", &order_form(product, 1));
        let placed = placed.send().await.expect(201);
        let token = placed.body["guestToken"].as_str().unwrap().to_owned();
        let number = placed.body["order"]["orderNo"].as_str().unwrap();
        (id_of(&placed), token, format!("{number}-1"))
    };
    let (order, token, line) = place().await;
    let (_, foreign, _) = place().await;
    shop.pay(&token, &order).await.expect(303);
    let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
    shop.work(&seller, &line, prepare).await.expect(200);
    shop.ship(&seller, &line, "123456789012").await.expect(200);
    let arrived = json!({ "orderStatus": "DELIVERY_COMPLETE" });
    shop.work(&seller, &line, arrived).await.expect(200);
    let asked = json!({
        "quantity": 1, "_option": null, "reason": "사이즈나 색상이 맞지 않아요", "fault": "BUYER", "pickup": pickup(),
    });
    let path = format!("/api/v1/me/purchases/{line}/exchange");
    shop.post(&path, &asked)
        .token(&token)
        .send()
        .await
        .expect(200);
    for change in [
        status("EXCHANGE_PENDING"),
        picked_up(),
        inspected(1, 1, "BUYER"),
    ] {
        shop.work(&seller, &line, change).await.expect(200);
    }
    let claim = shop.my_order(&token, &order).await["claims"][0]["_id"].clone();
    let form = json!({ "_order": order, "_claim": claim });
    let path = "/api/plugins/nicepayments/generate/order";
    let refused = shop.post(path, &form).token(&foreign).send().await;
    assert_eq!(refused.status, 404);
    let claim = claim.as_str().unwrap();
    let window = shop.fee_window(&token, &order, claim).await;
    let form = shop.authenticate(&window).await;
    let back = shop.come_back(&form).await.expect(303);
    let location = back.header("location").unwrap();
    assert_eq!(
        location,
        format!("/shop/result?order={order}&claim={claim}")
    );
    let seen = shop.my_order(&token, &order).await;
    assert_eq!(
        seen["claims"][0]["exchange"]["pay"]["status"],
        "PAY_COMPLETED"
    );
    shop.work(&seller, &line, sent("111122223333"))
        .await
        .expect(200);
}

const LIST: &str = "/api/console/users/payments";

#[tokio::test]
async fn the_console_lists_user_payments_and_does_without_one_once() {
    let due = Due::start().await;
    let shop = due.shop();
    let staff = shop.console().await;
    let list = async |who: &Account, query: &str| -> Value {
        shop.settled().await;
        let list = shop.get(&format!("{LIST}{query}")).as_(who).send().await;
        list.expect(200).body
    };
    let all = list(&staff, "").await;
    assert_eq!(all["summary"]["totalCount"], 1);
    let row = &all["payments"][0];
    assert_eq!(row["status"], "PAY_AWAITING");
    assert_eq!(row["purpose"], "EXCHANGE_FEE");
    assert_eq!(row["amount"], FEE);
    assert_eq!(row["cancelable"], true);
    assert_eq!(row["_order"], due.here.order.as_str());
    let number = row["number"].as_str().unwrap();
    let id = row["_id"].as_str().unwrap();
    let count =
        async |who: &Account, query: &str| list(who, query).await["summary"]["totalCount"].clone();
    assert_eq!(count(&staff, "?status=PAY_COMPLETED").await, 0);
    assert_eq!(count(&staff, &format!("?searchValue={number}")).await, 1);
    assert_eq!(count(&staff, "?searchValue=1999").await, 0);
    assert_eq!(count(&staff, "?createdAtTo=2001-01-01").await, 0);
    // A seller sees those for their own goods.
    let seller = &due.here.seller;
    assert_eq!(count(seller, "").await, 1);
    let other = shop.company("seller02").await;
    assert_eq!(count(&other, "").await, 0);
    let one = format!("{LIST}/{id}");
    let cancel = format!("{one}/cancel");
    let head = shop.app.store.head().await.unwrap();
    assert_eq!(shop.get(&one).as_(&other).send().await.status, 404);
    let reason = json!({ "reason": "단골 손님" });
    let foreign = shop.put(&cancel, &reason).as_(&other).send().await;
    assert_eq!((foreign.status, foreign.code()), (404, "not_found"));
    let bare = shop
        .put(&cancel, &json!({ "reason": " " }))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(bare.expect(400).complaint().0, "reason");
    let unknown = format!("{LIST}/0193a1b2-0000-7000-8000-00000000dead");
    assert_eq!(shop.get(&unknown).as_(&staff).send().await.status, 404);
    for refused in [
        shop.post(LIST, &json!({})).as_(&staff).send().await,
        shop.put(&one, &json!({})).as_(&staff).send().await,
        shop.delete(&one).as_(&staff).send().await,
    ] {
        assert_eq!(refused.expect(405).code(), "ledger_immutable");
    }
    assert_eq!(
        shop.app.store.head().await.unwrap(),
        head,
        "nothing is written"
    );
    // Two at once: one event.
    let (first, second) = tokio::join!(
        shop.put(&cancel, &reason).as_(&staff).send(),
        shop.put(&cancel, &reason).as_(seller).send()
    );
    for done in [first, second] {
        let done = done.expect(200).body;
        assert_eq!(done["payment"]["status"], "PAY_CANCELED");
        assert_eq!(done["payment"]["reason"], "교환 배송비 면제");
        assert_eq!(done["payment"]["cancelable"], false);
    }
    assert_eq!(events(shop, "ExchangeFeeWaived").await, 1);
    assert_eq!(events(shop, "UserPaymentCanceled").await, 1);
    assert_eq!(count(&staff, "?status=PAY_CANCELED").await, 1);
    let shown = shop.get(&one).as_(seller).send().await.expect(200).body;
    assert_eq!(shown["payment"]["status"], "PAY_CANCELED");
    let order = due.here.order().await;
    assert_eq!(order["claims"][0]["exchange"]["fee"], 0);
    let pay = due.pay().await;
    assert_eq!(
        (&pay["status"], &pay["amount"]),
        (&json!("PAY_CANCELED"), &json!(FEE))
    );
    let texts = order["timeline"].to_string();
    assert!(
        texts.contains("교환 배송비를 받지 않기로 했습니다"),
        "{texts}"
    );
    due.here.work(2, sent("111122223333")).await.expect(200);
    due.no_difference().await;
}

#[tokio::test]
async fn a_paid_fee_cannot_be_canceled_in_the_console() {
    let due = Due::start().await;
    let shop = due.shop();
    let window = due.window().await;
    let form = shop.authenticate(&window).await;
    shop.come_back(&form).await.expect(303);
    let staff = shop.console().await;
    let id = exchange_fee_id(due.claim.parse().unwrap());
    let cancel = format!("{LIST}/{id}/cancel");
    let paid = shop
        .put(&cancel, &json!({ "reason": "단골" }))
        .as_(&staff)
        .send()
        .await;
    let paid = paid.expect(409);
    assert_eq!(paid.code(), "not_allowed_now");
    assert_eq!(paid.body["error"]["details"]["reason"], "already_paid");
    assert_eq!(events(shop, "ExchangeFeeWaived").await, 0);
}
