//! Points by staff's hand: granted, taken back, given another last day; and what their member reads of it.

use domain::business_day;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::support::shop::id_of;
use crate::support::{Account, Reply, TestApp};

const PATH: &str = "/api/console/users/points";

/// The Seoul day so many days from now.
fn day(shop: &TestApp, days: u32) -> String {
    business_day::after(shop.app.clock.now(), days).to_string()
}

async fn list(shop: &TestApp, staff: &Account, query: &str) -> Value {
    shop.settled().await;
    let found = shop.get(&format!("{PATH}?{query}")).as_(staff);
    found.send().await.expect(200).body
}

async fn give(shop: &TestApp, staff: &Account, form: &Value) -> Value {
    let given = shop.post(PATH, form).as_(staff).send().await.expect(201);
    shop.settled().await;
    given.body["point"].clone()
}

async fn take(shop: &TestApp, staff: &Account, lot: &Value, memo: &str) -> Reply {
    let query = serde_urlencoded::to_string([("memo", memo)]).unwrap();
    let path = format!("{PATH}/{}?{query}", lot.as_str().unwrap());
    shop.delete(&path).as_(staff).send().await
}

async fn mine(shop: &TestApp, who: &Account) -> Value {
    shop.settled().await;
    let points = shop.get("/api/v1/me/points").as_(who);
    points.send().await.expect(200).body
}

async fn head(shop: &TestApp) -> i64 {
    shop.app.store.head().await.unwrap()
}

#[tokio::test]
async fn staff_grants_points_and_takes_back_what_is_left_and_the_member_reads_why() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let form = json!({ "_user": hong.id, "amounts": 1_000, "memo": "불편을 드려 죄송합니다" });
    let asked = || shop.post(PATH, &form).as_(&staff).key("apology");
    let point = asked().send().await.expect(201).body["point"].clone();
    for (field, value) in [
        ("_user", json!(hong.id)),
        ("username", json!("hong1234")),
        ("name", json!("hong1234")),
        ("amounts", json!(1_000)),
        ("amount_used", json!(0)),
        ("amount_left", json!(1_000)),
        ("remain", json!(1_000)),
        ("reason", json!("불편을 드려 죄송합니다")),
        ("_order", Value::Null),
        ("_grant", Value::Null),
        (
            "flags",
            json!({ "expired": false, "taken": false, "earned": false, "byStaff": true }),
        ),
    ] {
        assert_eq!(point[field], value, "{field}");
    }
    // the same request once more, and the same key for another one
    let again = asked().send().await.expect(201);
    assert_eq!(again.body["point"]["_id"], point["_id"]);
    let mut other = form.clone();
    other["amounts"] = json!(2_000);
    let reused = shop.post(PATH, &other).as_(&staff).key("apology");
    assert_eq!(
        reused.send().await.expect(422).code(),
        "idempotency_key_reused"
    );

    let mut order = crate::support::shop::order_form(apples, 1);
    order["point"] = json!(300);
    let placed = shop.post("/api/v1/shop/orders", &order).as_(&hong);
    let order = id_of(&placed.send().await.expect(201));
    let second = give(
        &shop,
        &staff,
        &json!({ "_user": hong.id, "amounts": 50, "memo": "생일", "expiresAt": day(&shop, 3) }),
    )
    .await;
    let ends = business_day::ends(business_day::after(shop.app.clock.now(), 3));
    let ends = ends.to_offset(time::UtcOffset::UTC);
    let ends = ends.format(&time::format_description::well_known::Rfc3339);
    assert_eq!(second["expiresAt"], ends.unwrap());
    let all = list(&shop, &staff, "").await;
    assert_eq!(
        all["summary"],
        json!({ "totalCount": 2, "amount_left": 750 })
    );
    assert_eq!(all["points"][0]["_id"], second["_id"]);
    assert_eq!(all["points"][1]["amount_used"], 300);
    assert_eq!(all["points"][1]["remain"], 750);
    for (query, count) in [
        (format!("_user={}", hong.id), 2),
        (format!("_user={}", staff.id), 0),
        ("state=LEFT".to_owned(), 2),
        ("state=USED_UP".to_owned(), 0),
        ("state=EXPIRED".to_owned(), 0),
        (format!("createdAtFrom={}", day(&shop, 1)), 0),
        (format!("createdAtTo={}", day(&shop, 0)), 2),
    ] {
        let found = list(&shop, &staff, &query).await;
        assert_eq!(found["summary"]["totalCount"], count, "{query}");
    }

    let taken = take(&shop, &staff, &point["_id"], "잘못 지급")
        .await
        .expect(200);
    assert_eq!(taken.body["point"]["amount_left"], 0);
    assert_eq!(taken.body["point"]["remain"], 50);
    assert_eq!(taken.body["point"]["flags"]["taken"], true);
    shop.settled().await;
    let nothing = take(&shop, &staff, &point["_id"], "잘못 지급").await;
    assert_eq!(nothing.expect(409).code(), "nothing_left");
    assert_eq!(
        list(&shop, &staff, "state=USED_UP").await["points"][0]["_id"],
        point["_id"]
    );
    let read = mine(&shop, &hong).await;
    assert_eq!(read["summary"]["available"], 50);
    assert_eq!(read["points"][0]["reason"], "잘못 지급");
    assert_eq!(read["points"][0]["kind"], "DECREASE");
    assert_eq!(read["points"][0]["amounts"], 700);
    // what the order gives back is theirs again
    let cancel = format!("/api/v1/me/orders/{order}/cancel");
    let reason = json!({ "reason": "마음이 바뀌었어요" });
    let canceled = shop.post(&cancel, &reason).as_(&hong);
    canceled.send().await.expect(200);
    assert_eq!(mine(&shop, &hong).await["summary"]["available"], 350);
    let shown = shop.get(&format!("{PATH}/{}", point["_id"].as_str().unwrap()));
    let shown = shown.as_(&staff).send().await.expect(200);
    assert_eq!(shown.body["point"]["amount_left"], 300);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_grant_gets_another_last_day_and_what_has_expired_is_not_revived() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let form =
        json!({ "_user": hong.id, "amounts": 500, "memo": "행사", "expiresAt": day(&shop, 1) });
    let point = give(&shop, &staff, &form).await;
    let path = format!("{PATH}/{}", point["_id"].as_str().unwrap());
    let longer = json!({ "expiresAt": day(&shop, 2), "memo": "행사 연장" });
    let changed = shop
        .put(&path, &longer)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    assert!(changed.body["point"]["expiresAt"].as_str() > point["expiresAt"].as_str());
    let read = mine(&shop, &hong).await;
    assert_eq!(read["points"][0]["reason"], "행사 연장");
    assert_eq!(read["points"][0]["amounts"], 0);
    assert_eq!(
        read["points"][0]["expiresAt"],
        changed.body["point"]["expiresAt"]
    );
    let over = json!({ "expiresAt": day(&shop, 0), "memo": "당일까지" });
    shop.put(&path, &over).as_(&staff).send().await.expect(200);
    shop.put(&path, &longer)
        .as_(&staff)
        .send()
        .await
        .expect(200);
    shop.advance(Duration::days(2));
    let hong = shop.account("hong1234", "abcd123!").await;
    let staff = shop.account("operator1", "operator1!").await;
    assert_eq!(
        mine(&shop, &hong).await["summary"]["available"],
        500,
        "its last day"
    );
    shop.advance(Duration::days(1));
    let hong = shop.account("hong1234", "abcd123!").await;
    let staff = shop.account(&staff.username, &staff.password).await;
    let later = json!({ "expiresAt": day(&shop, 30), "memo": "되살리기" });
    let refused = shop.put(&path, &later).as_(&staff).send().await;
    assert_eq!(refused.expect(409).code(), "points_expired");
    let refused = take(&shop, &staff, &point["_id"], "거두기").await;
    assert_eq!(refused.expect(409).code(), "nothing_left");
    assert_eq!(mine(&shop, &hong).await["summary"]["available"], 0);
    let expired = list(&shop, &staff, "state=EXPIRED").await;
    assert_eq!(expired["points"][0]["flags"]["expired"], true);
    assert_eq!(expired["points"][0]["amount_left"], 0);
    assert_eq!(expired["summary"]["amount_left"], 0);
}

#[tokio::test]
async fn bad_grants_are_refused_and_write_nothing() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let good = json!({ "_user": hong.id, "amounts": 100, "memo": "적립" });
    let point = give(&shop, &staff, &good).await;
    let before = head(&shop).await;
    let with = |field: &str, value: Value| {
        let mut form = good.clone();
        form[field] = value;
        form
    };
    let long = "가".repeat(201);
    for (form, complaint) in [
        (with("amounts", json!(0)), ("amounts", "amount_required")),
        (with("amounts", json!(-100)), ("amounts", "amount_required")),
        (
            with("amounts", json!(i64::MAX)),
            ("amounts", "amount_required"),
        ),
        (
            with("_user", json!(Uuid::now_v7())),
            ("_user", "unknown_member"),
        ),
        (with("memo", json!(" ")), ("memo", "memo")),
        (with("memo", json!(long)), ("memo", "memo")),
        (with("memo", json!("<b>적립</b>")), ("memo", "memo")),
        (with("expiresAt", json!("내일")), ("expiresAt", "date")),
        (
            with("expiresAt", json!("3000-01-01")),
            ("expiresAt", "date"),
        ),
        (
            with("expiresAt", json!("2020-01-01")),
            ("expiresAt", "date_over"),
        ),
    ] {
        let refused = shop.post(PATH, &form).as_(&staff).send().await.expect(400);
        assert_eq!(refused.complaint(), complaint, "{form}");
        let korean = refused.body["error"]["fields"][0]["message"]
            .as_str()
            .unwrap();
        assert!(
            korean.chars().any(|letter| ('가'..='힣').contains(&letter)),
            "{korean}"
        );
    }
    let path = format!("{PATH}/{}", point["_id"].as_str().unwrap());
    for (form, complaint) in [
        (
            json!({ "expiresAt": "2020-01-01", "memo": "지난 날" }),
            ("expiresAt", "date_over"),
        ),
        (
            json!({ "expiresAt": "2020", "memo": "아님" }),
            ("expiresAt", "date"),
        ),
        (
            json!({ "expiresAt": day(&shop, 9), "memo": "" }),
            ("memo", "memo"),
        ),
    ] {
        let refused = shop.put(&path, &form).as_(&staff).send().await.expect(400);
        assert_eq!(refused.complaint(), complaint, "{form}");
    }
    assert_eq!(
        take(&shop, &staff, &point["_id"], "")
            .await
            .expect(400)
            .complaint(),
        ("memo", "memo")
    );
    let nowhere = json!(Uuid::now_v7());
    assert_eq!(take(&shop, &staff, &nowhere, "없음").await.status, 404);
    // members and sellers have no business with it
    let seller = shop.company("seller01").await;
    let after_joining = head(&shop).await;
    for who in [&hong, &seller] {
        assert_eq!(shop.get(PATH).as_(who).send().await.status, 403);
        assert_eq!(shop.post(PATH, &good).as_(who).send().await.status, 403);
        assert_eq!(take(&shop, who, &point["_id"], "내 것").await.status, 403);
    }
    assert_eq!(head(&shop).await, after_joining);
    let joining =
        "SELECT count(*) FROM events WHERE global_position > $1 AND aggregate_type = 'points'";
    let written: i64 = sqlx::query_scalar(joining)
        .bind(before)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(written, 0);
}

#[tokio::test]
async fn what_is_owed_in_points_is_told_for_any_day() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let begun = shop.app.clock.now();
    let on = |days: u32| business_day::after(begun, days).to_string();
    let owed = async |staff: &Account, at: &str| {
        let path = format!("/api/console/shop/points/liability?at={at}");
        shop.get(&path).as_(staff).send().await.expect(200).body
    };
    let first = json!({ "_user": hong.id, "amounts": 1_000, "memo": "행사", "expiresAt": on(2) });
    give(&shop, &staff, &first).await;
    let second = json!({ "_user": hong.id, "amounts": 400, "memo": "행사", "expiresAt": on(200) });
    let second = give(&shop, &staff, &second).await;
    shop.advance(Duration::days(1));
    let staff = shop.account("operator1", "operator1!").await;
    take(&shop, &staff, &second["_id"], "중복 지급")
        .await
        .expect(200);
    let third = json!({ "_user": hong.id, "amounts": 50, "memo": "행사", "expiresAt": on(300) });
    give(&shop, &staff, &third).await;
    let sums = |owed: &Value| -> Vec<i64> {
        ["granted", "spent", "expired", "taken", "left"]
            .iter()
            .map(|field| owed[field].as_i64().unwrap())
            .collect()
    };
    // before anything, the first day, the second, the last day of the first grant, and after it
    for (at, wanted) in [
        (
            business_day::day(begun - Duration::days(1)).to_string(),
            [0, 0, 0, 0, 0],
        ),
        (on(0), [1_400, 0, 0, 0, 1_400]),
        (on(1), [1_450, 0, 0, 400, 1_050]),
        (on(2), [1_450, 0, 0, 400, 1_050]),
        (on(3), [1_450, 0, 1_000, 400, 50]),
    ] {
        assert_eq!(sums(&owed(&staff, &at).await), wanted, "{at}");
    }
    shop.advance(Duration::days(4));
    let staff = shop.account("operator1", "operator1!").await;
    crate::support::until("the first grant expires", async || {
        let expired = list(&shop, &staff, "state=EXPIRED").await;
        (expired["summary"]["totalCount"] == 1).then_some(())
    })
    .await;
    // the past does not change with what happens later
    assert_eq!(sums(&owed(&staff, &on(2)).await), [1_450, 0, 0, 400, 1_050]);
    let now = owed(&staff, &on(5)).await;
    assert_eq!(sums(&now), [1_450, 0, 1_000, 400, 50]);
    let month = &business_day::after(begun, 300).to_string()[..7];
    assert_eq!(now["byMonth"], json!([{ "month": month, "expires": 50 }]));
    let today = shop.get("/api/console/shop/points/liability").as_(&staff);
    assert_eq!(today.send().await.expect(200).body, now);
    let wrong = shop.get("/api/console/shop/points/liability?at=yesterday");
    assert_eq!(wrong.as_(&staff).send().await.status, 400);
    let hong = shop.account("hong1234", "abcd123!").await;
    let mine = shop.get("/api/console/shop/points/liability").as_(&hong);
    assert_eq!(mine.send().await.status, 403);
}
