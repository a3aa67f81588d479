//! Charges: whatever the gateway does, no order is paid twice and no outcome stays unknown.

use serde_json::json;
use time::Duration;

use crate::support::futures_of;
use crate::support::payments::{UNKNOWN, attempt, events, process, shop_with_order, stage};
use crate::support::shop::id_of;

#[tokio::test]
async fn eight_completions_at_once_charge_once_and_answer_alike() {
    let (shop, hong, order) = shop_with_order().await;
    // The gateway answers the charge late, so that all eight requests are pending before the outcome is known.
    shop.fault(json!({ "call": "approve", "fault": "late", "milliseconds": 300, "times": 8 }))
        .await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let replies = shop
        .undecided(futures_of(8, |_| shop.come_back(&form)))
        .await;
    let target = format!("/shop/result?order={order}");
    for reply in &replies {
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, Some(target.as_str()))
        );
    }
    // Only one request is sent to the gateway. The gateway would refuse a second one, but the shop must not depend on that.
    assert_eq!(
        (
            events(&shop, "PaymentApprovalRequested").await,
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1, 1)
    );
    assert_eq!(shop.charges().await["charged"], 1_250);
    let again = shop
        .post("/api/plugins/pay/approval", &form)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(again.body["order"]["status"], "ORDER_PAYMENT");
}

#[tokio::test]
async fn a_charge_whose_answer_never_came_is_found_and_never_made_twice() {
    for fault in ["timeoutAfter", "dropAfter", "errorAfter", "badSignature"] {
        let (shop, hong, order) = shop_with_order().await;
        shop.fault(json!({ "call": "approve", "fault": fault, "times": 1 }))
            .await;
        shop.pay(&hong.token, &order).await.expect(303);
        let seen = shop
            .until(&hong.token, &order, fault, |order| {
                order["status"] == "ORDER_PAYMENT" && order["payments"] != json!([])
            })
            .await;
        assert_eq!(seen["payments"].as_array().unwrap().len(), 1, "{fault}");
        assert_eq!(shop.charges().await["charged"], 1_250, "{fault}");
        assert_eq!(events(&shop, "PaymentApproved").await, 1, "{fault}");
    }
}

#[tokio::test]
async fn a_charge_that_never_happened_is_closed_and_can_be_tried_again() {
    for fault in ["timeoutBefore", "dropBefore", "errorBefore"] {
        let (shop, hong, order) = shop_with_order().await;
        shop.fault(json!({ "call": "approve", "fault": fault, "times": 1 }))
            .await;
        let back = shop.pay(&hong.token, &order).await.expect(303);
        assert!(
            back.header("location")
                .unwrap()
                .contains("error=payment_refused"),
            "{fault} {back:?}"
        );
        assert_eq!(shop.charges().await["balance"], 0, "{fault}");
        let back = shop.pay(&hong.token, &order).await.expect(303);
        assert!(
            !back.header("location").unwrap().contains("error"),
            "{fault} {back:?}"
        );
        assert_eq!(shop.charges().await["balance"], 1_250, "{fault}");
    }
}

#[tokio::test]
async fn while_nobody_knows_the_deadline_asks_until_the_service_says() {
    let (shop, hong, order) = shop_with_order().await;
    shop.fault(json!({ "call": "approve", "fault": "timeoutAfter", "times": 1 }))
        .await;
    shop.fault(json!({ "call": "query", "fault": "errorBefore", "times": 1 }))
        .await;
    let paying = shop.held_back(shop.pay(&hong.token, &order)).await;
    let back = paying.expect(303);
    assert!(
        back.header("location")
            .unwrap()
            .contains("error=unavailable"),
        "{back:?}"
    );
    let seen = shop
        .until(&hong.token, &order, "never resolved", |order| {
            order["status"] == "ORDER_PAYMENT"
        })
        .await;
    assert_eq!(seen["payments"].as_array().unwrap().len(), 1);
    assert_eq!(shop.charges().await["balance"], 1_250);
}

/// The process that requested a charge stops between the gateway's success and its recording.
#[tokio::test]
async fn a_charge_whose_process_died_is_settled_once_by_its_deadline() {
    use application::executor::{AppendBatch, CommandContext};
    use domain::event::Decider;
    use domain::payment::{Payment, PaymentCommand, PaymentStage};
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let (tid, amount) = (form["tid"].as_str().unwrap(), domain::Amount::new(1_250));
    let id = domain::checkout::payments::payment_id(order.parse().unwrap(), 1);
    let command = CommandContext::for_actor("request-approval", domain::Actor::System);
    shop.app
        .executor
        .transact(&command, |context| async {
            let context = context;
            let payment = shop.app.store.load::<Payment>(&id.to_string()).await?;
            let tid = tid.to_owned();
            let events = payment
                .state
                .decide(PaymentCommand::RequestApproval { tid, amount }, &context)?;
            let expected = event_store::Expected::Exact(payment.version);
            Ok(AppendBatch::of([
                event_store::StreamAppend::new::<Payment>(id, expected, &events)?,
            ]))
        })
        .await
        .unwrap();
    let name = window["orderId"].as_str().unwrap();
    let said = shop.app.gateway.approve(tid, amount, name).await;
    assert!(
        matches!(said, integrations::payment::Outcome::Done(_)),
        "{said:?}"
    );
    assert_eq!(stage(&shop, &order, 1).await, PaymentStage::Requested);
    shop.advance(Duration::minutes(2));
    let seen = shop
        .until(&hong.token, &order, "never settled", |order| {
            order["status"] == "ORDER_PAYMENT"
        })
        .await;
    assert_eq!(seen["payments"].as_array().unwrap().len(), 1);
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    let charges = shop.charges().await;
    assert_eq!(
        (&charges["charged"], &charges["balance"]),
        (&json!(1_250), &json!(1_250))
    );
}

#[tokio::test]
async fn a_refusal_to_tell_is_no_refusal_of_the_payment() {
    use domain::payment::PaymentStage;
    use integrations::payment::codes::{Call, Verdict, verdict};
    use integrations::payment::protocol::RESULT_CODES;
    let (shop, hong, _) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 100).await;
    let refusals = RESULT_CODES
        .iter()
        .map(|row| row.code)
        .filter(|code| verdict(Call::Query, code) == Verdict::Refused)
        .chain(["401", "403", "404", "405", "9998"]);
    for (count, code) in (1..).zip(refusals) {
        let order = id_of(&shop.order(&hong, pears, 1).await.expect(201));
        let window = shop.window(&hong.token, &order).await;
        let only = &window["orderId"];
        shop.fault(
            json!({ "call": "approve", "fault": "errorAfter", "times": 1, "orderId": only }),
        )
        .await;
        shop.fault(
            json!({ "call": "query", "fault": "refuse", "code": code, "times": 1, "orderId": only }),
        )
        .await;
        let form = shop.authenticate(&window).await;
        // The worker would ask the service first.
        let answered = async { (shop.come_back(&form).await, attempt(&shop, &order).await) };
        let (back, left) = shop.held_back(answered).await;
        let back = back.expect(303);
        let to = back.header("location").unwrap();
        if code == "A115" {
            assert!(to.contains("error=payment_refused"), "{code} {to}");
            assert_eq!(stage(&shop, &order, 1).await, PaymentStage::Refused);
            continue;
        }
        assert!(to.contains("error=unavailable"), "{code} {to}");
        assert_eq!(left, UNKNOWN, "{code}");
        let seen = process(&shop, &hong, &order).await.expect(200);
        assert_eq!(seen.body["order"]["status"], "ORDER_PAYMENT", "{code}");
        assert_eq!(shop.charges().await["charged"], 1_250 * count, "{code}");
    }
}

#[tokio::test]
async fn a_refusal_to_undo_is_no_refusal_of_the_payment() {
    use domain::payment::PaymentStage;
    let (shop, hong, _) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 100).await;
    for code in ["2003", "2020", "A101", "U104"] {
        let order = id_of(&shop.order(&hong, pears, 1).await.expect(201));
        let only = shop.window(&hong.token, &order).await["orderId"].clone();
        shop.fault(
            json!({ "call": "approve", "fault": "errorBefore", "times": 1, "orderId": only }),
        )
        .await;
        shop.fault(json!({ "call": "netCancel", "fault": "refuse", "code": code, "times": 1, "orderId": only }))
            .await;
        // The worker would ask the service first.
        let answered = async {
            let back = shop.pay(&hong.token, &order).await;
            (back, attempt(&shop, &order).await)
        };
        let (back, left) = shop.held_back(answered).await;
        let back = back.expect(303);
        let to = back.header("location").unwrap();
        assert!(to.contains("error=unavailable"), "{code} {to}");
        assert_eq!(left, UNKNOWN, "{code}");
        process(&shop, &hong, &order).await.expect(200);
        assert_eq!(
            stage(&shop, &order, 1).await,
            PaymentStage::NetCanceled,
            "{code}"
        );
    }
    assert_eq!(shop.charges().await["charged"], 0);
}
