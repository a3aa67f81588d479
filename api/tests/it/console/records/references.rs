//! Choices from other lists: the seller of a product, members by nickname; and records that cannot be removed while they are used.

use serde_json::{Value, json};

use crate::support::{Account, Reply, TestApp};

const PRODUCTS: &str = "/api/console/shop/products";
const SELLERS: &str = "/api/console/shop/sellers";
const SHIPPINGS: &str = "/api/console/shop/shippings";

fn wrong(reply: &Reply) -> (&str, &str) {
    let field = &reply.body["error"]["fields"][0];
    (
        field["field"].as_str().unwrap_or("-"),
        field["code"].as_str().unwrap_or("-"),
    )
}

fn id(reply: &Reply, one: &str) -> String {
    reply.body[one]["_id"].as_str().unwrap().to_owned()
}

/// Waits until the read models have reached the head of the log.
async fn caught_up(shop: &TestApp) {
    let head = shop.app.store.head().await.unwrap();
    let models = ["members", "records", "coupon_box"];
    let patience = std::time::Duration::from_secs(5);
    shop.app
        .store
        .wait_for(&models, head, patience)
        .await
        .unwrap();
}

async fn names(shop: &TestApp, who: &Account, query: &str) -> Vec<String> {
    let listed = shop.get(&format!("{SELLERS}{query}")).as_(who).send().await;
    let rows = listed.expect(200).body["sellers"].clone();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row["name"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn staff_chooses_whose_a_product_is_and_its_history_tells() {
    let shop = TestApp::start().await;
    let (staff, hangang, namsan) = (
        shop.console().await,
        shop.company("hangang1").await,
        shop.company("namsan01").await,
    );
    let person = shop.sign_up("hong1234").await;
    let form = |seller: Value| json!({ "code": "B-1", "name": "로드 하나", "price": 500, "shows": true, "_seller": seller });
    for stranger in [json!(person.id), json!(uuid::Uuid::now_v7())] {
        let refused = shop
            .post(PRODUCTS, &form(stranger))
            .as_(&staff)
            .send()
            .await;
        assert_eq!(wrong(&refused.expect(400)), ("_seller", "unknown"));
    }
    let made = shop.post(PRODUCTS, &form(json!(hangang.id))).as_(&staff);
    let own = format!(
        "{PRODUCTS}/{}",
        id(&made.send().await.expect(201), "product")
    );
    let given = json!({ "version": 1, "_seller": namsan.id });
    shop.put(&own, &given).as_(&staff).send().await.expect(200);
    let told = shop.get(&format!("{own}/history")).as_(&staff).send().await;
    let last = told.expect(200).body["events"][1].clone();
    assert_eq!(
        last["changes"]["_seller"],
        json!({ "from": hangang.id, "to": namsan.id })
    );
    assert_eq!(
        (&last["command"], &last["commandTitle"]),
        (&json!("revise-product"), &json!("상품 수정"))
    );
    shop.get(&own).as_(&hangang).send().await.expect(404);
    shop.get(&own).as_(&namsan).send().await.expect(200);

    // Staff find sellers by a substring of the name, a seller finds only themselves.
    let all = ["hangang1", "namsan01", "운영자"];
    assert_eq!(names(&shop, &staff, "").await, all);
    assert_eq!(names(&shop, &staff, "?searchValue=NAM").await, ["namsan01"]);
    assert_eq!(names(&shop, &namsan, "").await, ["namsan01"]);
    let one =
        async |who: &Account, id: &str| shop.get(&format!("{SELLERS}/{id}")).as_(who).send().await;
    assert_eq!(
        one(&staff, &hangang.id).await.expect(200).body["seller"]["name"],
        "hangang1"
    );
    one(&namsan, &hangang.id).await.expect(404);
    one(&staff, &person.id).await.expect(404);
}

#[tokio::test]
async fn a_product_is_delivered_by_a_group_of_its_own_seller() {
    let shop = TestApp::start().await;
    let (staff, hangang, namsan) = (
        shop.console().await,
        shop.company("hangang1").await,
        shop.company("namsan01").await,
    );
    let group = async |seller: &Account| {
        let option = json!({ "name": "택배", "chargeType": "fixed", "fixedAmount": 300 });
        let form = json!({ "name": "느린 배송", "isActive": true, "options": [option] });
        let made = shop.post(SHIPPINGS, &form).as_(seller).send().await;
        id(&made.expect(201), "shipping")
    };
    let (hangangs, namsans) = (group(&hangang).await, group(&namsan).await);
    let form = json!({ "code": "B-1", "name": "로드 하나", "price": 500, "shows": true, "_shipping": hangangs });
    let made = shop.post(PRODUCTS, &form).as_(&hangang).send().await;
    let product = id(&made.expect(201), "product");
    let change = async |who: &Account, body: Value| {
        let own = format!("{PRODUCTS}/{product}");
        shop.put(&own, &body).as_(who).send().await
    };
    let others = json!({ "version": 1, "_shipping": namsans });
    let refused = change(&hangang, others).await.expect(400);
    assert_eq!(wrong(&refused), ("_shipping", "not_the_sellers"));
    // A product given to another seller is not shipped from the old seller's warehouse any more.
    let given = json!({ "version": 1, "_seller": namsan.id });
    let refused = change(&staff, given).await.expect(400);
    assert_eq!(wrong(&refused), ("_shipping", "not_the_sellers"));
    let with_group = json!({ "version": 1, "_seller": namsan.id, "_shipping": namsans });
    change(&staff, with_group).await.expect(200);

    // The choice is restricted to one seller's records.
    caught_up(&shop).await;
    let of_namsan = format!("{SHIPPINGS}?_seller={}", namsan.id);
    let listed = shop.get(&of_namsan).as_(&staff).send().await.expect(200);
    assert_eq!(listed.body["shippings"].as_array().unwrap().len(), 1);
    assert_eq!(listed.body["shippings"][0]["_id"], json!(namsans));

    // A shipping group that now belongs to another seller does not deliver it any more.
    let shown = async || {
        let path = format!("/api/v1/shop/products/{product}");
        shop.get(&path).send().await.expect(200).body["product"]["shipping"].clone()
    };
    assert_eq!(shown().await["name"], "느린 배송");
    let moved = json!({ "version": 1, "_seller": hangang.id });
    let path = format!("{SHIPPINGS}/{namsans}");
    shop.put(&path, &moved).as_(&staff).send().await.expect(200);
    caught_up(&shop).await;
    assert_eq!(shown().await, Value::Null);
}

#[tokio::test]
async fn what_a_seller_may_not_change_says_so_itself() {
    let said = serde_json::to_value(api::console::records::resources::all()).unwrap();
    let field = |kind: &str, name: &str| {
        let kinds = said["resources"].as_array().unwrap();
        let kind = kinds.iter().find(|one| one["name"] == kind).unwrap();
        let fields = kind["fields"].as_array().unwrap();
        let field = fields.iter().find(|one| one["name"] == name).unwrap();
        (
            field["readOnly"] == true,
            field["readOnlyFor"] == json!(["company"]),
        )
    };
    for (kind, name) in [
        ("product", "_seller"),
        ("store", "_seller"),
        ("store", "isRecommended"),
        ("store", "index"),
        ("review", "isBest"),
    ] {
        assert_eq!(field(kind, name), (false, true), "{kind} {name}");
    }
    for (kind, name) in [
        ("product", "price"),
        ("store", "mini.tag"),
        ("review", "reply"),
    ] {
        assert_eq!(field(kind, name), (false, false), "{kind} {name}");
    }
    assert_eq!(field("review", "subject"), (true, false));
}

#[tokio::test]
async fn members_are_found_by_a_part_of_their_nickname_and_nothing_else_is_told() {
    let shop = TestApp::start().await;
    shop.console().await;
    let hong = shop.sign_up("honggildong").await;
    shop.company("hongcompany").await;
    shop.sign_up("kim12345").await;
    caught_up(&shop).await;
    let find = async |term: &str| {
        let path = format!("/api/v1/users?searchKey=nickname&searchValue={term}");
        shop.get(&path).send().await.expect(200).body
    };
    let found = find("HONG").await;
    assert_eq!(found["summary"]["totalCount"], 2);
    let card = |nickname: &str| {
        let users = found["users"].as_array().unwrap().iter();
        users
            .clone()
            .find(|one| one["nickname"] == nickname)
            .unwrap()
            .clone()
    };
    assert_eq!(
        card("honggildong"),
        json!({ "_id": hong.id, "nickname": "honggildong", "type": "PERSON", "sells": false })
    );
    assert_eq!(card("hongcompany")["sells"], true);
    for nobody in ["", "%20", "운영자", "010"] {
        assert_eq!(find(nobody).await["summary"]["totalCount"], 0, "{nobody:?}");
    }
    shop.get("/api/v1/users?searchKey=phone&searchValue=010")
        .send()
        .await
        .expect(400);
    // After a change of name, members are found under the new one; a member with a closed account is not found any more.
    let renamed = json!({ "nickname": "임꺽정" });
    shop.put("/api/v1/me/info", &renamed)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    caught_up(&shop).await;
    assert_eq!(find("honggil").await["summary"]["totalCount"], 0);
    assert_eq!(find("꺽정").await["summary"]["totalCount"], 1);
    let leave = json!({ "password": hong.password, "reason": null });
    let left = shop.post("/api/v1/me/withdraw", &leave).as_(&hong);
    left.send().await.expect(200);
    caught_up(&shop).await;
    assert_eq!(find("꺽정").await["summary"]["totalCount"], 0);
}

#[tokio::test]
async fn a_level_members_are_in_and_a_coupon_they_hold_stay() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let levels = "/api/console/levels";
    let level = json!({ "code": "welcome", "name": "새싹", "index": 1, "isActive": true, "isWelcome": true });
    let made = shop
        .post(levels, &level)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let own = format!("{levels}/{}", id(&made, "level"));
    let rare = json!({ "code": "rare", "name": "귀한 등급", "index": 9, "isActive": true });
    let made = shop
        .post(levels, &rare)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let unused = format!("{levels}/{}", id(&made, "level"));
    let hong = shop.sign_up("hong1234").await;
    caught_up(&shop).await;
    let refused = shop.delete(&own).as_(&staff).send().await.expect(409);
    assert_eq!(refused.code(), "in_use");
    assert!(
        refused.body["error"]["message"]
            .as_str()
            .unwrap()
            .contains("1명")
    );
    // Another code would leave its members in a level that does not exist.
    let recoded = json!({ "version": 1, "code": "newcomer" });
    let refused = shop
        .put(&own, &recoded)
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(wrong(&refused), ("code", "in_use"));
    let renamed = json!({ "version": 1, "name": "새내기" });
    shop.put(&own, &renamed)
        .as_(&staff)
        .send()
        .await
        .expect(200);

    // A coupon is issued on reaching the other level.
    let coupons = "/api/console/shop/coupons";
    let coupon = |event: Value| {
        json!({
            "name": "승급 축하", "unit": "PERCENT", "value": 5, "onDisplay": true,
            "issue": { "type": if event.is_null() { "request" } else { "instant" }, "isActive": true, "event": event },
            "usage": { "type": "total", "isActive": true },
        })
    };
    let event = json!({ "type": "LEVEL_UP", "code": "rare" });
    let made = shop
        .post(coupons, &coupon(event))
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let by_level = format!("{coupons}/{}", id(&made, "coupon"));
    let many = json!({ "action": "delete", "ids": [unused.rsplit('/').next().unwrap()] });
    let bulk = shop.post(&format!("{levels}/bulk"), &many).as_(&staff);
    caught_up(&shop).await;
    let bulk = bulk.send().await.expect(200);
    assert_eq!(bulk.body["failed"][0]["code"], "in_use");
    let message = bulk.body["failed"][0]["message"].as_str().unwrap();
    assert!(message.contains("승급 축하"), "{message}");
    shop.delete(&by_level).as_(&staff).send().await.expect(200);
    caught_up(&shop).await;
    shop.delete(&unused).as_(&staff).send().await.expect(200);

    // A coupon that a member can still use cannot be removed.
    let made = shop
        .post(coupons, &coupon(Value::Null))
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let (held, drawing) = (
        id(&made, "coupon"),
        json!({ "_coupon": id(&made, "coupon") }),
    );
    shop.post("/api/v1/me/coupons", &drawing)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    caught_up(&shop).await;
    let refused = shop
        .delete(&format!("{coupons}/{held}"))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(refused.expect(409).code(), "in_use");
    let leave = json!({ "password": hong.password, "reason": null });
    shop.post("/api/v1/me/withdraw", &leave)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    caught_up(&shop).await;
    shop.delete(&format!("{coupons}/{held}"))
        .as_(&staff)
        .send()
        .await
        .expect(200);
    shop.delete(&own).as_(&staff).send().await.expect(200);
}

/// The check whether a record is in use is made on current data.
#[tokio::test]
async fn what_was_drawn_a_moment_ago_keeps_its_coupon() {
    let shop = TestApp::start().await;
    let (staff, hong) = (shop.console().await, shop.sign_up("hong1234").await);
    let coupons = "/api/console/shop/coupons";
    let coupon = json!({
        "name": "처음", "unit": "PERCENT", "value": 5, "onDisplay": true,
        "issue": { "type": "request", "isActive": true }, "usage": { "type": "total", "isActive": true },
    });
    let made = shop.post(coupons, &coupon).as_(&staff).send().await;
    let coupon = id(&made.expect(201), "coupon");
    caught_up(&shop).await;
    // The read model of the coupon boxes makes no progress meanwhile.
    let mut standing = event_store::begin(shop.app.pool()).await.unwrap();
    sqlx::query("SELECT FROM projection_checkpoint WHERE name = 'coupon_box' FOR UPDATE")
        .execute(&mut *standing)
        .await
        .unwrap();
    let drawing = json!({ "_coupon": coupon });
    let drawn = shop.post("/api/v1/me/coupons", &drawing).as_(&hong);
    drawn.send().await.expect(201);
    let removed = async || {
        let path = format!("{coupons}/{coupon}");
        shop.delete(&path).as_(&staff).send().await
    };
    assert_eq!(removed().await.expect(503).code(), "unavailable");
    standing.rollback().await.unwrap();
    assert_eq!(removed().await.expect(409).code(), "in_use");
}

#[tokio::test]
async fn a_category_names_only_brands_there_are() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (brands, categories) = ("/api/console/shop/brands", "/api/console/shop/categories");
    let category = |brand: &str| json!({ "code": "bike", "name": "자전거", "brands": [brand] });
    let refused = shop
        .post(categories, &category("baram"))
        .as_(&staff)
        .send()
        .await
        .expect(400);
    assert_eq!(wrong(&refused), ("brands", "unknown"));
    let brand = json!({ "code": "baram", "name": "바람", "shows": true });
    let made = shop
        .post(brands, &brand)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let brand_at = format!("{brands}/{}", id(&made, "brand"));
    let made = shop
        .post(categories, &category("baram"))
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let own = format!("{categories}/{}", id(&made, "category"));
    shop.delete(&brand_at).as_(&staff).send().await.expect(200);
    // Existing references may stay; restored or new ones may not refer to it.
    let kept = json!({ "name": "두 바퀴", "version": 1 });
    shop.put(&own, &kept).as_(&staff).send().await.expect(200);
    let without = json!({ "brands": [], "version": 2 });
    let version = shop
        .put(&own, &without)
        .as_(&staff)
        .send()
        .await
        .expect(200)
        .body["version"]
        .clone();
    let again = json!({ "brands": ["baram"], "version": version });
    let refused = shop.put(&own, &again).as_(&staff).send().await.expect(400);
    assert_eq!(wrong(&refused), ("brands", "unknown"));
    let refused = shop
        .post(&format!("{own}/restore"), &json!({ "version": 1 }))
        .as_(&staff);
    assert_eq!(
        wrong(&refused.send().await.expect(400)),
        ("brands", "unknown")
    );
}

#[tokio::test]
async fn staff_chooses_whom_a_coupon_is_for_by_nickname() {
    const MEMBERS: &str = "/api/console/users";
    let shop = TestApp::start().await;
    let (staff, seller, hong) = (
        shop.console().await,
        shop.company("hangang1").await,
        shop.sign_up("hong1234").await,
    );
    caught_up(&shop).await;
    let found = shop.get(&format!("{MEMBERS}?searchValue=HONG")).as_(&staff);
    let found = found.send().await.expect(200);
    assert_eq!(
        (&found.body["summary"]["totalCount"], &found.body["users"]),
        (
            &json!(1),
            &json!([{ "_id": hong.id, "name": "hong1234", "userType": "PERSON" }])
        )
    );
    let one = format!("{MEMBERS}/{}", hong.id);
    let shown = shop.get(&one).as_(&staff).send().await.expect(200);
    assert_eq!(shown.body["user"], found.body["users"][0]);
    for stranger in [&seller, &hong] {
        for path in [MEMBERS, &one] {
            shop.get(path).as_(stranger).send().await.expect(403);
        }
    }

    let coupon = |member: &str| {
        json!({
            "name": "단골 쿠폰", "unit": "PERCENT", "value": 10,
            "issue": { "type": "request", "target": { "type": "USERS", "_users": [member] } },
            "usage": { "type": "product" },
        })
    };
    let give = async |member: &str| {
        let asked = shop.post("/api/console/shop/coupons", &coupon(member));
        asked.as_(&staff).send().await
    };
    let nobody = give(&uuid::Uuid::now_v7().to_string()).await.expect(400);
    assert_eq!(wrong(&nobody), ("issue.target._users", "unknown"));
    give(&hong.id).await.expect(201);
}
