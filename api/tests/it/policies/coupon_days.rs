//! Coupons of special dates and of days of the shop: to those whose day it is, once, also after the worker slept.

use application::clock::Clock;
use application::policies::coupon_days::round;
use domain::coupon::Coupon;
use domain::policies::coupon_days::CouponDay;
use domain::record::Record;
use projections::state::member_days::due as due_for;
use projections::verify::verify;
use serde_json::{Value, json};
use time::util::days_in_year;
use time::{Date, Duration, Month, OffsetDateTime};
use uuid::Uuid;

use crate::support::{Account, TestApp, futures_of, sign_up_form};

/// A year that has not begun.
struct Year(i32);

impl Year {
    fn next() -> Self {
        Self(OffsetDateTime::now_utc().year() + 1)
    }

    fn before_a_leap_year() -> Self {
        let mut years = Self::next().0..;
        Self(years.find(|year| days_in_year(year + 1) == 366).unwrap())
    }

    /// Nine in the morning in Seoul, so many years later.
    fn morning(&self, later: i32, month: Month, day: u8) -> OffsetDateTime {
        let day = Date::from_calendar_date(self.0 + later, month, day).unwrap();
        day.midnight().assume_utc()
    }
}

fn move_to(shop: &TestApp, morning: OffsetDateTime) {
    shop.advance(morning - shop.clock.now());
}

async fn shop_on(morning: OffsetDateTime) -> TestApp {
    let shop = TestApp::start().await;
    move_to(&shop, morning);
    shop
}

async fn coupon(shop: &TestApp, name: &str, event: Value) -> Uuid {
    let id = Uuid::now_v7();
    let coupon = json!({
        "name": name, "unit": "AMOUNT", "value": 500,
        "issue": { "type": "instant", "isActive": true, "event": event, "round": { "type": "infinite" } },
        "usage": { "type": "total", "isActive": true },
    });
    shop.record::<Coupon>(&id.to_string(), coupon).await;
    id
}

fn date_of(code: &str) -> Value {
    json!({ "type": "SPECIAL_DATE", "code": code })
}

async fn join(shop: &TestApp, username: &str, days: Value) -> Account {
    let mut form = sign_up_form(username);
    let fields = form.as_object_mut().unwrap();
    fields.extend(days.as_object().unwrap().clone());
    shop.post("/api/v1/users", &form).send().await.expect(201);
    shop.account(username, "abcd123!").await
}

/// Rounds of two workers at once, once the look-up of days and the box have caught up.
async fn rounds(shop: &TestApp) {
    for names in [&["policy_member_days"], &["coupon_box"]] {
        let head = shop.app.store.head().await.unwrap();
        let patience = std::time::Duration::from_secs(20);
        shop.app
            .store
            .wait_for(names, head, patience)
            .await
            .unwrap();
    }
    let done = futures_of(2, |_| async {
        round(&shop.app.application()).await.unwrap()
    });
    done.await;
}

/// Names of the coupons in a box, sorted.
async fn names(shop: &TestApp, who: &Account) -> Vec<String> {
    let head = shop.app.store.head().await.unwrap().to_string();
    // their token is too old once days have passed
    let who = shop.account(&who.username, &who.password).await;
    let ask = shop.get("/api/v1/me/coupons?limit=50").as_(&who);
    let body = ask
        .header("x-wait-position", &head)
        .send()
        .await
        .expect(200)
        .body;
    let coupons = body["coupons"].as_array().unwrap().iter();
    let mut names: Vec<String> = coupons
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn those_whose_day_it_is_get_the_coupon_once_a_year() {
    let year = Year::next();
    let shop = shop_on(year.morning(0, Month::November, 25)).await;
    coupon(&shop, "생일", date_of("BIRTHDAY")).await;
    coupon(&shop, "설립", date_of("FOUNDING_DATE")).await;
    coupon(&shop, "가입 기념", date_of("JOIN_DATE")).await;
    let days = json!({ "type": "SHOP_SPECIFIC_DAY", "code": "11-27" });
    coupon(&shop, "쇼핑몰의 날", days).await;
    let hong = join(&shop, "hong1234", json!({ "birthday": "1990-11-26" })).await;
    let kim = join(&shop, "kim12345", json!({ "birthday": "11-24" })).await;
    rounds(&shop).await;
    assert!(names(&shop, &hong).await.is_empty());
    assert!(
        names(&shop, &kim).await.is_empty(),
        "it was over when they told it"
    );
    // the day begins in Seoul
    shop.advance(Duration::hours(15) - Duration::MINUTE);
    rounds(&shop).await;
    assert!(names(&shop, &hong).await.is_empty());
    shop.advance(Duration::MINUTE);
    for _ in 0..2 {
        rounds(&shop).await;
        assert_eq!(names(&shop, &hong).await, ["생일"]);
    }
    // who joins on the day gets the birthday coupon, and none for an anniversary of today
    let lee = join(&shop, "lee12345", json!({ "birthday": "2000-11-26" })).await;
    rounds(&shop).await;
    assert_eq!(names(&shop, &lee).await, ["생일"]);
    // another birthday brings no second one in the same year
    let change = json!({ "birthday": "11-27" });
    let again = shop.account(&hong.username, &hong.password).await;
    shop.put("/api/v1/me/info", &change)
        .as_(&again)
        .send()
        .await
        .expect(200);
    // the worker sleeps for five days: the day of the shop is caught up
    shop.advance(Duration::days(5));
    rounds(&shop).await;
    let both = ["생일", "쇼핑몰의 날"];
    assert_eq!(names(&shop, &hong).await, both);
    assert_eq!(names(&shop, &kim).await, ["쇼핑몰의 날"]);
    // a year later
    move_to(&shop, year.morning(1, Month::November, 26));
    rounds(&shop).await;
    assert_eq!(
        names(&shop, &lee).await,
        ["가입 기념", "생일", "생일", "쇼핑몰의 날"]
    );
    let years: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT payload #>> '{CouponIssued,occasion}' FROM events WHERE event_type = 'CouponIssued' ORDER BY 1",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let (this, next) = (year.0.to_string(), (year.0 + 1).to_string());
    let day = format!("{this}-11-27");
    assert_eq!(years, [this, day, next], "no day of a member");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn those_born_in_the_month_get_its_coupon_once_and_it_ends_with_the_month() {
    let year = Year::next();
    let shop = shop_on(year.morning(0, Month::November, 20)).await;
    let hong = join(&shop, "hong1234", json!({ "birthday": "1990-11-02" })).await;
    let kim = join(&shop, "kim12345", json!({ "birthday": "11-30" })).await;
    let lee = join(&shop, "lee12345", json!({ "birthday": "12-01" })).await;
    let park = join(&shop, "park1234", json!({})).await;
    // also by a rule that is made in the course of the month
    coupon(&shop, "생일 달", date_of("BIRTHDAY_MONTH")).await;
    for _ in 0..2 {
        rounds(&shop).await;
        for who in [&hong, &kim] {
            assert_eq!(names(&shop, who).await, ["생일 달"], "{}", who.username);
        }
        for who in [&lee, &park] {
            assert!(names(&shop, who).await.is_empty(), "{}", who.username);
        }
    }
    let boxed = shop.get("/api/v1/me/coupons?tab=usable").as_(&hong);
    let boxed = boxed.send().await.expect(200).body;
    let end = format!("{}-11-30T15:00:00Z", year.0);
    assert_eq!(boxed["coupons"][0]["endsAt"], end);
    // named in the course of the month, and changed to the next one
    let put = async |who: &Account, day: &str| {
        let who = shop.account(&who.username, &who.password).await;
        let change = json!({ "birthday": day });
        let sent = shop.put("/api/v1/me/info", &change).as_(&who);
        sent.send().await.expect(200);
    };
    put(&park, "11-03").await;
    put(&hong, "12-25").await;
    rounds(&shop).await;
    assert_eq!(names(&shop, &park).await, ["생일 달"]);
    shop.advance(Duration::days(12));
    rounds(&shop).await;
    assert_eq!(names(&shop, &lee).await, ["생일 달"]);
    let of_hong = names(&shop, &hong).await;
    assert!(of_hong.is_empty(), "one a year, and that one has expired");
    let usable = shop.get("/api/v1/me/coupons?tab=usable");
    let kim = shop.account(&kim.username, &kim.password).await;
    let usable = usable.as_(&kim).send().await.expect(200).body;
    assert_eq!(usable["coupons"], json!([]), "November is over");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_week_is_caught_up_and_no_more_and_rules_made_later_are_for_later() {
    let year = Year::before_a_leap_year();
    let shop = shop_on(year.morning(0, Month::February, 27)).await;
    coupon(&shop, "생일", date_of("BIRTHDAY")).await;
    let leap = join(&shop, "leap1234", json!({ "birthday": "1992-02-29" })).await;
    let hong = join(&shop, "hong1234", json!({ "birthday": "02-27" })).await;
    // the worker was stopped for a week; the year has no 29 February
    shop.advance(Duration::days(7));
    coupon(&shop, "늦은 규칙", date_of("BIRTHDAY")).await;
    rounds(&shop).await;
    assert_eq!(names(&shop, &leap).await, ["생일"]);
    assert_eq!(names(&shop, &hong).await, ["생일"]);
    move_to(&shop, year.morning(1, Month::February, 28));
    rounds(&shop).await;
    assert_eq!(names(&shop, &leap).await.len(), 1, "this one has it");
    let of_two_years = ["늦은 규칙", "생일", "생일"];
    assert_eq!(names(&shop, &hong).await, of_two_years);
    // eight days later it is too late
    let other = coupon(&shop, "너무 늦게", date_of("BIRTHDAY")).await;
    move_to(&shop, year.morning(1, Month::March, 8));
    rounds(&shop).await;
    assert_eq!(names(&shop, &leap).await, ["생일"], "{other}");
    assert_eq!(names(&shop, &hong).await, of_two_years);
}

#[tokio::test]
async fn a_day_is_sealed_found_by_its_hash_and_gone_with_the_member() {
    let shop = TestApp::start().await;
    let hong = join(&shop, "hong1234", json!({ "birthday": "1990-12-31" })).await;
    let rows = async || {
        let head = shop.app.store.head().await.unwrap();
        let patience = std::time::Duration::from_secs(20);
        let waited = shop
            .app
            .store
            .wait_for(&["policy_member_days"], head, patience);
        waited.await.unwrap();
        sqlx::query_as::<_, (String, Vec<u8>)>(
            "SELECT kind, hash FROM member_days WHERE member = $1::uuid ORDER BY kind",
        )
        .bind(&hong.id)
        .fetch_all(shop.app.pool())
        .await
        .unwrap()
    };
    let kinds = async || {
        let rows = rows().await.into_iter();
        rows.map(|(kind, _)| kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds().await, ["BIRTHDAY", "JOIN_DATE"]);
    let hash = shop.app.keys.lookup_hash("member-day", "BIRTHDAY 12-31");
    assert_eq!(rows().await[0].1, hash);
    let told = shop
        .get("/api/v1/me/info")
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(told.body["user"]["birthday"], "1990-12-31");
    let in_clear: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE payload::text LIKE '%12-31%' AND aggregate_type = 'member'",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(in_clear, 0);
    let none = json!({ "birthday": "" });
    shop.put("/api/v1/me/info", &none)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(kinds().await, ["JOIN_DATE"]);
    let day = json!({ "birthday": "12-31" });
    shop.put("/api/v1/me/info", &day)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    // what events before the look-up say is filled in
    sqlx::query("DELETE FROM member_days")
        .execute(shop.app.pool())
        .await
        .unwrap();
    let name = json!({ "name": "홍길순" });
    shop.put("/api/v1/me/info", &name)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(kinds().await, ["BIRTHDAY", "JOIN_DATE"]);
    let head = shop.app.store.head().await.unwrap();
    for (field, day, code) in [
        ("birthday", "2999-12-31", "in_the_future"),
        ("birthday", "1990-02-30", "date"),
        ("birthday", "어제", "date"),
        ("foundedAt", "1990-13-01", "date"),
        ("foundedAt", "2999-12-31", "in_the_future"),
    ] {
        let refused = shop
            .put("/api/v1/me/info", &json!({ field: day }))
            .as_(&hong);
        let refused = refused.send().await.expect(400);
        assert_eq!(refused.complaint(), (field, code), "{day}");
        let mut form = sign_up_form("kim12345");
        form[field] = json!(day);
        let refused = shop.post("/api/v1/users", &form).send().await.expect(400);
        assert_eq!(refused.complaint(), (field, code), "{day}");
    }
    assert_eq!(shop.app.store.head().await.unwrap(), head);
    let leave = json!({ "password": hong.password, "reason": "OTHER" });
    let left = shop
        .post("/api/v1/me/withdraw", &leave)
        .as_(&hong)
        .send()
        .await;
    assert!(left.status < 300, "{}", left.text);
    assert!(kinds().await.is_empty(), "the hash outlives the member");
}

#[tokio::test]
async fn a_closed_account_gets_neither_the_coupon_of_its_day_nor_a_notice() {
    let year = Year::next();
    let shop = shop_on(year.morning(0, Month::November, 25)).await;
    let id = coupon(&shop, "생일", date_of("BIRTHDAY")).await;
    let born = json!({ "birthday": "11-26" });
    let hong = join(&shop, "hong1234", born.clone()).await;
    let kim = join(&shop, "kim12345", born).await;
    let leave = json!({ "password": hong.password, "reason": "OTHER" });
    let left = shop.post("/api/v1/me/withdraw", &leave).as_(&hong);
    assert!(left.send().await.status < 300);
    rounds(&shop).await;
    // a look-up that still has the day finds only the open account
    let hash = shop.app.keys.lookup_hash("member-day", "BIRTHDAY 11-26");
    sqlx::query("INSERT INTO member_days (member, kind, hash, since) VALUES ($1::uuid, 'BIRTHDAY', $2, now())")
        .bind(&hong.id)
        .bind(hash)
        .execute(shop.app.pool())
        .await
        .unwrap();
    shop.advance(Duration::DAY);
    let rule = shop.app.store.load::<Record<Coupon>>(&id.to_string()).await;
    let rule = rule.unwrap().state.data().unwrap();
    let now = shop.clock.now();
    let day = CouponDay::of(&rule, domain::business_day::day(now), now).unwrap();
    let due = (id.into(), &rule, &day);
    let hashes = [hash.to_vec()];
    let found = due_for(shop.app.pool(), due, Some(&hashes), (None, 10)).await;
    let found: Vec<String> = found.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(found, std::slice::from_ref(&kim.id));
    rounds(&shop).await;
    assert_eq!(names(&shop, &kim).await, ["생일"]);
    let issued: Vec<String> = sqlx::query_scalar(
        "SELECT payload #>> '{CouponIssued,member}' FROM events WHERE event_type = 'CouponIssued'",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(issued, std::slice::from_ref(&kim.id));
    shop.settled().await;
    let told: Vec<String> =
        sqlx::query_scalar("SELECT member::text FROM alarms WHERE type = 'COUPON_ISSUED'")
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(told, std::slice::from_ref(&kim.id));
}
