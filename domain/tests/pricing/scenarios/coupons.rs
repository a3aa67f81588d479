//! Coupons: where they apply, and to which amount.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{PriceBasis, Stage};
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::{CouponToUse, PricingError};
use domain::shipping::{Area, IslandFee, ShippingOption};
use time::Duration;

use super::{fares, lines, why};
use crate::basket::{
    Basket, NOW, amount, by_piece, coupon, coupon_on, fixed, id, item, percent, purchase_no,
};

/// A coupon with other terms.
fn termed(
    mut coupon: CouponToUse,
    change: impl FnOnce(&mut domain::coupon::CouponTerms),
) -> CouponToUse {
    change(&mut coupon.terms);
    coupon
}

#[test]
fn a_coupon_says_why_it_does_not_apply() {
    let line = || coupon_on(1, 1, amount(100));
    let fare = || coupon(1, Stage::Fare, amount(100));
    let total = || coupon(1, Stage::Total, amount(100));
    let named = |coupon: CouponToUse, number| CouponToUse {
        purchase_no: Some(purchase_no(number)),
        ..coupon
    };
    let second = Duration::SECOND;
    let rows: Vec<(Option<CouponRefusal>, CouponToUse)> = vec![
        (None, line()),
        (None, fare()),
        (None, named(fare(), 2)),
        (None, total()),
        (
            Some(CouponRefusal::PurchaseRequired),
            coupon(1, Stage::Product, amount(1)),
        ),
        (Some(CouponRefusal::PurchaseUnknown), named(line(), 9)),
        (Some(CouponRefusal::WholeOrderOnly), named(total(), 1)),
        (None, termed(line(), |terms| terms.starts_at = Some(NOW))),
        (
            Some(CouponRefusal::NotStarted),
            termed(line(), |terms| terms.starts_at = Some(NOW + second)),
        ),
        (
            None,
            termed(line(), |terms| terms.ends_at = Some(NOW + second)),
        ),
        (
            Some(CouponRefusal::Ended),
            termed(line(), |terms| terms.ends_at = Some(NOW)),
        ),
        (None, termed(line(), |terms| terms.seller = Some(id(1)))),
        (
            Some(CouponRefusal::OtherSeller),
            termed(line(), |terms| terms.seller = Some(id(2))),
        ),
        (None, termed(fare(), |terms| terms.seller = Some(id(2)))),
        (
            Some(CouponRefusal::OtherSeller),
            termed(total(), |terms| terms.seller = Some(id(3))),
        ),
        (None, termed(line(), |terms| terms.products = vec![id(1)])),
        (
            Some(CouponRefusal::OtherProduct),
            termed(line(), |terms| terms.products = vec![id(2)]),
        ),
        (None, termed(total(), |terms| terms.products = vec![id(2)])),
        (
            None,
            termed(line(), |terms| {
                terms.categories = vec!["bikes".to_owned()];
            }),
        ),
        (
            Some(CouponRefusal::OtherCategory),
            termed(line(), |terms| {
                terms.categories = vec!["juice".to_owned()];
            }),
        ),
        (
            Some(CouponRefusal::OtherCategory),
            termed(line(), |terms| {
                terms.products = vec![id(1)];
                terms.categories = vec!["juice".to_owned()];
            }),
        ),
        (
            None,
            termed(line(), |terms| terms.price_min = Some(Amount::new(1000))),
        ),
        (
            Some(CouponRefusal::BelowMinimum),
            termed(line(), |terms| terms.price_min = Some(Amount::new(1001))),
        ),
        (
            None,
            termed(line(), |terms| terms.price_max = Some(Amount::new(1000))),
        ),
        (
            Some(CouponRefusal::AboveMaximum),
            termed(line(), |terms| terms.price_max = Some(Amount::new(999))),
        ),
        (
            None,
            termed(total(), |terms| terms.price_min = Some(Amount::new(3000))),
        ),
        (
            Some(CouponRefusal::BelowMinimum),
            termed(total(), |terms| terms.price_min = Some(Amount::new(3001))),
        ),
        (
            Some(CouponRefusal::BelowMinimum),
            termed(total(), |terms| {
                terms.price_min = Some(Amount::new(1001));
                terms.seller = Some(id(1));
            }),
        ),
        (
            Some(CouponRefusal::TermsInvalid),
            termed(line(), |terms| terms.value = -1),
        ),
        (
            Some(CouponRefusal::TermsInvalid),
            termed(line(), |terms| {
                terms.unit = ValueUnit::Percent;
                terms.value = 101;
            }),
        ),
        (
            Some(CouponRefusal::TermsInvalid),
            termed(line(), |terms| terms.share = 101),
        ),
        (
            Some(CouponRefusal::TakesNothing),
            termed(line(), |terms| terms.value = 0),
        ),
    ];
    let basket = Basket::of([
        item(1, 1000, 1)
            .within(&["bikes", "sport"])
            .sent(fixed(300)),
        item(2, 2000, 1).sold_by(2).sent(fixed(300)),
    ]);
    for (expected, coupon) in rows {
        let told = format!("{coupon:?}");
        let quote = basket.clone().with(coupon).quote();
        let issued = quote.as_ref().err().and_then(PricingError::issued);
        assert_eq!(issued.is_some(), expected.is_some(), "{told}: {quote:?}");
        assert_eq!(why(quote), expected, "{told}");
    }
}

#[test]
fn coupons_keep_company_only_where_they_may() {
    let basket = Basket::of([
        item(1, 1000, 1).sent(fixed(300)),
        item(2, 1000, 1).sold_by(2).sent(fixed(300)),
    ]);
    let alone = |coupon| termed(coupon, |terms| terms.combinable = false);
    let off = amount(100);
    let one = basket.clone().with(alone(coupon_on(1, 1, off)));
    assert_eq!(why(one.quote()), None);
    for other in [
        coupon_on(2, 2, off),
        coupon(2, Stage::Fare, off),
        coupon(2, Stage::Total, off),
    ] {
        assert_eq!(
            why(one.clone().with(other).quote()),
            Some(CouponRefusal::NotCombinable)
        );
    }

    let line = basket.clone().with(coupon_on(1, 1, off));
    let again = line.clone().with(coupon_on(2, 1, off)).quote();
    assert_eq!(why(again), Some(CouponRefusal::PurchaseHasCoupon));
    assert_eq!(why(line.clone().with(coupon_on(2, 2, off)).quote()), None);
    let twice = line.with(coupon_on(1, 2, off)).quote().unwrap_err();
    assert_eq!(
        (twice.code(), twice.issued()),
        ("coupon_twice", Some(id(1)))
    );

    let of_seller = |number, seller| {
        termed(coupon(number, Stage::Fare, off), |terms| {
            terms.seller = Some(id(seller));
        })
    };
    let fare = basket.clone().with(of_seller(1, 1));
    assert_eq!(why(fare.clone().with(of_seller(2, 2)).quote()), None);
    for second in [of_seller(2, 1), coupon(2, Stage::Fare, off)] {
        assert_eq!(
            why(fare.clone().with(second).quote()),
            Some(CouponRefusal::FareHasCoupon)
        );
    }

    let totals = basket
        .with(coupon(1, Stage::Total, percent(10)))
        .with(coupon(2, Stage::Total, percent(10)));
    assert_eq!(totals.payable(), 2600 - 260 - 234);
}

#[test]
fn a_fare_coupon_works_on_the_fares_it_is_for_and_on_no_fees() {
    let jeju = |fare| ShippingOption {
        island: IslandFee {
            is_active: true,
            amount_base: Amount::ZERO,
            amount_jeju: Amount::new(400),
        },
        ..fixed(fare)
    };
    let basket = Basket::of([
        item(1, 1000, 1).sent(jeju(300)),
        item(2, 1000, 1).sold_by(2).sent(jeju(600)),
        item(3, 1000, 1).sold_by(2).sent(by_piece(fixed(100))),
    ])
    .to(Area::Jeju);
    let taken = |coupon| {
        let quote = basket.clone().with(coupon).quote().unwrap();
        fares(&quote, |fare| fare.fare_coupon)
    };
    let all = coupon(1, Stage::Fare, amount(5000));
    assert_eq!(taken(all.clone()), [300, 600, 100]);
    assert_eq!(taken(coupon(1, Stage::Fare, amount(100))), [30, 60, 10]);
    let of_two = termed(all.clone(), |terms| terms.seller = Some(id(2)));
    assert_eq!(taken(of_two.clone()), [0, 600, 100]);
    let one_parcel = CouponToUse {
        purchase_no: Some(purchase_no(3)),
        ..of_two
    };
    assert_eq!(taken(one_parcel), [0, 0, 100]);
    let with_product = termed(all, |terms| terms.products = vec![id(1)]);
    assert_eq!(taken(with_product), [300, 0, 0]);
}

#[test]
fn a_total_coupon_reaches_the_goods_it_is_for_and_the_fares_that_carry_only_them() {
    let basket = Basket::of([
        item(1, 1000, 1).sent(fixed(300)),
        item(2, 1000, 1).sent(fixed(300)),
        item(3, 1000, 1).sold_by(2).sent(fixed(600)),
    ]);
    let taken = |change: fn(&mut domain::coupon::CouponTerms)| {
        let half = termed(coupon(1, Stage::Total, percent(50)), change);
        let quote = basket.clone().with(half).quote().unwrap();
        (
            lines(&quote, |line| line.total_coupon),
            fares(&quote, |fare| fare.total_coupon),
        )
    };
    assert_eq!(taken(|_| ()), (vec![500, 500, 500], vec![150, 300]));
    assert_eq!(
        taken(|terms| terms.seller = Some(id(2))),
        (vec![0, 0, 500], vec![0, 300])
    );
    assert_eq!(
        taken(|terms| terms.products = vec![id(1)]),
        (vec![500, 0, 0], vec![0, 0])
    );
}

#[test]
fn the_seller_bears_its_share_rounded_down() {
    let share = |seller: Option<u128>, share| {
        let shared = termed(coupon_on(1, 1, amount(101)), |terms| {
            terms.seller = seller.map(id);
            terms.share = share;
        });
        let quote = Basket::of([item(1, 1000, 1)]).with(shared).quote().unwrap();
        quote.coupons[0].seller_share.hundredths()
    };
    assert_eq!(share(Some(1), 30), 30);
    assert_eq!(share(Some(1), 99), 99);
    assert_eq!(share(Some(1), 100), 101);
    assert_eq!(share(Some(1), 0), 0);
    // no party is left to bear it
    assert_eq!(share(None, 30), 0);
}

#[test]
fn a_coupon_for_displays_is_for_what_they_hold_and_one_for_nothing_for_nothing() {
    let basket = Basket::of([
        item(1, 1000, 1).shown_in(&["POPULAR", "BEST_SELLER"]),
        item(2, 1000, 1),
    ]);
    let quoted = |line, change: fn(&mut domain::coupon::CouponTerms)| {
        let coupon = termed(coupon_on(1, line, amount(100)), change);
        let quoted = basket.clone().with(coupon).quote();
        quoted
            .map(|quote| quote.totals.product_coupon.hundredths())
            .map_err(|refused| match refused {
                PricingError::CouponNotApplicable { why, .. } => Ok(why),
                other => Err(other),
            })
    };
    let best: fn(&mut domain::coupon::CouponTerms) =
        |terms| terms.displays = vec!["BEST_SELLER".to_owned()];
    assert_eq!(quoted(1, best), Ok(100));
    assert_eq!(quoted(2, best), Err(Ok(CouponRefusal::OtherDisplay)));
    let nothing: fn(&mut domain::coupon::CouponTerms) = |terms| terms.for_nothing = true;
    assert_eq!(quoted(1, nothing), Err(Ok(CouponRefusal::ForNothing)));
}

#[test]
fn limits_are_compared_with_the_price_of_the_coupons_basis() {
    // 1000 each by the list price, 900 after the level's discount
    let mut basket = Basket::of([item(1, 1000, 2)]);
    basket.level = Some(percent(10));
    let is_taken = |basis, least| {
        let coupon = termed(coupon_on(1, 1, amount(100)), |terms| {
            terms.price_basis = basis;
            terms.price_min = Some(Amount::new(least));
        });
        basket.clone().with(coupon).quote().is_ok()
    };
    assert!(is_taken(PriceBasis::Sale, 1_800));
    assert!(!is_taken(PriceBasis::Sale, 1_801));
    assert!(is_taken(PriceBasis::List, 2_000));
    assert!(!is_taken(PriceBasis::List, 2_001));
}
