use domain::checkout::payments::{StartError, payment_id};
use domain::payment::PaymentMethod;

use super::*;

#[test]
fn once_and_in_full() {
    let cost = terms().totals.payable;
    let mismatch = || OrderError::AmountMismatch { expected: cost };
    order([placed()]).when(pay(Some(2), cost)).then([paid()]);
    order([placed()])
        .when(pay(Some(2), Amount::new(1)))
        .then_refuses(mismatch());
    order([placed()])
        .when(pay(None, cost))
        .then_refuses(mismatch());
    order([placed(), paid()])
        .when(pay(Some(2), cost))
        .then_nothing();
    order([placed(), paid()])
        .when(pay(Some(3), cost))
        .then_refuses(OrderError::AlreadyPaid);
    order([])
        .when(pay(Some(2), cost))
        .then_refuses(OrderError::NotPlaced);
}

#[test]
fn too_late_is_refused_so_that_the_money_goes_back() {
    let canceled = OrderEvent::OrderCanceled {
        by: CanceledBy::Deadline,
        reason: None,
    };
    let late = order([placed(), canceled]);
    late.when(pay(Some(2), terms().totals.payable))
        .then_refuses(OrderError::OrderCanceled);
    assert_eq!(OrderError::OrderCanceled.code(), "order_canceled");
    assert_eq!(OrderError::AlreadyPaid.code(), "already_paid");
}

#[test]
fn it_is_tried_thirty_times() {
    let mut shop = Shop::open();
    shop.place_terms(id(1), terms()).unwrap();
    let method = |number: u32| match number % 2 {
        0 => PaymentMethod::Card,
        _ => PaymentMethod::Bank,
    };
    for number in 1..=30 {
        let started = shop.start_payment(id(1), method(number));
        assert_eq!(started, Ok(payment_id(id(1), number)));
    }
    let one_more = shop.start_payment(id(1), method(31));
    assert_eq!(one_more, Err(StartError::TooMany));
    let last = shop.start_payment(id(1), method(30));
    assert_eq!(last, Ok(payment_id(id(1), 30)), "its window is open");
}
