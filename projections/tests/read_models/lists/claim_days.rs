//! Days of automatic delivery and confirmation, and claims that stop them.

use std::collections::{BTreeMap, BTreeSet};

use domain::Decider;
use domain::order::{ClaimState, Order, OrderCommand, Purchase};
use projections::deadlines::{DeadlineKind, DeadlineRow, due};
use projections::verify::verify;
use time::{Duration, OffsetDateTime};

use super::claims::{ClaimStage, claimed, until_divisible};
use super::purchases;
use crate::rows::run_to;
use crate::shop::Shop;

/// When each purchase is confirmed automatically, by the read model.
async fn confirming(shop: &Shop) -> BTreeMap<String, DeadlineRow> {
    waiting(shop, DeadlineKind::ConfirmPurchase).await
}

async fn waiting(shop: &Shop, kind: DeadlineKind) -> BTreeMap<String, DeadlineRow> {
    let end = shop.now + Duration::days(1_000);
    let rows = due(shop.store.pool(), &[kind], end, 10_000).await;
    let keyed = |row: DeadlineRow| (row.id.clone(), row);
    rows.unwrap().into_iter().map(keyed).collect()
}

fn begins(day: time::Date) -> OffsetDateTime {
    day.midnight().assume_offset(time::macros::offset!(+9))
}

#[tokio::test(flavor = "multi_thread")]
async fn goods_confirm_themselves_unless_they_may_come_back() {
    let mut shop = claimed(33, &["RETURN REQUESTED"]).await;
    let wanted = |shop: &Shop| -> BTreeMap<String, OffsetDateTime> {
        let waits = |one: &&Purchase| one.purchase_status.code() == "PURCHASE_SCHEDULE";
        let all = purchases(shop).map(|(_, _, one)| one).filter(waits);
        all.map(|one| (one.purchase_no.clone(), begins(one.confirm_on.unwrap())))
            .collect()
    };
    let found = |rows: &BTreeMap<String, DeadlineRow>| -> BTreeMap<String, OffsetDateTime> {
        rows.values()
            .map(|row| (row.id.clone(), row.due_at))
            .collect()
    };
    // units that did not arrive with the others have a deadline, too
    shop.live_until(|shop| {
        let is_missing = |order: &Order, one: &Purchase| {
            let mut claims = order.claims.iter();
            one.purchase_status.code() == "PURCHASE_SCHEDULE"
                && claims.any(|claim| {
                    let did_not_arrive = matches!(&claim.state, ClaimState::Rejected { reason } if reason.contains("도착하지"));
                    did_not_arrive && claim.purchase_nos.contains(&one.purchase_no)
                })
        };
        let waits = purchases(shop).any(|(_, order, one)| is_missing(order, one));
        let missing = (!waits).then(|| "missing pieces that wait for their day".to_owned());
        missing.into_iter().collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let before = confirming(&shop).await;
    assert_eq!(found(&before), wanted(&shop));

    // a purchase that is split has its deadline under both numbers
    until_divisible(&mut shop).await;
    let (from, part) = shop.only_split().await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let after = confirming(&shop).await;
    assert_eq!(after[&part].due_at, after[&from].due_at);
    assert_eq!(after[&part].stream, after[&from].stream);
    assert_eq!(found(&after), wanted(&shop));
    let report = verify(&shop.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
}

/// A sent purchase counts as delivered on its day. An open return stops it; if the goods stay, it resumes tomorrow at the earliest.
#[tokio::test(flavor = "multi_thread")]
async fn goods_on_their_way_arrive_on_their_day_unless_they_may_come_back() {
    let mut shop = claimed(35, &["RETURN REQUESTED"]).await;
    let is_sent = |one: &Purchase| {
        matches!(
            one.order_status.code(),
            "SHIPPING_CONFIRM" | "SHIPPING_DELAYED"
        ) && one.invoice.is_some()
    };
    // the replacement is in transit
    let is_replaced = |one: &Purchase| one.claim_status.code() == "EXCHANGE_SHIPPING";
    let wanted = |shop: &Shop| -> BTreeSet<String> {
        let open = |one: &Purchase| {
            one.claim_status.is_closed() && one.purchase_status.code() == "PURCHASE_AWAITING"
        };
        let all = purchases(shop).map(|(_, _, one)| one);
        all.filter(|one| (is_sent(one) && open(one)) || is_replaced(one))
            .map(|one| one.purchase_no.clone())
            .collect()
    };
    // goods whose return ended, parts, delays, and open returns
    shop.live_until(|shop| {
        let mut seen = BTreeSet::new();
        for (_, order, one) in purchases(shop).filter(|(_, _, one)| is_sent(one)) {
            seen.insert(one.order_status.code());
            if one.split_from.is_some() {
                seen.insert("a part");
            }
            if one.claim_status.code() == "RETURN_REQUESTED" {
                seen.insert("an open return");
            }
            let mut of = order.claims.iter();
            if of.any(|claim| {
                let covers = claim.purchase_nos.contains(&one.purchase_no);
                covers && claim.collection.is_some() && ClaimStage::of(claim).stage == "WITHDRAWN"
            }) && one.claim_status.is_closed()
            {
                seen.insert("a withdrawn return");
            }
            if one.claim_status.code() == "RETURN_REJECTED" {
                seen.insert("a rejected return");
            }
        }
        let all = [
            "SHIPPING_CONFIRM",
            "SHIPPING_DELAYED",
            "a part",
            "an open return",
            "a withdrawn return",
            "a rejected return",
        ];
        let missing = all.into_iter().filter(|one| !seen.contains(one));
        missing.map(ToOwned::to_owned).collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let rows = waiting(&shop, DeadlineKind::DeliverPurchase).await;
    let found: BTreeSet<String> = rows.keys().cloned().collect();
    assert_eq!(found, wanted(&shop));
    let mut later = 0;
    for (id, order, one) in purchases(&shop) {
        let Some(row) = rows.get(&one.purchase_no) else {
            continue;
        };
        assert_eq!(row.stream, id.to_string());
        let claim = order.open_claim(&one.purchase_no);
        let replacement = claim.and_then(|claim| claim.exchange()?.deliver_by);
        let day = begins(replacement.or(one.deliver_by).unwrap());
        let returned = order.claims.iter().any(|claim| {
            claim.collection.is_some() && claim.purchase_nos.contains(&one.purchase_no)
        });
        if returned && replacement.is_none() {
            assert!(row.due_at >= day, "{}", one.purchase_no);
            later += usize::from(row.due_at > day);
        } else {
            assert_eq!(row.due_at, day, "{}", one.purchase_no);
        }
        // every row is a deadline the order accepts
        let context = domain::Context {
            now: row.due_at,
            actor: domain::Actor::System,
        };
        let act = OrderCommand::DeliverByDate {
            purchase_no: one.purchase_no.clone(),
            day: one.deliver_by.unwrap(),
            auto_confirm_days: 3,
        };
        assert_eq!(
            order.decide(act, &context).map(|events| events.len()),
            Ok(1)
        );
    }
    assert!(later > 0, "none came back after its day");
    let report = verify(&shop.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
}
