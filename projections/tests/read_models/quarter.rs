//! A quarter of a year with many claims: every read model agrees with the log at its end.
//!
//! 100 claims, with `JANGBU_PROOFS=full` 1,000, or as many as `JANGBU_CLAIMS` says (10,000 take half an hour).

use std::collections::BTreeMap;

use domain::order::Order;
use event_store::Runner;
use projections::verify::verify;
use time::Duration;

use crate::lists::claims::ClaimStage;
use crate::rows::lived;
use crate::shop::Shop;

const DAYS: usize = 91;
/// Number of actions between two counts of the claims.
const AT_A_TIME: usize = 20;

fn claims(shop: &Shop) -> usize {
    let orders = shop.orders.values();
    orders.map(|order: &Order| order.claims.len()).sum()
}

/// Number of claims of each kind and stage.
fn stages(shop: &Shop) -> BTreeMap<String, usize> {
    let mut stages = BTreeMap::new();
    for claim in shop.orders.values().flat_map(|order| &order.claims) {
        *stages.entry(ClaimStage::of(claim).to_string()).or_default() += 1;
    }
    stages
}

/// The ends of claims that none was brought to.
fn missing_ends(shop: &Shop) -> Vec<String> {
    let stages = stages(shop);
    let ends = ["CANCEL", "RETURN", "EXCHANGE"]
        .iter()
        .flat_map(|kind| ["COMPLETED", "REJECTED"].map(|stage| format!("{kind} {stage}")));
    ends.filter(|end| !stages.contains_key(end)).collect()
}

/// A new day starts whenever a day's share of the claims was made. There are more claims than wanted if some end is rare.
async fn quarter(seed: u64, wanted: usize) -> Shop {
    let mut shop = lived(seed, 0).await;
    let begun = shop.now;
    shop.pause_hours = 2;
    loop {
        let made = claims(&shop);
        if made >= wanted && missing_ends(&shop).is_empty() {
            break;
        }
        assert!(made < 4 * wanted, "never: {:?}", missing_ends(&shop));
        let day = (made * DAYS / wanted).min(DAYS);
        let day = Duration::days(i64::try_from(day).unwrap());
        shop.now = shop.now.max(begun + day);
        shop.live(AT_A_TIME).await;
    }
    shop.now = shop.now.max(begun + Duration::days(DAYS as i64));
    shop
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quarter_with_many_claims_is_a_fold_of_the_log() {
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    let asked = std::env::var("JANGBU_CLAIMS").ok();
    let wanted = match asked {
        Some(number) => number.parse().unwrap(),
        None if full => 1_000,
        None => 150,
    };
    let shop = quarter(41, wanted).await;
    println!("{} orders, {:#?}", shop.orders.len(), stages(&shop));
    let names: Vec<&str> = projections::all().iter().map(|one| one.name()).collect();
    let there = async {
        let reached = async || {
            let known = shop.store.checkpoints().await.unwrap();
            let at_end = |name: &&str| {
                let mut known = known.iter();
                known.any(|one| {
                    one.name == **name && one.active && one.position >= shop.last_position
                })
            };
            names.iter().all(at_end)
        };
        while !reached().await {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let runner = Runner::new(shop.store.clone(), projections::all()).with_batch(500);
    runner.run(there).await.unwrap();
    let report = verify(&shop.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
}
