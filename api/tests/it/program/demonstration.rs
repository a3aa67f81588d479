//! The demonstration: its content, that a dump contains no personal data in clear, and that `verify` detects manipulations.

use api::audit::seal;
use api::audit::verify::report_text;
use api::command_titles::command_title;
use api::seed::{more_orders, seed};
use demo::people::{ACCOUNTS, PASSWORD, SHOPPERS};
use demo::{SeedOutcome, Size};
use domain::coupon::IssuedCouponEvent;
use domain::event::EventNames;
use domain::ids::ProductId;
use domain::registry::RECORD_KINDS;
use event_store::ChainCheckpoint;
use projections::verify::{ChainOptions, Report, VerifyOptions, verify, verify_as};
use serde_json::{Value, json};

use crate::support::dump::dump;
use crate::support::shop::order_form;
use crate::support::{TestApp, until};

/// Personal data of the seeded members that is in the text.
fn leaks(text: &str) -> Vec<&'static str> {
    let personal =
        SHOPPERS
            .iter()
            .flat_map(|(_, name, nickname, phone, _, address1, address2, _)| {
                [*name, *nickname, *phone, *address1, *address2]
            });
    // "5층" and similar texts are too short to be significant in a dump full of base64.
    let personal = personal.filter(|text| text.chars().count() > 2).chain([
        "문 앞에 놓아 주세요",
        "김도현",
        "0250018000",
        "다른 상품을 사기로 했어요",
        "색상을 잘못 골랐어요",
    ]);
    personal.filter(|word| text.contains(word)).collect()
}

#[tokio::test]
async fn the_demonstration_is_full_of_life_and_nobody_in_it_can_be_read_from_a_dump() {
    let shop = TestApp::seeded().await;
    let staff = shop.account("operator", PASSWORD).await;
    let setting = shop.get("/api/v1/setting").send().await.expect(200);
    assert_eq!(
        setting.body["demoAccounts"].as_array().unwrap().len(),
        ACCOUNTS.len()
    );
    for account in ACCOUNTS {
        shop.login(account.username, account.password)
            .await
            .expect(200);
    }
    let commands = "SELECT DISTINCT metadata ->> 'command' FROM events WHERE metadata ->> 'command' IS NOT NULL";
    let commands: Vec<String> = sqlx::query_scalar(commands)
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    let untitled: Vec<&String> = commands
        .iter()
        .filter(|name| command_title(name) == **name)
        .collect();
    assert_eq!(untitled, Vec::<&String>::new(), "of {}", commands.len());
    let count = |sql: &'static str| sqlx::query_scalar::<_, i64>(sql).fetch_one(shop.app.pool());
    assert_eq!(count("SELECT count(*) FROM members").await.unwrap(), 20);
    assert_eq!(count("SELECT count(*) FROM products").await.unwrap(), 63);
    assert_eq!(count("SELECT count(*) FROM orders").await.unwrap(), 44);
    // The fees of two exchanges went back: with the card, and to an account that staff still have to send it to.
    for (by_card, expected) in [(true, 1), (false, 1)] {
        let refunded = "SELECT count(*) FROM events WHERE event_type = 'ExchangeFeeRefunded' AND ((payload -> 'ExchangeFeeRefunded' ->> 'payment') IS NOT NULL) = $1";
        let refunded: i64 = sqlx::query_scalar(refunded)
            .bind(by_card)
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
        assert_eq!(refunded, expected);
    }
    // Of two years, ten or more each.
    let holidays = "SELECT count(*) FROM records WHERE kind = 'holiday' AND NOT removed";
    assert!((20..=50).contains(&count(holidays).await.unwrap()));
    let counts = shop
        .get("/api/console/shop/purchases/dashboard/all")
        .as_(&staff)
        .send()
        .await
        .expect(200);
    for tab in ["nonpayment", "payment", "delivery", "cancel", "complete"] {
        assert!(counts.body["counts"][tab].as_i64().unwrap() > 0, "{tab}");
    }
    // all that can happen to a coupon in a box happens to one, but for its return: no order with a coupon is canceled
    let happened: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT event_type FROM events WHERE aggregate_type = 'issued-coupon' ORDER BY 1",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let mut names: Vec<&str> = IssuedCouponEvent::NAMES
        .iter()
        .map(|(name, _)| *name)
        .collect();
    names.retain(|name| *name != "CouponReturned");
    names.sort_unstable();
    assert_eq!(happened, names);
    let statuses: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT order_status || ' ' || claim_status FROM orders_purchases",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    for wanted in [
        "ORDER_CONFIRM CANCEL_REQUESTED",
        "SHIPPING_DELAYED NONE",
        "ORDER_CANCELED CANCEL_COMPLETED",
        "ORDER_CANCELED NONE",
        "DELIVERY_COMPLETE EXCHANGE_REQUESTED",
        "DELIVERY_COMPLETE EXCHANGE_PENDING",
        "DELIVERY_COMPLETE EXCHANGE_REJECTED",
        "DELIVERY_COMPLETE EXCHANGE_DELAYED",
        "DELIVERY_COMPLETE EXCHANGE_SHIPPING",
        "DELIVERY_COMPLETE EXCHANGE_COMPLETED",
        "DELIVERY_COMPLETE RETURN_REQUESTED",
        "DELIVERY_COMPLETE RETURN_REJECTED",
    ] {
        assert!(
            statuses.iter().any(|found| found == wanted),
            "{wanted} in {statuses:?}"
        );
    }
    // Every shopper has a delivery address, and the history is longer than ninety days.
    assert_eq!(
        count("SELECT count(DISTINCT member) FROM destinations")
            .await
            .unwrap(),
        13
    );
    let days = "SELECT extract(day FROM max(occurred_at) - min(occurred_at))::bigint FROM events";
    assert!((100..=102).contains(&count(days).await.unwrap()));
    // Commands caused by joining have the event as their cause.
    let orphans = "SELECT count(*) FROM events g LEFT JOIN events j ON j.event_id = g.causation_id
        WHERE g.event_type IN ('PointsGranted', 'CouponIssued') AND g.metadata::jsonb ->> 'command' IN ('grant-points', 'draw-coupon')
          AND (j.event_id IS NULL OR j.correlation_id <> g.correlation_id)";
    assert_eq!(count(orphans).await.unwrap(), 0);
    assert!(
        count("SELECT count(*) FROM events WHERE causation_id IS NOT NULL")
            .await
            .unwrap()
            > 50
    );
    let again = seed(Size::Small, &shop.app.settings, &shop.database, |_| {})
        .await
        .unwrap();
    assert_eq!(again, SeedOutcome::NotEmpty);

    let text = dump(shop.app.pool()).await;
    assert!(
        text.contains("OrderPlaced") && text.contains("바람 로드 105"),
        "that is no dump of the shop"
    );
    assert_eq!(leaks(&text), Vec::<&str>::new());
    // The same check finds personal data in clear.
    sqlx::query("CREATE TABLE planted AS SELECT '서울특별시 중구 세종대로 110'::text AS address")
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(
        leaks(&dump(shop.app.pool()).await),
        ["서울특별시 중구 세종대로 110"]
    );
}

/// The features of the shop that a visitor of the demonstration sees.
#[tokio::test]
async fn the_demonstration_shows_what_the_shop_can_do() {
    let shop = TestApp::seeded().await;
    let get = async |path: &str| shop.get(path).send().await.expect(200).body;
    let all = get("/api/v1/shop/products?limit=100").await;
    let cards = all["products"].as_array().unwrap().clone();
    let mut pages = Vec::new();
    for card in &cards {
        let page = get(&format!(
            "/api/v1/shop/products/{}",
            card["_id"].as_str().unwrap()
        ))
        .await;
        pages.push(page["product"].clone());
    }
    // Sets, fixed and with a choice, that can be bought.
    for (kind, least) in [("PRODUCT_BUNDLE", 2), ("VARIETY_BUNDLE", 1)] {
        let of_kind = pages.iter().filter(|page| page["type"] == kind);
        let on_sale = of_kind.filter(|page| page["soldOut"] == false).count();
        assert!(on_sale >= least, "{kind}");
    }
    let choice = pages
        .iter()
        .find(|page| page["type"] == "VARIETY_BUNDLE")
        .unwrap();
    assert!(choice["options"].as_array().unwrap().len() > 2);
    let parts: Vec<i64> = shop_stock(&shop, choice).await;
    let mut order = order_form(choice["_id"].as_str().unwrap().parse().unwrap(), 2);
    order["carts"][0]["_option"] = choice["options"][1]["_id"].clone();
    let placed = shop
        .post("/api/v1/shop/orders", &order)
        .send()
        .await
        .expect(201);
    let after: Vec<i64> = shop_stock(&shop, choice).await;
    let taken: Vec<i64> = parts
        .iter()
        .zip(&after)
        .map(|(before, after)| before - after)
        .collect();
    assert_eq!(taken, [0, 12, 0, 0], "two boxes of six of the one chosen");
    let token = placed.body["guestToken"].as_str().unwrap();
    let order_id = placed.body["order"]["_id"].as_str().unwrap();
    let shown = shop.my_order(token, order_id).await;
    let bought = &shown["purchases"][0];
    assert_eq!(bought["optionName"], choice["options"][1]["value"]);
    // And not without a choice.
    let mut none = order.clone();
    none["carts"][0]["_option"] = Value::Null;
    let refused = shop
        .post("/api/v1/shop/orders", &none)
        .send()
        .await
        .expect(400);
    assert_eq!(refused.complaint().1, "option_required");

    // A sold-out option of a product that is available.
    let gone = |page: &&Value| {
        let options = page["options"].as_array().unwrap();
        page["soldOut"] == false && options.iter().any(|option| option["soldOut"] == true)
    };
    assert!(pages.iter().find(gone).is_some());
    // Every product has several pictures, and all of them exist.
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/public");
    for page in &pages {
        let images = page["images"].as_array().unwrap();
        assert!(images.len() > 1, "{}", page["code"]);
        for image in images {
            let url = image["url"].as_str().unwrap();
            assert!(folder.join(&url[1..]).is_file(), "{url}");
        }
    }
    // Dispatch times are only in the names of the sellers' shipping options.
    for page in &pages {
        let name = page["shipping"]["options"][0]["name"].as_str().unwrap();
        assert!(name.contains("출발") || name.contains("도착"), "{name}");
        let said = format!("{} {}", page["desc"], page["content"]);
        for promise in [
            "출발합니다",
            "도착합니다",
            "발송",
            "영업일",
            "그날 보냅니다",
            "당일",
        ] {
            assert!(!said.contains(promise), "{}: {promise}", page["code"]);
        }
    }
    // The search terms of the ranking have matches, and best sellers are the products that sold best.
    let words = get("/api/v1/shop/logs").await;
    let words = words["logs"].as_array().unwrap().clone();
    assert!(words.len() >= 8, "{words:?}");
    for word in &words {
        let word = word["_id"].as_str().unwrap();
        let asked = serde_urlencoded::to_string([("searchValue", word)]).unwrap();
        until(word, async || {
            let found = get(&format!("/api/v1/shop/products?{asked}")).await;
            (found["summary"]["totalCount"].as_i64().unwrap() > 0).then_some(())
        })
        .await;
    }
    let ids = |answer: &Value| -> Vec<Value> {
        let products = answer["products"].as_array().unwrap().iter();
        products.map(|card| card["_id"].clone()).collect()
    };
    let best = ids(&get("/api/v1/shop/bests?limit=8").await);
    let shown = get("/api/v1/shop/displays?code=BEST_SELLER").await;
    assert_eq!(ids(&shown["displays"][0]), best);
    assert!(best.len() >= 4, "{best:?}");
}

/// Stock of a set's parts.
async fn shop_stock(shop: &TestApp, page: &Value) -> Vec<i64> {
    let mut pieces = Vec::new();
    for part in page["bundleds"].as_array().unwrap() {
        let pile: ProductId = part["_product"].as_str().unwrap().parse().unwrap();
        pieces.push(i64::from(shop.left(pile).await));
    }
    pieces
}

#[tokio::test]
async fn verify_is_content_with_the_demonstration_and_names_each_row_that_was_tampered_with() {
    let shop = TestApp::seeded().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));
    assert!(report.events > 500 && report.entries_checked > 1_000);

    // More orders in the existing shop.
    more_orders(12, &shop.app.settings, &shop.database, |_| {})
        .await
        .unwrap();
    let orders: i64 = sqlx::query_scalar("SELECT count(*) FROM orders")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(orders, 56);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));

    // The history too: sealed, and in an intermediate state (on a slow machine the shop's own sealer was faster).
    let sealed = seal::seal(&shop.app.store, &shop.app.settings).await;
    assert!(sealed.unwrap().newest.unwrap().position >= report.position);
    for at in [None, Some(report.position / 2)] {
        let report = proven(&shop, at).await;
        assert!(report.is_clean(), "{at:?}: {}", report_text(&report));
        assert!(report.sealed_to > at && report.entries_checked > 500);
    }
    // An order is written together with its stock, points and coupons: there is no intermediate position.
    let within: i64 = sqlx::query_scalar(
        "SELECT max(global_position) FROM events WHERE event_type = 'OrderPlaced'",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    let report = proven(&shop, Some(within)).await;
    assert!(report.is_clean(), "{}", report_text(&report));
    assert!(report.position < within);
    the_past_is_tampered_with(&shop).await;

    let planted = [
        (
            "p_orders_v8",
            "UPDATE p_orders_v8 SET payable = payable + 1 WHERE order_no = (SELECT min(order_no) FROM p_orders_v8) RETURNING order_no AS row",
        ),
        (
            "p_stock_v2",
            "DELETE FROM p_stock_v2 WHERE id = (SELECT id FROM p_stock_v2 ORDER BY id LIMIT 1) RETURNING id::text AS row",
        ),
        (
            "p_members_v2",
            "UPDATE p_members_v2 SET membership_level = 'platinum' WHERE id = (SELECT id FROM p_members_v2 WHERE membership_level = 'gold' ORDER BY id LIMIT 1) RETURNING id::text AS row",
        ),
    ];
    for (table, sql) in planted {
        let _: String = sqlx::query_scalar(sql)
            .fetch_one(shop.app.pool())
            .await
            .unwrap_or_else(|error| panic!("{table}: {error}"));
    }
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    let models: Vec<&str> = report
        .differences
        .iter()
        .map(|difference| difference.model.as_str())
        .collect();
    for model in ["orders", "stock", "members"] {
        assert!(models.contains(&model), "{model} in {models:?}");
    }
    assert!(report_text(&report).contains("platinum"));
    let differing: Vec<Value> = report
        .differences
        .iter()
        .map(|difference| json!(difference.key))
        .collect();
    assert_eq!(differing.len(), report.differences.len());
}

/// With the chain and the reserved names.
async fn proven(shop: &TestApp, at: Option<i64>) -> Report {
    let (_, trusted) = seal::keys(&shop.app.settings).unwrap();
    let seen = seal::seen(&shop.app.settings).unwrap();
    let marks: Vec<ChainCheckpoint> = seen.into_iter().collect();
    let asked = VerifyOptions {
        at,
        chain: Some(ChainOptions {
            trusted: &trusted,
            marks: &marks,
            after: None,
        }),
        keys: Some(&shop.app.keys),
        ..VerifyOptions::default()
    };
    verify_as(&shop.app.store, &asked, |_| {}).await.unwrap()
}

/// Makes each manipulation, checks that it is reported, and reverts it.
async fn the_past_is_tampered_with(shop: &TestApp) {
    let pool = shop.app.pool();
    let run =
        async |sql: &str| -> String { sqlx::query_scalar(sql).fetch_one(pool).await.unwrap() };
    let named = async |model: &str, key: &str| {
        let report = proven(shop, None).await;
        let there = report
            .differences
            .iter()
            .any(|one| one.model == model && one.key.contains(key));
        assert!(there, "{model} {key}: {}", report_text(&report));
    };
    sqlx::query("CREATE TABLE kept AS SELECT * FROM events e WHERE event_type = 'PointsGranted' AND sequence = 1
             AND EXISTS (SELECT FROM events n WHERE n.aggregate_id = e.aggregate_id AND n.sequence = 2) ORDER BY global_position LIMIT 1")
        .execute(pool)
        .await
        .unwrap();
    // One byte of an old event.
    let position = run(
        "UPDATE events e SET payload = replace(e.payload::text, '\"reason\":\"', '\"reason\":\"!')::json
         FROM kept k WHERE e.global_position = k.global_position RETURNING e.global_position::text",
    )
    .await;
    named("log", &format!("position {position}")).await;
    // The whole event: the chain shows its position, its stream shows which one it was.
    run("DELETE FROM events e USING kept k WHERE e.global_position = k.global_position RETURNING e.event_type").await;
    named("log", &format!("position {position}")).await;
    named("log", "event 1").await;
    run("INSERT INTO events OVERRIDING SYSTEM VALUE SELECT * FROM kept RETURNING event_type").await;
    // A name is reserved for another owner.
    let owner = run(
        "UPDATE reservations SET owner = (SELECT max(owner) FROM reservations WHERE scope = 'username')
         WHERE scope = 'username' AND owner = (SELECT min(owner) FROM reservations WHERE scope = 'username')
         RETURNING (SELECT min(owner) FROM reservations WHERE scope = 'username')",
    )
    .await;
    named("reservations", &format!("username of {owner}")).await;
    // A code that differs from its record's, for every kind with unique codes.
    for unique in RECORD_KINDS.iter().filter_map(|record| record.unique) {
        let scope = unique.scope;
        let owner = run(&format!(
            "UPDATE reservations SET key_hash = sha256(key_hash) WHERE scope = '{scope}'
             AND owner = (SELECT min(owner) FROM reservations WHERE scope = '{scope}') RETURNING owner"
        ))
        .await;
        named("reservations", &format!("{scope} of {owner}")).await;
    }
    // Money that an order never received.
    let order = run(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         SELECT aggregate_type, aggregate_id, (SELECT max(sequence) + 1 FROM events n WHERE n.aggregate_id = e.aggregate_id),
                event_type, event_version, payload, metadata
         FROM events e WHERE event_type = 'OrderPaid' ORDER BY global_position LIMIT 1 RETURNING aggregate_id",
    )
    .await;
    named("books", &order).await;
}
