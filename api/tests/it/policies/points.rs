//! Points are earned as promised when the order was placed, and expire once when their life is over.

use application::executor::CommandContext;
use application::policies::announce_expiry::AnnounceExpiry;
use application::policies::deadlines::Deadline;
use application::policies::expire_points::ExpirePoints;
use domain::order::{Order, OrderCommand};
use domain::site::{Level, SiteSetting};
use domain::{Actor, business_day};
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::shop::{id_of, order_form};
use crate::support::{Account, TestApp, futures_of, until};

async fn act(shop: &TestApp, order: &str, input: OrderCommand) {
    let command = CommandContext::for_actor("test", Actor::System);
    let done = shop.app.executor.execute::<Order>(&command, order, input);
    done.await.unwrap();
}

pub async fn confirm(shop: &TestApp, who: &Account, order: &str) {
    let state = shop.app.store.load::<Order>(order).await.unwrap().state;
    let path = format!("/api/v1/me/orders/{order}/confirm");
    let form = json!({ "purchaseNo": state.purchases[0].purchase_no });
    let confirmed = shop.post(&path, &form).as_(who).send().await;
    confirmed.expect(200);
}

/// Sends the only purchase of an order and says that it arrived.
pub async fn deliver(shop: &TestApp, order: &str) {
    let state = shop.app.store.load::<Order>(order).await.unwrap().state;
    let no = || state.purchases[0].purchase_no.clone();
    let prepare = OrderCommand::Prepare {
        purchase_nos: vec![no()],
    };
    act(shop, order, prepare).await;
    let ship = OrderCommand::Ship {
        purchase_no: no(),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
        auto_deliver_days: 7,
    };
    act(shop, order, ship).await;
    let arrive = OrderCommand::Deliver {
        purchase_no: no(),
        auto_confirm_days: 8,
    };
    act(shop, order, arrive).await;
}

async fn points(shop: &TestApp, token: &str) -> Value {
    let head = shop.app.store.head().await.unwrap().to_string();
    let points = shop.get("/api/v1/me/points").token(token);
    let points = points.header("x-wait-position", &head).send().await;
    points.expect(200).body
}

async fn life(shop: &TestApp, days: u32) {
    let setting = json!({
        "name": "장부", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7, "points": { "lifeDays": days },
    });
    shop.record::<SiteSetting>("main", setting).await;
}

#[tokio::test]
async fn a_purchase_earns_by_the_level_it_was_ordered_with() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 10_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    shop.earns_points(&hong, 5).await;
    // the sheet says what will be earned; a guest earns nothing
    let sheet = async |who: Option<&Account>, coupons: Value| {
        let mut form = order_form(apples, 1);
        form["coupons"] = coupons;
        let ask = shop.post("/api/v1/shop/orders/preview", &form);
        let ask = match who {
            Some(who) => ask.as_(who),
            None => ask,
        };
        ask.send().await.expect(200).body["points"]["earns"].clone()
    };
    assert_eq!(sheet(Some(&hong), json!([])).await, 500);
    assert_eq!(sheet(None, json!([])).await, 0);
    // of what is paid, not of the price
    let tenth = shop.coupon(10, None, None).await;
    let drawn = shop
        .post("/api/v1/me/coupons", &json!({ "_coupon": tenth }))
        .as_(&hong);
    let drawn = drawn.send().await.expect(201).body["coupon"]["_id"].clone();
    let with = json!([{ "_issued": drawn }]);
    assert_eq!(sheet(Some(&hong), with).await, 450);
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    // what the level earns changes before the goods arrive
    let levels: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT aggregate_id FROM events WHERE aggregate_type = 'level'",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let less =
        json!({ "code": "gold", "name": "골드", "index": 1, "isActive": true, "pointsPercent": 1 });
    shop.record::<Level>(&levels[0], less).await;
    let promised = points(&shop, &hong.token).await["summary"]["expected"].take();
    assert_eq!(promised, 500, "five percent, as when it was ordered");
    deliver(&shop, &order).await;
    confirm(&shop, &hong, &order).await;
    until("points", async || {
        let summary = points(&shop, &hong.token).await["summary"].take();
        (summary["available"] == 500).then_some(())
    })
    .await;
}

#[tokio::test]
async fn points_expire_once_when_their_life_is_over() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 10_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    shop.earns_points(&hong, 5).await;
    life(&shop, 30).await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    deliver(&shop, &order).await;
    confirm(&shop, &hong, &order).await;
    until("points", async || {
        let summary = points(&shop, &hong.token).await["summary"].take();
        (summary["available"] == 500).then_some(())
    })
    .await;
    // a longer life is for those granted from now on; these last a year whatever the setting says
    life(&shop, 300).await;
    shop.grant(&hong, 1_000).await;
    points(&shop, &hong.token).await;
    let (kinds, later) = (
        [DeadlineKind::ExpirePoints],
        shop.app.clock.now() + Duration::days(31),
    );
    let dues = due(shop.app.pool(), &kinds, later, 10).await.unwrap();
    assert_eq!(dues.len(), 1, "{dues:?}");
    assert!(
        due(shop.app.pool(), &kinds, shop.app.clock.now(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    shop.advance(Duration::days(31));
    // however many look at it at once
    let fired = futures_of(4, |_| ExpirePoints.fire(&shop.app, &dues[0])).await;
    assert!(fired.iter().all(Result::is_ok), "{fired:?}");
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"].take();
    let token = token.as_str().unwrap();
    let seen = until("the expiry", async || {
        let seen = points(&shop, token).await;
        (seen["points"][0]["reason"] == "유효기간 만료").then_some(seen)
    })
    .await;
    assert_eq!(seen["points"][0]["amounts"], 500);
    assert_eq!(seen["points"][0]["kind"], "DECREASE");
    assert_eq!(seen["summary"]["available"], 1_000);
    let events: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'PointsExpired'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(events, 1);
    assert!(
        due(shop.app.pool(), &kinds, shop.app.clock.now(), 10)
            .await
            .unwrap()
            .is_empty()
    );
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_member_is_told_once_a_week_before_points_expire() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let now = shop.app.clock.now();
    let give = async |staff: &Account, amounts: i64, days: u32| {
        let last = business_day::after(now, days).to_string();
        let form =
            json!({ "_user": hong.id, "amounts": amounts, "memo": "행사", "expiresAt": last });
        let given = shop.post("/api/console/users/points", &form).as_(staff);
        given.send().await.expect(201);
    };
    give(&staff, 1_000, 10).await;
    give(&staff, 500, 10).await;
    give(&staff, 300, 20).await;
    shop.settled().await;
    let kinds = [DeadlineKind::AnnounceExpiry];
    let none = due(shop.app.pool(), &kinds, now + Duration::days(2), 10).await;
    assert_eq!(none.unwrap(), []);
    let dues = shop
        .held_back(async {
            shop.advance(Duration::days(3));
            let now = shop.app.clock.now();
            let dues = due(shop.app.pool(), &kinds, now, 10).await.unwrap();
            assert_eq!(dues.len(), 2, "{dues:?}");
            // however many look at it at once, and whichever of the grants they look at
            let fired = futures_of(4, |place| AnnounceExpiry.fire(&shop.app, &dues[place % 2]));
            let fired = fired.await;
            assert!(fired.iter().all(Result::is_ok), "{fired:?}");
            dues
        })
        .await;
    let hong = shop.account("hong1234", "abcd123!").await;
    let alarms = async || {
        shop.settled().await;
        let alarms = shop.get("/api/v1/me/alarms?type=POINTS_EXPIRE").as_(&hong);
        alarms.send().await.expect(200).body
    };
    let told = alarms().await;
    assert_eq!(told["summary"]["totalCount"], 1, "{told}");
    let last = business_day::after(now, 10);
    let (year, month, day) = (last.year(), u8::from(last.month()), last.day());
    assert_eq!(
        told["alarms"][0]["content"],
        format!("$15.00을 {year}년 {month}월 {day}일까지 사용할 수 있습니다")
    );
    assert_eq!(told["alarms"][0]["category"], "POINTS");
    // a last day is announced once, and an announced lot is not tried again
    let staff = shop.account("operator1", "operator1!").await;
    give(&staff, 200, 10).await;
    shop.settled().await;
    AnnounceExpiry.fire(&shop.app, &dues[0]).await.unwrap();
    let waiting = due(shop.app.pool(), &kinds, shop.app.clock.now(), 10).await;
    assert_eq!(waiting.unwrap(), []);
    assert_eq!(alarms().await["summary"]["totalCount"], 1);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn points_are_used_by_the_shops_rules_which_are_said_in_words() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 99).await;
    let hong = shop.sign_up("hong1234").await;
    shop.grant(&hong, 10_000).await;
    let setting = json!({
        "name": "장부", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 7,
        "points": { "lifeDays": 30, "least": 500, "unit": 100, "share": 50, "leastOrder": 2_000 },
    });
    shop.record::<SiteSetting>("main", setting).await;
    let qualify = shop.get("/api/v1/shop/points/qualify").as_(&hong);
    let qualify = qualify.send().await.expect(200).body;
    assert_eq!(
        (&qualify["available"], &qualify["usable"]),
        (&json!(10_000), &json!(10_000))
    );
    let codes = |value: &Value| -> Vec<String> {
        let all = value.as_array().unwrap().iter();
        all.map(|one| {
            one["code"]
                .as_str()
                .unwrap_or_else(|| one.as_str().unwrap())
                .to_owned()
        })
        .collect()
    };
    assert_eq!(
        codes(&qualify["conditions"]),
        ["least_order", "least", "unit", "share"]
    );
    assert_eq!(
        qualify["conditions"][3]["message"],
        "결제 금액의 50%까지 사용할 수 있습니다."
    );
    let form = |quantity: u32, point: i64| {
        let mut form = order_form(apples, quantity);
        form["point"] = json!(point);
        form
    };
    let preview = async |quantity, point| {
        let form = form(quantity, point);
        let priced = shop.post("/api/v1/shop/orders/preview", &form).as_(&hong);
        priced.send().await.expect(200).body
    };
    let small = preview(1, 500).await;
    assert_eq!(small["points"]["usable"], 0);
    assert_eq!(codes(&small["points"]["limitedBy"]), ["least_order"]);
    assert_eq!(small["quote"]["totals"]["points"], 0);
    // 3,250 with the fare: half of it is 1,625
    let large = preview(3, 9_999).await;
    assert_eq!(large["points"]["usable"], 1_600);
    assert_eq!(codes(&large["points"]["limitedBy"]), ["share", "unit"]);
    assert_eq!(large["quote"]["totals"]["points"], 1_600);
    assert_eq!(preview(3, 777).await["quote"]["totals"]["points"], 700);
    assert_eq!(preview(3, 499).await["quote"]["totals"]["points"], 0);
    let before = shop.app.store.head().await.unwrap();
    for (quantity, point, code) in [
        (1, 500, "least_order"),
        (3, 400, "least"),
        (3, 1_550, "unit"),
        (3, 1_700, "share"),
    ] {
        let refused = shop
            .post("/api/v1/shop/orders", &form(quantity, point))
            .as_(&hong);
        let refused = refused.send().await.expect(400);
        assert_eq!(refused.complaint(), ("point", code));
    }
    assert_eq!(shop.app.store.head().await.unwrap(), before);
    let placed = shop.post("/api/v1/shop/orders", &form(3, 1_600)).as_(&hong);
    placed.send().await.expect(201);
    let placed = shop.post("/api/v1/shop/orders", &form(1, 0)).as_(&hong);
    placed.send().await.expect(201);
}
