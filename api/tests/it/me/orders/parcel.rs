//! An order for tests of claims, and the possessions of its buyer.

use serde_json::{Value, json};

use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, until};

/// Two products of one seller in the same parcel, bought with a coupon and points.
pub(super) struct Parcel {
    pub shop: TestApp,
    pub seller: Account,
    pub hong: Account,
    pub order: String,
    pub number: String,
    pub issued: String,
}

/// Possessions of a buyer outside the order: charges of the gateway, points, and whether the coupon can be used.
pub(super) type Purse = (i64, i64, bool);

impl Parcel {
    pub async fn start() -> Self {
        Self::placed(None, true).await
    }

    /// Of a buyer whose level earns this percentage in points.
    pub async fn earning(percent: u8) -> Self {
        Self::placed(Some(percent), true).await
    }

    /// Of a buyer whose coupon no claim gives back.
    pub async fn with_kept_coupon() -> Self {
        Self::placed(None, false).await
    }

    async fn placed(percent: Option<u8>, returnable: bool) -> Self {
        let shop = TestApp::start().await;
        let (seller, hong) = (
            shop.company("seller01").await,
            shop.sign_up("hong1234").await,
        );
        if let Some(percent) = percent {
            shop.earns_points(&hong, percent).await;
        }
        shop.grant(&hong, 500).await;
        let coupon = match returnable {
            true => json!(shop.coupon(10, None, None).await),
            false => {
                let staff = shop.console().await;
                let coupon = json!({
                    "name": "돌려주지 않는 쿠폰", "unit": "PERCENT", "value": 10, "onDisplay": true,
                    "issue": { "type": "request", "isActive": true },
                    "usage": { "type": "total", "isActive": true, "combinable": true, "returnable": false },
                });
                let made = shop.post("/api/console/shop/coupons", &coupon).as_(&staff);
                made.send().await.expect(201).body["coupon"]["_id"].take()
            }
        };
        let drawn = shop.post("/api/v1/me/coupons", &json!({ "_coupon": coupon }));
        let drawn = drawn.as_(&hong).send().await.expect(201);
        let issued = drawn.body["coupon"]["_id"].as_str().unwrap().to_owned();
        let first = shop.console_product(&seller, "A-1").await;
        let more = json!({ "code": "A-2", "name": "배 한 상자", "price": 700, "shows": true, "stock": 10 });
        let second = shop.post("/api/console/shop/products", &more).as_(&seller);
        let second = second.send().await.expect(201).body["product"].take();
        let mut form = order_form(first["_id"].as_str().unwrap().parse().unwrap(), 1);
        form["carts"] = json!([
            { "_product": first["_id"], "quantity": 1 },
            { "_product": second["_id"], "quantity": 2 },
        ]);
        form["coupons"] = json!([{ "_issued": issued }]);
        form["point"] = json!(301);
        let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
        let placed = placed.send().await.expect(201);
        let order = id_of(&placed);
        shop.pay(&hong.token, &order).await.expect(303);
        Self {
            number: placed.body["order"]["orderNo"].as_str().unwrap().to_owned(),
            shop,
            seller,
            hong,
            order,
            issued,
        }
    }

    /// Buyer and seller sign in again: access tokens last a quarter of an hour.
    pub async fn sign_in_again(&mut self) {
        for account in [&mut self.hong, &mut self.seller] {
            *account = self
                .shop
                .account(&account.username, &account.password)
                .await;
        }
    }

    /// Another order of the same buyer, not paid.
    pub async fn order_again(&self) -> String {
        let product = self.shop.console_product(&self.seller, "A-9").await;
        let form = order_form(product["_id"].as_str().unwrap().parse().unwrap(), 1);
        let placed = self.shop.post("/api/v1/shop/orders", &form).as_(&self.hong);
        id_of(&placed.send().await.expect(201))
    }

    pub fn line(&self, line: usize) -> String {
        format!("{}-{line}", self.number)
    }

    pub async fn purse(&self) -> Purse {
        let head = self.shop.app.store.head().await.unwrap().to_string();
        let get = |path: &str| {
            let ask = self.shop.get(path).header("x-wait-position", &head);
            ask.as_(&self.hong)
        };
        let points = get("/api/v1/me/points").send().await.expect(200);
        let boxed = get("/api/v1/me/coupons?tab=usable")
            .send()
            .await
            .expect(200);
        let mut coupons = boxed.body["coupons"].as_array().unwrap().iter();
        (
            self.shop.charges().await["balance"].as_i64().unwrap(),
            points.body["summary"]["available"].as_i64().unwrap(),
            coupons.any(|coupon| coupon["_id"] == self.issued.as_str()),
        )
    }

    /// The refund shown to the buyer before canceling.
    pub async fn preview(&self, body: Value) -> Value {
        let path = format!("/api/v1/me/orders/{}/cancel/preview", self.order);
        let head = self.shop.app.store.head().await.unwrap();
        let asked = self.shop.post(&path, &body).as_(&self.hong);
        let preview = asked.send().await.expect(200).body["preview"].take();
        assert_eq!(self.shop.app.store.head().await.unwrap(), head, "it wrote");
        preview
    }

    /// Cancels some pieces of a line.
    pub async fn cancel_pieces(&self, line: usize, pieces: u32, shown: &Value) -> Reply {
        let body = json!({
            "_purchases": [self.line(line)], "quantities": [pieces], "reason": "배송이 늦어요", "shown": shown,
        });
        let asked = self.shop.post("/api/v1/me/purchases/cancel", &body);
        asked.as_(&self.hong).send().await
    }

    pub async fn cancel(&self, line: usize, shown: &Value) -> Reply {
        let body =
            json!({ "_purchases": [self.line(line)], "reason": "배송이 늦어요", "shown": shown });
        let asked = self.shop.post("/api/v1/me/purchases/cancel", &body);
        asked.as_(&self.hong).send().await
    }

    /// Waits until the money of a cancellation is refunded, and compares everything with the preview.
    pub async fn came_back(&self, before: Purse, preview: &Value) {
        let shown = sums(preview);
        let returns = |coupon: &Value| coupon["returns"] == true;
        let coupon = preview["coupons"].as_array().unwrap().iter().any(returns);
        let expected = (
            before.0 - shown["refund"].as_i64().unwrap(),
            before.1 + shown["points"].as_i64().unwrap(),
            before.2 || coupon,
        );
        until("what was shown never came back", async || {
            (self.purse().await == expected).then_some(())
        })
        .await;
    }
}

/// The sums that are sent with a confirmation.
pub(super) fn sums(preview: &Value) -> Value {
    json!({ "refund": preview["refund"]["amount"], "points": preview["points"]["amount"] })
}

pub(super) fn sum(rows: &Value, field: &str) -> i64 {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[field].as_i64().unwrap()).sum()
}
