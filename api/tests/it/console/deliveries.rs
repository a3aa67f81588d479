//! Parcels in all directions, as staff and sellers list, send and correct them.

use application::clock::Clock;
use serde_json::{Value, json};
use time::Duration;

use crate::support::console::PaidOrder;
use crate::support::{Account, Reply, TestApp};

const LIST: &str = "/api/console/shop/deliveries";

/// Two sellers and a buyer; two orders from the first seller are prepared, and one from the other.
struct Shipping {
    shop: TestApp,
    seller: Account,
    other: Account,
    buyer: Account,
    orders: [PaidOrder; 2],
    others: PaidOrder,
}

fn parcel(purchase_no: &str, direction: &str, number: &str) -> Value {
    json!({ "purchaseNo": purchase_no, "direction": direction, "courier": "kr.epost", "invoiceNo": number })
}

fn number(invoice_no: &str) -> Value {
    json!({ "courier": "kr.cjlogistics", "invoiceNo": invoice_no })
}

impl Shipping {
    async fn start() -> Self {
        let shop = TestApp::start().await;
        let (seller, other) = (
            shop.company("seller01").await,
            shop.company("seller02").await,
        );
        let buyer = shop.sign_up("buyer001").await;
        let own = shop.console_product(&seller, "A-1").await;
        let foreign = shop.console_product(&other, "B-1").await;
        let bought = async |seller: &Account, product: &Value| {
            shop.advance(Duration::minutes(1));
            let order = shop.paid_order(&buyer, product).await;
            let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
            let prepared = shop.work(seller, &order.purchase(), prepare).await;
            prepared.expect(200);
            order
        };
        let orders = [bought(&seller, &own).await, bought(&seller, &own).await];
        let others = bought(&other, &foreign).await;
        Self {
            shop,
            seller,
            other,
            buyer,
            orders,
            others,
        }
    }

    async fn send(&self, who: &Account, body: &Value) -> Reply {
        self.shop.advance(Duration::minutes(1));
        self.shop.post(LIST, body).as_(who).send().await
    }

    async fn correct(&self, who: &Account, id: &str, body: &Value) -> Reply {
        let path = format!("{LIST}/{id}");
        self.shop.put(&path, body).as_(who).send().await
    }

    async fn work(&self, purchase_no: &str, change: Value) {
        let done = self.shop.work(&self.seller, purchase_no, change).await;
        done.expect(200);
    }

    async fn claim(&self, purchase_no: &str, call: &str) {
        let path = format!("/api/v1/me/purchases/{purchase_no}/{call}");
        let body = json!({
            "reason": "상품이 설명과 달라요", "fault": "SELLER",
            "pickup": {
                "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
            },
        });
        let asked = self.shop.post(&path, &body).as_(&self.buyer).send().await;
        asked.expect(200);
    }

    async fn list(&self, who: &Account, query: &str) -> Value {
        let head = self.shop.app.store.head().await.unwrap().to_string();
        let asked = self.shop.get(&format!("{LIST}?{query}")).as_(who);
        let asked = asked.header("x-wait-position", &head).send().await;
        asked.expect(200).body
    }

    /// Direction, status and tracking number of the listed parcels.
    async fn rows(&self, who: &Account, query: &str) -> Vec<[String; 3]> {
        let listed = self.list(who, query).await;
        let rows = listed["deliveries"].as_array().unwrap();
        assert_eq!(listed["summary"]["totalCount"], rows.len(), "{query}");
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let of = |row: &Value| ["direction", "status", "invoiceNo"].map(|name| text(row, name));
        rows.iter().map(of).collect()
    }

    async fn head(&self) -> i64 {
        self.shop.app.store.head().await.unwrap()
    }
}

fn row(direction: &str, status: &str, number: &str) -> [String; 3] {
    [direction, status, number].map(str::to_owned)
}

/// The reason in the details of an error.
fn why(refused: &Reply) -> &str {
    refused.body["error"]["details"]["reason"].as_str().unwrap()
}

#[tokio::test]
async fn a_parcel_goes_out_comes_back_and_is_sent_back() {
    let here = Shipping::start().await;
    let no = here.orders[0].purchase();
    let sent = here
        .send(&here.seller, &parcel(&no, "OUT", "1111-2222-3333"))
        .await;
    let sent = sent.expect(201).body["delivery"].take();
    assert_eq!(sent["_id"], no);
    assert_eq!(sent["purchaseNo"], no);
    assert_eq!(sent["orderNo"], here.orders[0].order_no);
    assert_eq!(sent["_order"], here.orders[0].id);
    assert_eq!(
        (&sent["name"], &sent["quantity"]),
        (&json!("사과 한 상자"), &json!(2))
    );
    assert_eq!(sent["courierName"], "우체국택배");
    assert!(
        sent["trackingUrl"]
            .as_str()
            .unwrap()
            .ends_with("111122223333")
    );
    assert_eq!(sent["statusText"], "배송중");
    assert_eq!(sent["seller"]["_id"], here.seller.id);
    assert!(sent["seller"]["nickname"].is_string());
    let purchase = here
        .shop
        .my_order(&here.buyer.token, &here.orders[0].id)
        .await;
    assert_eq!(purchase["purchases"][0]["orderStatus"], "SHIPPING_CONFIRM");

    // A parcel is sent once; its tracking number can be corrected.
    let head = here.head().await;
    let again = here
        .send(&here.seller, &parcel(&no, "OUT", "999988887777"))
        .await
        .expect(409);
    assert_eq!(
        (again.code(), why(&again)),
        ("not_allowed_now", "already_sent")
    );
    assert_eq!(here.head().await, head);
    let late = json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "폭설" });
    here.work(&no, late).await;
    let delayed = &here.list(&here.seller, "").await["deliveries"][0];
    assert_eq!(
        (&delayed["status"], &delayed["delayReason"]),
        (&json!("DELAYED"), &json!("폭설"))
    );
    let corrected = here
        .correct(&here.seller, &no, &number("4444 5555 6666"))
        .await;
    let corrected = corrected.expect(200).body["delivery"].take();
    assert_eq!(corrected["invoiceNo"], "444455556666");
    assert_eq!(corrected["courier"], "kr.cjlogistics");
    assert_eq!(
        (&corrected["status"], &corrected["delayReason"]),
        (&json!("SENT"), &Value::Null)
    );
    assert_eq!(corrected["sentAt"], sent["sentAt"]);
    here.work(&no, json!({ "orderStatus": "DELIVERY_COMPLETE" }))
        .await;
    assert_eq!(
        here.rows(&here.seller, "").await,
        [row("OUT", "ARRIVED", "444455556666")]
    );
    let late = here
        .correct(&here.seller, &no, &number("123412341234"))
        .await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");

    // Returned goods, first without a tracking number.
    let nothing = here
        .send(&here.seller, &parcel(&no, "BACK", "777788889999"))
        .await;
    assert_eq!(nothing.expect(404).code(), "not_found", "there is no claim");
    here.claim(&no, "return").await;
    let early = here
        .send(&here.seller, &parcel(&no, "SENT_BACK", "777788889999"))
        .await
        .expect(409);
    assert_eq!(why(&early), "wrong_collection");
    let unnumbered = json!({ "purchaseNo": no, "direction": "BACK" });
    let back = here.send(&here.seller, &unnumbered).await.expect(201);
    assert_eq!(back.body["delivery"]["invoiceNo"], Value::Null);
    assert_eq!(back.body["delivery"]["trackingUrl"], Value::Null);
    assert_eq!(back.body["delivery"]["statusText"], "회수중");
    let id = back.body["delivery"]["_id"].as_str().unwrap().to_owned();
    let told = here
        .correct(&here.seller, &id, &number("777788889999"))
        .await;
    assert_eq!(
        told.expect(200).body["delivery"]["invoiceNo"],
        "777788889999"
    );
    let again = here.send(&here.seller, &unnumbered).await.expect(409);
    assert_eq!(why(&again), "already_sent");

    // Sent back: the claim is rejected, with a reason.
    let unsaid = here
        .send(&here.seller, &parcel(&no, "SENT_BACK", "121212121212"))
        .await
        .expect(400);
    assert_eq!(unsaid.complaint().0, "reason");
    let mut body = parcel(&no, "SENT_BACK", "121212121212");
    body["reason"] = json!("사용한 흔적이 있습니다.");
    let sent_back = here.send(&here.seller, &body).await.expect(201);
    let id = sent_back.body["delivery"]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let order = here
        .shop
        .my_order(&here.buyer.token, &here.orders[0].id)
        .await;
    assert_eq!(order["purchases"][0]["claimStatus"], "RETURN_REJECTED");
    assert_eq!(order["claims"][0]["rejection"], "사용한 흔적이 있습니다.");
    let corrected = here
        .correct(&here.seller, &id, &number("343434343434"))
        .await;
    corrected.expect(200);
    let order = here
        .shop
        .my_order(&here.buyer.token, &here.orders[0].id)
        .await;
    assert_eq!(
        order["claims"][0]["sentBack"]["invoiceNo"], "343434343434",
        "the buyer sees the number that is right"
    );
    assert_eq!(
        here.rows(&here.seller, "").await,
        [
            row("SENT_BACK", "SENT", "343434343434"),
            row("BACK", "SENT", "777788889999"),
            row("OUT", "ARRIVED", "444455556666"),
        ]
    );
}

#[tokio::test]
async fn a_replacement_is_a_parcel_and_goods_that_came_back_are_not_under_way() {
    let here = Shipping::start().await;
    // Returned before its delivery was reported.
    let returned = here.orders[0].purchase();
    let sent = here
        .send(&here.seller, &parcel(&returned, "OUT", "111122223333"))
        .await;
    sent.expect(201);
    here.claim(&returned, "return").await;
    let back = here
        .send(&here.seller, &parcel(&returned, "BACK", "222233334444"))
        .await;
    back.expect(201);
    let found = json!({ "arrived": 1, "resellable": 1, "fault": "SELLER" });
    let inspected = json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found });
    here.work(&returned, inspected.clone()).await;
    let listed = here.list(&here.seller, "sort=sentAt").await;
    let pieces: Vec<[Value; 4]> = listed["deliveries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| ["purchaseNo", "direction", "status", "quantity"].map(|name| row[name].clone()))
        .collect();
    let split = format!("{}-2", here.orders[0].order_no);
    assert_eq!(
        pieces,
        [
            // The piece that did not arrive belongs to the parcel that was sent out.
            json!([returned, "OUT", "RETURNED", 1]),
            json!([split, "OUT", "SENT", 1]),
            json!([returned, "BACK", "ARRIVED", 1]),
        ]
        .map(|row| serde_json::from_value::<[Value; 4]>(row).unwrap())
    );

    let no = here.orders[1].purchase();
    let sent = here
        .send(&here.seller, &parcel(&no, "OUT", "333344445555"))
        .await;
    sent.expect(201);
    here.work(&no, json!({ "orderStatus": "DELIVERY_COMPLETE" }))
        .await;
    here.claim(&no, "exchange").await;
    here.work(&no, json!({ "claimStatus": "EXCHANGE_PENDING" }))
        .await;
    let replacement = parcel(&no, "REPLACEMENT", "555566667777");
    let early = here.send(&here.seller, &replacement).await;
    assert_eq!(early.expect(409).code(), "not_allowed_now");
    let back = here
        .send(&here.seller, &parcel(&no, "BACK", "444455556666"))
        .await;
    back.expect(201);
    let found = json!({ "arrived": 2, "resellable": 2, "fault": "SELLER" });
    let inspected = json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found });
    here.work(&no, inspected).await;
    let sent = here.send(&here.seller, &replacement).await.expect(201);
    let id = sent.body["delivery"]["_id"].as_str().unwrap().to_owned();
    let again = here.send(&here.seller, &replacement).await.expect(409);
    assert_eq!(why(&again), "already_sent");
    let corrected = here
        .correct(&here.seller, &id, &number("666677778888"))
        .await;
    corrected.expect(200);
    here.work(&no, json!({ "claimStatus": "EXCHANGE_COMPLETED" }))
        .await;
    let query = format!("purchaseNo={no}");
    assert_eq!(
        here.rows(&here.seller, &query).await,
        [
            row("REPLACEMENT", "ARRIVED", "666677778888"),
            row("BACK", "ARRIVED", "444455556666"),
            row("OUT", "ARRIVED", "333344445555"),
        ]
    );
}

#[tokio::test]
async fn sellers_see_send_and_correct_their_own_alone() {
    let here = Shipping::start().await;
    let (no, others) = (here.orders[0].purchase(), here.others.purchase());
    let out = parcel(&no, "OUT", "111122223333");
    let head = here.head().await;
    let foreign = here.send(&here.other, &out).await;
    assert_eq!(foreign.expect(404).code(), "not_found");
    assert_eq!(here.head().await, head);
    let staff = here.shop.console().await;
    here.send(&here.seller, &out).await.expect(201);
    let sent = here
        .send(&staff, &parcel(&others, "OUT", "222233334444"))
        .await;
    sent.expect(201);
    let own = [row("OUT", "SENT", "111122223333")];
    let theirs = [row("OUT", "SENT", "222233334444")];
    assert_eq!(here.rows(&here.seller, "").await, own);
    assert_eq!(here.rows(&here.other, "").await, theirs);
    let of_first = format!("seller._id={}", here.seller.id);
    assert_eq!(here.rows(&here.other, &of_first).await.len(), 0);
    assert_eq!(here.rows(&staff, &of_first).await, own);
    assert_eq!(here.rows(&staff, "").await.len(), 2);

    let path = format!("{LIST}/{no}");
    let head = here.head().await;
    let foreign = [
        here.shop.get(&path).as_(&here.other).send().await,
        here.correct(&here.other, &no, &number("999988887777"))
            .await,
        here.shop.delete(&path).as_(&here.other).send().await,
    ];
    for refused in foreign {
        assert_eq!(refused.expect(404).code(), "not_found");
    }
    // A parcel that was sent cannot be removed.
    for who in [&here.seller, &staff] {
        let removed = here.shop.delete(&path).as_(who).send().await;
        assert_eq!(removed.expect(405).code(), "ledger_immutable");
    }
    let unknown = format!("{LIST}/20261121-7KD2M9QX-1");
    let removed = here.shop.delete(&unknown).as_(&staff).send().await;
    assert_eq!(removed.expect(404).code(), "not_found");
    for path in [LIST, &path] {
        let buyer = here.shop.get(path).as_(&here.buyer).send().await;
        assert_eq!(buyer.expect(403).code(), "access_denied");
    }
    assert_eq!(here.head().await, head);
    let shown = here.shop.get(&path).as_(&here.seller).send().await;
    assert_eq!(
        shown.expect(200).body["delivery"]["invoiceNo"],
        "111122223333"
    );
}

#[tokio::test]
async fn a_wrong_number_is_named_and_nothing_is_sent() {
    let here = Shipping::start().await;
    let no = here.orders[0].purchase();
    let head = here.head().await;
    let with = |field: &str, value: Value| {
        let mut body = parcel(&no, "OUT", "111122223333");
        body[field] = value;
        body
    };
    for (body, field) in [
        (with("invoiceNo", json!("1234-567")), "invoiceNo"),
        (with("invoiceNo", json!("12345678A")), "invoiceNo"),
        (with("invoiceNo", Value::Null), "invoiceNo"),
        (with("courier", json!("kr.pigeon")), "courier"),
        (with("courier", Value::Null), "courier"),
    ] {
        let refused = here.send(&here.seller, &body).await.expect(400);
        assert_eq!(refused.code(), "invalid", "{body}");
        assert_eq!(refused.complaint().0, field, "{body}");
    }
    for body in [
        with("direction", json!("SIDEWAYS")),
        with("purchaseNo", Value::Null),
    ] {
        let refused = here.send(&here.seller, &body).await.expect(400);
        assert_eq!(refused.code(), "invalid_body", "{body}");
    }
    for unknown in ["20261121-7KD2M9QX-1", "nothing", "-"] {
        let body = with("purchaseNo", json!(unknown));
        let refused = here.send(&here.seller, &body).await;
        assert_eq!(refused.expect(404).code(), "not_found", "{unknown}");
    }
    assert_eq!(here.head().await, head);
    let right = with("courier", json!("kr.epost"));
    here.send(&here.seller, &right).await.expect(201);
    let head = here.head().await;
    for (body, field) in [
        (number("1234"), "invoiceNo"),
        (
            json!({ "courier": "kr.pigeon", "invoiceNo": "111122223333" }),
            "courier",
        ),
    ] {
        let refused = here.correct(&here.seller, &no, &body).await.expect(400);
        assert_eq!(refused.complaint().0, field, "{body}");
    }
    assert_eq!(here.head().await, head);
}

#[tokio::test]
async fn a_repeated_request_sends_once_and_many_at_once_too() {
    let here = Shipping::start().await;
    let body = parcel(&here.orders[0].purchase(), "OUT", "111122223333");
    let post = async |key: &str, body: &Value| {
        let post = here.shop.post(LIST, body).as_(&here.seller).key(key);
        post.send().await
    };
    let first = post("one", &body).await.expect(201);
    let head = here.head().await;
    let second = post("one", &body).await.expect(201);
    assert_eq!(first.body, second.body);
    assert_eq!(here.head().await, head);
    let mut other = body.clone();
    other["invoiceNo"] = json!("999988887777");
    assert_eq!(post("one", &other).await.status, 422);

    let no = here.orders[1].purchase();
    let numbers: Vec<String> = (0..8).map(|at| format!("10000000000{at}")).collect();
    let parcels: Vec<Value> = numbers.iter().map(|one| parcel(&no, "OUT", one)).collect();
    let sent = parcels.iter().map(|one| here.send(&here.seller, one));
    let mut codes: Vec<u16> = futures::future::join_all(sent)
        .await
        .iter()
        .map(|reply| reply.status)
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, [201, 409, 409, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn the_list_is_narrowed_and_paged() {
    let here = Shipping::start().await;
    let staff = here.shop.console().await;
    let [first, second] = [&here.orders[0], &here.orders[1]].map(PaidOrder::purchase);
    for (no, number) in [(&first, "111122223333"), (&second, "222233334444")] {
        let sent = here.send(&here.seller, &parcel(no, "OUT", number)).await;
        sent.expect(201);
    }
    let arrived = json!({ "orderStatus": "DELIVERY_COMPLETE" });
    here.work(&first, arrived).await;
    here.claim(&first, "return").await;
    let mut back = parcel(&first, "BACK", "333344445555");
    back["courier"] = json!("kr.hanjin");
    here.send(&here.seller, &back).await.expect(201);
    let today = domain::business_day::day(here.shop.clock.now());
    for (query, numbers) in [
        (
            String::new(),
            vec!["333344445555", "222233334444", "111122223333"],
        ),
        (
            "sort=sentAt".to_owned(),
            vec!["111122223333", "222233334444", "333344445555"],
        ),
        (
            "direction=OUT".to_owned(),
            vec!["222233334444", "111122223333"],
        ),
        ("direction=BACK".to_owned(), vec!["333344445555"]),
        ("direction=REPLACEMENT".to_owned(), vec![]),
        ("status=ARRIVED".to_owned(), vec!["111122223333"]),
        ("courier=kr.hanjin".to_owned(), vec!["333344445555"]),
        ("invoiceNo=2222-3333-4444".to_owned(), vec!["222233334444"]),
        (
            format!("orderNo={}", here.orders[1].order_no),
            vec!["222233334444"],
        ),
        (
            format!("purchaseNo={}", first.to_lowercase()),
            vec!["333344445555", "111122223333"],
        ),
        (
            format!("searchValue={}", here.orders[1].order_no),
            vec!["222233334444"],
        ),
        ("searchValue=333344445555".to_owned(), vec!["333344445555"]),
        ("searchValue=%25".to_owned(), vec![]),
        ("sentAtFrom=2999-01-01".to_owned(), vec![]),
        ("sentAtTo=2020-01-01".to_owned(), vec![]),
        (
            format!("direction=OUT&sentAtFrom={today}&sentAtTo={today}"),
            vec!["222233334444", "111122223333"],
        ),
    ] {
        let rows = here.rows(&staff, &query).await;
        let found: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
        assert_eq!(found, numbers, "{query}");
    }
    let page = here.list(&staff, "skip=1&limit=1").await;
    assert_eq!(page["summary"]["totalCount"], 3);
    assert_eq!(page["deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(page["deliveries"][0]["invoiceNo"], "222233334444");
    for query in [
        "direction=SIDEWAYS",
        "status=LOST",
        "sentAtFrom=yesterday",
        "seller._id=me",
    ] {
        let refused = here.shop.get(&format!("{LIST}?{query}")).as_(&staff);
        let refused = refused.send().await.expect(400);
        assert_eq!(refused.code(), "invalid_query", "{query}");
    }
}
