//! Attacks on payment notices and transactions: only the gateway's own response counts, and a transaction belongs to one payment
//! permanently.

use api::http::Code;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use api::audit::ask_payments::{self, Range};
use application::executor::{AppendBatch, CommandContext, decide};
use application::payments::record;
use axum::http::Method;
use domain::Actor;
use domain::checkout::payments::payment_id;
use domain::ids::{OrderId, ProductId};
use domain::order::{Order, OrderCommand};
use domain::payment::{Payment, PaymentCommand};
use integrations::payment::{Answer, Outcome};
use projections::verify::verify;
use serde_json::{Value, json};

use crate::support::Place;
use crate::support::payments::{charge_behind_our_back, notice, tell};
use crate::support::shop::id_of;
use crate::support::{Account, TestApp, futures_of, until};

const PRICE: i64 = 1_250;

/// Two buyers, each with an unpaid order of the same amount.
struct Two {
    shop: TestApp,
    hong: Account,
    kim: Account,
    first: String,
    second: String,
    apples: ProductId,
}

impl Two {
    async fn start() -> Self {
        let shop = TestApp::with(&[
            ("JANGBU_PAYMENT_READ_TIMEOUT_SECONDS", "2"),
            ("JANGBU_PAYMENT_CONNECT_TIMEOUT_SECONDS", "1"),
        ])
        .await;
        let seller = shop.seller().await;
        let apples = shop.product(seller, 1_000, 10).await;
        let (hong, kim) = (
            shop.sign_up("hong1234").await,
            shop.sign_up("kim12345").await,
        );
        let first = id_of(&shop.order(&hong, apples, 1).await.expect(201));
        let second = id_of(&shop.order(&kim, apples, 1).await.expect(201));
        Self {
            shop,
            hong,
            kim,
            first,
            second,
            apples,
        }
    }

    async fn events(&self, event_type: &str) -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = $1")
            .bind(event_type)
            .fetch_one(self.shop.app.pool())
            .await
            .unwrap()
    }

    /// Pays the first order; returns the gateway's id of the payment.
    async fn first_is_paid(&self) -> String {
        let window = self.shop.window(&self.hong.token, &self.first).await;
        let form = self.shop.authenticate(&window).await;
        self.shop.come_back(&form).await.expect(303);
        assert_eq!(self.status(&self.hong, &self.first).await, "ORDER_PAYMENT");
        form["tid"].as_str().unwrap().to_owned()
    }

    /// The gateway's order id of the second order's payment.
    async fn second_is_called(&self) -> String {
        let window = self.shop.window(&self.kim.token, &self.second).await;
        window["orderId"].as_str().unwrap().to_owned()
    }

    async fn status(&self, who: &Account, order: &str) -> String {
        let order = self.shop.my_order(&who.token, order).await;
        order["status"].as_str().unwrap().to_owned()
    }

    /// The log is consistent, and only the first order is paid.
    async fn is_right(&self) {
        self.shop.settled().await;
        let report = verify(&self.shop.app.store, |_| {}).await.unwrap();
        assert!(report.is_clean(), "{:?}", report.differences);
        assert_eq!(self.shop.charges().await["balance"], PRICE);
        assert_eq!(self.events("RefundRequested").await, 0);
    }
}

/// A notice with some of its fields changed. Its signature covers neither the order nor the status.
fn forged(notice: &str, changes: &Value) -> String {
    let mut notice: Value = serde_json::from_str(notice).unwrap();
    for (field, value) in changes.as_object().unwrap() {
        notice[field] = value.clone();
    }
    notice.to_string()
}

#[tokio::test]
async fn a_genuine_notice_with_another_orders_id_pays_nothing() {
    let two = Two::start().await;
    let tid = two.first_is_paid().await;
    let called = two.second_is_called().await;
    let genuine = notice(&two.shop, &tid).await;
    let swapped = forged(&genuine, &json!({ "orderId": called }));
    for _ in 0..2 {
        tell(&two.shop, &swapped).await.expect(200);
    }
    assert_eq!(two.status(&two.kim, &two.second).await, "ORDER_NONPAYMENT");
    assert_eq!(two.events("PaymentApproved").await, 1);
    // Recorded once, for staff to see with the order.
    assert_eq!(two.events("NoticeDoubted").await, 1);
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", two.second);
    let canceled = two.shop.post(&path, &cancel).as_(&two.kim).send().await;
    canceled.expect(200);
    two.is_right().await;
}

#[tokio::test]
async fn the_status_a_notice_names_is_not_believed() {
    let two = Two::start().await;
    // Authenticated in the window, and never charged.
    let window = two.shop.window(&two.hong.token, &two.first).await;
    let form = two.shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap();
    let ready = notice(&two.shop, tid).await;
    let paid =
        json!({ "status": "paid", "balanceAmt": PRICE, "paidAt": "2026-11-24T12:00:00.000+0900" });
    tell(&two.shop, &forged(&ready, &paid)).await.expect(200);
    assert_eq!(two.events("PaymentApproved").await, 0);
    assert_eq!(two.status(&two.hong, &two.first).await, "ORDER_NONPAYMENT");
    assert_eq!(two.shop.charges().await["charged"], 0);
    // Charged, with its refund still pending: a notice cannot complete it.
    two.shop.come_back(&form).await.expect(303);
    assert_eq!(two.status(&two.hong, &two.first).await, "ORDER_PAYMENT");
    two.shop
        .fault(json!({ "call": "cancel", "fault": "errorBefore" }))
        .await;
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", two.first);
    let canceled = two.shop.post(&path, &cancel).as_(&two.hong).send().await;
    canceled.expect(200);
    let refund: String = sqlx::query_scalar(
        "SELECT payload->'RefundRequested'->>'refund' FROM events WHERE event_type = 'RefundRequested'",
    )
    .fetch_one(two.shop.app.pool())
    .await
    .unwrap();
    let charged = notice(&two.shop, tid).await;
    let given_back = json!({ "status": "cancelled", "balanceAmt": 0, "cancels": [
        { "tid": "forged", "amount": PRICE, "reason": format!("환불 {refund}"), "cancelledAt": "0" },
    ] });
    tell(&two.shop, &forged(&charged, &given_back))
        .await
        .expect(200);
    assert_eq!(two.events("RefundCompleted").await, 0);
    assert_eq!(two.shop.charges().await["balance"], PRICE);
}

#[tokio::test]
async fn while_the_service_cannot_be_asked_a_notice_is_not_taken_and_comes_again() {
    let two = Two::start().await;
    let window = two.shop.window(&two.hong.token, &two.first).await;
    let form = two.shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap();
    charge_behind_our_back(&two.shop, &window, tid).await;
    let paid = notice(&two.shop, tid).await;
    for fault in ["errorBefore", "dropBefore", "badSignature"] {
        two.shop
            .fault(json!({ "call": "query", "fault": fault, "times": 1 }))
            .await;
        let reply = tell(&two.shop, &paid).await;
        assert_eq!(
            (reply.status, reply.code()),
            (503, "unavailable"),
            "{fault}"
        );
        assert_eq!(two.events("PaymentApproved").await, 0, "{fault}");
    }
    tell(&two.shop, &paid).await.expect(200);
    assert_eq!(two.status(&two.hong, &two.first).await, "ORDER_PAYMENT");
    two.is_right().await;
}

/// Registering the notice address sends a sample of a payment that never existed; the gateway does not know it either.
#[tokio::test]
async fn the_sample_of_an_unknown_payment_is_taken_without_a_question() {
    let two = Two::start().await;
    let tid = two.first_is_paid().await;
    let genuine = notice(&two.shop, &tid).await;
    two.shop
        .fault(json!({ "call": "query", "fault": "errorBefore" }))
        .await;
    for unknown in ["20260101-ABCDEFGH-1", "nicepay_sample_order"] {
        let sample = forged(&genuine, &json!({ "orderId": unknown }));
        let reply = tell(&two.shop, &sample).await.expect(200);
        assert_eq!(reply.text, "OK", "{unknown}");
    }
    let unsigned = forged(&genuine, &json!({ "amount": 1 }));
    assert_eq!(tell(&two.shop, &unsigned).await.status, 403);
}

#[tokio::test]
async fn of_a_genuine_and_a_swapped_notice_at_once_the_genuine_one_pays() {
    for _ in 0..4 {
        let two = Two::start().await;
        let window = two.shop.window(&two.hong.token, &two.first).await;
        let form = two.shop.authenticate(&window).await;
        let tid = form["tid"].as_str().unwrap();
        charge_behind_our_back(&two.shop, &window, tid).await;
        let genuine = notice(&two.shop, tid).await;
        let called = two.second_is_called().await;
        let swapped = forged(&genuine, &json!({ "orderId": called }));
        let told = [&swapped, &genuine, &swapped, &genuine];
        for reply in futures_of(4, |which| tell(&two.shop, told[which])).await {
            reply.expect(200);
        }
        assert_eq!(two.status(&two.hong, &two.first).await, "ORDER_PAYMENT");
        assert_eq!(two.status(&two.kim, &two.second).await, "ORDER_NONPAYMENT");
        two.is_right().await;
    }
}

/// The form of the return page does not sign its transaction either. A transaction that paid before is not even requested again.
#[tokio::test]
async fn a_transaction_that_paid_an_order_is_no_permission_to_charge_another() {
    let two = Two::start().await;
    let tid = two.first_is_paid().await;
    let window = two.shop.window(&two.kim.token, &two.second).await;
    let mut form = two.shop.authenticate(&window).await;
    let own = form["tid"].take();
    form["tid"] = json!(tid);
    let back = two.shop.come_back(&form).await.expect(303);
    let to = back.header("location").unwrap();
    assert!(to.contains("error=payment_refused"), "{to}");
    assert_eq!(two.events("PaymentApprovalRequested").await, 1);
    two.is_right().await;
    // And the buyer's own transaction still pays.
    form["tid"] = own;
    two.shop.come_back(&form).await.expect(303);
    assert_eq!(two.status(&two.kim, &two.second).await, "ORDER_PAYMENT");
    let left = two.shop.left(two.apples).await;
    assert_eq!((left, two.events("OrderPaid").await), (8, 2));
}

#[tokio::test]
async fn a_notice_of_another_method_or_shape_changes_nothing() {
    let two = Two::start().await;
    let tid = two.first_is_paid().await;
    let genuine = notice(&two.shop, &tid).await;
    for changes in [
        json!({ "orderId": "" }),
        json!({ "orderId": "-" }),
        json!({ "tid": "other" }),
        json!({ "status": "bought" }),
        json!({ "cancels": "all" }),
    ] {
        let reply = tell(&two.shop, &forged(&genuine, &changes)).await;
        assert!(matches!(reply.status, 200 | 403), "{changes} {reply:?}");
    }
    let empty = two
        .shop
        .ask(Method::POST, "/api/plugins/nicepayments/notice");
    assert_eq!(empty.send().await.status, 403);
    two.is_right().await;
}

/// The gateway's response about a transaction, changed to another order id: what a program without a check would have recorded.
async fn said_of(two: &Two, tid: &str, order_id: &str) -> Answer {
    match two.shop.app.gateway.query(tid).await {
        Outcome::Done(mut answer) => {
            answer.order_id = order_id.to_owned();
            *answer
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_transaction_is_recorded_by_one_payment_whoever_else_tries_at_once() {
    for _ in 0..4 {
        let two = Two::start().await;
        let first = two.shop.window(&two.hong.token, &two.first).await;
        let form = two.shop.authenticate(&first).await;
        let tid = form["tid"].as_str().unwrap();
        charge_behind_our_back(&two.shop, &first, tid).await;
        let names = [
            first["orderId"].as_str().unwrap().to_owned(),
            two.second_is_called().await,
        ];
        let ids = [&two.first, &two.second].map(|order| payment_id(order.parse().unwrap(), 1));
        let recorded = futures_of(2, |which| {
            let (two, id, name) = (&two, ids[which], &names[which]);
            async move {
                let answer = said_of(two, tid, name).await;
                let command = CommandContext::for_actor("record-approval", Actor::System);
                record::paid(&two.shop.app, &command, id, &answer).await
            }
        })
        .await;
        let refused: Vec<_> = recorded
            .iter()
            .filter_map(|one| one.as_ref().err())
            .collect();
        assert_eq!(refused.len(), 1, "{recorded:?}");
        assert_eq!(refused[0].code(), Code::NotAllowedNow);
        assert_eq!(two.events("PaymentApproved").await, 1);
        assert_eq!(two.events("OrderPaid").await, 1);
        // A response about another order is rejected before that.
        let swapped = said_of(&two, tid, &names[1]).await;
        let command = CommandContext::for_actor("record-approval", Actor::System);
        let wrong = record::paid(&two.shop.app, &command, ids[0], &swapped).await;
        assert!(wrong.is_err());
    }
}

/// Data as an earlier program would have written it: the second order, paid by the transaction of the first.
async fn an_older_program_pays(two: &Two, order: &str, tid: &str) {
    let (app, tid) = (&two.shop.app, &tid.to_owned());
    let order_id: OrderId = order.parse().unwrap();
    let id = payment_id(order_id, 1);
    let command = CommandContext::for_actor("record-notice", Actor::System);
    app.executor
        .transact(&command, |context| async move {
            let payment = app.store.load::<Payment>(&id.to_string()).await?;
            let amount = payment.state.started.as_ref().unwrap().amount;
            let approval = PaymentCommand::RecordApproval {
                tid: tid.clone(),
                amount,
                approve_no: None,
                receipt_url: None,
            };
            let mut change = AppendBatch::of([decide(id, &payment, approval, &context)?]);
            let order = app.store.load::<Order>(&order_id.to_string()).await?;
            let pay = OrderCommand::Pay {
                payment: Some(id),
                amount,
            };
            change.append(decide(order_id, &order, pay, &context)?);
            Ok(change)
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn what_an_older_program_recorded_is_reserved_and_a_duplicate_is_shown_and_gives_nothing_back()
 {
    let two = Two::start().await;
    let app = &two.shop.app;
    let window = two.shop.window(&two.hong.token, &two.first).await;
    let called = two.second_is_called().await;
    let form = two.shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap();
    charge_behind_our_back(&two.shop, &window, tid).await;
    let owner = async || {
        let hash = app.keys.lookup_hash("payment-tid", tid);
        app.store.reserved_by("payment-tid", &hash).await.unwrap()
    };
    assert_eq!(owner().await, None);
    an_older_program_pays(&two, &two.first, tid).await;
    let first = payment_id(two.first.parse().unwrap(), 1).to_string();
    until("it is never reserved", async || {
        owner().await.filter(|owner| *owner == first)
    })
    .await;
    two.is_right().await;
    let asked = async |after| {
        let range = Range {
            after,
            up_to: app.store.head().await.unwrap(),
            a_second: NonZeroU32::new(100).unwrap(),
        };
        let mut steps = Vec::new();
        let found = ask_payments::run(&app.store, &*app.gateway, range, |step| steps.push(step));
        (found.await, steps)
    };
    let (found, steps) = asked(0).await;
    assert_eq!(found.unwrap(), []);
    assert_eq!(steps.len(), 1);
    assert!(steps[0].clean);

    an_older_program_pays(&two, &two.second, tid).await;
    let staff = two.shop.console().await;
    let shown = until("the duplicate is not shown", async || {
        let refusals = two.shop.get("/api/console/refusals").as_(&staff);
        let refusals = refusals.send().await.expect(200).body;
        let mut reactions = refusals["reactions"]
            .as_array()
            .unwrap()
            .clone()
            .into_iter();
        reactions.find(|one| one["policy"] == "policy_transactions")
    })
    .await;
    assert!(
        shown["message"].as_str().unwrap().contains(&first),
        "{shown}"
    );
    let second = payment_id(two.second.parse().unwrap(), 1).to_string();
    assert!(
        shown["message"].as_str().unwrap().contains(&second),
        "{shown}"
    );
    assert_eq!(owner().await.as_deref(), Some(first.as_str()));

    // Its refund would be the other buyer's money.
    let cancel = json!({ "reason": "마음이 바뀌었어요" });
    let path = format!("/api/v1/me/orders/{}/cancel", two.second);
    let canceled = two.shop.post(&path, &cancel).as_(&two.kim).send().await;
    canceled.expect(200);
    until("the refund is not refused", async || {
        (two.events("RefundRefused").await == 1).then_some(())
    })
    .await;
    assert_eq!(two.shop.charges().await["balance"], PRICE);

    two.shop.settled().await;
    let keys = Some(&app.keys);
    let wish = projections::verify::VerifyOptions {
        keys,
        ..Default::default()
    };
    let report = projections::verify::verify_as(&app.store, &wish, |_| {}).await;
    let report = report.unwrap();
    let named: Vec<(&str, &str)> = report
        .differences
        .iter()
        .map(|one| (one.model.as_str(), one.key.as_str()))
        .collect();
    let holds = |model: &str, part: &str| {
        let mut found = named.iter();
        found.any(|(of, key)| *of == model && key.contains(part))
    };
    assert!(holds("transactions", "under two payments"), "{named:?}");
    assert!(holds("transactions", "refund"), "{named:?}");
    assert!(holds("reservations", &second), "{named:?}");

    // The gateway knows whose it is.
    let (found, steps) = asked(0).await;
    let found = found.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].key.contains(&second), "{found:?}");
    assert_eq!(found[0].expected, json!(called));
    assert_eq!(found[0].found, window["orderId"]);
    let clean: Vec<bool> = steps.iter().map(|step| step.clean).collect();
    assert_eq!(clean, [true, false]);
    // A run that was interrupted after the first one queries only the second.
    let (rest, again) = asked(steps[0].position).await;
    assert_eq!(rest.unwrap(), found);
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].position, steps[1].position);
    // And while the gateway does not respond, the run stops where it was.
    two.shop
        .fault(json!({ "call": "query", "fault": "refuse", "code": "U104" }))
        .await;
    let (cut, steps) = asked(0).await;
    assert!(cut.unwrap_err().to_string().contains("--resume"));
    assert_eq!(steps, []);

    // A program that starts on such a log still opens and sells.
    let hong = two.hong;
    let place = Place::like(&two.shop).await;
    let (_, database, _folder) = two.shop.close();
    let again = place.open(&database).await;
    again.order(&hong, two.apples, 1).await.expect(201);
}

#[tokio::test]
async fn a_payment_the_service_never_charged_is_named_by_asking() {
    let two = Two::start().await;
    let window = two.shop.window(&two.hong.token, &two.first).await;
    let form = two.shop.authenticate(&window).await;
    an_older_program_pays(&two, &two.first, form["tid"].as_str().unwrap()).await;
    two.second_is_called().await;
    an_older_program_pays(&two, &two.second, "a-tid-nobody-knows").await;
    let app = &two.shop.app;
    let range = Range {
        after: 0,
        up_to: app.store.head().await.unwrap(),
        a_second: NonZeroU32::new(2).unwrap(),
    };
    let begun = Instant::now();
    let found = ask_payments::run(&app.store, &*app.gateway, range, |_| {});
    let found = found.await.unwrap();
    assert!(
        begun.elapsed() >= Duration::from_millis(490),
        "two questions at two a second are half a second apart"
    );
    let told: Vec<(&str, &Value)> = found
        .iter()
        .map(|one| (one.key.split(' ').next().unwrap(), &one.found))
        .collect();
    assert_eq!(told, [("amount", &Value::Null), ("order", &Value::Null)]);
}
