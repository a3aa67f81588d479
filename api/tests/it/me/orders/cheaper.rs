//! Exchanges for a cheaper option: the difference comes back through the gateway, and a later return refunds the rest.

use std::num::NonZeroU32;

use api::audit::ask_payments::{self, Range};
use serde_json::{Value, json};

use super::exchanges::{Shirts, inspected, picked_up, pickup, sent, status};
use crate::support::payments::events;

/// Three golden shirts at 25.00 each, delivered; all others cost 20.00.
async fn golden() -> Shirts {
    Shirts::ordered(2).await
}

/// Until so much of the only payment is refunded, hundredths.
async fn refunded(here: &Shirts, amount: i64) -> Value {
    let is_back = |order: &Value| order["payments"][0]["refunded"] == amount;
    let (shop, token) = (&here.shop, &here.hong.token);
    shop.until(token, &here.order, "refund", is_back).await
}

/// The log is consistent, and the gateway agrees with it.
async fn no_difference(here: &Shirts) {
    let app = &here.shop.app;
    let report = projections::verify::verify(&app.store, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
    let range = Range {
        after: 0,
        up_to: app.store.head().await.unwrap(),
        a_second: NonZeroU32::new(1_000).unwrap(),
    };
    let found = ask_payments::run(&app.store, &*app.gateway, range, |_| {}).await;
    assert_eq!(found.unwrap(), vec![]);
}

#[tokio::test]
async fn two_of_three_become_cheaper_and_are_returned_later() {
    let here = golden().await;
    let offered = here.choices_of(1, "?quantity=2").await;
    let told: Vec<(&str, i64, i64)> = offered["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|choice| {
            let name = choice["name"].as_str().unwrap();
            let number = |value: &Value| value.as_i64().unwrap();
            (
                name,
                number(&choice["difference"]),
                number(&choice["back"]["money"]),
            )
        })
        .collect();
    let others = ["빨강", "파랑", "초록"].map(|name| (name, -500, 1_000));
    assert_eq!(told, [vec![("금색", 0, 0)], others.to_vec()].concat());

    // Blue becomes dearer between the preview and the request.
    here.change_option(1, "price", 100).await;
    let mut body = here.body(2, 1, "SELLER");
    body["difference"] = json!(-500);
    let head = here.shop.app.store.head().await.unwrap();
    let stale = here.ask(1, &body).await.expect(409);
    assert_eq!(stale.code(), "price_changed");
    let details = &stale.body["error"]["details"];
    assert_eq!(*details, json!({ "shown": -500, "now": -400 }));
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    body["difference"] = json!(-400);
    let order = here.ask(1, &body).await.expect(200).body["order"].take();
    let exchange = &order["claims"][0]["exchange"];
    assert_eq!(exchange["difference"], -400);
    assert_eq!(
        exchange["differenceBack"],
        json!({ "money": 800, "points": 0 })
    );
    assert_eq!(order["purchases"][1]["paid"], 5_000);

    // It is frozen: a later price changes nothing.
    here.change_option(1, "price", 450).await;
    for change in [
        status("EXCHANGE_PENDING"),
        picked_up(),
        inspected(2, 2, "SELLER"),
    ] {
        here.work(2, change).await.expect(200);
    }
    assert_eq!(events(&here.shop, "RefundRequested").await, 0, "not yet");
    for number in ["111122223333", "444455556666"] {
        here.work(2, sent(number)).await.expect(200);
    }
    let order = refunded(&here, 800).await;
    here.work(2, status("EXCHANGE_COMPLETED")).await.expect(200);
    assert_eq!(events(&here.shop, "RefundRequested").await, 1);
    let line = &order["purchases"][1];
    assert_eq!(
        (&line["paid"], &line["unitPrice"]),
        (&json!(4_200), &json!(2_100))
    );
    let amounts = &order["amounts"][1];
    assert_eq!(
        (&amounts["initial"]["paid"], &amounts["remain"]["paid"]),
        (&json!(5_000), &json!(4_200))
    );

    // A return gives back the rest.
    let body = json!({ "reason": "상품에 하자가 있어요", "fault": "SELLER", "pickup": pickup() });
    let path = here.path(2, "return");
    let asked = here.shop.post(&path, &body).as_(&here.hong).send().await;
    let order = asked.expect(200).body["order"].take();
    assert_eq!(order["claims"][1]["refund"]["money"], 4_200);
    for change in [
        picked_up(),
        inspected(2, 2, "SELLER"),
        status("RETURN_COMPLETED"),
    ] {
        here.work(2, change).await.expect(200);
    }
    refunded(&here, 5_000).await;
    no_difference(&here).await;
}

#[tokio::test]
async fn a_rejected_exchange_gives_nothing_back() {
    let here = golden().await;
    here.ask(1, &here.body(3, 0, "SELLER")).await.expect(200);
    for change in [
        status("EXCHANGE_PENDING"),
        picked_up(),
        inspected(3, 3, "SELLER"),
    ] {
        here.work(1, change).await.expect(200);
    }
    let reject = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    here.work(1, reject).await.expect(200);
    let order = here.order().await;
    assert_eq!(order["purchases"][0]["paid"], 7_500);
    let nothing = json!({ "money": 0, "points": 0 });
    assert_eq!(order["claims"][0]["exchange"]["differenceBack"], nothing);
    assert_eq!(events(&here.shop, "RefundRequested").await, 0);

    no_difference(&here).await;
}
