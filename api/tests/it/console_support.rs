//! Sellers who set their shop up, and orders they work on.

use serde_json::{Value, json};

use crate::shop_support::id_of;
use crate::support::{Account, Reply, TestApp};

/// An order that was paid.
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
    /// A seller's product, made in the console, with ten in stock.
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

    /// Orders two of a product and pays.
    pub async fn paid_order(&self, buyer: &Account, product: &Value) -> PaidOrder {
        let form =
            crate::shop_support::order_form(product["_id"].as_str().unwrap().parse().unwrap(), 2);
        let placed = self
            .post("/api/v1/shop/orders", &form)
            .as_(buyer)
            .send()
            .await
            .expect(201);
        let id = id_of(&placed);
        self.pay(&buyer.token, &id).await.expect(303);
        // the console finds purchases in a read model
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
