//! Stores.

use serde_json::{Value, json};

use crate::support::window::{made, put_up, seen};
use crate::support::{Account, TestApp};

#[tokio::test]
async fn stores_are_shown_by_their_index_or_by_how_near_they_are() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (hangang, jeju) = (
        shop.company("hangang1").await,
        shop.company("jejuride").await,
    );
    let store = |seller: &Account, name: &str, index: i32, place: Value| {
        json!({
            "_seller": seller.id, "name": name, "address1": "강변로 1", "thumb": { "url": "/pictures/JU-01.webp" },
            "geolocation": place, "shows": true, "index": index, "isRecommended": index > 1,
        })
    };
    let (yeouido, airport) = (
        json!({ "latitude": 37.5284, "longitude": 126.9349 }),
        json!({ "latitude": 33.5070, "longitude": 126.4930 }),
    );
    for (seller, name, index, place) in [
        (&hangang, "여의도점", 1, yeouido),
        (&jeju, "공항점", 3, airport),
        (&hangang, "자리 없는 곳", 2, Value::Null),
    ] {
        put_up(
            &shop,
            &staff,
            "shop/stores",
            &store(seller, name, index, place),
        )
        .await;
    }
    let mut hidden = store(&hangang, "닫은 곳", 9, Value::Null);
    hidden["shows"] = json!(false);
    let (hidden, position) = put_up(&shop, &staff, "shop/stores", &hidden).await;

    let found = async |query: &str| {
        let body = seen(&shop, &position, &format!("shop/stores?{query}")).await;
        let stores = body["stores"].as_array().unwrap().clone();
        assert_eq!(
            body["summary"]["totalCount"],
            json!(stores.len()),
            "{query}"
        );
        stores
    };
    let names = async |query: &str| -> Vec<String> {
        let text = |store: &Value| store["name"].as_str().unwrap().to_owned();
        found(query).await.iter().map(text).collect()
    };
    assert_eq!(names("").await, ["공항점", "자리 없는 곳", "여의도점"]);
    let seoul = "near=37.5665,126.978";
    assert_eq!(names(seoul).await, ["공항점", "여의도점"]);
    assert_eq!(
        names(&format!("{seoul}&sort=distance")).await,
        ["여의도점", "공항점"]
    );
    // 200 km (spec V269): Jeju is farther, Yeouido is 5.7 km away
    let near = found(&format!("{seoul}&within=200")).await;
    assert_eq!((near.len(), &near[0]["nickname"]), (1, &json!("hangang1")));
    let km = near[0]["distance"].as_f64().unwrap();
    assert!((5.0..6.5).contains(&km), "{km}");
    assert!(found("").await[0]["distance"].is_null());
    assert_eq!(names("recommended=true").await, ["공항점", "자리 없는 곳"]);
    assert_eq!(
        names("searchKey=nickname&searchValue=JEJU").await,
        ["공항점"]
    );
    assert!(names("searchKey=name&searchValue=jeju").await.is_empty());

    let read = |path: String| shop.get(&path).header("x-wait-position", &position).send();
    let one = found("").await[0]["_id"].as_str().unwrap().to_owned();
    let shown = read(format!("/api/v1/shop/stores/{one}")).await.expect(200);
    assert_eq!(shown.body["store"]["name"], "공항점");
    read(format!("/api/v1/shop/stores/{hidden}"))
        .await
        .expect(404);
    for wrong in [
        "near=37.5",
        "near=91,0",
        "near=NaN,0",
        "sort=name",
        "within=-1",
    ] {
        let refused = read(format!("/api/v1/shop/stores?{wrong}"))
            .await
            .expect(400);
        assert_eq!(refused.code(), "invalid_query", "{wrong}");
    }
    // A seller manages their own store, but not its sort order.
    let own = store(&jeju, "협재점", 9, Value::Null);
    let kept = made(&shop, &jeju, "shop/stores", &own).await.expect(201);
    let kept = &kept.body["store"];
    assert_eq!(
        (&kept["index"], &kept["isRecommended"], &kept["_seller"]),
        (&json!(0), &json!(false), &json!(jeju.id))
    );
    let path = format!("/api/console/shop/stores/{}", kept["_id"].as_str().unwrap());
    let many = json!({
        "action": "update", "ids": [kept["_id"]], "fields": { "index": 9, "name": "협재 본점" },
    });
    let path_of_many = "/api/console/shop/stores/bulk";
    let refused = shop.post(path_of_many, &many).as_(&jeju).send().await;
    let refused = refused.expect(200).body;
    assert_eq!(
        (&refused["done"], &refused["failed"][0]["message"]),
        (&json!([]), &json!("변경할 수 없는 항목입니다."))
    );
    let unchanged = shop.get(&path).as_(&jeju).send().await.expect(200);
    assert_eq!(unchanged.body["store"], *kept);
    // Also if its document is older than this field.
    sqlx::query("UPDATE events SET payload = (payload::jsonb #- '{Created,data,isRecommended}')::json WHERE aggregate_id = $1")
        .bind(kept["_id"].as_str().unwrap())
        .execute(shop.app.pool())
        .await
        .unwrap();
    let first = json!({ "version": 1, "isRecommended": true });
    let refused = shop.put(&path, &first).as_(&jeju).send().await.expect(400);
    assert_eq!(refused.complaint(), ("isRecommended", "read_only"));
    shop.put(&path, &first)
        .as_(&hangang)
        .send()
        .await
        .expect(404);
    shop.put(&path, &first).as_(&staff).send().await.expect(200);
    let nowhere = store(
        &hangang,
        "없는 곳",
        1,
        json!({ "latitude": 91, "longitude": 0 }),
    );
    let refused = made(&shop, &staff, "shop/stores", &nowhere)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("geolocation", "not_a_place"));
}
