//! Somebody who orders and pays, and does not give up when a connection breaks: the same request goes out again with
//! the same `Idempotency-Key`, as a phone would do.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use crate::processes::Place;

/// What can be bought: (product, option or null).
pub struct Shelf {
    pub goods: Vec<(Value, Value)>,
}

/// One shopper of the seed.
#[derive(Clone)]
pub struct Shopper {
    place: Place,
    basic: String,
}

/// What the shop told a shopper, for good.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The order was placed and paid.
    Paid { order: String, payable: i64 },
    /// The order was placed, and left unpaid on purpose.
    Unpaid { order: String },
    /// The order was placed, and cancelled again by its buyer.
    Canceled { order: String },
    /// Nothing was left of what they wanted.
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

/// Tries before a shopper says the shop does not work.
const PATIENCE: u32 = 400;

impl Shopper {
    pub fn new(place: Place, basic: String) -> Self {
        Self { place, basic }
    }

    /// A fresh access token.
    pub async fn token(&self) -> String {
        for _ in 0..PATIENCE {
            let asked = self
                .place
                .client
                .get(format!("{}/api/auth/refreshToken", self.place.shop))
                .header("authorization", format!("Basic {}", self.basic));
            if let Ok(answer) = asked.send().await
                && answer.status().is_success()
                && let Ok(body) = answer.json::<Value>().await
            {
                return body["accessToken"].as_str().unwrap().to_owned();
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("nobody can sign in");
    }

    /// Asks until there is a definite answer: success or a refusal (4xx).
    async fn ask(
        &self,
        method: Method,
        path: &str,
        token: &str,
        key: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        for _ in 0..PATIENCE {
            let asked = self
                .place
                .client
                .request(method.clone(), format!("{}{path}", self.place.shop))
                .bearer_auth(token)
                .header("idempotency-key", key)
                .json(body);
            if let Ok(answer) = asked.send().await {
                let status = answer.status();
                let busy = status.is_server_error() || matches!(status.as_u16(), 408 | 429);
                if !busy && let Ok(body) = answer.json::<Value>().await {
                    return (status, body);
                }
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("{path} never answers");
    }

    /// Orders one thing and, mostly, pays for it.
    pub async fn buy(&self, shelf: &Shelf, number: usize, chance: &mut StdRng) -> Outcome {
        let token = self.token().await;
        let (product, option) = shelf.goods[chance.random_range(0..shelf.goods.len())].clone();
        let person = json!({ "name": "김충돌", "phone": "01098765432", "email": "crash@example.com",
                             "postcode": "04524", "address1": "서울 중구 세종대로 110", "address2": format!("{number}호") });
        let form = json!({
            "carts": [{ "_product": product, "_option": option, "quantity": chance.random_range(1..=2) }],
            "sender": person, "receiver": person, "paymentMethod": "card", "_terms": ["service", "privacy"],
        });
        let key = Uuid::now_v7().to_string();
        let (status, placed) = self
            .ask(Method::POST, "/api/v1/shop/orders", &token, &key, &form)
            .await;
        if !status.is_success() {
            assert_eq!(
                placed["error"]["code"], "sold_out",
                "an order was refused for no good reason: {status} {placed}"
            );
            return Outcome::SoldOut;
        }
        let order = placed["order"]["_id"].as_str().unwrap().to_owned();
        let payable = placed["order"]["payable"].as_i64().unwrap();
        if chance.random_range(0..10) == 0 {
            return Outcome::Unpaid { order };
        }
        self.pay(&order, &token, chance).await;
        if chance.random_range(0..8) == 0 {
            let path = format!("/api/v1/me/orders/{order}/cancel");
            let reason = json!({ "reason": "마음이 바뀌었어요" });
            let key = Uuid::now_v7().to_string();
            let (status, body) = self.ask(Method::POST, &path, &token, &key, &reason).await;
            assert!(
                status.is_success(),
                "a paid order cannot be cancelled: {status} {body}"
            );
            return Outcome::Canceled { order };
        }
        Outcome::Paid { order, payable }
    }

    /// Pays, with as many attempts as it takes.
    async fn pay(&self, order: &str, token: &str, chance: &mut StdRng) {
        for _ in 0..PATIENCE {
            if self.is_paid(order, token).await {
                return;
            }
            let key = Uuid::now_v7().to_string();
            let wish = json!({ "_order": order, "method": "card" });
            let path = "/api/plugins/nicepayments/generate/order";
            let (status, generated) = self.ask(Method::POST, path, token, &key, &wish).await;
            if !status.is_success() {
                // An earlier attempt is being looked into: it is paid soon, or another attempt is allowed.
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

    /// What the buyer's browser would bring back from the payment page.
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
}
