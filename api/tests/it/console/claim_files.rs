//! The export of a claims tab, parsed again: each purchase with its claim, and the amounts of a claim only once.

use std::collections::{BTreeMap, BTreeSet};

use domain::order::refund_due;
use serde_json::{Value, json};
use time::Duration;
use time::macros::format_description;

use crate::support::shop::{id_of, order_form};
use crate::support::{Account, TestApp};

/// A row of a file, by its headings.
type Row = BTreeMap<String, String>;

/// Products of one seller, with a claim of each kind.
struct Claimed {
    shop: TestApp,
    seller: Account,
    other: Account,
    buyer: Account,
    staff: Account,
    /// The cancellation of both purchases is requested while they are prepared.
    canceled: Order,
    /// One of two pieces was returned and inspected; the buyer is at fault.
    returned: Order,
    /// The exchange of two pieces is accepted; the buyer is at fault.
    exchanged: Order,
}

struct Order {
    id: String,
    no: String,
}

impl Order {
    fn purchase(&self, line: usize) -> String {
        format!("{}-{line}", self.no)
    }
}

impl Claimed {
    async fn start() -> Self {
        let shop = TestApp::start().await;
        let (seller, other) = (
            shop.company("seller01").await,
            shop.company("seller02").await,
        );
        let (buyer, staff) = (shop.sign_up("buyer001").await, shop.console().await);
        let apples = shop.console_product(&seller, "A-1").await;
        let more = json!({ "code": "A-2", "name": "배 한 상자", "price": 700, "shows": true, "stock": 10 });
        let pears = shop.post("/api/console/shop/products", &more).as_(&seller);
        let pears = pears.send().await.expect(201).body["product"].take();
        let order = async |carts: Value| {
            let mut form = order_form(apples["_id"].as_str().unwrap().parse().unwrap(), 2);
            form["carts"] = carts;
            let placed = shop.post("/api/v1/shop/orders", &form).as_(&buyer);
            let placed = placed.send().await.expect(201);
            let id = id_of(&placed);
            shop.pay(&buyer.token, &id).await.expect(303);
            let no = placed.body["order"]["orderNo"].as_str().unwrap().to_owned();
            Order { id, no }
        };
        let two = json!([{ "_product": apples["_id"], "quantity": 2 }]);
        let both = json!([
            { "_product": apples["_id"], "quantity": 1 },
            { "_product": pears["_id"], "quantity": 2 },
        ]);
        let claimed = Self {
            canceled: order(both).await,
            returned: order(two.clone()).await,
            exchanged: order(two).await,
            shop,
            seller,
            other,
            buyer,
            staff,
        };
        claimed.cancel().await;
        claimed.give_back().await;
        claimed.exchange().await;
        claimed
    }

    async fn work(&self, purchase_no: &str, change: Value) {
        self.shop.advance(Duration::minutes(1));
        let done = self.shop.work(&self.seller, purchase_no, change).await;
        done.expect(200);
    }

    async fn ask(&self, path: &str, body: &Value) {
        self.shop.advance(Duration::minutes(1));
        let asked = self.shop.post(path, body).as_(&self.buyer).send().await;
        asked.expect(200);
    }

    async fn cancel(&self) {
        let nos = [1, 2].map(|line| self.canceled.purchase(line));
        for no in &nos {
            self.work(no, json!({ "orderStatus": "ORDER_CONFIRM" }))
                .await;
        }
        let body = json!({ "_purchases": nos, "reason": "배송이 늦어요" });
        self.ask("/api/v1/me/purchases/cancel", &body).await;
    }

    async fn deliver(&self, no: &str) {
        self.work(no, json!({ "orderStatus": "ORDER_CONFIRM" }))
            .await;
        self.shop
            .ship(&self.seller, no, "123456789012")
            .await
            .expect(200);
        self.work(no, json!({ "orderStatus": "DELIVERY_COMPLETE" }))
            .await;
    }

    fn application(quantity: u32) -> Value {
        json!({
            "quantity": quantity, "reason": "생각보다 작아서 돌려보냅니다", "fault": "BUYER",
            "pickup": {
                "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
            },
        })
    }

    async fn give_back(&self) {
        self.deliver(&self.returned.purchase(1)).await;
        let path = format!("/api/v1/me/purchases/{}/return", self.returned.purchase(1));
        self.ask(&path, &Self::application(1)).await;
        let no = self.returned.purchase(2);
        self.work(&no, json!({ "collectionStatus": "COLLECTION_PROGRESS" }))
            .await;
        let found = json!({ "arrived": 1, "resellable": 1, "fault": "BUYER" });
        let inspected = json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found });
        self.work(&no, inspected).await;
    }

    async fn exchange(&self) {
        let no = self.exchanged.purchase(1);
        self.deliver(&no).await;
        let path = format!("/api/v1/me/purchases/{no}/exchange");
        self.ask(&path, &Self::application(2)).await;
        self.work(&no, json!({ "claimStatus": "EXCHANGE_PENDING" }))
            .await;
    }

    /// The only claim of an order, as its buyer sees it.
    async fn claim(&self, order: &Order) -> Value {
        let order = self.shop.my_order(&self.buyer.token, &order.id).await;
        assert_eq!(order["claims"].as_array().unwrap().len(), 1);
        order["claims"][0].clone()
    }

    /// The xlsx export of a tab.
    async fn file(&self, who: &Account, query: &str) -> Vec<Row> {
        self.shop.settled().await;
        let path = format!("/api/console/shop/purchases/export?format=xlsx&{query}");
        let file = reqwest::Client::new()
            .get(format!("{}{path}", self.shop.url))
            .bearer_auth(&who.token)
            .send()
            .await
            .unwrap();
        assert_eq!(file.status(), 200);
        let bytes = file.bytes().await.unwrap();
        let mut lines = api::console::records::spreadsheet::read(&bytes)
            .unwrap()
            .into_iter();
        let (_, headings) = lines.next().unwrap();
        let known: BTreeSet<&String> = headings.iter().collect();
        assert_eq!(known.len(), headings.len(), "a heading twice: {headings:?}");
        let row = |(_, cells): (usize, Vec<String>)| {
            let padded = cells.into_iter().chain(std::iter::repeat(String::new()));
            headings.iter().cloned().zip(padded).collect()
        };
        lines.map(row).collect()
    }
}

/// Hundredths in the number format of the file.
fn units(amount: &Value) -> String {
    let amount = amount.as_i64().unwrap();
    let text = format!("{}.{:02}", amount / 100, amount % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn seoul(moment: &Value) -> String {
    let moment = time::OffsetDateTime::parse(
        moment.as_str().unwrap(),
        &time::format_description::well_known::Rfc3339,
    );
    let text = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    let moment = moment.unwrap().to_offset(domain::business_day::OFFSET);
    moment.format(text).unwrap()
}

fn by_no(rows: Vec<Row>) -> BTreeMap<String, Row> {
    rows.into_iter()
        .map(|row| (row["구매번호"].clone(), row))
        .collect()
}

#[tokio::test]
async fn each_tab_of_claims_has_a_file_with_the_claims_of_its_purchases() {
    let here = Claimed::start().await;
    let claim = here.claim(&here.returned).await;
    let rows = by_no(here.file(&here.staff, "tab=return").await);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[&here.returned.purchase(2)];
    let times = &claim["times"];
    let inspected = times["inspectedAt"].as_str().unwrap();
    let inspected =
        time::OffsetDateTime::parse(inspected, &time::format_description::well_known::Rfc3339);
    let due = refund_due(inspected.unwrap(), &BTreeSet::new()).unwrap();
    let fee = &claim["refund"]["fees"][0]["amount"];
    assert!(fee.as_i64().unwrap() > 0, "{claim}");
    for (heading, text) in [
        ("주문번호", here.returned.no.clone()),
        ("상태", "반품요청".to_owned()),
        ("수량", "1".to_owned()),
        ("신청번호", claim["_id"].as_str().unwrap().to_owned()),
        ("회수 상태", "수거완료".to_owned()),
        ("신청 사유", "생각보다 작아서 돌려보냅니다".to_owned()),
        ("배송비 부담", "구매자".to_owned()),
        ("신청일", seoul(&times["requestedAt"])),
        ("교환 승인일", String::new()),
        ("수거일", seoul(&times["pickedUpAt"])),
        ("검수일", seoul(&times["inspectedAt"])),
        ("처리일", String::new()),
        ("완료일", String::new()),
        ("환불 기한", due.to_string()),
        ("신청 배송비", units(fee)),
        ("환불 금액", units(&claim["refund"]["money"])),
        ("돌려줄 적립금", "0".to_owned()),
        ("판매자", row["판매자"].clone()),
        ("주문자", "홍길동".to_owned()),
    ] {
        assert_eq!(row[heading], text, "{heading}: {row:?}");
    }
    for hidden in ["01012345678", "010-1234", "테헤란로", "06236"] {
        assert!(!row.values().any(|cell| cell.contains(hidden)), "{row:?}");
    }

    // Amounts of a claim on two purchases are on the first of them.
    let claim = here.claim(&here.canceled).await;
    let rows = by_no(here.file(&here.staff, "tab=cancel").await);
    assert_eq!(rows.len(), 2);
    let [first, second] = [1, 2].map(|line| &rows[&here.canceled.purchase(line)]);
    assert_eq!(first["신청번호"], second["신청번호"]);
    assert_eq!(first["환불 금액"], units(&claim["refund"]["money"]));
    assert_eq!(second["환불 금액"], "");
    assert_eq!((&*first["신청 배송비"], &*second["신청 배송비"]), ("0", ""));
    assert_eq!((&*first["수량"], &*second["수량"]), ("1", "2"));
    assert_eq!(first["신청일"], seoul(&claim["times"]["requestedAt"]));
    for empty in ["배송비 부담", "회수 상태", "수거일"] {
        assert_eq!(second[empty], "", "{empty}");
    }
    assert!(!second["환불 기한"].is_empty(), "owed since its request");

    // An exchange has no refund, and a fee if the buyer is at fault.
    let claim = here.claim(&here.exchanged).await;
    let rows = by_no(here.file(&here.staff, "tab=exchange").await);
    let row = &rows[&here.exchanged.purchase(1)];
    assert_eq!(row["상태"], "교환대기");
    assert_eq!(row["회수 상태"], "수거대기");
    assert_eq!(row["교환 승인일"], seoul(&claim["times"]["acceptedAt"]));
    assert_eq!(row["신청 배송비"], units(&claim["exchange"]["fee"]));
    assert_eq!(
        (&*row["환불 금액"], &*row["환불 기한"]),
        ("", ""),
        "{row:?}"
    );

    // Sellers get their own purchases; the other tabs are unchanged.
    for tab in ["cancel", "return", "exchange"] {
        let query = format!("tab={tab}");
        let all = by_no(here.file(&here.staff, &query).await);
        assert_eq!(by_no(here.file(&here.seller, &query).await), all, "{tab}");
        assert_eq!(here.file(&here.other, &query).await, Vec::<Row>::new());
    }
    let rows = here.file(&here.staff, "tab=all").await;
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| !row.contains_key("신청번호")));
}

#[tokio::test]
async fn a_refund_that_is_due_is_told_with_the_holidays_of_today() {
    let here = Claimed::start().await;
    let due = async || {
        let rows = here.file(&here.staff, "tab=return").await;
        rows[0]["환불 기한"].clone()
    };
    let before = due().await;
    let holiday = json!({ "date": before, "name": "임시공휴일" });
    let made = here.shop.post("/api/console/shop/holidays", &holiday);
    made.as_(&here.staff).send().await.expect(201);
    let after = due().await;
    assert!(after > before, "{before} {after}");
    // The approval has a date too.
    let no = here.returned.purchase(2);
    here.work(&no, json!({ "claimStatus": "RETURN_COMPLETED" }))
        .await;
    let rows = here.file(&here.staff, "tab=return").await;
    assert!(!rows[0]["처리일"].is_empty(), "{rows:?}");
}
