//! Histories of all entities, and their state at any time.

use std::collections::BTreeSet;

use api::audit::history;
use api::audit::story::Subject;
use serde_json::{Value, json};

use crate::support::reviews::bought;
use crate::support::shop::{id_of, order_form};
use crate::support::{Reply, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn anything_can_be_asked_what_happened_to_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let who = shop.sign_up("traveller").await;
    shop.grant(&who, 5_000).await;
    let mut form = order_form(product, 2);
    form["point"] = json!(1_000);
    let placing = shop.post("/api/v1/shop/orders", &form).as_(&who);
    let order = id_of(&placing.send().await.expect(201));
    let placed = shop.app.store.head().await.unwrap();
    shop.pay(&who.token, &order).await;
    let ask = async |path: &str| -> Reply {
        let path = format!("/api/console/history/{path}");
        shop.get(&path).as_(&staff).send().await
    };
    let positions = |reply: &Reply| -> Vec<i64> {
        let events = reply.body["events"].as_array().unwrap();
        let position = |event: &Value| event["position"].as_i64().unwrap();
        events.iter().map(position).collect()
    };
    let types = |reply: &Reply| -> Vec<String> {
        let events = reply.body["events"].as_array().unwrap();
        let name = |event: &Value| event["type"].as_str().unwrap().to_owned();
        events.iter().map(name).collect()
    };

    // No event is left out, in any stream.
    let events = async |up_to: i64| -> Vec<i64> {
        // All events of the order's stream and its payments', and events of other streams that refer to it.
        let sql = "WITH naming AS (SELECT * FROM events WHERE payload::text LIKE '%' || $1 || '%')
            SELECT global_position FROM events WHERE global_position <= $2 AND (aggregate_id = $1
                OR aggregate_id IN (SELECT aggregate_id FROM naming WHERE aggregate_type = 'payment')
                OR global_position IN (SELECT global_position FROM naming)) ORDER BY 1";
        let all = sqlx::query_scalar(sql).bind(&order).bind(up_to);
        all.fetch_all(shop.app.pool()).await.unwrap()
    };
    let whole = ask(&format!("order/{order}")).await.expect(200);
    assert_eq!(positions(&whole), events(i64::MAX).await);
    let kinds: BTreeSet<String> = types(&whole).into_iter().collect();
    for kind in ["StockTaken", "PointsSpent", "PaymentApproved", "OrderPaid"] {
        assert!(kinds.contains(kind), "{kind}: {kinds:?}");
    }
    for up_to in positions(&whole) {
        let then = ask(&format!("order/{order}?position={up_to}")).await;
        assert_eq!(positions(&then.expect(200)), events(up_to).await);
    }

    let paid = ask(&format!("order/{order}?since={placed}"))
        .await
        .expect(200);
    assert!(types(&paid).contains(&"OrderPaid".to_owned()));
    let changed = paid.body["changes"].as_array().unwrap();
    assert!(
        changed
            .iter()
            .any(|one| one["path"] == "paid.amount" && one["before"].is_null()),
        "{changed:?}"
    );
    let before = ask(&format!("order/{order}?position={placed}"))
        .await
        .expect(200);
    assert!(!types(&before).contains(&"OrderPaid".to_owned()));
    assert_eq!(before.body["state"]["paid"], Value::Null);
    assert!(!paid.text.contains("sealed"), "personal data is masked");

    let money = ask(&format!("money/{order}")).await.expect(200);
    let entries = money.body["entries"].as_array().unwrap();
    let sum: i64 = entries
        .iter()
        .map(|one| one["amount"].as_i64().unwrap())
        .sum();
    assert_eq!(sum, 0);
    assert!(
        entries
            .iter()
            .any(|one| one["account"] == "gateway" && one["amount"].as_i64() > Some(0))
    );

    assert_eq!(
        types(&ask(&format!("points/{}", who.username)).await.expect(200)),
        ["PointsGranted", "PointsSpent"]
    );
    for (of, name) in [
        (format!("stock/{product}"), "사과 한 상자"),
        (format!("record/{product}"), "사과 한 상자"),
        (format!("points/{}", who.id), who.username.as_str()),
    ] {
        assert_eq!(ask(&of).await.expect(200).body["name"], name, "{of}");
    }
    assert_eq!(
        ask(&format!("stock/{product}")).await.expect(200).body["state"]["available"],
        json!(8)
    );
    assert_eq!(
        types(&ask(&format!("member/{}", who.id)).await.expect(200))
            .first()
            .unwrap(),
        "MemberJoined"
    );
    assert_eq!(
        ask(&format!("record/{product}")).await.expect(200).body["state"]["price"],
        json!(10_000)
    );
    for (path, status) in [
        ("coupon/0193a1b2-0000-7000-8000-000000000002", 404),
        ("order/none", 404),
        ("nonsense/1", 404),
        (&format!("order/{order}?position=-1"), 400),
        (&format!("order/{order}?time=yesterday"), 400),
    ] {
        ask(path).await.expect(status);
    }
    shop.get(&format!("/api/console/history/order/{order}"))
        .as_(&who)
        .send()
        .await
        .expect(403);

    // The same from the command line.
    let told = history::of(&shop.app, Subject::Money, &order, None, None)
        .await
        .unwrap();
    assert!(told.contains("차변 gateway"), "{told}");
    let between = (
        placed.to_string(),
        shop.app.store.head().await.unwrap().to_string(),
    );
    let told = history::of(
        &shop.app,
        Subject::Order,
        &order,
        None,
        Some((&between.0, &between.1)),
    )
    .await
    .unwrap();
    assert!(told.contains("paid.amount: null →"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_of_the_books_is_told_at_any_moment() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("sellerbooks").await;
    let product = shop.console_product(&seller, "P-BOOKS").await;
    let buyer = shop.sign_up("hongbooks").await;
    let ask = async |path: &str| -> Reply {
        let path = format!("/api/console/history/money/{path}");
        shop.get(&path).as_(&staff).send().await
    };
    let payable = format!("seller-payable:{}", seller.id);
    for nothing_yet in ["gateway", payable.as_str()] {
        ask(nothing_yet).await.expect(404);
    }
    let balance = |reply: &Reply| reply.body["state"]["balance"].as_i64().unwrap();

    let first = shop.paid_order(&buyer, &product).await.id;
    let paid = ask("gateway").await.expect(200);
    assert_eq!((balance(&paid), &paid.body["name"]), (2_250, &Value::Null));
    let position = paid.body["events"][0]["position"].as_i64().unwrap();
    let entries: Vec<(&str, i64)> = paid.body["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["position"], position);
            (
                one["account"].as_str().unwrap(),
                one["amount"].as_i64().unwrap(),
            )
        })
        .collect();
    let unapplied = format!("unapplied:{first}");
    assert_eq!(entries, [("gateway", 2_250), (unapplied.as_str(), -2_250)]);

    // The seller earns the second one: products and shipping fee.
    bought(&shop, (&seller, &buyer), &product, true).await;
    let earned = ask(&payable).await.expect(200);
    assert_eq!(balance(&earned), -2_250);
    assert_eq!(earned.body["name"], "sellerbooks");
    assert_eq!(earned.body["events"][0]["type"], "PurchaseCompleted");
    assert_eq!(earned.body["state"]["credits"], 2_250);

    // And the first one is refunded.
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let canceling = shop.post(&format!("/api/v1/me/orders/{first}/cancel"), &cancel);
    canceling.as_(&buyer).send().await.expect(200);
    let refunded = |order: &Value| order["payments"][0]["refunded"] == 2_250;
    shop.until(&buyer.token, &first, "the refund", refunded)
        .await;
    let now = ask(&format!("gateway?since={position}")).await.expect(200);
    let state = &now.body["state"];
    let told = ["events", "debits", "credits", "balance", "opening"];
    let told = told.map(|name| state[name].as_i64().unwrap());
    assert_eq!(told, [3, 4_500, 2_250, 2_250, 0]);
    let changes = now.body["changes"].as_array().unwrap();
    let debits = json!({ "path": "debits", "before": 2_250, "after": 4_500 });
    assert!(changes.contains(&debits), "{changes:?}");
    let then = ask(&format!("gateway?position={position}"))
        .await
        .expect(200);
    assert_eq!(
        (balance(&then), &then.body["events"]),
        (2_250, &paid.body["events"])
    );
    let causes = ask("gateway/causes").await.expect(200);
    assert_eq!(causes.body["events"].as_array().unwrap().len(), 3);
    for nobody in ["seller-payable:nobody", "cash"] {
        ask(nobody).await.expect(404);
    }

    let told = history::of(&shop.app, Subject::Money, &payable, None, None).await;
    let told = told.unwrap();
    assert!(told.contains(&format!("대변 {payable}  -")), "{told}");
    assert!(told.contains("\"balance\": -2250"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_category_tells_what_happened_to_it_and_not_to_its_neighbours() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let path = "/api/console/shop/categories";
    let mut ids = Vec::new();
    for (code, name) in [("bike", "자전거"), ("boat", "보트")] {
        let form = json!({ "code": code, "name": name });
        let made = shop.post(path, &form).as_(&staff).send().await.expect(201);
        ids.push(made.body["category"]["_id"].as_str().unwrap().to_owned());
    }
    let ask = async |id: &str| -> Reply {
        let path = format!("/api/console/history/record/{id}");
        shop.get(&path).as_(&staff).send().await
    };
    let told = ask(&ids[1]).await.expect(200).body;
    assert_eq!(told["name"], "보트");
    assert_eq!(told["state"]["code"], "boat");
    let happened = |told: &Value| told["events"].as_array().unwrap().len();
    assert_eq!(happened(&told), 1);
    let tree = ask("main").await.expect(200).body;
    assert_eq!(happened(&tree), 2);
    ask(&uuid::Uuid::now_v7().to_string()).await.expect(404);
}
