use super::super::given::at_noon;
use super::*;
use domain::Decider;
use domain::order::ClaimPieces;

/// Cancels some units of a line as the buyer.
fn cancel_pieces(line: usize, quantity: u32) -> OrderCommand {
    let ids = ClaimIds {
        claim: id(10),
        refund: id(11),
    };
    OrderCommand::RequestCancel(Box::new(CancelRequest {
        pieces: vec![ClaimPieces {
            purchase_no: no(line),
            quantity: Some(quantity),
        }],
        ..CancelRequest::whole(
            ids,
            [],
            CanceledBy::Buyer,
            CancelReason::plain("수량을 잘못 골랐어요"),
        )
    }))
}

fn decided(order: &Order, act: OrderCommand) -> Result<Order, OrderError> {
    let mut order = order.clone();
    for event in order.decide(act, &at_noon())? {
        order.evolve(event);
    }
    Ok(order)
}

/// An order of one line with these amounts, all of one seller.
fn of_one_line(quantity: u32, unit_price: i64, off: [i64; 5]) -> Order {
    let mut terms = terms();
    terms.purchases.truncate(1);
    terms.fares.clear();
    terms.coupons.clear();
    terms.points.clear();
    let line = terms.purchases.first_mut().unwrap();
    let [product, level, product_coupon, total_coupon, points] = off.map(Amount::new);
    line.quantity = quantity;
    line.stock.truncate(1);
    line.stock[0].quantity = quantity;
    line.unit_price = Amount::new(unit_price);
    (line.product_discount, line.level_discount) = (product, level);
    (line.product_coupon, line.total_coupon) = (product_coupon, total_coupon);
    line.points = points;
    let all = Amount::new(off.iter().sum());
    line.paid = Amount::new(unit_price)
        .times(quantity)
        .unwrap()
        .minus(all)
        .unwrap();
    folded([OrderEvent::OrderPlaced(Box::new(terms)), paid()])
}

fn amounts(order: &Order, line: usize) -> [i64; 6] {
    let line = order.purchase_terms(&no(line)).unwrap();
    [
        line.product_discount,
        line.level_discount,
        line.product_coupon,
        line.total_coupon,
        line.points,
        line.paid,
    ]
    .map(Amount::hundredths)
}

/// Three times 100 with three discounts of 100: if each were divided by quantity, the remaining part would pay -1 (books.md, trap 7).
#[test]
fn discounts_are_cut_stage_by_stage_by_what_is_left() {
    let order = of_one_line(3, 100, [100, 0, 100, 100, 0]);
    let order = decided(&order, cancel_pieces(0, 1)).unwrap();
    assert_eq!(amounts(&order, 0), [67, 0, 67, 66, 0, 0]);
    assert_eq!(amounts(&order, 1), [33, 0, 33, 34, 0, 0]);
}

#[test]
fn the_claimed_pieces_get_the_next_number_and_the_rest_keeps_its_own() {
    // ₩1,000 off three units of ₩3,000 in a shop in whole won
    let mut order = of_one_line(3, 300_000, [0, 0, 0, 0, 100_000]);
    order.terms.as_mut().unwrap().step = RoundingStep::WON;
    let order = decided(&order, cancel_pieces(0, 2)).unwrap();
    assert_eq!(amounts(&order, 0), [0, 0, 0, 0, 33_300, 266_700]);
    assert_eq!(amounts(&order, 1), [0, 0, 0, 0, 66_700, 533_300]);
    let [kept, split] = order.purchases.as_slice() else {
        panic!("two purchases")
    };
    assert_eq!(
        (kept.purchase_no.clone(), split.purchase_no.clone()),
        (no(0), no(1))
    );
    assert_eq!(split.split_from, Some(no(0)));
    assert_eq!(order.purchase_terms(&no(1)).unwrap().stock[0].quantity, 2);
    assert_eq!(kept.claim_status, ClaimStatus::None);
    assert_eq!(split.claim_status, ClaimStatus::CancelRequested);
    let claim = order.claim(id(10)).unwrap();
    assert_eq!(claim.purchase_nos, [no(1)]);
    assert_eq!(claim.refund.money, Amount::new(533_300));
    let placed = order.placed_terms().unwrap();
    assert_eq!(placed.purchases.len(), 1);
    assert_eq!(placed.purchases[0].quantity, 3);
    assert_eq!(order.placed_no(&no(1)), no(0));
}

#[test]
fn pieces_are_at_least_one_and_at_most_all_and_all_need_no_split() {
    let order = of_one_line(3, 100, [0; 5]);
    let out_of_range =
        |purchase_no: String, most| Err(OrderError::PiecesOutOfRange { purchase_no, most });
    for wrong in [0, 4, u32::MAX] {
        assert_eq!(
            decided(&order, cancel_pieces(0, wrong)),
            out_of_range(no(0), 3)
        );
    }
    let whole = decided(&order, cancel_pieces(0, 3)).unwrap();
    assert_eq!(whole.purchases.len(), 1);
    let part = decided(&order, cancel_pieces(0, 1)).unwrap();
    let again = |quantity| {
        let mut act = cancel_pieces(0, quantity);
        if let OrderCommand::RequestCancel(request) = &mut act {
            request.ids.claim = id(20);
        }
        decided(&part, act)
    };
    assert_eq!(again(3), out_of_range(no(0), 2), "one is gone already");
    assert!(again(2).is_ok());
}

#[test]
fn an_order_is_divided_into_at_most_three_hundred_purchases() {
    let mut order = of_one_line(400, 100, [0; 5]);
    for claim in 1..300 {
        let mut act = cancel_pieces(0, 1);
        if let OrderCommand::RequestCancel(request) = &mut act {
            request.ids.claim = id(1_000 + claim * 2);
        }
        order = decided(&order, act).unwrap();
    }
    assert_eq!(order.purchases.len(), 300);
    assert_eq!(
        decided(&order, cancel_pieces(0, 1)),
        Err(OrderError::TooManyPurchases)
    );
}
