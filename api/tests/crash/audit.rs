//! What the clients were told, what the sandbox charged and what the shop says have to be one story.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::processes::Place;
use crate::shopper::{Outcome, Purchase, Shopper};

/// How long the worker may take to end what was cut off: unknown approvals, refunds.
const SETTLING: Duration = Duration::from_secs(150);

/// What there was before anybody bought anything.
pub struct Before {
    orders: BTreeSet<String>,
    coupons: BTreeSet<String>,
}

impl Before {
    pub async fn of(shoppers: &[Shopper]) -> Self {
        let (mut orders, mut coupons) = (BTreeSet::new(), BTreeSet::new());
        for shopper in shoppers {
            let token = shopper.token().await;
            orders.extend(shopper.orders(&token).await);
            for tab in TABS {
                let boxed = shopper.coupons(tab, &token).await.into_iter();
                coupons.extend(boxed.map(|(coupon, _)| coupon));
            }
        }
        Self { orders, coupons }
    }
}

/// Where a coupon may be in a box.
const TABS: [&str; 3] = ["usable", "used", "expired"];

pub async fn everything_agrees(
    place: &Place,
    shoppers: &[Shopper],
    before: &Before,
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
    println!("{drawn} coupons drawn; ordered with {coupons} coupons, {points} times with points");
    assert!(
        drawn.min(coupons).min(points) > 0,
        "nobody drew a coupon, used one or used points"
    );

    let mut last = Vec::new();
    let since = Instant::now();
    while since.elapsed() < SETTLING {
        last = disagreements(place, shoppers, before, purchases).await;
        if last.is_empty() {
            println!("everything agrees after {} s", since.elapsed().as_secs());
            return;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    panic!("{} disagreements:\n{}", last.len(), last.join("\n"));
}

async fn disagreements(
    place: &Place,
    shoppers: &[Shopper],
    before: &Before,
    purchases: &[Purchase],
) -> Vec<String> {
    let mut wrong = Vec::new();
    let balances = balances(&place.charges().await, &mut wrong);

    let mut tokens = Vec::new();
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    let (mut boxed, mut used) = (Vec::new(), BTreeSet::new());
    let mut spent = BTreeMap::new();
    for shopper in shoppers {
        let token = shopper.token().await;
        for order in shopper.orders(&token).await {
            *listed.entry(order).or_default() += 1;
        }
        for tab in TABS {
            for (coupon, order) in shopper.coupons(tab, &token).await {
                if tab == "used" && !before.orders.contains(&order) {
                    used.insert((coupon.clone(), order));
                }
                boxed.push(coupon);
            }
        }
        spent.extend(shopper.spent(&token).await);
        tokens.push(token);
    }
    let mut due_used = BTreeSet::new();
    let mut acknowledged = BTreeSet::new();
    for (number, purchase) in purchases.iter().enumerate() {
        let outcome = &purchase.outcome;
        let Some(order) = outcome.order() else {
            continue;
        };
        if !acknowledged.insert(order.to_owned()) {
            wrong.push(format!("order {order} was acknowledged to two people"));
        }
        match listed.get(order) {
            Some(1) => {}
            times => wrong.push(format!(
                "acknowledged order {order} is listed {times:?} times"
            )),
        }
        let shopper = number % shoppers.len();
        let seen = shoppers[shopper].order(order, &tokens[shopper]).await;
        let balance = seen["orderNo"]
            .as_str()
            .and_then(|number| balances.get(number))
            .copied()
            .unwrap_or_default();
        let status = seen["status"].as_str().unwrap_or_default();
        let kept = !matches!(outcome, Outcome::Canceled { .. });
        due_used.extend(
            purchase
                .coupon
                .iter()
                .filter(|_| kept)
                .map(|coupon| (coupon.clone(), order.to_owned())),
        );
        let points = seen["orderNo"].as_str().and_then(|no| spent.get(no));
        let (points, due_points) = (
            points.copied().unwrap_or_default(),
            if kept { purchase.points } else { 0 },
        );
        if points != due_points {
            wrong.push(format!(
                "{outcome:?} took {points} points, not {due_points}"
            ));
        }
        let (expected, due) = match outcome {
            Outcome::Paid { payable, .. } => ("ORDER_PAYMENT", *payable),
            Outcome::Canceled { .. } => ("ORDER_CANCELED", 0),
            Outcome::Unpaid { .. } | Outcome::SoldOut => ("ORDER_NONPAYMENT", 0),
        };
        if status != expected || balance != due {
            wrong.push(format!(
                "{outcome:?} is {status} and the sandbox holds {balance}, not {expected} and {due}"
            ));
        }
    }
    for order in listed.keys() {
        if !before.orders.contains(order) && !acknowledged.contains(order) {
            wrong.push(format!("nobody was told of order {order}"));
        }
    }
    if used != due_used {
        wrong.push(format!("coupons are used {used:?}, not {due_used:?}"));
    }
    let drawn = purchases.iter().filter_map(|one| one.drawn.clone());
    let mut due_boxed: Vec<String> = before.coupons.iter().cloned().chain(drawn).collect();
    due_boxed.sort();
    boxed.sort();
    if boxed != due_boxed {
        wrong.push(format!("the boxes hold {boxed:?}, not {due_boxed:?}"));
    }
    wrong
}

/// What the sandbox holds per order number. Two charges that are both kept for one order are a double charge.
fn balances(charges: &[Value], wrong: &mut Vec<String>) -> BTreeMap<String, i64> {
    let mut held: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for charge in charges {
        let attempt = charge["orderId"].as_str().unwrap();
        let (order_no, _) = attempt.rsplit_once('-').unwrap();
        let balance = charge["balance"].as_i64().unwrap();
        if balance != 0 {
            held.entry(order_no.to_owned()).or_default().push(balance);
        }
    }
    for (order_no, balances) in &held {
        if balances.len() > 1 {
            wrong.push(format!(
                "order {order_no} is charged {} times: {balances:?}",
                balances.len()
            ));
        }
    }
    held.into_iter()
        .map(|(order_no, balances)| (order_no, balances.into_iter().sum()))
        .collect()
}
