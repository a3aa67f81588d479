//! Points, limits, the wire format, and an order in won.

use domain::Amount;
use domain::catalogue::Discount;
use domain::coupon::Stage;
use domain::ids::ProductId;
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::{PricingError, Quote};
use domain::rounding::RoundingStep;

use super::{fares, lines};
use crate::basket::{Basket, amount, coupon, coupon_on, fixed, id, item, percent, purchase_no};

#[test]
fn points_are_shared_by_what_is_left_of_goods_and_fares() {
    let basket = Basket::of([
        item(1, 1000, 1).sent(fixed(500)),
        item(2, 500, 1).sent(fixed(500)),
    ])
    .with(coupon_on(1, 1, percent(100)));
    let quote = basket.clone().paying_points(333).quote().unwrap();
    assert_eq!(lines(&quote, |line| line.points), [0, 167]);
    assert_eq!(fares(&quote, |fare| fare.points), [166]);
    assert_eq!(quote.totals.payable, Amount::new(667));
    assert_eq!(basket.clone().paying_points(1000).payable(), 0);
    assert_eq!(
        basket.clone().paying_points(1001).quote(),
        Err(PricingError::PointsExceed {
            most: Amount::new(1000)
        })
    );
    assert_eq!(
        basket.paying_points(-1).quote(),
        Err(PricingError::PointsNegative)
    );
}

#[test]
fn a_quote_speaks_the_words_of_the_specification() {
    let quote = Basket::of([item(1, 1000, 1)])
        .with(coupon_on(1, 1, percent(10)))
        .quote()
        .unwrap();
    let wire = serde_json::to_value(&quote).unwrap();
    assert_eq!(wire["purchases"][0]["purchaseNo"], purchase_no(1));
    assert_eq!(wire["purchases"][0]["productCoupon"], 100);
    assert_eq!(wire["fares"][0]["purchaseNos"][0], purchase_no(1));
    assert_eq!(
        wire["coupons"][0]["_issued"],
        id::<ProductId>(1).to_string()
    );
    assert_eq!(wire["totals"]["payable"], 900);
    assert_eq!(serde_json::from_value::<Quote>(wire).unwrap(), quote);
    assert_eq!(
        serde_json::to_value(CouponRefusal::TakesNothing).unwrap(),
        CouponRefusal::TakesNothing.code()
    );
}

/// A discount with a limit is capped per unit for products, per line for coupons.
#[test]
fn limits_hold_per_piece_and_per_line() {
    let limited = Discount {
        limit: Some(Amount::new(50)),
        ..percent(10)
    };
    let quote = Basket::of([item(1, 1000, 3).discounted(limited)])
        .with(coupon_on(1, 1, limited))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.product_discount, Amount::new(150));
    assert_eq!(quote.totals.product_coupon, Amount::new(50));
}

/// An order in won, calculated by hand: every rounding is to the whole won.
///
/// - A: ₩12,345 less 15% (₩1,851.75, up to ₩1,852) is ₩10,493; the level's 3% of that (₩314.79, up to ₩315) leaves ₩10,178; two of
///   them ₩20,356. The coupon's 7% of that (₩1,424.92, up to ₩1,425) leaves ₩18,931; its seller bears 30% (₩427.5, down to ₩427).
/// - B: ₩9,990, the level's 3% (₩299.7, up to ₩300) leaves ₩9,690.
/// - The fare is ₩3,000; ₩1,000 off the total is shared over 18,931 : 9,690 : 3,000 = 598.7 : 306.4 : 94.9, in whole won by the
///   largest remainder 599 : 306 : 95.
/// - ₩500 of points over 18,332 : 9,384 : 2,905 = 299.3 : 153.2 : 47.4, in whole won 299 : 153 : 48 with the remaining won going to
///   the largest remainder.
#[test]
fn an_order_in_won() {
    let mut coupon_a = coupon_on(1, 1, percent(7));
    coupon_a.terms.seller = Some(id(1));
    coupon_a.terms.share = 30;
    let basket = Basket {
        level: Some(percent(3)),
        step: RoundingStep::WON,
        ..Basket::of([
            item(1, 1_234_500, 2)
                .discounted(percent(15))
                .sent(fixed(300_000)),
            item(2, 999_000, 1).sent(fixed(300_000)),
        ])
    }
    .with(coupon_a)
    .with(coupon(2, Stage::Total, amount(100_000)))
    .paying_points(50_000);
    let quote = basket.quote().unwrap();
    let lines: Vec<[i64; 6]> = quote
        .purchases
        .iter()
        .map(|line| {
            [
                line.product_discount,
                line.level_discount,
                line.product_coupon,
                line.total_coupon,
                line.points,
                line.paid,
            ]
            .map(Amount::hundredths)
        })
        .collect();
    assert_eq!(
        lines,
        [
            [370_400, 63_000, 142_500, 59_900, 29_900, 1_803_300],
            [0, 30_000, 0, 30_600, 15_300, 923_100],
        ]
    );
    assert_eq!(quote.fares.len(), 1, "one parcel");
    let fare = quote.fares.first().unwrap();
    assert_eq!(
        [fare.fare, fare.total_coupon, fare.points, fare.paid].map(Amount::hundredths),
        [300_000, 9_500, 4_800, 285_700]
    );
    assert_eq!(quote.coupons[0].seller_share.hundredths(), 42_700);
    assert_eq!(quote.totals.payable.hundredths(), 3_012_100);
    assert_eq!(
        basket.paying_points(50_050).quote().unwrap_err(),
        PricingError::PointsUneven { step: 100 }
    );
}
