//! Forms and what is sent with them: limits of the fields, versions, files, the queue of staff, and the answer.

use serde_json::{Value, json};
use time::Duration;

use crate::support::dump::dump;
use crate::support::pictures::{giving, picture_bytes};
use crate::support::reviews::{declared, read};
use crate::support::{Account, Reply, TestApp, until};

const FORMS: &str = "/api/v1/forms";
const CONSOLE_FORMS: &str = "/api/console/forms";
const MINE: &str = "/api/v1/me/inquiries";
const QUEUE: &str = "/api/console/inquiries";
const TO: &str = "kim@example.com";

fn partner() -> Value {
    json!({
        "code": "inquiry-partner", "name": "입점·제휴 신청", "content": "<p>안내</p><script>1</script>",
        "fields": [
            { "type": "TEXT", "name": "상호", "required": true, "maxLength": 20 },
            { "type": "CHOICE", "name": "분야", "required": true, "options": ["입점", "광고"] },
            { "type": "NUMBER", "name": "월 판매량", "min": 1, "max": 1000 },
            { "type": "CONSENT", "name": "개인정보 제공", "desc": "본사에 제공합니다.", "required": true },
        ],
        "display": { "enabled": true },
    })
}

/// Creates a form; returns it as the console shows it.
async fn made(shop: &TestApp, staff: &Account, form: &Value) -> Value {
    let made = shop.post(CONSOLE_FORMS, form).as_(staff).send().await;
    made.expect(201).body["form"].clone()
}

async fn revised(shop: &TestApp, staff: &Account, form: &Value, changes: Value) -> Value {
    let mut body = changes;
    body["version"] = form["version"].clone();
    let path = format!("{CONSOLE_FORMS}/{}", form["_id"].as_str().unwrap());
    let done = shop.put(&path, &body).as_(staff).send().await;
    done.expect(200).body["form"].clone()
}

/// Answers by the names of the fields, for the form as it is.
fn filled(form: &Value, answers: &[(&str, Value)]) -> Value {
    let mut given = json!({});
    for (name, value) in answers {
        let fields = form["fields"].as_array().unwrap();
        let field = fields.iter().find(|field| field["name"] == *name).unwrap();
        given[field["_id"].as_str().unwrap()] = value.clone();
    }
    json!({
        "_form": form["_id"], "version": form["version"], "name": "김입점", "email": TO,
        "phone": "010-9876-5432", "answers": given, "agreed": true,
    })
}

fn good(form: &Value) -> Value {
    let answers = [
        ("상호", json!("몰래상회")),
        ("분야", json!("입점")),
        ("월 판매량", json!(30)),
        ("개인정보 제공", json!(true)),
    ];
    filled(form, &answers)
}

fn path_of(form: &Value, name: &str) -> String {
    let fields = form["fields"].as_array().unwrap();
    let field = fields.iter().find(|field| field["name"] == name).unwrap();
    format!("answers.{}", field["_id"].as_str().unwrap())
}

async fn queued(shop: &TestApp, staff: &Account, id: &str) -> Value {
    let shown = read(shop, &format!("{QUEUE}/{id}"), Some(staff)).await;
    shown.expect(200).body["inquiry"].clone()
}

async fn set_state(shop: &TestApp, staff: &Account, id: &str, body: Value) -> Reply {
    let mut body = body;
    if body["version"].is_null() {
        body["version"] = queued(shop, staff, id).await["version"].clone();
    }
    let call = shop.put(&format!("{QUEUE}/{id}/state"), &body).as_(staff);
    call.send().await
}

fn id_of(reply: &Reply) -> String {
    reply.body["_id"].as_str().unwrap().to_owned()
}

async fn written(shop: &TestApp) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM events WHERE aggregate_type = 'inquiry'")
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_guest_sends_a_form_and_is_answered_by_mail() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller01").await;
    let form = made(&shop, &staff, &partner()).await;
    assert_eq!(form["content"], "<p>안내</p>", "cleaned");
    for key in ["inquiry-partner", form["_id"].as_str().unwrap()] {
        let shown = shop.get(&format!("{FORMS}/{key}")).send().await.expect(200);
        assert_eq!(shown.body["form"]["fields"], form["fields"]);
        assert_eq!(shown.body["form"]["version"], 1);
    }
    let sent = shop.post(FORMS, &good(&form)).send().await.expect(201);
    assert_eq!(sent.body.as_object().unwrap().len(), 1, "only the id");
    let id = id_of(&sent);
    let inquiry = queued(&shop, &staff, &id).await;
    declared("inquiry", &inquiry);
    assert_eq!(inquiry["phone"], "01098765432");
    assert_eq!(inquiry["subject"], "몰래상회");
    assert_eq!(inquiry["answers"][3]["text"], "동의함");
    assert_eq!(inquiry["state"], "ANSWER_AWAITING");
    assert_eq!(inquiry["_user"], Value::Null);
    for who in [None, Some(&seller)] {
        let status = if who.is_some() { 403 } else { 401 };
        for place in [
            QUEUE.to_owned(),
            format!("{QUEUE}/{id}"),
            format!("{QUEUE}/{id}/history"),
        ] {
            let refused = read(&shop, &place, who).await.expect(status);
            assert!(!refused.text.contains("몰래상회"));
        }
        let body = json!({ "version": 1, "state": "ANSWER_COMPLETE", "reply": "훔친 답변" });
        let call = shop.put(&format!("{QUEUE}/{id}/state"), &body);
        let call = match who {
            Some(who) => call.as_(who),
            None => call,
        };
        call.send().await.expect(status);
    }
    // Nothing but the answer can be written.
    let forged = json!({ "version": 1, "formName": "다른 양식", "fields": [], "details": null });
    let refused = shop
        .put(&format!("{QUEUE}/{id}"), &forged)
        .as_(&staff)
        .send()
        .await;
    assert_eq!(refused.expect(400).complaint().1, "read_only");
    for (body, complaint) in [
        (json!({ "state": "ANSWER_COMPLETE" }), ("reply", "required")),
        (
            json!({ "state": "ANSWER_COMPLETE", "reply": " " }),
            ("reply", "required"),
        ),
        (
            json!({ "state": "ANSWER_AWAITING", "reply": "글" }),
            ("reply", "differs"),
        ),
    ] {
        let refused = set_state(&shop, &staff, &id, body).await.expect(400);
        assert_eq!(refused.complaint(), complaint);
    }
    let reply = json!({ "state": "ANSWER_COMPLETE", "reply": "담당자가 연락드립니다." });
    let done = set_state(&shop, &staff, &id, reply).await.expect(200);
    assert_eq!(done.body["inquiry"]["state"], "ANSWER_COMPLETE");
    let mail = shop.mail(TO, "문의에 답변드립니다").await;
    let text = mail["text"].as_str().unwrap();
    for part in ["김입점님", "담당자가 연락드립니다.", "입점·제휴 신청"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let old = json!({ "version": 1, "state": "ANSWER_AWAITING" });
    let late = set_state(&shop, &staff, &id, old).await.expect(409);
    assert_eq!(late.code(), "version_conflict");
    let back = json!({ "state": "ANSWER_AWAITING" });
    let done = set_state(&shop, &staff, &id, back).await.expect(200);
    assert_eq!(done.body["inquiry"]["reply"], "");
    let story = read(&shop, &format!("{QUEUE}/{id}/history"), Some(&staff)).await;
    let story = story.expect(200);
    assert_eq!(story.body["events"].as_array().unwrap().len(), 3);
    assert!(!story.text.contains("\"sealed\""));
    let waiting = read(
        &shop,
        &format!("{QUEUE}?state=ANSWER_AWAITING"),
        Some(&staff),
    )
    .await;
    assert_eq!(waiting.expect(200).body["summary"]["totalCount"], 1);
    let answered = read(
        &shop,
        &format!("{QUEUE}?state=ANSWER_COMPLETE"),
        Some(&staff),
    )
    .await;
    assert_eq!(answered.expect(200).body["summary"]["totalCount"], 0);
    let of_form = format!(
        "{QUEUE}?_form={}&searchValue=제휴",
        form["_id"].as_str().unwrap()
    );
    let found = read(&shop, &of_form, Some(&staff)).await.expect(200);
    assert_eq!(found.body["inquiries"][0]["_id"], id.as_str());
    let stored = dump(shop.app.pool()).await;
    for secret in ["몰래상회", "김입점", TO, "01098765432", "담당자가 연락"] {
        assert!(!stored.contains(secret), "{secret} is stored");
    }
    let report = projections::verify::verify(&shop.app.store, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[tokio::test]
async fn what_does_not_fit_the_form_is_refused_and_nothing_is_written() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let form = made(&shop, &staff, &partner()).await;
    let wrong = |name: &str, value: Value| {
        let mut body = good(&form);
        let at = path_of(&form, name);
        body["answers"][at.trim_start_matches("answers.")] = value;
        (body, at)
    };
    for (name, value, code) in [
        ("상호", json!(null), "required"),
        ("상호", json!("가".repeat(21)), "too_long"),
        ("상호", json!(3), "invalid_body"),
        ("상호", json!({ "a": 1 }), "invalid_body"),
        ("분야", json!("협찬"), "unknown"),
        ("분야", json!(["입점"]), "invalid_body"),
        ("월 판매량", json!(1001), "too_large"),
        ("월 판매량", json!("30"), "invalid_body"),
        ("개인정보 제공", json!(false), "required"),
    ] {
        let (body, at) = wrong(name, value);
        let refused = shop.post(FORMS, &body).send().await.expect(400);
        assert_eq!(refused.complaint(), (at.as_str(), code));
    }
    let mut stranger = good(&form);
    stranger["answers"]["moon"] = json!("x");
    let refused = shop.post(FORMS, &stranger).send().await.expect(400);
    assert_eq!(refused.complaint(), ("answers.moon", "unknown"));
    let mut many = good(&form);
    for n in 0..10_000 {
        many["answers"][n.to_string()] = json!("x");
    }
    let refused = shop.post(FORMS, &many).send().await.expect(400);
    assert_eq!(refused.complaint(), ("answers", "too_many"));
    for (field, value, code) in [
        ("name", json!("김"), "name"),
        ("email", json!("kim"), "email"),
        ("phone", json!("1"), "phone"),
        ("agreed", json!(false), "required"),
    ] {
        let mut body = good(&form);
        body[field] = value;
        let refused = shop.post(FORMS, &body).send().await.expect(400);
        assert_eq!(refused.complaint(), (field, code));
    }
    let mut elsewhere = good(&form);
    elsewhere["_form"] = json!("moon");
    shop.post(FORMS, &elsewhere).send().await.expect(404);
    elsewhere["_form"] = json!(staff.id);
    shop.post(FORMS, &elsewhere).send().await.expect(404);
    let mut old = good(&form);
    old["version"] = json!(7);
    let refused = shop.post(FORMS, &old).send().await.expect(409);
    assert_eq!(refused.code(), "version_conflict");

    let closed = json!({ "display": { "enabled": false } });
    let closed = revised(&shop, &staff, &form, closed).await;
    shop.get(&format!("{FORMS}/inquiry-partner"))
        .send()
        .await
        .expect(404);
    shop.post(FORMS, &good(&closed)).send().await.expect(404);
    let members = json!({ "membersOnly": true, "display": { "enabled": true } });
    let members = revised(&shop, &staff, &closed, members).await;
    let refused = shop.post(FORMS, &good(&members)).send().await.expect(401);
    assert_eq!(refused.code(), "login_required");
    assert_eq!(written(&shop).await, 0);
}

#[tokio::test]
async fn an_edited_form_changes_no_old_answer_and_its_fields_keep_their_ids() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let form = made(&shop, &staff, &partner()).await;
    let sent = shop
        .post(FORMS, &good(&form))
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let id = id_of(&sent);
    let fields = json!({ "name": "새 제목", "fields": [
        { "type": "NUMBER", "name": "상호", "required": true },
        { "type": "TEXT", "name": "새 항목" },
    ] });
    let edited = revised(&shop, &staff, &form, fields).await;
    assert_eq!(
        edited["fields"][0]["_id"], form["fields"][0]["_id"],
        "same name, same id"
    );
    let stale = shop.post(FORMS, &good(&form)).as_(&hong).send().await;
    assert_eq!(stale.expect(409).code(), "version_conflict");
    let removed = format!("{CONSOLE_FORMS}/{}", form["_id"].as_str().unwrap());
    shop.delete(&removed).as_(&staff).send().await.expect(200);
    shop.get(&format!("{FORMS}/inquiry-partner"))
        .send()
        .await
        .expect(404);

    let inquiry = queued(&shop, &staff, &id).await;
    assert_eq!(inquiry["formName"], "입점·제휴 신청");
    assert_eq!(inquiry["formVersion"], 1);
    assert_eq!(inquiry["answers"][0]["name"], "상호");
    assert_eq!(inquiry["answers"][0]["text"], "몰래상회");
    let path = format!("{MINE}/{id}");
    let own = shop.get(&path).as_(&hong).send().await.expect(200);
    assert_eq!(own.body["inquiry"]["fields"], form["fields"]);
    // Changed against the form as it was sent.
    let mut body = json!({ "answers": good(&form)["answers"] });
    let at = path_of(&form, "분야");
    body["answers"][at.trim_start_matches("answers.")] = json!("광고");
    let changed = shop.put(&path, &body).as_(&hong).send().await.expect(200);
    assert_eq!(changed.body["inquiry"]["answers"][1]["text"], "광고");
    body["answers"][at.trim_start_matches("answers.")] = json!("협찬");
    let refused = shop.put(&path, &body).as_(&hong).send().await.expect(400);
    assert_eq!(refused.complaint(), (at.as_str(), "unknown"));
}

#[tokio::test]
async fn an_inquiry_is_between_its_member_and_staff() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let mut with_file = partner();
    with_file["fields"] = json!([
        { "type": "TEXT", "name": "상호", "required": true },
        { "type": "FILE", "name": "소개서", "required": true },
    ]);
    let refused = shop
        .post(CONSOLE_FORMS, &with_file)
        .as_(&staff)
        .send()
        .await;
    assert_eq!(
        refused.expect(400).complaint(),
        ("fields.1.type", "members_only")
    );
    with_file["membersOnly"] = json!(true);
    let form = made(&shop, &staff, &with_file).await;
    let upload = |who| {
        giving(
            &shop,
            "/api/v1/files",
            "file",
            "소개서.png",
            &picture_bytes(3),
        )
        .as_(who)
    };
    let own_file = upload(&hong).send().await.expect(201).body["file"]["_id"].clone();
    let other_file = upload(&kim).send().await.expect(201).body["file"]["_id"].clone();
    let answers = |file: &Value| {
        filled(
            &form,
            &[("상호", json!("몰래상회")), ("소개서", json!([file]))],
        )
    };
    let at = path_of(&form, "소개서");
    let stolen = shop
        .post(MINE, &answers(&other_file))
        .as_(&hong)
        .send()
        .await;
    assert_eq!(stolen.expect(400).complaint(), (at.as_str(), "unknown"));
    shop.post(MINE, &answers(&own_file))
        .send()
        .await
        .expect(401);
    let sent = shop
        .post(MINE, &answers(&own_file))
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let inquiry = &sent.body["inquiry"];
    assert_eq!(inquiry["files"][0]["name"], "소개서.png");
    let id = inquiry["_id"].as_str().unwrap();
    let path = format!("{MINE}/{id}");
    let list = read(&shop, MINE, Some(&hong)).await.expect(200);
    assert_eq!(list.body["inquiries"][0]["subject"], "몰래상회");
    // Another member does not learn that it exists.
    let change = json!({ "answers": {} });
    for call in [
        shop.get(&path),
        shop.put(&path, &change),
        shop.delete(&path),
    ] {
        let refused = call.as_(&kim).send().await.expect(404);
        assert_eq!(refused.code(), "not_found");
    }
    let none = read(&shop, MINE, Some(&kim)).await.expect(200);
    assert_eq!(none.body["summary"]["totalCount"], 0);

    let reply = json!({ "state": "ANSWER_COMPLETE", "reply": "검토했습니다." });
    set_state(&shop, &staff, id, reply).await.expect(200);
    until("an alarm about the answer", async || {
        let alarms = shop.get("/api/v1/me/alarms").as_(&hong).send().await;
        let told = alarms.text.contains("INQUIRY_FORM_ANSWERED");
        (told && alarms.text.contains(&format!("/mypage/inquiry/{id}"))).then_some(())
    })
    .await;
    let shown = shop.get(&path).as_(&hong).send().await.expect(200);
    assert_eq!(shown.body["inquiry"]["reply"], "검토했습니다.");
    let body = json!({ "answers": answers(&own_file)["answers"] });
    let late = shop.put(&path, &body).as_(&hong).send().await.expect(409);
    assert_eq!(late.code(), "not_allowed_now");
    // Removed for good.
    let gone = shop.delete(&path).as_(&hong).send().await.expect(200);
    assert!(!gone.text.contains("몰래상회"));
    until("the key is destroyed", async || {
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NOT NULL",
        )
        .bind(id)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_inquiry_is_erased_with_its_member_or_after_three_years() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let form = made(&shop, &staff, &partner()).await;
    let of_member = id_of(
        &shop
            .post(FORMS, &good(&form))
            .as_(&hong)
            .send()
            .await
            .expect(201),
    );
    let of_guest = id_of(&shop.post(FORMS, &good(&form)).send().await.expect(201));
    let leave = json!({ "password": hong.password });
    let left = shop.post("/api/v1/me/withdraw", &leave).as_(&hong);
    left.send().await.expect(200);
    until("the member's inquiry is erased", async || {
        shop.app.keys.forget_cached();
        let seen = queued(&shop, &staff, &of_member).await;
        seen["subject"].is_null().then_some(())
    })
    .await;
    assert_eq!(queued(&shop, &staff, &of_guest).await["name"], "김입점");
    let forgotten = api::backup::forgotten(&shop.app.store).await.unwrap();
    let erased = forgotten.iter().any(|(id, _)| id.to_string() == of_member);
    assert!(erased, "not to be restored from a backup of keys");
    shop.until_counted("SELECT count(*) FROM deadlines WHERE id = $1", &of_guest)
        .await;
    shop.advance(Duration::days(3 * 365 + 2));
    shop.until_counted(
        "SELECT count(*) FROM events WHERE aggregate_id = $1 AND event_type = 'InquiryRemoved'",
        &of_guest,
    )
    .await;
}
