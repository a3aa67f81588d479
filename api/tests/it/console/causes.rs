//! The causation graph is complete: no cause is lost, and no event is left out.

use std::collections::{BTreeMap, BTreeSet};

use api::audit::causation::{self, Act};
use api::audit::history;
use api::audit::story::{self, Subject};
use projections::Page;
use serde_json::json;

use crate::support::shop::id_of;
use crate::support::{TestApp, until};

/// Every act is below the event that caused it, and automatic commands have a cause.
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
        let chain = causation::of(&shop.app, Subject::Order, &id, i64::MAX, Page::default())
            .await
            .unwrap();
        assert_eq!((chain.orders, chain.next), (1, None));
        let acts = chain.acts;
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
    let mut parts = 0;
    // Causes are followed across streams.
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
            let told = story::tell(&shop.app, subject, &id, i64::MAX)
                .await
                .unwrap();
            let happened: BTreeSet<i64> =
                told.events.iter().map(|one| one.event.position).collect();
            let mut drawn = BTreeSet::new();
            let mut next = Some(0);
            while let Some(skip) = next {
                let page = Page::new(Some(skip), Some(1));
                let chain = causation::of(&shop.app, subject, &id, i64::MAX, page)
                    .await
                    .unwrap();
                let part = positions(&chain.acts);
                let told_before: Vec<_> =
                    happened.iter().filter(|at| drawn.contains(*at)).collect();
                let twice = told_before.iter().filter(|at| part.contains(**at));
                assert_eq!(twice.count(), 0, "{subject:?} {id} after {skip}");
                drawn.extend(part);
                parts += usize::from(skip > 0);
                next = chain.next;
            }
            assert!(drawn.is_superset(&happened), "{subject:?} {id}");
        }
    }
    assert!(parts > 0, "nothing was part of more than one order");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_part_of_many_orders_is_told_in_parts() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 100).await;
    let who = shop.sign_up("regular01").await;
    for _ in 0..25 {
        shop.order(&who, product, 1).await.expect(201);
    }
    let staff = shop.console().await;
    let path = format!("/api/console/history/stock/{product}/causes");
    let part = async |skip: &str| {
        let asked = shop.get(&path).header("skip", skip).as_(&staff);
        asked.send().await.expect(200).body
    };
    let taken = |part: &serde_json::Value| {
        let events = part["events"].as_array().unwrap();
        let of_stock = events.iter().filter(|event| event["type"] == "StockTaken");
        of_stock
            .map(|event| event["position"].as_i64().unwrap())
            .collect::<BTreeSet<_>>()
    };
    let (newest, oldest) = (part("0").await, part("20").await);
    assert_eq!(newest["summary"], json!({ "totalCount": 25, "next": 20 }));
    assert_eq!(oldest["summary"], json!({ "totalCount": 25 }));
    let (new, old) = (taken(&newest), taken(&oldest));
    assert_eq!((new.len(), old.len()), (20, 5));
    assert!(new.first() > old.last(), "the newest first");
    // Events without an order come before the oldest order.
    let counted = |part: &serde_json::Value| part.to_string().contains("StockCounted");
    assert!(!counted(&newest) && counted(&oldest));

    let stock = product.to_string();
    let said = async |skip| {
        history::chain(&shop.app, Subject::Stock, &stock, None, skip)
            .await
            .unwrap()
    };
    let (first, last) = (said(0).await, said(20).await);
    assert!(
        first.ends_with("주문 25건 가운데 1~20번째 (최근 것부터)\n더 오래된 것: --skip 20"),
        "{first}"
    );
    assert!(
        last.ends_with("주문 25건 가운데 21~25번째 (최근 것부터)"),
        "{last}"
    );
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
    let drawn = until("what followed it", async || {
        let drawn = shop.get(&path).as_(&staff).send().await.expect(200).body;
        (drawn["acts"].as_array().unwrap().len() > 1).then_some(drawn)
    })
    .await;
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
    // The same from the command line.
    let told = history::chain(&shop.app, Subject::Order, &order, None, 0)
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
