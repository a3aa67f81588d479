//! Peer scenarios, sections 2 and 8, and worked examples, through the whole quote.

use domain::Amount;
use domain::coupon::Stage;
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::discount_allocation::{AllocationStep, AllocationTarget, allocate};
use domain::rounding::RoundingStep;

use super::{fares, lines, why};
use crate::basket::{Basket, amount, coupon, coupon_on, fixed, item, percent};

/// P1: the percent of the goods comes before the amount of the order. P32: percents compound, rounded up.
#[test]
fn p1_p32_stages_work_one_after_another_whatever_their_order() {
    let cases = [
        (10_000, percent(20), amount(1_000), 7_000),
        (155_880, percent(10), percent(10), 126_262),
    ];
    for (price, of_the_goods, of_the_order, payable) in cases {
        let basket = Basket::of([item(1, price, 1)]);
        let (goods, order) = (
            coupon_on(1, 1, of_the_goods),
            coupon(2, Stage::Total, of_the_order),
        );
        let forth = basket.clone().with(goods.clone()).with(order.clone());
        let back = basket.with(order).with(goods);
        for basket in [forth, back] {
            let quote = basket.quote().unwrap();
            assert_eq!(quote.totals.payable, Amount::new(payable));
        }
    }
}

#[test]
fn p6_a_product_coupon_and_a_total_coupon_on_what_is_left() {
    let quote = Basket::of([item(1, 10_000, 7)])
        .with(coupon_on(1, 1, percent(20)))
        .with(coupon(2, Stage::Total, amount(5_000)))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.product_coupon, Amount::new(14_000));
    assert_eq!(quote.totals.total_coupon, Amount::new(5_000));
    assert_eq!(quote.totals.payable, Amount::new(51_000));
}

#[test]
fn p8_a_discount_larger_than_the_order_takes_the_order() {
    let quote = Basket::of([item(1, 10000, 1)])
        .with(coupon(1, Stage::Total, amount(20000)))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.payable, Amount::ZERO);
    assert_eq!(quote.totals.total_coupon, Amount::new(10000));
    assert_eq!(quote.coupons[0].amount, Amount::new(10000));
}

#[test]
fn p10_two_discounts_of_one_line_never_go_below_nothing() {
    let free = item(1, 10000, 3).discounted(percent(100));
    let at_level = Basket::of([free.clone()]).at_level(percent(15));
    assert_eq!(at_level.payable(), 0);
    // a coupon without effect is not used up (P34)
    let refused = Basket::of([free])
        .with(coupon_on(1, 1, percent(15)))
        .quote();
    assert_eq!(why(refused), Some(CouponRefusal::TakesNothing));
}

#[test]
fn p11_a_total_coupon_counts_from_what_is_left() {
    let quote = Basket::of([item(1, 1000, 10).discounted(percent(40))])
        .with(coupon(1, Stage::Total, percent(70)))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.payable, Amount::new(1800));
}

#[test]
fn p12_a_fixed_coupon_is_capped_by_its_line() {
    let quote = Basket::of([item(1, 100, 1), item(2, 150, 1), item(3, 150, 5)])
        .with(coupon_on(1, 1, amount(200)))
        .with(coupon_on(2, 2, amount(200)))
        .with(coupon_on(3, 3, amount(200)))
        .quote()
        .unwrap();
    // a coupon applies once to its line, not to each of its units
    assert_eq!(lines(&quote, |line| line.product_coupon), [100, 150, 200]);
}

/// P15 and P16 with our rounding: shares by largest remainder, percents up.
#[test]
fn p15_p16_coupons_work_one_after_another() {
    let basket = Basket::of([item(1, 50, 1), item(2, 150, 1)]);
    let first = basket.with(coupon(1, Stage::Total, amount(30)));
    let shares = lines(&first.quote().unwrap(), |line| line.total_coupon);
    assert_eq!(shares, [8, 22]);
    let both = first.with(coupon(2, Stage::Total, amount(50))).quote();
    assert_eq!(
        lines(&both.unwrap(), |line| line.total_coupon),
        [8 + 12, 22 + 38]
    );

    let steps = [0, 1, 0, 1].map(|line| AllocationStep {
        target: AllocationTarget::Line(line),
        discount: percent(10),
    });
    let outcome = allocate(
        &[50, 150].map(Amount::new),
        &[],
        &steps,
        Amount::ZERO,
        RoundingStep::HUNDREDTH,
    )
    .unwrap();
    let taken: Vec<_> = outcome
        .steps
        .iter()
        .map(|taken| taken.amount.hundredths())
        .collect();
    assert_eq!(taken, [5, 15, 5, 14]);
}

/// P23: the product discount is rounded up per unit, then multiplied by the quantity.
#[test]
fn p23_product_discounts_count_per_piece() {
    let quote = Basket::of(
        [(1, 2000), (2, 2025), (3, 1050), (4, 994)]
            .map(|(number, price)| item(number, price, 3).discounted(percent(15))),
    )
    .quote()
    .unwrap();
    assert_eq!(
        lines(&quote, |line| line.paid),
        [3 * 1700, 3 * 1721, 3 * 892, 3 * 844]
    );
}

/// P24 and P25: both bases are fixed, line by line (product coupons) and of the total.
#[test]
fn p24_p25_the_basis_of_a_percent_is_what_it_is_named_for() {
    for (prices, of_the_total) in [([106, 206, 306, 406], 103), ([104, 204, 304, 404], 102)] {
        let basket = Basket::of(
            (1..)
                .zip(prices)
                .map(|(number, price)| item(number, price, 1)),
        );
        let each = (1..=4).fold(basket.clone(), |basket, line| {
            basket.with(coupon_on(u128::from(line), line, percent(10)))
        });
        assert_eq!(
            lines(&each.quote().unwrap(), |line| line.product_coupon),
            [11, 21, 31, 41]
        );
        let total = basket.with(coupon(1, Stage::Total, percent(10)));
        assert_eq!(
            total.quote().unwrap().totals.total_coupon,
            Amount::new(of_the_total)
        );
    }
}

#[test]
fn p26_a_product_discount_then_a_coupon() {
    let quote = Basket::of([item(1, 1999, 1).discounted(percent(13))])
        .with(coupon_on(1, 1, percent(13)))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.product_discount, Amount::new(260));
    assert_eq!(quote.totals.product_coupon, Amount::new(227));
    assert_eq!(quote.totals.payable, Amount::new(1512));
}

/// T14: a fully discounted order owes nothing; S2: never below free shipping.
#[test]
fn t14_s2_nothing_left_owes_nothing() {
    let quote = Basket::of([item(1, 999, 1).sent(fixed(300))])
        .with(coupon(1, Stage::Total, percent(100)))
        .with(coupon(2, Stage::Fare, amount(500)))
        .quote()
        .unwrap();
    assert_eq!(quote.totals.payable, Amount::ZERO);
    assert_eq!(quote.totals.fare_coupon, Amount::new(300));
}

#[test]
fn o3_three_stages_in_any_order() {
    let basket = Basket::of([item(1, 10000, 1).sent(fixed(2500))])
        .with(coupon(1, Stage::Total, percent(10)))
        .with(coupon(2, Stage::Fare, amount(3000)))
        .with(coupon_on(3, 1, percent(30)));
    let quote = basket.quote().unwrap();
    assert_eq!(quote.totals.product_coupon, Amount::new(3000));
    assert_eq!(quote.totals.fare_coupon, Amount::new(2500));
    assert_eq!(quote.totals.total_coupon, Amount::new(700));
    assert_eq!(quote.totals.payable, Amount::new(6300));
    let worked: Vec<Stage> = quote.coupons.iter().map(|coupon| coupon.stage).collect();
    assert_eq!(worked, [Stage::Product, Stage::Fare, Stage::Total]);
}

#[test]
fn w06_order_of_stages() {
    let quote = Basket::of([
        item(1, 20000, 1).sent(fixed(300)),
        item(2, 5000, 1).sent(fixed(300)),
    ])
    .with(coupon(1, Stage::Total, percent(5)))
    .with(coupon(2, Stage::Fare, amount(500)))
    .with(coupon_on(3, 1, percent(10)))
    .quote()
    .unwrap();
    assert_eq!(quote.totals.payable, Amount::new(21850));
    assert_eq!(fares(&quote, |fare| fare.paid), [0]);
}
