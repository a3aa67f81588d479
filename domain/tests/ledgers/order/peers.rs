//! Peer scenarios of claims with our decimals (docs/spec/peer-scenarios.md, section 5), named by their ids.
//! docs/spec/peer-scenarios-run.tsv lists where the others run, or why one is left out.

use super::super::given::at_noon;
use super::super::shop::pickup;
use super::*;
use domain::Decider;
use domain::order::{ClaimPieces, CollectionStatus, EarnedPoints, Fault, ReturnRequest};

/// A line: quantity, unit price, product discount, share of a total coupon.
type Line = (u32, i64, i64, i64);

/// A paid order of these lines.
fn of_lines(lines: &[Line]) -> Vec<OrderEvent> {
    let mut terms = terms();
    terms.purchases.truncate(lines.len());
    terms.fares.clear();
    terms.coupons.clear();
    terms.points.clear();
    for (line, (quantity, price, discount, coupon)) in terms.purchases.iter_mut().zip(lines) {
        line.quantity = *quantity;
        line.stock.truncate(1);
        line.stock[0].quantity = *quantity;
        line.unit_price = Amount::new(*price);
        line.product_discount = Amount::new(*discount);
        line.total_coupon = Amount::new(*coupon);
        line.level_discount = Amount::ZERO;
        line.product_coupon = Amount::ZERO;
        line.points = Amount::ZERO;
        line.paid = Amount::new(i64::from(*quantity) * price - discount - coupon);
    }
    vec![OrderEvent::OrderPlaced(Box::new(terms)), paid()]
}

fn decided(order: &Order, act: OrderCommand) -> Result<Order, OrderError> {
    let mut order = order.clone();
    for event in order.decide(act, &at_noon())? {
        order.evolve(event);
    }
    Ok(order)
}

/// Cancels units of a line; returns the refund.
fn cancel_pieces(order: &Order, line: usize, quantity: u32) -> (Order, Amount) {
    let ids = ClaimIds {
        claim: id(10),
        refund: id(11),
    };
    let pieces = ClaimPieces {
        purchase_no: no(line),
        quantity: Some(quantity),
    };
    let request = CancelRequest {
        pieces: vec![pieces],
        ..CancelRequest::whole(
            ids,
            [],
            CanceledBy::Buyer,
            CancelReason::plain("수량을 잘못 골랐어요"),
        )
    };
    let order = decided(order, OrderCommand::RequestCancel(Box::new(request))).unwrap();
    let money = order.claim(id(10)).unwrap().refund.money;
    (order, money)
}

fn paid_for(order: &Order, line: usize) -> Amount {
    order.purchase_terms(&no(line)).unwrap().paid
}

#[test]
fn r1_a_line_that_stays_keeps_its_share_of_the_discount() {
    let order = folded(of_lines(&[(1, 5_000, 0, 833), (1, 1_000, 0, 167)]));
    let (order, money) = cancel_pieces(&order, 0, 1);
    assert_eq!(money, Amount::new(4_167));
    assert_eq!(paid_for(&order, 1), Amount::new(833));
}

#[test]
fn r2_fewer_pieces_keep_the_percent() {
    let order = folded(of_lines(&[(20, 1_000, 8_000, 0)]));
    let (order, money) = cancel_pieces(&order, 0, 18);
    assert_eq!(money, Amount::new(10_800));
    let kept = order.purchase_terms(&no(0)).unwrap();
    assert_eq!(
        (kept.quantity, kept.product_discount),
        (2, Amount::new(800))
    );
}

#[test]
fn r20_a_refund_is_lowered_by_the_share_of_a_coupon() {
    let order = folded(of_lines(&[(1, 10_000, 0, 2_500), (1, 10_000, 0, 2_500)]));
    assert_eq!(cancel_pieces(&order, 1, 1).1, Amount::new(7_500));
}

/// A delivered purchase of two units.
fn delivered_pair() -> Order {
    let mut events = of_lines(&[(2, 1_000, 0, 0)]);
    events.extend([prepared(0), shipped(0), delivered(0, 29)]);
    folded(events)
}

fn ask_return(claim: u128, quantity: u32) -> OrderCommand {
    OrderCommand::RequestReturn(Box::new(ReturnRequest {
        claim: id(claim),
        pieces: ClaimPieces {
            purchase_no: no(0),
            quantity: Some(quantity),
        },
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault: Fault::Seller,
        pickup: pickup(),
        pictures: vec![],
        parcels: ParcelRules::default(),
        earned: EarnedPoints::default(),
    }))
}

#[test]
fn r17_no_more_is_returned_than_was_sent_and_is_not_returned_already() {
    let order = delivered_pair();
    let out_of_range = |most| OrderError::PiecesOutOfRange {
        purchase_no: no(0),
        most,
    };
    assert_eq!(decided(&order, ask_return(20, 3)), Err(out_of_range(2)));
    let order = decided(&order, ask_return(20, 1)).unwrap();
    assert_eq!(decided(&order, ask_return(22, 2)), Err(out_of_range(1)));
    assert!(decided(&order, ask_return(22, 1)).is_ok());
}

#[test]
fn r19_a_withdrawn_return_frees_its_pieces_and_a_received_one_is_not_withdrawn() {
    let asked = decided(&delivered_pair(), ask_return(20, 2)).unwrap();
    let withdraw = OrderCommand::WithdrawClaim { claim: id(20) };
    let free = decided(&asked, withdraw.clone()).unwrap();
    assert!(decided(&free, ask_return(22, 2)).is_ok());
    let pick_up = OrderCommand::PickUpGoods {
        claim: id(20),
        invoice: None,
        by: Reader::Staff,
    };
    let received = decided(&asked, pick_up).unwrap();
    let at = CollectionStatus::Progress;
    assert_eq!(
        decided(&received, withdraw),
        Err(OrderError::WrongCollection { at })
    );
}
