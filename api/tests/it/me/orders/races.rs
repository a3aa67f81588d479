//! Concurrent claims: one of them wins, and nothing is given back or taken twice.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::exchanges::Shirts;
use crate::support::{Account, Ask, Reply};

const AT_ONCE: usize = 20;

/// Sends these requests concurrently; returns their responses.
async fn at_once(asks: Vec<Ask>) -> Vec<Reply> {
    let mut sent = JoinSet::new();
    for ask in asks {
        sent.spawn(ask.send());
    }
    sent.join_all().await
}

/// Number of responses with status 200; all others must be rejected as too late.
fn winners(replies: &[Reply]) -> usize {
    let won = |reply: &&Reply| reply.status == 200;
    for reply in replies.iter().filter(|reply| !won(reply)) {
        assert_eq!(reply.status, 409, "{}", reply.text);
    }
    replies.iter().filter(won).count()
}

impl Shirts {
    fn claim(&self, call: &str, body: &Value) -> Ask {
        self.shop.post(&self.path(1, call), body).as_(&self.hong)
    }

    async fn no_difference(&self) {
        let report = projections::verify::verify(&self.shop.app.store, |_| {}).await;
        let report = report.unwrap();
        assert!(report.is_clean(), "{:#?}", report.differences.first());
    }
}

#[tokio::test]
async fn of_twenty_claims_on_one_purchase_one_is_made() {
    let here = Shirts::start().await;
    let exchange = here.body(3, 1, "SELLER");
    let mut back = exchange.clone();
    back.as_object_mut().unwrap().remove("_option");
    let asks = (0..AT_ONCE).map(|number| match number % 2 {
        0 => here.claim("exchange", &exchange),
        _ => here.claim("return", &back),
    });
    let replies = at_once(asks.collect()).await;
    assert_eq!(winners(&replies), 1);
    let order = here.order().await;
    assert_eq!(order["claims"].as_array().unwrap().len(), 1);
    here.no_difference().await;
}

/// Three pieces, claimed by twenty requests, one each: three claims, of three purchases.
#[tokio::test]
async fn pieces_are_claimed_once() {
    let here = Shirts::start().await;
    let one = here.body(1, 1, "SELLER");
    let asks = (0..AT_ONCE).map(|_| here.claim("exchange", &one));
    let replies = at_once(asks.collect()).await;
    assert_eq!(winners(&replies), 3);
    let order = here.order().await;
    let claimed: Vec<&str> = order["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| claim["purchaseNos"][0].as_str().unwrap())
        .collect();
    let mut numbers = claimed.clone();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), claimed.len(), "{claimed:?}");
    here.no_difference().await;
}

#[tokio::test]
async fn a_claim_and_a_confirmation_exclude_each_other() {
    let here = Shirts::start().await;
    let back = here.body(3, 1, "SELLER");
    let path = format!("/api/v1/me/orders/{}/confirm", here.order);
    let asks = (0..AT_ONCE).map(|number| match number % 2 {
        0 => here.claim("exchange", &back),
        _ => here.shop.post(&path, &json!({})).as_(&here.hong),
    });
    at_once(asks.collect()).await;
    let order = here.order().await;
    let purchase = &order["purchases"][0];
    let is_confirmed = purchase["purchaseStatus"] == "PURCHASE_COMPLETE";
    let is_claimed = purchase["claimStatus"] == "EXCHANGE_REQUESTED";
    assert!(is_confirmed != is_claimed, "{purchase}");
    here.no_difference().await;
}

/// One approval reserves the replacement; a second one of the same kind finds it approved, and reserves nothing.
#[tokio::test]
async fn a_replacement_is_reserved_once() {
    let here = Shirts::start().await;
    here.ask(1, &here.body(3, 1, "SELLER")).await.expect(200);
    let staff = here.shop.console().await;
    let path = format!("/api/console/shop/purchases/{}", here.line(1));
    let accept = json!({ "claimStatus": "EXCHANGE_PENDING" });
    let ask = |who: &Account| here.shop.put(&path, &accept).as_(who);
    let asks = (0..AT_ONCE).map(|number| match number % 2 {
        0 => ask(&staff),
        _ => ask(&here.seller),
    });
    let replies = at_once(asks.collect()).await;
    for reply in &replies {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    assert_eq!(here.stock(1).await, 7);
    here.no_difference().await;
}
