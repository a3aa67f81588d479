//! Read models are rebuilt from the console while the shop is selling, and a rebuild has no side effects.

use std::time::{Duration, Instant};

use event_store::projection::Rebuild;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::shop::id_of;
use crate::support::{Account, TestApp};

const PATH: &str = "/api/console/system/projections";

async fn row(shop: &TestApp, staff: &Account, name: &str) -> Value {
    let all = shop.get(PATH).as_(staff).send().await.expect(200).body;
    let rows = all["projections"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap().clone()
}

/// Waits until the requested operation is over.
async fn done(shop: &TestApp, staff: &Account, name: &str, act: &str) -> Value {
    let begun = Instant::now();
    loop {
        let row = row(shop, staff, name).await;
        if row["rebuild"]["phase"] == "done" {
            assert_eq!(row["rebuild"]["act"], act);
            return row;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{row}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Number of all notifications, events and command ids.
async fn sent(shop: &TestApp) -> (i64, i64, i64) {
    sqlx::query_as(
        "SELECT (SELECT count(*) FROM alarms), (SELECT count(*) FROM events), (SELECT count(*) FROM command_dedup)",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap()
}

async fn assert_equals_the_log(shop: &TestApp) {
    let report = projections::verify::verify(&shop.app.store, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_are_built_anew_while_the_shop_sells_and_nothing_is_sent() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 100).await;
    let buyer = shop.sign_up("hongrebuild").await;
    let order = id_of(&shop.order(&buyer, product, 1).await.expect(201));
    shop.pay(&buyer.token, &order).await;
    shop.settled().await;

    // All side effects are complete: anything that follows is caused by a rebuild.
    let before = sent(&shop).await;
    assert!(before.0 > 0, "no notification");
    for projection in projections::all() {
        Rebuild::of(&shop.app.store, projection)
            .run()
            .await
            .unwrap();
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(sent(&shop).await, before);
    assert_equals_the_log(&shop).await;

    // Orders are placed meanwhile, and all callers read their own writes.
    let (selling, ()) = tokio::join!(
        async {
            for _ in 0..12 {
                let placed = shop.order(&buyer, product, 1).await.expect(201);
                let (order, position) = (id_of(&placed), placed.position());
                let mine = shop.get(&format!("/api/v1/me/orders/{order}")).as_(&buyer);
                let seen = mine.header("X-Wait-Position", &position).send().await;
                assert_eq!(seen.expect(200).header("X-Stale"), None);
            }
        },
        async {
            for name in ["orders", "stock", "order_timeline", "search"] {
                let since = OffsetDateTime::now_utc();
                let asked = shop
                    .post(&format!("{PATH}/{name}/rebuild"), &json!({}))
                    .as_(&staff)
                    .send()
                    .await
                    .expect(202);
                // In progress, or already complete before the response was created.
                let row = &asked.body["projection"];
                let ended = row["rebuild"]["endedAt"].as_str();
                let over =
                    ended.is_some_and(|at| OffsetDateTime::parse(at, &Rfc3339).unwrap() > since);
                assert!(row["state"] == "rebuilding" || over, "{row}");
                let row = done(&shop, &staff, name, "rebuild").await;
                // One document in less than a second is at least one per second.
                if name == "search" {
                    assert!(row["rebuild"]["rate"].as_i64() > Some(0), "{row}");
                }
            }
        }
    );
    let () = selling;
    let rebuilt = row(&shop, &staff, "orders").await;
    assert_eq!(rebuilt["state"], "live");
    assert!(
        rebuilt["keptAt"].is_string() && rebuilt["rebuild"]["total"].as_i64() > Some(0),
        "{rebuilt}"
    );
    shop.post(&format!("{PATH}/orders/back"), &json!({}))
        .as_(&staff)
        .send()
        .await
        .expect(202);
    done(&shop, &staff, "orders", "back").await;
    assert_equals_the_log(&shop).await;

    // Missing permissions and impossible operations.
    for (path, status) in [
        ("nothing/rebuild", 404),
        ("policy_telling/rebuild", 409),
        ("members/resume", 200),
        ("search/back", 409),
        ("nothing/resume", 404),
    ] {
        let path = format!("{PATH}/{path}");
        let answer = shop.post(&path, &json!({})).as_(&staff).send().await;
        answer.expect(status);
        shop.post(&path, &json!({}))
            .as_(&buyer)
            .send()
            .await
            .expect(403);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_follows_the_log_has_a_name_people_know() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let all = shop.get(PATH).as_(&staff).send().await.expect(200).body;
    let nameless: Vec<&Value> = all["projections"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["title"] == row["name"])
        .collect();
    assert!(nameless.is_empty(), "{nameless:?}");
}
