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
