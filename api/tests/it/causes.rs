//! What led to what: no cause is lost, and nothing that happened is left out of the chain.

use std::collections::{BTreeMap, BTreeSet};

use api::audit::causes::{self, Act};
use api::audit::history;
use api::audit::story::{self, Subject};
use serde_json::json;

use crate::shop_support::id_of;
use crate::support::TestApp;

/// Every act stands under the event that caused it, and what the shop does by itself has a cause.
fn hangs_together(acts: &[Act]) {
    let mut depths: BTreeMap<i64, usize> = BTreeMap::new();
    for act in acts {
        assert_eq!(act.elsewhere, None, "{act:?}");
        let first = &act.events[0];
        match act.cause {
            Some(cause) => {
                assert!(cause < first.position);
                assert_eq!(act.depth, depths[&cause] + 1, "{act:?}");
            }
            None => {
                assert_eq!(act.depth, 0);
                assert_ne!(
                    first.metadata.actor["kind"],
                    json!("policy"),
                    "a cause is lost: {act:?}"
                );
            }
        }
        for event in &act.events {
            assert_eq!(event.metadata.command_id, first.metadata.command_id);
            assert_eq!(
                depths.insert(event.position, act.depth),
                None,
                "told twice: {event:?}"
            );
        }
    }
}

fn positions(acts: &[Act]) -> BTreeSet<i64> {
    let events = acts.iter().flat_map(|act| &act.events);
    events.map(|event| event.position).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_of_the_demonstration_stands_under_its_cause() {
    let shop = TestApp::seeded().await;
    let ids = async |sql: &str| -> Vec<String> {
        sqlx::query_scalar(sql)
            .fetch_all(shop.app.pool())
            .await
            .unwrap()
    };
    let mut deepest = 0;
    let mut chained: BTreeSet<String> = BTreeSet::new();
    for id in ids("SELECT id::text FROM orders").await {
        let acts = causes::of(&shop.app, Subject::Order, &id, i64::MAX)
            .await
            .unwrap();
        hangs_together(&acts);
        let told = story::tell(&shop.app, Subject::Order, &id, i64::MAX)
            .await
            .unwrap();
        let happened: BTreeSet<i64> = told.events.iter().map(|one| one.event.position).collect();
        assert_eq!(positions(&acts), happened, "{id}");
        deepest = deepest.max(acts.iter().map(|act| act.depth).max().unwrap());
        let caused = acts.iter().filter(|act| act.cause.is_some());
        chained.extend(
            caused
                .flat_map(|act| &act.events)
                .map(|event| event.stream.kind.clone()),
        );
    }
    assert!(deepest >= 2, "{deepest}");
    // a cause in one ledger, what it led to in another
    for kind in ["order", "payment", "stock", "points"] {
        assert!(chained.contains(kind), "{kind}: {chained:?}");
    }
    for (subject, sql) in [
        (
            Subject::Points,
            "SELECT DISTINCT member::text FROM points_book_lots",
        ),
        (
            Subject::Coupon,
            "SELECT id::text FROM coupon_box WHERE used",
        ),
        (Subject::Stock, "SELECT id::text FROM stock LIMIT 10"),
    ] {
        for id in ids(sql).await {
            let acts = causes::of(&shop.app, subject, &id, i64::MAX).await.unwrap();
            let told = story::tell(&shop.app, subject, &id, i64::MAX)
                .await
                .unwrap();
            let happened: BTreeSet<i64> =
                told.events.iter().map(|one| one.event.position).collect();
            assert!(positions(&acts).is_superset(&happened), "{subject:?} {id}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_that_came_is_drawn_under_the_order_it_was_set_by() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let who = shop.sign_up("latecomer").await;
    let order = id_of(&shop.order(&who, product, 1).await.expect(201));
    shop.advance(time::Duration::days(30));
    let staff = shop.console().await;
    let who = shop.sign_up("bystander").await;
    let path = format!("/api/console/history/order/{order}/causes");
    let mut drawn = json!(null);
    for _ in 0..200 {
        drawn = shop.get(&path).as_(&staff).send().await.expect(200).body;
        if drawn["acts"].as_array().unwrap().len() > 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let acts = drawn["acts"].as_array().unwrap();
    let title = |position: &serde_json::Value| {
        let mut events = drawn["events"].as_array().unwrap().iter();
        events.find(|event| event["position"] == *position).unwrap()["type"].clone()
    };
    assert_eq!(acts[0]["depth"], 0);
    assert_eq!(title(&acts[0]["events"][0]), "OrderPlaced");
    assert_eq!(acts[1]["cause"], acts[0]["events"][0], "{drawn:#}");
    assert_eq!(title(&acts[1]["events"][0]), "OrderCanceled");
    assert_eq!(title(&acts[1]["events"][1]), "StockGivenBack");
    // the same from the command line
    let told = history::chain(&shop.app, Subject::Order, &order, None)
        .await
        .unwrap();
    assert!(
        told.contains("      └▶") && told.contains("정책 unpaid-deadline"),
        "{told}"
    );
    shop.get(&format!("{path}?position=0"))
        .as_(&staff)
        .send()
        .await
        .expect(404);
    shop.get(&path).as_(&who).send().await.expect(403);
}
