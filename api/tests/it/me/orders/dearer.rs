//! Exchanges for a dearer option: the difference is paid before the replacement is sent, and goes back with the payment that paid it.

use std::num::NonZeroU32;

use api::audit::ask_payments::{self, Range};
use domain::user_payment::exchange_fee_id;
use serde_json::{Value, json};

use super::exchanges::{Shirts, inspected, picked_up, pickup, sent, status};
use crate::support::payments::events;
use crate::support::until;

/// Shipping in both directions at 2.50.
const FEE: i64 = 500;
/// Two golden shirts cost 5.00 more each.
const PRICE: i64 = 1_000;

/// Two of three red shirts came back to become golden ones.
struct Golden {
    here: Shirts,
    claim: String,
}

impl Golden {
    async fn inspected(fault: &str) -> Self {
        let here = Shirts::start().await;
        let asked = here.ask(1, &here.body(2, 2, fault)).await.expect(200);
        let claim = asked.body["order"]["claims"][0]["_id"].as_str().unwrap();
        for change in [
            status("EXCHANGE_PENDING"),
            picked_up(),
            inspected(2, 2, fault),
        ] {
            here.work(2, change).await.expect(200);
        }
        let claim = claim.to_owned();
        Self { here, claim }
    }

    async fn window(&self) -> Value {
        let (shop, token) = (&self.here.shop, &self.here.hong.token);
        shop.fee_window(token, &self.here.order, &self.claim).await
    }

    async fn pays(&self) {
        let form = self.here.shop.authenticate(&self.window().await).await;
        self.here.shop.come_back(&form).await.expect(303);
    }

    async fn exchange(&self) -> Value {
        self.here.order().await["claims"][0]["exchange"].clone()
    }

    async fn balance(&self) -> i64 {
        self.here.shop.charges().await["balance"].as_i64().unwrap()
    }

    /// Until the gateway holds so much more than before.
    async fn holds(&self, before: i64, more: i64) {
        until("refunded", async || {
            (self.balance().await - before == more).then_some(())
        })
        .await;
    }

    async fn waives(&self) -> crate::support::Reply {
        let staff = self.here.shop.console().await;
        let id = exchange_fee_id(self.claim.parse().unwrap());
        let path = format!("/api/console/users/payments/{id}/cancel");
        let reason = json!({ "reason": "단골 손님" });
        self.here.shop.put(&path, &reason).as_(&staff).send().await
    }

    /// The log is consistent, and the gateway agrees with it.
    async fn no_difference(&self) {
        let app = &self.here.shop.app;
        let report = projections::verify::verify(&app.store, |_| {}).await;
        let report = report.unwrap();
        assert!(report.is_clean(), "{:#?}", report.differences);
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
async fn two_of_three_become_golden_once_paid_and_are_returned_over_both_payments() {
    let here = Shirts::start().await;
    let offered = here.choices_of(1, "?quantity=2").await;
    let golden = &offered["choices"][2];
    assert_eq!(
        (&golden["name"], &golden["difference"], &golden["price"]),
        (&json!("금색"), &json!(500), &json!(PRICE))
    );
    assert_eq!(golden["back"], json!({ "money": 0, "points": 0 }));
    // Gold becomes dearer still between the preview and the request.
    here.change_option(2, "price", 600).await;
    let mut body = here.body(2, 2, "BUYER");
    (body["difference"], body["fee"]) = (json!(500), json!(FEE));
    let head = here.shop.app.store.head().await.unwrap();
    let stale = here.ask(1, &body).await.expect(409);
    assert_eq!(stale.code(), "price_changed");
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    here.change_option(2, "price", 500).await;
    let order = here.ask(1, &body).await.expect(200).body["order"].take();
    let exchange = &order["claims"][0]["exchange"];
    assert_eq!(
        (&exchange["difference"], &exchange["price"]),
        (&json!(500), &json!(PRICE))
    );
    assert_eq!(exchange["fee"], FEE);
    // It is frozen.
    here.change_option(2, "price", 900).await;
    for change in [
        status("EXCHANGE_PENDING"),
        picked_up(),
        inspected(2, 2, "BUYER"),
    ] {
        here.work(2, change).await.expect(200);
    }
    let claim = order["claims"][0]["_id"].as_str().unwrap().to_owned();
    let golden = Golden { here, claim };
    let here = &golden.here;
    let pay = golden.exchange().await["pay"].take();
    assert_eq!(
        (&pay["status"], &pay["amount"]),
        (&json!("PAY_AWAITING"), &json!(PRICE + FEE))
    );
    let unpaid = here.work(2, sent("111122223333")).await.expect(409);
    assert_eq!(unpaid.body["error"]["details"]["due"], PRICE + FEE);
    // Not by a transfer, with which it could not go back.
    let staff = here.shop.console().await;
    let path = format!(
        "/api/console/shop/orders/{}/claims/{}/fee",
        here.order, golden.claim
    );
    let transfer = json!({ "amount": PRICE + FEE, "reference": "20261123-0007" });
    let refused = here.shop.post(&path, &transfer).as_(&staff).send().await;
    assert_eq!(
        refused.expect(409).body["error"]["details"]["reason"],
        "not_by_transfer"
    );

    let before = golden.balance().await;
    golden.pays().await;
    assert_eq!(golden.balance().await - before, PRICE + FEE);
    assert_eq!(golden.exchange().await["feePaid"], true);
    let late = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    let refused = here.work(2, late).await.expect(409);
    assert_eq!(refused.code(), "not_allowed_now");
    assert_eq!(here.order().await["purchases"][1]["paid"], 4_000);
    here.work(2, sent("111122223333")).await.expect(200);
    here.work(2, status("EXCHANGE_COMPLETED")).await.expect(200);
    let order = here.order().await;
    let line = &order["purchases"][1];
    assert_eq!(
        (&line["paid"], &line["unitPrice"], &line["optionName"]),
        (&json!(5_000), &json!(2_500), &json!("금색"))
    );
    let amounts = &order["amounts"][1];
    assert_eq!(
        (&amounts["initial"]["paid"], &amounts["remain"]["paid"]),
        (&json!(4_000), &json!(5_000))
    );
    golden.no_difference().await;

    // A return of one of the golden shirts, then of the other.
    for (line, quantity) in [(2, 1), (2, 1)] {
        let body = json!({
            "quantity": quantity, "reason": "상품에 하자가 있어요", "fault": "SELLER", "pickup": pickup(),
        });
        let path = here.path(line, "return");
        let asked = here.shop.post(&path, &body).as_(&here.hong).send().await;
        let order = asked.expect(200).body["order"].take();
        let claim = order["claims"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(claim["refund"]["money"], 2_500);
        let no = claim["purchaseNos"][0].as_str().unwrap();
        let line = no.rsplit('-').next().unwrap().parse().unwrap();
        for change in [
            picked_up(),
            inspected(1, 1, "SELLER"),
            status("RETURN_COMPLETED"),
        ] {
            here.work(line, change).await.expect(200);
        }
    }
    let is_back = |order: &Value| {
        let refunded = |at: usize| order["payments"][at]["refunded"].as_i64();
        refunded(0).zip(refunded(1)) == Some((4_000, PRICE))
    };
    let (shop, token) = (&here.shop, &here.hong.token);
    let order = shop.until(token, &here.order, "refunded", is_back).await;
    for claim in order["claims"].as_array().unwrap() {
        assert_eq!(claim["state"], "COMPLETED");
    }
    golden.holds(before, PRICE + FEE - 5_000).await;
    golden.no_difference().await;
}

#[tokio::test]
async fn a_waived_fee_leaves_the_difference_to_pay() {
    let golden = Golden::inspected("BUYER").await;
    let shop = &golden.here.shop;
    let before = golden.balance().await;
    let old = shop.authenticate(&golden.window().await).await;
    let done = golden.waives().await.expect(200).body;
    assert_eq!(
        (&done["payment"]["status"], &done["payment"]["amount"]),
        (&json!("PAY_AWAITING"), &json!(PRICE))
    );
    // The window for both is not charged any more.
    shop.come_back(&old).await.expect(303);
    assert_eq!(golden.balance().await, before);
    let exchange = golden.exchange().await;
    assert_eq!(
        (&exchange["fee"], &exchange["price"], &exchange["feePaid"]),
        (&json!(0), &json!(PRICE), &json!(false))
    );
    let unpaid = golden.here.work(2, sent("111122223333")).await.expect(409);
    assert_eq!(unpaid.body["error"]["details"]["due"], PRICE);
    let window = golden.window().await;
    assert_eq!(window["amount"], PRICE);
    golden.pays().await;
    assert_eq!(golden.balance().await - before, PRICE);
    golden.here.work(2, sent("111122223333")).await.expect(200);
    assert_eq!(events(shop, "UserPaymentReduced").await, 1);
    golden.no_difference().await;
}

#[tokio::test]
async fn a_difference_alone_is_not_waived_and_a_rejected_exchange_costs_nothing() {
    let golden = Golden::inspected("SELLER").await;
    let pay = golden.exchange().await["pay"].take();
    assert_eq!(pay["amount"], PRICE);
    let refused = golden.waives().await.expect(409);
    assert_eq!(refused.body["error"]["details"]["reason"], "no_fee");
    let line = &golden
        .here
        .shop
        .my_order(&golden.here.hong.token, &golden.here.order)
        .await["purchases"][1];
    assert_eq!(line["claim"]["feeDue"], true);
    // A payment that arrives while the exchange is rejected is refunded in full.
    let before = golden.balance().await;
    let form = golden.here.shop.authenticate(&golden.window().await).await;
    let reject = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    let (_, rejected) = tokio::join!(
        golden.here.shop.come_back(&form),
        golden.here.work(2, reject)
    );
    // Refused before anything was charged, refunded, or paid.
    let is_settled =
        |order: &Value| order["claims"][0]["exchange"]["pay"]["status"] != "PAY_AWAITING";
    let (token, order) = (&golden.here.hong.token, &golden.here.order);
    let settled = golden.here.shop.until(token, order, "settled", is_settled);
    let order = settled.await;
    let is_paid = order["claims"][0]["exchange"]["feePaid"] == true;
    assert_eq!(rejected.status == 200, !is_paid);
    golden.holds(before, if is_paid { PRICE } else { 0 }).await;
    assert_eq!(order["purchases"][1]["paid"], 4_000);
    golden.no_difference().await;
}
