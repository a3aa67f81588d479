//! Coupons of every unit and stage, two of them limited, and points for new members.

use std::sync::Arc;

use anyhow::Context;
use application::access::Session;
use application::policies::coupon_days;
use axum::http::Method;
use domain::Amount;
use domain::business_day;
use domain::coupon::{self, Coupon, Issue, NextCoupon, issued_id};
use domain::ids::{CouponId, LotId, MemberId};
use domain::month_day::MonthDay;
use domain::points::{self, Points, PointsCommand};
use domain::record::Record;
use domain::unit_of_work::UnitOfWork;
use projections::member_coupons;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::client::{ApiClient, at};
use crate::people::{People, Shopper};
use crate::points::until_nothing_is_due;
use crate::{SET_UP, Size};

/// The first coupon of a kind that a member gets.
const FIRST: NextCoupon = NextCoupon {
    number: 1,
    round: 1,
};

/// The coupons of each shopper: (stage, issued coupon).
pub(crate) type MemberCoupons = Vec<Vec<(&'static str, String)>>;

/// Seller (`-`: the shop), name, stage, unit, value, maximum discount, minimum price, maximum draws, maximum uses.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    i64,
    Option<i64>,
    Option<i64>,
    Option<u32>,
    Option<u32>,
);

const COUPONS: [Row; 8] = [
    (
        "-",
        "첫 구매 5% 할인",
        "total",
        "PERCENT",
        5,
        Some(2_000),
        None,
        None,
        None,
    ),
    (
        "-",
        "주말 특가 $10 할인",
        "total",
        "AMOUNT",
        1_000,
        None,
        Some(20_000),
        None,
        None,
    ),
    (
        "-",
        "배송비 무료",
        "fare",
        "PERCENT",
        100,
        Some(3_000),
        None,
        None,
        None,
    ),
    (
        "-",
        "배송비 $3 할인",
        "fare",
        "AMOUNT",
        300,
        None,
        None,
        None,
        None,
    ),
    (
        "hangang",
        "한강바이크 7% 할인",
        "product",
        "PERCENT",
        7,
        Some(5_000),
        None,
        None,
        None,
    ),
    (
        "freshpress",
        "아침착즙 50센트 할인",
        "product",
        "AMOUNT",
        50,
        None,
        Some(1_000),
        None,
        None,
    ),
    (
        "-",
        "선착순 100명 $5 할인",
        "total",
        "AMOUNT",
        500,
        None,
        None,
        Some(100),
        None,
    ),
    (
        "kickcity",
        "킥시티 10% (20회 한정)",
        "product",
        "PERCENT",
        10,
        Some(3_000),
        None,
        None,
        Some(20),
    ),
];

/// Creates the coupons and gives every shopper some of them, and points.
pub(crate) async fn hand_out(
    client: &mut ApiClient,
    people: &People,
    size: Size,
) -> anyhow::Result<MemberCoupons> {
    client.go_back(SET_UP);
    let mut coupons: Vec<(&'static str, CouponId)> = Vec::new();
    for row in COUPONS {
        let (owner, stage) = (row.0, row.2);
        let who = people.sellers.get(owner).unwrap_or(&people.operator);
        let answer = client
            .post(
                Some(who),
                "/api/console/shop/coupons",
                &form(row, client.now),
            )
            .await?;
        coupons.push((stage, at(&answer, "coupon/_id")?.parse()?));
    }
    let mut owned = MemberCoupons::new();
    let set_up = client.now - SET_UP;
    for (place, shopper) in people.shoppers.iter().enumerate() {
        // an hour after joining, or after coupons exist
        client.go_to(shopper.joined.max(set_up) + Duration::hours(1));
        let points = 1_000 + 250 * i64::try_from(place % 20)?;
        grant(client, shopper.session.user, points).await?;
        let mut own = Vec::new();
        for (number, (stage, coupon)) in coupons.iter().enumerate() {
            // A different selection for each shopper; the others can be downloaded.
            let given = match size {
                Size::Small => (number + place) % 3 != 0,
                Size::Large => (number + place) % 4 == 0,
            };
            if given {
                own.push((*stage, issue_to(client, &shopper.session, *coupon).await?));
            }
        }
        owned.push(own);
    }
    Ok(owned)
}

/// A birthday today, and what staff does with coupons: some is given, prolonged, taken and brought back. Today's coupon is for the second
/// such day of a member, so that this one passes.
pub(crate) async fn celebrate(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    client.go_to(client.now);
    let shoppers = people.shoppers.len();
    let person = |from_the_end: usize| -> anyhow::Result<&Shopper> {
        let place = shoppers.checked_sub(from_the_end);
        place
            .and_then(|place| people.shoppers.get(place))
            .context("a shopper")
    };
    let (born, other) = (person(1)?, person(2)?);
    let today = business_day::day(client.now);
    let birthday = json!({ "birthday": MonthDay::of(today).to_string() });
    let session = born.session.clone();
    client
        .request(Some(&session), Method::PUT, "/api/v1/me/info", &birthday)
        .await?;
    let usage = json!({ "type": "total", "isActive": true, "combinable": false });
    let special = json!({
        "name": "생일 축하 10%", "unit": "PERCENT", "value": 10, "limit": 3_000, "onConsole": true,
        "issue": {
            "type": "instant", "isActive": true, "round": { "type": "infinite" },
            "event": { "type": "SPECIAL_DATE", "code": "BIRTHDAY" },
        },
        "usage": usage,
    });
    let of_today = json!({
        "name": "두 번째 쇼핑몰의 날", "unit": "AMOUNT", "value": 500, "onConsole": true,
        "issue": {
            "type": "instant", "isActive": true, "round": { "type": "bounded", "includeds": [2] },
            "event": { "type": "SHOP_SPECIFIC_DAY", "code": MonthDay::of(today).to_string() },
            "target": { "type": "USERS", "_users": [other.session.user] },
        },
        "usage": usage,
    });
    let thanks = json!({
        "name": "고객센터 감사 $5", "unit": "AMOUNT", "value": 500, "onConsole": true,
        "issue": { "type": "request", "isActive": false },
        "usage": usage,
    });
    let mut made = Vec::new();
    for coupon in [special, of_today, thanks] {
        let path = "/api/console/shop/coupons";
        let answer = client.post(Some(&people.operator), path, &coupon).await?;
        made.push(at(&answer, "coupon/_id")?);
    }
    let app = Arc::clone(&client.app);
    let head = app.store.head().await?;
    let followers = ["policy_member_days", member_coupons::NAME];
    let patience = std::time::Duration::from_secs(60);
    app.store.wait_for(&followers, head, patience).await?;
    coupon_days::round(&app).await?;
    let coupons = "/api/console/users/coupons";
    let give = json!({
        "_coupon": made.pop(), "_user": other.session.user, "memo": "배송이 늦어 죄송합니다.",
    });
    let given = client.post(Some(&people.operator), coupons, &give).await?;
    let path = format!("{coupons}/{}", at(&given, "coupon/_id")?);
    let last = (today + Duration::days(60)).to_string();
    let operator = people.operator.clone();
    for (method, query, change) in [
        (
            Method::PUT,
            "",
            json!({ "endsAt": last, "memo": "두 달 안에 쓰실 수 있습니다." }),
        ),
        (Method::DELETE, "?memo=Mistake", Value::Null),
        (
            Method::PUT,
            "",
            json!({ "taken": false, "memo": "다시 드립니다." }),
        ),
    ] {
        let path = format!("{path}{query}");
        client
            .request(Some(&operator), method, &path, &change)
            .await?;
    }
    give_to_many(client, people).await
}

/// A coupon for everybody of which there are two fewer than shoppers: the last of the list are refused.
async fn give_to_many(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    let everybody: Vec<MemberId> = people.shoppers.iter().map(|one| one.session.user).collect();
    let draws = everybody.len().saturating_sub(2).max(1);
    let anniversary = json!({
        "name": "개점 100일 $3", "unit": "AMOUNT", "value": 300, "onConsole": true,
        "issue": { "type": "request", "isActive": false, "limit": { "shop": { "count__sum": draws } } },
        "usage": { "type": "total", "isActive": true, "combinable": false },
    });
    let staff = &people.operator;
    let coupons = "/api/console/shop/coupons";
    let made = client.post(Some(staff), coupons, &anniversary).await?;
    let gift = json!({
        "_coupon": at(&made, "coupon/_id")?, "_users": everybody, "memo": "개점 100일 감사 쿠폰",
    });
    let path = format!("{coupons}/grants");
    client.post(Some(staff), &path, &gift).await?;
    until_nothing_is_due(client).await
}

fn form(
    (_, name, stage, unit, value, limit, least, draws, uses): Row,
    now: time::OffsetDateTime,
) -> Value {
    let rfc3339 = &time::format_description::well_known::Rfc3339;
    let day = |at: time::OffsetDateTime| at.format(rfc3339).ok();
    let (starts, ends) = (day(now - SET_UP), day(now + Duration::days(90)));
    json!({
        "name": name, "unit": unit, "value": value, "limit": limit, "onConsole": true, "onDisplay": true,
        "issue": { "type": "request", "isActive": true, "startsAt": starts, "endsAt": ends, "limit": { "shop": { "count__sum": draws } } },
        "usage": {
            "type": stage, "isActive": true, "combinable": true, "startsAt": starts, "endsAt": ends,
            "limit": { "shop": { "count__sum": uses }, "target": { "price__min": least } },
        },
    })
}

async fn grant(client: &ApiClient, member: MemberId, amount: i64) -> anyhow::Result<()> {
    let app = &client.app;
    let joined = client.joining_of(member).await?;
    let lot = LotId(Uuid::now_v7());
    let expires_at = client.now + Duration::days(300);
    let command = client
        .system_command("grant-points")
        .caused_by(&joined)
        .with_reason("가입 축하");
    let grant = PointsCommand::Grant {
        member,
        lot,
        amount: Amount::new(amount),
        reason: "가입 축하 적립금".to_owned(),
        order: None,
        grant: None,
        expires_at,
    };
    let stream = points::stream_id(member);
    app.executor
        .execute::<Points>(&command, stream, grant)
        .await?;
    Ok(())
}

/// Issues a coupon to a shopper, as if they had downloaded it.
async fn issue_to(client: &ApiClient, who: &Session, id: CouponId) -> anyhow::Result<String> {
    let app = &client.app;
    let coupon = app
        .store
        .load::<Record<Coupon>>(&id.to_string())
        .await?
        .state
        .data()
        .context("the coupon")?;
    let joined = client.joining_of(who.user).await?;
    let command = client.system_command("draw-coupon").caused_by(&joined);
    let issue = |work: &mut UnitOfWork| {
        Ok(coupon::issue(
            work,
            (id, &coupon),
            who.user,
            FIRST,
            Issue::default(),
        )?)
    };
    app.executor.commit(&command, issue).await?;
    let issued = issued_id(id, who.user, 1);
    Ok(issued.to_string())
}
