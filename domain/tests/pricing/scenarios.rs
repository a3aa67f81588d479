//! Peer scenarios with our digits, and each rule of the quote once.

use domain::Amount;
use domain::catalogue::{Discount, ValueUnit};
use domain::coupon::Stage;
use domain::distance::Kilometres;
use domain::ids::{OptionId, ProductId, StockId};
use domain::order::{FareTerms, PurchaseTerms, StockTaken};
use domain::pricing::coupon::CouponRefusal;
use domain::pricing::discount_allocation::{AllocationStep, AllocationTarget, allocate};
use domain::pricing::{CouponToUse, Line, PricingError, QUANTITY_MAX, Quote};
use domain::rounding::RoundingStep;
use domain::shipping::{
    Area, ChargeType, IslandFee, PriceStep, ServiceFee, ShippingMethod, ShippingOption, TravelStep,
};
use time::Duration;

use crate::basket::{
    Basket, Item, NOW, amount, by_piece, coupon, coupon_on, fixed, id, item, percent, purchase_no,
};

fn lines(quote: &Quote, of: fn(&PurchaseTerms) -> Amount) -> Vec<i64> {
    quote
        .purchases
        .iter()
        .map(|purchase| of(purchase).hundredths())
        .collect()
}

fn fares(quote: &Quote, of: fn(&FareTerms) -> Amount) -> Vec<i64> {
    quote
        .fares
        .iter()
        .map(|fare| of(fare).hundredths())
        .collect()
}

// ---- peer scenarios, section 2 ----

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
    // a coupon on nothing is not used up (P34)
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
    // a coupon works once on its line, not on each of its pieces
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

/// P23: the product discount is rounded up piece by piece, and pieces multiply it.
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

/// P24 and P25: both bases are pinned, line by line (product coupons) and of the total.
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

/// T14: a fully discounted order owes nothing; S2: never below a free delivery.
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

// ---- section 8 and the worked examples, through the whole quote ----

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

// ---- lines ----

#[test]
fn a_line_freezes_what_was_bought() {
    let mut bought = item(5, 1000, 2).option(51, 0, false).option(52, 250, true);
    bought.product.thumb.url = "/files/5.webp".to_owned();
    let quote = Basket::of([bought.discounted(percent(10)), item(6, 100, 1)])
        .at_level(amount(25))
        .quote()
        .unwrap();
    let line = &quote.purchases[0];
    assert_eq!(line.purchase_no, purchase_no(1));
    assert_eq!(line.option, Some(id::<OptionId>(52)));
    assert_eq!(line.option_name.as_deref(), Some("option 52"));
    assert_eq!(line.thumb.as_deref(), Some("/files/5.webp"));
    assert_eq!(line.unit_price, Amount::new(1250));
    assert_eq!(line.product_discount, Amount::new(250));
    assert_eq!(line.level_discount, Amount::new(50));
    assert_eq!(line.paid, Amount::new(2200));
    assert_eq!(line.product_version, 7);
    let own = |stock, quantity| {
        vec![StockTaken {
            stock: id::<StockId>(stock),
            quantity,
        }]
    };
    assert_eq!(line.stock, own(52, 2));
    assert_eq!(quote.purchases[1].stock, own(6, 1));
    assert_eq!(quote.purchases[1].thumb, None);
}

#[test]
fn a_set_takes_its_parts() {
    let parts = serde_json::from_value::<Vec<domain::catalogue::BundledPart>>(serde_json::json!([
        { "_product": id::<ProductId>(8), "quantity": 2 },
        { "_product": id::<ProductId>(9), "_option": id::<OptionId>(91), "quantity": 1 },
    ]))
    .unwrap();
    let mut set = item(7, 5000, 3);
    set.parts = Line::parts_of(&parts, set.quantity).unwrap();
    let quote = Basket::of([set]).quote().unwrap();
    let taken: Vec<_> = quote.purchases[0]
        .stock
        .iter()
        .map(|taken| (taken.stock, taken.quantity))
        .collect();
    assert_eq!(taken, [(id(8), 6), (id(91), 3)]);
    assert_eq!(
        Line::parts_of(&parts, u32::MAX),
        Err(PricingError::Overflow)
    );
}

#[test]
fn the_products_own_id_stands_for_its_only_way_to_buy() {
    let mut plain = item(5, 1000, 1);
    plain.option = Some(id(5));
    let quote = Basket::of([plain]).quote().unwrap();
    assert_eq!(quote.purchases[0].option, None);
}

#[test]
fn wrong_lines_are_refused_with_their_number() {
    let one = || item(1, 1000, 1);
    let mut no_option = one().option(11, 0, true);
    no_option.option = None;
    let mut unknown_option = one().option(11, 0, true);
    unknown_option.option = Some(id(12));
    let mut option_of_nothing = one();
    option_of_nothing.option = Some(id(12));
    let priced_by = |charge_type| {
        one().sent(ShippingOption {
            charge_type,
            ..fixed(0)
        })
    };
    let rows: [(&str, Item); 13] = [
        ("quantity_zero", item(1, 1000, 0)),
        ("quantity_too_large", item(1, 1000, QUANTITY_MAX + 1)),
        ("option_required", no_option),
        ("option_unknown", unknown_option),
        ("option_unknown", option_of_nothing),
        ("option_unknown", one().option(11, 0, false)),
        ("price_negative", item(1, -1, 1)),
        ("price_negative", one().option(11, -1001, true)),
        ("discount_invalid", one().discounted(percent(101))),
        ("discount_invalid", one().discounted(amount(-1))),
        ("distance_unknown", priced_by(ChargeType::TravelRange)),
        ("fare_undefined", priced_by(ChargeType::PriceRange)),
        ("fare_undefined", one().sent(fixed(-1))),
    ];
    for (code, wrong) in rows {
        let error = Basket::of([item(2, 1, 1), wrong]).quote().unwrap_err();
        assert_eq!(error.code(), code);
        assert_eq!(error.purchase_no(), Some(purchase_no(2).as_str()), "{code}");
    }
    let empty = Basket::default().quote().unwrap_err();
    assert_eq!((empty.code(), empty.purchase_no()), ("empty_order", None));
    let dear = Basket::of([item(1, i64::MAX, 2)]).quote().unwrap_err();
    assert_eq!(dear.code(), "overflow");
    let dear = Basket::of([item(1, i64::MAX, 1), item(2, 1, 1)]).quote();
    assert_eq!(dear.unwrap_err().code(), "overflow");
}

#[test]
fn one_number_belongs_to_one_line() {
    let basket = Basket::of([item(1, 1000, 1), item(2, 1000, 1)]);
    let mut request = basket.request();
    request.lines[1].purchase_no = purchase_no(1);
    assert_eq!(
        domain::pricing::quote(&request).unwrap_err().code(),
        "purchase_twice"
    );
}

// ---- fares ----

fn by_price(rows: &[(i64, i64)]) -> ShippingOption {
    ShippingOption {
        charge_type: ChargeType::PriceRange,
        prices_range: rows
            .iter()
            .map(|(price, amount)| PriceStep {
                price: Amount::new(*price),
                amount: Amount::new(*amount),
            })
            .collect(),
        ..fixed(0)
    }
}

#[test]
fn o5_bundled_goods_pay_the_largest_fare_pieces_their_own() {
    let quote = Basket::of([
        item(1, 1000, 1).sent(fixed(2500)),
        item(2, 1000, 1).sent(by_piece(fixed(2000))),
        item(3, 1000, 1).sent(fixed(3000)),
        item(4, 1000, 9).sent(by_piece(fixed(2000))),
    ])
    .quote()
    .unwrap();
    assert_eq!(fares(&quote, |fare| fare.fare), [3000, 2000, 2000]);
    assert_eq!(
        quote.fares[0].purchase_nos,
        [purchase_no(1), purchase_no(3)]
    );
    assert_eq!(quote.fares[0].name, "fixed 3000");
    assert_eq!(quote.fares[2].purchase_nos, [purchase_no(4)]);
    assert_eq!(quote.totals.fares, Amount::new(7000));
}

#[test]
fn sellers_groups_and_methods_are_parcels_of_their_own() {
    let mut other_group = item(3, 1000, 1).sent(fixed(300));
    other_group.shipping_id = id(2);
    let express = ShippingOption {
        method: ShippingMethod::Express,
        ..fixed(900)
    };
    let quote = Basket::of([
        item(1, 1000, 1).sent(fixed(100)),
        item(2, 1000, 1).sent(fixed(200)).sold_by(2),
        other_group,
        item(4, 1000, 1).sent(express),
        item(5, 1000, 1).sent(fixed(50)),
    ])
    .quote()
    .unwrap();
    assert_eq!(fares(&quote, |fare| fare.fare), [100, 200, 300, 900]);
    assert_eq!(quote.fares[1].seller, id(2));
}

#[test]
fn an_island_is_charged_once_a_parcel_and_services_per_item() {
    let island = |base, jeju, service| ShippingOption {
        island: IslandFee {
            is_active: true,
            amount_base: Amount::new(base),
            amount_jeju: Amount::new(jeju),
        },
        service: ServiceFee {
            is_active: true,
            amount: Amount::new(service),
        },
        ..fixed(300)
    };
    let basket = Basket::of([
        item(1, 1000, 2).sent(island(500, 300, 150)),
        item(2, 1000, 3).sent(island(400, 450, 10)),
        item(3, 1000, 1).sent(by_piece(island(500, 300, 0))),
    ]);
    for (area, fees) in [
        (Area::None, [0, 0]),
        (Area::Island, [500, 500]),
        (Area::Jeju, [450, 300]),
    ] {
        let quote = basket.clone().to(area).quote().unwrap();
        assert_eq!(fares(&quote, |fare| fare.island_fee), fees, "{area:?}");
        assert_eq!(fares(&quote, |fare| fare.service_fee), [330, 0]);
    }
}

#[test]
fn fares_by_price_look_at_the_parcel_after_discounts_and_before_coupons() {
    let free_from_5000 = || by_price(&[(0, 300), (5000, 0)]);
    let goods = |price| {
        [
            item(1, price, 1).sent(free_from_5000()),
            item(2, 2000, 1).sent(free_from_5000()),
        ]
    };
    let fare_of = |basket: Basket| basket.quote().unwrap().totals.fares.hundredths();
    assert_eq!(fare_of(Basket::of(goods(3000))), 0);
    assert_eq!(fare_of(Basket::of(goods(2999))), 300);
    assert_eq!(fare_of(Basket::of(goods(3000)).at_level(amount(1))), 300);
    let with_coupon = Basket::of(goods(3000)).with(coupon_on(1, 1, percent(50)));
    assert_eq!(fare_of(with_coupon), 0);
    let apart = goods(3000).map(|item| item.clone().sent(by_piece(item.shipping)));
    assert_eq!(fare_of(Basket::of(apart)), 600);
}

#[test]
fn fares_by_distance_take_each_lines_own() {
    let far = |km| {
        let mut sent = item(1, 1000, 1).sent(by_piece(ShippingOption {
            charge_type: ChargeType::TravelRange,
            travel_range: [(0, 300), (10, 500), (30, 900)]
                .map(|(distance, amount)| TravelStep {
                    distance,
                    amount: Amount::new(amount),
                })
                .to_vec(),
            ..fixed(0)
        }));
        sent.distance = Kilometres::new(km);
        sent
    };
    let quote = Basket::of([far(12.4), far(30.0), far(0.0)])
        .quote()
        .unwrap();
    assert_eq!(fares(&quote, |fare| fare.fare), [500, 900, 300]);
}

// ---- coupons ----

fn why(quote: Result<Quote, PricingError>) -> Option<CouponRefusal> {
    quote.err().and_then(|error| error.why())
}

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
    // nobody is there to bear it
    assert_eq!(share(None, 30), 0);
}

// ---- points ----

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

// ---- the wire ----

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

/// A discount with a limit is capped per piece for products, per line for coupons.
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

/// An order in won, worked by hand: every rounding goes to the whole won.
///
/// - A: ₩12,345 less 15% (₩1,851.75, up to ₩1,852) is ₩10,493; the level's 3% of that (₩314.79, up to ₩315) leaves ₩10,178; two of
///   them ₩20,356. The coupon's 7% of that (₩1,424.92, up to ₩1,425) leaves ₩18,931; its seller bears 30% (₩427.5, down to ₩427).
/// - B: ₩9,990, the level's 3% (₩299.7, up to ₩300) leaves ₩9,690.
/// - The fare is ₩3,000; ₩1,000 off the total is shared over 18,931 : 9,690 : 3,000 = 598.7 : 306.4 : 94.9, in whole won by the
///   largest remainder 599 : 306 : 95.
/// - ₩500 of points over 18,332 : 9,384 : 2,905 = 299.3 : 153.2 : 47.4, in whole won 299 : 153 : 48 with the won left over to
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
