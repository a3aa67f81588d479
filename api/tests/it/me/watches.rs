//! Recently viewed products.

use serde_json::{Value, json};

use crate::me::likes::settled;
use crate::support::{Account, TestApp};

#[tokio::test]
async fn what_i_looked_at_is_newest_first_at_most_fifty_and_can_be_forgotten() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let seller = shop.seller().await;
    let mut products = Vec::new();
    for _ in 0..53 {
        products.push(shop.product(seller, 1_000, 5).await);
    }
    settled(&shop, 53).await;
    let looked = async |body: Value| {
        shop.post("/api/v1/me/watches", &body)
            .as_(&hong)
            .send()
            .await
    };
    let seen = async |who: &Account| -> (Value, Vec<Value>) {
        let reply = shop
            .get("/api/v1/me/watches?limit=100")
            .as_(who)
            .send()
            .await
            .expect(200);
        let rows = reply.body["watches"].as_array().unwrap().iter();
        (
            reply.body["summary"]["totalCount"].clone(),
            rows.map(|row| row["_product"].clone()).collect(),
        )
    };
    // Sent at sign-in: the most recently viewed one comes first, and products that are not sold any more are left out.
    let local =
        json!({ "_products": [products[2], uuid::Uuid::now_v7(), products[1], products[2]] });
    let answered = looked(local).await.expect(200);
    assert_eq!(answered.body["summary"]["totalCount"], 2);
    assert_eq!(answered.body["watches"][0]["_product"], json!(products[2]));
    assert_eq!(
        seen(&hong).await.1,
        [json!(products[2]), json!(products[1])]
    );
    shop.advance(time::Duration::SECOND);
    looked(json!({ "_product": products[1] })).await.expect(200);
    assert_eq!(
        seen(&hong).await.1,
        [json!(products[1]), json!(products[2])]
    );
    for product in &products[3..] {
        shop.advance(time::Duration::SECOND);
        looked(json!({ "_product": product })).await.expect(200);
    }
    let (count, rows) = seen(&hong).await;
    assert_eq!((count, rows.len()), (json!(50), 50));
    assert_eq!(rows[0], json!(products[52]));
    assert!(!rows.contains(&json!(products[1])), "the oldest go first");
    looked(json!({ "_product": uuid::Uuid::now_v7() }))
        .await
        .expect(404);
    looked(json!({})).await.expect(400);
    looked(json!({ "_products": vec![products[0]; 51] }))
        .await
        .expect(400);
    assert_eq!(seen(&kim).await.0, json!(0), "another member's");
    shop.delete("/api/v1/me/watches")
        .as_(&kim)
        .send()
        .await
        .expect(204);
    assert_eq!(seen(&hong).await.0, json!(50));
    shop.delete("/api/v1/me/watches")
        .as_(&hong)
        .send()
        .await
        .expect(204);
    assert_eq!(seen(&hong).await.0, json!(0));
}
