//! A coupon for many members in one order: whom it reaches, who is refused and why, stopped, and refused as a whole.

use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use super::bulk_points::crowd;
use crate::support::{Account, TestApp, until};

const PATH: &str = "/api/console/shop/coupons/grants";

async fn until_done(shop: &TestApp, staff: &Account, id: &Value) -> Value {
    let path = format!("{PATH}/{}", id.as_str().unwrap());
    until("the bulk grant is done", async || {
        shop.settled().await;
        let shown = shop.get(&path).as_(staff).send().await.expect(200);
        let grant = shown.body["grant"].clone();
        (grant["flags"]["done"] == true).then_some(grant)
    })
    .await
}

async fn refused(shop: &TestApp, staff: &Account, id: &Value) -> Value {
    let path = format!("/api/console/bulk-grants/{}/refused", id.as_str().unwrap());
    shop.get(&path).as_(staff).send().await.expect(200).body
}

#[tokio::test]
async fn staff_gives_a_coupon_to_many_and_sees_who_got_none_and_why() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    crowd(&shop, 3).await;
    // three coupons for four members
    let coupon = shop.coupon(10, Some(3), None).await;
    let form = json!({
        "usernames": ["crowd0", "hong1234", "crowd1", "crowd2", "hong1234"], "_coupon": coupon, "memo": "창립 기념",
    });
    let dry = shop.post(&format!("{PATH}?dryRun=true"), &form).as_(&staff);
    let preview = dry.send().await.expect(200).body["preview"].clone();
    assert_eq!(
        preview,
        json!({ "members": 4, "couponName": "전체 할인", "count": 1, "membersLeft": 3, "amount_most": null })
    );
    let asked = || shop.post(PATH, &form).as_(&staff).key("founding");
    let ordered = asked().send().await.expect(201).body["grant"].clone();
    let again = asked().send().await.expect(201);
    assert_eq!(again.body["grant"]["_id"], ordered["_id"]);
    let done = until_done(&shop, &staff, &ordered["_id"]).await;
    for (field, value) in [
        ("couponName", json!("전체 할인")),
        ("members", json!(4)),
        ("given", json!(3)),
        ("leftOut", json!(0)),
        ("refused", json!(1)),
        ("issued", json!(3)),
        ("used", json!(0)),
        ("flags", json!({ "done": true, "stopped": false })),
        ("createdBy", json!({ "_id": staff.id, "name": "운영자" })),
    ] {
        assert_eq!(done[field], value, "{field}");
    }
    let without = refused(&shop, &staff, &ordered["_id"]).await;
    assert_eq!(without["summary"]["totalCount"], 1);
    assert_eq!(without["refused"][0]["username"], "crowd2");
    assert_eq!(without["refused"][0]["reason"], "COUPON_USED_UP");
    let list = shop.get(PATH).as_(&staff).send().await.expect(200).body;
    assert_eq!(list["grants"][0], done);
    // those of this grant, and one of them reads why
    let query = format!(
        "/api/console/users/coupons?_grant={}",
        ordered["_id"].as_str().unwrap()
    );
    let boxed = shop.get(&query).as_(&staff).send().await.expect(200).body;
    assert_eq!(boxed["summary"]["totalCount"], 3);
    let mine = shop.get("/api/v1/me/coupons").as_(&hong);
    let mine = mine.send().await.expect(200).body;
    assert_eq!(mine["coupons"][0]["memo"], "창립 기념");
    // another order finds the campaign used up
    let more = shop.post(PATH, &form).as_(&staff).send().await;
    assert_eq!(more.expect(409).code(), "coupon_used_up");
    // stopped: what is not used is taken back, and the member reads why
    let memo = serde_urlencoded::to_string([("memo", "잘못 지급했습니다")]).unwrap();
    let path = format!("{PATH}/{}?{memo}", ordered["_id"].as_str().unwrap());
    let stopped = shop.delete(&path).as_(&staff).send().await.expect(200);
    assert_eq!(stopped.body["grant"]["flags"]["stopped"], true);
    let done = until_done(&shop, &staff, &ordered["_id"]).await;
    assert_eq!((&done["issued"], &done["taken"]), (&json!(3), &json!(3)));
    let mine = shop.get("/api/v1/me/coupons?tab=expired").as_(&hong);
    let mine = mine.send().await.expect(200).body;
    assert_eq!(mine["coupons"][0]["memo"], "잘못 지급했습니다");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn an_order_of_a_coupon_with_anything_wrong_in_it_is_refused_as_a_whole() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    crowd(&shop, 1).await;
    let coupon = shop.coupon(10, None, None).await;
    let form = |field: &str, value: Value| {
        let mut form = json!({ "usernames": ["crowd0"], "_coupon": coupon, "memo": "감사" });
        form[field] = value;
        form
    };
    for (form, complaint) in [
        (form("usernames", Value::Null), ("_users", "one_way")),
        (form("levels", json!(["gold"])), ("_users", "one_way")),
        (
            form("usernames", json!([])),
            ("usernames", "receivers_required"),
        ),
        (
            form("usernames", json!(["crowd0", "nobody"])),
            ("usernames", "unknown_members"),
        ),
        (form("memo", json!("<b>")), ("memo", "memo")),
        (
            form("_coupon", json!(Uuid::nil())),
            ("_coupon", "unknown_coupon"),
        ),
    ] {
        let refused = shop.post(PATH, &form).as_(&staff).send().await.expect(400);
        assert_eq!(refused.complaint(), complaint);
    }
    let seller = shop.company("seller01").await;
    let theirs = shop.post(PATH, &form("memo", json!("감사"))).as_(&seller);
    assert_eq!(theirs.send().await.status, 403);
    let nowhere = format!("/api/console/bulk-grants/{}/refused", Uuid::now_v7());
    assert_eq!(shop.get(&nowhere).as_(&staff).send().await.status, 404);
    let sql = "SELECT count(*) FROM events WHERE aggregate_type = 'bulk-grant'";
    let events: i64 = sqlx::query_scalar(sql)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(events, 0);
}

#[tokio::test]
async fn a_receiver_who_leaves_before_their_turn_is_left_out_of_either_kind() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let coupon = shop.coupon(10, None, None).await;
    shop.settled().await;
    let both = json!([hong.id, kim.id]);
    let points = json!({ "_users": both, "amounts": 100, "memo": "감사" });
    let gift = json!({ "_users": both, "_coupon": coupon, "memo": "감사" });
    let (points, gift) = shop
        .held_back(async {
            let points = shop.post("/api/console/shop/points", &points).as_(&staff);
            let points = points.send().await.expect(201).body["point"]["_id"].clone();
            let gift = shop.post(PATH, &gift).as_(&staff);
            let gift = gift.send().await.expect(201).body["grant"]["_id"].clone();
            let leave = json!({ "password": kim.password, "reason": "OTHER" });
            let left = shop.post("/api/v1/me/withdraw", &leave).as_(&kim);
            assert!(left.send().await.status < 300);
            (points, gift)
        })
        .await;
    let done = until_done(&shop, &staff, &gift).await;
    assert_eq!((&done["given"], &done["leftOut"]), (&json!(1), &json!(1)));
    for grant in [points, gift] {
        let without = until("the grant has come to its end", async || {
            let found = refused(&shop, &staff, &grant).await;
            (found["summary"]["totalCount"] == 1).then_some(found)
        })
        .await;
        let gone = &without["refused"][0];
        assert_eq!(gone["_user"], kim.id);
        assert_eq!(gone["reason"], "ACCOUNT_CLOSED");
        assert_eq!(gone["username"], Value::Null);
    }
}
