use super::*;
use domain::coupon::IssueEventType;
use domain::policies::instant_coupons::of_order;

#[test]
fn an_invoice_ships_then_corrects() {
    let ready = || vec![placed(), paid(), prepared(0)];
    let sent = || [ready(), vec![shipped(0)]].concat();
    order(ready())
        .when(ship(0, "1234-5678 9012"))
        .then([shipped(0)]);
    order(sent()).when(ship(0, "123456789012")).then_nothing();
    order(sent())
        .when(ship(0, "123456789013"))
        .then([OrderEvent::InvoiceCorrected {
            purchase_no: no(0),
            courier: "kr.cjlogistics".to_owned(),
            invoice_no: "123456789013".to_owned(),
        }]);
    for wrong in ["1234567", "12345678A", ""] {
        order(ready())
            .when(ship(0, wrong))
            .then_refuses(OrderError::InvoiceMalformed);
    }
    order([placed(), paid()])
        .when(ship(0, "123456789012"))
        .then_refuses(OrderError::WrongStatus {
            purchase_no: no(0),
            at: OrderStatus::Payment,
        });
}

#[test]
fn the_confirmation_day_counts_in_seoul() {
    let deliver = || OrderCommand::Deliver {
        purchase_no: no(0),
        auto_confirm_days: 8,
    };
    let sent = [placed(), paid(), prepared(0), shipped(0)];
    order(sent.clone())
        .after(Duration::hours(11))
        .when(deliver())
        .then([delivered(0, 29)]);
    order(sent.clone())
        .after(Duration::hours(12))
        .when(deliver())
        .then([delivered(0, 30)]);
    order(sent.into_iter().chain([delivered(0, 29)]))
        .when(deliver())
        .then_nothing();
}

fn deliver_by_date(day: u8) -> OrderCommand {
    OrderCommand::DeliverByDate {
        purchase_no: no(0),
        day: november(day),
        auto_confirm_days: 8,
    }
}

#[test]
fn the_day_of_an_unreported_delivery_counts_in_seoul() {
    let ready = || order([placed(), paid(), prepared(0)]);
    ready()
        .after(Duration::hours(11))
        .when(ship(0, "123456789012"))
        .then([shipped(0)]);
    let next_day = OrderEvent::PurchaseShipped {
        purchase_no: no(0),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
        deliver_by: Some(november(29)),
    };
    ready()
        .after(Duration::hours(12))
        .when(ship(0, "123456789012"))
        .then([next_day]);
}

#[test]
fn a_delivery_nobody_reports_comes_with_its_day() {
    let sent = || vec![placed(), paid(), prepared(0), shipped(0)];
    let late = || [sent(), vec![delayed(0)]].concat();
    // NOON is on the 21st, the day is the 28th; the day of the deadline does not count in addition
    for on_its_way in [sent(), late()] {
        order(on_its_way.clone())
            .after(Duration::days(7) - Duration::hours(12) - Duration::SECOND)
            .when(deliver_by_date(22))
            .then_refuses(OrderError::NotDue);
        order(on_its_way)
            .after(Duration::days(7) - Duration::hours(12))
            .when(deliver_by_date(30))
            .then([OrderEvent::PurchaseDelivered {
                purchase_no: no(0),
                confirm_on: Date::from_calendar_date(2026, Month::December, 6).unwrap(),
            }]);
    }
    let arrived = [sent(), vec![delivered(0, 29)]].concat();
    order(arrived).when(deliver_by_date(28)).then_nothing();
    order([placed(), paid(), prepared(0)])
        .after(Duration::days(30))
        .when(deliver_by_date(28))
        .then_refuses(OrderError::WrongStatus {
            purchase_no: no(0),
            at: OrderStatus::Confirm,
        });
}

#[test]
fn what_was_sent_before_days_were_recorded_has_the_day_of_the_deadline() {
    let unrecorded = OrderEvent::PurchaseShipped {
        purchase_no: no(0),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
        deliver_by: None,
    };
    let sent = || order([placed(), paid(), prepared(0), unrecorded.clone()]);
    sent()
        .after(Duration::days(6))
        .when(deliver_by_date(28))
        .then_refuses(OrderError::NotDue);
    sent()
        .after(Duration::days(1))
        .when(deliver_by_date(22))
        .then([delivered(0, 30)]);
}

#[test]
fn a_purchase_is_confirmed_by_the_buyer_or_by_its_day() {
    let arrived = || vec![placed(), paid(), prepared(0), shipped(0), delivered(0, 29)];
    let confirm = || OrderCommand::Confirm {
        purchase_nos: vec![no(0)],
    };
    let by_date = || OrderCommand::ConfirmByDate { purchase_no: no(0) };
    order(arrived())
        .when(confirm())
        .then([completed(0, ConfirmedBy::Buyer)]);
    order(arrived())
        .after(Duration::days(7))
        .when(by_date())
        .then_refuses(OrderError::NotDue);
    order(arrived())
        .after(Duration::days(8))
        .when(by_date())
        .then([completed(0, ConfirmedBy::Date)]);
    let done = || [arrived(), vec![completed(0, ConfirmedBy::Buyer)]].concat();
    order(done()).when(confirm()).then_nothing();
    order(done()).when(by_date()).then_nothing();
    order(done())
        .when(cancel(10, &[0], CanceledBy::Buyer))
        .then_refuses(OrderError::Final(no(0)));
}

#[test]
fn an_open_claim_stops_everything_else() {
    let asked = folded_request();
    for act in [
        ship(0, "123456789012"),
        OrderCommand::Delay {
            purchase_no: no(0),
            reason: "입고 지연".to_owned(),
        },
        OrderCommand::Prepare {
            purchase_nos: vec![no(0)],
        },
        cancel(20, &[0], CanceledBy::Staff),
    ] {
        order(asked.clone())
            .when(act)
            .then_refuses(OrderError::ClaimOpen(no(0)));
    }
}

fn folded_request() -> Vec<OrderEvent> {
    let past = vec![placed(), paid(), prepared(0)];
    let events = domain::Decider::decide(
        &folded(past.clone()),
        cancel(10, &[0], CanceledBy::Buyer),
        &super::super::given::at_noon(),
    )
    .unwrap();
    [past, events].concat()
}

#[test]
fn a_confirmation_is_an_occasion_for_coupons() {
    let order = folded([placed(), paid()]);
    let occasion = of_order(&completed(0, ConfirmedBy::Buyer), &order, NOON).unwrap();
    assert_eq!(occasion.kind, IssueEventType::PurchaseComplete);
    let buyer = Buyer::Member {
        id: occasion.member,
    };
    assert_eq!(order.buyer(), Some(&buyer));
    assert_eq!(of_order(&paid(), &order, NOON), None);
}
