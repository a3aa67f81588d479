use super::super::shop::stock_of;
use super::*;
use domain::order::{
    ClaimFee, ClaimPieces, EarnedPoints, FareOutcome, Fault, FeeKind, Inspection, ReturnRequest,
};

/// Five helmets of 123.45 in one parcel: above 500.00 the fare is 1.00, below 3.01.
fn paid_shop() -> Shop {
    paid_for(5)
}

fn paid_for(helmets: u32) -> Shop {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(HELMET, helmets)],
        ..Basket::default()
    };
    shop.place(id(1), &basket).unwrap();
    shop.pay(id(1), id(2)).unwrap();
    shop
}

fn cancel(shop: &mut Shop, claim: u128, quantity: u32) {
    let request = CancelRequest {
        ids: ClaimIds {
            claim: id(claim),
            refund: id(claim + 100),
        },
        pieces: vec![ClaimPieces {
            purchase_no: no(0),
            quantity: Some(quantity),
        }],
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("마음이 바뀌었어요"),
        parcels: shop.parcels(id(1)),
    };
    shop.request_cancel(id(1), request).unwrap();
}

fn fees(shop: &Shop, claim: u128) -> Vec<ClaimFee> {
    let order = shop.order(id(1));
    order.claim(id(claim)).unwrap().refund.fees.clone()
}

fn recharge(amount: i64) -> ClaimFee {
    ClaimFee {
        kind: FeeKind::FareRecharge,
        fare: 0,
        amount: Amount::new(amount),
    }
}

#[test]
fn a_broken_threshold_is_recharged_once_and_given_back_with_the_last_piece() {
    let mut shop = paid_shop();
    assert_eq!(
        shop.order(id(1)).terms().unwrap().fares[0].fare,
        Amount::new(100)
    );
    // three remain for 370.35: the fare would have been 3.01
    cancel(&mut shop, 10, 2);
    assert_eq!(fees(&shop, 10), [recharge(201)]);
    // two remain: the difference is charged already
    cancel(&mut shop, 20, 1);
    assert_eq!(fees(&shop, 20), []);
    // nothing was sent in the end
    cancel(&mut shop, 30, 2);
    assert_eq!(fees(&shop, 30), [recharge(-201)]);
    let order = shop.order(id(1));
    assert_eq!(order.fares.get(&0), Some(&FareOutcome::Refunded));
    let refunds = order.claims.iter().map(|claim| claim.refund.money);
    let paid = order.paid.unwrap().amount;
    assert_eq!(Amount::total(refunds).unwrap(), paid, "to the hundredth");
}

#[test]
fn what_stays_above_the_threshold_is_not_recharged() {
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(HELMET, 6)],
        ..Basket::default()
    };
    shop.place(id(1), &basket).unwrap();
    shop.pay(id(1), id(2)).unwrap();
    cancel(&mut shop, 10, 1);
    assert_eq!(fees(&shop, 10), []);
}

/// A unit returned through the seller's fault counts as kept, even if another one follows through the buyer's.
#[test]
fn the_buyer_does_not_pay_for_what_the_seller_broke() {
    let mut shop = paid_shop();
    deliver(&mut shop);
    let stock = |shop: &Shop| {
        let stock = &shop.stock[&stock_of(HELMET)];
        (stock.available, stock.taken)
    };
    let before = stock(&shop);
    take_back(&mut shop, 10, (2, 1), Fault::Seller);
    assert_eq!(fees(&shop, 10), []);
    // one of the two cannot be sold again
    assert_eq!(stock(&shop), (before.0 + 1, before.1 - 2));
    take_back(&mut shop, 20, (1, 1), Fault::Buyer);
    let kinds: Vec<FeeKind> = fees(&shop, 20).iter().map(|fee| fee.kind).collect();
    // four units count as kept: 493.80 are below the threshold
    assert_eq!(kinds, [FeeKind::ReturnFare, FeeKind::FareRecharge]);
    let mut fair = paid_shop();
    cancel(&mut fair, 10, 1);
    let charged = fees(&shop, 20);
    assert_eq!(charged.last(), fees(&fair, 10).last(), "as if four stayed");
}

/// Units returned through the seller's fault count as kept: five units are above the threshold.
#[test]
fn what_the_seller_broke_keeps_the_goods_above_the_threshold() {
    let mut shop = paid_for(6);
    deliver(&mut shop);
    take_back(&mut shop, 10, (2, 2), Fault::Seller);
    take_back(&mut shop, 20, (1, 1), Fault::Buyer);
    let kinds: Vec<FeeKind> = fees(&shop, 20).iter().map(|fee| fee.kind).collect();
    assert_eq!(kinds, [FeeKind::ReturnFare]);
}

fn deliver(shop: &mut Shop) {
    let acts = [
        OrderCommand::Prepare {
            purchase_nos: vec![no(0)],
        },
        OrderCommand::Ship {
            purchase_no: no(0),
            courier: "kr.epost".to_owned(),
            invoice_no: "123456789012".to_owned(),
            auto_deliver_days: 7,
        },
        OrderCommand::Deliver {
            purchase_no: no(0),
            auto_confirm_days: 8,
        },
    ];
    for act in acts {
        shop.act(id(1), act).unwrap();
    }
}

fn take_back(shop: &mut Shop, claim: u128, (pieces, resellable): (u32, u32), fault: Fault) {
    let request = ReturnRequest {
        claim: id(claim),
        pieces: ClaimPieces {
            purchase_no: no(0),
            quantity: Some(pieces),
        },
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("상품에 하자가 있어요"),
        fault,
        pickup: super::super::shop::pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    };
    shop.request_return(id(1), request).unwrap();
    let by = Reader::Staff;
    for act in [
        OrderCommand::PickUpGoods {
            claim: id(claim),
            invoice: None,
            by,
        },
        OrderCommand::InspectGoods {
            claim: id(claim),
            inspection: Inspection {
                arrived: pieces,
                resellable,
                fault,
            },
            by,
        },
    ] {
        shop.handle(id(1), act).unwrap();
    }
    let answer = ClaimAnswer {
        claim: id(claim),
        refund: id(claim + 100),
        by,
        parcels: shop.parcels(id(1)),
        earned: EarnedPoints::default(),
    };
    shop.approve_claim(id(1), answer).unwrap();
}
