//! Properties of any order.

mod any;
mod best_coupons;

use any::{accepted, any_basket, any_coupon, any_discount};
use domain::Amount;
use domain::allocation::{Weights, split, split_with_floors};
use domain::catalogue::{Discount, ValueUnit};
use domain::coupon::{PriceBasis, Stage};
use domain::order::{FareTerms, PurchaseTerms};
use domain::price_trace::{PriceRule, TraceStep};
use domain::pricing::discount::discount_amount;
use domain::pricing::{BeforeCoupons, CouponToUse, PricingError, Quote};
use domain::rounding::RoundingStep;
use domain::shipping::{Area, BundleType, ChargeType};
use proptest::prelude::*;

use crate::basket::{Basket, Item, coupon, percent, purchase_no};

/// A hundredth of `percents`, rounded up to a whole step.
fn up(percents: i64, step: i64) -> i64 {
    (percents + 100 * step - 1) / (100 * step) * step
}

/// Every number in it is a whole number of steps.
fn whole_steps(value: &serde_json::Value, step: i64) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.values().for_each(|field| whole_steps(field, step));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| whole_steps(item, step)),
        serde_json::Value::Number(number) => assert_eq!(number.as_i64().unwrap() % step, 0),
        _ => {}
    }
}

/// Every sum documented on the terms, recomputed from their parts.
fn adds_up(basket: &Basket, quote: &Quote) {
    let h = Amount::hundredths;
    for line in &quote.purchases {
        let PurchaseTerms {
            unit_price,
            product_discount,
            level_discount,
            product_coupon,
            total_coupon,
            points,
            paid,
            ..
        } = line;
        let taken = [
            product_discount,
            level_discount,
            product_coupon,
            total_coupon,
            points,
        ];
        assert!(taken.iter().all(|amount| !amount.is_negative()), "{line:?}");
        assert!(!paid.is_negative(), "{line:?}");
        let off: i64 = taken.iter().map(|amount| h(**amount)).sum();
        assert_eq!(h(*unit_price) * i64::from(line.quantity) - off, h(*paid));
    }
    for fare in &quote.fares {
        let FareTerms {
            fare: proper,
            island_fee,
            service_fee,
            fare_coupon,
            total_coupon,
            points,
            paid,
            ..
        } = fare;
        let all = [
            proper,
            island_fee,
            service_fee,
            fare_coupon,
            total_coupon,
            points,
            paid,
        ];
        assert!(all.iter().all(|amount| !amount.is_negative()), "{fare:?}");
        assert!(fare_coupon <= proper, "{fare:?}");
        assert_eq!(
            h(*proper) + h(*island_fee) + h(*service_fee)
                - h(*fare_coupon)
                - h(*total_coupon)
                - h(*points),
            h(*paid)
        );
    }
    let lines = |of: fn(&PurchaseTerms) -> Amount| -> i64 {
        quote.purchases.iter().map(|line| h(of(line))).sum()
    };
    let fares =
        |of: fn(&FareTerms) -> Amount| -> i64 { quote.fares.iter().map(|fare| h(of(fare))).sum() };
    let totals = quote.totals;
    assert_eq!(
        h(totals.fares),
        fares(|fare| fare.fare) + fares(|fare| fare.island_fee) + fares(|fare| fare.service_fee)
    );
    assert_eq!(
        h(totals.product_discount),
        lines(|line| line.product_discount)
    );
    assert_eq!(h(totals.level_discount), lines(|line| line.level_discount));
    assert_eq!(h(totals.points), basket.points);
    assert_eq!(
        basket.points,
        lines(|line| line.points) + fares(|fare| fare.points)
    );
    assert_eq!(
        h(totals.payable),
        lines(|line| line.paid) + fares(|fare| fare.paid)
    );
    assert_eq!(
        h(totals.goods)
            - h(totals.product_discount)
            - h(totals.level_discount)
            - h(totals.product_coupon)
            - h(totals.fare_coupon)
            - h(totals.total_coupon)
            - h(totals.points)
            + h(totals.fares),
        h(totals.payable)
    );
    let step = basket.step.hundredths();
    // in whole steps everywhere
    let all = serde_json::to_value(quote).unwrap();
    whole_steps(&all["totals"], step);
    whole_steps(&all["coupons"], step);
    for field in [
        "unitPrice",
        "productDiscount",
        "levelDiscount",
        "productCoupon",
        "totalCoupon",
        "points",
        "paid",
    ] {
        all["purchases"]
            .as_array()
            .unwrap()
            .iter()
            .for_each(|line| whole_steps(&line[field], step));
    }
    for field in [
        "fare",
        "islandFee",
        "serviceFee",
        "fareCoupon",
        "totalCoupon",
        "points",
        "paid",
    ] {
        all["fares"]
            .as_array()
            .unwrap()
            .iter()
            .for_each(|fare| whole_steps(&fare[field], step));
    }
    // the discount of the coupons equals that of lines and fares, stage by stage
    let used = |stage| -> i64 {
        quote
            .coupons
            .iter()
            .filter(|coupon| coupon.stage == stage)
            .map(|coupon| h(coupon.amount))
            .sum()
    };
    assert_eq!(used(Stage::Product), lines(|line| line.product_coupon));
    assert_eq!(used(Stage::Product), h(totals.product_coupon));
    assert_eq!(used(Stage::Fare), fares(|fare| fare.fare_coupon));
    assert_eq!(used(Stage::Fare), h(totals.fare_coupon));
    assert_eq!(
        used(Stage::Total),
        lines(|line| line.total_coupon) + fares(|fare| fare.total_coupon)
    );
    assert_eq!(used(Stage::Total), h(totals.total_coupon));
    // each purchase is in exactly one parcel
    let mut carried: Vec<&String> = quote
        .fares
        .iter()
        .flat_map(|fare| &fare.purchase_nos)
        .collect();
    carried.sort();
    let purchases: Vec<&String> = quote
        .purchases
        .iter()
        .map(|line| &line.purchase_no)
        .collect();
    assert_eq!(carried, purchases);
}

/// Caps of coupons: their limit, their value, and their share.
fn caps_hold(basket: &Basket, quote: &Quote) {
    assert_eq!(quote.coupons.len(), basket.coupons.len());
    for used in &quote.coupons {
        let given = basket
            .coupons
            .iter()
            .find(|given| given.issued == used.issued)
            .unwrap();
        let terms = &given.terms;
        assert!(used.amount > Amount::ZERO);
        assert!(terms.limit.is_none_or(|limit| used.amount <= limit));
        if terms.unit == ValueUnit::Amount {
            assert!(used.amount.hundredths() <= terms.value);
        }
        let share = i64::from(if terms.seller.is_some() {
            terms.share
        } else {
            0
        });
        assert_eq!(
            used.seller_share.hundredths(),
            used.amount.hundredths() * share / 100 / basket.step.hundredths()
                * basket.step.hundredths()
        );
    }
}

/// The price of each line before coupons, recomputed unit by unit.
fn sale_prices(basket: &Basket) -> Vec<i64> {
    let off = |discount: &Discount, price: i64| {
        let asked = match discount.unit {
            ValueUnit::Amount => discount.value,
            ValueUnit::Percent => up(price * discount.value, basket.step.hundredths()),
        };
        let limit = discount.limit.map_or(i64::MAX, Amount::hundredths);
        asked.min(limit).min(price)
    };
    basket
        .items
        .iter()
        .map(|item| {
            let option = item.product.options.first();
            let mut piece = item.product.price.hundredths()
                + option.map_or(0, |option| option.price.hundredths());
            for discount in [item.product.discount, basket.level].iter().flatten() {
                piece -= off(discount, piece);
            }
            piece * i64::from(item.quantity)
        })
        .collect()
}

/// The fares of all parcels, recomputed: (fare, island fee, service fee).
fn delivery(basket: &Basket) -> (i64, i64, i64) {
    let prices = sale_prices(basket);
    let mut parcels: Vec<Vec<usize>> = Vec::new();
    for (place, item) in basket.items.iter().enumerate() {
        let joins = |other: &Item| {
            item.shipping.bundle_type == BundleType::Bundle
                && other.shipping.bundle_type == BundleType::Bundle
                && item.product.seller == other.product.seller
                && item.shipping_id == other.shipping_id
                && item.shipping.method == other.shipping.method
        };
        match parcels
            .iter_mut()
            .find(|parcel| joins(&basket.items[parcel[0]]))
        {
            Some(parcel) => parcel.push(place),
            None => parcels.push(vec![place]),
        }
    }
    let mut sums = (0, 0, 0);
    for parcel in parcels {
        let goods: i64 = parcel.iter().map(|place| prices[*place]).sum();
        let (mut fare, mut island) = (0, 0);
        for place in parcel {
            let item = &basket.items[place];
            let option = &item.shipping;
            let table = |mut rows: Vec<(i64, i64)>, at: i64| {
                rows.sort_by_key(|(threshold, _)| *threshold);
                let mut found = rows[0].1;
                for (threshold, amount) in rows {
                    if threshold <= at {
                        found = amount;
                    }
                }
                found
            };
            fare = fare.max(match option.charge_type {
                ChargeType::Fixed => option.fixed_amount.hundredths(),
                ChargeType::PayOnDelivery => 0,
                ChargeType::PriceRange => table(
                    option
                        .prices_range
                        .iter()
                        .map(|row| (row.price.hundredths(), row.amount.hundredths()))
                        .collect(),
                    goods,
                ),
                ChargeType::TravelRange => table(
                    option
                        .travel_range
                        .iter()
                        .map(|row| (i64::from(row.distance), row.amount.hundredths()))
                        .collect(),
                    // whole kilometres in these baskets
                    (0..60)
                        .rfind(|km| f64::from(*km) <= item.distance.unwrap().get())
                        .map_or(0, i64::from),
                ),
            });
            if option.island.is_active {
                island = island.max(match basket.area {
                    Area::None => 0,
                    Area::Island => option.island.amount_base.hundredths(),
                    Area::Jeju => option.island.amount_jeju.hundredths(),
                });
            }
            if option.service.is_active {
                sums.2 += option.service.amount.hundredths() * i64::from(item.quantity);
            }
        }
        sums.0 += fare;
        sums.1 += island;
    }
    sums
}

/// Every number of a quote is the sum of the contributions that explain it, and no rounded percent is reported as exact.
fn is_explained(basket: &Basket) {
    let (quote, workings) = basket.workings();
    assert_eq!(Ok(&quote), basket.quote().as_ref());
    let sum =
        |parts: &[TraceStep]| -> i64 { parts.iter().map(|part| part.amount.hundredths()).sum() };
    let of_stage = |shares: &[Vec<TraceStep>], stage| -> i64 {
        let used = quote.coupons.iter().zip(shares);
        used.filter(|(used, _)| used.stage == stage)
            .map(|(_, parts)| sum(parts))
            .sum()
    };
    let step = basket.step.hundredths();
    let sound = |parts: &[TraceStep]| {
        for (place, part) in parts.iter().enumerate() {
            if let PriceRule::Percent {
                percent,
                of,
                pieces,
            } = part.rule
            {
                let exact = of.hundredths() * percent;
                let missing = exact % (100 * step) != 0;
                let rounded = parts
                    .get(place + 1)
                    .is_some_and(|next| next.rule == PriceRule::RoundedUp);
                assert_eq!(missing, rounded, "{parts:?}");
                assert_eq!(
                    part.amount.hundredths(),
                    exact / (100 * step) * step * i64::from(pieces)
                );
            }
        }
    };
    assert_eq!(workings.lines.len(), quote.purchases.len());
    for (line, how) in quote.purchases.iter().zip(&workings.lines) {
        assert_eq!(sum(&how.goods), line.goods().unwrap().hundredths());
        for (parts, amount) in [
            (&how.product_discount, line.product_discount),
            (&how.level_discount, line.level_discount),
            (&how.points, line.points),
        ] {
            assert_eq!(sum(parts), amount.hundredths(), "{parts:?}");
            sound(parts);
        }
        assert_eq!(
            of_stage(&how.coupons, Stage::Product),
            line.product_coupon.hundredths()
        );
        assert_eq!(
            of_stage(&how.coupons, Stage::Total),
            line.total_coupon.hundredths()
        );
    }
    assert_eq!(workings.fares.len(), quote.fares.len());
    for (fare, how) in quote.fares.iter().zip(&workings.fares) {
        for (parts, amount) in [
            (&how.fare, fare.fare),
            (&how.island_fee, fare.island_fee),
            (&how.service_fee, fare.service_fee),
            (&how.points, fare.points),
        ] {
            assert_eq!(sum(parts), amount.hundredths(), "{parts:?}");
        }
        assert_eq!(
            of_stage(&how.coupons, Stage::Fare),
            fare.fare_coupon.hundredths()
        );
        assert_eq!(
            of_stage(&how.coupons, Stage::Total),
            fare.total_coupon.hundredths()
        );
    }
    assert_eq!(workings.coupons.len(), quote.coupons.len());
    for (used, how) in quote.coupons.iter().zip(&workings.coupons) {
        assert_eq!(sum(&how.amount), used.amount.hundredths(), "{how:?}");
        assert_eq!(sum(&how.seller_share), used.seller_share.hundredths());
        sound(&how.amount);
    }
}

proptest! {
    #[test]
    fn every_number_is_explained_to_the_last_hundredth(basket in any_basket()) {
        is_explained(&basket);
    }

    #[test]
    fn all_parts_add_up_and_nothing_is_negative(basket in any_basket()) {
        let quote = basket.quote().unwrap();
        adds_up(&basket, &quote);
        caps_hold(&basket, &quote);
    }

    #[test]
    fn prices_and_fares_are_what_a_second_computation_says(basket in any_basket()) {
        let quote = basket.quote().unwrap();
        let before_coupons: Vec<i64> = quote
            .purchases
            .iter()
            .map(|line| [line.paid, line.product_coupon, line.total_coupon, line.points])
            .map(|parts| parts.map(Amount::hundredths).iter().sum())
            .collect();
        prop_assert_eq!(before_coupons, sale_prices(&basket));
        let sum = |of: fn(&FareTerms) -> Amount| -> i64 {
            quote.fares.iter().map(|fare| of(fare).hundredths()).sum()
        };
        prop_assert_eq!(
            (sum(|fare| fare.fare), sum(|fare| fare.island_fee), sum(|fare| fare.service_fee)),
            delivery(&basket)
        );
    }

    /// The stages determine the result, not the order in which a buyer selected the coupons; within a stage the given order counts.
    #[test]
    fn the_order_of_coupons_across_stages_does_not_matter(basket in any_basket(), picks in prop::collection::vec(0..3_usize, 40)) {
        let quote = basket.quote().unwrap();
        let mut by_stage = [Stage::Product, Stage::Fare, Stage::Total].map(|stage| {
            basket.coupons.iter().filter(|coupon| coupon.terms.stage == stage).cloned().collect::<std::collections::VecDeque<_>>()
        });
        let mut shuffled = Vec::new();
        for pick in picks.into_iter().chain((0..3).cycle().take(30)) {
            shuffled.extend(by_stage[pick].pop_front());
        }
        prop_assert_eq!(shuffled.len(), basket.coupons.len());
        let reordered = Basket { coupons: shuffled, ..basket };
        prop_assert_eq!(reordered.quote(), Ok(quote));
    }

    /// What a coupon takes off alone, on each line and on all, is what a quote with it shows, and so is the reason if it does not.
    #[test]
    fn a_coupon_tried_alone_takes_what_the_quote_with_it_shows(
        basket in any_basket(),
        mut tried in any_coupon(),
        bounds in (prop::option::weighted(0.3, 0..40_000_i64), prop::option::weighted(0.3, 0..80_000_i64)),
        list in any::<bool>(),
    ) {
        tried.terms.price_min = bounds.0.map(Amount::new);
        tried.terms.price_max = bounds.1.map(Amount::new);
        tried.terms.price_basis = if list { PriceBasis::List } else { PriceBasis::Sale };
        let request = basket.request();
        let before = BeforeCoupons::of(&request).unwrap();
        for line in std::iter::once(None).chain((0..basket.items.len()).map(Some)) {
            let used = CouponToUse {
                purchase_no: line.map(|line| purchase_no(u32::try_from(line).unwrap() + 1)),
                ..tried.clone()
            };
            let alone = Basket { points: 0, coupons: vec![used], ..basket.clone() };
            let shown = match alone.quote() {
                Ok(quote) => Ok(quote.coupons[0].amount),
                Err(PricingError::CouponNotApplicable { why, .. }) => Err(why),
                Err(error) => unreachable!("{error}"),
            };
            prop_assert_eq!(before.discount_of(&tried.terms, line), shown);
        }
    }

    #[test]
    fn enough_coupons_leave_nothing_to_pay(basket in any_basket()) {
        let free = accepted(Basket { points: 0, ..basket }.with(coupon(99, Stage::Total, percent(100))));
        prop_assert_eq!(free.payable(), 0);
    }

    #[test]
    fn every_point_pays_exactly_itself(basket in any_basket(), part in 0..=100_i64) {
        let without = Basket { points: 0, ..basket };
        let payable = without.payable();
        let step = without.step.hundredths();
        let points = payable * part / 100 / step * step;
        prop_assert_eq!(without.paying_points(points).payable(), payable - points);
    }

    /// A larger discount never costs more, a more expensive item never gets a smaller discount, and nothing is deducted twice.
    #[test]
    fn discounts_are_monotone(discount in any_discount(), price in 0..100_000_i64, more in 0..50_i64) {
        let off = |discount: &Discount, price| discount_amount(discount, Amount::new(price), RoundingStep::HUNDREDTH).unwrap();
        let taken = off(&discount, price);
        prop_assert!(!taken.is_negative() && taken.hundredths() <= price);
        let value = match discount.unit {
            ValueUnit::Percent => (discount.value + more).min(100),
            ValueUnit::Amount => discount.value + more,
        };
        let higher = Discount { value, ..discount };
        prop_assert!(off(&higher, price) >= taken);
        let limit = discount.limit.map(|limit| Amount::new(limit.hundredths() + more));
        let wider = Discount { limit, ..discount };
        prop_assert!(off(&wider, price) >= taken);
        prop_assert!(off(&discount, price + more) >= taken);
        // the amount paid does not fall when the price rises
        prop_assert!(price + more - off(&discount, price + more).hundredths() >= price - taken.hundredths());
    }

    #[test]
    fn splits_are_exact_fair_and_within_their_weights(
        weights in prop::collection::vec(0..1_000_000_i64, 1..12),
        total in -2_000_000..2_000_000_i64,
    ) {
        let sum: i64 = weights.iter().sum();
        prop_assume!(sum > 0);
        let split_amounts = |total: i64, weights: &[i64], step| {
            let weights: Vec<Amount> = weights.iter().copied().map(Amount::new).collect();
            split(Amount::new(total), Weights::Amounts(&weights), step).unwrap()
        };
        let parts = split_amounts(total, &weights, RoundingStep::HUNDREDTH);
        // in won the same shares, a hundred times as large
        let hundredfold: Vec<i64> = weights.iter().map(|weight| weight * 100).collect();
        let in_won = split_amounts(total * 100, &hundredfold, RoundingStep::WON);
        let expected: Vec<Amount> = parts.iter().map(|part| Amount::new(part.hundredths() * 100)).collect();
        prop_assert_eq!(in_won, expected);
        prop_assert_eq!(parts.len(), weights.len());
        prop_assert_eq!(parts.iter().map(|part| part.hundredths()).sum::<i64>(), total);
        for (part, weight) in parts.iter().zip(&weights) {
            let part = part.hundredths();
            // within one hundredth of the exact share, on the side of the total's sign, and not above the weight
            prop_assert!((i128::from(part) * i128::from(sum) - i128::from(total) * i128::from(*weight)).abs() < i128::from(sum));
            prop_assert!(part.signum() * total.signum() >= 0);
            prop_assert!(total.abs() > sum || part.abs() <= *weight);
        }
        // of two equal lines the earlier never gets less
        for pair in weights.iter().zip(&parts).collect::<Vec<_>>().windows(2) {
            if pair[0].0 == pair[1].0 {
                prop_assert!(pair[0].1.hundredths().abs() >= pair[1].1.hundredths().abs());
            }
        }
    }

    #[test]
    fn splits_by_pieces_are_whole_steps(
        pieces in prop::collection::vec(0..10_000_u32, 1..12),
        steps in -100_000..100_000_i64,
        step in prop_oneof![Just(1_i64), Just(100), Just(1_000)],
    ) {
        let sum: i64 = pieces.iter().copied().map(i64::from).sum();
        prop_assume!(sum > 0);
        let rounding = RoundingStep::try_from(step).unwrap();
        let parts = split(Amount::new(steps * step), Weights::Quantities(&pieces), rounding).unwrap();
        prop_assert_eq!(parts.iter().map(|part| part.hundredths()).sum::<i64>(), steps * step);
        for (part, count) in parts.iter().zip(&pieces) {
            prop_assert!(rounding.divides(*part), "{} is no multiple of {}", part, step);
            prop_assert!(part.hundredths().signum() * steps.signum() >= 0);
            // within one step of the exact share
            prop_assert!((part.hundredths() / step * sum - steps * i64::from(*count)).abs() < sum);
        }
    }

    #[test]
    fn floors_hold_and_nothing_is_lost(
        lines in prop::collection::vec((0..10_000_i64, 0..10_000_i64), 0..8),
        discount in 0..50_000_i64,
    ) {
        let amounts = |of: fn(&(i64, i64)) -> i64| lines.iter().map(|line| Amount::new(of(line))).collect::<Vec<_>>();
        let floored = split_with_floors(Amount::new(discount), &amounts(|line| line.0), &amounts(|line| line.1), RoundingStep::HUNDREDTH).unwrap();
        let placed: i64 = floored.parts.iter().map(|part| part.hundredths()).sum();
        prop_assert_eq!(placed + floored.unplaced.hundredths(), discount);
        let room: i64 = lines.iter().map(|(price, floor)| (price - floor).max(0)).sum();
        prop_assert_eq!(placed, discount.min(room));
        for ((price, floor), part) in lines.iter().zip(&floored.parts) {
            prop_assert!(part.hundredths() >= 0 && part.hundredths() <= (price - floor).max(0));
        }
    }
}
