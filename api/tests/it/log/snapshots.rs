//! Snapshots of all aggregates: a state that was stored and loaded behaves like the original one.

use std::collections::BTreeMap;

use domain::registry::{KINDS, replay};
use domain::{SCHEMA_FINGERPRINT, stock::Stock};
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::{TestApp, until};

#[tokio::test]
async fn every_stream_goes_on_from_any_moment_of_its_past() {
    let shop = TestApp::seeded().await;
    let log = shop
        .app
        .store
        .read_all(0, i64::MAX, i64::MAX)
        .await
        .unwrap();
    let mut streams: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
    for recorded in log {
        let event = recorded.value().unwrap();
        let stream = (recorded.stream.kind, recorded.stream.id);
        streams.entry(stream).or_default().push(event);
    }
    // Events that do not occur in the demonstration.
    for (kind, sample) in [
        (
            "alarm",
            include_str!("../../../../domain/samples/AlarmWithdrawn.1.0.json"),
        ),
        (
            "sending",
            include_str!("../../../../domain/samples/SendingOrdered.1.0.json"),
        ),
        (
            "coupon-code-batch",
            include_str!("../../../../domain/samples/CouponCodesMade.1.0.json"),
        ),
        (
            "raffle",
            include_str!("../../../../domain/samples/RaffleOpened.1.0.json"),
        ),
        (
            "raffle-entry",
            include_str!("../../../../domain/samples/RaffleEntered.1.0.json"),
        ),
        (
            "deadline",
            include_str!("../../../../domain/samples/DeadlineRetried.1.0.json"),
        ),
        (
            "file",
            include_str!("../../../../domain/samples/FileReplaced.1.0.json"),
        ),
    ] {
        let event: Value = serde_json::from_str(sample).unwrap();
        streams.insert((kind.to_owned(), "sample".to_owned()), vec![event; 2]);
    }
    for ((kind, id), events) in &streams {
        let fold =
            |base: Option<&Value>, events: &[Value]| replay(kind, base, events).unwrap().unwrap();
        let whole = fold(None, events);
        let mut then = fold(None, &[]);
        for (at, event) in events.iter().enumerate() {
            assert_eq!(
                fold(Some(&then), &events[at..]),
                whole,
                "{kind} {id} after {at} events"
            );
            then = fold(Some(&then), std::slice::from_ref(event));
        }
        assert_eq!(then, whole, "{kind} {id}");
    }
    let seen = |kind: &&&str| streams.keys().any(|(of, _)| of == *kind);
    let unseen: Vec<&str> = KINDS.iter().filter(|kind| !seen(kind)).copied().collect();
    assert_eq!(unseen, Vec::<&str>::new());
}

#[tokio::test]
async fn a_best_seller_s_stock_is_loaded_from_a_snapshot_and_verify_reads_it_too() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 1_000).await;
    let hong = shop.sign_up("hong1234").await;
    for _ in 0..60 {
        let order = shop.order(&hong, apples, 1).await.expect(201);
        let order = crate::support::shop::id_of(&order);
        let why = json!({ "reason": "마음이 바뀌었습니다" });
        shop.post(&format!("/api/v1/me/orders/{order}/cancel"), &why)
            .as_(&hong)
            .send()
            .await
            .expect(200);
    }
    let kept = "SELECT count(*) FROM snapshots WHERE aggregate_type = 'stock' AND rules = $1";
    until("a snapshot is taken", async || {
        let loaded = shop.app.store.load::<Stock>(&apples.to_string()).await;
        loaded.unwrap();
        let rules = shop.app.store.rules_named(SCHEMA_FINGERPRINT);
        let kept = sqlx::query_scalar(kept).bind(rules);
        let kept: i64 = kept.fetch_one(shop.app.pool()).await.unwrap();
        (kept == 1).then_some(())
    })
    .await;
    assert_eq!(shop.left(apples).await, 1_000);
    let clean = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(clean.is_clean(), "{:#?}", clean.differences);

    // A manipulated snapshot would be used: `verify` reports it.
    sqlx::query("UPDATE snapshots SET state = jsonb_set(state::jsonb, '{available}', '7')::json")
        .execute(shop.app.pool())
        .await
        .unwrap();
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    let named: Vec<(&str, &str)> = report
        .differences
        .iter()
        .map(|one| (one.model.as_str(), one.key.as_str()))
        .collect();
    assert_eq!(named, [("snapshots", format!("stock/{apples}").as_str())]);
}
