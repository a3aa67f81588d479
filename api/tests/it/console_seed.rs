//! The demonstration: what is in it, that nobody in it can be read from a dump, and that verify sees what is wrong.

use std::path::PathBuf;
use std::process::Command;

use api::audit::verify::told;
use api::seed::people::{ACCOUNTS, PASSWORD, SHOPPERS};
use api::seed::{Seeded, seed};
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::TestApp;

/// The newest pg_dump here: PG_BIN_DIR's, or Debian's.
fn pg_dump() -> PathBuf {
    if let Some(folder) = std::env::var_os("PG_BIN_DIR") {
        return PathBuf::from(folder).join("pg_dump");
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").unwrap();
    let mut found: Vec<PathBuf> = versions
        .map(|version| version.unwrap().path().join("bin/pg_dump"))
        .collect();
    found.retain(|program| program.exists());
    found.sort();
    found.pop().unwrap()
}

/// Everything in the database but the keys, as text.
fn dump(database: &str) -> String {
    let output = Command::new(pg_dump())
        .args(["--exclude-schema=keys", "--dbname", database])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// What is personal about the seeded people and stands in the text.
fn leaks(text: &str) -> Vec<&'static str> {
    let personal =
        SHOPPERS
            .iter()
            .flat_map(|(_, name, nickname, phone, _, address1, address2, _)| {
                [*name, *nickname, *phone, *address1, *address2]
            });
    // "5층" and the like are too short to mean anything in a dump full of base64.
    let personal = personal.filter(|text| text.chars().count() > 2).chain([
        "문 앞에 놓아 주세요",
        "김도현",
        "0250018000",
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
    let count = |sql: &'static str| sqlx::query_scalar::<_, i64>(sql).fetch_one(shop.app.pool());
    assert_eq!(count("SELECT count(*) FROM members").await.unwrap(), 20);
    assert_eq!(count("SELECT count(*) FROM products").await.unwrap(), 60);
    assert_eq!(count("SELECT count(*) FROM orders").await.unwrap(), 30);
    let counts = shop
        .get("/api/console/shop/purchases/dashboard/all")
        .as_(&staff)
        .send()
        .await
        .expect(200);
    for tab in ["nonpayment", "payment", "delivery", "cancel", "complete"] {
        assert!(counts.body["counts"][tab].as_i64().unwrap() > 0, "{tab}");
    }
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
    ] {
        assert!(
            statuses.iter().any(|found| found == wanted),
            "{wanted} in {statuses:?}"
        );
    }
    let again = seed(&shop.app.settings, &shop.database, |_| {})
        .await
        .unwrap();
    assert_eq!(again, Seeded::HadEvents);

    let text = dump(&shop.database);
    assert!(
        text.contains("OrderPlaced") && text.contains("바람 로드 105"),
        "that is no dump of the shop"
    );
    assert_eq!(leaks(&text), Vec::<&str>::new());
    // The same look finds what is there in clear.
    sqlx::query("CREATE TABLE planted AS SELECT '서울특별시 중구 세종대로 110'::text AS address")
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(
        leaks(&dump(&shop.database)),
        ["서울특별시 중구 세종대로 110"]
    );
}

#[tokio::test]
async fn verify_is_content_with_the_demonstration_and_names_each_row_that_was_tampered_with() {
    let shop = TestApp::seeded().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", told(&report));
    assert!(report.events > 500 && report.entries_checked > 1_000);

    let planted = [
        (
            "p_orders_v1",
            "UPDATE p_orders_v1 SET payable = payable + 1 WHERE order_no = (SELECT min(order_no) FROM p_orders_v1) RETURNING order_no AS row",
        ),
        (
            "p_stock_v1",
            "DELETE FROM p_stock_v1 WHERE id = (SELECT id FROM p_stock_v1 ORDER BY id LIMIT 1) RETURNING id::text AS row",
        ),
        (
            "p_members_v1",
            "UPDATE p_members_v1 SET membership_level = 'platinum' WHERE id = (SELECT id FROM p_members_v1 WHERE membership_level = 'gold' ORDER BY id LIMIT 1) RETURNING id::text AS row",
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
    assert!(told(&report).contains("platinum"));
    let differing: Vec<Value> = report
        .differences
        .iter()
        .map(|difference| json!(difference.key))
        .collect();
    assert_eq!(differing.len(), report.differences.len());
}
