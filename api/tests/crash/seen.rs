//! The externally visible state: what the shop's API returns, and the sandbox's charges.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::processes::Place;
use crate::shopper::Shopper;

/// A product or option for sale.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Good {
    pub product: String,
    pub option: Option<String>,
}

/// An order as its buyer sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    /// How often it occurs in the buyer's lists.
    pub listed: usize,
    pub number: String,
    pub status: String,
    /// Quantities that were not cancelled.
    pub pieces: BTreeMap<Good, i64>,
    /// The shop's amount of each payment attempt, by its number at the gateway.
    pub payments: BTreeMap<String, i64>,
}

/// State of the shop at one time. Amounts are hundredths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShopSnapshot {
    /// The shoppers' orders by id.
    pub orders: BTreeMap<String, Order>,
    /// Number of orders in the back office.
    pub counted: i64,
    /// The shoppers' coupons, sorted, each with the order it is used on; empty if it can be used.
    pub coupons: Vec<(String, String)>,
    /// Points spent and not given back, by order number; changes without an order are under the empty number.
    pub spent: BTreeMap<String, i64>,
    /// Points of the shoppers.
    pub points: i64,
    /// The sandbox's amount of each attempt.
    pub charges: BTreeMap<String, i64>,
    /// Stock left.
    pub stock: BTreeMap<Good, i64>,
}

/// Tabs of the coupon box.
const TABS: [&str; 3] = ["usable", "used", "expired"];

impl ShopSnapshot {
    pub async fn now(place: &Place, shoppers: &[Shopper], operator: &Shopper) -> Self {
        let mut seen = Self {
            charges: charges(&place.charges().await),
            stock: place.stock().await,
            counted: operator.all_orders().await,
            ..Self::default()
        };
        for shopper in shoppers {
            let token = shopper.token().await;
            for id in shopper.orders(&token).await {
                seen.orders.entry(id).or_default().listed += 1;
            }
            for tab in TABS {
                seen.coupons.extend(shopper.coupons(tab, &token).await);
            }
            for (order_no, amount) in shopper.spent(&token).await {
                *seen.spent.entry(order_no).or_default() += amount;
            }
            seen.points += shopper.points(&token).await;
            for (id, order) in &mut seen.orders {
                if order.number.is_empty() {
                    order.read(&shopper.order(id, &token).await);
                }
            }
        }
        seen.coupons.sort();
        seen
    }

    /// The state when nothing changes any more, because the worker has completed all pending work.
    pub async fn at_rest(place: &Place, shoppers: &[Shopper], operator: &Shopper) -> Self {
        let mut last = Self::now(place, shoppers, operator).await;
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let seen = Self::now(place, shoppers, operator).await;
            if seen == last {
                return seen;
            }
            last = seen;
        }
    }
}

impl Order {
    fn read(&mut self, shown: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.number = text(&shown["orderNo"]);
        self.status = text(&shown["status"]);
        for line in shown["purchases"].as_array().unwrap() {
            if line["orderStatus"] != "ORDER_CANCELED" {
                *self.pieces.entry(Good::of(line)).or_default() +=
                    line["quantity"].as_i64().unwrap();
            }
        }
        for payment in shown["payments"].as_array().unwrap() {
            let kept = payment["amount"].as_i64().unwrap() - payment["refunded"].as_i64().unwrap();
            if payment["status"] == "PAYMENT_COMPLETED" && kept != 0 {
                let attempt = format!("{}-{}", self.number, payment["attempt"]);
                self.payments.insert(attempt, kept);
            }
        }
    }
}

impl Good {
    /// The product or option of an order line.
    fn of(line: &Value) -> Self {
        Self {
            product: line["_product"].as_str().unwrap().to_owned(),
            option: line["_option"].as_str().map(str::to_owned),
        }
    }
}

fn charges(charges: &[Value]) -> BTreeMap<String, i64> {
    let held = |charge: &Value| {
        let attempt = charge["orderId"].as_str().unwrap().to_owned();
        (attempt, charge["balance"].as_i64().unwrap())
    };
    let mut sums = BTreeMap::new();
    for (attempt, balance) in charges.iter().map(held).filter(|(_, held)| *held != 0) {
        *sums.entry(attempt).or_default() += balance;
    }
    sums
}
