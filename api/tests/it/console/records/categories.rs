//! The category tree.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::console::records::show;
use crate::support::{Reply, TestApp};

#[tokio::test]
async fn the_category_tree_grows_moves_and_makes_no_cycle() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let path = "/api/console/shop/categories";
    let add = async |code: &str, parent: &str| {
        let form = json!({ "code": code, "name": format!("분류 {code}"), "parent": parent });
        shop.post(path, &form).as_(&staff).send().await
    };
    let id = |reply: &Reply| reply.body["category"]["_id"].as_str().unwrap().to_owned();
    let top = id(&add("a", "").await.expect(201));
    let below = id(&add("b", "a").await.expect(201));
    add("c", &below).await.expect(201);
    assert_eq!(add("c", "a").await.expect(409).code(), "code_taken");
    add("d", "c").await.expect(400);
    let cycle = shop
        .put(
            &format!("{path}/{top}"),
            &json!({ "parent": below, "version": 3 }),
        )
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(cycle.body["error"]["fields"][0]["field"], "parent");
    let late = shop
        .put(
            &format!("{path}/{top}"),
            &json!({ "name": "새 이름", "version": 1 }),
        )
        .as_(&staff)
        .send()
        .await
        .expect(409);
    assert_eq!(
        (late.code(), &late.body["error"]["details"]["version"]),
        ("version_conflict", &json!(3))
    );
    shop.put(
        &format!("{path}/{below}"),
        &json!({ "name": "옮김", "parent": "", "version": 3 }),
    )
    .as_(&staff)
    .send()
    .await
    .expect(200);
    let tree = show(&shop, &staff, path).await.expect(200);
    assert_eq!(
        (
            tree.body["categories"].as_array().unwrap().len(),
            &tree.body["version"]
        ),
        (2, &json!(5))
    );
    shop.delete(&format!("{path}/{below}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    show(&shop, &staff, &format!("{path}/{below}"))
        .await
        .expect(404);
    for nowhere in [99, u64::MAX] {
        let asked = json!({ "version": nowhere });
        let ask = shop.post(&format!("{path}/{below}/restore"), &asked);
        let refused = ask.as_(&staff).send().await.expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["field"], "version");
    }
    let back = shop
        .post(&format!("{path}/{below}/restore"), &json!({ "version": 3 }))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert_eq!(
        (
            &back.body["category"]["name"],
            &back.body["category"]["depth"]
        ),
        (&json!("분류 b"), &json!(2))
    );
    let history = show(&shop, &staff, &format!("{path}/{below}/history"))
        .await
        .expect(200);
    assert_eq!(history.body["events"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_category_stands_where_it_is_put_and_goes_back_from_there() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let path = "/api/console/shop/categories";
    let mut ids = BTreeMap::new();
    for code in ["a", "b", "c"] {
        let form = json!({ "code": code, "name": format!("분류 {code}") });
        let made = shop.post(path, &form).as_(&staff).send().await.expect(201);
        let id = made.body["category"]["_id"].as_str().unwrap().to_owned();
        ids.insert(code, id);
    }
    let put = async |code: &str, form: Value| {
        let one = format!("{path}/{}", ids[code]);
        shop.put(&one, &form).as_(&staff).send().await
    };
    let order = async || {
        let tree = show(&shop, &staff, path).await.expect(200);
        let rows = tree.body["categories"].as_array().unwrap().clone();
        let codes: Vec<&str> = rows.iter().filter_map(|row| row["code"].as_str()).collect();
        codes.concat()
    };
    let first = put("c", json!({ "before": ids["a"], "version": 3 })).await;
    let version = first.expect(200).body["version"].clone();
    assert_eq!(order().await, "cab");
    // To the same place again: nothing changes.
    let again = put("c", json!({ "before": ids["a"], "version": version })).await;
    assert_eq!(again.expect(200).body["version"], version);
    // Back again, from the version created by the move.
    put(
        "c",
        json!({ "parent": "", "before": "", "version": version }),
    )
    .await
    .expect(200);
    assert_eq!(order().await, "abc");
    // Undoing a move does not overwrite a concurrent change.
    let late = put("c", json!({ "before": "", "version": version })).await;
    assert_eq!(late.expect(409).code(), "version_conflict");
    for nowhere in [
        "a",
        "00000000-0000-0000-0000-000000000009",
        ids["b"].as_str(),
    ] {
        let refused = put("b", json!({ "before": nowhere })).await.expect(400);
        assert_eq!(refused.body["error"]["fields"][0]["field"], "before");
    }
    // At most three levels: the subtree of a category moves with it.
    for (code, parent) in [("d", "a"), ("e", "d")] {
        let form = json!({ "code": code, "name": format!("분류 {code}"), "parent": parent });
        shop.post(path, &form).as_(&staff).send().await.expect(201);
    }
    for form in [
        json!({ "parent": ids["b"] }),
        json!({ "parent": ids["b"], "before": "" }),
    ] {
        let refused = put("a", form).await.expect(400);
        assert_eq!(refused.complaint(), ("parent", "category_too_deep"));
    }
    assert_eq!(order().await, "abc");
    put("b", json!({ "parent": ids["a"], "before": "" }))
        .await
        .expect(200);
    assert_eq!(order().await, "ac");
}
