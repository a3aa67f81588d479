//! Orders: who may do what, when, and what a cancellation gives back.

mod canceling_paid;
mod canceling_unpaid;
mod cheaper;
mod correcting;
mod dearer;
mod delivering;
mod exchanging;
mod fees;
mod paying;
mod peers;
mod reading;
mod recharging;
mod reopening;
mod returning;
mod settling;
mod splitting;
mod terms;

use domain::ids::{ClaimId, MemberId, OrderId, PaymentId};
use domain::order::{
    Action, Buyer, CancelReason, CancelRequest, CanceledBy, ClaimAnswer, ClaimIds, ClaimState,
    ClaimStatus, ConfirmedBy, EarnedPoints, FareTerms, Order, OrderCommand, OrderError, OrderEvent,
    OrderStatus, OrderTerms, ParcelRules, PurchaseStatus, Reader, RefundTerms,
};
use domain::rounding::RoundingStep;
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
        deliver_by: Some(november(28)),
    }
}

fn november(day: u8) -> Date {
    Date::from_calendar_date(2026, Month::November, day).unwrap()
}

fn delayed(line: usize) -> OrderEvent {
    OrderEvent::PurchaseDelayed {
        purchase_no: no(line),
        reason: "입고 지연".to_owned(),
    }
}

fn delivered(line: usize, day: u8) -> OrderEvent {
    OrderEvent::PurchaseDelivered {
        purchase_no: no(line),
        confirm_on: november(day),
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
        auto_deliver_days: 7,
    }
}

fn cancel(claim: u128, lines: &[usize], by: CanceledBy) -> OrderCommand {
    OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
        ClaimIds {
            claim: id(claim),
            refund: id(claim + 1),
        },
        lines.iter().map(|line| no(*line)),
        by,
        CancelReason::plain("마음이 바뀌었습니다"),
    )))
}

fn approve(claim: u128) -> OrderCommand {
    OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
        claim: id(claim),
        refund: id(claim + 1),
        by: Reader::Staff,
        parcels: ParcelRules::default(),
        earned: EarnedPoints::default(),
    }))
}

/// A guest's personal data is kept for five years by law; a member's records are erased with the member.
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
