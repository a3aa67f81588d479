//! Every amount of the console is the sum of its explained contributions.

use std::collections::{BTreeMap, BTreeSet};

use api::audit::explain::{self, Contribution, Explainable, Explanation, Moment};
use projections::points_statement::points_summary;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::TestApp;
use crate::support::shop::id_of;

/// The contributions add up to the amount, and every event they refer to is returned.
fn adds_up(explained: &Explanation) {
    let mut result = 0;
    let told: BTreeSet<i64> = explained
        .events
        .iter()
        .map(|event| event.position)
        .collect();
    for one in &explained.contributions {
        result += one.amount;
        assert_eq!(one.result, result, "{explained:?}");
        for named in one.event.iter().chain(&one.source) {
            assert!(told.contains(named), "{one:?}");
        }
    }
    assert_eq!(result, explained.amount.value, "{explained:?}");
}

/// Every amount on an order's page, by the name of its explanation.
fn on_the_page(order: &Value) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    let mut put = |at: String, of: &Value, names: &[&str]| {
        for name in names {
            let amount = of[*name].as_i64().unwrap();
            found.insert(format!("{at}{name}"), amount);
        }
    };
    let names: Vec<&str> = order["totals"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    put(String::new(), &order["totals"], &names);
    for line in order["purchases"].as_array().unwrap() {
        let no = line["purchaseNo"].as_str().unwrap();
        put(format!("purchases.{no}."), line, &["unitPrice", "paid"]);
    }
    let of_fare = [
        "fare",
        "islandFee",
        "serviceFee",
        "fareCoupon",
        "totalCoupon",
        "points",
        "paid",
    ];
    for (place, fare) in order["fares"].as_array().unwrap().iter().enumerate() {
        put(format!("fares.{place}."), fare, &of_fare);
    }
    for used in order["coupons"].as_array().unwrap() {
        let id = used["_issued"].as_str().unwrap();
        put(format!("coupons.{id}."), used, &["amount", "sellerShare"]);
    }
    for payment in order["payments"].as_array().unwrap() {
        let id = payment["_id"].as_str().unwrap();
        put(format!("payments.{id}."), payment, &["amount", "refunded"]);
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_amount_of_the_demonstration_is_what_the_page_shows() {
    let shop = TestApp::seeded().await;
    let staff = shop.console().await;
    let ids = async |sql: &str| -> Vec<Uuid> {
        sqlx::query_scalar(sql)
            .fetch_all(shop.app.pool())
            .await
            .unwrap()
    };
    let mut rules: BTreeSet<String> = BTreeSet::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    // Round prices need no rounding; the prices of this order do.
    let seller = shop.seller().await;
    let odd = shop.product(seller, 999, 10).await;
    let form = json!({ "version": 1, "discount": { "unit": "PERCENT", "value": 15 } });
    let path = format!("/api/console/shop/products/{odd}");
    shop.put(&path, &form).as_(&staff).send().await.expect(200);
    let buyer = shop.sign_up("oddbuyer").await;
    let odd_order: Uuid = id_of(&shop.order(&buyer, odd, 3).await.expect(201))
        .parse()
        .unwrap();
    let mut orders = ids("SELECT id FROM orders").await;
    if !orders.contains(&odd_order) {
        orders.push(odd_order);
    }
    for id in orders {
        let shown = shop
            .get(&format!("/api/console/shop/orders/{id}"))
            .as_(&staff)
            .send()
            .await
            .expect(200);
        let shown = on_the_page(&shown.body["order"]);
        let told = explain::whole_order(&shop.app, &id.to_string())
            .await
            .unwrap();
        let by_name: BTreeMap<&str, &Explanation> = told
            .iter()
            .map(|one| (one.amount.name.as_str(), one))
            .collect();
        for (name, amount) in &shown {
            let explained = by_name
                .get(name.as_str())
                .unwrap_or_else(|| panic!("{name} of {id}"));
            assert_eq!(explained.amount.value, *amount, "{name} of {id}");
        }
        for explained in &told {
            adds_up(explained);
            let lines: &[Contribution] = &explained.contributions;
            for line in lines {
                assert!(!line.text.contains("확정된 금액"), "{id}: {line:?}");
                rules.extend(line.spec.clone());
                if let Some(of) = &line.explains {
                    assert!(by_name.contains_key(of.as_str()), "{of} of {id}");
                    assert!(
                        by_name[of.as_str()].amount.value.abs() == line.amount.abs(),
                        "{line:?}"
                    );
                }
                assert!(line.event.is_some(), "{line:?}");
            }
            let name: Vec<&str> = explained.amount.name.rsplit('.').collect();
            if explained.amount.value != 0 {
                names.insert(name[0].to_owned());
            }
        }
    }
    // The demonstration has examples of these rules and amounts.
    for rule in ["V282", "V283", "V286", "V287", "V292"] {
        assert!(rules.contains(rule), "{rule}: {rules:?}");
    }
    for name in [
        "levelDiscount",
        "totalCoupon",
        "fareCoupon",
        "points",
        "refunded",
        "islandFee",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }

    let now = Moment::now(&shop.app);
    let of = async |subject, id: &str, name: &str| {
        let explained = explain::explain(&shop.app, subject, id, name, now)
            .await
            .unwrap();
        adds_up(&explained);
        explained
    };
    for member in ids("SELECT DISTINCT member FROM points_book_lots").await {
        let shown = points_summary(shop.app.pool(), member.into(), now.time)
            .await
            .unwrap();
        let told = of(Explainable::Points, &member.to_string(), "available").await;
        assert_eq!(told.amount.value, shown.available.hundredths(), "{member}");
    }
    for lot in ids("SELECT id FROM points_book_lots").await {
        let sql = "SELECT member, CASE WHEN expires_at > $2 THEN \"left\" ELSE 0 END FROM points_book_lots WHERE id = $1";
        let (member, left): (Uuid, i64) = sqlx::query_as(sql)
            .bind(lot)
            .bind(now.time)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
        let told = of(
            Explainable::Points,
            &member.to_string(),
            &format!("lots.{lot}.left"),
        )
        .await;
        assert_eq!(told.amount.value, left, "{lot}");
    }
    for pile in ids("SELECT id FROM stock").await {
        let available: i64 =
            sqlx::query_scalar("SELECT available::bigint FROM stock WHERE id = $1")
                .bind(pile)
                .fetch_one(shop.app.pool())
                .await
                .unwrap();
        let told = of(Explainable::Stock, &pile.to_string(), "available").await;
        assert_eq!(told.amount.value, available, "{pile}");
        of(Explainable::Stock, &pile.to_string(), "taken").await;
    }
    let mut states = BTreeSet::new();
    for coupon in ids("SELECT id FROM coupon_box").await {
        let told = of(Explainable::Coupon, &coupon.to_string(), "left").await;
        let used: bool = sqlx::query_scalar("SELECT used FROM coupon_box WHERE id = $1")
            .bind(coupon)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
        let says = told.amount.says.unwrap();
        assert_eq!(used, says == "사용완료", "{coupon}");
        assert_eq!(told.amount.value, i64::from(says == "보유 중"), "{coupon}");
        states.insert(says);
    }
    assert!(states.len() > 1, "{states:?}");
    let sql =
        "SELECT DISTINCT aggregate_id::uuid FROM events WHERE aggregate_type = 'coupon-campaign'";
    for campaign in ids(sql).await {
        for amount in explain::amounts(&shop.app, Explainable::Coupon, &campaign.to_string(), now)
            .await
            .unwrap()
        {
            of(Explainable::Coupon, &campaign.to_string(), &amount.name).await;
        }
    }

    // Over HTTP: for staff only, with clear errors for unknown entities.
    let order = ids("SELECT id FROM orders LIMIT 1").await[0];
    let ask = async |path: &str| {
        shop.get(&format!("/api/console/explanations/{path}"))
            .as_(&staff)
            .send()
            .await
    };
    let told = ask(&format!("order/{order}/payable")).await.expect(200);
    let lines = told.body["contributions"].as_array().unwrap();
    assert_eq!(
        lines.last().unwrap()["result"],
        told.body["amount"]["value"]
    );
    let event = told.body["events"].as_array().unwrap().first().unwrap();
    assert!(event["actor"]["kind"].is_string() && event["title"].is_string());
    let listed = ask(&format!("order/{order}")).await.expect(200);
    assert!(listed.body["amounts"].as_array().unwrap().len() > 20);
    for path in [
        &format!("order/{order}/nonsense"),
        &format!("order/{order}/fares.99.paid"),
        &format!("order/{order}/payments.1.amount"),
        &format!("order/{order}?position=1"),
        "stock/none",
        "points/nobody",
        "coupon/none/left",
        "nonsense/1",
    ] {
        ask(path).await.expect(404);
    }
    ask(&format!("order/{order}/payable?position=-1"))
        .await
        .expect(400);
    let who = shop.sign_up("curious").await;
    shop.get(&format!("/api/console/explanations/order/{order}/payable"))
        .as_(&who)
        .send()
        .await
        .expect(403);
}
