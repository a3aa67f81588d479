//! Points for many members in one order: each once, whatever is killed; stopped, noted, and refused as a whole.

use std::time::Duration as Wait;

use application::executor::CommandContext;
use application::members::names::username_hash;
use application::policies::carry_out_grants::CarryOutGrants;
use application::policies::deadlines::Deadline;
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberCommand, MemberType, Profile};
use domain::site::Level;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Purpose};
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Account, TestApp, futures_of, until};

const PATH: &str = "/api/console/shop/points";

/// Members who never sign in: `crowd0`, `crowd1` and so on.
pub(super) async fn crowd(shop: &TestApp, many: usize) -> Vec<MemberId> {
    crowd_with(shop, many, |_| String::new()).await
}

/// As [`crowd`], each with a phone number.
pub(super) async fn crowd_with(
    shop: &TestApp,
    many: usize,
    phone: impl Fn(usize) -> String,
) -> Vec<MemberId> {
    let mut joining = Vec::new();
    for place in 0..many {
        let id = MemberId(Uuid::now_v7());
        let profile = Profile {
            username: format!("crowd{place}"),
            nickname: format!("모임{place}"),
            phone: phone(place),
            ..Profile::default()
        };
        let sealed = shop.app.keys.seal(id.0, Purpose::Profile, &profile).await;
        let join = MemberCommand::Join {
            member_type: MemberType::Person,
            level: AccessLevel::Person,
            scopes: vec![],
            profile: sealed.unwrap(),
            terms: vec![],
        };
        let hash = username_hash(&shop.app.keys, &profile.username);
        joining.push((id, join, hash));
    }
    // an append may lock so many names and no more
    for some in joining.chunks(400) {
        let join = |work: &mut UnitOfWork| {
            for (id, join, hash) in some {
                work.decide::<Member>(id, join.clone())?;
                work.reserve("username", *hash, id);
            }
            Ok(())
        };
        let command = CommandContext::for_actor("join", Actor::System);
        shop.app.executor.commit(&command, join).await.unwrap();
    }
    shop.settled().await;
    joining.into_iter().map(|(id, ..)| id).collect()
}

async fn order(shop: &TestApp, staff: &Account, form: &Value) -> Value {
    let ordered = shop.post(PATH, form).as_(staff).send().await.expect(201);
    ordered.body["point"].clone()
}

async fn show(shop: &TestApp, staff: &Account, id: &Value) -> Value {
    shop.settled().await;
    let path = format!("{PATH}/{}", id.as_str().unwrap());
    let shown = shop.get(&path).as_(staff).send().await.expect(200);
    shown.body["point"].clone()
}

async fn until_done(shop: &TestApp, staff: &Account, id: &Value) -> Value {
    until("the bulk grant is done", async || {
        let point = show(shop, staff, id).await;
        (point["flags"]["done"] == true).then_some(point)
    })
    .await
}

/// Grants of points in the log, and members who have some.
async fn granted(shop: &TestApp) -> (i64, i64) {
    let sql = "SELECT count(*), count(DISTINCT aggregate_id) FROM events WHERE event_type = 'PointsGranted'";
    sqlx::query_as(sql)
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

async fn events(shop: &TestApp, kinds: &[&str]) -> i64 {
    let sql = "SELECT count(*) FROM events WHERE aggregate_type = ANY($1)";
    let counted = sqlx::query_scalar(sql)
        .bind(kinds)
        .fetch_one(shop.app.pool());
    counted.await.unwrap()
}

#[tokio::test]
async fn staff_grants_points_to_many_who_read_why_and_stops_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    shop.earns_points(&hong, 1).await;
    shop.settled().await;
    let form = json!({
        "usernames": ["hong1234", " KIM12345 ", "hong1234"], "amounts": 300, "memo": "창립 기념",
    });
    let before = events(&shop, &["bulk-grant", "points"]).await;
    let dry = shop.post(&format!("{PATH}?dryRun=true"), &form).as_(&staff);
    let preview = dry.send().await.expect(200).body["preview"].clone();
    assert_eq!(
        preview,
        json!({ "members": 2, "amounts": 300, "amount_total": 600 })
    );
    assert_eq!(events(&shop, &["bulk-grant", "points"]).await, before);
    let asked = || shop.post(PATH, &form).as_(&staff).key("founding");
    let point = asked().send().await.expect(201).body["point"].clone();
    let again = asked().send().await.expect(201);
    assert_eq!(again.body["point"]["_id"], point["_id"]);
    let mut other = form.clone();
    other["amounts"] = json!(301);
    let reused = shop.post(PATH, &other).as_(&staff).key("founding");
    assert_eq!(
        reused.send().await.expect(422).code(),
        "idempotency_key_reused"
    );
    let done = until_done(&shop, &staff, &point["_id"]).await;
    for (field, value) in [
        ("memo", json!("창립 기념")),
        ("note", json!("")),
        ("members", json!(2)),
        ("given", json!(2)),
        ("leftOut", json!(0)),
        ("amounts", json!(300)),
        ("amount_total", json!(600)),
        ("amount_used", json!(0)),
        ("amount_left", json!(600)),
        ("remain", json!(600)),
        ("flags", json!({ "done": true, "stopped": false })),
        ("createdBy", json!({ "_id": staff.id, "name": "운영자" })),
    ] {
        assert_eq!(done[field], value, "{field}");
    }
    for who in [&hong, &kim] {
        let mine = shop
            .get("/api/v1/me/points")
            .as_(who)
            .send()
            .await
            .expect(200);
        assert_eq!(mine.body["summary"]["available"], 300);
        assert_eq!(mine.body["points"][0]["reason"], "창립 기념");
    }
    let query = format!(
        "/api/console/users/points?_grant={}",
        point["_id"].as_str().unwrap()
    );
    let lots = shop.get(&query).as_(&staff).send().await.expect(200).body;
    assert_eq!(
        lots["summary"],
        json!({ "totalCount": 2, "amount_left": 600 })
    );
    assert_eq!(lots["points"][0]["flags"]["byStaff"], true);
    let list = shop.get(PATH).as_(&staff).send().await.expect(200).body;
    assert_eq!(list["summary"]["totalCount"], 1);
    assert_eq!(list["points"][0], done);
    // by level, and the shop's own note
    let gold = order(
        &shop,
        &staff,
        &json!({ "levels": ["gold"], "amounts": 50, "memo": "골드 회원 감사" }),
    )
    .await;
    assert_eq!(until_done(&shop, &staff, &gold["_id"]).await["given"], 1);
    let path = format!("{PATH}/{}", point["_id"].as_str().unwrap());
    let noted = shop
        .put(&path, &json!({ "memo": "마케팅팀 요청" }))
        .as_(&staff);
    assert_eq!(
        noted.send().await.expect(200).body["point"]["note"],
        "마케팅팀 요청"
    );
    // what is left is taken back, and the members read why
    let memo = serde_urlencoded::to_string([("memo", "잘못 지급했습니다")]).unwrap();
    let stopped = shop.delete(&format!("{path}?{memo}")).as_(&staff);
    let stopped = stopped.send().await.expect(200).body["point"].clone();
    assert_eq!(stopped["flags"]["stopped"], true);
    let done = until_done(&shop, &staff, &point["_id"]).await;
    assert_eq!(
        (&done["amount_left"], &done["amount_total"]),
        (&json!(0), &json!(600))
    );
    let mine = shop
        .get("/api/v1/me/points")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(mine.body["summary"]["available"], 50);
    assert_eq!(mine.body["points"][0]["reason"], "잘못 지급했습니다");
    let again = shop
        .delete(&format!("{path}?{memo}"))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(again.expect(409).code(), "not_allowed_now");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn each_receiver_gets_it_once_whoever_is_killed_and_however_many_carry_it_out() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let members = crowd(&shop, 950).await;
    let form = json!({ "_users": members, "amounts": 100, "memo": "모두에게" });
    let id = shop
        .held_back(async {
            let id = order(&shop, &staff, &form).await["_id"].clone();
            let kinds = [DeadlineKind::CarryOutGrant];
            let mut killed = 0;
            for turn in 0_u64.. {
                // a stale look, so that what was done is tried again
                let now = shop.app.clock.now();
                let dues = due(shop.app.pool(), &kinds, now, 10).await.unwrap();
                assert!(turn < 500, "it does not come to an end");
                let Some(row) = dues.first() else {
                    if granted(&shop).await.0 == 950 {
                        break;
                    }
                    // the read model does not have the order yet
                    tokio::time::sleep(Wait::from_millis(30)).await;
                    continue;
                };
                let app = &shop.app;
                let fired = futures_of(2, |worker| async move {
                    let patience =
                        Wait::from_millis(4 + 9 * (turn + u64::try_from(worker).unwrap()) % 60);
                    let fire = CarryOutGrants.fire(app, row);
                    tokio::time::timeout(patience, fire).await
                })
                .await;
                killed += fired.iter().filter(|fired| fired.is_err()).count();
                tokio::time::sleep(Wait::from_millis(30)).await;
            }
            assert!(killed > 0, "nobody was killed");
            id
        })
        .await;
    assert_eq!(granted(&shop).await, (950, 950));
    let point = show(&shop, &staff, &id).await;
    assert_eq!(
        (
            &point["given"],
            &point["amount_left"],
            &point["flags"]["done"]
        ),
        (&json!(950), &json!(95_000), &json!(true))
    );
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn an_order_with_anything_wrong_in_it_is_refused_as_a_whole() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let members = crowd(&shop, 2).await;
    let hong = shop.sign_up("hong1234").await;
    let left = shop.sign_up("kim12345").await;
    let leave = json!({ "password": "abcd123!" });
    let gone = shop
        .post("/api/v1/me/withdraw", &leave)
        .as_(&left)
        .send()
        .await;
    assert!([200, 204].contains(&gone.status), "{}", gone.text);
    let gold = json!({ "code": "gold", "name": "골드", "index": 1, "isActive": true });
    shop.record::<Level>(&Uuid::now_v7().to_string(), gold)
        .await;
    shop.settled().await;
    let before = events(&shop, &["bulk-grant", "points"]).await;
    let form = |field: &str, value: Value| {
        let mut form = json!({ "amounts": 100, "memo": "적립" });
        form[field] = value;
        form
    };
    let send = async |form: &Value| shop.post(PATH, form).as_(&staff).send().await;
    let nobodys = vec![Uuid::nil(); 10_001];
    let both =
        json!({ "amounts": 100, "memo": "적립", "usernames": ["crowd0"], "levels": ["gold"] });
    let with = |field: &str, value: Value| {
        let mut form = form("usernames", json!(["crowd0"]));
        form[field] = value;
        form
    };
    for (form, complaint) in [
        (
            json!({ "amounts": 100, "memo": "적립" }),
            ("_users", "one_way"),
        ),
        (both, ("_users", "one_way")),
        (form("_users", json!([])), ("_users", "receivers_required")),
        (
            form("levels", json!(["gold"])),
            ("levels", "receivers_required"),
        ),
        (form("_users", json!(nobodys)), ("_users", "too_many")),
        (with("amounts", json!(0)), ("amounts", "amount_required")),
        (with("amounts", json!(-5)), ("amounts", "amount_required")),
        (with("memo", json!("")), ("memo", "memo")),
        (with("memo", json!("<script>")), ("memo", "memo")),
        (
            with("expiresAt", json!("2020-01-01")),
            ("expiresAt", "date_over"),
        ),
        (with("expiresAt", json!("곧")), ("expiresAt", "date")),
    ] {
        let refused = send(&form).await.expect(400);
        assert_eq!(refused.complaint(), complaint);
    }
    // thirty unknown among ten thousand
    let mut names: Vec<String> = vec!["crowd0".to_owned(); 10_000];
    let unknown: Vec<Value> = (0..30)
        .map(|number| {
            let (index, value) = (number * 333 + 7, format!("nobody{number}"));
            names[index].clone_from(&value);
            json!({ "index": index, "value": value })
        })
        .collect();
    let refused = send(&form("usernames", json!(names))).await.expect(400);
    assert_eq!(refused.code(), "unknown_members");
    assert_eq!(refused.complaint(), ("usernames", "unknown_members"));
    assert_eq!(refused.body["error"]["details"]["unknown"], json!(unknown));
    for (field, value) in [
        ("_users", json!([members[0], left.id, members[1]])),
        ("usernames", json!(["crowd0", "kim12345"])),
        ("levels", json!(["gold", "silver"])),
    ] {
        let refused = send(&form(field, value)).await.expect(400);
        assert_eq!(refused.code(), "unknown_members");
        assert_eq!(refused.body["error"]["details"]["unknown"][0]["index"], 1);
    }
    // ten thousand ids fit into a request
    let many = vec![members[0]; 10_000];
    let dry = shop.post(&format!("{PATH}?dryRun=true"), &form("_users", json!(many)));
    let dry = dry.as_(&staff).send().await.expect(200);
    assert_eq!(dry.body["preview"]["members"], 1);
    let seller = shop.company("seller01").await;
    for who in [&hong, &seller] {
        let refused = shop.post(PATH, &form("levels", json!(["gold"]))).as_(who);
        assert_eq!(refused.send().await.status, 403);
        assert_eq!(shop.get(PATH).as_(who).send().await.status, 403);
    }
    let nowhere = format!("{PATH}/{}?memo=no", Uuid::now_v7());
    assert_eq!(shop.delete(&nowhere).as_(&staff).send().await.status, 404);
    assert_eq!(events(&shop, &["bulk-grant", "points"]).await, before);
}
