//! Returns: from the request to the refund by the gateway.

use serde_json::{Value, json};

use super::parcel::{Parcel, sum, sums};
use crate::support::pictures::{giving, picture_bytes};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp};

fn pickup() -> Value {
    json!({
        "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236",
        "address1": "서울특별시 강남구 테헤란로 152", "address2": "3층",
    })
}

fn body(quantity: u32, fault: &str, shown: &Value) -> Value {
    json!({
        "quantity": quantity, "reason": "마음이 바뀌었어요", "fault": fault, "pickup": pickup(), "shown": shown,
    })
}

impl Parcel {
    /// Both lines are delivered.
    pub async fn delivered(&self) {
        for line in [1, 2] {
            let no = self.line(line);
            let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
            self.shop.work(&self.seller, &no, prepare).await.expect(200);
            let sent = self.shop.ship(&self.seller, &no, "123456789012").await;
            sent.expect(200);
            let arrived = json!({ "orderStatus": "DELIVERY_COMPLETE" });
            self.shop.work(&self.seller, &no, arrived).await.expect(200);
        }
    }

    async fn ask_return(&self, line: usize, body: &Value) -> Reply {
        let path = format!("/api/v1/me/purchases/{}/return", self.line(line));
        self.shop.post(&path, body).as_(&self.hong).send().await
    }

    async fn preview_return(&self, line: usize, quantity: u32, fault: &str) -> Value {
        let path = format!("/api/v1/me/purchases/{}/return/preview", self.line(line));
        let wish = json!({ "quantity": quantity, "fault": fault });
        let asked = self.shop.post(&path, &wish).as_(&self.hong).send().await;
        asked.expect(200).body["preview"].take()
    }

    async fn withdraw(&self, line: usize) -> Reply {
        let path = format!("/api/v1/me/purchases/{}/withdraw", self.line(line));
        self.shop
            .post(&path, &json!({}))
            .as_(&self.hong)
            .send()
            .await
    }

    async fn work(&self, line: usize, change: Value) -> Reply {
        self.shop.work(&self.seller, &self.line(line), change).await
    }

    async fn purchase(&self, line: usize) -> Value {
        let order = self.shop.my_order(&self.hong.token, &self.order).await;
        order["purchases"][line - 1].clone()
    }
}

fn picked_up() -> Value {
    json!({ "collectionStatus": "COLLECTION_PROGRESS", "courier": "kr.epost", "invoiceNo": "1234-5678-9012" })
}

fn inspected(arrived: u32, resellable: u32, fault: &str) -> Value {
    let found = json!({ "arrived": arrived, "resellable": resellable, "fault": fault });
    json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found })
}

#[tokio::test]
async fn a_piece_goes_back_from_the_application_to_the_money() {
    let here = Parcel::start().await;
    here.delivered().await;
    let before = here.purse().await;
    let shown = here.preview_return(2, 1, "BUYER").await;
    assert_eq!(shown["lines"][0]["quantity"], 1);
    assert_eq!(shown["atOnce"], false);
    let fees = sum(&shown["fees"], "amount");
    assert!(fees > 0, "{shown}");
    assert_eq!(shown["fees"][0]["kind"], "RETURN_FARE");
    let worth = sum(&shown["lines"], "money");
    assert_eq!(sums(&shown)["refund"], worth - fees);
    // The seller is at fault: there is no fee.
    let free = here.preview_return(2, 1, "SELLER").await;
    assert_eq!(sums(&free)["refund"], worth);

    let asked = here.ask_return(2, &body(1, "BUYER", &sums(&shown))).await;
    let order = asked.expect(200).body["order"].take();
    let line = &order["purchases"][2];
    assert_eq!(line["claimStatus"], "RETURN_REQUESTED");
    assert_eq!(line["collectionStatus"], "COLLECTION_PENDING");
    assert_eq!(line["nextActions"], json!(["withdrawClaim"]));
    assert_eq!(order["claims"][0]["pickup"]["phone"], "01012345678");
    assert_eq!(order["purchases"][1]["purchaseStatus"], "PURCHASE_SCHEDULE");
    // The other helmet can be confirmed meanwhile.
    let confirm = json!({ "purchaseNo": here.line(2) });
    let path = format!("/api/v1/me/orders/{}/confirm", here.order);
    let confirmed = here.shop.post(&path, &confirm).as_(&here.hong).send().await;
    confirmed.expect(200);

    let early = here
        .work(3, json!({ "claimStatus": "RETURN_COMPLETED" }))
        .await;
    assert_eq!(early.expect(409).code(), "not_allowed_now");
    here.work(3, picked_up()).await.expect(200);
    let late = here.withdraw(3).await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");
    here.work(3, inspected(1, 0, "BUYER")).await.expect(200);
    assert_eq!(
        here.purchase(3).await["collectionStatus"],
        "COLLECTION_COMPLETE"
    );
    let wish = json!({ "action": "approveReturn", "purchaseNos": [here.line(3)] });
    let path = "/api/console/shop/purchases/cancel/preview";
    let answer = here.shop.post(path, &wish).as_(&here.seller).send().await;
    let answer = answer.expect(200).body["refunds"][0]["preview"].take();
    assert_eq!(sums(&answer), sums(&shown));
    let approve = json!({ "claimStatus": "RETURN_COMPLETED", "shown": sums(&answer) });
    here.work(3, approve).await.expect(200);
    here.came_back(before, &shown).await;
    let done = |order: &Value| order["purchases"][2]["claimStatus"] == "RETURN_COMPLETED";
    let order = here
        .shop
        .until(&here.hong.token, &here.order, "open", done)
        .await;
    assert_eq!(order["purchases"][2]["purchaseStatus"], "PURCHASE_CANCELED");
    assert_eq!(order["claims"][0]["refund"]["fees"][0]["amount"], fees);
}

#[tokio::test]
async fn what_did_not_arrive_stays_bought() {
    let here = Parcel::start().await;
    here.delivered().await;
    here.ask_return(2, &body(2, "SELLER", &Value::Null))
        .await
        .expect(200);
    here.work(2, picked_up()).await.expect(200);
    for found in [
        inspected(0, 0, "SELLER"),
        inspected(3, 0, "SELLER"),
        inspected(1, 2, "SELLER"),
    ] {
        let refused = here.work(2, found).await;
        assert_eq!((refused.status, refused.complaint().0), (400, "quantity"));
    }
    let without = json!({ "collectionStatus": "COLLECTION_COMPLETE" });
    assert_eq!(here.work(2, without).await.complaint().0, "inspection");
    here.work(2, inspected(1, 1, "SELLER")).await.expect(200);
    let missing = here.purchase(3).await;
    assert_eq!(missing["claimStatus"], "RETURN_REJECTED");
    assert_eq!(missing["purchaseStatus"], "PURCHASE_SCHEDULE");
    assert_eq!(missing["claim"]["rejection"], "상품이 도착하지 않았습니다.");
    let before = here.purse().await;
    here.work(2, json!({ "claimStatus": "RETURN_COMPLETED" }))
        .await
        .expect(200);
    let done = |order: &Value| order["purchases"][1]["claimStatus"] == "RETURN_COMPLETED";
    let order = here
        .shop
        .until(&here.hong.token, &here.order, "open", done)
        .await;
    let paid = order["purchases"][1]["paid"].as_i64().unwrap();
    assert_eq!(here.purse().await.0, before.0 - paid);
}

#[tokio::test]
async fn a_buyer_withdraws_until_the_pickup_and_a_seller_rejects() {
    let here = Parcel::start().await;
    here.delivered().await;
    let day = here.purchase(1).await["confirmOn"].clone();
    let ask = async || {
        let asked = here.ask_return(1, &body(1, "BUYER", &Value::Null)).await;
        asked.expect(200);
        assert_eq!(here.purchase(1).await["confirmOn"], Value::Null);
    };
    ask().await;
    here.withdraw(1).await.expect(200);
    let line = here.purchase(1).await;
    assert_eq!(
        (&line["claimStatus"], &line["confirmOn"]),
        (&json!("NONE"), &day)
    );
    assert_eq!(line["claim"], Value::Null);
    let none = here.withdraw(1).await;
    assert_eq!(none.expect(409).code(), "not_allowed_now");
    ask().await;
    here.work(1, picked_up()).await.expect(200);
    // Their goods are with the seller: they are sent back.
    let reject = json!({ "claimStatus": "RETURN_REJECTED", "reason": "사용한 흔적이 있습니다" });
    let refused = here.work(1, reject.clone()).await;
    assert_eq!((refused.status, refused.complaint().0), (400, "invoiceNo"));
    let mut with_parcel = reject;
    with_parcel["courier"] = json!("kr.epost");
    with_parcel["invoiceNo"] = json!("999988887777");
    here.work(1, with_parcel).await.expect(200);
    let line = here.purchase(1).await;
    assert_eq!(line["claimStatus"], "RETURN_REJECTED");
    assert_eq!(line["claim"]["rejection"], "사용한 흔적이 있습니다");
    assert_eq!(line["purchaseStatus"], "PURCHASE_SCHEDULE");
    let order = here.shop.my_order(&here.hong.token, &here.order).await;
    assert_eq!(order["claims"][1]["sentBack"]["invoiceNo"], "999988887777");
    // Rejected, it may be requested again.
    ask().await;
}

#[tokio::test]
async fn bad_returns_are_refused_and_write_nothing() {
    let here = Parcel::start().await;
    let unsent = here.ask_return(1, &body(1, "BUYER", &Value::Null)).await;
    assert_eq!(unsent.expect(409).code(), "not_allowed_now");
    here.delivered().await;
    let kim = here.shop.sign_up("kim12345").await;
    let other = here.shop.company("seller02").await;
    let head = here.shop.app.store.head().await.unwrap();
    for (quantity, field) in [(0, "quantity"), (3, "quantity"), (u32::MAX, "quantity")] {
        let refused = here
            .ask_return(2, &body(quantity, "BUYER", &Value::Null))
            .await;
        assert_eq!((refused.status, refused.complaint().0), (400, field));
    }
    for (part, value, field) in [
        ("reason", json!(""), "reason"),
        ("fault", json!("NOBODY"), "fault"),
        ("quantity", json!("two"), "quantity"),
        (
            "pickup",
            json!({ "name": "홍길동", "phone": "010-1234-5678" }),
            "pickup.postcode",
        ),
    ] {
        let mut wrong = body(1, "BUYER", &Value::Null);
        wrong[part] = value;
        let refused = here.ask_return(2, &wrong).await;
        assert_eq!((refused.status, refused.complaint().0), (400, field));
    }
    let stale = body(1, "BUYER", &json!({ "refund": 1, "points": 0 }));
    let stale = here.ask_return(2, &stale).await;
    assert_eq!((stale.status, stale.code()), (409, "refund_changed"));
    for no in [
        here.line(9),
        "20260101-ABCDEFGH-1".to_owned(),
        "x".to_owned(),
    ] {
        for call in ["return", "return/preview", "withdraw"] {
            let path = format!("/api/v1/me/purchases/{no}/{call}");
            let asked = here.shop.post(&path, &body(1, "BUYER", &Value::Null));
            assert_eq!(asked.as_(&here.hong).send().await.status, 404, "{path}");
        }
    }
    for (who, status) in [(Some(&kim), 404), (None, 401)] {
        for call in ["return", "return/preview", "withdraw"] {
            let path = format!("/api/v1/me/purchases/{}/{call}", here.line(2));
            let asked = here.shop.post(&path, &body(1, "BUYER", &Value::Null));
            let asked = match who {
                Some(who) => asked.as_(who),
                None => asked,
            };
            assert_eq!(asked.send().await.status, status, "{path}");
        }
    }
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    // The text of a reason is never interpreted; only the buyer and those who answer can read it.
    let mut own_words = body(1, "SELLER", &Value::Null);
    own_words["reason"] = json!("<script>alert(1)</script>");
    here.ask_return(2, &own_words).await.expect(200);
    let line = here.purchase(3).await;
    assert_eq!(line["claim"]["reason"], "<script>alert(1)</script>");
    let open = here.ask_return(3, &body(1, "BUYER", &Value::Null)).await;
    assert_eq!(open.expect(409).code(), "not_allowed_now");
    for change in [
        picked_up(),
        json!({ "claimStatus": "RETURN_REJECTED", "reason": "아니요" }),
    ] {
        let foreign = here.shop.work(&other, &here.line(3), change).await;
        assert_eq!(foreign.status, 404);
    }
    let wrong_kind = here
        .work(3, json!({ "claimStatus": "CANCEL_COMPLETED" }))
        .await;
    assert_eq!(wrong_kind.status, 404);
    let skipped = here.work(3, inspected(1, 1, "BUYER")).await;
    assert_eq!(skipped.expect(409).code(), "not_allowed_now");
}

/// A guest returns with the token of their order, and of no other.
#[tokio::test]
async fn a_guest_returns_with_their_token() {
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
    let path = format!("/api/v1/me/purchases/{line}/return");
    let mut asked = body(1, "SELLER", &Value::Null);
    let pictures = format!("/api/v1/me/purchases/{line}/pictures");
    let given = giving(&shop, &pictures, "image", "a.png", &picture_bytes(1));
    assert_eq!(given.token(&foreign).send().await.status, 404);
    let given = giving(&shop, &pictures, "image", "a.png", &picture_bytes(1));
    let given = given.token(&token).send().await.expect(201);
    asked["pictures"] = json!([given.body["picture"]]);
    let refused = shop.post(&path, &asked).token(&foreign).send().await;
    assert_eq!(refused.status, 404);
    let asked = shop.post(&path, &asked).token(&token).send().await;
    asked.expect(200);
    let change = |account: Account, change: Value| {
        let (shop, line) = (&shop, line.clone());
        async move { shop.work(&account, &line, change).await.expect(200) }
    };
    change(seller.clone(), picked_up()).await;
    change(seller.clone(), inspected(1, 1, "SELLER")).await;
    change(seller, json!({ "claimStatus": "RETURN_COMPLETED" })).await;
    let done = |order: &Value| order["purchases"][0]["claimStatus"] == "RETURN_COMPLETED";
    shop.until(&token, &order, "not given back", done).await;
    assert_eq!(shop.charges().await["balance"], 0, "the fare too");
}
