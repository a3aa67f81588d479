use super::*;

fn act(by: CanceledBy) -> OrderCommand {
    OrderCommand::CancelUnpaid { by, reason: None }
}

fn canceled(by: CanceledBy) -> OrderEvent {
    OrderEvent::OrderCanceled { by, reason: None }
}

#[test]
fn by_the_buyer_at_once_by_the_deadline_when_it_passed() {
    let buyer = CanceledBy::Buyer;
    let deadline = CanceledBy::Deadline;
    order([placed()]).when(act(buyer)).then([canceled(buyer)]);
    order([placed()])
        .when(act(deadline))
        .then_refuses(OrderError::NotDue);
    order([placed()])
        .after(Duration::hours(1))
        .when(act(deadline))
        .then([canceled(deadline)]);
    order([placed(), canceled(buyer)])
        .when(act(deadline))
        .then_nothing();
    order([placed(), paid()])
        .after(Duration::hours(1))
        .when(act(deadline))
        .then_refuses(OrderError::PaidCannotCancelUnpaid);
}

#[test]
fn a_virtual_account_has_until_it_closes() {
    let deadline = CanceledBy::Deadline;
    let wait = |hours| OrderCommand::AwaitDeposit {
        payment: id(2),
        until: NOON + Duration::hours(hours),
    };
    let awaited = |hours| OrderEvent::DepositAwaited {
        payment: id(2),
        until: NOON + Duration::hours(hours),
    };
    order([placed()]).when(wait(72)).then([awaited(72)]);
    let agreed = terms().pay_by - NOON;
    order([placed()])
        .when(wait(0))
        .then([awaited(agreed.whole_hours())]);
    order([placed(), awaited(72)])
        .after(Duration::hours(71))
        .when(act(deadline))
        .then_refuses(OrderError::NotDue);
    order([placed(), awaited(72)])
        .after(Duration::hours(72))
        .when(act(deadline))
        .then([canceled(deadline)]);
    order([placed(), paid()])
        .when(wait(72))
        .then_refuses(OrderError::AlreadyPaid);
    order([placed(), canceled(deadline)])
        .when(wait(72))
        .then_refuses(OrderError::OrderCanceled);
}

#[test]
fn an_account_given_up_ends_the_wait_but_takes_no_time_away() {
    let deadline = CanceledBy::Deadline;
    let end = || OrderCommand::EndDepositWait { payment: id(2) };
    let awaited = |payment, hours| OrderEvent::DepositAwaited {
        payment: id(payment),
        until: NOON + Duration::hours(hours),
    };
    let ended = || OrderEvent::DepositWaitEnded { payment: id(2) };
    order([placed(), awaited(2, 72)])
        .when(end())
        .then([ended()]);
    // given up twice, paid, canceled, never awaited
    let done = [paid(), canceled(deadline), ended()];
    for event in done.map(Some).into_iter().chain([None]) {
        let before = match event {
            Some(event) => vec![placed(), awaited(2, 72), event],
            None => vec![placed()],
        };
        order(before).when(end()).then_nothing();
    }
    order([]).when(end()).then_refuses(OrderError::NotPlaced);
    // the agreed hour is over, the account's period is not
    let given_up = || [placed(), awaited(2, 72), ended()];
    order(given_up())
        .after(Duration::hours(71))
        .when(act(deadline))
        .then_refuses(OrderError::NotDue);
    order(given_up())
        .after(Duration::hours(72))
        .when(act(deadline))
        .then([canceled(deadline)]);

    let text = |events: &[OrderEvent]| {
        let mut order = Order::default();
        events.iter().cloned().for_each(|event| order.evolve(event));
        order.status_text(order.purchases.first().unwrap())
    };
    assert_eq!(text(&[placed(), awaited(2, 72)]), "입금대기");
    assert_eq!(text(&given_up()), "결제대기");
    let again = [given_up().as_slice(), &[awaited(3, 80)]].concat();
    assert_eq!(text(&again), "입금대기");
}
