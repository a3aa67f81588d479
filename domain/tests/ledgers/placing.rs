//! Placing an order: goods, coupons and points together or not at all, and everything can be given back.

use domain::checkout::{CheckoutError, footprint_of, parties_of};
use domain::coupon::IssuedCouponError;
use domain::ids::OrderId;
use domain::member::Member;
use domain::order::{Buyer, CancelReason, CanceledBy, OrderEvent, OrderStatus};
use domain::order::{CancelRequest, ClaimIds};
use domain::{Amount, Decider};
use time::Duration;

use super::given::id;
use super::shop::{
    BIKE, Basket, FIRST_COME, FREE_FARE, HELMET, JUICE, SET, Shop, buyer, coupon_id, issued_id,
    product_id, seller, stock_of,
};

fn order(number: u128) -> OrderId {
    id(number)
}

fn basket(lines: &[(usize, u32)]) -> Basket {
    Basket {
        lines: lines.to_vec(),
        ..Basket::default()
    }
}

#[test]
fn takes_goods_coupons_and_points_in_one_decision() {
    let mut shop = Shop::open();
    let wanted = Basket {
        coupons: vec![FIRST_COME],
        points: 6_000,
        ..basket(&[(BIKE, 2)])
    };
    let terms = shop.terms(&wanted, order(1)).unwrap();
    let touched = footprint_of(&terms);
    assert_eq!(
        touched.stock.into_iter().collect::<Vec<_>>(),
        [stock_of(BIKE)]
    );
    assert_eq!(
        touched.campaigns.into_iter().collect::<Vec<_>>(),
        [coupon_id(FIRST_COME)]
    );
    assert_eq!(touched.points, Some(buyer(0)));
    shop.place(order(1), &wanted).unwrap();
    assert_eq!(shop.stock[&stock_of(BIKE)].available, 8);
    let issued = &shop.issued[&issued_id(FIRST_COME, 0)];
    assert_eq!(issued.used_on, Some(order(1)));
    let left = shop.points[&buyer(0)].remain(shop.time()).unwrap();
    assert_eq!(left, Amount::new(4_000));
    let lots = &shop.order(order(1)).terms.unwrap().points;
    let parts: Vec<i64> = lots.iter().map(|part| part.amount.hundredths()).collect();
    assert_eq!(parts, [5_000, 1_000], "the lot that expires next first");
}

/// The stock of a set's part counts the helmet; used for another product it is foreign stock.
#[test]
fn nothing_is_taken_from_a_pile_of_other_goods() {
    let mut shop = Shop::open();
    shop.goods.insert(stock_of(HELMET), product_id(HELMET));
    shop.place(order(1), &basket(&[(SET, 1)])).unwrap();
    shop.goods.insert(stock_of(HELMET), product_id(SET));
    let refusal = shop.place(order(2), &basket(&[(SET, 1)])).unwrap_err();
    let expected = CheckoutError::OtherGoods {
        stock: stock_of(HELMET),
        names: vec!["세트".to_owned()],
    };
    assert_eq!(refusal, expected);
    assert_eq!(refusal.code(), "other_goods");
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 9);
}

/// There are ten helmets; six sold alone and five in sets would fit separately, but not together.
#[test]
fn lines_that_share_stock_are_one_demand() {
    let mut shop = Shop::open();
    let refusal = shop
        .place(order(1), &basket(&[(HELMET, 6), (SET, 5)]))
        .unwrap_err();
    assert_eq!(
        refusal,
        CheckoutError::SoldOut {
            stock: stock_of(HELMET),
            names: vec!["헬멧".to_owned(), "세트".to_owned()],
            available: 10
        }
    );
    assert_eq!(refusal.code(), "sold_out");
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 10);
    shop.place(order(1), &basket(&[(HELMET, 6), (SET, 4)]))
        .unwrap();
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 0);
    assert_eq!(shop.tally.held[&(stock_of(HELMET), order(1))], 10);
}

#[test]
fn one_refusal_refuses_everything() {
    let with = |coupons: &[usize], points| Basket {
        coupons: coupons.to_vec(),
        points,
        ..basket(&[(BIKE, 1)])
    };
    let place = |shop: &mut Shop, wanted: &Basket| {
        let before = format!("{:?}", shop.contents(buyer(0)));
        let code = shop.place(order(9), wanted).unwrap_err().code();
        assert_eq!(format!("{:?}", shop.contents(buyer(0))), before);
        assert_eq!(shop.order(order(9)), domain::order::Order::default());
        code
    };
    let mut shop = Shop::open();
    assert_eq!(place(&mut shop, &basket(&[(JUICE, 11)])), "sold_out");
    assert_eq!(place(&mut shop, &with(&[], 10_001)), "points_short");

    shop.place(order(1), &with(&[FIRST_COME], 0)).unwrap();
    assert_eq!(place(&mut shop, &with(&[FIRST_COME], 0)), "coupon_used");
    let other = Basket {
        buyer: 1,
        ..with(&[FIRST_COME], 0)
    };
    assert_eq!(place(&mut shop, &other), "coupon_used_up");

    // the price was quoted before the coupon's end, the order is placed after it
    let terms = shop.terms(&with(&[FREE_FARE], 0), order(9)).unwrap();
    let mut late = shop.clone();
    late.now += Duration::days(30);
    let refusal = late.place_terms(order(9), terms.clone()).unwrap_err();
    assert_eq!(refusal.code(), "coupon_expired");

    let mut foreign = terms.clone();
    foreign.buyer = Buyer::Member { id: buyer(1) };
    let refusal = shop.place_terms(order(9), foreign).unwrap_err();
    assert_eq!(refusal.code(), "coupon_foreign");
    assert!(matches!(
        refusal,
        CheckoutError::Coupon {
            why: IssuedCouponError::Foreign,
            ..
        }
    ));
    let mut guest = terms;
    guest.buyer = Buyer::Guest {
        contact_hash: "00".to_owned(),
    };
    let refusal = shop.place_terms(order(9), guest).unwrap_err();
    assert_eq!(refusal.code(), "coupon_foreign");
}

#[test]
fn who_left_neither_orders_nor_sells() {
    let mut shop = Shop::open();
    let left = Member {
        left: true,
        ..Member::default()
    };
    shop.members.insert(seller(2), left.clone());
    shop.place(order(1), &basket(&[(BIKE, 1)])).unwrap();
    let refusal = shop
        .place(order(2), &basket(&[(BIKE, 1), (JUICE, 1)]))
        .unwrap_err();
    assert_eq!(refusal.code(), "seller_left");
    match refusal {
        CheckoutError::SellerLeft { name, .. } => assert_eq!(name, "주스"),
        other => panic!("{other:?}"),
    }
    shop.members.insert(buyer(0), left);
    let refusal = shop.place(order(3), &basket(&[(BIKE, 1)])).unwrap_err();
    assert_eq!(refusal, CheckoutError::BuyerLeft);
    let terms = shop.order(order(1)).terms.unwrap();
    let parties = parties_of(&terms).into_iter().collect::<Vec<_>>();
    assert_eq!(parties.len(), 2);
    assert!(parties.contains(&buyer(0)) && parties.contains(&seller(1)));
}

#[test]
fn a_guest_has_no_points() {
    let mut shop = Shop::open();
    let wanted = Basket {
        points: 100,
        ..basket(&[(BIKE, 1)])
    };
    let mut terms = shop.terms(&wanted, order(1)).unwrap();
    terms.buyer = Buyer::Guest {
        contact_hash: "00".to_owned(),
    };
    let refusal = shop.place_terms(order(1), terms);
    assert_eq!(refusal.unwrap_err().code(), "points_short");
}

#[test]
fn two_coupons_of_one_campaign_count_twice() {
    let mut shop = Shop::open();
    shop.limit(Some(1));
    let wanted = Basket {
        coupons: vec![FIRST_COME],
        ..basket(&[(BIKE, 1)])
    };
    let mut terms = shop.terms(&wanted, order(1)).unwrap();
    let mut second = terms.coupons[0].clone();
    second.issued = id(0x999);
    second.amount = Amount::ZERO;
    let mut twin = shop.issued[&issued_id(FIRST_COME, 0)].clone();
    twin.used_on = None;
    shop.issued.insert(id(0x999), twin);
    terms.coupons.push(second);
    let refusal = shop.place_terms(order(1), terms).unwrap_err();
    assert_eq!(
        refusal,
        CheckoutError::CouponUsedUp {
            issued: id(0x999),
            name: "선착순".to_owned()
        }
    );
}

#[test]
fn nothing_left_to_pay_is_paid_at_once_and_given_back_without_a_refund() {
    let mut shop = Shop::open();
    let wanted = basket(&[(JUICE, 1)]);
    let cost = shop.terms(&wanted, order(1)).unwrap().totals.payable;
    let free = Basket {
        points: cost.hundredths(),
        ..wanted
    };
    shop.place(order(1), &free).unwrap();
    let placed = shop.order(order(1));
    assert_eq!(placed.status(), OrderStatus::Payment);
    assert_eq!(placed.paid.unwrap().payment, None);
    let request = CancelRequest::whole(
        ClaimIds {
            claim: id(3),
            refund: id(4),
        },
        vec![placed.purchases[0].purchase_no.clone()],
        CanceledBy::Buyer,
        CancelReason::plain("변심"),
    );
    shop.request_cancel(order(1), request).unwrap();
    assert_eq!(shop.order(order(1)).status(), OrderStatus::Canceled);
    let left = shop.points[&buyer(0)].remain(shop.time()).unwrap();
    assert_eq!(left, Amount::new(10_000));
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

#[test]
fn an_unpaid_order_gives_everything_back_once() {
    let mut shop = Shop::open();
    let wanted = Basket {
        coupons: vec![FIRST_COME, FREE_FARE],
        points: 6_000,
        ..basket(&[(HELMET, 1), (SET, 2)])
    };
    let before = shop.contents(buyer(0));
    shop.place(order(1), &wanted).unwrap();
    assert_ne!(shop.contents(buyer(0)), before);
    shop.cancel_unpaid(order(1), CanceledBy::Buyer).unwrap();
    let mut after = shop.contents(buyer(0));
    for held in after.points.spent.values() {
        assert!(held.values().all(|amount| amount.is_zero()));
    }
    after.points.spent.clear();
    assert_eq!(after, before, "as if nothing had happened");
    shop.cancel_unpaid(order(1), CanceledBy::Deadline).unwrap();
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 10);
}

#[test]
fn an_approval_gives_back_only_what_it_covers() {
    let mut shop = Shop::open();
    shop.place(order(1), &basket(&[(HELMET, 2), (JUICE, 3)]))
        .unwrap();
    shop.pay(order(1), id(2)).unwrap();
    let placed = shop.order(order(1));
    let helmet = placed.purchases[0].purchase_no.clone();
    shop.act(
        order(1),
        domain::order::OrderCommand::Prepare {
            purchase_nos: vec![helmet.clone()],
        },
    )
    .unwrap();
    let request = CancelRequest::whole(
        ClaimIds {
            claim: id(3),
            refund: id(4),
        },
        vec![helmet],
        CanceledBy::Buyer,
        CancelReason::plain("변심"),
    );
    shop.request_cancel(order(1), request).unwrap();
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 8, "only asked for");
    shop.approve_cancel(order(1), id(3), id(4)).unwrap();
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 10);
    assert_eq!(shop.stock[&stock_of(JUICE)].available, 7);
    shop.approve_cancel(order(1), id(3), id(4)).unwrap();
    assert_eq!(shop.stock[&stock_of(HELMET)].available, 10, "once");
    shop.settle_claim(order(1), id(3)).unwrap();
    assert_eq!(shop.books.faults().unwrap(), vec![]);
}

/// The same decision made twice: the second one is rejected before anything is taken again.
#[test]
fn an_order_is_placed_once() {
    let mut shop = Shop::open();
    shop.place(order(1), &basket(&[(BIKE, 1)])).unwrap();
    let refusal = shop.place(order(1), &basket(&[(BIKE, 1)])).unwrap_err();
    assert_eq!(refusal.code(), "already_placed");
    assert_eq!(shop.stock[&stock_of(BIKE)].available, 9);
    let events = shop
        .order(order(1))
        .decide(
            domain::order::OrderCommand::CancelUnpaid {
                by: CanceledBy::Buyer,
                reason: None,
            },
            &shop.context(),
        )
        .unwrap();
    assert!(matches!(
        events.as_slice(),
        [OrderEvent::OrderCanceled { .. }]
    ));
}
