//! Exchanges for a dearer option: the difference is paid before the replacement is sent, and goes back with the payment that paid it.

use std::num::NonZeroU32;

use api::audit::ask_payments::{self, Range};
use domain::user_payment::exchange_fee_id;
use serde_json::{Value, json};

use super::exchanges::{Shirts, inspected, picked_up, pickup, sent, status};
use crate::support::payments::events;
use crate::support::shop::order_form;
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
        Self::of(Shirts::start().await, fault).await
    }

    async fn of(here: Shirts, fault: &str) -> Self {
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

    /// What the console says about its user payment.
    async fn listed(&self) -> Value {
        let shop = &self.here.shop;
        shop.settled().await;
        let list = shop
            .get("/api/console/users/payments")
            .as_(&self.here.seller);
        list.send().await.expect(200).body["payments"][0].take()
    }

    /// One of the golden shirts is returned, then the other; the claims are completed once both payments gave back what they took.
    async fn both_return(&self) {
        let here = &self.here;
        for _ in 0..2 {
            let body = json!({
                "quantity": 1, "reason": "상품에 하자가 있어요", "fault": "SELLER", "pickup": pickup(),
            });
            let path = here.path(2, "return");
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

    golden.both_return().await;
    golden.holds(before, PRICE + FEE - 5_000).await;
    golden.no_difference().await;
}

#[tokio::test]
async fn a_waived_fee_leaves_the_difference_to_pay() {
    let golden = Golden::inspected("BUYER").await;
    let shop = &golden.here.shop;
    assert_eq!(golden.listed().await["cancelable"], true);
    let before = golden.balance().await;
    let old = shop.authenticate(&golden.window().await).await;
    let done = golden.waives().await.expect(200).body;
    assert_eq!(
        (&done["payment"]["status"], &done["payment"]["amount"]),
        (&json!("PAY_AWAITING"), &json!(PRICE))
    );
    // Nothing is left that could be waived.
    assert_eq!(done["payment"]["cancelable"], false);
    assert_eq!(golden.listed().await["cancelable"], false);
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

/// Sold out after the payment: the exchange is rejected, and what was paid for it goes back.
#[tokio::test]
async fn a_rejection_after_the_payment_gives_fee_and_difference_back() {
    let golden = Golden::inspected("BUYER").await;
    let here = &golden.here;
    assert_eq!(here.stock(2).await, 8, "two are reserved");
    let before = golden.balance().await;
    golden.pays().await;
    assert_eq!(golden.balance().await - before, PRICE + FEE);
    let delayed =
        json!({ "claimStatus": "EXCHANGE_DELAYED", "reason": "입고가 늦어지고 있습니다" });
    here.work(2, delayed).await.expect(200);
    // The list offers what the purchase itself does.
    here.shop.settled().await;
    let path = format!("/api/console/shop/purchases?searchValue={}", here.line(2));
    let list = here.shop.get(&path).as_(&here.seller).send().await;
    let list = list.expect(200).body;
    let path = format!("/api/console/shop/purchases/{}", here.line(2));
    let shown = here.shop.get(&path).as_(&here.seller).send().await;
    let shown = shown.expect(200).body;
    let offered = &shown["purchase"]["nextActions"];
    assert_eq!(list["purchases"][0]["nextActions"], *offered);
    let all = offered.as_array().unwrap();
    assert!(all.contains(&json!("rejectExchange")), "{offered}");
    let head = here.shop.app.store.head().await.unwrap();
    let bare = json!({ "claimStatus": "EXCHANGE_REJECTED", "reason": "품절되었습니다" });
    here.work(2, bare).await.expect(400);
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    let reject = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "품절되었습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    // Two at once, and once more: one refund.
    let (first, second) = tokio::join!(here.work(2, reject.clone()), here.work(2, reject.clone()));
    for done in [first, second, here.work(2, reject).await] {
        done.expect(200);
    }
    golden.holds(before, 0).await;
    for event in ["ExchangeFeeRefunded", "UserPaymentRefunded"] {
        assert_eq!(events(&here.shop, event).await, 1, "{event}");
    }
    let order = here.order().await;
    let line = &order["purchases"][1];
    assert_eq!(
        (&line["claimStatus"], &line["purchaseStatus"], &line["paid"]),
        (
            &json!("EXCHANGE_REJECTED"),
            &json!("PURCHASE_SCHEDULE"),
            &json!(4_000)
        )
    );
    let exchange = golden.exchange().await;
    assert_eq!(exchange["feePaid"], false);
    let pay = &exchange["pay"];
    assert_eq!(
        (&pay["status"], &pay["amount"]),
        (&json!("PAY_CANCELED"), &json!(PRICE + FEE))
    );
    assert!(pay["_payment"].is_string(), "{pay}");
    let listed = golden.listed().await;
    assert_eq!(
        (&listed["status"], &listed["cancelable"]),
        (&json!("PAY_CANCELED"), &json!(false))
    );
    assert_eq!(here.stock(2).await, 10, "nothing is reserved any more");
    golden.no_difference().await;
    // The purchase can be exchanged again.
    here.ask(2, &here.body(2, 1, "SELLER")).await.expect(200);
}

#[tokio::test]
async fn a_difference_alone_is_not_waived_and_a_rejected_exchange_costs_nothing() {
    let golden = Golden::inspected("SELLER").await;
    let pay = golden.exchange().await["pay"].take();
    assert_eq!(pay["amount"], PRICE);
    let listed = golden.listed().await;
    assert_eq!(
        (&listed["status"], &listed["cancelable"]),
        (&json!("PAY_AWAITING"), &json!(false))
    );
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

/// A guest sees what the options cost, applies, pays and returns with the token of the order, and with no other.
#[tokio::test]
async fn a_guest_exchanges_for_a_dearer_option_by_token() {
    let here = Shirts::of_guest().await;
    let product = here.shop.console_product(&here.seller, "A-1").await;
    let product = product["_id"].as_str().unwrap().parse().unwrap();
    let other = here
        .shop
        .post("/api/v1/shop/orders", &order_form(product, 1));
    let other = other.send().await.expect(201);
    let foreign = other.body["guestToken"].as_str().unwrap();
    let path = here.path(1, "exchange");
    let peek = here.shop.get(&path).token(foreign).send().await;
    assert_eq!((peek.status, peek.code()), (404, "not_found"));
    let offered = here.choices_of(1, "?quantity=2").await;
    assert_eq!(offered["choices"][2]["price"], PRICE);
    let body = here.body(2, 2, "BUYER");
    // Mail about the order may still be under way.
    let head = async || -> i64 {
        let sql = "SELECT max(global_position) FROM events WHERE aggregate_type <> 'message'";
        let head = sqlx::query_scalar(sql).fetch_one(here.shop.app.pool());
        head.await.unwrap()
    };
    let before = head().await;
    let asked = here.shop.post(&path, &body).token(foreign).send().await;
    assert_eq!((asked.status, asked.code()), (404, "not_found"));
    assert_eq!(head().await, before);

    let golden = Golden::of(here, "BUYER").await;
    let here = &golden.here;
    let before = golden.balance().await;
    let form = json!({ "_order": here.order, "_claim": golden.claim });
    let path = "/api/plugins/nicepayments/generate/order";
    let foreign = here.shop.post(path, &form).token(foreign).send().await;
    assert_eq!(foreign.status, 404);
    assert_eq!(golden.window().await["amount"], PRICE + FEE);
    golden.pays().await;
    assert_eq!(golden.balance().await - before, PRICE + FEE);
    here.work(2, sent("111122223333")).await.expect(200);
    here.work(2, status("EXCHANGE_COMPLETED")).await.expect(200);
    assert_eq!(here.order().await["purchases"][1]["paid"], 5_000);
    here.shop.settled().await;
    for step in [
        "교환 신청이 접수되었습니다",
        "교환 비용을 결제해 주세요",
        "교환 비용 결제가 확인되었습니다",
        "교환 상품의 배송이 완료되었습니다",
    ] {
        let mail = here.shop.mail("hong@example.com", step).await;
        let text = mail["text"].as_str().unwrap();
        assert!(text.contains("상품: 셔츠"), "{text}");
        assert!(text.contains("/shop/lookup"), "{text}");
    }
    golden.both_return().await;
    golden.holds(before, PRICE + FEE - 5_000).await;
    golden.no_difference().await;
}
