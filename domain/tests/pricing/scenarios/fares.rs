//! Fares of parcels.

use domain::Amount;
use domain::distance::Kilometres;
use domain::shipping::{
    Area, ChargeType, IslandFee, PriceStep, ServiceFee, ShippingMethod, ShippingOption, TravelStep,
};

use super::fares;
use crate::basket::{Basket, amount, by_piece, coupon_on, fixed, id, item, percent, purchase_no};

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
