//! Exchanges for a cheaper option: the difference goes back once the replacement is sent, and later decisions use the new price.

use super::super::given::at_noon;
use super::super::shop::stock_of;
use super::exchanging::{
    FEE, accept, ask, complete, delivered_shop, fee, handle, inspect, pick_up, reject, send,
    withdraw,
};
use super::*;
use domain::Decider;
use domain::accounting::{Account, Bearer};
use domain::ids::{RefundId, derived_id};
use domain::order::{
    ClaimPieces, Fault, PriceDifference, PurchaseTerms, ReclaimedPoints, Replacement, ReturnRequest,
};

/// Two units, alone in a parcel of the first seller.
const HELMETS: usize = 1;

fn cheaper(by: i64) -> Replacement {
    Replacement::Other {
        option: id(0xB1),
        name: "파랑".to_owned(),
        stock: stock_of(JUICE),
        difference: Amount::new(-by),
    }
}

fn line(shop: &Shop) -> PurchaseTerms {
    let order = shop.order(id(1));
    order.purchase_terms(&no(HELMETS)).unwrap().clone()
}

fn refund() -> RefundId {
    RefundId(derived_id(&format!("difference {}", id::<ClaimId>(10))))
}

/// The refunds of the order's payment: ids and hundredths.
fn refunds(shop: &Shop) -> Vec<(RefundId, Amount)> {
    let refunds = shop.payments[&id(2)].refunds.iter();
    refunds.map(|refund| (refund.id, refund.amount)).collect()
}

fn restored(order: &Order) -> Amount {
    let points = order.claims.iter().flat_map(|claim| &claim.refund.points);
    Amount::total(points.map(|part| part.amount)).unwrap()
}

fn payable(shop: &Shop) -> i64 {
    let account = Account::SellerPayable(seller(1));
    -shop.books.books().balance(account).hundredths()
}

/// Exchanges all helmets, the seller at fault, for goods that cost so much less a piece.
fn exchanged(by: i64) -> Shop {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, cheaper(by));
    let acts = [
        request,
        accept(),
        pick_up(),
        inspect(2, 2, Fault::Seller),
        send("111111111111"),
        complete(),
    ];
    handle(&mut shop, acts);
    shop
}

fn returned(shop: &mut Shop, claim: u128, by: CanceledBy) {
    let request = ReturnRequest {
        claim: id(claim),
        pieces: ClaimPieces::all(no(HELMETS)),
        by,
        reason: CancelReason::plain("금이 갔습니다"),
        fault: Fault::Seller,
        pickup: super::super::shop::pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    };
    shop.request_return(id(1), request).unwrap();
    let pick_up = OrderCommand::PickUpGoods {
        claim: id(claim),
        invoice: None,
        by: Reader::Staff,
    };
    let inspect = OrderCommand::InspectGoods {
        claim: id(claim),
        inspection: domain::order::Inspection {
            arrived: 2,
            resellable: 2,
            fault: Fault::Seller,
        },
        by: Reader::Staff,
    };
    handle(shop, [pick_up, inspect]);
    let answer = ClaimAnswer {
        claim: id(claim),
        refund: id(claim + 1),
        by: Reader::Staff,
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    };
    shop.approve_claim(id(1), answer).unwrap();
    shop.settle_claim(id(1), id(claim)).unwrap();
}

#[test]
fn the_difference_goes_back_with_the_first_parcel_and_only_once() {
    let mut shop = delivered_shop();
    let ordered = line(&shop);
    let request = ask(&shop, None, Fault::Seller, cheaper(1_500));
    let acts = [request, accept(), pick_up(), inspect(2, 2, Fault::Seller)];
    handle(&mut shop, acts);
    let order = shop.order(id(1));
    let expected = PriceDifference {
        money: Amount::new(3_000),
        points: Amount::ZERO,
    };
    assert_eq!(order.difference_of(&order.claims[0]), Ok(expected));
    assert_eq!(refunds(&shop), [], "nothing before it is sent");
    assert_eq!(line(&shop), ordered);

    let delay = OrderCommand::DelayReplacement {
        claim: id(10),
        reason: "폭설".to_owned(),
        by: Reader::Staff,
    };
    let acts = [
        send("111111111111"),
        send("222222222222"),
        delay,
        send("222222222222"),
        complete(),
    ];
    handle(&mut shop, acts);
    assert_eq!(refunds(&shop), [(refund(), Amount::new(3_000))]);
    let now = line(&shop);
    assert_eq!(now.paid, ordered.paid.minus(Amount::new(3_000)).unwrap());
    assert_eq!(now.difference, Amount::new(-3_000));
    assert_eq!(now.price_each(), Amount::new(12_345 - 1_500));
    // discounts stay as frozen
    let frozen = |line: &PurchaseTerms| {
        (
            line.unit_price,
            line.product_discount,
            line.level_discount,
            line.product_coupon,
            line.total_coupon,
            line.points,
        )
    };
    assert_eq!(frozen(&now), frozen(&ordered));
    let order = shop.order(id(1));
    assert_eq!(*order.placed_terms().unwrap(), terms());
    assert_eq!(order.difference_of(&order.claims[0]), Ok(expected));
    assert_eq!(shop.books.faults(), Ok(vec![]));
    shop.refunded(id(2), refund()).unwrap();
    assert_eq!(shop.order(id(1)).claims[0].state, ClaimState::Exchanged);
}

#[test]
fn an_exchange_that_ends_before_its_replacement_is_sent_gives_nothing_back() {
    for ends in [
        vec![reject()],
        vec![withdraw()],
        vec![pick_up(), inspect(2, 2, Fault::Seller), reject()],
    ] {
        let mut shop = delivered_shop();
        let ordered = line(&shop);
        let request = ask(&shop, None, Fault::Seller, cheaper(1_500));
        handle(&mut shop, [request, accept()]);
        handle(&mut shop, ends);
        assert_eq!(refunds(&shop), []);
        assert_eq!(line(&shop), ordered);
        let order = shop.order(id(1));
        let nothing = PriceDifference::default();
        assert_eq!(order.difference_of(&order.claims[0]), Ok(nothing));
        assert_eq!(order.claims[0].refund, RefundTerms::default());
    }
}

#[test]
fn no_more_goes_back_than_was_given_money_before_points() {
    let ordered = line(&delivered_shop());
    assert!(!ordered.points.is_zero() && !ordered.paid.is_zero());
    // all money and a part of the points, then more than both
    let money = ordered.paid.hundredths();
    let points = ordered.points.hundredths();
    for (by, back) in [
        (
            (money + points) / 2,
            (money, (money + points) / 2 * 2 - money),
        ),
        (money + points, (money, points)),
    ] {
        let shop = exchanged(by);
        let order = shop.order(id(1));
        let given = order.claims[0].difference_given().unwrap();
        assert_eq!((given.money.hundredths(), given.points.hundredths()), back);
        assert_eq!(refunds(&shop), [(refund(), Amount::new(back.0))]);
        assert_eq!(restored(&order), Amount::new(back.1));
        let now = line(&shop);
        assert_eq!(now.paid, Amount::ZERO);
        assert_eq!(now.points.hundredths(), points - back.1);
        assert_eq!(now.difference.hundredths(), -back.0 - back.1);
        assert_eq!(*order.placed_terms().unwrap(), terms());
        assert_eq!(shop.books.faults(), Ok(vec![]));
    }
}

#[test]
fn a_later_return_refunds_by_the_new_price() {
    let ordered = line(&delivered_shop());
    for by in [1_500, ordered.paid.hundredths()] {
        let mut shop = exchanged(by);
        returned(&mut shop, 30, CanceledBy::Buyer);
        let order = shop.order(id(1));
        let fare = order.terms().unwrap().fares.iter();
        let fare = fare.filter(|fare| fare.carries(&no(HELMETS)));
        let fare: Vec<&FareTerms> = fare.collect();
        let money = order.claims.iter().map(|claim| claim.refund.money);
        let paid = ordered
            .paid
            .plus(Amount::total(fare.iter().map(|fare| fare.paid)).unwrap());
        assert_eq!(Amount::total(money), paid, "as much as was paid");
        let points = Amount::total(fare.iter().map(|fare| fare.points)).unwrap();
        assert_eq!(restored(&order), ordered.points.plus(points).unwrap());
        assert_eq!(shop.books.faults(), Ok(vec![]));
    }
}

#[test]
fn the_seller_gets_the_price_of_the_replacement() {
    let plain = {
        let mut shop = exchanged(0);
        let confirm = OrderCommand::Confirm {
            purchase_nos: vec![no(HELMETS)],
        };
        shop.act(id(1), confirm).unwrap();
        payable(&shop)
    };
    let mut shop = exchanged(1_500);
    let expense = shop
        .books
        .books()
        .balance(Account::PromotionExpense(Bearer::Platform));
    let confirm = OrderCommand::Confirm {
        purchase_nos: vec![no(HELMETS)],
    };
    shop.act(id(1), confirm).unwrap();
    assert_eq!(payable(&shop), plain - 3_000);
    let now = shop
        .books
        .books()
        .balance(Account::PromotionExpense(Bearer::Platform));
    let discounts = line(&shop);
    let level = discounts
        .level_discount
        .plus(discounts.total_coupon)
        .unwrap();
    let fares = shop.order(id(1)).terms().unwrap().fares.clone();
    let fare = fares.iter().filter(|fare| fare.carries(&no(HELMETS)));
    let of_fare = Amount::total(fare.map(|fare| fare.fare_coupon.plus(fare.total_coupon).unwrap()));
    let borne = level.plus(of_fare.unwrap()).unwrap();
    assert_eq!(
        now.minus(expense),
        Ok(borne),
        "the shop bears discounts only"
    );
}

#[test]
fn the_fee_of_a_buyer_at_fault_is_not_taken_off_the_difference() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Buyer, cheaper(1_500));
    let acts = [request, accept(), pick_up(), inspect(2, 2, Fault::Buyer)];
    handle(&mut shop, acts);
    let order = shop.order(id(1));
    let refused = order.decide(send("111111111111"), &at_noon());
    assert_eq!(refused, Err(OrderError::FeeDue { due: FEE }));
    handle(&mut shop, [fee(FEE), send("111111111111")]);
    assert_eq!(refunds(&shop), [(refund(), Amount::new(3_000))]);
}

#[test]
fn only_what_arrived_costs_less() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, cheaper(1_500));
    let acts = [
        request,
        accept(),
        pick_up(),
        inspect(1, 1, Fault::Seller),
        send("111111111111"),
        complete(),
    ];
    handle(&mut shop, acts);
    assert_eq!(refunds(&shop), [(refund(), Amount::new(1_500))]);
    let order = shop.order(id(1));
    let missing = order.terms().unwrap().purchases.last().unwrap();
    assert_eq!(missing.difference, Amount::ZERO);
    assert_eq!(*order.placed_terms().unwrap(), terms());
}

#[test]
fn the_parts_of_an_exchanged_purchase_share_its_difference() {
    let mut shop = exchanged(1_500);
    let whole = line(&shop);
    let again = OrderCommand::RequestExchange(Box::new(domain::order::ExchangeRequest {
        claim: id(20),
        pieces: ClaimPieces {
            purchase_no: no(HELMETS),
            quantity: Some(1),
        },
        replacement: cheaper(200),
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault: Fault::Seller,
        pickup: super::super::shop::pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
    }));
    handle(&mut shop, [again]);
    let order = shop.order(id(1));
    let part = order.terms().unwrap().purchases.last().unwrap();
    let kept = order.purchase_terms(&no(HELMETS)).unwrap();
    assert_eq!(part.difference, Amount::new(-1_500));
    assert_eq!(kept.difference, Amount::new(-1_500));
    assert_eq!(part.paid.plus(kept.paid), Ok(whole.paid));
    assert_eq!(*order.placed_terms().unwrap(), terms());
    let given = order.difference_of(&order.claims[1]).unwrap();
    assert_eq!(given.money, Amount::new(200));
}

/// Points of a confirmed purchase are taken back as much as its price falls, and the rest with its return.
#[test]
fn a_confirmed_purchase_is_earned_again_at_the_new_price() {
    let mut shop = delivered_shop();
    let confirm = OrderCommand::Confirm {
        purchase_nos: vec![no(HELMETS)],
    };
    shop.act(id(1), confirm).unwrap();
    shop.earn(id(1), &no(HELMETS));
    let ordered = line(&shop);
    let granted = ordered.paid.hundredths() / 10;
    let before = payable(&shop);
    let OrderCommand::RequestExchange(request) = ask(
        &shop,
        None,
        Fault::Seller,
        cheaper(ordered.paid.hundredths() / 4),
    ) else {
        unreachable!()
    };
    let request = domain::order::ExchangeRequest {
        by: CanceledBy::Staff,
        ..*request
    };
    let acts = [
        OrderCommand::RequestExchange(Box::new(request)),
        accept(),
        pick_up(),
        inspect(2, 2, Fault::Seller),
        send("111111111111"),
        complete(),
    ];
    handle(&mut shop, acts);
    let given = shop.order(id(1)).claims[0].clone();
    let off = given.difference_given().unwrap();
    assert_eq!(payable(&shop), before - off.money.hundredths());
    let taken = given.refund.reclaimed.unwrap_or_default();
    let half = granted * off.money.hundredths() / ordered.paid.hundredths();
    assert!(
        (taken.sum().unwrap().hundredths() - half).abs() <= 1,
        "{taken:?}"
    );
    assert_eq!(shop.books.faults(), Ok(vec![]));

    returned(&mut shop, 30, CanceledBy::Staff);
    let order = shop.order(id(1));
    let reclaimed = order
        .claims
        .iter()
        .filter_map(|claim| claim.refund.reclaimed);
    let reclaimed = reclaimed.map(|off: ReclaimedPoints| off.sum().unwrap());
    assert_eq!(Amount::total(reclaimed), Ok(Amount::new(granted)));
    assert_eq!(shop.books.faults(), Ok(vec![]));
    assert_eq!(payable(&shop), 0, "nothing of it is the seller's");
}
