//! Delivery addresses of the member: private, one of them the default, and limited in number.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_gets_past_the_limit_of_destinations_by_asking_at_once() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let home = json!({ "title": "집", "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1", "isDefault": true });
    let add = || async {
        shop.post("/api/v1/me/destinations", &home)
            .as_(&hong)
            .send()
            .await
            .status
    };
    for _ in 0..45 {
        assert_eq!(add().await, 201);
    }
    let all = futures::future::join_all((0..10).map(|_| add())).await;
    let more = shop
        .post("/api/v1/me/destinations", &home)
        .as_(&hong)
        .send()
        .await
        .expect(409);
    let said = &more.body["error"]["fields"][0]["message"];
    assert!(said.as_str().unwrap().contains("50개까지"), "{}", more.text);
    assert_eq!(
        all.iter().filter(|status| **status == 201).count(),
        5,
        "{all:?}"
    );
    let mine = shop
        .get("/api/v1/me/destinations?limit=100")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let rows = mine.body["destinations"].as_array().unwrap();
    let defaults = rows.iter().filter(|row| row["isDefault"] == true).count();
    assert_eq!((rows.len(), defaults), (50, 1));
}

#[tokio::test]
async fn a_destination_is_mine_and_one_of_them_is_the_default() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let home = json!({ "title": "집", "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" });
    let added = shop
        .post("/api/v1/me/destinations", &home)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let id = added.body["destination"]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        added.body["destination"]["isDefault"], true,
        "the first one is where things go"
    );
    let path = format!("/api/v1/me/destinations/{id}");
    assert_eq!(shop.get(&path).as_(&kim).send().await.status, 404);
    assert_eq!(shop.put(&path, &home).as_(&kim).send().await.status, 404);
    assert_eq!(shop.delete(&path).as_(&kim).send().await.status, 404);
    let mut office = home.clone();
    office["title"] = json!("회사");
    office["isDefault"] = json!(true);
    shop.post("/api/v1/me/destinations", &office)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let mine = shop
        .get("/api/v1/me/destinations")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let titles: Vec<&str> = mine.body["destinations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["회사", "집"]);
    let wrong = shop.post(
        "/api/v1/me/destinations",
        &json!({ "name": "", "phone": "1", "postcode": "1", "address1": "" }),
    );
    assert_eq!(
        wrong.as_(&hong).send().await.expect(400).body["error"]["fields"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    shop.delete(&path).as_(&hong).send().await.expect(204);
    let kept: serde_json::Value = sqlx::query_scalar("SELECT party FROM destinations")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert!(
        !kept.to_string().contains("테헤란로"),
        "an address lies open"
    );
}
