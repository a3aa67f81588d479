//! Payments: intentions are recorded before, outcomes after, and never more is refunded than was received.

use domain::Amount;
use domain::payment::PaymentEvent::{
    AccountCloseRequested, DepositReceived, NoticeDoubted, PaymentAbandoned,
    PaymentApprovalRequested, PaymentApprovalUnknown, PaymentApproved, PaymentNetCanceled,
    PaymentRefused, PaymentStarted, RefundCompleted, RefundRefused, RefundRequested, RefundUnknown,
    VirtualAccountClosed, VirtualAccountIssued,
};
use domain::payment::PaymentMethod;
use domain::payment::{
    Doubt, Payment, PaymentCommand, PaymentError, PaymentEvent, PaymentStage, PaymentStatus,
    PaymentTerms, VirtualAccount,
};

use super::given::{Given, NOON, given, id};

const COST: Amount = Amount::new(10_000);

fn start() -> PaymentTerms {
    PaymentTerms {
        order: id(70),
        order_no: "20261121-7KD2M9QX".to_owned(),
        attempt: 2,
        amount: COST,
        method: PaymentMethod::Card,
        member: None,
        user_payment: None,
    }
}

fn started() -> PaymentEvent {
    PaymentStarted {
        order: id(70),
        order_no: "20261121-7KD2M9QX".to_owned(),
        attempt: 2,
        gateway_order_id: "20261121-7KD2M9QX-2".to_owned(),
        amount: COST,
        method: PaymentMethod::Card,
        member: None,
        user_payment: None,
    }
}

fn requested() -> PaymentEvent {
    PaymentApprovalRequested {
        tid: "t".to_owned(),
        amount: COST,
    }
}

fn approved() -> PaymentEvent {
    PaymentApproved {
        tid: "t".to_owned(),
        amount: COST,
        approve_no: None,
        receipt_url: None,
    }
}

fn refused() -> PaymentEvent {
    PaymentRefused {
        code: "3095".to_owned(),
        message: "한도 초과".to_owned(),
    }
}

fn unknown() -> PaymentEvent {
    PaymentApprovalUnknown {
        tid: "t".to_owned(),
        why: "timeout".to_owned(),
    }
}

fn undone() -> PaymentEvent {
    PaymentNetCanceled {
        tid: "t".to_owned(),
    }
}

fn abandoned() -> PaymentEvent {
    PaymentAbandoned {
        reason: "닫음".to_owned(),
    }
}

fn approve(tid: &str) -> PaymentCommand {
    PaymentCommand::RecordApproval {
        tid: tid.to_owned(),
        amount: COST,
        approve_no: None,
        receipt_url: None,
    }
}

fn ask(amount: Amount) -> PaymentCommand {
    PaymentCommand::RequestApproval {
        tid: "t".to_owned(),
        amount,
    }
}

fn refuse() -> PaymentCommand {
    PaymentCommand::RecordRefusal {
        code: "3095".to_owned(),
        message: "한도 초과".to_owned(),
    }
}

fn no_answer() -> PaymentCommand {
    PaymentCommand::RecordUnknown {
        tid: "t".to_owned(),
        why: "timeout".to_owned(),
    }
}

fn undo() -> PaymentCommand {
    PaymentCommand::RecordNetCancel {
        tid: "t".to_owned(),
    }
}

fn abandon() -> PaymentCommand {
    PaymentCommand::Abandon {
        reason: "닫음".to_owned(),
    }
}

fn payment(events: impl IntoIterator<Item = PaymentEvent>) -> Given<Payment> {
    given(events)
}

/// Every command in every stage: its events, or its error.
#[test]
fn the_intention_comes_before_the_outcome() {
    use PaymentError as E;
    use PaymentStage as S;
    let ready = || vec![started()];
    let pending = || vec![started(), requested()];
    let lost = || vec![started(), requested(), unknown()];
    let paid = || vec![started(), requested(), approved()];
    let no = || vec![started(), requested(), refused()];
    let void = || vec![started(), requested(), unknown(), undone()];
    let left = || vec![started(), abandoned()];
    type Row = (
        Vec<PaymentEvent>,
        PaymentCommand,
        Result<Option<PaymentEvent>, PaymentError>,
    );
    let table: Vec<Row> = vec![
        (vec![], PaymentCommand::Start(start()), Ok(Some(started()))),
        (ready(), PaymentCommand::Start(start()), Ok(None)),
        (vec![], ask(COST), Err(E::NotStarted)),
        (ready(), ask(COST), Ok(Some(requested()))),
        (
            ready(),
            ask(Amount::new(1)),
            Err(E::AmountMismatch { expected: COST }),
        ),
        (pending(), ask(COST), Err(E::ApprovalPending)),
        (lost(), ask(COST), Err(E::ApprovalPending)),
        (paid(), ask(COST), Err(E::AlreadyApproved)),
        (void(), ask(COST), Err(E::WrongStage(S::NetCanceled))),
        (pending(), approve("t"), Ok(Some(approved()))),
        (pending(), approve("other"), Err(E::OtherTransaction)),
        (paid(), approve("t"), Ok(None)),
        (paid(), approve("other"), Err(E::AlreadyApproved)),
        (lost(), approve("t"), Ok(Some(approved()))),
        (ready(), approve("t"), Ok(Some(approved()))),
        (left(), approve("t"), Ok(Some(approved()))),
        (no(), approve("t"), Ok(Some(approved()))),
        (void(), approve("t"), Err(E::WrongStage(S::NetCanceled))),
        (pending(), refuse(), Ok(Some(refused()))),
        (no(), refuse(), Ok(None)),
        (paid(), refuse(), Err(E::WrongStage(S::Approved))),
        (pending(), no_answer(), Ok(Some(unknown()))),
        (lost(), no_answer(), Ok(None)),
        (void(), no_answer(), Ok(None)),
        (ready(), no_answer(), Err(E::WrongStage(S::Ready))),
        (lost(), undo(), Ok(Some(undone()))),
        (void(), undo(), Ok(None)),
        (pending(), undo(), Err(E::WrongStage(S::Requested))),
        (paid(), undo(), Err(E::WrongStage(S::Approved))),
        (ready(), abandon(), Ok(Some(abandoned()))),
        (left(), abandon(), Ok(None)),
        (pending(), abandon(), Err(E::WrongStage(S::Requested))),
        (paid(), abandon(), Err(E::WrongStage(S::Approved))),
    ];
    for (past, act, expected) in table {
        let answer = payment(past).when(act);
        match expected {
            Ok(event) => answer.then(event),
            Err(error) => answer.then_refuses(error),
        }
    }
}

fn account() -> VirtualAccount {
    VirtualAccount {
        bank_code: "088".to_owned(),
        bank_name: "신한은행".to_owned(),
        number: "56211105948400".to_owned(),
        expires_at: NOON,
    }
}

fn issue(tid: &str) -> PaymentCommand {
    PaymentCommand::IssueAccount {
        tid: tid.to_owned(),
        amount: COST,
        account: account(),
    }
}

fn issued() -> PaymentEvent {
    VirtualAccountIssued {
        tid: "t".to_owned(),
        amount: COST,
        account: account(),
    }
}

fn pay_in(tid: &str, amount: Amount) -> PaymentCommand {
    PaymentCommand::RecordDeposit {
        tid: tid.to_owned(),
        amount,
    }
}

fn paid_in(amount: Amount) -> PaymentEvent {
    DepositReceived {
        tid: "t".to_owned(),
        amount,
    }
}

/// A virtual account takes one deposit: any deposit is recorded, however late, and never twice.
#[test]
fn a_deposit_is_recorded_once_and_never_lost() {
    use PaymentError as E;
    use PaymentStage as S;
    let why = || "취소".to_owned();
    let close = || PaymentCommand::CloseAccount { reason: why() };
    let shut = || PaymentCommand::RecordClosed { reason: why() };
    let closing = || AccountCloseRequested { reason: why() };
    let closed = || VirtualAccountClosed { reason: why() };
    let doubt = || Doubt {
        tid: "t".to_owned(),
        amount: COST,
        why: why(),
    };
    let doubted = || NoticeDoubted {
        tid: "t".to_owned(),
        amount: COST,
        why: why(),
    };
    let pending = || vec![started(), requested()];
    let lost = || vec![started(), requested(), unknown()];
    let open = || vec![started(), requested(), issued()];
    let ending = || [open(), vec![closing()]].concat();
    let over = || [ending(), vec![closed()]].concat();
    let paid = || [open(), vec![paid_in(COST)]].concat();
    let less = Amount::new(1);
    type Row = (
        Vec<PaymentEvent>,
        PaymentCommand,
        Result<Option<PaymentEvent>, PaymentError>,
    );
    let table: Vec<Row> = vec![
        (pending(), issue("t"), Ok(Some(issued()))),
        (lost(), issue("t"), Ok(Some(issued()))),
        (pending(), issue("other"), Err(E::OtherTransaction)),
        (open(), issue("t"), Ok(None)),
        (paid(), issue("t"), Ok(None)),
        (vec![started()], issue("t"), Err(E::OtherTransaction)),
        (open(), ask(COST), Err(E::AlreadyApproved)),
        (open(), approve("t"), Err(E::WrongStage(S::AccountIssued))),
        (open(), pay_in("t", COST), Ok(Some(paid_in(COST)))),
        (open(), pay_in("t", less), Ok(Some(paid_in(less)))),
        (open(), pay_in("t", Amount::ZERO), Err(E::NoAmount)),
        (open(), pay_in("other", COST), Err(E::OtherTransaction)),
        (pending(), pay_in("t", COST), Ok(Some(paid_in(COST)))),
        (ending(), pay_in("t", COST), Ok(Some(paid_in(COST)))),
        (over(), pay_in("t", COST), Ok(Some(paid_in(COST)))),
        (paid(), pay_in("t", COST), Ok(None)),
        (paid(), pay_in("t", less), Ok(None)),
        (vec![], pay_in("t", COST), Err(E::NotStarted)),
        (open(), close(), Ok(Some(closing()))),
        (ending(), close(), Ok(None)),
        (over(), close(), Ok(None)),
        (paid(), close(), Err(E::WrongStage(S::Approved))),
        (open(), shut(), Ok(Some(closed()))),
        (ending(), shut(), Ok(Some(closed()))),
        (over(), shut(), Ok(None)),
        (paid(), shut(), Err(E::AlreadyApproved)),
        (
            open(),
            PaymentCommand::DoubtNotice(doubt()),
            Ok(Some(doubted())),
        ),
        (
            [open(), vec![doubted()]].concat(),
            PaymentCommand::DoubtNotice(doubt()),
            Ok(None),
        ),
    ];
    for (past, act, expected) in table {
        let answer = payment(past).when(act);
        match expected {
            Ok(event) => answer.then(event),
            Err(error) => answer.then_refuses(error),
        }
    }
    // the amount received is the amount that can be refunded
    payment([started(), requested(), issued(), paid_in(less)])
        .when(refund(1, 2))
        .then_refuses(PaymentError::RefundExceeds { refundable: less });
}

fn refund(id_of: u128, amount: i64) -> PaymentCommand {
    PaymentCommand::RequestRefund {
        refund: id(id_of),
        amount: Amount::new(amount),
        reason: "취소".to_owned(),
    }
}

fn refunding(id_of: u128, amount: i64) -> PaymentEvent {
    RefundRequested {
        refund: id(id_of),
        amount: Amount::new(amount),
        reason: "취소".to_owned(),
    }
}

fn refunded(id_of: u128, amount: i64) -> PaymentEvent {
    RefundCompleted {
        refund: id(id_of),
        amount: Amount::new(amount),
        canceled_tid: "c".to_owned(),
    }
}

fn record_refund(id_of: u128, amount: i64) -> PaymentCommand {
    PaymentCommand::RecordRefund {
        refund: id(id_of),
        amount: Amount::new(amount),
        canceled_tid: "c".to_owned(),
    }
}

fn lost_refund(id_of: u128) -> PaymentEvent {
    RefundUnknown {
        refund: id(id_of),
        why: "timeout".to_owned(),
    }
}

fn refused_refund(id_of: u128) -> PaymentEvent {
    RefundRefused {
        refund: id(id_of),
        code: "2016".to_owned(),
        message: "잔액 부족".to_owned(),
    }
}

fn paid_and(after: impl IntoIterator<Item = PaymentEvent>) -> Given<Payment> {
    payment(
        [started(), requested(), approved()]
            .into_iter()
            .chain(after),
    )
}

#[test]
fn no_more_comes_back_than_came_in() {
    let exceeds = |refundable| PaymentError::RefundExceeds {
        refundable: Amount::new(refundable),
    };
    paid_and([])
        .when(refund(1, 10_000))
        .then([refunding(1, 10_000)]);
    paid_and([])
        .when(refund(1, 10_001))
        .then_refuses(exceeds(10_000));
    paid_and([refunding(1, 6_000)])
        .when(refund(2, 4_001))
        .then_refuses(exceeds(4_000));
    paid_and([refunding(1, 6_000), lost_refund(1)])
        .when(refund(2, 4_001))
        .then_refuses(exceeds(4_000));
    paid_and([refunding(1, 6_000), refunded(1, 6_000)])
        .when(refund(2, 4_001))
        .then_refuses(exceeds(4_000));
    paid_and([refunding(1, 6_000), refused_refund(1)])
        .when(refund(2, 10_000))
        .then([refunding(2, 10_000)]);
    paid_and([refunding(1, 6_000), refused_refund(1), refunding(2, 10_000)])
        .when(record_refund(1, 6_000))
        .then_refuses(exceeds(0));
    payment([started()])
        .when(refund(1, 1))
        .then_refuses(PaymentError::WrongStage(PaymentStage::Ready));
    paid_and([])
        .when(refund(1, 0))
        .then_refuses(PaymentError::NoAmount);
}

/// Peer scenario R7.
#[test]
fn r7_the_third_refund_is_more_than_is_left() {
    let two = [
        refunding(1, 2_500),
        refunded(1, 2_500),
        refunding(2, 2_500),
        refunded(2, 2_500),
    ];
    let refundable = Amount::new(5_000);
    paid_and(two)
        .when(refund(3, 100_000))
        .then_refuses(PaymentError::RefundExceeds { refundable });
}

#[test]
fn an_unknown_refund_is_retried_with_the_same_id() {
    let lost = [refunding(1, 6_000), lost_refund(1)];
    paid_and(lost.clone())
        .when(refund(1, 6_000))
        .then([refunding(1, 6_000)]);
    paid_and(lost.clone())
        .when(refund(1, 5_000))
        .then_refuses(PaymentError::OtherRefund);
    paid_and(lost.clone())
        .when(record_refund(1, 6_000))
        .then([refunded(1, 6_000)]);
    paid_and([refunding(1, 6_000)])
        .when(refund(1, 6_000))
        .then_nothing();
    paid_and([refunding(1, 6_000), refunded(1, 6_000)])
        .when(refund(1, 6_000))
        .then_nothing();
    paid_and([refunding(1, 6_000), refunded(1, 6_000)])
        .when(record_refund(1, 6_000))
        .then_nothing();
    paid_and([])
        .when(record_refund(1, 6_000))
        .then_refuses(PaymentError::UnknownRefund);
    paid_and([refunding(1, 6_000), refused_refund(1)])
        .when(refund(1, 6_000))
        .then([refunding(1, 6_000)]);
}

#[test]
fn status_in_the_specifications_words() {
    let status = |events: Vec<PaymentEvent>| {
        let mut payment = Payment::default();
        for event in events {
            payment.evolve(event);
        }
        payment.status()
    };
    use PaymentStatus as P;
    assert_eq!(status(vec![]), None);
    assert_eq!(status(vec![started()]), Some(P::Awaiting));
    assert_eq!(status(vec![started(), abandoned()]), Some(P::Canceled));
    let waiting = vec![started(), requested(), issued()];
    assert_eq!(status(waiting.clone()), Some(P::Awaiting));
    let closed = VirtualAccountClosed {
        reason: "취소".to_owned(),
    };
    assert_eq!(
        status([waiting.clone(), vec![closed]].concat()),
        Some(P::Canceled)
    );
    assert_eq!(
        status([waiting, vec![paid_in(COST)]].concat()),
        Some(P::Completed)
    );
    let paid = vec![started(), requested(), approved()];
    assert_eq!(status(paid.clone()), Some(P::Completed));
    let partly = [paid.clone(), vec![refunding(1, 6_000), refunded(1, 6_000)]].concat();
    assert_eq!(status(partly), Some(P::Completed));
    let fully = [paid, vec![refunding(1, 10_000), refunded(1, 10_000)]].concat();
    assert_eq!(status(fully), Some(P::Canceled));
}
