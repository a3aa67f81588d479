//! What the clients were told, what the sandbox charged and what the shop says have to be one story.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::processes::Place;
use crate::shopper::{Outcome, Shopper};

/// How long the worker may take to end what was cut off: unknown approvals, refunds.
const SETTLING: Duration = Duration::from_secs(150);

pub async fn everything_agrees(place: &Place, shoppers: &[Shopper], outcomes: &[Outcome]) {
    let (paid, unpaid, canceled, refused) =
        outcomes
            .iter()
            .fold((0, 0, 0, 0), |(p, u, c, r), outcome| match outcome {
                Outcome::Paid { .. } => (p + 1, u, c, r),
                Outcome::Unpaid { .. } => (p, u + 1, c, r),
                Outcome::Canceled { .. } => (p, u, c + 1, r),
                Outcome::SoldOut => (p, u, c, r + 1),
            });
    println!(
        "acknowledged: {paid} paid, {unpaid} unpaid, {canceled} cancelled, {refused} sold out"
    );

    let mut last = Vec::new();
    let since = Instant::now();
    while since.elapsed() < SETTLING {
        last = disagreements(place, shoppers, outcomes).await;
        if last.is_empty() {
            println!("everything agrees after {} s", since.elapsed().as_secs());
            return;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    panic!("{} disagreements:\n{}", last.len(), last.join("\n"));
}

async fn disagreements(place: &Place, shoppers: &[Shopper], outcomes: &[Outcome]) -> Vec<String> {
    let mut wrong = Vec::new();
    let balances = balances(&place.charges().await, &mut wrong);

    let mut tokens = Vec::new();
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for shopper in shoppers {
        let token = shopper.token().await;
        for order in shopper.orders(&token).await {
            *listed.entry(order).or_default() += 1;
        }
        tokens.push(token);
    }
    let mut acknowledged = BTreeSet::new();
    for (number, outcome) in outcomes.iter().enumerate() {
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
