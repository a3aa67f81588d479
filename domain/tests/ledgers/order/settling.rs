//! Who pays the fares: claims that did not record them, island surcharges, fare coupons of one parcel.

use super::super::given::at_noon;
use super::super::shop::pickup;
use super::*;
use domain::Decider;
use domain::order::{
    ClaimFeeState, ClaimPieces, CouponUse, ExchangeRequest, FareOutcome, Fault, Inspection,
    Replacement,
};

const HELMETS: usize = 1;

/// The place of the fare of the helmets.
fn fare_of_helmets(terms: &OrderTerms) -> u32 {
    let place = terms
        .fares
        .iter()
        .position(|fare| fare.carries(&no(HELMETS)));
    u32::try_from(place.unwrap()).unwrap()
}

/// Evolves the order by a command as a program did that did not record fares with an approval.
fn decide_without_fares(order: &mut Order, command: OrderCommand) {
    for mut event in order.decide(command, &at_noon()).unwrap() {
        if let OrderEvent::CancelApproved { terms, .. } = &mut event {
            terms.fares.clear();
        }
        order.evolve(event);
    }
}

fn cancel_one_helmet(claim: u128, purchase_no: String) -> OrderCommand {
    OrderCommand::RequestCancel(Box::new(CancelRequest {
        pieces: vec![ClaimPieces {
            purchase_no,
            quantity: Some(1),
        }],
        ..CancelRequest::whole(
            ClaimIds {
                claim: id(claim),
                refund: id(claim + 1),
            },
            [],
            CanceledBy::Buyer,
            CancelReason::plain("수량을 잘못 골랐어요"),
        )
    }))
}

#[test]
fn an_approval_without_fares_refunds_a_fare_with_its_last_purchase() {
    let place = fare_of_helmets(&terms());
    let mut order = folded([placed(), paid()]);
    decide_without_fares(&mut order, cancel_one_helmet(10, no(HELMETS)));
    assert_eq!(order.fares.get(&place), None, "one helmet is left");
    // A request that is refused does not count as gone.
    decide_without_fares(&mut order, cancel(30, &[0], CanceledBy::Buyer));
    assert_eq!(order.fares.get(&place), None);
    let left = order.terms().unwrap().purchases.iter();
    let left = left
        .filter(|line| line.purchase_no == no(HELMETS))
        .map(|line| line.purchase_no.clone())
        .next()
        .unwrap();
    decide_without_fares(&mut order, cancel_one_helmet(20, left));
    assert_eq!(order.fares.get(&place), Some(&FareOutcome::Refunded));
}

#[test]
fn claims_of_other_goods_do_not_refund_a_fare_that_was_not_recorded() {
    let place = fare_of_helmets(&terms());
    let mut order = folded([placed(), paid()]);
    decide_without_fares(&mut order, cancel(30, &[0], CanceledBy::Buyer));
    decide_without_fares(&mut order, cancel_one_helmet(10, no(HELMETS)));
    assert_eq!(order.fares.get(&place), None, "one helmet is left");
}

#[test]
fn an_approval_without_fares_counts_only_claims_that_were_granted() {
    let place = fare_of_helmets(&terms());
    let mut order = folded([placed(), paid(), prepared(HELMETS)]);
    // One helmet is requested and waits for an answer, the other one is canceled by staff.
    decide_without_fares(&mut order, cancel_one_helmet(10, no(HELMETS)));
    assert!(!order.claim(id(10)).unwrap().is_granted());
    let split = order.claim(id(10)).unwrap().purchase_nos[0].clone();
    let other = order.terms().unwrap().purchases.iter();
    let other = other
        .filter(|line| line.name == terms().purchases[HELMETS].name && line.purchase_no != split)
        .map(|line| line.purchase_no.clone())
        .next()
        .unwrap();
    let mut by_staff = cancel_one_helmet(20, other);
    if let OrderCommand::RequestCancel(request) = &mut by_staff {
        request.by = CanceledBy::Staff;
    }
    decide_without_fares(&mut order, by_staff);
    decide_without_fares(&mut order, approve(20));
    assert!(order.claim(id(20)).unwrap().is_granted());
    assert_eq!(order.fares.get(&place), None, "the other claim is open");
}

#[test]
fn the_seller_bears_its_share_of_a_fare_coupon() {
    let mut terms = terms();
    let place = fare_of_helmets(&terms);
    for (other, fare) in (0..).zip(&mut terms.fares) {
        fare.fare_coupon = Amount::new(if other == place { 10 } else { 0 });
    }
    let bearer = terms.fares[usize::try_from(place).unwrap()].seller;
    for used in &mut terms.coupons {
        if used.stage == domain::coupon::Stage::Fare {
            used.seller = Some(bearer);
            (used.amount, used.seller_share) = (Amount::new(10), Amount::new(4));
        }
    }
    let order = folded([OrderEvent::OrderPlaced(Box::new(terms))]);
    assert_eq!(order.borne_by_seller_of_fare(place), Ok(Amount::new(4)));
    assert_eq!(order.borne_by_seller_of_fare(99), Ok(Amount::ZERO));
}

#[test]
fn a_fare_coupon_of_one_parcel_goes_back_with_that_parcel() {
    let mut terms = terms();
    for fare in &mut terms.fares {
        fare.fare_coupon = Amount::new(10);
    }
    let issued = {
        let used: &mut CouponUse = terms
            .coupons
            .iter_mut()
            .find(|used| used.stage == domain::coupon::Stage::Fare)
            .unwrap();
        used.purchase_no = Some(no(HELMETS));
        used.seller = None;
        used.issued
    };
    let order = folded([OrderEvent::OrderPlaced(Box::new(terms)), paid()]);
    let returns = |line: usize| {
        let detail = order
            .refund_detail(None, &[no(line)], (None, &ParcelRules::default()))
            .unwrap();
        let its = detail.coupons.iter().find(|coupon| coupon.issued == issued);
        its.map(|coupon| coupon.returns)
    };
    assert_eq!(returns(HELMETS), Some(true));
    assert_eq!(
        returns(2),
        None,
        "it was not used on the parcel of the juice"
    );
}

#[test]
fn the_way_back_from_an_island_costs_its_surcharge_twice() {
    let mut terms = terms();
    let place = usize::try_from(fare_of_helmets(&terms)).unwrap();
    let plain = folded([OrderEvent::OrderPlaced(Box::new(terms.clone()))]);
    terms.fares[place].island_fee = Amount::new(3_000);
    let island = folded([OrderEvent::OrderPlaced(Box::new(terms))]);
    let fee = |order: &Order| {
        order
            .fee_of_exchange(&no(HELMETS), &ParcelRules::default())
            .unwrap()
    };
    assert_eq!(fee(&island), fee(&plain).plus(Amount::new(6_000)).unwrap());
}

#[test]
fn an_exchange_through_the_sellers_fault_has_no_fee() {
    for (fault, state) in [
        (Fault::Seller, ClaimFeeState::None),
        (Fault::Buyer, ClaimFeeState::Due),
    ] {
        let mut order = folded([
            placed(),
            paid(),
            prepared(HELMETS),
            shipped(HELMETS),
            delivered(HELMETS, 29),
        ]);
        let mut shop = Shop::open();
        shop.place_terms(id(1), terms()).unwrap();
        let request = ExchangeRequest {
            claim: id(10),
            pieces: ClaimPieces {
                purchase_no: no(HELMETS),
                quantity: None,
            },
            by: CanceledBy::Buyer,
            reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
            fault,
            pickup: pickup(),
            pictures: vec![],
            parcels: shop.parcels(id(1)),
            replacement: Replacement::Same,
        };
        let by = Reader::Staff;
        for act in [
            OrderCommand::RequestExchange(Box::new(request)),
            OrderCommand::AcceptExchange { claim: id(10), by },
            OrderCommand::PickUpGoods {
                claim: id(10),
                invoice: None,
                by,
            },
            OrderCommand::InspectGoods {
                claim: id(10),
                inspection: Inspection {
                    arrived: 2,
                    resellable: 2,
                    fault,
                },
                by,
            },
        ] {
            for event in order.decide(act, &at_noon()).unwrap() {
                order.evolve(event);
            }
        }
        assert_eq!(order.claim(id(10)).unwrap().fee_state(), state);
    }
}
