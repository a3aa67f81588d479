//! Exchanges: from the request to the delivery of the replacement.

use serde_json::{Value, json};

use crate::support::mail::MAILED;
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp};

/// Three red shirts of one purchase, delivered. Blue ones cost the same, gold ones more, green ones are sold out.
pub(super) struct Shirts {
    pub(super) shop: TestApp,
    pub(super) seller: Account,
    pub(super) hong: Account,
    product: Value,
    pub(super) order: String,
    number: String,
}

pub(super) fn pickup() -> Value {
    json!({
        "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236",
        "address1": "서울특별시 강남구 테헤란로 152", "address2": "3층",
    })
}

pub(super) fn picked_up() -> Value {
    json!({ "collectionStatus": "COLLECTION_PROGRESS", "courier": "kr.epost", "invoiceNo": "1234-5678-9012" })
}

pub(super) fn inspected(arrived: u32, resellable: u32, fault: &str) -> Value {
    let found = json!({ "arrived": arrived, "resellable": resellable, "fault": fault });
    json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found })
}

pub(super) fn status(claim: &str) -> Value {
    json!({ "claimStatus": claim })
}

pub(super) fn sent(number: &str) -> Value {
    json!({ "claimStatus": "EXCHANGE_SHIPPING", "courier": "kr.epost", "invoiceNo": number })
}

impl Shirts {
    pub(super) async fn start() -> Self {
        Self::ordered(0).await
    }

    /// The option at this place, ordered and delivered.
    pub(super) async fn ordered(place: usize) -> Self {
        let shop = TestApp::start().await;
        let hong = shop.sign_up("hong1234").await;
        Self::delivered(shop, Some(hong), place).await
    }

    /// The red ones of a guest, who is known by the token of the order.
    pub(super) async fn of_guest() -> Self {
        Self::delivered(TestApp::with(&[MAILED]).await, None, 0).await
    }

    async fn delivered(shop: TestApp, buyer: Option<Account>, place: usize) -> Self {
        let seller = shop.company("seller01").await;
        shop.console_product(&seller, "A-0").await;
        let option = |value: &str, price: i64, stock: u32| json!({ "name": "색상", "value": value, "price": price, "enabled": true, "stock": stock });
        let form = json!({
            "code": "S-1", "name": "셔츠", "price": 2_000, "shows": true,
            "optionsConf": { "enabled": true, "sort": "OTHER", "criteria": ["색상"] },
            "options": [option("빨강", 0, 10), option("파랑", 0, 10), option("금색", 500, 10), option("초록", 0, 0)],
        });
        let made = shop.post("/api/console/shop/products", &form).as_(&seller);
        let product = made.send().await.expect(201).body["product"].take();
        let id = product["_id"].as_str().unwrap().parse().unwrap();
        let mut form = order_form(id, 3);
        form["carts"][0]["_option"] = product["options"][place]["_id"].clone();
        let mut placing = shop.post("/api/v1/shop/orders", &form);
        if let Some(buyer) = &buyer {
            placing = placing.as_(buyer);
        }
        let placed = placing.send().await.expect(201);
        let order = id_of(&placed);
        let guest = || Account {
            id: String::new(),
            username: String::new(),
            password: String::new(),
            token: placed.body["guestToken"].as_str().unwrap().to_owned(),
            refresh: String::new(),
        };
        let hong = buyer.unwrap_or_else(guest);
        shop.pay(&hong.token, &order).await.expect(303);
        // If the gateway answers too late, the worker asks it for the outcome.
        let is_paid = |order: &Value| order["status"] == "ORDER_PAYMENT";
        shop.until(&hong.token, &order, "paid", is_paid).await;
        let number = placed.body["order"]["orderNo"].as_str().unwrap().to_owned();
        let here = Self {
            shop,
            seller,
            hong,
            product,
            order,
            number,
        };
        let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
        here.work(1, prepare).await.expect(200);
        let no = here.line(1);
        let shipped = here.shop.ship(&here.seller, &no, "123456789012").await;
        shipped.expect(200);
        let arrived = json!({ "orderStatus": "DELIVERY_COMPLETE" });
        here.work(1, arrived).await.expect(200);
        here
    }

    pub(super) fn line(&self, line: usize) -> String {
        format!("{}-{line}", self.number)
    }

    fn option(&self, place: usize) -> Value {
        self.product["options"][place]["_id"].clone()
    }

    pub(super) fn path(&self, line: usize, call: &str) -> String {
        format!("/api/v1/me/purchases/{}/{call}", self.line(line))
    }

    pub(super) async fn choices(&self, line: usize) -> Value {
        self.choices_of(line, "").await
    }

    pub(super) async fn choices_of(&self, line: usize, query: &str) -> Value {
        let path = format!("{}{query}", self.path(line, "exchange"));
        let asked = self.shop.get(&path).as_(&self.hong).send().await;
        asked.expect(200).body
    }

    pub(super) async fn ask(&self, line: usize, body: &Value) -> Reply {
        let path = self.path(line, "exchange");
        self.shop.post(&path, body).as_(&self.hong).send().await
    }

    pub(super) async fn work(&self, line: usize, change: Value) -> Reply {
        self.shop.work(&self.seller, &self.line(line), change).await
    }

    pub(super) async fn order(&self) -> Value {
        let head = self.shop.app.store.head().await.unwrap().to_string();
        let path = format!("/api/v1/me/orders/{}", self.order);
        let shown = self.shop.get(&path).token(&self.hong.token);
        let shown = shown.header("x-wait-position", &head).send().await;
        shown.expect(200).body["order"].clone()
    }

    async fn purchase(&self, line: usize) -> Value {
        self.order().await["purchases"][line - 1].clone()
    }

    pub(super) async fn stock(&self, place: usize) -> i64 {
        let path = format!(
            "/api/v1/shop/products/{}",
            self.product["_id"].as_str().unwrap()
        );
        let head = self.shop.app.store.head().await.unwrap().to_string();
        let shown = self.shop.get(&path).header("x-wait-position", &head);
        let shown = shown.send().await.expect(200);
        shown.body["product"]["options"][place]["stock"]
            .as_i64()
            .unwrap()
    }

    /// The seller changes an option of the product.
    pub(super) async fn change_option(&self, place: usize, field: &str, value: i64) {
        let id = self.product["_id"].as_str().unwrap();
        let path = format!("/api/console/shop/products/{id}");
        let shown = self.shop.get(&path).as_(&self.seller).send().await;
        let shown = shown.expect(200).body["product"].take();
        let mut options = shown["options"].clone();
        options[place][field] = json!(value);
        let change = json!({ "version": shown["version"], "options": options });
        let changed = self.shop.put(&path, &change).as_(&self.seller);
        changed.send().await.expect(200);
    }

    pub(super) fn body(&self, quantity: u32, option: usize, fault: &str) -> Value {
        json!({
            "quantity": quantity, "_option": self.option(option), "reason": "사이즈나 색상이 맞지 않아요",
            "fault": fault, "pickup": pickup(),
        })
    }
}

#[tokio::test]
async fn two_of_three_become_blue_once_their_fare_is_paid() {
    let here = Shirts::start().await;
    let offered = here.choices(1).await;
    let names: Vec<&str> = offered["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|choice| choice["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["빨강", "파랑", "금색", "초록"]);
    assert_eq!(offered["choices"][0]["ordered"], true);
    assert_eq!(offered["choices"][0]["available"], 7);
    assert_eq!(offered["choices"][3]["available"], 0);
    let fee = offered["fee"].as_i64().unwrap();
    assert_eq!(fee, 500, "there and back at 2.50");

    let mut body = here.body(2, 1, "BUYER");
    body["fee"] = json!(fee);
    let order = here.ask(1, &body).await.expect(200).body["order"].take();
    let line = &order["purchases"][1];
    assert_eq!(line["claimStatus"], "EXCHANGE_REQUESTED");
    assert_eq!(line["collectionStatus"], "NONE");
    assert_eq!(line["confirmOn"], Value::Null);
    assert_eq!(line["nextActions"], json!(["withdrawClaim"]));
    let exchange = &order["claims"][0]["exchange"];
    assert_eq!(exchange["optionName"], "파랑");
    assert_eq!(
        (&exchange["fee"], &exchange["feePaid"]),
        (&json!(fee), &json!(false))
    );
    assert_eq!(here.stock(1).await, 10, "not before it is accepted");

    // A step cannot be skipped.
    for change in [picked_up(), inspected(2, 2, "BUYER"), sent("111122223333")] {
        let early = here.work(2, change).await;
        assert_eq!(early.expect(409).code(), "not_allowed_now");
    }
    here.work(2, status("EXCHANGE_PENDING")).await.expect(200);
    assert_eq!(here.stock(1).await, 8);
    here.work(2, picked_up()).await.expect(200);
    here.work(2, inspected(2, 1, "BUYER")).await.expect(200);
    let unpaid = here.work(2, sent("111122223333")).await.expect(409);
    assert_eq!(unpaid.code(), "not_allowed_now");
    assert_eq!(unpaid.body["error"]["details"]["due"], fee);

    // The fee is recorded by staff, as a whole, and once.
    let staff = here.shop.console().await;
    let claim = here.order().await["claims"][0]["_id"].clone();
    let path = format!(
        "/api/console/shop/orders/{}/claims/{}/fee",
        here.order,
        claim.as_str().unwrap()
    );
    let receive = async |who: &Account, amount: i64| {
        let body = json!({ "amount": amount, "reference": "입금 20261125-7" });
        here.shop.post(&path, &body).as_(who).send().await
    };
    assert_eq!(receive(&here.seller, fee).await.status, 403);
    let short = receive(&staff, fee - 1).await;
    assert_eq!(short.expect(409).code(), "not_allowed_now");
    receive(&staff, fee).await.expect(200);
    let head = here.shop.app.store.head().await.unwrap();
    receive(&staff, fee).await.expect(200);
    assert_eq!(here.shop.app.store.head().await.unwrap(), head, "twice");
    here.work(2, sent("111122223333")).await.expect(200);
    // One of the two returned pieces can be sold again.
    assert_eq!(here.stock(0).await, 8);
    here.work(2, sent("444455556666")).await.expect(200);
    let late = json!({ "claimStatus": "EXCHANGE_DELAYED", "reason": "폭설" });
    here.work(2, late).await.expect(200);
    here.work(2, sent("444455556666")).await.expect(200);
    assert_eq!((here.stock(0).await, here.stock(1).await), (8, 8));
    here.work(2, status("EXCHANGE_COMPLETED")).await.expect(200);

    let order = here.order().await;
    let [kept, new] = [&order["purchases"][0], &order["purchases"][1]];
    assert_eq!(
        (&kept["optionName"], &kept["quantity"]),
        (&json!("빨강"), &json!(1))
    );
    assert_eq!(
        (&new["optionName"], &new["quantity"]),
        (&json!("파랑"), &json!(2))
    );
    assert_eq!(new["claimStatus"], "EXCHANGE_COMPLETED");
    assert_eq!(new["purchaseStatus"], "PURCHASE_SCHEDULE");
    assert_eq!(new["collectionStatus"], "NONE");
    let exchange = &order["claims"][0]["exchange"];
    assert_eq!(exchange["invoice"]["invoiceNo"], "444455556666");
    assert_eq!(exchange["delayReason"], "폭설");
    assert_eq!(exchange["optionName"], "파랑");
    assert_eq!(exchange["returnedOptionName"], "빨강");
    assert_eq!(order["claims"][0]["state"], "COMPLETED");
    // The replacement can be returned too.
    let actions = new["nextActions"].as_array().unwrap();
    for action in ["confirm", "requestReturn", "requestExchange"] {
        assert!(actions.contains(&json!(action)), "{actions:?}");
    }
    let report = projections::verify::verify(&here.shop.app.store, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
}

#[tokio::test]
async fn an_exchange_that_ends_early_frees_what_was_reserved() {
    let here = Shirts::start().await;
    let withdraw = async |line| {
        let path = here.path(line, "withdraw");
        let asked = here.shop.post(&path, &json!({})).as_(&here.hong);
        asked.send().await
    };
    let day = here.purchase(1).await["confirmOn"].clone();
    here.ask(1, &here.body(3, 1, "SELLER")).await.expect(200);
    here.work(1, status("EXCHANGE_PENDING")).await.expect(200);
    assert_eq!(here.stock(1).await, 7);
    withdraw(1).await.expect(200);
    assert_eq!(here.stock(1).await, 10);
    let line = here.purchase(1).await;
    assert_eq!(
        (&line["claimStatus"], &line["confirmOn"]),
        (&json!("NONE"), &day)
    );

    here.ask(1, &here.body(3, 1, "SELLER")).await.expect(200);
    here.work(1, status("EXCHANGE_PENDING")).await.expect(200);
    here.work(1, picked_up()).await.expect(200);
    let late = withdraw(1).await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");
    // One did not arrive; the two that did cannot be exchanged.
    here.work(1, inspected(2, 0, "BUYER")).await.expect(200);
    assert_eq!(here.stock(1).await, 8);
    let missing = here.purchase(2).await;
    assert_eq!(missing["claimStatus"], "EXCHANGE_REJECTED");
    let reject = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    here.work(1, reject).await.expect(200);
    assert_eq!((here.stock(0).await, here.stock(1).await), (7, 10));
    let line = here.purchase(1).await;
    assert_eq!(line["claimStatus"], "EXCHANGE_REJECTED");
    assert_eq!(line["optionName"], "빨강");
    assert_eq!(line["purchaseStatus"], "PURCHASE_SCHEDULE");
}

#[tokio::test]
async fn bad_exchanges_are_refused_and_write_nothing() {
    let here = Shirts::start().await;
    let kim = here.shop.sign_up("kim12345").await;
    let foreign = here.shop.console_product(&here.seller, "F-1").await;
    let head = here.shop.app.store.head().await.unwrap();
    let good = || here.body(1, 1, "BUYER");
    for (part, value, (field, code)) in [
        ("quantity", json!(0), ("quantity", "pieces_out_of_range")),
        ("quantity", json!(4), ("quantity", "pieces_out_of_range")),
        ("_option", here.option(3), ("_option", "sold_out")),
        (
            "_option",
            foreign["_id"].clone(),
            ("_option", "not_offered"),
        ),
        ("reason", json!(" "), ("reason", "reason")),
    ] {
        let mut wrong = good();
        wrong[part] = value.clone();
        let refused = here.ask(1, &wrong).await;
        assert_eq!(refused.status, 400, "{part} {value}");
        assert_eq!(refused.complaint(), (field, code), "{part} {value}");
    }
    let mut without = good();
    without["pickup"] = json!({ "name": "홍길동", "phone": "010-1234-5678" });
    assert_eq!(here.ask(1, &without).await.complaint().0, "pickup.postcode");
    let mut stale = good();
    stale["fee"] = json!(1);
    let stale = here.ask(1, &stale).await;
    assert_eq!((stale.status, stale.code()), (409, "price_changed"));
    for (who, status) in [(Some(&kim), 404), (None, 401)] {
        let path = here.path(1, "exchange");
        let of = |asked: crate::support::Ask| match who {
            Some(who) => asked.as_(who),
            None => asked,
        };
        let asked = of(here.shop.post(&path, &good()));
        assert_eq!(asked.send().await.status, status);
        assert_eq!(of(here.shop.get(&path)).send().await.status, status);
    }
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);

    // Sold out between the request and its answer: the claim stays requested.
    here.ask(1, &here.body(3, 1, "SELLER")).await.expect(200);
    here.change_option(1, "stock", 2).await;
    let refused = here.work(1, status("EXCHANGE_PENDING")).await;
    assert_eq!(refused.expect(409).code(), "sold_out");
    assert_eq!(here.purchase(1).await["claimStatus"], "EXCHANGE_REQUESTED");
    let other = here.shop.company("seller02").await;
    let foreign = here
        .shop
        .work(&other, &here.line(1), status("EXCHANGE_PENDING"))
        .await;
    assert_eq!(foreign.status, 404);
    // Statuses of other kinds of claims do not answer it.
    for wrong in ["CANCEL_COMPLETED", "RETURN_COMPLETED", "RETURN_REJECTED"] {
        let answer = json!({ "claimStatus": wrong, "reason": "확인" });
        assert_eq!(here.work(1, answer).await.status, 404);
    }
}
