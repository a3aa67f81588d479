//! Deliveries that are not reported.

use application::policies::auto_deliver::AutoDeliver;
use application::policies::deadlines::Deadline;
use domain::business_day;
use domain::site::SiteSetting;
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::{Account, TestApp};

/// The events of an order, as staff see them.
async fn history(shop: &TestApp, order: &str) -> Vec<Value> {
    let staff = shop.account("operator1", "operator1!").await;
    let path = format!("/api/console/shop/orders/{order}/history");
    let found = shop.get(&path).as_(&staff).send().await.expect(200);
    found.body["events"].as_array().unwrap().clone()
}

/// A purchase that was sent; its order and its number.
async fn sent(shop: &TestApp, seller: &Account, buyer: &Account) -> (String, String) {
    let product = shop.console_product(seller, "P-SENT").await;
    let order = shop.paid_order(buyer, &product).await;
    let no = order.purchase();
    let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
    shop.work(seller, &no, prepare).await.expect(200);
    shop.ship(seller, &no, "123456789012").await.expect(200);
    shop.settled().await;
    (order.id, no)
}

#[tokio::test]
async fn a_delivery_that_is_not_reported_comes_on_its_day() {
    let shop = TestApp::start().await;
    let setting = json!({
        "name": "장부", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 4, "autoDeliverDays": 3,
    });
    shop.record::<SiteSetting>("main", setting).await;
    shop.console().await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let (order, no) = sent(&shop, &seller, &hong).await;
    let day = business_day::day(shop.app.clock.now()) + Duration::days(3);
    let events = history(&shop, &order).await;
    let shipped = events
        .iter()
        .find(|event| event["type"] == "PurchaseShipped");
    let frozen = &shipped.unwrap()["data"]["PurchaseShipped"]["deliverBy"];
    assert_eq!(*frozen, day.to_string());
    // a day that is not there yet is refused, whenever it is asked for
    let later = shop.app.clock.now() + Duration::days(4);
    let kinds = [DeadlineKind::DeliverPurchase];
    let dues = due(shop.app.pool(), &kinds, later, 10).await.unwrap();
    assert_eq!(dues.len(), 1, "{dues:?}");
    assert_eq!((&dues[0].id, &dues[0].stream), (&no, &order));
    let early = AutoDeliver.fire(&shop.app, &dues[0]).await;
    assert_eq!(early.unwrap_err().code().as_str(), "not_allowed_now");

    let login = async || {
        let reply = shop.login("hong1234", "abcd123!").await.expect(200);
        reply.body["accessToken"].as_str().unwrap().to_owned()
    };
    shop.advance(Duration::days(2));
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let early = shop.my_order(&login().await, &order).await;
    assert_eq!(early["purchases"][0]["orderStatus"], "SHIPPING_CONFIRM");
    shop.advance(Duration::days(1));
    let token = login().await;
    let arrived = shop
        .until(&token, &order, "not delivered", |order| {
            order["purchases"][0]["orderStatus"] == "DELIVERY_COMPLETE"
        })
        .await;
    let confirm_on = (day + Duration::days(4)).to_string();
    assert_eq!(arrived["purchases"][0]["confirmOn"], confirm_on);
    let events = history(&shop, &order).await;
    let delivered = events
        .iter()
        .find(|event| event["type"] == "PurchaseDelivered");
    let actor = &delivered.unwrap()["actor"];
    assert_eq!(
        (&actor["kind"], &actor["name"]),
        (&json!("policy"), &json!("delivering-day"))
    );
    // again, by a process that did not see it
    AutoDeliver.fire(&shop.app, &dues[0]).await.unwrap();

    shop.advance(Duration::days(5));
    shop.until(&login().await, &order, "not confirmed", |order| {
        order["purchases"][0]["purchaseStatus"] == "PURCHASE_COMPLETE"
    })
    .await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn the_days_of_the_setting_are_from_one_to_sixty() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let setting = |days: u32| {
        json!({
            "name": "장부", "unpaidDeadlineMinutes": 60, "autoConfirmDays": 4, "autoDeliverDays": days,
        })
    };
    let create = async |days| {
        let made = shop.post("/api/console/setting", &setting(days));
        made.as_(&staff).send().await
    };
    for days in [0, 61] {
        let refused = create(days).await.expect(400);
        let field = &refused.body["error"]["fields"][0]["field"];
        assert_eq!(field, "autoDeliverDays", "{days}");
    }
    create(60).await.expect(201);
}
