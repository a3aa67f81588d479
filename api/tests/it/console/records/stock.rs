//! Stock counts in a product's form.

use serde_json::{Value, json};

use crate::support::TestApp;

#[tokio::test]
async fn stock_is_counted_with_the_product_and_a_code_has_one_owner() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let option = |value: &str, stock: u32| json!({ "name": "크기", "value": value, "price": 0, "enabled": true, "stock": stock });
    let form = json!({
        "code": "B-1", "name": "배 한 상자", "price": 500, "shows": true, "optionsConf": { "enabled": true, "sort": "OTHER" },
        "discount": { "unit": "PERCENT", "value": 15 },
        "options": [option("소", 3), option("대", 5)],
    });
    let path = "/api/console/shop/products";
    let made = shop.post(path, &form).as_(&seller).send().await.expect(201);
    let counts = made.body["product"]["stock"].as_array().unwrap().clone();
    assert_eq!(
        counts
            .iter()
            .map(|count| count["available"].as_i64().unwrap())
            .collect::<Vec<_>>(),
        [3, 5]
    );
    let taken = shop.post(path, &form).as_(&seller).send().await.expect(409);
    assert_eq!(taken.code(), "code_taken");

    let own = format!("{path}/{}", made.body["product"]["_id"].as_str().unwrap());
    let recount = json!({ "version": 1, "name": "배 두 상자", "stock": [{ "_stock": counts[0]["_stock"], "quantity": 30 }] });
    let revised = shop
        .put(&own, &recount)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(revised.body["product"]["stock"][0]["available"], 30);
    let listed = shop
        .get(path)
        .as_(&seller)
        .header("x-wait-position", &revised.position())
        .send()
        .await;
    for product in [&revised.body["product"], &listed.body["products"][0]] {
        assert_eq!(
            (&product["salePrice"], &product["discountRate"]),
            (&json!(425), &json!(15))
        );
    }
    let last = shop.app.store.read_all(0, i64::MAX, 10_000).await.unwrap();
    let [.., one, two] = last.as_slice() else {
        panic!("two events")
    };
    assert_eq!(
        one.metadata.command_id, two.metadata.command_id,
        "one append"
    );
    let stranger =
        json!({ "version": 2, "stock": [{ "_stock": uuid::Uuid::now_v7(), "quantity": 1 }] });
    let refused = shop
        .put(&own, &stranger)
        .as_(&seller)
        .send()
        .await
        .expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"],
        "stock.0._stock"
    );
    let pile = |more: Value| {
        let mut pile = json!({ "_stock": counts[0]["_stock"] });
        pile.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        json!({ "version": 2, "stock": [pile] })
    };
    for (count, code) in [
        (json!({}), "required"),
        // Orders took some since the form was opened.
        (json!({ "quantity": 40, "available": 3 }), "changed"),
    ] {
        let refused = shop.put(&own, &pile(count)).as_(&seller).send();
        let refused = refused.await.expect(400);
        let complaint = &refused.body["error"]["fields"][0];
        assert_eq!(complaint["field"], "stock.0.quantity");
        assert_eq!(complaint["code"], code);
    }
    let seen = pile(json!({ "quantity": 30, "available": 30 }));
    shop.put(&own, &seen).as_(&seller).send().await.expect(200);

    shop.put(&own, &json!({ "version": 2, "code": "B-2" }))
        .as_(&seller)
        .send()
        .await
        .expect(200);
    let next = shop.post(path, &form).as_(&seller).send().await.expect(201);
    let back = shop
        .post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&seller)
        .send()
        .await
        .expect(409);
    assert_eq!(
        (back.code(), &back.body["error"]["fields"][0]["field"]),
        ("code_taken", &json!("code"))
    );
    shop.delete(&format!(
        "{path}/{}",
        next.body["product"]["_id"].as_str().unwrap()
    ))
    .as_(&seller)
    .send()
    .await
    .expect(200);
    shop.post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&seller)
        .send()
        .await
        .expect(200);
}
