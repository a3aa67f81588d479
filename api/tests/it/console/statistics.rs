//! Sales by day, month, weekday and product, compared with a replay of the log in the test.

use std::collections::BTreeMap;

use domain::business_day;
use serde_json::{Value, json};
use time::{Date, Duration};

use crate::support::TestApp;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct DayTotals {
    orders: i64,
    quantity: i64,
    sales: i64,
    canceled: i64,
}

/// Sales of each day in Seoul, computed from the events alone.
async fn folded(shop: &TestApp) -> BTreeMap<Date, DayTotals> {
    let events = shop.app.store.read_all(0, i64::MAX, 10_000).await.unwrap();
    let mut lines: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut paid: BTreeMap<String, Date> = BTreeMap::new();
    let mut claims: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut gone: Vec<String> = Vec::new();
    for event in events.iter().filter(|event| event.stream.kind == "order") {
        let order = event.stream.id.clone();
        let payload = event.value().unwrap();
        let told = |name: &str| payload.get(name).cloned();
        if let Some(placed) = told("OrderPlaced") {
            lines.insert(
                order.clone(),
                placed["purchases"].as_array().unwrap().clone(),
            );
        }
        if told("OrderPaid").is_some() {
            paid.insert(order, business_day::day(event.metadata.occurred_at));
        }
        if let Some(asked) = told("CancelRequested") {
            let purchases: Vec<String> =
                serde_json::from_value(asked["purchaseNos"].clone()).unwrap();
            claims.insert(asked["claim"].as_str().unwrap().to_owned(), purchases);
        }
        if let Some(done) = told("CancelCompleted") {
            gone.extend(claims.get(done["claim"].as_str().unwrap()).unwrap().clone());
        }
    }
    let mut days: BTreeMap<Date, DayTotals> = BTreeMap::new();
    for (order, day) in paid {
        let sold = days.entry(day).or_default();
        sold.orders += 1;
        for line in &lines[&order] {
            let amount = line["paid"].as_i64().unwrap();
            sold.quantity += line["quantity"].as_i64().unwrap();
            sold.sales += amount;
            if gone.contains(&line["purchaseNo"].as_str().unwrap().to_owned()) {
                sold.canceled += amount;
            }
        }
    }
    days
}

fn totals(row: &Value) -> DayTotals {
    let of = |name: &str| row[name].as_i64().unwrap();
    DayTotals {
        orders: of("orders"),
        quantity: of("quantity"),
        sales: of("sales"),
        canceled: of("canceled"),
    }
}

#[tokio::test]
async fn sales_are_what_the_log_says() {
    let shop = TestApp::start().await;
    let (seller, buyer) = (
        shop.company("seller01").await,
        shop.sign_up("buyer001").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    shop.paid_order(&buyer, &product).await;
    shop.advance(Duration::DAY);
    let buyer = shop.account(&buyer.username, &buyer.password).await;
    shop.paid_order(&buyer, &product).await;
    let canceled = shop.paid_order(&buyer, &product).await;
    shop.post(
        &format!("/api/v1/me/orders/{}/cancel", canceled.id),
        &json!({ "reason": "마음이 바뀌었어요" }),
    )
    .as_(&buyer)
    .send()
    .await
    .expect(200);
    let canceled = shop
        .until(&buyer.token, &canceled.id, "not refunded", |order| {
            order["status"] == "ORDER_CANCELED"
        })
        .await;
    assert_eq!(canceled["status"], "ORDER_CANCELED");
    let staff = shop.console().await;
    // The refund was made after the response to the cancellation.
    let head = shop.app.store.head().await.unwrap().to_string();
    let read = async |what: &str| {
        shop.get(&format!("/api/console/statistics/{what}"))
            .as_(&staff)
            .header("X-Wait-Position", &head)
            .send()
            .await
            .expect(200)
            .body
    };

    let expected = folded(&shop).await;
    assert_eq!(expected.len(), 2, "two days were sold on");
    let daily = read("dailySales").await;
    let days: BTreeMap<String, DayTotals> = daily["dailySales"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["day"].as_str().unwrap().to_owned(), totals(row)))
        .collect();
    assert_eq!(days.len(), 30, "days without sales are there too");
    for (day, sold) in &days {
        let wanted = expected
            .iter()
            .find(|(known, _)| known.to_string() == *day)
            .map(|(_, sold)| sold.clone())
            .unwrap_or_default();
        assert_eq!(*sold, wanted, "{day}");
    }
    let mut all = DayTotals::default();
    for sold in expected.values() {
        all.orders += sold.orders;
        all.quantity += sold.quantity;
        all.sales += sold.sales;
        all.canceled += sold.canceled;
    }
    assert!(all.canceled > 0 && all.canceled < all.sales);
    assert_eq!(totals(&daily["summary"]), all);

    let weekdays = read("dayOfWeekSales").await;
    let rows = weekdays["dayOfWeekSales"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    for (day, sold) in &expected {
        let number = i64::from(day.weekday().number_from_monday());
        let row = rows
            .iter()
            .find(|row| row["dayOfWeek"] == json!(number))
            .unwrap();
        assert_eq!(totals(row), *sold, "{day}");
    }
    let products = read("productsSales").await;
    let row = &products["productsSales"][0];
    assert_eq!((totals(row), &row["_product"]), (all, &product["_id"]));

    let days: Vec<&Date> = expected.keys().collect();
    let first = read(&format!("monthlySales?from={0}&to={0}", days[0])).await;
    assert_eq!(totals(&first["summary"]), expected[days[0]]);
    assert_eq!(totals(&first["monthlySales"][0]), expected[days[0]]);
    assert_eq!(
        first["days"],
        json!({ "from": days[0].to_string(), "to": days[0].to_string() })
    );
}

#[tokio::test]
async fn a_seller_sees_their_own_sales_and_a_period_has_an_end() {
    let shop = TestApp::start().await;
    let (seller, other, buyer) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
        shop.sign_up("buyer001").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    shop.paid_order(&buyer, &product).await;
    let path = "/api/console/statistics/dailySales";
    let stranger = shop.get(path).as_(&other).send().await.expect(200);
    assert_eq!(totals(&stranger.body["summary"]), DayTotals::default());
    shop.get(path).as_(&buyer).send().await.expect(403);
    for (query, complaint) in [
        ("from=2020-01-01", ("from", "too_long")),
        ("from=2026-03-02&to=2026-03-01", ("from", "out_of_order")),
        ("from=x", ("from", "type")),
        ("to=x", ("to", "type")),
    ] {
        let reply = shop
            .get(&format!("{path}?{query}"))
            .as_(&seller)
            .send()
            .await
            .expect(400);
        assert_eq!(reply.code(), "invalid_query", "{query}");
        assert_eq!(reply.complaint(), complaint, "{query}");
    }
}
