//! Orders in the console: every named command, and rejected changes.

mod revise;

use domain::order::Order;
use event_store::StreamId;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::support::{Reply, TestApp};

fn status<'a>(reply: &'a Reply, axis: &str) -> &'a str {
    reply.body["purchase"][axis].as_str().unwrap()
}

#[tokio::test]
async fn a_purchase_goes_its_way_by_named_commands() {
    let shop = TestApp::start().await;
    let (seller, buyer, staff) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
        shop.console().await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let no = order.purchase();

    let early = shop
        .work(&seller, &no, json!({ "orderStatus": "DELIVERY_COMPLETE" }))
        .await
        .expect(409);
    assert_eq!(early.code(), "not_allowed_now");
    let reply = shop
        .work(&seller, &no, json!({ "orderStatus": "ORDER_CONFIRM" }))
        .await
        .expect(200);
    assert_eq!(status(&reply, "orderStatus"), "ORDER_CONFIRM");
    assert_eq!(reply.body["purchase"]["receiverName"], "김받음");
    shop.ship(&seller, &no, "12").await.expect(400);
    let reply = shop.ship(&seller, &no, "123-456-789012").await.expect(200);
    assert_eq!(status(&reply, "orderStatus"), "SHIPPING_CONFIRM");
    let reply = shop.ship(&staff, &no, "998877665544").await.expect(200);
    assert_eq!(status(&reply, "invoiceNo"), "998877665544");
    shop.work(&staff, &no, json!({ "orderStatus": "SHIPPING_DELAYED" }))
        .await
        .expect(400);
    let late = json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "폭설" });
    assert_eq!(
        status(
            &shop.work(&staff, &no, late).await.expect(200),
            "orderStatus"
        ),
        "SHIPPING_DELAYED"
    );
    let reply = shop
        .work(&staff, &no, json!({ "orderStatus": "DELIVERY_COMPLETE" }))
        .await
        .expect(200);
    assert_eq!(status(&reply, "orderStatus"), "DELIVERY_COMPLETE");
    assert!(reply.body["purchase"]["confirmOn"].is_string());

    let list = shop
        .get("/api/console/shop/purchases?tab=delivery")
        .as_(&seller);
    let list = list
        .header("x-wait-position", &reply.position())
        .send()
        .await
        .expect(200);
    assert_eq!(list.body["summary"]["totalCount"], 1);
    for found in ["홍길동", "홍 길동", "사과", no.as_str(), "998877665544"] {
        let list = shop
            .get(&format!("/api/console/shop/purchases?searchValue={found}"))
            .as_(&staff)
            .send()
            .await;
        assert_eq!(list.body["summary"]["totalCount"], 1, "{found}");
    }
    let counts = shop
        .get("/api/console/shop/purchases/dashboard/all")
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            &counts.body["counts"]["all"],
            &counts.body["counts"]["delivery"]
        ),
        (&json!(1), &json!(1))
    );
    let invoice = shop
        .get(&format!("/api/console/shop/invoices/{no}"))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(invoice.body["invoice"]["courierName"], "CJ대한통운");
}

/// The response to a purchase command never shows the state from before it.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_answers_what_it_did_however_late_the_read_models_are() {
    let shop = TestApp::start().await;
    let (seller, buyer) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let no = order.purchase();
    shop.settled().await;
    let mut held = PgConnection::connect(&shop.database).await.unwrap();
    held.execute("BEGIN; LOCK TABLE orders IN EXCLUSIVE MODE")
        .await
        .unwrap();
    let confirm = json!({ "orderStatus": "ORDER_CONFIRM" });
    let reply = shop.work(&seller, &no, confirm).await.expect(200);
    assert_eq!(status(&reply, "orderStatus"), "ORDER_CONFIRM");
    let reply = shop.ship(&seller, &no, "123456789012").await.expect(200);
    assert_eq!(status(&reply, "invoiceNo"), "123456789012");
    held.execute("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn nobody_reaches_into_other_rows_and_nothing_edits_the_books() {
    let shop = TestApp::start().await;
    let (seller, other, buyer) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
        shop.sign_up("buyer001").await,
    );
    let staff = shop.console().await;
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let (purchase, whole) = (
        format!("/api/console/shop/purchases/{}", order.purchase()),
        format!("/api/console/shop/orders/{}", order.id),
    );
    let change = json!({ "orderStatus": "ORDER_CONFIRM" });

    for path in [
        "/api/console/shop/purchases",
        &purchase,
        &whole,
        "/api/console/shop/products",
        "/api/console/setting",
    ] {
        shop.get(path).send().await.expect(401);
        assert_eq!(
            shop.get(path).as_(&buyer).send().await.expect(403).code(),
            "access_denied",
            "{path}"
        );
    }
    for path in [
        &purchase,
        &whole,
        &format!("/api/console/shop/invoices/{}", order.purchase()),
    ] {
        assert_eq!(
            shop.get(path).as_(&other).send().await.expect(404).code(),
            "not_found",
            "{path}"
        );
        shop.get(path).as_(&seller).send().await.expect(200);
    }
    shop.put(&purchase, &change)
        .as_(&other)
        .send()
        .await
        .expect(404);
    shop.ship(&other, &order.purchase(), "123456789012")
        .await
        .expect(404);
    let why = json!({ "reason": "남의 주문" });
    shop.post(&format!("{whole}/cancel"), &why)
        .as_(&other)
        .send()
        .await
        .expect(404);
    shop.get(&format!("{whole}/history"))
        .as_(&seller)
        .send()
        .await
        .expect(403);
    let list = shop
        .get("/api/console/shop/purchases")
        .as_(&other)
        .send()
        .await
        .expect(200);
    assert_eq!(list.body["summary"]["totalCount"], 0);

    let before = shop
        .app
        .store
        .read_all(0, i64::MAX, 10_000)
        .await
        .unwrap()
        .len();
    let invoice = format!("/api/console/shop/invoices/{}", order.purchase());
    for (method, path, body) in [
        (Method::DELETE, purchase.as_str(), Value::Null),
        (Method::POST, "/api/console/shop/purchases", json!({})),
        (Method::DELETE, invoice.as_str(), Value::Null),
        (Method::POST, "/api/console/shop/invoices", json!({})),
        (Method::PUT, purchase.as_str(), json!({ "paid": 1 })),
        (
            Method::PUT,
            purchase.as_str(),
            json!({ "orderStatus": "ORDER_CONFIRM", "quantity": 9 }),
        ),
        (
            Method::PUT,
            purchase.as_str(),
            json!({ "orderStatus": "ORDER_PAYMENT" }),
        ),
        (
            Method::PUT,
            purchase.as_str(),
            json!({ "orderStatus": "ORDER_CANCELED" }),
        ),
        (Method::DELETE, whole.as_str(), Value::Null),
        (Method::PUT, whole.as_str(), json!({ "payable": 1 })),
        (Method::POST, "/api/console/shop/orders", json!({})),
    ] {
        let reply = shop
            .ask(method.clone(), path)
            .json(&body)
            .as_(&staff)
            .send()
            .await
            .expect(405);
        assert_eq!(reply.code(), "ledger_immutable", "{method} {path} {body}");
    }
    let after = shop
        .app
        .store
        .read_all(0, i64::MAX, 10_000)
        .await
        .unwrap()
        .len();
    assert_eq!(before, after, "something was written");
}

#[tokio::test]
async fn a_cancellation_is_refused_or_granted_and_the_money_goes_back_once() {
    let shop = TestApp::start().await;
    let (seller, buyer, staff) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
        shop.console().await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let no = order.purchase();
    shop.work(&seller, &no, json!({ "orderStatus": "ORDER_CONFIRM" }))
        .await
        .expect(200);
    let ask = json!({ "_purchases": [no], "reason": "마음이 바뀌었어요" });
    shop.work(&seller, &no, json!({ "claimStatus": "CANCEL_COMPLETED" }))
        .await
        .expect(404);
    shop.post("/api/v1/me/purchases/cancel", &ask)
        .as_(&buyer)
        .send()
        .await
        .expect(200);
    shop.work(&seller, &no, json!({ "claimStatus": "CANCEL_REJECTED" }))
        .await
        .expect(400);
    let refuse = json!({ "claimStatus": "CANCEL_REJECTED", "reason": "포장했습니다" });
    assert_eq!(
        status(
            &shop.work(&seller, &no, refuse).await.expect(200),
            "claimStatus"
        ),
        "CANCEL_REJECTED"
    );
    shop.post("/api/v1/me/purchases/cancel", &ask)
        .as_(&buyer)
        .send()
        .await
        .expect(200);
    let grant = json!({ "claimStatus": "CANCEL_COMPLETED" });
    shop.work(&seller, &no, grant.clone()).await.expect(200);
    shop.work(&staff, &no, grant).await.expect(200);
    let detail = shop
        .until(
            &buyer.token,
            &order.id,
            "the money back",
            |order: &Value| order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED",
        )
        .await;
    assert_eq!(detail["purchases"][0]["orderStatus"], "ORDER_CANCELED");
    shop.until(
        &buyer.token,
        &order.id,
        "the payment refunded",
        |order: &Value| order["payments"][0]["refunded"] == order["payable"],
    )
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
    assert_eq!(
        shop.left(product["_id"].as_str().unwrap().parse().unwrap())
            .await,
        10
    );

    let second = shop.paid_order(&buyer, &product).await;
    let cancel = format!("/api/console/shop/orders/{}/cancel", second.id);
    shop.post(&cancel, &json!({ "reason": " " }))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    shop.post(&cancel, &json!({ "reason": "재고 오류" }))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    shop.until(
        &buyer.token,
        &second.id,
        "the money back",
        |order: &Value| order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED",
    )
    .await;
    assert_eq!(shop.charges().await["balance"], 0);
}

#[tokio::test]
async fn the_history_of_a_shipped_order_says_who_and_why_and_any_moment_can_be_shown_again() {
    let shop = TestApp::start().await;
    let (seller, buyer, staff) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
        shop.console().await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&buyer, &product).await;
    let no = order.purchase();
    shop.work(&seller, &no, json!({ "orderStatus": "ORDER_CONFIRM" }))
        .await
        .expect(200);
    shop.ship(&seller, &no, "123456789012").await.expect(200);
    let late = json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "폭설" });
    let last = shop.work(&staff, &no, late).await.expect(200);

    let path = format!("/api/console/shop/orders/{}", order.id);
    let history = shop
        .get(&format!("{path}/history"))
        .as_(&staff)
        .header("x-wait-position", &last.position());
    let history = history.send().await.expect(200);
    let events = history.body["events"].as_array().unwrap();
    let types: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    for wanted in [
        "OrderPlaced",
        "StockTaken",
        "PaymentStarted",
        "PaymentApproved",
        "OrderPaid",
        "PurchasePrepared",
        "PurchaseShipped",
        "PurchaseDelayed",
    ] {
        assert_eq!(
            types.iter().filter(|found| **found == wanted).count(),
            1,
            "{wanted} in {types:?}"
        );
    }
    for event in events {
        assert!(
            event["actor"]["kind"].is_string()
                && event["command"].is_string()
                && event["correlationId"].is_string(),
            "{event}"
        );
        assert_ne!(event["title"], event["type"], "no Korean title");
        assert!(!event["data"].to_string().contains("\"sealed\""), "{event}");
    }
    let delayed = events
        .iter()
        .find(|event| event["type"] == "PurchaseDelayed")
        .unwrap();
    assert_eq!(
        (
            &delayed["reason"],
            &delayed["actor"]["kind"],
            &delayed["actor"]["name"]
        ),
        (&json!("폭설"), &json!("operator"), &json!("운영자"))
    );
    let shipped = events
        .iter()
        .find(|event| event["type"] == "PurchaseShipped")
        .unwrap();
    assert_eq!(
        (
            &shipped["actor"]["id"],
            &shipped["actor"]["kind"],
            &shipped["command"]
        ),
        (&json!(seller.id), &json!("seller"), &json!("ship-purchase"))
    );

    // Replays the stream here and compares the states at every position with an event.
    let stream = shop
        .app
        .store
        .read_stream(&StreamId::of::<Order>(&order.id))
        .await
        .unwrap();
    for event in events {
        let position = event["position"].as_i64().unwrap();
        let mut fold = Order::default();
        for recorded in stream
            .iter()
            .filter(|recorded| recorded.position <= position)
        {
            fold.evolve(recorded.event::<Order>().unwrap());
        }
        let then = shop
            .get(&format!("{path}/asof?position={position}"))
            .as_(&staff)
            .send()
            .await
            .expect(200);
        let shown = &then.body["order"];
        let version = stream
            .iter()
            .filter(|recorded| recorded.position <= position)
            .count();
        assert_eq!(shown["version"], version, "at {position}");
        assert_eq!(
            shown["purchases"][0]["orderStatus"],
            json!(fold.purchases[0].order_status),
            "at {position}"
        );
        assert_eq!(shown["status"], json!(fold.status()), "at {position}");
        let paid = shown["payments"]
            .as_array()
            .unwrap()
            .iter()
            .any(|payment| payment["status"] == "PAYMENT_COMPLETED");
        let approved = events
            .iter()
            .find(|event| event["type"] == "PaymentApproved")
            .unwrap()["position"]
            .as_i64()
            .unwrap();
        assert_eq!(paid, approved <= position, "the payment at {position}");
    }
    let first = stream[0].position;
    shop.get(&format!("{path}/asof?position={}", first - 1))
        .as_(&staff)
        .send()
        .await
        .expect(404);
    let time = events[0]["at"].as_str().unwrap().replace('+', "%2B");
    let then = shop
        .get(&format!("{path}/asof?time={time}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(then.body["order"]["status"], "ORDER_NONPAYMENT");

    let text = api::audit::history::of_order(&shop.app, &order.order_no, None)
        .await
        .unwrap();
    for told in [
        "사유: 폭설",
        "회원 seller01",
        "운영자 운영자",
        "명령: 발송",
        "배송지연",
        "결제 금액 $22.50",
    ] {
        assert!(text.contains(told), "{told} in\n{text}");
    }
    let text = api::audit::history::of_order(&shop.app, &order.id, Some(&first.to_string()))
        .await
        .unwrap();
    assert!(
        text.contains("결제대기") && !text.contains("폭설"),
        "{text}"
    );
}

#[tokio::test]
async fn purchases_are_found_by_their_peoples_names_and_phones() {
    let shop = TestApp::start().await;
    let (seller, buyer, staff) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
        shop.console().await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let mut form =
        crate::support::shop::order_form(product["_id"].as_str().unwrap().parse().unwrap(), 1);
    let mut order = async |sender: &str, receiver: &str, name: &str| {
        form["sender"]["phone"] = json!(sender);
        form["receiver"]["phone"] = json!(receiver);
        form["receiver"]["name"] = json!(name);
        let placed = shop
            .post("/api/v1/shop/orders", &form)
            .as_(&buyer)
            .send()
            .await
            .expect(201);
        placed.body["order"]["orderNo"].as_str().unwrap().to_owned()
    };
    let eleven = order("010-1234-5678", "010 8765 4321", "김받음").await;
    let ten = order("0119998888", "011.777.6666", "Ann Lee").await;
    let last = shop.app.store.head().await.unwrap().to_string();
    let found = async |search: &str| {
        let asked = form_urlencoded::Serializer::new(String::new())
            .append_pair("searchValue", search)
            .finish();
        let list = shop
            .get(&format!("/api/console/shop/purchases?{asked}"))
            .header("x-wait-position", &last)
            .as_(&staff)
            .send()
            .await
            .expect(200);
        let mut numbers: Vec<String> = list.body["purchases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["orderNo"].as_str().unwrap().to_owned())
            .collect();
        numbers.sort();
        numbers
    };
    for search in [
        "01012345678",
        "010-1234-5678",
        " 010 1234 5678 ",
        "010.1234.5678",
        "(010) 1234-5678",
        "+82 10-1234-5678",
        "+821012345678",
        "010-8765-4321",
        "김받음",
        "김 받음",
    ] {
        assert_eq!(found(search).await, [eleven.as_str()], "{search}");
    }
    for search in [
        "0119998888",
        "011-999-8888",
        "011 777 6666",
        "+82 11 999 8888",
        "ann lee",
        "ANN LEE",
    ] {
        assert_eq!(found(search).await, [ten.as_str()], "{search}");
    }
    for search in ["010-1234-5679", "1012345678", "1234-5678", "김받", "Ann"] {
        assert!(found(search).await.is_empty(), "{search}");
    }
}
