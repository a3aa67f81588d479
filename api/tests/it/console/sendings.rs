//! Sendings by text, to more members than a list holds, and the outcome of each.

use std::time::Instant;

use application::policies::Policy;
use application::policies::sendings::Sendings;
use domain::ids::{MemberId, SendingId};
use domain::sending::{
    Sending, SendingChannel, SendingCommand, SendingCrowd, SendingEvent, SendingTerms, SendingText,
    next_advertising_hour,
};
use event_store::StreamId;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::bulk_points::crowd;
use crate::support::texts::TEXTED;
use crate::support::{Account, Reply, TestApp, until};

const SENDINGS: &str = "/api/console/shop/alarms";
const REFUSAL: (&str, &str) = ("JANGBU_SMS_REFUSAL_NUMBER", "080-123-4567");
const TO: &str = "01012345678";

pub(super) fn text(advertising: bool) -> Value {
    json!({
        "channel": "SMS", "advertising": advertising, "userType": "PERSON", "title": "봄 세일",
        "content": "오늘부터 사흘 동안\n할인합니다.", "url": "/sub/event",
    })
}

impl TestApp {
    pub(super) async fn order_sending(&self, staff: &Account, form: &Value) -> Reply {
        self.settled().await;
        self.post(SENDINGS, form).as_(staff).send().await
    }

    /// What a sending would do, without ordering it.
    async fn preview(&self, staff: &Account, form: &Value) -> Value {
        let dry = self.post(&format!("{SENDINGS}?dryRun=true"), form);
        dry.as_(staff).send().await.expect(200).body["preview"].clone()
    }

    pub(super) async fn sending(&self, staff: &Account, id: &Value) -> Value {
        self.settled().await;
        let path = format!("{SENDINGS}/{}", id.as_str().unwrap());
        self.get(&path).as_(staff).send().await.expect(200).body
    }

    /// Receivers who got nothing: their names and the reasons.
    async fn skipped(&self, staff: &Account, (id, query): (&Value, &str)) -> Vec<(String, String)> {
        self.settled().await;
        let path = format!("{SENDINGS}/{}/skipped{query}", id.as_str().unwrap());
        let list = self.get(&path).as_(staff).send().await.expect(200).body;
        let rows = list["skipped"].as_array().unwrap().iter();
        let mut rows: Vec<_> = rows
            .map(|row| {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                (text(&row["member"]["name"]), text(&row["reason"]))
            })
            .collect();
        rows.sort();
        rows
    }

    /// Moves to an hour in which advertising may be sent.
    async fn by_day(&self) {
        let now = self.app.clock.now();
        let day = next_advertising_hour(now);
        self.advance(day - now);
    }

    async fn agree(&self, who: &Account, channel: &str, agrees: bool) -> Value {
        let form = json!({ "agrees": agrees, "channel": channel });
        let call = self.put("/api/v1/me/advertising", &form).as_(who);
        call.send().await.expect(200).body["user"].clone()
    }
}

pub(super) async fn clean(shop: &TestApp) {
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn advertising_by_text_reaches_who_agreed_to_texts_and_can_be_refused() {
    let shop = TestApp::with(&[TEXTED, REFUSAL]).await;
    shop.by_day().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    crowd(&shop, 1).await;
    // The consent to mail is none to texts.
    let user = shop.agree(&kim, "MAIL", true).await;
    assert_eq!(
        (&user["advertising"], &user["advertisingTexts"]),
        (&json!(true), &json!(false))
    );
    let user = shop.agree(&hong, "SMS", true).await;
    assert_eq!(
        (&user["advertising"], &user["advertisingTexts"]),
        (&json!(false), &json!(true))
    );
    let form = text(true);
    let preview = shop.preview(&staff, &form).await;
    assert_counted(&preview, 3, &[("NO_CONSENT", 2)]);
    let ordered = shop.order_sending(&staff, &form).await.expect(201);
    let id = ordered.body["sending"]["_id"].clone();
    let got = shop.text(TO, "봄 세일").await;
    let read = got["text"].as_str().unwrap();
    assert!(read.starts_with("(광고)[장부상회] 봄 세일\n"), "{read}");
    assert!(read.contains("할인합니다."), "{read}");
    assert!(read.contains("/sub/event"), "{read}");
    let end = "문의 0212345678\n무료수신거부 080-123-4567";
    assert!(read.ends_with(end), "{read}");
    assert_eq!(preview["content"], read);
    assert!(preview["bytes"].as_u64() > Some(90));
    until("it is done", async || {
        let sending = shop.sending(&staff, &id).await;
        (sending["sending"]["state"] == "DONE" && sending["messages"][0]["count"] == 1)
            .then_some(())
    })
    .await;
    let skipped = shop.skipped(&staff, (&id, "")).await;
    let row = |name: &str, reason: &str| (name.to_owned(), reason.to_owned());
    assert_eq!(
        skipped,
        [row("kim12345", "NO_CONSENT"), row("모임0", "NO_CONSENT")]
    );
    // The outcome, with the carrier's report.
    shop.advance(Duration::MINUTE);
    tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
    shop.advance(Duration::minutes(4));
    let staff = shop.account("operator1", "operator1!").await;
    until("it is delivered", async || {
        let sending = shop.sending(&staff, &id).await;
        (sending["messages"] == json!([{ "state": "DELIVERED", "count": 1 }])).then_some(())
    })
    .await;
    let sending = shop.sending(&staff, &id).await;
    assert_eq!(
        sending["skipped"],
        json!([{ "reason": "NO_CONSENT", "count": 2 }])
    );
    // A notice needs no consent, but a number.
    let preview = shop.preview(&staff, &text(false)).await;
    assert_counted(&preview, 3, &[("NO_MOBILE", 1)]);
    let notice = shop.order_sending(&staff, &text(false)).await.expect(201);
    let id = notice.body["sending"]["_id"].clone();
    until("the notice is done", async || {
        (shop.sending(&staff, &id).await["sending"]["state"] == "DONE").then_some(())
    })
    .await;
    let skipped = shop.skipped(&staff, (&id, "?reason=NO_MOBILE")).await;
    assert_eq!(skipped, [row("모임0", "NO_MOBILE")]);
    assert!(
        shop.skipped(&staff, (&id, "?reason=NO_CONSENT"))
            .await
            .is_empty()
    );
    until("both have the notice", async || {
        let texts = shop.texts(TO).await;
        let notices = texts.iter().filter(|text| {
            let text = text["text"].as_str().unwrap();
            text.starts_with("[장부상회] 봄 세일") && !text.contains("무료수신거부")
        });
        (notices.count() == 2).then_some(())
    })
    .await;
    let user = shop.agree(&hong, "SMS", false).await;
    assert_eq!(user["advertisingTexts"], false);
    clean(&shop).await;
}

#[tokio::test]
async fn what_phones_cannot_show_or_refuse_is_not_sent_by_text() {
    let off = TestApp::with(&[]).await;
    let staff = off.console().await;
    off.sign_up("hong1234").await;
    let refused = off.order_sending(&staff, &text(false)).await.expect(400);
    assert_eq!(refused.complaint(), ("channel", "sms_off"));
    let shop = TestApp::with(&[TEXTED]).await;
    let staff = shop.console().await;
    shop.sign_up("hong1234").await;
    let with = |field: &str, value: Value| {
        let mut form = text(false);
        form[field] = value;
        form
    };
    for (form, field, code) in [
        (text(true), "advertising", "no_refusal_number"),
        (with("title", json!("봄 세일 🍎")), "title", "not_encodable"),
        (
            with("content", json!("사과 🍎")),
            "content",
            "not_encodable",
        ),
        (
            with("content", json!("가".repeat(1_000))),
            "content",
            "too_long",
        ),
    ] {
        for path in [SENDINGS.to_owned(), format!("{SENDINGS}?dryRun=true")] {
            shop.settled().await;
            let refused = shop.post(&path, &form).as_(&staff).send().await;
            assert_eq!(refused.expect(400).complaint(), (field, code), "{form}");
        }
    }
    shop.settled().await;
    assert!(shop.texts(TO).await.is_empty());
}

/// A crowd is served part by part in the order of ids, each once however often the events are read; who joins later gets nothing.
#[tokio::test]
async fn each_of_a_crowd_gets_it_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut members = crowd(&shop, 7).await;
    members.sort();
    shop.settled().await;
    let id = SendingId(Uuid::now_v7());
    let order = SendingCommand::Order {
        terms: Box::new(SendingTerms {
            channel: SendingChannel::Alarm,
            advertising: false,
            text: SendingText {
                title: "점검 안내".to_owned(),
                content: "점검합니다.".to_owned(),
                url: String::new(),
            },
            target: "TYPE:PERSON".to_owned(),
            members: Vec::new(),
            crowd: Some(SendingCrowd {
                count: 7,
                last: *members.last().unwrap(),
            }),
            per_minute: 36,
        }),
        starts_at: None,
    };
    crowd_later(&shop).await;
    let command = TestApp::by_system("order-sending");
    let ordered = shop.app.executor.execute::<Sending>(&command, id, order);
    ordered.await.unwrap();
    let wire = json!(id.to_string());
    for served in [3, 6, 7] {
        until("the next part is served", async || {
            (shop.sending(&staff, &wire).await["sending"]["served"] == served).then_some(())
        })
        .await;
        shop.advance(Duration::seconds(5));
    }
    let sending = shop.sending(&staff, &wire).await["sending"].clone();
    assert_eq!(
        (&sending["state"], &sending["members"], &sending["dueAt"]),
        (&json!("DONE"), &json!(7), &Value::Null)
    );
    let events = shop
        .app
        .store
        .read_stream(&StreamId::of::<Sending>(id))
        .await;
    let mut served: Vec<MemberId> = Vec::new();
    for event in events.unwrap() {
        // Read again, it delivers nothing more.
        if Sendings.wants(&event).unwrap() {
            Sendings.react(&shop.app, &event).await.unwrap();
        }
        if let SendingEvent::SendingPartSent { members, .. } = event.event::<Sending>().unwrap() {
            assert!(members.len() <= 3);
            served.extend(members);
        }
    }
    assert_eq!(served, members);
    let told = "SELECT count(*), count(DISTINCT member) FROM alarms WHERE cause_kind = 'sending'";
    let told: (i64, i64) = sqlx::query_as(told)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(told, (7, 7));
    clean(&shop).await;
}

/// One who joins after the members of a crowd were counted.
async fn crowd_later(shop: &TestApp) {
    shop.sign_up("late1234").await;
    shop.settled().await;
}

/// Those who get nothing of a sending are counted by reason before it is ordered, and their turn comes to the same.
#[tokio::test]
async fn a_stopped_address_is_counted_and_skipped() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for name in ["hong1234", "kim12345"] {
        shop.sign_up(name).await;
    }
    let mail = |title: &str| {
        let mut form = text(false);
        (form["channel"], form["title"]) = (json!("MAIL"), json!(title));
        form
    };
    let refusal =
        json!({ "step": "rcpt", "fault": "refuse", "code": 550, "to": "hong1234@example.com" });
    shop.mail_fault(&refusal).await;
    assert_counted(&shop.preview(&staff, &mail("첫 소식")).await, 2, &[]);
    shop.order_sending(&staff, &mail("첫 소식"))
        .await
        .expect(201);
    until("one address is stopped", async || {
        let preview = shop.preview(&staff, &mail("둘째 소식")).await;
        (preview["skipped"] == json!([{ "reason": "ADDRESS_STOPPED", "count": 1 }])).then_some(())
    })
    .await;
    let second = shop.order_sending(&staff, &mail("둘째 소식")).await;
    let id = second.expect(201).body["sending"]["_id"].clone();
    until("the second is done", async || {
        let sending = shop.sending(&staff, &id).await;
        (sending["messages"] == json!([{ "state": "SENT", "count": 1 }])).then_some(())
    })
    .await;
    let stopped = ("hong1234".to_owned(), "ADDRESS_STOPPED".to_owned());
    assert_eq!(shop.skipped(&staff, (&id, "")).await, [stopped]);
    clean(&shop).await;
}

fn assert_counted(preview: &Value, members: i64, skipped: &[(&str, i64)]) {
    let receiving = members - skipped.iter().map(|(_, count)| count).sum::<i64>();
    let skipped = skipped.iter();
    let skipped: Vec<Value> = skipped
        .map(|(reason, count)| json!({ "reason": reason, "count": count }))
        .collect();
    let counted = json!([preview["members"], preview["receiving"], preview["skipped"]]);
    assert_eq!(counted, json!([members, receiving, skipped]));
}

/// Members of the tables alone, beside one of the log: 4,000 of them agreed to advertising, 3,000 have a number, 1,000 switched advertising
/// and 100 all alarms off, and 500 numbers and 5 addresses of mail are stopped.
const MANY: &str = "
    WITH made AS (
        INSERT INTO members SELECT made.* FROM members m, generate_series(1, $1) n,
        jsonb_populate_record(NULL::members, to_jsonb(m) || jsonb_build_object('id', gen_random_uuid(), 'n', n)) made
        WHERE m.member_type = 'PERSON' RETURNING id),
    numbered AS (SELECT id, row_number() OVER () n FROM made),
    hashed AS (SELECT id, n, decode(lpad(to_hex(n), 64, '0'), 'hex') hash FROM numbered),
    reach AS (
        INSERT INTO member_reach SELECT id, CASE WHEN n <= 4000 THEN ARRAY['ads', 'ads-sms'] ELSE '{}' END,
        CASE WHEN n <= 3000 THEN hash END FROM hashed),
    off AS (
        INSERT INTO alarm_settings SELECT id, n <= 1000, CASE WHEN n <= 1000 THEN ARRAY['ADVERTISING'] ELSE '{}' END
        FROM hashed WHERE n <= 1100),
    mails AS (INSERT INTO member_mails SELECT id, sha256(hash) FROM hashed)
    INSERT INTO stopped_addresses
    SELECT hash, id, id, 1, n <= 2500, now() FROM hashed WHERE n BETWEEN 2001 AND 2600
    UNION ALL SELECT sha256(hash), id, id, 1, true, now() FROM hashed WHERE n <= 5";

/// 10,000 members; 100,000 with `JANGBU_PROOFS=full`, counted within three seconds.
fn many() -> i64 {
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    if full { 100_000 } else { 10_000 }
}

/// More than a list holds are not in the order's event; who would get nothing is counted all the same.
#[tokio::test]
async fn a_target_of_more_than_ten_thousand_is_a_crowd() {
    let shop = TestApp::with(&[TEXTED, REFUSAL]).await;
    let staff = shop.console().await;
    crowd(&shop, 1).await;
    shop.settled().await;
    let made = sqlx::query(MANY).bind(many()).execute(shop.app.pool());
    made.await.unwrap();
    let all = many() + 1;
    let form = |channel: &str, advertising| {
        let mut form = text(advertising);
        form["channel"] = json!(channel);
        form
    };
    for (channel, advertising, skipped) in [
        ("ALARM", false, &[("SWITCHED_OFF", 100)][..]),
        (
            "ALARM",
            true,
            &[("NO_CONSENT", all - 4_000), ("SWITCHED_OFF", 1_100)],
        ),
        ("MAIL", false, &[("ADDRESS_STOPPED", 5)]),
        (
            "SMS",
            false,
            &[("NO_MOBILE", all - 3_000), ("ADDRESS_STOPPED", 500)],
        ),
        (
            "SMS",
            true,
            &[
                ("NO_CONSENT", all - 4_000),
                ("SWITCHED_OFF", 1_100),
                ("NO_MOBILE", 1_000),
                ("ADDRESS_STOPPED", 500),
            ],
        ),
    ] {
        let start = Instant::now();
        let preview = shop.preview(&staff, &form(channel, advertising)).await;
        println!(
            "{all} members by {channel} counted in {:?}",
            start.elapsed()
        );
        assert_counted(&preview, all, skipped);
    }
    let form = form("ALARM", false);
    let ordered = shop.post(SENDINGS, &form).as_(&staff).send().await;
    let id = ordered.expect(201).body["sending"]["_id"].clone();
    let stream = StreamId::of::<Sending>(id.as_str().unwrap());
    let events = shop.app.store.read_stream(&stream).await.unwrap();
    match events[0].event::<Sending>().unwrap() {
        SendingEvent::SendingOrdered { members, crowd, .. } => {
            assert!(members.is_empty());
            assert_eq!(crowd.map(|crowd| i64::from(crowd.count)), Some(all));
        }
        other => panic!("{other:?}"),
    }
}
