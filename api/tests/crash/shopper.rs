//! A shopper who orders and pays, and retries when a connection breaks: the same request is sent again with the same `Idempotency-Key`, as
//! a phone would do.

use std::collections::BTreeMap;
use std::time::Duration;

use projections::points_statement::Direction;
use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::processes::Place;
use crate::seen::Good;

/// A shopper of the seed.
#[derive(Clone)]
pub struct Shopper {
    place: Place,
    basic: String,
}

/// Definite outcome reported to a shopper.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The order was placed and paid.
    Paid { order: String, payable: i64 },
    /// The order was placed, and intentionally left unpaid.
    Unpaid { order: String },
    /// The order was placed, and cancelled by its buyer.
    Canceled { order: String },
    /// The product was sold out.
    SoldOut,
}

impl Outcome {
    /// The order, if there is one.
    pub fn order(&self) -> Option<&str> {
        match self {
            Self::Paid { order, .. } | Self::Unpaid { order } | Self::Canceled { order } => {
                Some(order)
            }
            Self::SoldOut => None,
        }
    }
}

/// The actions of a shopper, and their outcome.
#[derive(Clone, Debug)]
pub struct Purchase {
    pub outcome: Outcome,
    /// Product and quantity ordered.
    pub good: Good,
    pub pieces: i64,
    /// The coupon the order was placed with.
    pub coupon: Option<String>,
    /// The points it was placed with, hundredths.
    pub points: i64,
    /// The coupon drawn before.
    pub drawn: Option<String>,
    /// The refund of one of the pieces.
    pub part: Option<Part>,
}

/// The refund of canceling one piece of a paid order, as reported by the shop. Amounts are hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub money: i64,
    pub points: i64,
}

impl Purchase {
    /// Whether the order exists and keeps its stock, coupon and points.
    pub fn keeps(&self) -> bool {
        matches!(self.outcome, Outcome::Paid { .. } | Outcome::Unpaid { .. })
    }

    /// The quantity and the points it keeps.
    pub fn kept(&self) -> (i64, i64) {
        match (self.keeps(), self.part) {
            (false, _) => (0, 0),
            (true, None) => (self.pieces, self.points),
            (true, Some(part)) => (self.pieces - 1, self.points - part.points),
        }
    }
}

/// Points an order is placed with, hundredths.
const POINTS: i64 = 100;

/// The response to one request, if it arrives completely.
async fn answered(asked: reqwest::RequestBuilder) -> reqwest::Result<(StatusCode, Value)> {
    let answer = asked.send().await?;
    Ok((answer.status(), answer.json().await?))
}

/// How long a shopper retries before the test fails. A database that was killed recovers first.
const PATIENCE: Duration = Duration::from_secs(120);

impl Shopper {
    pub fn new(place: Place, basic: String) -> Self {
        Self { place, basic }
    }

    /// A fresh access token.
    pub async fn token(&self) -> String {
        let (begun, mut last) = (Instant::now(), String::new());
        while begun.elapsed() < PATIENCE {
            let asked = self
                .place
                .client
                .get(format!("{}/api/auth/refreshToken", self.place.shop))
                .header("authorization", format!("Basic {}", self.basic));
            match answered(asked).await {
                Ok((status, body)) if status.is_success() => {
                    return body["accessToken"].as_str().unwrap().to_owned();
                }
                Ok((status, body)) => last = format!("{status} {body}"),
                Err(error) => last = format!("{error:?}"),
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("nobody can sign in: {last}");
    }

    /// Repeats the request until there is a definite response: success or a rejection (4xx).
    async fn ask(
        &self,
        method: Method,
        path: &str,
        token: &str,
        key: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        let (begun, mut last) = (Instant::now(), String::new());
        while begun.elapsed() < PATIENCE {
            let asked = self
                .place
                .client
                .request(method.clone(), format!("{}{path}", self.place.shop))
                .bearer_auth(token)
                .header("idempotency-key", key)
                .json(body);
            match answered(asked).await {
                Ok((status, body))
                    if !status.is_server_error() && !matches!(status.as_u16(), 408 | 429) =>
                {
                    return (status, body);
                }
                Ok((status, body)) => last = format!("{status} {body}"),
                Err(error) => last = format!("{error:?}"),
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("{path} never answers: {last}");
    }

    /// Sometimes draws a coupon, orders one product, half of the time with a coupon and points, and usually pays for it.
    pub async fn buy(&self, goods: &[Good], number: usize, chance: &mut StdRng) -> Purchase {
        let token = self.token().await;
        let drawn = match chance.random_range(0..4) {
            0 => self.draw(&token, chance).await,
            _ => None,
        };
        let good = goods[chance.random_range(0..goods.len())].clone();
        let pieces = chance.random_range(1..=2);
        let person = json!({ "name": "김충돌", "phone": "01098765432", "email": "crash@example.com",
                             "postcode": "04524", "address1": "서울 중구 세종대로 110", "address2": format!("{number}호") });
        let plain = json!({
            "carts": [{ "_product": good.product, "_option": good.option, "quantity": pieces }],
            "sender": person, "receiver": person, "paymentMethod": "card", "_terms": ["purchase", "privacy", "privacy-third"],
        });
        let mut form = plain.clone();
        if chance.random_bool(0.5) {
            self.save(&mut form, &token, chance).await;
        }
        let again = number.is_multiple_of(4);
        let (mut status, mut placed) = self.placed(&token, &form, again).await;
        if !status.is_success() && form != plain {
            // A concurrent order of the same member used the coupon or the points.
            form = plain;
            (status, placed) = self.placed(&token, &form, again).await;
        }
        let outcome = self.went_on(status, &placed, &token, chance).await;
        let part = match &outcome {
            Outcome::Paid { order, .. } if pieces > 1 && chance.random_bool(0.5) => {
                Some(self.cancel_piece(order, &token).await)
            }
            _ => None,
        };
        let ordered = outcome.order().is_some();
        let coupon = form["coupons"][0]["_issued"].as_str().filter(|_| ordered);
        Purchase {
            coupon: coupon.map(str::to_owned),
            points: form["point"]
                .as_i64()
                .filter(|_| ordered)
                .unwrap_or_default(),
            outcome,
            good,
            pieces,
            drawn,
            part,
        }
    }

    /// Draws one of the coupons on display; none if there is none left for this shopper.
    async fn draw(&self, token: &str, chance: &mut StdRng) -> Option<String> {
        let path = "/api/v1/shop/coupons?limit=100";
        let shown = self.place.get(path, Some(token)).await["coupons"].take();
        let shown = shown.as_array().filter(|shown| !shown.is_empty())?;
        let wish = json!({ "_coupon": shown[chance.random_range(0..shown.len())]["_id"] });
        let key = Uuid::now_v7().to_string();
        let path = "/api/v1/me/coupons";
        let (status, body) = self.ask(Method::POST, path, token, &key, &wish).await;
        let drawn = body["coupon"]["_id"].as_str().map(str::to_owned);
        drawn.filter(|_| status.is_success())
    }

    /// Adds an applicable coupon and points to a form, if the shopper has them.
    async fn save(&self, form: &mut Value, token: &str, chance: &mut StdRng) {
        let key = Uuid::now_v7().to_string();
        let path = "/api/v1/shop/orders/preview";
        let (_, preview) = self.ask(Method::POST, path, token, &key, form).await;
        let fits = |coupon: &&Value| {
            coupon["applicable"]
                .as_array()
                .is_some_and(|lines| !lines.is_empty())
        };
        let coupons: Vec<&Value> = preview["coupons"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(fits)
            .collect();
        if !coupons.is_empty() {
            let coupon = coupons[chance.random_range(0..coupons.len())];
            let mut wish = json!({ "_issued": coupon["_issued"] });
            if coupon["stage"] == "product" {
                wish["purchaseNo"] = coupon["applicable"][0].clone();
            }
            form["coupons"] = json!([wish]);
        }
        if self.points(token).await >= POINTS {
            form["point"] = json!(POINTS);
        }
    }

    /// Places an order; `again`: the first response is discarded and the request repeated.
    async fn placed(&self, token: &str, form: &Value, again: bool) -> (StatusCode, Value) {
        let (key, path) = (Uuid::now_v7().to_string(), "/api/v1/shop/orders");
        if again {
            drop(self.ask(Method::POST, path, token, &key, form).await);
        }
        self.ask(Method::POST, path, token, &key, form).await
    }

    /// Continues an order: pays it, leaves it, or cancels it.
    async fn went_on(
        &self,
        status: StatusCode,
        placed: &Value,
        token: &str,
        chance: &mut StdRng,
    ) -> Outcome {
        if !status.is_success() {
            assert_eq!(
                placed["error"]["code"], "sold_out",
                "an order was refused for no good reason: {status} {placed}"
            );
            return Outcome::SoldOut;
        }
        let order = placed["order"]["_id"].as_str().unwrap().to_owned();
        let payable = placed["order"]["payable"].as_i64().unwrap();
        if payable > 0 && chance.random_range(0..10) == 0 {
            return Outcome::Unpaid { order };
        }
        self.pay(&order, token, chance).await;
        if chance.random_range(0..8) == 0 {
            let path = format!("/api/v1/me/orders/{order}/cancel");
            let reason = json!({ "reason": "마음이 바뀌었어요" });
            let key = Uuid::now_v7().to_string();
            let (status, body) = self.ask(Method::POST, &path, token, &key, &reason).await;
            assert!(
                status.is_success(),
                "a paid order cannot be cancelled: {status} {body}"
            );
            return Outcome::Canceled { order };
        }
        Outcome::Paid { order, payable }
    }

    /// Cancels one of the pieces of a paid order.
    async fn cancel_piece(&self, order: &str, token: &str) -> Part {
        let number = self.order(order, token).await["orderNo"].take();
        let number = number.as_str().unwrap();
        let wish = json!({ "_purchases": [format!("{number}-1")], "quantities": [1], "reason": "수량을 잘못 골랐어요" });
        let key = Uuid::now_v7().to_string();
        let path = "/api/v1/me/purchases/cancel";
        let (status, body) = self.ask(Method::POST, path, token, &key, &wish).await;
        assert!(
            status.is_success(),
            "a piece cannot be canceled: {status} {body}"
        );
        let claims = self.order(order, token).await["claims"].take();
        let refund = &claims.as_array().unwrap().last().unwrap()["refund"];
        let amount = |field: &str| refund[field].as_i64().unwrap();
        Part {
            money: amount("money"),
            points: amount("points"),
        }
    }

    /// Pays, with as many attempts as it takes.
    async fn pay(&self, order: &str, token: &str, chance: &mut StdRng) {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if self.is_paid(order, token).await {
                return;
            }
            let key = Uuid::now_v7().to_string();
            let wish = json!({ "_order": order, "method": "card" });
            let path = "/api/plugins/nicepayments/generate/order";
            let (status, generated) = self.ask(Method::POST, path, token, &key, &wish).await;
            if !status.is_success() {
                // The outcome of an earlier attempt is being resolved: the order is paid soon, or another attempt is allowed.
                sleep(Duration::from_millis(chance.random_range(200..800))).await;
                continue;
            }
            let Some(fields) = self.authenticate(&generated["payment"]).await else {
                continue;
            };
            let key = Uuid::now_v7().to_string();
            drop(
                self.ask(
                    Method::POST,
                    "/api/plugins/pay/approval",
                    token,
                    &key,
                    &fields,
                )
                .await,
            );
        }
        panic!("order {order} cannot be paid");
    }

    /// The form that the buyer's browser would return from the payment page.
    async fn authenticate(&self, payment: &Value) -> Option<Value> {
        let wish = json!({
            "clientId": payment["clientId"], "method": payment["method"], "orderId": payment["orderId"],
            "amount": payment["amount"], "goodsName": payment["goodsName"], "returnUrl": payment["returnUrl"],
        });
        let asked = self
            .place
            .client
            .post(format!("{}/sandbox/authenticate", self.place.sandbox))
            .json(&wish);
        let fields: Value = asked.send().await.ok()?.json().await.ok()?;
        (fields["authResultCode"] == "0000").then_some(fields)
    }

    async fn is_paid(&self, order: &str, token: &str) -> bool {
        let path = format!("/api/v1/shop/orders/{order}/process");
        let key = Uuid::now_v7().to_string();
        let (_, body) = self.ask(Method::POST, &path, token, &key, &json!({})).await;
        body["order"]["status"] == "ORDER_PAYMENT"
    }

    /// An order as its buyer sees it.
    pub async fn order(&self, order: &str, token: &str) -> Value {
        let body = self
            .place
            .get(&format!("/api/v1/me/orders/{order}"), Some(token))
            .await;
        body["order"].clone()
    }

    /// The ids of all orders of this shopper: `all` leaves out the claims, which have their own lists.
    pub async fn orders(&self, token: &str) -> Vec<String> {
        let mut ids = Vec::new();
        for filter in ["all", "cancel"] {
            for skip in (0..).step_by(100) {
                let path = format!("/api/v1/me/orders?filter={filter}&skip={skip}&limit=100");
                let page = self.place.get(&path, Some(token)).await;
                let orders = page["orders"].as_array().unwrap();
                let id = |order: &Value| order["_id"].as_str().unwrap().to_owned();
                ids.extend(orders.iter().map(id));
                if orders.is_empty() {
                    break;
                }
            }
        }
        ids
    }

    /// The coupons in a tab of this shopper's coupon box: (coupon, the order it is used on).
    pub async fn coupons(&self, tab: &str, token: &str) -> Vec<(String, String)> {
        let path = format!("/api/v1/me/coupons?tab={tab}&limit=100");
        let page = self.place.get(&path, Some(token)).await;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let coupons = page["coupons"].as_array().unwrap().iter();
        coupons
            .map(|coupon| (text(&coupon["_id"]), text(&coupon["_order"])))
            .collect()
    }

    /// Number of orders in the back office, as returned to staff.
    pub async fn all_orders(&self) -> i64 {
        let path = "/api/console/shop/orders?limit=1";
        let page = self.place.get(path, Some(&self.token().await)).await;
        page["summary"]["totalCount"].as_i64().unwrap()
    }

    /// The points this shopper has, from the log, hundredths.
    pub async fn points(&self, token: &str) -> i64 {
        let path = "/api/v1/shop/points/qualify";
        let points = self.place.get(path, Some(token)).await;
        points["available"].as_i64().unwrap_or_default()
    }

    /// Points spent on each order and not given back, by order number, hundredths; changes without an order are under the empty number.
    pub async fn spent(&self, token: &str) -> BTreeMap<String, i64> {
        let mut spent = BTreeMap::new();
        for skip in (0..).step_by(100) {
            let path = format!("/api/v1/me/points?skip={skip}&limit=100");
            let page = self.place.get(&path, Some(token)).await;
            let entries = page["points"].as_array().unwrap();
            for entry in entries {
                let order_no = entry["orderNo"].as_str().unwrap_or_default();
                let amount = entry["amounts"].as_i64().unwrap();
                let sign = if entry["kind"] == json!(Direction::Decrease) {
                    1
                } else {
                    -1
                };
                *spent.entry(order_no.to_owned()).or_default() += sign * amount;
            }
            if entries.is_empty() {
                break;
            }
        }
        spent
    }
}
