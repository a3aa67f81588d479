//! What the shop does by itself with orders when time goes on.

use application::executor::{AppendBatch, CommandContext};
use application::policies::Policy;
use application::policies::cancel_unpaid::CancelUnpaid;
use application::policies::deadlines::Deadline;
use application::policies::purchase_points::PurchasePoints;
use domain::Actor;
use domain::event::Decider;
use domain::order::{Order, OrderCommand};
use event_store::{Expected, StreamAppend, StreamId};
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::json;
use time::Duration;

use crate::support::shop::{id_of, order_form};
use crate::support::{TestApp, until};

async fn act(shop: &TestApp, order: &str, act: impl Fn(&Order) -> OrderCommand + Sync) {
    let act = &act;
    shop.app
        .executor
        .transact(
            &CommandContext::for_actor("test", Actor::System),
            |context| async move {
                let loaded = shop.app.store.load::<Order>(order).await?;
                let events = loaded.state.decide(act(&loaded.state), &context)?;
                Ok(AppendBatch::of([StreamAppend::new::<Order>(
                    order,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            },
        )
        .await
        .unwrap();
}

#[tokio::test]
async fn a_delivered_purchase_confirms_itself_and_earns_points_once() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 10_010, 10).await;
    let hong = shop.sign_up("hong1234").await;
    shop.earns_points(&hong, 5).await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.pay(&hong.token, &order).await.expect(303);
    let worth = async |token: &str| {
        let head = shop.app.store.head().await.unwrap().to_string();
        let points = shop.get("/api/v1/me/points").token(token);
        let points = points.header("x-wait-position", &head).send().await;
        points.expect(200).body["summary"].take()
    };
    let promised = json!({ "totalCount": 0, "available": 0, "expiringSoon": 0, "expected": 500 });
    assert_eq!(worth(&hong.token).await, promised);
    let first = |order: &Order| order.purchases[0].purchase_no.clone();
    act(&shop, &order, |order| OrderCommand::Prepare {
        purchase_nos: vec![first(order)],
    })
    .await;
    act(&shop, &order, |order| OrderCommand::Ship {
        purchase_no: first(order),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
        auto_deliver_days: 7,
    })
    .await;
    act(&shop, &order, |order| OrderCommand::Deliver {
        purchase_no: first(order),
        auto_confirm_days: 8,
    })
    .await;
    shop.advance(Duration::days(7));
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"]
        .as_str()
        .unwrap()
        .to_owned();
    let early = shop.my_order(&token, &order).await;
    assert_eq!(early["purchases"][0]["purchaseStatus"], "PURCHASE_SCHEDULE");
    shop.advance(Duration::days(2));
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"]
        .as_str()
        .unwrap()
        .to_owned();
    shop.until(&token, &order, "not confirmed", |order| {
        order["purchases"][0]["purchaseStatus"] == "PURCHASE_COMPLETE"
    })
    .await;
    let available = until("points for it", async || {
        let points = shop.get("/api/v1/shop/points/qualify").token(&token);
        let available = points.send().await.body["available"].take();
        (available != 0).then_some(available)
    })
    .await;
    assert_eq!(available, 500, "five percent of 100.10, rounded down");
    // who died before it was written down that the event is read reads it again
    let stream = StreamId::of::<Order>(&order);
    for event in shop.app.store.read_stream(&stream).await.unwrap() {
        PurchasePoints.react(&shop.app, &event).await.unwrap();
    }
    let grants: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'PointsGranted'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(grants, 1);
    let granted = json!({ "totalCount": 1, "available": 500, "expiringSoon": 0, "expected": 0 });
    assert_eq!(worth(&token).await, granted, "what was promised was given");
}

#[tokio::test]
async fn whoever_dies_at_a_deadline_leaves_it_to_the_next_and_nothing_goes_back_twice() {
    const ORDERS: usize = 10;
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 20).await;
    for _ in 0..ORDERS {
        let placed = shop.post("/api/v1/shop/orders", &order_form(apples, 2));
        placed.send().await.expect(201);
    }
    let later = shop.app.clock.now() + Duration::hours(2);
    let dues = until("all deadlines", async || {
        let dues = due(shop.app.pool(), &[DeadlineKind::UnpaidOrder], later, 100).await;
        dues.ok().filter(|dues| dues.len() == ORDERS)
    })
    .await;
    // from here on the shop itself acts at them as well
    shop.advance(Duration::minutes(61));
    let deaths = (0_u64..).zip(&dues).map(|(step, due)| {
        let (app, due) = (shop.app.clone(), due.clone());
        let acts = tokio::spawn(async move { CancelUnpaid.fire(&app, &due).await });
        async move {
            tokio::time::sleep(std::time::Duration::from_millis(3 * step)).await;
            acts.abort();
        }
    });
    futures::future::join_all(deaths).await;
    until("an order is still held", async || {
        (shop.left(apples).await == 20).then_some(())
    })
    .await;
    for event_type in ["OrderCanceled", "StockGivenBack"] {
        let times = "SELECT count(*) FROM events WHERE event_type = $1";
        let times = sqlx::query_scalar::<_, i64>(times).bind(event_type);
        let times = times.fetch_one(shop.app.pool()).await.unwrap();
        assert_eq!(usize::try_from(times), Ok(ORDERS), "{event_type}");
    }
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_refused_deadline_is_written_down_shown_and_left_alone_until_something_changes() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let order = id_of(&shop.order(&hong, apples, 1).await.expect(201));
    shop.until(&hong.token, &order, "not placed", |order| {
        order["status"] == "ORDER_NONPAYMENT"
    })
    .await;
    // A deadline its ledger will never agree to.
    sqlx::query(
        "INSERT INTO p_deadlines_v7 (kind, id, stream, due_at, position)
         SELECT 'confirm-purchase', 'NO-SUCH-1', $1, '2020-01-01', max(global_position) FROM events WHERE aggregate_id = $1",
    )
    .bind(&order)
    .execute(shop.app.pool())
    .await
    .unwrap();
    let operator = shop.console().await;
    let shown = async || {
        let reply = shop
            .get("/api/console/refusals")
            .as_(&operator)
            .send()
            .await
            .expect(200);
        assert!(reply.body["reactions"].is_array());
        reply.body["refusals"].as_array().unwrap().clone()
    };
    let seen = async |what: &str, looks: &dyn Fn(&serde_json::Value) -> bool| {
        until(what, async || {
            shown().await.into_iter().find(|one| looks(one))
        })
        .await
    };
    let first = seen("it is not written down", &|_| true).await;
    assert_eq!(
        (&first["kind"], &first["_id"], &first["code"]),
        (
            &json!("confirm-purchase"),
            &json!("NO-SUCH-1"),
            &json!("not_found")
        )
    );
    let told = api::refusals::report(&shop.app.store).await.unwrap();
    assert!(
        told.contains("NO-SUCH-1") && told.contains("not_found"),
        "{told}"
    );
    // Nobody asks again, whatever the clock says.
    shop.advance(Duration::minutes(1));
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    assert_eq!(shown().await, std::slice::from_ref(&first));
    // Something happens to the order: it is asked again, and refused again.
    shop.pay(&hong.token, &order).await.expect(303);
    seen("it is not asked again", &|one| {
        one["refusedAt"] != first["refusedAt"]
    })
    .await;
    // Somebody has it tried again: what it was refused is kept, with who did so, and so is that it was of no use.
    let path = "/api/console/refusals/confirm-purchase/NO-SUCH-1/retry";
    let seller = shop.company("seller12").await;
    for stranger in [&hong, &seller] {
        let refused = shop.post(path, &json!({})).as_(stranger).send().await;
        assert_eq!(refused.status, 403);
    }
    let before = shown().await[0].clone();
    shop.advance(Duration::minutes(1));
    // Twice at once: one of them is too late, so it is tried again once.
    let why = json!({ "reason": "원인을 고쳤습니다." });
    let (one, other) = tokio::join!(
        shop.post(path, &why).as_(&operator).send(),
        shop.post(path, &why).as_(&operator).send()
    );
    let (retried, late) = match one.status {
        202 => (one, other),
        _ => (other, one),
    };
    assert_eq!(late.expect(404).code(), "not_found");
    let retried = retried.expect(202).body["retry"].clone();
    assert_eq!(
        (
            &retried["outcome"],
            &retried["nickname"],
            &retried["refusedAt"]
        ),
        (&json!("waiting"), &json!("운영자"), &before["refusedAt"])
    );
    seen("it is not tried again", &|one| {
        one["refusedAt"] != before["refusedAt"]
    })
    .await;
    let retries = async || {
        let reply = shop
            .get("/api/console/refusals")
            .as_(&operator)
            .send()
            .await;
        reply.expect(200).body["retries"].clone()
    };
    let kept = retries().await;
    assert_eq!(kept.as_array().unwrap().len(), 1);
    assert_eq!(
        (&kept[0]["outcome"], &kept[0]["code"], &kept[0]["_id"]),
        (&json!("refused"), &json!("not_found"), &json!("NO-SUCH-1"))
    );
    // It is in the log like all that somebody may have to answer for.
    let story = shop
        .get("/api/console/history/deadline/confirm-purchase:NO-SUCH-1")
        .as_(&operator)
        .send()
        .await
        .expect(200);
    let events = story.body["events"].as_array().unwrap();
    assert_eq!(events.len(), 1, "{}", story.text);
    let event = &events[0];
    assert_eq!(
        (&event["type"], &event["actor"]["name"], &event["reason"]),
        (
            &json!("DeadlineRetried"),
            &json!("운영자"),
            &json!("원인을 고쳤습니다.")
        )
    );
    assert_eq!(
        (
            &event["position"],
            &event["data"]["DeadlineRetried"]["refusedAt"]
        ),
        (&kept[0]["number"], &before["refusedAt"])
    );
    // What is settled is not shown any more.
    sqlx::query("DELETE FROM p_deadlines_v7 WHERE id = 'NO-SUCH-1'")
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(shown().await.len(), 0);
    let gone = shop.post(path, &json!({})).as_(&operator).send().await;
    assert_eq!(gone.expect(404).code(), "not_found");
    // A deadline that is gone was settled, whatever was said of it before.
    sqlx::query("DELETE FROM deadline_refusals")
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(retries().await[0]["outcome"], "settled");
    let refused = shop.get("/api/console/refusals").as_(&hong).send().await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn what_the_shop_and_the_service_do_names_the_event_that_caused_it() {
    let shop = TestApp::with(&[("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "1")]).await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    // Paid and given back; paid with a lost answer; told by a notice; never paid.
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(id_of(&shop.order(&hong, apples, 1).await.expect(201)));
    }
    shop.pay(&hong.token, &orders[0]).await.expect(303);
    shop.post(
        &format!("/api/v1/me/orders/{}/cancel", orders[0]),
        &json!({ "reason": "마음이 바뀌었어요" }),
    )
    .as_(&hong)
    .send()
    .await
    .expect(200);
    shop.until(&hong.token, &orders[0], "not refunded", |order| {
        order["payments"][0]["refunded"] == 1_250
    })
    .await;
    shop.fault(json!({ "call": "approve", "fault": "errorBefore", "times": 1 }))
        .await;
    shop.pay(&hong.token, &orders[1]).await.expect(303);
    let window = shop.window(&hong.token, &orders[2]).await;
    let form = shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap();
    crate::support::payments::charge_behind_our_back(&shop, &window, tid).await;
    let paid = crate::support::payments::notice(&shop, tid).await;
    crate::support::payments::tell(&shop, &paid)
        .await
        .expect(200);
    shop.advance(Duration::minutes(61));
    let token = shop.login("hong1234", "abcd123!").await.body["accessToken"]
        .as_str()
        .unwrap()
        .to_owned();
    shop.until(&token, &orders[3], "still held", |order| {
        order["status"] == "ORDER_CANCELED"
    })
    .await;
    let told: Vec<(String, String, Option<String>)> = sqlx::query_as(
        "SELECT e.event_type, e.metadata::jsonb ->> 'command', cause.event_type
         FROM events e LEFT JOIN events cause ON cause.event_id = e.causation_id AND cause.global_position < e.global_position
         WHERE (e.metadata ->> 'actor')::jsonb ->> 'kind' IN ('service', 'policy') ORDER BY e.global_position",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let causeless: Vec<_> = told
        .iter()
        .filter(|(_, _, cause)| cause.is_none())
        .collect();
    assert!(causeless.is_empty(), "{causeless:?}");
    let has = |event: &str, command: &str, cause: &str| {
        let chain = (event.to_owned(), command.to_owned(), Some(cause.to_owned()));
        assert!(told.contains(&chain), "{chain:?} in {told:?}");
    };
    has(
        "PaymentApproved",
        "record-approval",
        "PaymentApprovalRequested",
    );
    has("RefundCompleted", "complete-refund", "RefundRequested");
    has(
        "PaymentNetCanceled",
        "resolve-approval",
        "PaymentApprovalUnknown",
    );
    has("PaymentApproved", "record-notice", "PaymentStarted");
    has("OrderPaid", "record-notice", "PaymentStarted");
    has("OrderCanceled", "cancel-unpaid", "OrderPlaced");
}
