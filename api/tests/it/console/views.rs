//! Saved views of the console's lists.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn views_are_read_by_those_they_are_shared_with_and_changed_by_their_owner() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let form = json!({ "page": "brand", "name": "내 보기", "query": "sort=-name", "columns": ["name", "code"], "shared": true });
    let view = shop
        .post("/api/console/views", &form)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let own = format!(
        "/api/console/views/{}",
        view.body["view"]["_id"].as_str().unwrap()
    );
    assert_eq!(
        (&view.body["view"]["mine"], &view.body["view"]["columns"]),
        (&json!(true), &json!(["name", "code"]))
    );
    let views = shop
        .get("/api/console/views?page=brand")
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(views.body["views"].as_array().unwrap().len(), 1);
    let others = shop
        .get("/api/console/views?page=brand")
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(others.body["views"], json!([]));
    shop.put(&own, &form).as_(&seller).send().await.expect(404);
    shop.delete(&own).as_(&seller).send().await.expect(404);
    shop.post("/api/console/views", &form)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    shop.get("/api/console/views")
        .as_(&staff)
        .send()
        .await
        .expect(400);
    shop.put(&own, &json!({ "page": "brand", "name": "다른 이름" }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    let left = shop.delete(&own).as_(&staff).send().await.expect(200);
    assert_eq!(left.body["views"], json!([]));
}
