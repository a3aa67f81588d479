//! Sending many parcels: the list of what has to be sent, receivers for couriers' programs and labels, and tracking numbers from a file.

use std::time::Instant;

use futures::{StreamExt, stream};
use serde_json::{Value, json};
use time::Duration;

use crate::support::console::PaidOrder;
use crate::support::shop::order_form;
use crate::support::{Account, Reply, TestApp};

const LIST: &str = "/api/console/shop/purchases";

struct Morning {
    shop: TestApp,
    seller: Account,
    other: Account,
    buyer: Account,
    orders: Vec<PaidOrder>,
}

impl Morning {
    /// A seller with this many paid orders.
    async fn with(orders: usize) -> Self {
        let shop = TestApp::start().await;
        let (seller, other) = (
            shop.company("seller01").await,
            shop.company("seller02").await,
        );
        let buyer = shop.sign_up("buyer001").await;
        let product = shop.console_product(&seller, "A-1").await;
        let mut morning = Self {
            shop,
            seller,
            other,
            buyer,
            orders: Vec::new(),
        };
        for _ in 0..orders {
            let order = morning.shop.paid_order(&morning.buyer, &product).await;
            morning.orders.push(order);
        }
        morning
    }

    async fn prepare(&self, order: &PaidOrder) {
        let path = format!("{LIST}/{}", order.purchase());
        let body = json!({ "orderStatus": "ORDER_CONFIRM" });
        let ask = self.shop.put(&path, &body).as_(&self.seller);
        ask.send().await.expect(200);
    }

    async fn ask(&self, who: &Account, path: &str) -> Reply {
        self.shop.settled().await;
        self.shop
            .get(&format!("{LIST}{path}"))
            .as_(who)
            .send()
            .await
    }

    /// Counts by dispatch state: new, preparing, late, on the way, arrived.
    async fn counts(&self, who: &Account, query: &str) -> Vec<i64> {
        let sums = self
            .ask(who, &format!("/dispatch{query}"))
            .await
            .expect(200);
        let states = sums.body["states"].as_array().unwrap().iter();
        states
            .map(|sum| sum["purchases"].as_i64().unwrap())
            .collect()
    }

    async fn numbers(&self, who: &Account, query: &str) -> Vec<String> {
        let found = self.ask(who, query).await.expect(200);
        let rows = found.body["purchases"].as_array().unwrap().iter();
        rows.map(|row| row["purchaseNo"].as_str().unwrap().to_owned())
            .collect()
    }

    async fn file(&self, who: &Account, query: &str, file: &[u8], key: &str) -> Reply {
        let mut body =
            b"--jangbu\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
                .to_vec();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--jangbu--\r\n");
        self.shop
            .ask(reqwest::Method::POST, &format!("{LIST}/import{query}"))
            .as_(who)
            .key(key)
            .body("multipart/form-data; boundary=jangbu", body)
            .send()
            .await
    }

    async fn events(&self, kind: &str) -> usize {
        let all = self
            .shop
            .app
            .store
            .read_all(0, i64::MAX, 100_000)
            .await
            .unwrap();
        all.iter().filter(|event| event.event_type == kind).count()
    }
}

fn codes(report: &Reply) -> Vec<(u64, String, String)> {
    let rows = report.body["rows"].as_array().unwrap().iter();
    let faults = rows.flat_map(|row| {
        let number = row["row"].as_u64().unwrap();
        let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
        let errors = row["errors"].as_array().unwrap().iter();
        errors.map(move |error| (number, text(error, "field"), text(error, "code")))
    });
    faults.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_the_morning_has_states_due_days_filters_and_sums() {
    let here = Morning::with(3).await;
    let (seller, other) = (&here.seller, &here.other);
    assert_eq!(here.counts(seller, "").await, [3, 0, 0, 0, 0]);
    assert_eq!(here.counts(other, "").await, [0, 0, 0, 0, 0]);
    let [first, second, third] = here.orders.as_slice() else {
        panic!("three orders");
    };
    here.prepare(first).await;
    here.prepare(second).await;
    let form = json!({ "courier": "own.delivery" });
    let path = format!("/api/console/shop/invoices/{}", second.purchase());
    here.shop
        .put(&path, &form)
        .as_(seller)
        .send()
        .await
        .expect(200);
    let numbered = json!({ "courier": "own.delivery", "invoiceNo": "640087654321" });
    let refused = here.shop.put(&path, &numbered).as_(seller).send().await;
    assert_eq!(
        refused.expect(400).body["error"]["fields"][0]["code"],
        "invoice_malformed"
    );
    assert_eq!(here.counts(seller, "").await, [1, 1, 0, 1, 0]);
    assert_eq!(
        here.numbers(seller, "?dispatch=new").await,
        [third.purchase()]
    );
    assert_eq!(
        here.numbers(seller, "?dispatch=preparing").await,
        [first.purchase()]
    );
    assert_eq!(
        here.numbers(seller, "?courier=own.delivery").await,
        [second.purchase()]
    );
    assert_eq!(here.numbers(seller, "?method=GENERAL").await.len(), 3);
    assert_eq!(here.numbers(seller, "?method=PICK_UP").await.len(), 0);
    let listed = here.ask(seller, "?dispatch=preparing").await;
    let due = listed.body["purchases"][0]["shipBy"]
        .as_str()
        .unwrap()
        .to_owned();
    let query = format!("?shipByFrom={due}&shipByTo={due}&dispatch=new");
    assert_eq!(here.numbers(seller, &query).await, [third.purchase()]);
    for (order, previous, next) in [
        (first, None, Some(&second.id)),
        (second, Some(&first.id), Some(&third.id)),
        (third, Some(&second.id), None),
    ] {
        let path = format!("/api/console/shop/orders/{}/neighbours", order.id);
        let found = here.shop.get(&path).as_(seller).send().await.expect(200);
        assert_eq!(found.body, json!({ "previous": previous, "next": next }));
        here.shop.get(&path).as_(other).send().await.expect(404);
    }
    let sums = here.ask(seller, "/dispatch").await;
    assert_eq!(sums.body["states"][0]["quantity"], 2);
    assert_eq!(
        sums.body["states"][0]["paid"],
        listed.body["purchases"][0]["paid"]
    );

    here.shop.advance(Duration::days(8));
    let seller = here.shop.account("seller01", &here.seller.password).await;
    // The worker may already have noted the arrival of the third.
    let counts = here.counts(&seller, "").await;
    assert_eq!(counts[..3], [0, 0, 2], "{counts:?}");
    assert_eq!(counts[3] + counts[4], 1, "{counts:?}");
    assert_eq!(here.numbers(&seller, "?dispatch=late").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn purchases_are_found_by_parts_of_numbers_tails_of_phones_and_names() {
    let here = Morning::with(2).await;
    let (seller, other) = (&here.seller, &here.other);
    let order = &here.orders[0];
    let part = &order.order_no[11..16];
    assert_eq!(
        here.numbers(seller, &format!("?searchValue={part}")).await,
        [order.purchase()]
    );
    let nickname = here.shop.get("/api/v1/me").as_(&here.buyer).send().await;
    let nickname = nickname.body["user"]["nickname"]
        .as_str()
        .map(str::to_owned);
    let found = here
        .shop
        .get(&format!("/api/console/shop/orders/{}", order.id))
        .as_(seller);
    let found = found.send().await.expect(200);
    let receiver = &found.body["order"]["receiver"];
    let phone = receiver["phone"].as_str().unwrap();
    let tail = &phone[phone.len() - 4..];
    let name = receiver["name"].as_str().unwrap();
    let mut texts = vec![tail.to_owned(), name.to_owned(), phone.to_owned()];
    texts.extend(nickname);
    for text in texts {
        let query = format!("?searchValue={}", urlencoding(&text));
        assert_eq!(here.numbers(seller, &query).await.len(), 2, "{text}");
        assert_eq!(here.numbers(other, &query).await.len(), 0, "{text}");
    }
    assert_eq!(here.numbers(seller, "?searchValue=0000").await.len(), 0);
}

fn urlencoding(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn receivers_are_read_out_for_who_may_and_the_order_records_it() {
    let here = Morning::with(2).await;
    let nos: Vec<String> = here.orders.iter().map(PaidOrder::purchase).collect();
    let path = format!("{LIST}/receivers");
    let body = json!({ "purchaseNos": nos });
    let foreign = here
        .shop
        .post(&path, &body)
        .as_(&here.other)
        .send()
        .await
        .expect(200);
    assert_eq!(foreign.body["parcels"], json!([]));
    assert_eq!(foreign.body["failed"][0]["code"], "not_found");
    assert_eq!(here.events("ReceiverDisclosed").await, 0);
    let ask = || {
        here.shop
            .post(&path, &body)
            .as_(&here.seller)
            .key("print-1")
    };
    let read = ask().send().await.expect(200);
    assert_eq!(read.body["parcels"].as_array().unwrap().len(), 2);
    assert_eq!(read.body["parcels"][0]["items"][0]["purchaseNo"], nos[0]);
    assert!(read.body["parcels"][0]["receiver"]["address1"].is_string());
    ask().send().await.expect(200);
    assert_eq!(
        here.events("ReceiverDisclosed").await,
        2,
        "the same print is recorded once"
    );

    let path = format!("{LIST}/receivers/export");
    let body = json!({ "matching": { "filters": { "dispatch": "new" } }, "format": "csv" });
    let file = here
        .shop
        .post(&path, &body)
        .as_(&here.seller)
        .send()
        .await
        .expect(200);
    let head = file.text.lines().next().unwrap();
    assert!(
        head.contains("구매번호") && head.contains("주소") && head.contains("송장번호"),
        "{head}"
    );
    assert_eq!(file.text.lines().count(), 3);
    assert!(
        file.text.contains(
            read.body["parcels"][0]["receiver"]["phone"]
                .as_str()
                .unwrap()
        )
    );
    assert_eq!(here.events("ReceiverDisclosed").await, 4);
    let history = format!("/api/console/shop/orders/{}/history", here.orders[0].id);
    let staff = here.shop.console().await;
    let history = here.shop.get(&history).as_(&staff).send().await.expect(200);
    assert!(history.text.contains("받는 분 정보를 내려받았습니다"));
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_from_a_file_ship_what_they_may_once() {
    let here = Morning::with(4).await;
    let seller = &here.seller;
    for order in &here.orders[..3] {
        here.prepare(order).await;
    }
    let [a, b, c, new] = [0, 1, 2, 3].map(|place: usize| here.orders[place].purchase());
    let file = format!(
        "받는분,구매번호,택배사,운송장번호\r\nx,{a},CJ대한통운,6400-8765-4321\r\nx,{b},없는택배,640087654322\r\n\
         x,{c},한진,640087654323\r\nx,{c},한진,640087654324\r\nx,{new},한진,640087654325\r\nx,20260101-AAAAAAAA-1,한진,640087654326\r\n"
    );
    let (korean, _, _) = encoding_rs::EUC_KR.encode(&file);
    let faults = vec![
        (3, "courier".to_owned(), "courier".to_owned()),
        (5, "purchaseNo".to_owned(), "duplicate".to_owned()),
        (6, "purchaseNo".to_owned(), "not_prepared".to_owned()),
        (7, "purchaseNo".to_owned(), "not_found".to_owned()),
    ];
    let plan = here
        .file(seller, "?dryRun=true", &korean, "plan")
        .await
        .expect(200);
    assert_eq!(codes(&plan), faults);
    assert_eq!(here.events("PurchaseShipped").await, 0);
    let foreign = here
        .file(&here.other, "?dryRun=true", &korean, "plan")
        .await
        .expect(200);
    let not_found = codes(&foreign)
        .into_iter()
        .filter(|(_, _, code)| code == "not_found");
    assert_eq!(not_found.count(), 6, "another seller's parcel is not found");

    let query = format!("?table={}&after=0", plan.body["table"].as_str().unwrap());
    let taken = here.file(&here.other, &query, b"", "other").await;
    assert_eq!(taken.expect(400).body["error"]["fields"][0]["code"], "gone");
    let done = here.file(seller, &query, b"", "ship-1").await.expect(200);
    assert_eq!(codes(&done), faults);
    assert_eq!(done.body["summary"]["updates"], 2);
    // The answer was lost, or the process died in between: the batch is sent again with its key, and with another one.
    let again = here.file(seller, &query, b"", "ship-1").await.expect(200);
    assert_eq!(again.body["summary"], done.body["summary"]);
    here.file(seller, &query, b"", "ship-2").await.expect(200);
    assert_eq!(here.events("PurchaseShipped").await, 2);
    assert_eq!(here.events("InvoiceCorrected").await, 0);
    assert_eq!(here.counts(seller, "").await, [1, 1, 0, 2, 0]);

    let used = format!(
        "주문번호,송장번호\n{},640087654321\n",
        here.orders[1].order_no
    );
    let plan = here
        .file(
            seller,
            "?dryRun=true&courier=kr.cjlogistics",
            used.as_bytes(),
            "p",
        )
        .await;
    let taken = vec![(2, "invoiceNo".to_owned(), "invoice_used".to_owned())];
    assert_eq!(codes(&plan.expect(200)), taken);
    for (bytes, code) in [
        (vec![0xff, 0xfe, 0x00, 0xd8], "unreadable"),
        ("이름,값\na,b\n".as_bytes().to_vec(), "no_heading"),
        ("구매번호,송장번호\n".as_bytes().to_vec(), "no_rows"),
    ] {
        let refused = here
            .file(seller, "?dryRun=true", &bytes, code)
            .await
            .expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["code"], code);
    }
}

/// A product that costs nothing, with free shipping: its orders are paid at once.
async fn gift(shop: &TestApp, seller: &Account) -> Value {
    let group = json!({
        "name": "무료", "isDefault": true, "isActive": true, "options": [{ "name": "택배", "fixedAmount": 0 }],
    });
    let group = shop.post("/api/console/shop/shippings", &group).as_(seller);
    group.send().await.expect(201);
    let product =
        json!({ "code": "GIFT", "name": "사은품", "price": 0, "shows": true, "stock": 100_000 });
    let made = shop
        .post("/api/console/shop/products", &product)
        .as_(seller);
    made.send().await.expect(201).body["product"]["_id"].take()
}

async fn place(shop: &TestApp, buyer: &Account, product: &Value) -> String {
    let form = order_form(product.as_str().unwrap().parse().unwrap(), 1);
    let placed = shop.post("/api/v1/shop/orders", &form).as_(buyer);
    let placed = placed.send().await.expect(201);
    placed.body["order"]["orderNo"].as_str().unwrap().to_owned()
}

/// A seller with this many purchases to be shipped: the shop, the seller, a buyer, the product, and the order numbers.
pub(super) async fn to_ship(many: usize) -> (TestApp, Account, Account, Value, Vec<String>) {
    let shop = TestApp::start().await;
    let (seller, buyer) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
    );
    let product = gift(&shop, &seller).await;
    let orders: Vec<String> = stream::iter(0..many)
        .map(|_| place(&shop, &buyer, &product))
        .buffer_unordered(8)
        .collect()
        .await;
    shop.settled().await;
    let prepare = json!({ "fields": { "orderStatus": "ORDER_CONFIRM" }, "matching": { "filters": { "dispatch": "new" } } });
    let mut after = Value::Null;
    loop {
        let mut body = prepare.clone();
        body["after"] = after;
        let part = shop
            .post(&format!("{LIST}/bulk"), &body)
            .as_(&seller)
            .send()
            .await
            .expect(200);
        after = part.body["next"].clone();
        if after.is_null() {
            break;
        }
    }
    shop.settled().await;
    (shop, seller, buyer, product, orders)
}

/// A file with a tracking number for each order.
pub(super) fn file_of(orders: &[String]) -> String {
    let rows = (1..)
        .zip(orders)
        .map(|(n, no): (u64, _)| format!("{no},한진택배,6400{n:08}"));
    format!(
        "주문번호,택배사,송장번호\n{}\n",
        rows.collect::<Vec<_>>().join("\n")
    )
}

/// Ships `many` parcels from a file while others order, and returns the seconds it took.
async fn shipped_in(many: usize) -> f64 {
    let (shop, seller, buyer, product, orders) = to_ship(many).await;
    let file = file_of(&orders);
    let here = Morning {
        other: shop.company("seller02").await,
        orders: Vec::new(),
        shop,
        seller,
        buyer,
    };
    let start = Instant::now();
    let shipping = async {
        let plan = here
            .file(&here.seller, "?dryRun=true", file.as_bytes(), "plan")
            .await
            .expect(200);
        let table = plan.body["table"].as_str().unwrap().to_owned();
        let (mut after, mut shipped) = (0, 0);
        loop {
            let query = format!("?table={table}&after={after}");
            let key = format!("ship-{after}");
            let part = here.file(&here.seller, &query, b"", &key).await.expect(200);
            shipped += part.body["summary"]["updates"].as_u64().unwrap();
            match part.body["next"].as_u64() {
                Some(next) => after = next,
                None => break shipped,
            }
        }
    };
    let ordering = async {
        loop {
            place(&here.shop, &here.buyer, &product).await;
        }
    };
    let shipped = tokio::select! {
        shipped = shipping => shipped,
        () = ordering => unreachable!(),
    };
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(usize::try_from(shipped).unwrap(), many);
    assert_eq!(here.events("PurchaseShipped").await, many);
    seconds
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_several_parts_is_shipped_beside_live_orders() {
    shipped_in(250).await;
}

/// The figure of issue 27: 1,000 parcels within 10 s.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn a_thousand_parcels_are_shipped_within_ten_seconds() {
    let seconds = shipped_in(1_000).await;
    println!("1,000 parcels in {seconds:.1} s");
    assert!(seconds <= 10.0, "{seconds} s");
}
