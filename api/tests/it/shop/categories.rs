//! The catalogue by its categories.

use crate::support::{TestApp, until};

#[tokio::test]
async fn the_catalogue_is_read_by_category_name_and_code() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 2).await;
    let listed = until("the apples are found", async || {
        let listed = shop.get("/api/v1/shop/products?searchValue=사과");
        let listed = listed.send().await.body;
        (listed["summary"]["totalCount"] == 1).then_some(listed)
    })
    .await;
    assert_eq!(listed["products"][0]["_id"], apples.to_string());
    let shown = shop
        .get(&format!("/api/v1/shop/products/{apples}"))
        .send()
        .await
        .expect(200);
    assert_eq!(shown.body["product"]["stock"], 2);
    for path in [
        "/api/v1/setting",
        "/api/v1/shop/categories",
        "/api/v1/shop/islands",
        "/api/v1/shop/shippings",
        "/api/v1/shop/coupons",
    ] {
        shop.get(path).send().await.expect(200);
    }
    let by_code = shop
        .get(&format!(
            "/api/v1/shop/products?code=P-{apples}&sort=PRICE_ASC"
        ))
        .send()
        .await
        .expect(200);
    assert_eq!(by_code.body["summary"]["totalCount"], 1);
}
