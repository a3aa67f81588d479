//! Bulk actions: records are changed and removed, each with its own event.

use serde_json::{Value, json};

use crate::support::kinds::{can, ids, kinds, listed, some, text};
use crate::support::{Account, TestApp};

#[tokio::test]
async fn many_are_changed_and_removed_at_once_each_with_its_own_event() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds()
        .iter()
        .filter(|kind| can(kind, "bulk") && can(kind, "create"))
    {
        is_changed_at_once(&shop, &staff, kind).await;
    }
}

#[tokio::test]
async fn all_that_match_are_changed_a_part_at_a_time_each_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let brand = kinds().into_iter().find(|kind| kind["name"] == "brand");
    let brand = brand.unwrap();
    let (mut made, at) = some(&shop, &staff, &brand, 51).await;
    made.sort();
    let seen = listed(&shop, &staff, &brand, "", &at).await;
    assert_eq!(seen.body["summary"]["totalCount"], 51);
    let path = format!("{}/bulk", text(&brand, "path"));
    let mut all = json!({ "action": "delete", "matching": { "filters": {} } });
    let ask = |all: &Value| shop.post(&path, all).as_(&staff).send();
    let first = ask(&all).await.expect(200);
    assert_eq!(
        (&first.body["done"], &first.body["next"]),
        (&json!(made[..50]), &json!(made[49]))
    );
    all["after"] = first.body["next"].clone();
    let last = ask(&all).await.expect(200);
    assert_eq!(
        last.body,
        json!({ "done": [made[50]], "failed": [], "next": null })
    );
    let products = "/api/console/shop/products/bulk";
    all["after"] = json!("nowhere");
    let unclear = shop.post(products, &all).as_(&staff).send();
    let unclear = unclear.await.expect(400);
    assert_eq!(unclear.body["error"]["fields"][0]["field"], "after");
}

/// Three records of a kind are changed and removed together.
pub async fn is_changed_at_once(shop: &TestApp, staff: &Account, kind: &Value) {
    let path = format!("{}/bulk", text(kind, "path"));
    let (made, at) = some(shop, staff, kind, 3).await;
    let nobody = uuid::Uuid::now_v7().to_string();
    let form = json!({ "action": "update", "fields": { "name": "한꺼번에" }, "reason": "이름 정리",
        "ids": [made[0], made[0], made[1], nobody] });
    let bulk = || shop.post(&path, &form).as_(staff).key("bulk-update").send();
    let reply = bulk().await.expect(200);
    assert_eq!(
        (&reply.body["done"], &reply.body["failed"][0]["code"]),
        (&json!(made[..2]), &json!("not_found")),
        "{}",
        reply.text
    );
    let again = bulk().await.expect(200);
    assert_eq!(
        (again.body, again.headers.get("idempotent-replay").is_some()),
        (reply.body.clone(), true)
    );
    let history = shop
        .get(&format!("{}/{}/history", text(kind, "path"), made[0]))
        .as_(staff)
        .send()
        .await;
    let events = history.body["events"].as_array().unwrap();
    assert_eq!(
        (
            events.len(),
            &events[1]["reason"],
            &events[1]["actor"]["kind"]
        ),
        (2, &json!("이름 정리"), &json!("operator"))
    );
    let found = listed(
        shop,
        staff,
        kind,
        "searchValue=%ED%95%9C%EA%BA%BC%EB%B2%88%EC%97%90",
        &reply.position(),
    )
    .await;
    assert_eq!(found.body["summary"]["totalCount"], 2, "{at}");

    let all =
        json!({ "action": "delete", "matching": { "searchValue": "한꺼번에", "filters": {} } });
    let reply = shop.post(&path, &all).as_(staff).send().await.expect(200);
    assert_eq!(
        (&reply.body["done"], &reply.body["failed"]),
        (&json!(made[..2]), &json!([]))
    );
    let left = listed(shop, staff, kind, "", &reply.position()).await;
    assert_eq!(ids(&left, kind), [made[2].clone()], "{}", kind["name"]);
    come_back(shop, staff, kind, &made, &reply.position()).await;

    for (wrong, field) in [
        (
            json!({ "action": "update", "ids": [], "fields": { "_id": "x" } }),
            "fields._id",
        ),
        (
            json!({ "action": "delete", "ids": vec!["x"; 1_001] }),
            "ids",
        ),
        (json!({ "action": "delete" }), "ids"),
        (
            json!({ "action": "delete", "matching": { "filters": { "secret": 1 } } }),
            "secret",
        ),
    ] {
        let reply = shop.post(&path, &wrong).as_(staff).send().await.expect(400);
        assert_eq!(
            reply.body["error"]["fields"][0]["field"], field,
            "{}",
            reply.text
        );
    }
}

/// The first two of `made` were removed: they are listed, and restored together.
async fn come_back(shop: &TestApp, staff: &Account, kind: &Value, made: &[String], at: &str) {
    let gone = listed(shop, staff, kind, "removed=true", at).await;
    let mut found = ids(&gone, kind);
    found.sort();
    assert_eq!(found, made[..2], "{}", gone.text);
    let records = gone.body[text(kind, "many")].as_array().unwrap();
    assert!(records.iter().all(|one| one["removed"] == true));
    let path = text(kind, "path");
    let unclear = shop.get(&format!("{path}?removed=perhaps")).as_(staff);
    unclear.send().await.expect(400);
    let back = json!({ "action": "restore",
        "matching": { "searchValue": "한꺼번에", "filters": { "removed": "true" } } });
    let back = shop.post(&format!("{path}/bulk"), &back).as_(staff).send();
    let back = back.await.expect(200);
    assert_eq!(
        (&back.body["done"], &back.body["failed"]),
        (&json!(made[..2]), &json!([]))
    );
    for (query, count) in [("", 3), ("removed=true", 0)] {
        let now = listed(shop, staff, kind, query, &back.position()).await;
        assert_eq!(now.body["summary"]["totalCount"], count, "{query}");
    }
}
