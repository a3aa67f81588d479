//! Staff correct the receiver of an order and keep a note on it.

use domain::personal::Party;
use domain::{Purpose, Sealed};
use serde_json::{Value, json};
use time::Duration;

use crate::support::console::PaidOrder;
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp};

const NOTE: &str = "경비실에 맡겨 달라고 전화함";

fn receiver() -> Value {
    json!({
        "name": "이받음", "phone": "010-5555-6666", "postcode": "06236", "address1": "서울시 강남구 역삼로 2", "address2": "301호",
    })
}

fn path(order: &str) -> String {
    format!("/api/console/shop/orders/{order}")
}

struct UnsentOrder {
    shop: TestApp,
    seller: Account,
    buyer: Account,
    staff: Account,
    order: PaidOrder,
}

impl UnsentOrder {
    async fn open() -> Self {
        let shop = TestApp::start().await;
        let seller = shop.company("seller01").await;
        let buyer = shop.sign_up("buyer001").await;
        let staff = shop.console().await;
        let product = shop.console_product(&seller, "A-1").await;
        let order = shop.paid_order(&buyer, &product).await;
        Self {
            shop,
            seller,
            buyer,
            staff,
            order,
        }
    }

    async fn change(&self, who: &Account, body: Value) -> Reply {
        self.shop
            .put(&path(&self.order.id), &body)
            .as_(who)
            .send()
            .await
    }

    async fn seen_by(&self, who: &Account, path: &str) -> Reply {
        self.shop.get(path).as_(who).send().await.expect(200)
    }

    async fn events(&self) -> usize {
        let all = self.shop.app.store.read_all(0, i64::MAX, 10_000);
        all.await.unwrap().len()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_correct_the_receiver_and_everyone_sees_it_but_the_note_is_theirs() {
    let here = UnsentOrder::open().await;
    let (shop, staff) = (&here.shop, &here.staff);
    let before = here.seen_by(staff, &path(&here.order.id)).await;
    assert_eq!(before.body["order"].get("remark"), None);
    let actions = &before.body["order"]["nextActions"];
    assert!(
        actions
            .as_array()
            .unwrap()
            .contains(&json!("correctReceiver"))
    );
    let old = shop.app.store.head().await.unwrap();

    let body = json!({ "receiver": receiver(), "remark": format!("  {NOTE}\n") });
    let ask = || {
        let ask = shop.put(&path(&here.order.order_no), &body);
        ask.as_(staff).key("correct-1")
    };
    let done = ask().send().await.expect(200);
    let order = &done.body["order"];
    assert_eq!(order["remark"], NOTE);
    for (field, value) in [
        ("name", "이받음"),
        ("phone", "01055556666"),
        ("address1", "서울시 강남구 역삼로 2"),
        ("address2", "301호"),
    ] {
        assert_eq!(order["receiver"][field], value);
    }
    assert_eq!(order["sender"]["name"], "홍길동");
    let count = here.events().await;
    let again = ask().send().await.expect(200);
    assert_eq!(again.body["order"]["remark"], NOTE);
    let sent_back =
        json!({ "receiver": order["receiver"], "remark": NOTE, "payable": order["payable"] });
    here.change(staff, sent_back).await.expect(200);
    assert_eq!(here.events().await, count, "the same was written again");

    shop.settled().await;
    let no = here.order.purchase();
    let theirs = format!("/api/v1/me/orders/{}", here.order.id);
    let purchase = format!("/api/console/shop/purchases/{no}");
    for (who, path) in [
        (&here.buyer, &theirs),
        (&here.seller, &path(&here.order.id)),
    ] {
        let seen = here.seen_by(who, path).await;
        let order = &seen.body["order"];
        assert_eq!(order["receiver"]["name"], "이받음", "{path}");
        assert_eq!(order["receiver"]["address2"], "301호", "{path}");
        assert!(order.get("remark").is_none(), "{path}");
        assert!(!seen.text.contains(NOTE), "{path}");
        let actions = order["nextActions"].to_string();
        assert!(!actions.contains("correctReceiver"), "{path}");
    }
    let timeline = here.seen_by(&here.buyer, &theirs).await.body["order"]["timeline"].to_string();
    assert!(timeline.contains("배송지가 수정되었습니다"), "{timeline}");
    assert!(!timeline.contains("메모"), "{timeline}");
    for who in [staff, &here.seller] {
        let one = here.seen_by(who, &purchase).await;
        assert_eq!(one.body["purchase"]["receiverName"], "이받음");
        for list in ["purchases", "orders"] {
            let list = format!("/api/console/shop/{list}");
            let rows = here.seen_by(who, &list).await.text;
            assert!(
                rows.contains("이받음") && !rows.contains("김받음"),
                "{list}"
            );
            assert!(!rows.contains(NOTE), "{list}");
        }
    }
    for found in ["이받음", "010-5555-6666"] {
        let list = format!("/api/console/shop/purchases?searchValue={found}");
        let list = here.seen_by(staff, &list).await;
        assert_eq!(list.body["summary"]["totalCount"], 1, "{found}");
    }
    let then = format!("{}/asof?position={old}", path(&here.order.id));
    let then = here.seen_by(staff, &then).await;
    assert_eq!(then.body["order"]["receiver"]["name"], "김받음");
    assert_eq!(then.body["order"].get("remark"), None);

    let removed = here.change(staff, json!({ "remark": " " })).await;
    let removed = removed.expect(200);
    assert_eq!(removed.body["order"].get("remark"), None);
    assert_eq!(removed.body["order"]["receiver"]["name"], "이받음");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_goes_where_it_was_sent() {
    let here = UnsentOrder::open().await;
    let (staff, no) = (&here.staff, here.order.purchase());
    let confirm = json!({ "orderStatus": "ORDER_CONFIRM" });
    here.shop.work(staff, &no, confirm).await.expect(200);
    let sent = here.shop.ship(staff, &no, "123456789012").await;
    sent.expect(200);
    let refused = here.change(staff, json!({ "receiver": receiver(), "remark": NOTE }));
    let refused = refused.await.expect(409);
    assert_eq!(refused.code(), "not_allowed_now");
    let reason = &refused.body["error"]["details"]["reason"];
    assert_eq!(reason, "nothing_to_send");
    let seen = here.seen_by(staff, &path(&here.order.id)).await;
    let order = &seen.body["order"];
    assert_eq!(order["receiver"]["name"], "김받음");
    assert_eq!(order.get("remark"), None, "half of it was written");
    let actions = order["nextActions"].to_string();
    assert!(!actions.contains("correctReceiver"), "{actions}");
    // A note is allowed for any order.
    let noted = here.change(staff, json!({ "remark": NOTE })).await;
    assert_eq!(noted.expect(200).body["order"]["remark"], NOTE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_stays_in_the_area_whose_fares_were_paid() {
    let here = UnsentOrder::open().await;
    let (shop, staff) = (&here.shop, &here.staff);
    let jeju = json!({ "name": "제주", "starts": "63000", "ends": "63644", "area": "jeju" });
    let islands = shop.post("/api/console/shop/islands", &jeju);
    islands.as_(staff).send().await.expect(201);
    let mut far = receiver();
    far["postcode"] = json!("63122");
    let refused = here.change(staff, json!({ "receiver": far })).await;
    let refused = refused.expect(400);
    assert_eq!(refused.complaint(), ("receiver.postcode", "other_area"));
    let message = &refused.body["error"]["fields"][0]["message"];
    assert!(message.as_str().unwrap().contains("배송비"), "{message}");
    // An area defined later does not prevent a new phone number at the old postcode.
    let near = json!({ "name": "강남섬", "starts": "06236", "ends": "06236", "area": "island" });
    let islands = shop.post("/api/console/shop/islands", &near);
    islands.as_(staff).send().await.expect(201);
    let same_place = json!({ "receiver": receiver() });
    here.change(staff, same_place).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_staff_change_an_order_and_only_these_fields() {
    let here = UnsentOrder::open().await;
    let (shop, staff) = (&here.shop, &here.staff);
    let count = here.events().await;
    let body = json!({ "receiver": receiver(), "remark": NOTE });
    for who in [&here.seller, &here.buyer] {
        let refused = here.change(who, body.clone()).await.expect(403);
        assert_eq!(refused.code(), "access_denied");
    }
    let anonymous = shop.put(&path(&here.order.id), &body);
    anonymous.send().await.expect(401);
    for unknown in ["20261121-7KD2M9QX", "01930000-0000-7000-8000-000000000000"] {
        let ask = shop.put(&path(unknown), &body).as_(staff);
        assert_eq!(ask.send().await.expect(404).code(), "not_found");
    }
    let with = |field: &str, value: Value| {
        let mut receiver = receiver();
        receiver[field] = value;
        json!({ "receiver": receiver })
    };
    for (body, field) in [
        (with("name", json!("김")), "receiver.name"),
        (with("phone", json!("010-12")), "receiver.phone"),
        (with("postcode", json!("1234")), "receiver.postcode"),
        (with("postcode", Value::Null), "receiver.postcode"),
        (with("address1", json!("")), "receiver.address1"),
        (
            with("address2", json!("동".repeat(101))),
            "receiver.address2",
        ),
        (json!({ "remark": "긴".repeat(1_001) }), "remark"),
        (json!({}), "receiver"),
    ] {
        let refused = here.change(staff, body.clone()).await.expect(400);
        assert_eq!(refused.complaint().0, field, "{body}");
    }
    for body in [
        json!({ "remark": NOTE, "payable": 1 }),
        json!({ "receiver": receiver(), "sender": receiver() }),
        json!({ "requestMessage": "문 앞" }),
    ] {
        let refused = here.change(staff, body.clone()).await.expect(405);
        assert_eq!(refused.code(), "ledger_immutable", "{body}");
    }
    assert_eq!(here.events().await, count, "something was written");
    let longest = json!({ "remark": "긴".repeat(1_000) });
    here.change(staff, longest).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_tells_who_corrected_what_without_personal_text() {
    let here = UnsentOrder::open().await;
    let (shop, staff) = (&here.shop, &here.staff);
    let body = json!({ "receiver": receiver(), "remark": NOTE });
    let done = here.change(staff, body).await.expect(200);
    let history = shop.get(&format!("{}/history", path(&here.order.id)));
    let history = history.as_(staff);
    let history = history.header("x-wait-position", &done.position());
    let history = history.send().await.expect(200);
    let events = history.body["events"].as_array().unwrap();
    for (event_type, title) in [
        ("ReceiverCorrected", "배송지가 수정되었습니다"),
        ("StaffNoteWritten", "직원 메모가 변경되었습니다"),
    ] {
        let told: Vec<&Value> = events
            .iter()
            .filter(|one| one["type"] == event_type)
            .collect();
        let [told] = told.as_slice() else {
            panic!("{event_type}: {told:?}");
        };
        assert_eq!(told["title"], title);
        assert_eq!(told["command"], "correct-order");
        assert_eq!(told["actor"]["name"], "운영자");
        assert!(told["at"].is_string());
    }
    let all = format!("/api/console/history/order/{}", here.order.id);
    let all = here.seen_by(staff, &all).await.text;
    for secret in ["이받음", "01055556666", "역삼로", NOTE, "\"sealed\""] {
        assert!(!history.text.contains(secret), "{secret}");
        assert!(!all.contains(secret), "{secret}");
    }
    let stored: Vec<String> = sqlx::query_scalar("SELECT payload::text FROM events")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    for secret in ["이받음", "01055556666", "역삼로", NOTE] {
        assert!(stored.iter().all(|one| !one.contains(secret)), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_guest_can_be_read_after_the_law_s_time() {
    let shop = TestApp::start().await;
    let (seller, staff) = (shop.seller().await, shop.console().await);
    let product = shop.product(seller, 10_000, 10).await;
    let placing = shop.post("/api/v1/shop/orders", &order_form(product, 1));
    let placed = placing.send().await.expect(201);
    let order = id_of(&placed);
    let token = placed.body["guestToken"].as_str().unwrap();
    let body = json!({ "receiver": receiver(), "remark": NOTE });
    let change = async || shop.put(&path(&order), &body).as_(&staff).send().await;
    let done = change().await.expect(200);
    let seen = shop.my_order(token, &order).await;
    assert_eq!(seen["receiver"]["name"], "이받음");
    assert_eq!(seen.get("remark"), None);
    let stored: Vec<Value> = sqlx::query_scalar(
        "SELECT payload FROM events WHERE aggregate_id = $1 \
         AND event_type IN ('ReceiverCorrected', 'StaffNoteWritten') ORDER BY event_type",
    )
    .bind(&order)
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let [corrected, noted] = stored.as_slice() else {
        panic!("{stored:?} of {}", done.text);
    };
    let party: Sealed<Party> =
        serde_json::from_value(corrected["ReceiverCorrected"]["receiver"].clone()).unwrap();
    let note: Sealed<String> =
        serde_json::from_value(noted["StaffNoteWritten"]["note"].clone()).unwrap();
    assert_eq!(party.subject.to_string(), order);
    assert_eq!(
        (note.subject, note.purpose),
        (party.subject, Purpose::Statutory)
    );
    assert_eq!(shop.app.open(&party).await.unwrap().unwrap().name, "이받음");

    shop.advance(Duration::days(2));
    let until = async |sql: &str| shop.until_counted(sql, &order).await;
    until("SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'OrderCanceled'")
        .await;
    shop.advance(Duration::days(5 * 366));
    until("SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NULL").await;
    shop.app.keys.forget_cached();
    assert_eq!(shop.app.open(&party).await.unwrap(), None);
    assert_eq!(shop.app.open(&note).await.unwrap(), None);
    // The token expired in these years.
    let staff = shop.account("operator1", "operator1!").await;
    let seen = shop.get(&path(&order)).as_(&staff).send().await.expect(200);
    assert_eq!(seen.body["order"]["receiver"], Value::Null);
    assert_eq!(seen.body["order"].get("remark"), None);
    let hashes: i64 =
        sqlx::query_scalar("SELECT count(*) FROM order_contacts WHERE order_id = $1::uuid")
            .bind(&order)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(hashes, 0);
    let late = shop.put(&path(&order), &json!({ "remark": NOTE }));
    let late = late.as_(&staff).send().await.expect(409);
    assert_eq!(late.body["error"]["details"]["reason"], "records_erased");
}
