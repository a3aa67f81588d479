//! Sellers who set up their shop, and orders they process.

use serde_json::{Value, json};

use crate::support::shop::id_of;
use crate::support::{Account, Reply, TestApp};

/// A paid order.
pub struct PaidOrder {
    pub id: String,
    pub order_no: String,
}

impl PaidOrder {
    /// The number of its only purchase.
    pub fn purchase(&self) -> String {
        format!("{}-1", self.order_no)
    }
}

impl TestApp {
    /// A seller's product, created in the console, with ten in stock.
    pub async fn console_product(&self, seller: &Account, code: &str) -> Value {
        let group = json!({
            "name": "기본 배송", "isDefault": true, "isActive": true,
            "options": [{ "name": "택배", "chargeType": "fixed", "fixedAmount": 250 }],
        });
        self.post("/api/console/shop/shippings", &group)
            .as_(seller)
            .send()
            .await
            .expect(201);
        let product = json!({ "code": code, "name": "사과 한 상자", "price": 1_000, "shows": true, "stock": 10 });
        let reply = self
            .post("/api/console/shop/products", &product)
            .as_(seller)
            .send()
            .await
            .expect(201);
        reply.body["product"].clone()
    }

    /// Orders two pieces of a product and pays.
    pub async fn paid_order(&self, buyer: &Account, product: &Value) -> PaidOrder {
        let form =
            crate::support::shop::order_form(product["_id"].as_str().unwrap().parse().unwrap(), 2);
        let placed = self
            .post("/api/v1/shop/orders", &form)
            .as_(buyer)
            .send()
            .await
            .expect(201);
        let id = id_of(&placed);
        self.pay(&buyer.token, &id).await.expect(303);
        // The console finds purchases in a read model.
        self.settled().await;
        PaidOrder {
            id,
            order_no: placed.body["order"]["orderNo"].as_str().unwrap().to_owned(),
        }
    }

    /// Changes a purchase in the console.
    pub async fn work(&self, who: &Account, purchase: &str, change: Value) -> Reply {
        self.put(&format!("/api/console/shop/purchases/{purchase}"), &change)
            .as_(who)
            .send()
            .await
    }

    /// Ships a purchase in the console.
    pub async fn ship(&self, who: &Account, purchase: &str, invoice: &str) -> Reply {
        let parcel = json!({ "courier": "kr.cjlogistics", "invoiceNo": invoice });
        self.put(&format!("/api/console/shop/invoices/{purchase}"), &parcel)
            .as_(who)
            .send()
            .await
    }
}

pub fn product(price: i64, discount: Value) -> Value {
    json!({
        "code": "KRW-1", "name": "원화 상품", "price": price, "discount": discount, "shows": true, "stock": 100,
        "content": "<h2>안내</h2><p onclick=\"x()\">글<script>alert(1)</script></p><img src=/pictures/a.webp onerror=alert(1)>\
            <a href=\"javascript:alert(1)\">링크</a><iframe src=\"https://evil.example\"></iframe>",
    })
}

/// A seller with free shipping.
pub async fn seller(shop: &TestApp) -> crate::support::Account {
    let seller = shop.company("hangang01").await;
    let group = json!({
        "name": "기본 배송", "isDefault": true, "isActive": true,
        "options": [{ "name": "무료", "fixedAmount": 0 }],
    });
    shop.post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    seller
}

pub fn percent(value: u8) -> Value {
    json!({ "unit": "PERCENT", "value": value, "limit": null })
}

/// A seller whose shipping group has these options, from a warehouse at Seoul's city hall.
pub async fn seller_with(shop: &TestApp, name: &str, options: Value) -> crate::support::Account {
    let seller = shop.company(name).await;
    let group = json!({
        "name": "기본 배송", "isDefault": true, "isActive": true, "options": options,
        "warehouse": { "name": "서울 창고", "code": "SEL", "geolocation": { "longitude": 126.978, "latitude": 37.5665 } },
    });
    shop.post("/api/console/shop/shippings", &group)
        .as_(&seller)
        .send()
        .await
        .expect(201);
    seller
}

pub fn by_distance() -> Value {
    json!({
        "name": "자체 배송", "method": "COMPANY", "chargeType": "travel-range",
        "travelRange": [{ "distance": 0, "amount": 300 }, { "distance": 10, "amount": 500 }, { "distance": 300, "amount": 900 }],
    })
}
