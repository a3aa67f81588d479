//! What became of coupons, from everything that happened to each; and whom one would reach before it is saved.

use application::clock::Clock;
use domain::coupon::Coupon;
use domain::site::Level;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::support::console::seller;
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp};

async fn get(shop: &TestApp, who: &Account, path: &str) -> Reply {
    let head = shop.app.store.head().await.unwrap().to_string();
    let ask = shop.get(path).as_(who).header("x-wait-position", &head);
    ask.send().await
}

fn coupon(seller: Option<&str>, share: i64) -> Value {
    json!({
        "name": "십 퍼센트", "unit": "PERCENT", "value": 10, "onDisplay": true, "_seller": seller, "share": share,
        "issue": { "type": "request", "isActive": true, "round": { "type": "infinite" } },
        "usage": { "type": "total", "isActive": true, "combinable": true, "endsAt": "2999-01-01T00:00:00Z" },
    })
}

#[tokio::test]
async fn statistics_say_what_was_issued_used_given_back_and_what_it_cost() {
    let shop = TestApp::start().await;
    let (staff, company) = (shop.console().await, seller(&shop).await);
    let apples = shop.product(company.id.parse().unwrap(), 10_000, 20).await;
    let id = Uuid::now_v7();
    shop.record::<Coupon>(&id.to_string(), coupon(Some(&company.id), 40))
        .await;
    let hong = shop.sign_up("hong1234").await;
    let draw = async || {
        let drawn = shop.post("/api/v1/me/coupons", &json!({ "_coupon": id }));
        let drawn = drawn.as_(&hong).send().await.expect(201);
        drawn.body["coupon"]["_id"].as_str().unwrap().to_owned()
    };
    let order = async |issued: &str| {
        let mut form = order_form(apples, 1);
        form["coupons"] = json!([{ "_issued": issued }]);
        let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
        placed.send().await.expect(201)
    };
    let all = [draw().await, draw().await, draw().await, draw().await];
    let [used, returned, taken, expired] = &all;
    let paid = order(used).await;
    let payable = paid.body["order"]["totals"]["payable"].as_i64();
    let payable = payable.or(paid.body["order"]["payable"].as_i64()).unwrap();
    shop.pay(&hong.token, &id_of(&paid)).await.expect(303);
    let back = id_of(&order(returned).await);
    let cancel = json!({ "reason": "마음이 바뀌었습니다" });
    let path = format!("/api/v1/me/orders/{back}/cancel");
    let canceled = shop.post(&path, &cancel).as_(&hong).send().await;
    assert!(canceled.status < 300, "{}", canceled.text);
    let boxed = "/api/console/users/coupons";
    let take = shop
        .delete(&format!("{boxed}/{taken}?memo=take"))
        .as_(&staff);
    take.send().await.expect(200);
    let today = shop
        .clock
        .now()
        .to_offset(domain::business_day::OFFSET)
        .date();
    let ends = json!({ "endsAt": today.to_string(), "memo": "오늘까지" });
    let change = shop.put(&format!("{boxed}/{expired}"), &ends).as_(&staff);
    change.send().await.expect(200);
    shop.advance(Duration::days(1));
    let (staff, company) = (
        shop.account(&staff.username, &staff.password).await,
        shop.account(&company.username, &company.password).await,
    );
    let path = format!("/api/console/shop/coupons/{id}/statistics");
    let found = get(&shop, &staff, &path).await.expect(200).body["statistics"].clone();
    for (field, value) in [
        ("issued", 4),
        ("used", 2),
        ("returned", 1),
        ("taken", 1),
        ("expired", 1),
        ("discount", 1_000),
        ("sellersShare", 400),
        ("shopShare", 600),
        ("revenue", payable),
    ] {
        assert_eq!(found[field], value, "{field} of {found}");
    }
    let days = found["byDay"].as_array().unwrap();
    assert_eq!(days[0]["day"], today.to_string());
    assert_eq!(
        (&days[0]["issued"], &days[0]["used"]),
        (&json!(4), &json!(2))
    );
    assert_eq!(days[0]["discount"], 1_000);
    // of a time without it
    let none = format!("{path}?to=2020-01-01");
    let none = get(&shop, &staff, &none).await.expect(200).body;
    assert_eq!(none["statistics"]["issued"], 0);
    // a seller sees their own, and no other's
    let own = get(&shop, &company, &path).await.expect(200).body;
    assert_eq!(own["statistics"]["issued"], 4);
    let platform = shop.coupon(5, None, None).await;
    let path = format!("/api/console/shop/coupons/{platform}/statistics");
    let other = get(&shop, &company, &path).await.expect(404);
    assert_eq!(other.code(), "not_found");
    let list = "/api/console/shop/coupons/statistics";
    let list_of = async |who: &Account| get(&shop, who, list).await.expect(200).body;
    let mine = list_of(&company).await;
    assert_eq!(mine["summary"]["totalCount"], 1);
    assert_eq!(mine["statistics"][0]["_coupon"], id.to_string());
    assert_eq!(mine["statistics"][0]["used"], 2);
    assert_eq!(list_of(&staff).await["summary"]["totalCount"], 2);
}

#[tokio::test]
async fn staff_sees_whom_a_coupon_reaches_and_what_it_would_have_cost() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for (code, name, index) in [("silver", "실버", 1), ("gold", "골드", 2)] {
        let level = json!({
            "code": code, "name": name, "index": index, "isActive": true, "isWelcome": code == "silver",
        });
        shop.record::<Level>(&Uuid::now_v7().to_string(), level)
            .await;
    }
    let apples = shop.product(shop.seller().await, 10_000, 20).await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    for who in [&hong, &kim] {
        let order = id_of(&shop.order(who, apples, 2).await.expect(201));
        shop.pay(&who.token, &order).await.expect(303);
    }
    let head = shop.app.store.head().await.unwrap();
    let patience = std::time::Duration::from_secs(20);
    let read = ["members", "orders", "records"];
    shop.app
        .store
        .wait_for(&read, head, patience)
        .await
        .unwrap();
    let before = shop.app.store.head().await.unwrap();
    let ask = async |change: Value| {
        let mut form = coupon(None, 0);
        for (path, value) in change.as_object().unwrap() {
            *form.pointer_mut(path).unwrap() = value.clone();
        }
        let ask = shop.post("/api/console/shop/coupons/reach", &form);
        ask.as_(&staff).send().await
    };
    let silver = json!({ "type": "USER_LEVELS", "_levels": ["silver"] });
    let issue = json!({ "type": "request", "isActive": true, "target": silver });
    let found = ask(json!({ "/issue": issue })).await.expect(200).body;
    assert_eq!(found["members"], 2);
    assert_eq!(
        found["byLevel"],
        json!([{ "level": "silver", "members": 2 }])
    );
    let sample = found["sample"].as_array().unwrap();
    assert!(
        sample.iter().any(|one| one["name"] == "hong1234"),
        "{sample:?}"
    );
    let month = &found["lastMonth"];
    assert_eq!(
        (&month["orders"], &month["upperBound"]),
        (&json!(2), &json!(true))
    );
    let discount = month["discount"].as_i64().unwrap();
    assert!(discount >= 4_000, "{month}");
    assert_eq!(month["shop"], discount);
    let sentence = found["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("실버 회원이 내려받아"), "{sentence}");
    let gold = json!({ "type": "USER_LEVELS", "_levels": ["gold"] });
    let issue = json!({ "type": "request", "isActive": true, "target": gold });
    let none = ask(json!({ "/issue": issue })).await.expect(200).body;
    assert_eq!(
        (&none["members"], &none["lastMonth"]["orders"]),
        (&json!(0), &json!(0))
    );
    let refused = ask(json!({ "/value": 101 })).await.expect(400);
    assert_eq!(refused.complaint(), ("value", "percent_out_of_range"));
    assert_eq!(
        shop.app.store.head().await.unwrap(),
        before,
        "it saves nothing"
    );
    let ask = shop.post("/api/console/shop/coupons/reach", &coupon(None, 0));
    assert_eq!(
        ask.as_(&hong).send().await.expect(403).code(),
        "access_denied"
    );
}
