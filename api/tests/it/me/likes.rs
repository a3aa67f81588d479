//! Likes of the member: private, and correct with concurrent requests.

use domain::ids::ProductId;
use serde_json::{Value, json};

use crate::support::{Account, TestApp, until};

async fn like(shop: &TestApp, who: &Account, product: ProductId) -> Value {
    let body = json!({ "_product": product });
    shop.post("/api/v1/me/likes", &body)
        .as_(who)
        .send()
        .await
        .expect(200)
        .body["like"]
        .clone()
}

/// A product's card, as returned to a member or a guest.
async fn card(shop: &TestApp, who: Option<&Account>, product: ProductId) -> Value {
    let mut ask = shop.get(&format!("/api/v1/shop/products?_id={product}"));
    if let Some(account) = who {
        ask = ask.as_(account);
    }
    ask.send().await.expect(200).body["products"][0].clone()
}

/// Waits until the read model has all products.
pub async fn settled(shop: &TestApp, products: usize) {
    until("the products are listed", async || {
        let listed = shop.get("/api/v1/shop/products").send().await.expect(200);
        (listed.body["summary"]["totalCount"] == json!(products)).then_some(())
    })
    .await;
}

/// The existence of a product is checked in the log: a read model that lags behind causes no rejection.
#[tokio::test]
async fn a_product_is_liked_before_the_read_model_has_it() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let seller = shop.seller().await;
    let still = shop.stands_still("products").await;
    let product = shop.product(seller, 1_000, 5).await;
    let first = like(&shop, &hong, product).await;
    assert_eq!(first["_product"], json!(product));
    still.rollback().await.unwrap();
}

#[tokio::test]
async fn a_like_toggles_is_counted_and_is_mine() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let seller = shop.seller().await;
    let product = shop.product(seller, 1_000, 5).await;
    settled(&shop, 1).await;
    shop.post("/api/v1/me/likes", &json!({ "_product": product }))
        .send()
        .await
        .expect(401);
    shop.post(
        "/api/v1/me/likes",
        &json!({ "_product": uuid::Uuid::now_v7() }),
    )
    .as_(&hong)
    .send()
    .await
    .expect(404);
    let first = like(&shop, &hong, product).await;
    like(&shop, &kim, product).await;
    assert_eq!(first["_product"], json!(product));
    assert_eq!(
        card(&shop, Some(&hong), product).await["meta"],
        json!({ "likeCount": 2, "liked": true, "reviewCount": 0, "star": 0 })
    );
    assert_eq!(
        card(&shop, None, product).await["meta"],
        json!({ "likeCount": 2, "liked": false, "reviewCount": 0, "star": 0 })
    );
    assert_eq!(
        like(&shop, &hong, product).await,
        Value::Null,
        "liked again: no longer"
    );
    assert_eq!(
        card(&shop, Some(&hong), product).await["meta"],
        json!({ "likeCount": 1, "liked": false, "reviewCount": 0, "star": 0 })
    );
    let mine = shop
        .get("/api/v1/me/likes")
        .as_(&kim)
        .send()
        .await
        .expect(200);
    assert_eq!(mine.body["likes"][0]["product"]["meta"]["liked"], true);
    let own = format!(
        "/api/v1/me/likes/{}",
        mine.body["likes"][0]["_id"].as_str().unwrap()
    );
    shop.delete(&own).as_(&hong).send().await.expect(404);
    assert_eq!(
        shop.delete(&own).as_(&kim).send().await.expect(200).body["like"]["_product"],
        json!(product)
    );
    shop.delete(&own).as_(&kim).send().await.expect(404);
    let none = shop
        .get("/api/v1/me/likes")
        .as_(&kim)
        .send()
        .await
        .expect(200);
    assert_eq!(none.body["summary"]["totalCount"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clicks_at_once_are_as_many_toggles() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let seller = shop.seller().await;
    let product = shop.product(seller, 1_000, 5).await;
    settled(&shop, 1).await;
    for (clicks, liked) in [(8, false), (7, true)] {
        let all = (0..clicks).map(|_| like(&shop, &hong, product));
        futures::future::join_all(all).await;
        assert_eq!(
            card(&shop, Some(&hong), product).await["meta"]["liked"],
            json!(liked),
            "{clicks}"
        );
    }
}
