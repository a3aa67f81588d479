//! A stocked shop, and shoppers who order and pay.

use std::marker::PhantomData;

use application::executor::{AppendBatch, CommandContext};
use domain::catalogue::Product;
use domain::coupon::{Campaign, CampaignCommand, Coupon};
use domain::event::Decider;
use domain::ids::{LotId, MemberId, ProductId};
use domain::member::{Member, MemberCommand};
use domain::points::{self, Points, PointsCommand};
use domain::record::{Record, RecordCommand, RecordEvent, Resource};
use domain::shipping::ShippingGroup;
use domain::site::Level;
use domain::stock::{Stock, StockCommand};
use domain::{Actor, Amount};
use event_store::{Expected, StreamAppend};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::support::{Account, Reply, TestApp, until};

impl TestApp {
    /// Stores a record.
    pub async fn record<R: Resource<Data = R> + serde::de::DeserializeOwned>(
        &self,
        id: &str,
        data: Value,
    ) {
        let data: R = serde_json::from_value(data).unwrap();
        let command = CommandContext::for_actor("test", Actor::System);
        self.app
            .executor
            .transact(&command, |context| {
                let data = data.clone();
                async move {
                    let record = self.app.store.load::<Record<R>>(id).await?;
                    let act = if record.exists() {
                        RecordCommand::Revise(Box::new(data))
                    } else {
                        RecordCommand::Create(Box::new(data))
                    };
                    let events = record.state.decide(act, &context)?;
                    Ok(AppendBatch::of([StreamAppend::new::<Record<R>>(
                        id,
                        Expected::Exact(record.version),
                        &events,
                    )?]))
                }
            })
            .await
            .unwrap();
    }

    /// Stores a record that today's rules refuse, as an older program stored it.
    pub async fn record_of_older_program<R>(&self, id: &str, data: Value)
    where
        R: Resource<Data = R>,
    {
        let Value::Object(data) = data else {
            panic!("{data} is no document");
        };
        let created = RecordEvent::<R>::Created {
            data: data.into_iter().collect(),
            kind: PhantomData,
        };
        let command = CommandContext::for_actor("test", Actor::System);
        self.app
            .executor
            .transact(&command, |_| async {
                let events = [created.clone()];
                let append = StreamAppend::new::<Record<R>>(id, Expected::Exact(0), &events)?;
                Ok(AppendBatch::of([append]))
            })
            .await
            .unwrap();
    }

    /// A seller whose parcels cost $2.50.
    pub async fn seller(&self) -> Uuid {
        let seller = Uuid::now_v7();
        let group = json!({
            "name": "기본 배송", "_seller": seller, "isDefault": true, "isActive": true,
            "options": [{ "name": "택배", "chargeType": "fixed", "fixedAmount": 250 }],
        });
        self.record::<ShippingGroup>(&Uuid::now_v7().to_string(), group)
            .await;
        seller
    }

    /// A product with this price and stock.
    pub async fn product(&self, seller: Uuid, price: i64, stock: u32) -> ProductId {
        let id = ProductId(Uuid::now_v7());
        let product = json!({ "code": format!("P-{id}"), "name": "사과 한 상자", "_seller": seller, "price": price, "shows": true });
        self.record::<Product>(&id.to_string(), product).await;
        let command = CommandContext::for_actor("test", Actor::System);
        self.app
            .executor
            .transact(&command, |context| async move {
                let events = Stock::default().decide(
                    StockCommand::Count {
                        product: id,
                        quantity: stock,
                    },
                    &context,
                )?;
                Ok(AppendBatch::of([StreamAppend::new::<Stock>(
                    id,
                    Expected::NoStream,
                    &events,
                )?]))
            })
            .await
            .unwrap();
        id
    }

    /// Stock left of a product.
    pub async fn left(&self, product: ProductId) -> u32 {
        self.app
            .store
            .load::<Stock>(&product.to_string())
            .await
            .unwrap()
            .state
            .available
    }

    /// A coupon that every member can download; with limits if they are given.
    pub async fn coupon(&self, percent: i64, draws: Option<u32>, uses: Option<u32>) -> Uuid {
        let id = Uuid::now_v7();
        let coupon = json!({
            "name": "전체 할인", "unit": "PERCENT", "value": percent, "onDisplay": true,
            "issue": { "type": "request", "isActive": true, "limit": { "shop": { "count__sum": draws } } },
            "usage": { "type": "total", "isActive": true, "combinable": true, "limit": { "shop": { "count__sum": uses } } },
        });
        self.record::<Coupon>(&id.to_string(), coupon).await;
        let command = CommandContext::for_actor("test", Actor::System);
        self.app
            .executor
            .transact(&command, |context| async move {
                let limit = CampaignCommand::Limit {
                    draws,
                    uses,
                    amount: None,
                    face_value: None,
                };
                let events = Campaign::default().decide(limit, &context)?;
                if events.is_empty() {
                    return Ok(AppendBatch::of([]));
                }
                Ok(AppendBatch::of([StreamAppend::new::<Campaign>(
                    id,
                    Expected::NoStream,
                    &events,
                )?]))
            })
            .await
            .unwrap();
        id
    }

    /// Gives the member a level that earns this percentage of the amount paid.
    pub async fn earns_points(&self, account: &Account, percent: u8) {
        let gold = json!({
            "code": "gold", "name": "골드", "index": 1, "isActive": true, "pointsPercent": percent,
        });
        self.record::<Level>(&Uuid::now_v7().to_string(), gold)
            .await;
        let command = CommandContext::for_actor("test", Actor::System);
        let code = "gold".to_owned();
        let act = MemberCommand::AssignLevel { code };
        let member: MemberId = account.id.parse().unwrap();
        let done = self.app.executor.execute::<Member>(&command, member, act);
        done.await.unwrap();
    }

    /// Grants points that are valid for a year.
    pub async fn grant(&self, account: &Account, amount: i64) {
        let member: MemberId = account.id.parse().unwrap();
        let id = points::stream_id(member);
        let command = CommandContext::for_actor("test", Actor::System);
        self.app
            .executor
            .transact(&command, |context| {
                let id = id.clone();
                async move {
                    let points = self.app.store.load::<Points>(&id).await?;
                    let grant = PointsCommand::Grant {
                        member,
                        lot: LotId(Uuid::now_v7()),
                        amount: Amount::new(amount),
                        reason: "test".to_owned(),
                        order: None,
                        grant: None,
                        expires_at: context.now + Duration::days(365),
                    };
                    let events = points.state.decide(grant, &context)?;
                    Ok(AppendBatch::of([StreamAppend::new::<Points>(
                        &id,
                        Expected::Exact(points.version),
                        &events,
                    )?]))
                }
            })
            .await
            .unwrap();
    }

    /// Orders this quantity of a product.
    pub async fn order(&self, account: &Account, product: ProductId, quantity: u32) -> Reply {
        self.post("/api/v1/shop/orders", &order_form(product, quantity))
            .as_(account)
            .send()
            .await
    }

    /// Opens the payment window for an order.
    pub async fn window(&self, token: &str, order: &str) -> Value {
        self.open_window(token, &json!({ "_order": order })).await
    }

    /// Opens the payment window for an order with another method than it was placed with.
    pub async fn window_of(&self, token: &str, order: &str, method: &str) -> Value {
        let form = json!({ "_order": order, "method": method });
        self.open_window(token, &form).await
    }

    /// Opens the payment window for the fee of an exchange.
    pub async fn fee_window(&self, token: &str, order: &str, claim: &str) -> Value {
        let form = json!({ "_order": order, "_claim": claim });
        self.open_window(token, &form).await
    }

    async fn open_window(&self, token: &str, form: &Value) -> Value {
        let reply = self
            .post("/api/plugins/nicepayments/generate/order", form)
            .token(token)
            .send()
            .await
            .expect(200);
        reply.body["payment"].clone()
    }

    /// The buyer authenticates in the window; returns the form of the browser.
    pub async fn authenticate(&self, window: &Value) -> Value {
        let wish = json!({
            "clientId": window["clientId"], "method": window["method"], "orderId": window["orderId"], "amount": window["amount"],
            "goodsName": window["goodsName"], "returnUrl": window["returnUrl"], "mallReserved": window["mallReserved"],
            "vbankHolder": window["vbankHolder"].as_str().unwrap_or_default(), "vbankValidHours": window["vbankValidHours"],
        });
        self.post(&format!("{}/sandbox/authenticate", self.sandbox), &wish)
            .send()
            .await
            .expect(200)
            .body
    }

    /// The browser returns with this form.
    pub async fn come_back(&self, form: &Value) -> Reply {
        self.come_back_to("/plugins/nicepayments/response", form)
            .await
    }

    /// The browser returns to an address with this form.
    pub async fn come_back_to(&self, address: &str, form: &Value) -> Reply {
        let body = serde_urlencoded::to_string(
            form.as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| {
                    (
                        name.clone(),
                        value
                            .as_str()
                            .map_or_else(|| value.to_string(), str::to_owned),
                    )
                })
                .collect::<Vec<_>>(),
        )
        .unwrap();
        self.ask(reqwest::Method::POST, address)
            .body("application/x-www-form-urlencoded", body)
            .send()
            .await
    }

    /// Pays an order from the window to the return.
    pub async fn pay(&self, token: &str, order: &str) -> Reply {
        let window = self.window(token, order).await;
        let form = self.authenticate(&window).await;
        self.come_back(&form).await
    }

    /// An order of the member.
    pub async fn my_order(&self, token: &str, order: &str) -> Value {
        self.get(&format!("/api/v1/me/orders/{order}"))
            .token(token)
            .send()
            .await
            .expect(200)
            .body["order"]
            .clone()
    }

    /// Waits until the order satisfies a condition.
    pub async fn until(
        &self,
        token: &str,
        order: &str,
        what: &str,
        looks: impl Fn(&Value) -> bool,
    ) -> Value {
        until(what, async || {
            let seen = self.my_order(token, order).await;
            looks(&seen).then_some(seen)
        })
        .await
    }

    /// Adds a fault rule to the payment sandbox.
    pub async fn fault(&self, rule: Value) {
        self.post(&format!("{}/sandbox/faults", self.sandbox), &rule)
            .send()
            .await
            .expect(204);
    }

    /// All charges of the payment sandbox.
    pub async fn charges(&self) -> Value {
        self.get(&format!("{}/sandbox/charges", self.sandbox))
            .send()
            .await
            .expect(200)
            .body
    }
}

/// An order form that passes every rule.
pub fn order_form(product: ProductId, quantity: u32) -> Value {
    json!({
        "carts": [{ "_product": product, "quantity": quantity }],
        "sender": { "name": "홍길동", "phone": "010-1234-5678", "email": "hong@example.com" },
        "receiver": { "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" },
        "_terms": ["purchase", "privacy", "privacy-third"],
    })
}

/// The id of a placed order.
pub fn id_of(reply: &Reply) -> String {
    reply.body["order"]["_id"].as_str().unwrap().to_owned()
}
