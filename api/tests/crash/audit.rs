//! Checks that the responses to the clients, the sandbox's charges and the shop's state agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::time::{Duration, Instant};

use crate::processes::Place;
use crate::seen::ShopSnapshot;
use crate::shopper::{Outcome, Purchase, Shopper};

/// Maximum time for the worker to complete interrupted work: unknown approvals, refunds.
const SETTLING: Duration = Duration::from_secs(150);

pub async fn everything_agrees(
    place: &Place,
    (shoppers, operator): (&[Shopper], &Shopper),
    before: &ShopSnapshot,
    purchases: &[Purchase],
) {
    let outcomes = purchases.iter().map(|purchase| &purchase.outcome);
    let (paid, unpaid, canceled, refused) =
        outcomes.fold((0, 0, 0, 0), |(p, u, c, r), outcome| match outcome {
            Outcome::Paid { .. } => (p + 1, u, c, r),
            Outcome::Unpaid { .. } => (p, u + 1, c, r),
            Outcome::Canceled { .. } => (p, u, c + 1, r),
            Outcome::SoldOut => (p, u, c, r + 1),
        });
    println!(
        "acknowledged: {paid} paid, {unpaid} unpaid, {canceled} cancelled, {refused} sold out"
    );

    let drawn = purchases
        .iter()
        .filter_map(|one| one.drawn.as_ref())
        .count();
    let coupons = purchases
        .iter()
        .filter_map(|one| one.coupon.as_ref())
        .count();
    let points = purchases.iter().filter(|one| one.points > 0).count();
    let parts = purchases.iter().filter(|one| one.part.is_some()).count();
    println!("{parts} times one of the pieces was canceled");
    assert!(parts > 0, "nobody canceled one of the pieces");
    println!("{drawn} coupons drawn; ordered with {coupons} coupons, {points} times with points");
    assert!(
        drawn.min(coupons).min(points) > 0,
        "nobody drew a coupon, used one or used points"
    );

    let mut last = Vec::new();
    let since = Instant::now();
    while since.elapsed() < SETTLING {
        let after = ShopSnapshot::now(place, shoppers, operator).await;
        last = disagreements(before, &after, purchases);
        if last.is_empty() {
            println!("everything agrees after {} s", since.elapsed().as_secs());
            return;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    panic!("{} disagreements:\n{}", last.len(), last.join("\n"));
}

/// All disagreements, one sentence each.
pub fn disagreements(
    before: &ShopSnapshot,
    after: &ShopSnapshot,
    purchases: &[Purchase],
) -> Vec<String> {
    let mut wrong = Vec::new();
    orders(before, after, purchases, &mut wrong);
    money(before, after, &mut wrong);
    coupons(before, after, purchases, &mut wrong);
    points(before, after, &mut wrong);
    stock(before, after, &mut wrong);
    wrong
}

/// Every acknowledged order exists once, with the state reported to its buyer, and there is no other order.
fn orders(
    before: &ShopSnapshot,
    after: &ShopSnapshot,
    purchases: &[Purchase],
    wrong: &mut Vec<String>,
) {
    let mut acknowledged = BTreeSet::new();
    for purchase in purchases {
        let Some(id) = purchase.outcome.order() else {
            continue;
        };
        if !acknowledged.insert(id) {
            wrong.push(format!("order {id} was acknowledged to two people"));
        }
        let Some(order) = after.orders.get(id) else {
            wrong.push(format!("acknowledged order {id} is missing"));
            continue;
        };
        // A canceled piece is also in the list of claims.
        if order.listed != 1 + usize::from(purchase.part.is_some()) {
            let times = order.listed;
            wrong.push(format!("acknowledged order {id} is listed {times} times"));
        }
        let (status, due) = match purchase.outcome {
            Outcome::Paid { payable, .. } => {
                let back = purchase.part.map_or(0, |part| part.money);
                ("ORDER_PAYMENT", payable - back)
            }
            Outcome::Canceled { .. } => ("ORDER_CANCELED", 0),
            Outcome::Unpaid { .. } | Outcome::SoldOut => ("ORDER_NONPAYMENT", 0),
        };
        let attempts = after.charges.iter().filter_map(|(attempt, held)| {
            let (number, _) = attempt.rsplit_once('-')?;
            (number == order.number).then_some(*held)
        });
        let held: Vec<i64> = attempts.collect();
        if held.len() > 1 {
            wrong.push(format!("order {id} is charged twice: {held:?}"));
        }
        let mut is = |what: &str, found: &dyn Display, due: &dyn Display| {
            let (found, due) = (found.to_string(), due.to_string());
            if found != due {
                wrong.push(format!("order {id}: {what} {found}, not {due}"));
            }
        };
        is("it is", &order.status, &status);
        is("the sandbox holds", &held.iter().sum::<i64>(), &due);
        let (pieces, points) = purchase.kept();
        let found = order.pieces.get(&purchase.good).copied();
        is("its pieces are", &found.unwrap_or_default(), &pieces);
        let spent = after.spent.get(&order.number).copied();
        is("its points are", &spent.unwrap_or_default(), &points);
    }
    for id in after.orders.keys() {
        if !before.orders.contains_key(id) && !acknowledged.contains(id.as_str()) {
            wrong.push(format!("nobody was told of order {id}"));
        }
    }
    let (new, told) = (after.counted - before.counted, acknowledged.len());
    if usize::try_from(new) != Ok(told) {
        wrong.push(format!(
            "{new} orders were placed, {told} were acknowledged"
        ));
    }
}

/// The sandbox and the shop agree on the amount of each attempt; differences from before the run are ignored.
fn money(before: &ShopSnapshot, after: &ShopSnapshot, wrong: &mut Vec<String>) {
    let apart = |seen: &ShopSnapshot| {
        let known = seen.orders.values().flat_map(|order| &order.payments);
        let known: BTreeMap<&String, &i64> = known.collect();
        let attempts: BTreeSet<&String> =
            seen.charges.keys().chain(known.keys().copied()).collect();
        let pairs = attempts.into_iter().map(|attempt| {
            let known = known.get(attempt).copied().copied().unwrap_or_default();
            let held = seen.charges.get(attempt).copied().unwrap_or_default();
            (attempt.clone(), held, known)
        });
        pairs
            .filter(|(_, held, known)| held != known)
            .collect::<BTreeSet<_>>()
    };
    for (attempt, held, known) in apart(after).difference(&apart(before)) {
        wrong.push(format!(
            "the sandbox holds {held} for attempt {attempt}, the shop {known}"
        ));
    }
}

/// The coupon boxes have their earlier coupons and the drawn ones; a used coupon belongs to an order that keeps it.
fn coupons(
    before: &ShopSnapshot,
    after: &ShopSnapshot,
    purchases: &[Purchase],
    wrong: &mut Vec<String>,
) {
    let drawn = purchases.iter().filter_map(|one| one.drawn.as_ref());
    let kept = purchases.iter().filter(|one| one.keeps());
    let used = kept.filter_map(|one| Some((one.coupon.as_ref()?, one.outcome.order()?)));
    let mut due: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (coupon, order) in &before.coupons {
        due.entry(coupon).or_default().push(order);
    }
    due.extend(drawn.map(|coupon| (coupon.as_str(), vec![""])));
    due.extend(used.map(|(coupon, order)| (coupon.as_str(), vec![order])));
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (coupon, order) in &after.coupons {
        found.entry(coupon).or_default().push(order);
    }
    let all: BTreeSet<&str> = due.keys().chain(found.keys()).copied().collect();
    for coupon in all {
        let (due, found) = (due.get(coupon), found.get(coupon));
        if due != found {
            wrong.push(format!("coupon {coupon} is used on {found:?}, not {due:?}"));
        }
    }
}

/// Points are spent only on known orders.
fn points(before: &ShopSnapshot, after: &ShopSnapshot, wrong: &mut Vec<String>) {
    let numbers = after.orders.values().map(|order| order.number.as_str());
    let numbers: BTreeSet<&str> = numbers.collect();
    for (order_no, amount) in &after.spent {
        if !numbers.contains(order_no.as_str()) && before.spent.get(order_no) != Some(amount) {
            let what = match order_no.as_str() {
                "" => "no order".to_owned(),
                number => format!("order {number}, which is in no list"),
            };
            wrong.push(format!("{amount} points went into {what}"));
        }
    }
    let all = |seen: &ShopSnapshot| seen.points + seen.spent.values().sum::<i64>();
    let (were, are) = (all(before), all(after));
    if were != are {
        wrong.push(format!(
            "points left and spent are {are} more than granted, not {were}"
        ));
    }
}

/// The stock left and the quantities in orders add up to the initial stock.
fn stock(before: &ShopSnapshot, after: &ShopSnapshot, wrong: &mut Vec<String>) {
    let all = |seen: &ShopSnapshot| {
        let mut pieces = seen.stock.clone();
        for (good, held) in seen.orders.values().flat_map(|order| &order.pieces) {
            *pieces.entry(good.clone()).or_default() += held;
        }
        pieces
    };
    let (were, are) = (all(before), all(after));
    for (good, were) in &were {
        let are = are.get(good).copied().unwrap_or_default();
        if are != *were {
            let product = &good.product;
            wrong.push(format!(
                "{are} pieces of {product} are left and ordered, not {were}"
            ));
        }
    }
}
