//! Notifications of members about their orders and coupons: once, and only the categories they have not switched off.

use serde_json::{Value, json};

use crate::support::{Account, TestApp, until};

async fn alarms(shop: &TestApp, who: &Account, query: &str) -> Value {
    let path = format!("/api/v1/me/alarms?{query}");
    shop.get(&path).as_(who).send().await.expect(200).body
}

/// Waits until a member has this number of notifications.
async fn told(shop: &TestApp, who: &Account, count: usize) -> Vec<Value> {
    until(&format!("{count} alarms"), async || {
        let body = alarms(shop, who, "limit=100").await;
        let rows = body["alarms"].as_array().unwrap();
        (rows.len() >= count).then(|| rows.clone())
    })
    .await
}

/// Waits until the policy has processed the whole log.
async fn read_all(shop: &TestApp) {
    let behind = "SELECT (SELECT max(global_position) FROM events) - position FROM projection_checkpoint WHERE name = 'policy_telling'";
    until("the policy comes to the end of the log", async || {
        let behind = sqlx::query_scalar(behind).fetch_optional(shop.app.pool());
        let behind: Option<i64> = behind.await.unwrap();
        (behind == Some(0)).then_some(())
    })
    .await;
}

fn kinds(alarms: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<&str> = alarms
        .iter()
        .map(|alarm| alarm["type"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    kinds
}

#[tokio::test]
async fn a_member_is_told_once_and_reads_and_removes_it() {
    let shop = TestApp::start().await;
    let (seller, hong, kim) = (
        shop.company("seller01").await,
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&hong, &product).await;
    shop.work(
        &seller,
        &order.purchase(),
        json!({ "orderStatus": "ORDER_CONFIRM" }),
    )
    .await
    .expect(200);
    shop.ship(&seller, &order.purchase(), "123456789012")
        .await
        .expect(200);
    shop.work(
        &seller,
        &order.purchase(),
        json!({ "orderStatus": "DELIVERY_COMPLETE" }),
    )
    .await
    .expect(200);
    let coupon = shop.coupon(5, None, None).await;
    shop.post("/api/v1/me/coupons", &json!({ "_coupon": coupon }))
        .as_(&hong)
        .send()
        .await;
    let all = told(&shop, &hong, 4).await;
    assert_eq!(
        kinds(&all),
        [
            "COUPON_ISSUED",
            "ORDER_PAID",
            "PURCHASE_DELIVERED",
            "PURCHASE_SHIPPED"
        ]
    );
    let shipped = all
        .iter()
        .find(|alarm| alarm["type"] == "PURCHASE_SHIPPED")
        .unwrap();
    assert_eq!(
        (&shipped["category"], &shipped["name"], &shipped["shows"]),
        (&json!("DELIVERY"), &json!("배송"), &json!(true))
    );
    assert!(
        shipped["content"]
            .as_str()
            .unwrap()
            .contains(&order.order_no)
    );
    assert!(told(&shop, &kim, 0).await.is_empty());

    let me = async |who: &Account| {
        shop.get("/api/v1/me/info")
            .as_(who)
            .send()
            .await
            .expect(200)
            .body["user"]
            .clone()
    };
    assert_eq!(me(&hong).await["notiCount"], 4);
    let path = format!("/api/v1/me/alarms/{}", shipped["_id"].as_str().unwrap());
    shop.put(&path, &json!({ "shows": false }))
        .as_(&kim)
        .send()
        .await
        .expect(404);
    shop.delete(&path).as_(&kim).send().await.expect(404);
    shop.put(&path, &json!({}))
        .as_(&hong)
        .send()
        .await
        .expect(400);
    let read = shop
        .put(&path, &json!({ "shows": false }))
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(read.body["alarm"]["shows"], false);
    assert_eq!(me(&hong).await["notiCount"], 3);
    assert_eq!(
        alarms(&shop, &hong, "category=DELIVERY").await["summary"],
        json!({ "totalCount": 2, "unreadCount": 3 })
    );
    assert_eq!(
        alarms(&shop, &hong, "type=ORDER_PAID").await["summary"]["totalCount"],
        1
    );
    for unknown in ["ORDER_PIAD", "order_paid", ""] {
        let list = shop.get(&format!("/api/v1/me/alarms?type={unknown}"));
        let refused = list.as_(&hong).send().await.expect(400);
        assert_eq!(refused.code(), "invalid_query");
        assert_eq!(refused.complaint(), ("type", "unknown_type"));
    }
    shop.delete(&path).as_(&hong).send().await.expect(204);
    shop.delete(&path).as_(&hong).send().await.expect(404);

    // Processing the whole log again creates no notification twice, not even a removed one.
    read_all(&shop).await;
    shop.app
        .store
        .reset_projection("policy_telling", 1)
        .await
        .unwrap();
    shop.sign_up("lee12345").await;
    read_all(&shop).await;
    let after = told(&shop, &hong, 3).await;
    assert_eq!(
        kinds(&after),
        ["COUPON_ISSUED", "ORDER_PAID", "PURCHASE_DELIVERED"]
    );
}

#[tokio::test]
async fn what_a_member_does_not_want_to_be_told_is_not_told() {
    let shop = TestApp::start().await;
    let (seller, hong) = (
        shop.company("seller01").await,
        shop.sign_up("hong1234").await,
    );
    let wish = async |noti: Value| {
        shop.put("/api/v1/me", &json!({ "noti": noti }))
            .as_(&hong)
            .send()
            .await
    };
    let me = shop
        .get("/api/v1/me/info")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        me.body["user"]["noti"],
        json!({ "isShow": true, "disabledCategories": [] })
    );
    let set = wish(json!({ "disabledCategories": ["ORDER"] }))
        .await
        .expect(200);
    assert_eq!(
        set.body["user"]["noti"],
        json!({ "isShow": true, "disabledCategories": ["ORDER"] })
    );
    wish(json!({ "disabledCategories": ["WEATHER"] }))
        .await
        .expect(400);
    wish(json!(null)).await.expect(400);
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&hong, &product).await;
    shop.work(
        &seller,
        &order.purchase(),
        json!({ "orderStatus": "ORDER_CONFIRM" }),
    )
    .await
    .expect(200);
    shop.ship(&seller, &order.purchase(), "123456789012")
        .await
        .expect(200);
    assert_eq!(kinds(&told(&shop, &hong, 1).await), ["PURCHASE_SHIPPED"]);
    let set = wish(json!({ "isShow": false })).await.expect(200);
    assert_eq!(
        set.body["user"]["noti"],
        json!({ "isShow": false, "disabledCategories": ["ORDER"] })
    );
    shop.work(
        &seller,
        &order.purchase(),
        json!({ "orderStatus": "DELIVERY_COMPLETE" }),
    )
    .await
    .expect(200);
    read_all(&shop).await;
    assert_eq!(told(&shop, &hong, 1).await.len(), 1);
}

#[tokio::test]
async fn sellers_are_told_of_what_they_have_to_act_on() {
    let shop = TestApp::start().await;
    let (seller, other, hong) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
        shop.sign_up("hong1234").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let order = shop.paid_order(&hong, &product).await;
    let paid = &told(&shop, &seller, 1).await[0];
    assert_eq!(
        [&paid["type"], &paid["category"], &paid["name"]],
        ["SALE_ORDERED", "SALES", "판매"]
    );
    let text = format!("사과 한 상자 (주문번호 {})", order.order_no);
    assert_eq!(paid["content"], text);
    assert_eq!(paid["url"], format!("/console/shop/orders/{}", order.id));
    let question = json!({
        "_product": product["_id"], "subject": "언제 오나요", "content": "내일 필요합니다", "secret": true,
    });
    let asked = shop.post("/api/v1/shop/inquires", &question).as_(&hong);
    let asked = asked.send().await.expect(201);
    let inquire = asked.body["inquire"]["_id"].as_str().unwrap();
    let alarms = told(&shop, &seller, 2).await;
    assert_eq!(kinds(&alarms), ["SALE_ORDERED", "SALE_QUESTION"]);
    let url = format!("/console/shop/inquires/{inquire}");
    let of_question = alarms.iter().find(|alarm| alarm["url"] == url).unwrap();
    // A secret question is not repeated.
    assert_eq!(of_question["content"], "사과 한 상자");
    // Switched off, like any category.
    let off = json!({ "noti": { "disabledCategories": ["SALES"] } });
    let off = shop.put("/api/v1/me", &off).as_(&seller);
    off.send().await.expect(200);
    shop.paid_order(&hong, &product).await;
    read_all(&shop).await;
    assert_eq!(told(&shop, &seller, 2).await.len(), 2);
    assert!(told(&shop, &other, 0).await.is_empty());
}
