//! Sending to many members: each once, at a pace, stopped half-way and taken back; advertising; the list of all members' alarms; bad input.

use domain::sending::next_advertising_hour;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::bulk_points::crowd;
use crate::support::{Account, TestApp, sign_up_form, until};

const SENDINGS: &str = "/api/console/shop/alarms";
const ALARMS: &str = "/api/console/users/alarms";

fn form(target: (&str, Value)) -> Value {
    let mut form = json!({ "channel": "ALARM", "title": "점검 안내", "content": "내일 새벽에\n점검합니다.", "url": "/sub/event" });
    form[target.0] = target.1;
    form
}

async fn show(shop: &TestApp, staff: &Account, id: &Value) -> Value {
    shop.settled().await;
    let path = format!("{SENDINGS}/{}", id.as_str().unwrap());
    shop.get(&path).as_(staff).send().await.expect(200).body["sending"].clone()
}

async fn until_served(shop: &TestApp, staff: &Account, id: &Value, served: u32) -> Value {
    until(&format!("{served} are served"), async || {
        let sending = show(shop, staff, id).await;
        (sending["served"] == served).then_some(sending)
    })
    .await
}

async fn list(shop: &TestApp, staff: &Account, query: &str) -> Value {
    shop.settled().await;
    let list = shop.get(&format!("{ALARMS}?{query}")).as_(staff).send();
    list.await.expect(200).body
}

async fn drawer(shop: &TestApp, who: &Account) -> Value {
    shop.settled().await;
    shop.get("/api/v1/me/alarms")
        .as_(who)
        .send()
        .await
        .expect(200)
        .body
}

async fn clean(shop: &TestApp) {
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn staff_sends_an_alarm_at_a_pace_stops_half_way_and_takes_it_back() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    crowd(&shop, 10).await;
    let mut form = form(("all", json!(true)));
    form["perMinute"] = json!(1);
    let dry = shop.post(&format!("{SENDINGS}?dryRun=true"), &form);
    let preview = dry.as_(&staff).send().await.expect(200).body["preview"].clone();
    // the operator, hong and the crowd
    assert_eq!(
        (&preview["members"], &preview["receiving"]),
        (&json!(12), &json!(12))
    );
    assert_eq!(preview["title"], "점검 안내");
    let ask = || shop.post(SENDINGS, &form).as_(&staff).key("notice");
    let sending = ask().send().await.expect(201).body["sending"].clone();
    assert_eq!(
        ask().send().await.expect(201).body["sending"]["_id"],
        sending["_id"]
    );
    let id = &sending["_id"];
    assert_eq!(
        (&sending["target"], &sending["state"]),
        (&json!("ALL"), &json!("PLANNED"))
    );
    let half = until_served(&shop, &staff, id, 1).await;
    assert_eq!(
        (&half["state"], &half["members"]),
        (&json!("SENDING"), &json!(12))
    );
    // the next part waits for its time
    assert_eq!(
        list(&shop, &staff, "category=NOTICE").await["summary"]["totalCount"],
        1
    );
    shop.advance(Duration::minutes(1));
    until_served(&shop, &staff, id, 2).await;
    let mine = drawer(&shop, &hong).await;
    assert_eq!(mine["summary"]["totalCount"], 1, "once");
    assert_eq!(
        (&mine["alarms"][0]["title"], &mine["alarms"][0]["url"]),
        (&json!("점검 안내"), &json!("/sub/event"))
    );
    assert_eq!(mine["alarms"][0]["category"], "NOTICE");
    let path = format!("{SENDINGS}/{}", id.as_str().unwrap());
    let memo = serde_urlencoded::to_string([("memo", "내용이 틀렸습니다")]).unwrap();
    // the text of what has begun stays
    let other = json!({ "title": "다른 안내", "content": "다른 내용", "perMinute": 1 });
    let refused = shop.put(&path, &other).as_(&staff).send().await;
    assert_eq!(
        refused.expect(409).body["error"]["details"]["reason"],
        "sending_begun"
    );
    let stop = format!("{path}/stop?{memo}");
    let stopped = shop.post(&stop, &json!({})).as_(&staff).send().await;
    assert_eq!(stopped.expect(200).body["sending"]["state"], "STOPPED");
    let again = shop.post(&stop, &json!({})).as_(&staff).send().await;
    assert_eq!(again.expect(409).code(), "not_allowed_now");
    shop.advance(Duration::minutes(10));
    assert_eq!(show(&shop, &staff, id).await["served"], 2);
    assert_eq!(
        list(&shop, &staff, "state=UNREAD").await["summary"]["totalCount"],
        2
    );
    // taken back: gone from the drawer, and staff still see it
    let back = shop
        .delete(&format!("{path}?{memo}"))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(back.expect(200).body["sending"]["state"], "WITHDRAWN");
    assert_eq!(
        drawer(&shop, &hong).await["summary"],
        json!({ "totalCount": 0, "unreadCount": 0 })
    );
    let about = format!(
        "about={}&state=WITHDRAWN&username=hong1234",
        id.as_str().unwrap()
    );
    let found = list(&shop, &staff, &about).await;
    assert_eq!(found["summary"]["totalCount"], 1);
    assert_eq!(found["alarms"][0]["username"], "hong1234");
    assert_eq!(
        found["alarms"][0]["cause"],
        json!({ "kind": "sending", "_id": id })
    );
    clean(&shop).await;
}

#[tokio::test]
async fn advertising_reaches_those_who_agreed_by_day_and_is_marked() {
    let shop = TestApp::start().await;
    shop.console().await;
    let kim = shop.sign_up("kim12345").await;
    let mut agrees = sign_up_form("hong1234");
    agrees["_terms"] = json!(["age", "service", "privacy", "ads"]);
    shop.post("/api/v1/users", &agrees).send().await.expect(201);
    let hong = shop.login("hong1234", "abcd123!").await.expect(200);
    assert!(hong.body.to_string().contains("accessToken"));
    let mut off = sign_up_form("park1234");
    off["_terms"] = json!(["age", "service", "privacy", "ads"]);
    shop.post("/api/v1/users", &off).send().await.expect(201);
    let park = shop.account("park1234", "abcd123!").await;
    let settings = json!({ "noti": { "disabledCategories": ["ADVERTISING"] } });
    shop.put("/api/v1/me", &settings)
        .as_(&park)
        .send()
        .await
        .expect(200);
    let mut advertising = form(("userType", json!("PERSON")));
    advertising["advertising"] = json!(true);
    shop.settled().await;
    // at ten in the evening
    let now = shop.app.clock.now();
    let morning = next_advertising_hour(now + Duration::days(1));
    let evening =
        domain::business_day::starts(domain::business_day::day(morning)) + Duration::hours(22);
    shop.advance(evening - now);
    let staff = shop.account("operator1", "operator1!").await;
    let dry = shop.post(&format!("{SENDINGS}?dryRun=true"), &advertising);
    let preview = dry.as_(&staff).send().await;
    let preview = preview.expect(200).body["preview"].clone();
    assert_eq!(
        (&preview["members"], &preview["receiving"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(preview["title"], "(광고) 점검 안내");
    let sending = shop.post(SENDINGS, &advertising).as_(&staff).send().await;
    let id = sending.expect(201).body["sending"]["_id"].clone();
    shop.advance(Duration::hours(9));
    let staff = shop.account("operator1", "operator1!").await;
    assert_eq!(
        show(&shop, &staff, &id).await["served"],
        0,
        "not before eight"
    );
    shop.advance(Duration::hours(1));
    let staff = shop.account("operator1", "operator1!").await;
    let done = until_served(&shop, &staff, &id, 3).await;
    assert_eq!(
        (&done["state"], &done["skipped"]),
        (&json!("DONE"), &json!(2))
    );
    let sent = list(&shop, &staff, "category=ADVERTISING").await;
    assert_eq!(sent["summary"]["totalCount"], 1);
    assert_eq!(sent["alarms"][0]["username"], "hong1234");
    assert_eq!(sent["alarms"][0]["title"], "(광고) 점검 안내");
    let mine = shop.account("kim12345", &kim.password).await;
    assert_eq!(drawer(&shop, &mine).await["summary"]["totalCount"], 0);
    clean(&shop).await;
}

#[tokio::test]
async fn staff_finds_marks_and_takes_back_the_alarm_of_one_member() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let one = json!({ "usernames": ["hong1234"], "title": "확인 부탁드립니다", "content": "연락 주세요." });
    let sent = shop.post(ALARMS, &one).as_(&staff).send().await.expect(201);
    until_served(&shop, &staff, &sent.body["sending"]["_id"], 1).await;
    let found = list(&shop, &staff, "searchValue=%EC%97%B0%EB%9D%BD").await;
    assert_eq!(found["summary"]["totalCount"], 1);
    let alarm = &found["alarms"][0];
    assert_eq!(
        (&alarm["state"], &alarm["shows"]),
        (&json!("UNREAD"), &json!(true))
    );
    assert_eq!(
        list(&shop, &staff, "username=kim12345").await["summary"]["totalCount"],
        0
    );
    assert_eq!(
        list(&shop, &staff, "username=nobody12").await["summary"]["totalCount"],
        0
    );
    let path = format!("{ALARMS}/{}", alarm["_id"].as_str().unwrap());
    let read = shop
        .put(&path, &json!({ "shows": false }))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(read.expect(200).body["alarm"]["state"], "READ");
    assert_eq!(drawer(&shop, &hong).await["summary"]["unreadCount"], 0);
    let memo = serde_urlencoded::to_string([("memo", "잘못 보냈습니다")]).unwrap();
    let back = format!("{path}?{memo}");
    let taken = shop.delete(&back).as_(&staff).send().await.expect(200);
    assert_eq!(taken.body["alarm"]["state"], "WITHDRAWN");
    assert_eq!(drawer(&shop, &hong).await["summary"]["totalCount"], 0);
    assert_eq!(
        shop.delete(&back)
            .as_(&staff)
            .send()
            .await
            .expect(409)
            .code(),
        "not_allowed_now"
    );
    let unread = shop
        .put(&path, &json!({ "shows": true }))
        .as_(&staff)
        .send()
        .await;
    assert_eq!(unread.expect(409).code(), "not_allowed_now");
    assert_eq!(
        shop.get(&path).as_(&staff).send().await.expect(200).body["alarm"]["state"],
        "WITHDRAWN"
    );
    // the log says who took it back
    let sql = "SELECT count(*) FROM events WHERE event_type = 'AlarmWithdrawn'";
    let withdrawn: i64 = sqlx::query_scalar(sql)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(withdrawn, 1);
    for who in [&hong, &kim] {
        assert_eq!(shop.get(ALARMS).as_(who).send().await.status, 403);
        assert_eq!(shop.delete(&back).as_(who).send().await.status, 403);
        assert_eq!(shop.post(ALARMS, &one).as_(who).send().await.status, 403);
        assert_eq!(shop.get(SENDINGS).as_(who).send().await.status, 403);
    }
    let nowhere = format!("{ALARMS}/{}", Uuid::now_v7());
    assert_eq!(shop.get(&nowhere).as_(&staff).send().await.status, 404);
}

#[tokio::test]
async fn a_sending_with_anything_wrong_in_it_is_refused_as_a_whole() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    crowd(&shop, 1).await;
    let with = |field: &str, value: Value| {
        let mut form = form(("usernames", json!(["crowd0"])));
        form[field] = value;
        form
    };
    for (form, complaint) in [
        (with("usernames", Value::Null), ("target", "one_way")),
        (with("all", json!(true)), ("target", "one_way")),
        (
            with("usernames", json!([])),
            ("usernames", "receivers_required"),
        ),
        (
            with("usernames", json!(["crowd0", "nobody"])),
            ("usernames", "unknown_members"),
        ),
        (
            with("title", json!("안녕\r\nBcc: a@b.c")),
            ("title", "title"),
        ),
        (with("title", json!("<b>세일</b>")), ("title", "title")),
        (with("content", json!("<script>")), ("content", "content")),
        (with("content", json!(" ")), ("content", "content")),
        (with("url", json!("//evil.example")), ("url", "path")),
        (with("url", json!("javascript:alert(1)")), ("url", "path")),
        (with("perMinute", json!(0)), ("perMinute", "pace")),
        (with("perMinute", json!(6_001)), ("perMinute", "pace")),
    ] {
        for channel in ["ALARM", "MAIL"] {
            let mut form = form.clone();
            form["channel"] = json!(channel);
            let refused = shop
                .post(SENDINGS, &form)
                .as_(&staff)
                .send()
                .await
                .expect(400);
            assert_eq!(refused.complaint(), complaint);
        }
    }
    let sql = "SELECT count(*) FROM events WHERE aggregate_type IN ('sending', 'message')";
    let events: i64 = sqlx::query_scalar(sql)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(events, 0);
    assert_eq!(list(&shop, &staff, "").await["summary"]["totalCount"], 0);
}

#[tokio::test]
async fn a_mail_to_many_goes_through_the_outbox_once_each_and_a_bounce_is_seen() {
    let shop = TestApp::start().await;
    shop.mail_fault(&json!({ "step": "rcpt", "fault": "refuse", "code": 550, "times": 1 }))
        .await;
    let staff = shop.console().await;
    shop.sign_up("hong1234").await;
    shop.sign_up("kim12345").await;
    let mut mail = form(("userType", json!("PERSON")));
    mail["channel"] = json!("MAIL");
    let sending = shop.post(SENDINGS, &mail).as_(&staff).send().await;
    let id = sending.expect(201).body["sending"]["_id"].clone();
    until_served(&shop, &staff, &id, 2).await;
    let about = format!("/api/console/messages?about={}", id.as_str().unwrap());
    let messages = until("both are sent or refused", async || {
        shop.settled().await;
        let list = shop.get(&about).as_(&staff).send().await.expect(200).body;
        let ended =
            |message: &Value| ["SENT", "BOUNCED"].contains(&message["state"].as_str().unwrap());
        let rows = list["messages"].as_array().unwrap().clone();
        (rows.len() == 2 && rows.iter().all(ended)).then_some(rows)
    })
    .await;
    let bounced = messages
        .iter()
        .filter(|message| message["state"] == "BOUNCED");
    assert_eq!(bounced.count(), 1);
    assert_eq!(messages[0]["title"], "공지 메일");
    assert_eq!(messages[0]["cause"]["kind"], "sending");
    let mut got = shop.mails("hong1234@example.com").await;
    got.extend(shop.mails("kim12345@example.com").await);
    assert_eq!(got.len(), 1);
    assert_eq!(got[0]["subject"], "[장부상회] 점검 안내");
    let text = got[0]["text"].as_str().unwrap();
    assert!(
        text.contains("점검합니다.") && text.contains("/sub/event"),
        "{text}"
    );
    // mail that was sent cannot be taken back
    let memo = serde_urlencoded::to_string([("memo", "틀렸습니다")]).unwrap();
    let path = format!("{SENDINGS}/{}?{memo}", id.as_str().unwrap());
    let back = shop.delete(&path).as_(&staff).send().await.expect(409);
    assert_eq!(
        back.body["error"]["details"]["reason"],
        "nothing_to_withdraw"
    );
    let mails = shop.get(&format!("{SENDINGS}?channel=MAIL")).as_(&staff);
    assert_eq!(
        mails.send().await.expect(200).body["summary"]["totalCount"],
        1
    );
    let alarms = shop.get(&format!("{SENDINGS}?channel=ALARM")).as_(&staff);
    assert_eq!(
        alarms.send().await.expect(200).body["summary"]["totalCount"],
        0
    );
    clean(&shop).await;
}
