//! The products and coupons.

use domain::catalogue::{Discount, Picture, Product, ProductType, Seo, ValueUnit, Variation};
use domain::coupon::{CouponTerms, PriceBasis, Stage};
use domain::ids::{CouponId, IssuedCouponId, MemberId, ProductId, ShippingId, StockId};
use domain::personal::Party;
use domain::shipping::{BundleType, ChargeType, IslandFee, PriceStep, ServiceFee, ShippingOption};
use domain::{Amount, Purpose, Sealed};
use time::Duration;

use super::{BIKE, FIRST_COME, FREE_FARE, HELMET, JUICE, SET, TEN_PERCENT_OFF_BIKES};
use crate::given::{NOON, id};

pub fn seller(number: u128) -> MemberId {
    id(0xE0 + number)
}

pub fn buyer(number: usize) -> MemberId {
    id(0xB0 + u128::try_from(number).unwrap())
}

pub fn stock_of(product: usize) -> StockId {
    let product = if product == SET { HELMET } else { product };
    id(0x10 + u128::try_from(product).unwrap())
}

pub fn product_id(product: usize) -> ProductId {
    id(0x10 + u128::try_from(product).unwrap())
}

pub fn coupon_id(coupon: usize) -> CouponId {
    id(0xC0 + u128::try_from(coupon).unwrap())
}

/// The coupon of this kind in this buyer's box.
pub fn issued_id(coupon: usize, buyer: usize) -> IssuedCouponId {
    id(0x1C00 + u128::try_from(coupon * 16 + buyer).unwrap())
}

pub fn product(place: usize) -> Product {
    let (name, price, of) = match place {
        BIKE => ("자전거", 99_990, seller(1)),
        HELMET => ("헬멧", 12_345, seller(1)),
        JUICE => ("주스", 333, seller(2)),
        _ => ("세트", 13_000, seller(1)),
    };
    Product {
        code: format!("P-{place}"),
        name: name.to_owned(),
        kind: if place == SET {
            ProductType::ProductBundle
        } else {
            ProductType::NormalProduct
        },
        seller: of,
        price: Amount::new(price),
        discount: (place == BIKE).then_some(Discount {
            unit: ValueUnit::Percent,
            value: 7,
            limit: None,
        }),
        options_conf: domain::catalogue::OptionsConf::default(),
        options: vec![],
        bundleds: vec![],
        categories: vec![],
        brand: None,
        desc: String::new(),
        content: String::new(),
        thumb: Picture::default(),
        images: vec![],
        shows: true,
        index: 0,
        hashtags: vec![],
        flags: vec![],
        groups: vec![],
        relateds: vec![],
        choicees: vec![],
        supplies: vec![],
        related_group_code: None,
        cost: None,
        sequence: 0,
        link: None,
        variation: Variation::default(),
        materials: vec![],
        nutritions: vec![],
        size: None,
        origin: None,
        manufacturer: None,
        shipping: None,
        seo: Seo::default(),
    }
}

/// An address goods are picked up from.
pub fn pickup() -> Sealed<Party> {
    Sealed::from_parts(
        id::<MemberId>(1).0,
        Purpose::Statutory,
        "c2VhbA==".to_owned(),
    )
}

pub fn shipping(product: usize) -> ShippingOption {
    ShippingOption {
        name: "택배".to_owned(),
        bundle_type: if product == BIKE {
            BundleType::Piece
        } else {
            BundleType::Bundle
        },
        charge_type: ChargeType::PriceRange,
        prices_range: vec![
            PriceStep {
                price: Amount::ZERO,
                amount: Amount::new(301),
            },
            PriceStep {
                price: Amount::new(50_000),
                amount: Amount::new(100),
            },
        ],
        island: IslandFee {
            is_active: true,
            amount_base: Amount::new(500),
            amount_jeju: Amount::new(300),
        },
        service: ServiceFee {
            is_active: product == BIKE,
            amount: Amount::new(150),
        },
        ..ShippingOption::default()
    }
}

/// Bikes ship alone; all other goods of a seller ship in one parcel.
pub fn group(product: usize) -> ShippingId {
    id(match product {
        BIKE => 0x50,
        JUICE => 0x52,
        _ => 0x51,
    })
}

pub fn coupon_terms(coupon: usize) -> CouponTerms {
    let (name, stage, unit, value, of, share) = match coupon {
        TEN_PERCENT_OFF_BIKES => (
            "자전거 10%",
            Stage::Product,
            ValueUnit::Percent,
            10,
            Some(seller(1)),
            100,
        ),
        FREE_FARE => ("무료배송", Stage::Fare, ValueUnit::Percent, 100, None, 0),
        FIRST_COME => ("선착순", Stage::Total, ValueUnit::Amount, 1_001, None, 0),
        _ => (
            "주스의 날",
            Stage::Total,
            ValueUnit::Percent,
            33,
            Some(seller(2)),
            50,
        ),
    };
    CouponTerms {
        name: name.to_owned(),
        stage,
        unit,
        value,
        limit: None,
        seller: of,
        share,
        products: vec![],
        categories: vec![],
        displays: vec![],
        for_nothing: false,
        price_basis: PriceBasis::Sale,
        price_min: None,
        price_max: None,
        starts_at: None,
        ends_at: Some(NOON + Duration::days(30)),
        combinable: true,
        returnable: true,
        counted: coupon == FIRST_COME,
    }
}
