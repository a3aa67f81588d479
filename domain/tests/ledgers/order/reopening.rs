//! Claims that staff open on confirmed purchases: nothing is earned twice, and earned points are taken back.

use super::super::shop::pickup;
use super::*;
use domain::Decider;
use domain::accounting::{Account, Bearer};
use domain::ids::MemberId;
use domain::order::{
    ClaimPieces, EarnedPoints, ExchangeRequest, FareOutcome, Fault, Inspection, Invoice,
    PurchaseStatus, PurchaseTerms, ReclaimedPoints, Replacement, ReturnRequest, lot_earned_by,
};
use domain::points::PointsCommand;
use domain::site::PointsRules;

/// Two units, alone in a parcel of the first seller.
const HELMETS: usize = 1;

/// A shop in which the order's helmets are confirmed and earned a tenth of the amount paid in points.
fn confirmed() -> Shop {
    let mut shop = Shop::open();
    shop.place_terms(id(1), terms()).unwrap();
    shop.pay(id(1), id(2)).unwrap();
    for command in [
        OrderCommand::Prepare {
            purchase_nos: vec![no(HELMETS)],
        },
        OrderCommand::Ship {
            purchase_no: no(HELMETS),
            courier: "kr.epost".to_owned(),
            invoice_no: "640012345678".to_owned(),
            auto_deliver_days: 7,
        },
        OrderCommand::Deliver {
            purchase_no: no(HELMETS),
            auto_confirm_days: 8,
        },
        OrderCommand::Confirm {
            purchase_nos: vec![no(HELMETS)],
        },
    ] {
        shop.act(id(1), command).unwrap();
    }
    shop.earn(id(1), &no(HELMETS));
    shop
}

fn request(shop: &Shop, by: CanceledBy, quantity: Option<u32>, fault: Fault) -> ReturnRequest {
    ReturnRequest {
        claim: id(10),
        pieces: ClaimPieces {
            purchase_no: no(HELMETS),
            quantity,
        },
        by,
        reason: CancelReason::plain("쓰다 보니 금이 갔습니다"),
        fault,
        pickup: pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    }
}

fn reopen(shop: &mut Shop, quantity: Option<u32>, fault: Fault) {
    let request = request(shop, CanceledBy::Staff, quantity, fault);
    shop.request_return(id(1), request).unwrap();
}

/// Picks the goods up, records that all arrived, and approves.
fn take_back(shop: &mut Shop, claim: u128, pieces: u32, fault: Fault) {
    shop.handle(
        id(1),
        OrderCommand::PickUpGoods {
            claim: id(claim),
            invoice: None,
            by: Reader::Staff,
        },
    )
    .unwrap();
    let inspection = Inspection {
        arrived: pieces,
        resellable: pieces,
        fault,
    };
    shop.handle(
        id(1),
        OrderCommand::InspectGoods {
            claim: id(claim),
            inspection,
            by: Reader::Staff,
        },
    )
    .unwrap();
    let answer = ClaimAnswer {
        claim: id(claim),
        refund: id(claim + 100),
        by: Reader::Staff,
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    };
    shop.approve_claim(id(1), answer).unwrap();
}

fn helmets(shop: &Shop) -> PurchaseStatus {
    let order = shop.order(id(1));
    order.purchase(&no(HELMETS)).unwrap().purchase_status
}

fn terms_of_helmets(shop: &Shop) -> PurchaseTerms {
    let order = shop.order(id(1));
    order.purchase_terms(&no(HELMETS)).unwrap().clone()
}

fn member(shop: &Shop) -> MemberId {
    match shop.order(id(1)).buyer() {
        Some(Buyer::Member { id }) => *id,
        other => panic!("{other:?}"),
    }
}

fn points_left(shop: &Shop) -> Amount {
    let points = shop.points.get(&member(shop)).unwrap();
    points.remain(shop.context().now).unwrap()
}

fn reclaimed(shop: &Shop, claim: u128) -> Option<ReclaimedPoints> {
    shop.order(id(1)).claim(id(claim)).unwrap().refund.reclaimed
}

#[test]
fn only_staff_open_a_claim_after_the_confirmation() {
    let mut shop = confirmed();
    let by_buyer = request(&shop, CanceledBy::Buyer, None, Fault::Seller);
    assert!(shop.request_return(id(1), by_buyer).is_err());
    reopen(&mut shop, None, Fault::Seller);
    assert_eq!(helmets(&shop), PurchaseStatus::Awaiting);
    let again = OrderCommand::Confirm {
        purchase_nos: vec![no(HELMETS)],
    };
    assert!(shop.act(id(1), again).is_err(), "a claim is open");
}

#[test]
fn a_refused_or_withdrawn_claim_leaves_it_confirmed_and_earns_nothing() {
    let before = confirmed();
    for end in [
        OrderCommand::WithdrawClaim { claim: id(10) },
        OrderCommand::RejectClaim {
            claim: id(10),
            reason: "사용 흔적이 있습니다".to_owned(),
            invoice: None,
            by: Reader::Staff,
        },
    ] {
        let mut shop = before.clone();
        reopen(&mut shop, None, Fault::Seller);
        assert_eq!(
            shop.books.books(),
            before.books.books(),
            "nothing moves yet"
        );
        shop.now += Duration::days(30);
        shop.handle(id(1), end).unwrap();
        assert_eq!(helmets(&shop), PurchaseStatus::Complete);
        let order = shop.order(id(1));
        assert_eq!(order.purchase(&no(HELMETS)).unwrap().confirm_on, None);
        assert_eq!(shop.books.books(), before.books.books());
        assert_eq!(shop.books.faults().unwrap(), vec![]);
    }
}

#[test]
fn a_return_through_the_seller_takes_back_what_the_seller_and_the_buyer_earned() {
    let mut shop = confirmed();
    let order = shop.order(id(1)).clone();
    let line = order.purchase_terms(&no(HELMETS)).unwrap().clone();
    let seller = Account::SellerPayable(line.seller);
    assert!(!shop.books.books().balance(seller).is_zero());
    let held = points_left(&shop);
    reopen(&mut shop, None, Fault::Seller);
    take_back(&mut shop, 10, 2, Fault::Seller);

    assert_eq!(
        shop.books.books().balance(seller),
        Amount::ZERO,
        "nothing is left to them"
    );
    let earned = Amount::new(line.paid.hundredths() / 10);
    let all = ReclaimedPoints {
        points: earned,
        money: Amount::ZERO,
    };
    assert_eq!(reclaimed(&shop, 10), Some(all));
    let back: Vec<_> = shop
        .order(id(1))
        .claim(id(10))
        .unwrap()
        .refund
        .points
        .clone();
    let back = Amount::total(back.iter().map(|part| part.amount)).unwrap();
    let left = held.plus(back).unwrap().minus(earned).unwrap();
    assert_eq!(points_left(&shop), left);
    let lot = lot_earned_by(&no(HELMETS));
    let points = shop.points.get(&member(&shop)).unwrap();
    assert_eq!(
        points.lots.get(&lot).unwrap().left,
        Amount::ZERO,
        "its own lot first"
    );
    // the fare is refunded, too, although it was earned
    let (place, fare) = order
        .terms()
        .unwrap()
        .fares
        .iter()
        .enumerate()
        .find(|(_, fare)| fare.carries(&no(HELMETS)))
        .unwrap();
    let place = u32::try_from(place).unwrap();
    assert_eq!(order.fares.get(&place), Some(&FareOutcome::Earned));
    assert_eq!(
        shop.order(id(1)).fares.get(&place),
        Some(&FareOutcome::Refunded)
    );
    let refund = shop.order(id(1)).claim(id(10)).unwrap().refund.clone();
    assert_eq!(refund.money, line.paid.plus(fare.paid).unwrap());
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn a_buyer_at_fault_pays_the_fares_and_the_seller_keeps_them() {
    let mut shop = confirmed();
    let line = terms_of_helmets(&shop);
    reopen(&mut shop, None, Fault::Buyer);
    take_back(&mut shop, 10, 2, Fault::Buyer);
    let refund = shop.order(id(1)).claim(id(10)).unwrap().refund.clone();
    let fees = Amount::total(refund.fees.iter().map(|fee| fee.amount)).unwrap();
    assert_eq!(refund.money, line.paid.minus(fees).unwrap());
    assert!(!fees.is_zero());
    assert_eq!(refund.fares, [], "earned once");
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn pieces_returned_one_by_one_take_back_as_much_as_both_at_once() {
    let mut shop = confirmed();
    let paid = terms_of_helmets(&shop).paid;
    reopen(&mut shop, Some(1), Fault::Seller);
    take_back(&mut shop, 10, 1, Fault::Seller);
    let first = reclaimed(&shop, 10).unwrap().points;
    assert!(first > Amount::ZERO && first < Amount::new(paid.hundredths() / 10));
    assert_eq!(
        helmets(&shop),
        PurchaseStatus::Complete,
        "the other one stays confirmed"
    );
    let mut second = request(&shop, CanceledBy::Staff, None, Fault::Seller);
    second.claim = id(20);
    shop.request_return(id(1), second).unwrap();
    take_back(&mut shop, 20, 1, Fault::Seller);
    let both = first.plus(reclaimed(&shop, 20).unwrap().points).unwrap();
    assert_eq!(both, Amount::new(paid.hundredths() / 10));
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn points_that_are_spent_come_off_the_refund() {
    let mut shop = confirmed();
    let line = terms_of_helmets(&shop);
    let earned = Amount::new(line.paid.hundredths() / 10);
    let left = points_left(&shop);
    let kept = Amount::new(7);
    let spend = PointsCommand::Spend {
        order: id(77),
        amount: left.minus(kept).unwrap(),
    };
    shop.act_points(member(&shop), spend).unwrap();
    reopen(&mut shop, None, Fault::Seller);
    take_back(&mut shop, 10, 2, Fault::Seller);
    let off = earned.minus(kept).unwrap();
    let expected = ReclaimedPoints {
        points: kept,
        money: off,
    };
    assert_eq!(reclaimed(&shop, 10), Some(expected));
    let given_away = shop
        .books
        .books()
        .balance(Account::PromotionExpense(Bearer::Platform));
    assert!(!given_away.is_negative());
}

#[test]
fn an_expired_lot_is_not_taken_back() {
    let mut shop = confirmed();
    let life = PointsRules::default().life_days;
    shop.now += Duration::days(life.into()) + Duration::DAY;
    reopen(&mut shop, None, Fault::Seller);
    take_back(&mut shop, 10, 2, Fault::Seller);
    assert_eq!(reclaimed(&shop, 10), None);
}

#[test]
fn after_an_exchange_it_is_confirmed_again_without_a_day() {
    let mut shop = confirmed();
    let books = shop.books.books().clone();
    let request = ExchangeRequest {
        claim: id(10),
        pieces: ClaimPieces::all(no(HELMETS)),
        replacement: Replacement::Same,
        by: CanceledBy::Staff,
        reason: CancelReason::plain("쓰다 보니 금이 갔습니다"),
        fault: Fault::Seller,
        pickup: pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
    };
    let by = Reader::Staff;
    let claim = id(10);
    for command in [
        OrderCommand::RequestExchange(Box::new(request)),
        OrderCommand::AcceptExchange { claim, by },
        OrderCommand::PickUpGoods {
            claim,
            invoice: None,
            by,
        },
        OrderCommand::InspectGoods {
            claim,
            inspection: Inspection {
                arrived: 2,
                resellable: 0,
                fault: Fault::Seller,
            },
            by,
        },
        OrderCommand::ShipReplacement {
            claim,
            invoice: Invoice {
                courier: "kr.epost".to_owned(),
                invoice_no: "640087654321".to_owned(),
            },
            auto_deliver_days: 7,
            by,
            earned: EarnedPoints::default(),
        },
    ] {
        shop.handle(id(1), command).unwrap();
    }
    let complete = OrderCommand::CompleteExchange {
        claim,
        auto_confirm_days: 8,
        by,
    };
    let arrived = OrderEvent::ExchangeCompleted {
        claim,
        confirm_on: None,
    };
    let decided = shop.order(id(1)).decide(complete.clone(), &shop.context());
    assert_eq!(decided, Ok(vec![arrived]), "no day is waited for");
    shop.handle(id(1), complete).unwrap();
    assert_eq!(helmets(&shop), PurchaseStatus::Complete);
    let order = shop.order(id(1));
    assert_eq!(order.purchase(&no(HELMETS)).unwrap().confirm_on, None);
    assert_eq!(*shop.books.books(), books, "earned once");
    // and may be claimed again
    let again = order.purchase_actions(Reader::Staff, order.purchase(&no(HELMETS)).unwrap());
    assert!(again.contains(&Action::RequestReturn));
}
