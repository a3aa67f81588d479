//! Any basket that is accepted.

use domain::Amount;
use domain::catalogue::{Discount, ValueUnit};
use domain::coupon::Stage;
use domain::distance::Kilometres;
use domain::pricing::{CouponToUse, PricingError};
use domain::shipping::{
    Area, BundleType, ChargeType, IslandFee, PriceStep, ServiceFee, ShippingMethod, ShippingOption,
    TravelStep,
};
use proptest::prelude::*;

use crate::basket::{Basket, Item, coupon, id, item, purchase_no};

pub fn any_discount() -> impl Strategy<Value = Discount> {
    let value = prop_oneof![
        (0..=100_i64).prop_map(|value| (ValueUnit::Percent, value)),
        (0..=30_000_i64).prop_map(|value| (ValueUnit::Amount, value)),
    ];
    (value, prop::option::of(0..=5_000_i64)).prop_map(|((unit, value), limit)| Discount {
        unit,
        value,
        limit: limit.map(Amount::new),
    })
}

fn any_shipping() -> impl Strategy<Value = ShippingOption> {
    let kinds = (
        prop_oneof![Just(BundleType::Bundle), Just(BundleType::Piece)],
        prop_oneof![
            Just(ChargeType::Fixed),
            Just(ChargeType::PayOnDelivery),
            Just(ChargeType::PriceRange),
            Just(ChargeType::TravelRange),
        ],
        prop_oneof![
            3 => Just(ShippingMethod::General),
            1 => Just(ShippingMethod::Express)
        ],
    );
    let tables = (
        prop::collection::vec((0..20_000_i64, 0..1_000_i64), 1..4),
        prop::collection::vec((0..50_u32, 0..1_000_i64), 1..4),
    );
    let fees = (
        any::<bool>(),
        0..500_i64,
        0..500_i64,
        any::<bool>(),
        0..200_i64,
    );
    (kinds, 0..1_000_i64, tables, fees).prop_map(
        |((bundle_type, charge_type, method), fixed, (prices, travel), fees)| ShippingOption {
            id: String::new(),
            region: None,
            return_amount: None,
            areas_available: vec![],
            name: "any".to_owned(),
            method,
            bundle_type,
            charge_type,
            fixed_amount: Amount::new(fixed),
            prices_range: prices
                .into_iter()
                .map(|(price, amount)| PriceStep {
                    price: Amount::new(price),
                    amount: Amount::new(amount),
                })
                .collect(),
            travel_range: travel
                .into_iter()
                .map(|(distance, amount)| TravelStep {
                    distance,
                    amount: Amount::new(amount),
                })
                .collect(),
            island: IslandFee {
                is_active: fees.0,
                amount_base: Amount::new(fees.1),
                amount_jeju: Amount::new(fees.2),
            },
            service: ServiceFee {
                is_active: fees.3,
                amount: Amount::new(fees.4),
            },
        },
    )
}

fn any_item() -> impl Strategy<Value = Item> {
    (
        (1..4_u128, 0..20_000_i64, 1..6_u32, 1..3_u128),
        prop::option::of(any_discount()),
        prop::option::of(0..500_i64),
        (any_shipping(), 1..3_u128, 0..60_u32),
    )
        .prop_map(
            |((number, price, quantity, seller), discount, option, (shipping, group, km))| {
                let mut item = item(number, price, quantity).sold_by(seller).sent(shipping);
                item.shipping_id = id(group);
                item.distance = Kilometres::new(f64::from(km));
                item.product.discount = discount;
                match option {
                    Some(price) => item.option(100 + number, price, true),
                    None => item,
                }
            },
        )
}

/// A coupon for one of the first lines, one of the sellers or anything; its number is set later.
pub fn any_coupon() -> impl Strategy<Value = CouponToUse> {
    (
        prop_oneof![Just(Stage::Product), Just(Stage::Fare), Just(Stage::Total)],
        any_discount(),
        1..5_u32,
        prop::option::weighted(0.3, 1..3_u128),
        0..=100_u8,
        prop::option::weighted(0.2, 1..4_u128),
    )
        .prop_map(|(stage, discount, line, seller, share, product)| {
            let mut used = coupon(0, stage, discount);
            used.terms.seller = seller.map(id);
            used.terms.share = share;
            used.terms.products = product.into_iter().map(id).collect();
            if stage == Stage::Product {
                used.purchase_no = Some(purchase_no(line));
            }
            used
        })
}

/// A basket whose coupons apply and whose points fit: rejected ones are removed, as a buyer would do.
pub fn any_basket() -> impl Strategy<Value = Basket> {
    (
        prop::collection::vec(any_item(), 1..5),
        prop_oneof![Just(Area::None), Just(Area::Island), Just(Area::Jeju)],
        prop::option::of(any_discount()),
        prop::collection::vec(any_coupon(), 0..7),
        prop_oneof![Just(0), 0..5_000_i64, Just(i64::MAX)],
    )
        .prop_map(|(items, area, level, mut coupons, points)| {
            for (number, coupon) in (1..).zip(&mut coupons) {
                coupon.issued = id(number);
            }
            Basket {
                items,
                area,
                level,
                coupons,
                points,
                ..Basket::default()
            }
        })
        .prop_flat_map(|basket| {
            let in_won = basket.clone().in_won();
            prop_oneof![Just(basket), Just(in_won)].prop_map(accepted)
        })
}

pub fn accepted(mut basket: Basket) -> Basket {
    loop {
        match basket.quote() {
            Ok(_) => return basket,
            Err(PricingError::CouponNotApplicable { issued, .. }) => {
                basket.coupons.retain(|coupon| coupon.issued != issued);
            }
            Err(PricingError::PointsExceed { most }) => basket.points = most.hundredths(),
            Err(error) => unreachable!("{error}: {basket:?}"),
        }
    }
}
