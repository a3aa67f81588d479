//! What the shop does by itself when time goes on.

use api::commands::{Change, Command};
use domain::Actor;
use domain::event::Ledger;
use domain::member::{Member, MemberAct};
use domain::order::{Order, OrderAct};
use domain::site::Level;
use event_store::{Expected, StreamAppend};
use serde_json::json;
use time::Duration;
use uuid::Uuid;

use crate::shop_support::id_of;
use crate::support::TestApp;

async fn act(shop: &TestApp, order: &str, act: impl Fn(&Order) -> OrderAct) {
    let act = &act;
    shop.app
        .commander
        .run(
            &Command::unasked("test", Actor::System),
            |context| async move {
                let loaded = shop.app.store.load::<Order>(order).await?;
                let events = loaded.state.decide(act(&loaded.state), &context)?;
                Ok(Change::of([StreamAppend::new::<Order>(
                    order,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            },
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn a_delivered_purchase_confirms_itself_and_earns_points_once() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let gold =
        json!({ "code": "gold", "name": "골드", "index": 1, "isActive": true, "pointsPercent": 5 });
    shop.record::<Level>(&Uuid::now_v7().to_string(), gold)
        .await;
    let (member, shop_ref) = (hong.id.as_str(), &shop);
    shop.app
        .commander
        .run(
            &Command::unasked("test", Actor::System),
            |context| async move {
                let loaded = shop_member(shop_ref, member).await;
                let act = MemberAct::AssignLevel {
                    code: "gold".to_owned(),
                };
                let events = loaded.state.decide(act, &context)?;
                Ok(Change::of([StreamAppend::new::<Member>(
                    member,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            },
        )
        .await
        .unwrap();
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    let first = |order: &Order| order.purchases[0].purchase_no.clone();
    act(&shop, &order, |order| OrderAct::Prepare {
        purchase_nos: vec![first(order)],
    })
    .await;
    act(&shop, &order, |order| OrderAct::Ship {
        purchase_no: first(order),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
    })
    .await;
    act(&shop, &order, |order| OrderAct::Deliver {
        purchase_no: first(order),
        auto_confirm_days: 8,
    })
    .await;
    shop.advance(Duration::days(7));
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"]
        .as_str()
        .unwrap()
        .to_owned();
    let early = shop.my_order(&token, &order).await;
    assert_eq!(early["purchases"][0]["purchaseStatus"], "PURCHASE_SCHEDULE");
    shop.advance(Duration::days(2));
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"]
        .as_str()
        .unwrap()
        .to_owned();
    shop.until(&token, &order, "not confirmed", |order| {
        order["purchases"][0]["purchaseStatus"] == "PURCHASE_COMPLETE"
    })
    .await;
    let mut available = json!(null);
    for _ in 0..200 {
        available = shop
            .get("/api/v1/shop/points/qualify")
            .token(&token)
            .send()
            .await
            .body["available"]
            .clone();
        if available != 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    assert_eq!(available, 500, "five percent of 100.10, rounded down");
    let grants: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'PointsGranted'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(grants, 1);
    let last: i64 = sqlx::query_scalar("SELECT max(global_position) FROM events")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    let mine = shop
        .get("/api/v1/me/points")
        .header("x-wait-position", &last.to_string())
        .token(&token)
        .send()
        .await
        .expect(200);
    assert_eq!(mine.body["summary"]["totalCount"], 1);
}

async fn shop_member(shop: &TestApp, id: &str) -> event_store::Loaded<Member> {
    shop.app.store.load::<Member>(id).await.unwrap()
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
