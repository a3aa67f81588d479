//! A verification that continues an earlier one.

use std::collections::BTreeSet;

use event_store::Store;
use projections::verify::{Part, Positions, Progress, Report, VerifyOptions, verify_as};

use crate::rows::read;

/// The verified parts of a verification, and its report.
async fn parts(store: &Store, asked: &VerifyOptions<'_>) -> (Vec<Part>, Report) {
    let mut right = Vec::new();
    let report = verify_as(store, asked, |step| {
        if let Progress::Right(part) = step {
            right.push(part);
        }
    });
    let report = report.await.unwrap();
    (right, report)
}

fn names_of(parts: &[Part]) -> BTreeSet<&'static str> {
    parts.iter().map(|part| part.name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_right_is_not_done_again_and_the_rest_is() {
    let shop = read(7, 250).await;
    let pool = shop.store.pool();
    let mut every: BTreeSet<&str> = projections::NAMES.into();
    every.extend(["streams", "books", "reservations"]);
    for at in [None, Some(shop.last_position)] {
        let asked = VerifyOptions {
            at,
            ..VerifyOptions::default()
        };
        let (right, _) = parts(&shop.store, &asked).await;
        assert_eq!(names_of(&right), every);
        assert_eq!(right.len(), every.len(), "each once: {right:?}");
    }
    let (right, _) = parts(&shop.store, &VerifyOptions::default()).await;
    let half = right.iter().take_while(|part| part.name != "orders");
    let half: Positions = half
        .map(|part| (part.name.to_owned(), part.position))
        .collect();
    assert!(half.contains_key("stock") && half.contains_key("order_timeline"));

    for wrong in [
        "UPDATE p_stock_v2 SET available = available + 1 WHERE id = (SELECT min(id::text)::uuid FROM p_stock_v2)",
        "UPDATE p_orders_v8 SET payable = payable + 1 WHERE id = (SELECT min(id::text)::uuid FROM p_orders_v8)",
    ] {
        sqlx::query(wrong).execute(pool).await.unwrap();
    }
    let (right, found) = parts(&shop.store, &VerifyOptions::default()).await;
    let models = |report: &Report| -> Vec<String> {
        let models = report.differences.iter().map(|one| one.model.clone());
        models.collect()
    };
    assert_eq!(models(&found), ["stock", "orders"]);
    every.retain(|name| !["stock", "orders"].contains(name));
    assert_eq!(
        names_of(&right),
        every,
        "what is wrong is no part found right"
    );

    let rest = VerifyOptions {
        done: Some(&half),
        ..VerifyOptions::default()
    };
    let (right, found) = parts(&shop.store, &rest).await;
    assert_eq!(models(&found), ["orders"]);
    assert_eq!(found.earlier, half);
    for (part, position) in &half {
        assert!(!found.paces.contains_key(part.as_str()), "{part} again");
        assert!(!names_of(&right).contains(part.as_str()), "{part} again");
        if let Some(model) = found.models.get(part) {
            assert_eq!(model, position, "{part}");
        }
    }

    // a read model whose position moved back since it was verified is verified again
    sqlx::query("UPDATE projection_checkpoint SET position = position - 1 WHERE name = 'stock'")
        .execute(pool)
        .await
        .unwrap();
    let (_, found) = parts(&shop.store, &rest).await;
    assert!(models(&found).contains(&"stock".to_owned()));
    assert!(!found.earlier.contains_key("stock"));
}
