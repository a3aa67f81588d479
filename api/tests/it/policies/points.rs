//! Points are earned as promised when the order was placed, and expire once when their life is over.

use application::executor::CommandContext;
use application::policies::deadlines::Deadline;
use application::policies::expire_points::ExpirePoints;
use domain::Actor;
use domain::order::{Order, OrderCommand};
use domain::site::{Level, SiteSetting};
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::shop::id_of;
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
