//! Best sellers.

use domain::ids::ProductId;
use serde_json::json;

use crate::shop::products::shelf;

#[tokio::test]
async fn bests_are_what_sold_in_thirty_days() {
    let shelf = shelf().await;
    let hong = shelf.shop.sign_up("hong1234").await;
    let ids: Vec<ProductId> = shelf.list("sort=PRICE_ASC").await["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["_id"].as_str().unwrap().parse().unwrap())
        .collect();
    let (apple, pear, road) = (ids[0], ids[2], ids[3]);
    let mut canceled = String::new();
    for (product, quantity) in [(apple, 1), (road, 2), (pear, 4), (road, 1), (apple, 4)] {
        let placed = shelf.shop.order(&hong, product, quantity).await.expect(201);
        canceled = crate::support::shop::id_of(&placed);
        shelf.shop.pay(&hong.token, &canceled).await.expect(303);
    }
    // The last four apples are returned; an unpaid order does not count as a sale.
    shelf
        .shop
        .post(
            &format!("/api/v1/me/orders/{canceled}/cancel"),
            &json!({ "reason": "다른 상품" }),
        )
        .as_(&hong)
        .send()
        .await
        .expect(200);
    shelf.shop.order(&hong, apple, 1).await;
    let bests = async |query: &str| -> Vec<(i64, String, i64)> {
        let head = shelf.shop.app.store.head().await.unwrap();
        let reply = shelf
            .shop
            .get(&format!("/api/v1/shop/bests?{query}"))
            .header("x-wait-position", &head.to_string())
            .send()
            .await
            .expect(200);
        let rows = reply.body["products"].as_array().unwrap().iter();
        rows.map(|row| {
            (
                row["rank"].as_i64().unwrap(),
                row["_id"].as_str().unwrap().to_owned(),
                row["recentSells"].as_i64().unwrap(),
            )
        })
        .collect()
    };
    let best = |rank: i64, id: ProductId, sells: i64| (rank, id.to_string(), sells);
    shelf
        .shop
        .until(&hong.token, &canceled, "refunded", |order| {
            order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED"
                || order["status"] == "ORDER_CANCELED"
        })
        .await;
    assert_eq!(
        bests("").await,
        [best(1, pear, 4), best(2, road, 3), best(3, apple, 1)]
    );
    assert_eq!(bests("category=bike").await, [best(1, road, 3)]);
    assert_eq!(bests("skip=1&limit=1").await, [best(2, road, 3)]);
    shelf.shop.advance(time::Duration::days(31));
    assert!(bests("").await.is_empty());
    assert_eq!(shelf.staff.username, "operator1");
}
