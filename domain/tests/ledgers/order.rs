//! Orders: who may do what, when, and what a cancellation gives back.

use domain::ids::{ClaimId, MemberId, OrderId, PaymentId};
use domain::order::{
    Action, Buyer, CancelReason, CanceledBy, ClaimState, ConfirmedBy, Order, OrderCommand,
    OrderError, OrderEvent, OrderStatus, OrderTerms, PurchaseStatus, Reader, RefundTerms,
};
use domain::{Amount, Purpose, Sealed};
use serde_json::json;
use time::{Date, Duration, Month};

use super::given::{Given, NOON, given, id};
use super::shop::{
    BIKE, Basket, FIRST_COME, FREE_FARE, HELMET, JUICE, JUICE_DAY, Shop, TEN_PERCENT_OFF_BIKES,
    issued_id, seller,
};

/// A bike and two helmets of one seller, a juice of another; three coupons, 6 000 points from two lots.
fn terms() -> OrderTerms {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(BIKE, 1), (HELMET, 2), (JUICE, 3)],
        coupons: vec![TEN_PERCENT_OFF_BIKES, FREE_FARE, FIRST_COME, JUICE_DAY],
        points: 6_000,
        ..Basket::default()
    };
    let order: OrderId = id(1);
    shop.place(order, &basket).unwrap();
    shop.order(order).terms().unwrap().clone()
}

fn no(line: usize) -> String {
    format!("20261121-00000001-{}", line + 1)
}

fn placed() -> OrderEvent {
    OrderEvent::OrderPlaced(Box::new(terms()))
}

fn paid() -> OrderEvent {
    OrderEvent::OrderPaid {
        payment: Some(id(2)),
        amount: terms().totals.payable,
    }
}

fn prepared(line: usize) -> OrderEvent {
    OrderEvent::PurchasePrepared {
        purchase_no: no(line),
    }
}

fn shipped(line: usize) -> OrderEvent {
    OrderEvent::PurchaseShipped {
        purchase_no: no(line),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
    }
}

fn delivered(line: usize, day: u8) -> OrderEvent {
    OrderEvent::PurchaseDelivered {
        purchase_no: no(line),
        confirm_on: Date::from_calendar_date(2026, Month::November, day).unwrap(),
    }
}

fn completed(line: usize, by: ConfirmedBy) -> OrderEvent {
    OrderEvent::PurchaseCompleted {
        purchase_no: no(line),
        by,
    }
}

fn order(events: impl IntoIterator<Item = OrderEvent>) -> Given<Order> {
    given(events)
}

fn folded(events: impl IntoIterator<Item = OrderEvent>) -> Order {
    let mut order = Order::default();
    for event in events {
        order.evolve(event);
    }
    order
}

fn pay(payment: Option<u128>, amount: Amount) -> OrderCommand {
    OrderCommand::Pay {
        payment: payment.map(id::<PaymentId>),
        amount,
    }
}

fn ship(line: usize, invoice_no: &str) -> OrderCommand {
    OrderCommand::Ship {
        purchase_no: no(line),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: invoice_no.to_owned(),
    }
}

fn cancel(claim: u128, lines: &[usize], by: CanceledBy) -> OrderCommand {
    OrderCommand::RequestCancel {
        claim: id(claim),
        refund: id(claim + 1),
        purchase_nos: lines.iter().map(|line| no(*line)).collect(),
        by,
        reason: CancelReason::said("마음이 바뀌었습니다"),
    }
}

fn approve(claim: u128) -> OrderCommand {
    OrderCommand::ApproveCancel {
        claim: id(claim),
        refund: id(claim + 1),
        by: Reader::Staff,
    }
}

/// The law wants to know for five years who a guest was; a member's records go with the member.
#[test]
fn who_a_guest_was_is_let_go_of_when_its_time_has_come() {
    let mut of_guest = terms();
    of_guest.buyer = Buyer::Guest {
        contact_hash: "00".to_owned(),
    };
    let guests = || OrderEvent::OrderPlaced(Box::new(of_guest.clone()));
    let erase = || OrderCommand::EraseGuestRecords { last: NOON };
    let years = Duration::days(5 * 365 + 1);
    let almost = given::<Order>([guests()]).after(years - Duration::SECOND);
    almost.when(erase()).then_refuses(OrderError::NotDue);
    let then = given::<Order>([guests()]).after(years);
    then.when(erase()).then([OrderEvent::GuestRecordsErased {}]);
    let erased = [guests(), OrderEvent::GuestRecordsErased {}];
    given::<Order>(erased).when(erase()).then_nothing();
    let of_member = given::<Order>([placed()]).after(years);
    of_member.when(erase()).then_refuses(OrderError::NotDue);
}

mod paying {
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
}

mod canceling_unpaid {
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
        // the agreed hour is over, the account's time is not
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
}

mod delivering {
    use super::*;

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
}

mod canceling_paid {
    use super::super::given::at_noon;
    use super::*;
    use domain::Decider;

    /// An order that remembers, so that stories can go on.
    struct Story(Order);

    impl Story {
        fn of(events: impl IntoIterator<Item = OrderEvent>) -> Self {
            Self(folded(events))
        }

        fn does(&mut self, act: OrderCommand) -> Vec<OrderEvent> {
            let events = self.0.decide(act, &at_noon()).unwrap();
            for event in &events {
                self.0.evolve(event.clone());
            }
            events
        }

        fn refund(&self, claim: u128) -> &RefundTerms {
            &self.0.claim(id::<ClaimId>(claim)).unwrap().refund
        }
    }

    fn names(events: &[OrderEvent]) -> Vec<String> {
        events
            .iter()
            .map(cqrs_es::DomainEvent::event_type)
            .collect()
    }

    #[test]
    fn before_preparing_policy_approves_at_once_after_it_somebody_has_to() {
        let asks = |past: Vec<OrderEvent>, lines: &[usize], by| {
            names(&Story::of(past).does(cancel(10, lines, by)))
        };
        let both = ["CancelRequested", "CancelApproved"];
        let buyer = CanceledBy::Buyer;
        assert_eq!(asks(vec![placed(), paid()], &[0], buyer), both);
        let preparing = || vec![placed(), paid(), prepared(0)];
        assert_eq!(asks(preparing(), &[0], buyer), ["CancelRequested"]);
        assert_eq!(asks(preparing(), &[0, 1], buyer), ["CancelRequested"]);
        assert_eq!(asks(preparing(), &[1, 2], buyer), both);
        assert_eq!(asks(preparing(), &[0], CanceledBy::Staff), both);
    }

    #[test]
    fn everything_gives_everything_back() {
        let mut story = Story::of([placed(), paid()]);
        story.does(cancel(10, &[0, 1, 2], CanceledBy::Buyer));
        let back = story.refund(10);
        let terms = terms();
        assert_eq!(back.money, terms.totals.payable);
        let mut lots = terms.points.clone();
        lots.reverse();
        assert_eq!(back.points, lots, "last used first");
        let coupons: Vec<_> = terms.coupons.iter().map(|used| used.issued).collect();
        assert_eq!(back.coupons, coupons);
    }

    #[test]
    fn a_part_gives_its_own_shares_back_and_a_fare_with_its_last_purchase() {
        let terms = terms();
        let share = |line: usize| terms.purchases[line].paid;
        let fare_of = |line: usize| {
            let fare = terms
                .fares
                .iter()
                .find(|fare| fare.purchase_nos.contains(&no(line)));
            fare.unwrap()
        };
        assert_eq!(fare_of(1).purchase_nos, [no(1)], "the helmets' parcel");
        let mut story = Story::of([placed(), paid()]);
        story.does(cancel(10, &[1], CanceledBy::Buyer));
        let first = story.refund(10).clone();
        assert_eq!(
            first.money,
            share(1).plus(fare_of(1).paid).unwrap(),
            "its parcel goes with it"
        );
        assert_eq!(
            first.coupons,
            [],
            "every coupon but none is wholly of the helmets"
        );
        let points = Amount::total(first.points.iter().map(|part| part.amount)).unwrap();
        let expected = terms.purchases[1].points.plus(fare_of(1).points).unwrap();
        assert_eq!(points, expected);

        story.does(cancel(20, &[0], CanceledBy::Buyer));
        let second = story.refund(20).clone();
        assert_eq!(
            second.coupons,
            [issued_id(TEN_PERCENT_OFF_BIKES, 0)],
            "the bike's own coupon"
        );
        story.does(cancel(30, &[2], CanceledBy::Buyer));
        let third = story.refund(30).clone();
        let all = Amount::total([first.money, second.money, third.money]).unwrap();
        assert_eq!(all, terms.totals.payable, "the parts are the whole");
        let mut back: Vec<_> = [&first, &second, &third]
            .into_iter()
            .flat_map(|refund| refund.points.clone())
            .collect();
        back.sort_by_key(|part| part.lot);
        for used in &terms.points {
            let of_lot = back.iter().filter(|part| part.lot == used.lot);
            let of_lot = Amount::total(of_lot.map(|part| part.amount)).unwrap();
            assert_eq!(of_lot, used.amount, "each lot gets its own back");
        }
    }

    #[test]
    fn what_is_final_is_decided_when_it_is_approved() {
        // both lines of one bundle are asked for before either is answered: neither sees the other gone
        let mut shop = Shop::open();
        let basket = Basket {
            lines: vec![(HELMET, 1), (super::super::shop::SET, 1)],
            ..Basket::default()
        };
        shop.place(id(1), &basket).unwrap();
        let terms = shop.order(id(1)).terms().unwrap().clone();
        let [fare] = terms.fares.as_slice() else {
            panic!("one parcel")
        };
        assert!(fare.paid > Amount::ZERO);
        let start = || {
            let mut story = Story::of([
                OrderEvent::OrderPlaced(Box::new(terms.clone())),
                OrderEvent::OrderPaid {
                    payment: Some(id(2)),
                    amount: terms.totals.payable,
                },
                prepared(0),
                prepared(1),
            ]);
            story.does(cancel(10, &[0], CanceledBy::Buyer));
            story.does(cancel(20, &[1], CanceledBy::Buyer));
            story
        };
        let mut both = start();
        both.does(approve(10));
        both.does(approve(20));
        let back = [both.refund(10).money, both.refund(20).money];
        assert_eq!(Amount::total(back).unwrap(), terms.totals.payable);
        assert_eq!(both.refund(10).money, terms.purchases[0].paid);

        let mut one = start();
        one.does(OrderCommand::RejectCancel {
            claim: id(10),
            reason: "이미 포장했습니다".to_owned(),
            by: Reader::Staff,
        });
        one.does(approve(20));
        assert_eq!(
            one.refund(20).money,
            terms.purchases[1].paid,
            "the parcel still goes"
        );
    }

    #[test]
    fn a_claim_is_answered_once() {
        let mut story = Story::of([placed(), paid(), prepared(0)]);
        story.does(cancel(10, &[0], CanceledBy::Buyer));
        assert_eq!(story.does(cancel(10, &[0], CanceledBy::Buyer)), []);
        let complete = || OrderCommand::CompleteCancel { claim: id(10) };
        let reject = || OrderCommand::RejectCancel {
            claim: id(10),
            reason: "늦음".to_owned(),
            by: Reader::Staff,
        };
        assert_eq!(
            story.0.decide(complete(), &at_noon()),
            Err(OrderError::ClaimNotApproved)
        );
        story.does(approve(10));
        assert_eq!(story.does(approve(10)), []);
        assert_eq!(
            story.0.decide(reject(), &at_noon()),
            Err(OrderError::ClaimClosed)
        );
        assert_eq!(names(&story.does(complete())), ["CancelCompleted"]);
        assert_eq!(story.does(complete()), []);
        let line = story.0.purchase(&no(0)).unwrap();
        assert_eq!(line.purchase_status, PurchaseStatus::Canceled);
        assert_eq!(story.0.status_text(line), "취소완료");
        assert!(matches!(
            story.0.claim(id(10)).unwrap().state,
            ClaimState::Completed { refund: Some(_) }
        ));
    }

    #[test]
    fn names_and_reasons_are_needed() {
        let order = folded([placed(), paid()]);
        for (lines, error) in [
            (vec![], OrderError::PurchasesRequired),
            (
                vec!["nothing".to_owned()],
                OrderError::UnknownPurchase("nothing".to_owned()),
            ),
            (vec![no(0), no(0)], OrderError::UnknownPurchase(no(0))),
        ] {
            let act = OrderCommand::RequestCancel {
                claim: id(10),
                refund: id(11),
                purchase_nos: lines,
                by: CanceledBy::Buyer,
                reason: CancelReason::said("변심"),
            };
            assert_eq!(order.decide(act, &at_noon()), Err(error));
        }
        let act = OrderCommand::RequestCancel {
            claim: id(10),
            refund: id(11),
            purchase_nos: vec![no(0)],
            by: CanceledBy::Buyer,
            reason: CancelReason::said(" "),
        };
        assert_eq!(
            order.decide(act, &at_noon()),
            Err(OrderError::ReasonRequired)
        );
    }

    #[test]
    fn a_reason_is_one_of_the_shops_or_sealed_and_stored_as_a_text_or_a_seal() {
        let late = CancelReason::said("배송이 늦어요");
        assert_eq!(CancelReason::chosen(" 배송이 늦어요 "), Some(late.clone()));
        assert_eq!(CancelReason::chosen("배송이 늦어요, 홍길동"), None);
        let seal = Sealed::from_parts(
            id::<MemberId>(1).0,
            Purpose::Statutory,
            "c2VhbA==".to_owned(),
        );
        let stored = [
            (late, json!("배송이 늦어요")),
            (CancelReason::Sealed(seal.clone()), json!(seal)),
        ];
        for (reason, text) in stored {
            assert_eq!(json!(reason), text);
            assert_eq!(
                serde_json::from_value::<CancelReason>(text).unwrap(),
                reason
            );
        }
    }
}

mod reading {
    use super::*;

    #[test]
    fn everybody_sees_their_own_next_actions() {
        use Action::{
            ApproveCancel, Cancel, Confirm, CorrectInvoice, Delay, Deliver, Pay, Prepare,
            RejectCancel, RequestCancel, Ship,
        };
        let requested = || OrderEvent::CancelRequested {
            claim: id(10),
            purchase_nos: vec![no(0)],
            by: CanceledBy::Buyer,
            reason: CancelReason::said("변심"),
            refund: RefundTerms {
                money: Amount::ZERO,
                points: vec![],
                coupons: vec![],
            },
        };
        let ready = || vec![placed(), paid(), prepared(0)];
        let sent = || [ready(), vec![shipped(0)]].concat();
        let asked = || [ready(), vec![requested()]].concat();
        let arrived = || [sent(), vec![delivered(0, 29)]].concat();
        let done = || [arrived(), vec![completed(0, ConfirmedBy::Buyer)]].concat();
        for (past, buyers, sellers) in [
            (vec![placed()], vec![], vec![]),
            (vec![placed(), paid()], vec![Cancel], vec![Prepare, Cancel]),
            (ready(), vec![RequestCancel], vec![Ship, Delay, Cancel]),
            (asked(), vec![], vec![ApproveCancel, RejectCancel]),
            (sent(), vec![], vec![CorrectInvoice, Delay, Deliver]),
            (arrived(), vec![Confirm], vec![]),
            (done(), vec![], vec![]),
        ] {
            let order = folded(past);
            let line = order.purchase(&no(0)).unwrap();
            assert_eq!(order.purchase_actions(Reader::Buyer, line), buyers);
            assert_eq!(
                order.purchase_actions(Reader::Seller(seller(1)), line),
                sellers
            );
            assert_eq!(order.purchase_actions(Reader::Staff, line), sellers);
            assert_eq!(
                order.purchase_actions(Reader::Seller(seller(2)), line),
                [],
                "not their purchase"
            );
        }
        let unpaid = folded([placed()]);
        assert_eq!(unpaid.next_actions(Reader::Buyer), [Pay, Cancel]);
        assert_eq!(unpaid.next_actions(Reader::Staff), [Cancel]);
        assert_eq!(unpaid.next_actions(Reader::Seller(seller(1))), []);
        assert_eq!(
            folded([placed(), paid()]).next_actions(Reader::Buyer),
            [Cancel]
        );
        assert_eq!(folded(ready()).next_actions(Reader::Buyer), [RequestCancel]);
        assert_eq!(folded(sent()).next_actions(Reader::Buyer), []);
        let as_json = serde_json::to_string(&RequestCancel).unwrap();
        assert_eq!(as_json, "\"requestCancel\"");
    }

    #[test]
    fn the_orders_own_status_is_its_slowest_purchase() {
        let status = |events: Vec<OrderEvent>| folded(events).status();
        assert_eq!(status(vec![placed()]), OrderStatus::Nonpayment);
        assert_eq!(status(vec![placed(), paid()]), OrderStatus::Payment);
        assert_eq!(
            status(vec![placed(), paid(), prepared(0), shipped(0)]),
            OrderStatus::Payment
        );
        let mut order = folded([placed(), paid()]);
        for line in 0..3 {
            order.evolve(prepared(line));
        }
        order.evolve(shipped(1));
        assert_eq!(order.status(), OrderStatus::Confirm);
        let canceled = OrderEvent::OrderCanceled {
            by: CanceledBy::Buyer,
            reason: None,
        };
        assert_eq!(status(vec![placed(), canceled]), OrderStatus::Canceled);
    }
}

mod terms {
    use super::*;

    /// One hundredth off anywhere, and the order is not placed.
    #[test]
    fn have_to_add_up() {
        let more = |amount: &mut Amount| *amount = amount.plus(Amount::new(1)).unwrap();
        type Slip = Box<dyn Fn(&mut OrderTerms)>;
        let slips: Vec<(&str, Slip)> = vec![
            (
                "line paid",
                Box::new(move |t| more(&mut t.purchases[0].paid)),
            ),
            (
                "line points",
                Box::new(move |t| more(&mut t.purchases[1].points)),
            ),
            (
                "level",
                Box::new(move |t| more(&mut t.purchases[0].level_discount)),
            ),
            (
                "unit price",
                Box::new(move |t| more(&mut t.purchases[2].unit_price)),
            ),
            ("fare paid", Box::new(move |t| more(&mut t.fares[0].paid))),
            (
                "island fee",
                Box::new(move |t| more(&mut t.fares[0].island_fee)),
            ),
            ("payable", Box::new(move |t| more(&mut t.totals.payable))),
            ("points", Box::new(move |t| more(&mut t.points[0].amount))),
            ("coupon", Box::new(move |t| more(&mut t.coupons[0].amount))),
            (
                "share",
                Box::new(|t| t.coupons[0].seller_share = t.coupons[0].amount.times(2).unwrap()),
            ),
            ("nothing", Box::new(|t| t.purchases.clear())),
            (
                "same number",
                Box::new(|t| t.purchases[1].purchase_no = no(0)),
            ),
            (
                "stranger",
                Box::new(|t| t.fares[0].purchase_nos = vec!["x".to_owned()]),
            ),
            ("no pieces", Box::new(|t| t.purchases[0].quantity = 0)),
        ];
        order([])
            .when(OrderCommand::Place(Box::new(super::terms())))
            .then([placed()]);
        for (what, slip) in slips {
            let mut wrong = super::terms();
            slip(&mut wrong);
            let answer = domain::Decider::decide(
                &Order::default(),
                OrderCommand::Place(Box::new(wrong)),
                &super::super::given::at_noon(),
            );
            assert!(
                matches!(answer, Err(OrderError::TermsDoNotAddUp(_))),
                "{what}: {answer:?}"
            );
        }
    }

    #[test]
    fn what_sellers_bear_is_shared_over_what_was_taken_off() {
        let terms = super::terms();
        let lines = terms
            .purchases
            .iter()
            .map(|line| terms.borne_by_seller_of_line(line).unwrap());
        let fares = terms
            .fares
            .iter()
            .map(|fare| terms.borne_by_seller_of_fare(fare).unwrap());
        let borne = Amount::total(lines.chain(fares)).unwrap();
        let agreed = terms.coupons.iter().map(|used| used.seller_share);
        let agreed = Amount::total(agreed).unwrap();
        assert!(agreed > Amount::ZERO);
        assert_eq!(borne, agreed);
        let bike = &terms.purchases[0];
        assert_eq!(
            terms.borne_by_seller_of_line(bike).unwrap(),
            bike.product_coupon,
            "a seller's own coupon is all theirs"
        );
    }
}
