//! Builds baskets for tests concisely.

use domain::Amount;
use domain::catalogue::{Discount, Product, ValueUnit};
use domain::coupon::{CouponTerms, PriceBasis, Stage};
use domain::distance::Kilometres;
use domain::ids::{CouponId, IssuedCouponId, MemberId, OptionId, ProductId, ShippingId};
use domain::order::StockTaken;
use domain::price_trace::PriceTrace;
use domain::pricing::{CouponToUse, Line, PricingError, Quote, Request, explained, quote};
use domain::rounding::RoundingStep;
use domain::shipping::{Area, BundleType, ShippingOption};
use serde_json::json;
use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;

pub const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

/// The seller, product, shipping group ... with this number.
pub fn id<T: From<Uuid>>(number: u128) -> T {
    T::from(Uuid::from_u128(number))
}

pub const fn percent(value: i64) -> Discount {
    Discount {
        unit: ValueUnit::Percent,
        value,
        limit: None,
    }
}

pub const fn amount(value: i64) -> Discount {
    Discount {
        unit: ValueUnit::Amount,
        value,
        limit: None,
    }
}

/// A fixed fare, bundled.
pub fn fixed(fare: i64) -> ShippingOption {
    ShippingOption {
        name: format!("fixed {fare}"),
        fixed_amount: Amount::new(fare),
        ..ShippingOption::default()
    }
}

/// The same, for each unit.
pub fn by_piece(option: ShippingOption) -> ShippingOption {
    ShippingOption {
        bundle_type: BundleType::Piece,
        ..option
    }
}

/// One line of the basket.
#[derive(Clone, Debug)]
pub struct Item {
    pub product_id: ProductId,
    pub product: Product,
    pub option: Option<OptionId>,
    pub quantity: u32,
    pub categories: Vec<String>,
    pub displays: Vec<String>,
    pub shipping: ShippingOption,
    pub shipping_id: ShippingId,
    pub distance: Option<Kilometres>,
    pub parts: Vec<StockTaken>,
}

/// `quantity` units of product `number` at `price`, sold by seller 1, with free shipping.
pub fn item(number: u128, price: i64, quantity: u32) -> Item {
    Item {
        product_id: id(number),
        product: serde_json::from_value(json!({
            "code": format!("P{number}"),
            "name": format!("product {number}"),
            "_seller": id::<MemberId>(1),
            "price": price,
            "shows": true,
        }))
        .unwrap(),
        option: None,
        quantity,
        categories: Vec::new(),
        displays: Vec::new(),
        shipping: fixed(0),
        shipping_id: id(1),
        distance: None,
        parts: Vec::new(),
    }
}

impl Item {
    pub fn discounted(mut self, discount: Discount) -> Self {
        self.product.discount = Some(discount);
        self
    }

    pub fn sold_by(mut self, seller: u128) -> Self {
        self.product.seller = id(seller);
        self
    }

    pub fn sent(mut self, shipping: ShippingOption) -> Self {
        self.shipping = shipping;
        self
    }

    pub fn shown_in(mut self, displays: &[&str]) -> Self {
        self.displays = displays.iter().map(ToString::to_string).collect();
        self
    }

    pub fn within(mut self, categories: &[&str]) -> Self {
        self.categories = categories.iter().map(|code| (*code).to_owned()).collect();
        self
    }

    /// Selects option `number` of the product, at an extra `price`.
    pub fn option(mut self, number: u128, price: i64, enabled: bool) -> Self {
        self.product.options_conf.enabled = true;
        self.product.options.push(
            serde_json::from_value(json!({
                "_id": id::<OptionId>(number),
                "name": "colour",
                "value": format!("option {number}"),
                "price": price,
                "enabled": enabled,
            }))
            .unwrap(),
        );
        self.option = Some(id(number));
        self
    }
}

/// Issued coupon `number`, for any goods, at any time.
pub fn coupon(number: u128, stage: Stage, discount: Discount) -> CouponToUse {
    CouponToUse {
        issued: id::<IssuedCouponId>(number),
        coupon: id::<CouponId>(1000 + number),
        terms: CouponTerms {
            name: format!("coupon {number}"),
            stage,
            unit: discount.unit,
            value: discount.value,
            limit: discount.limit,
            seller: None,
            share: 0,
            products: Vec::new(),
            categories: Vec::new(),
            displays: Vec::new(),
            for_nothing: false,
            price_basis: PriceBasis::Sale,
            price_min: None,
            price_max: None,
            starts_at: None,
            ends_at: None,
            combinable: true,
            returnable: true,
            counted: false,
        },
        purchase_no: None,
    }
}

/// The same, for line `line` (from 1).
pub fn coupon_on(number: u128, line: u32, discount: Discount) -> CouponToUse {
    CouponToUse {
        purchase_no: Some(purchase_no(line)),
        ..coupon(number, Stage::Product, discount)
    }
}

/// The number of line `line`, from 1.
pub fn purchase_no(line: u32) -> String {
    format!("20261121-A-{line}")
}

/// A basket with everything that affects its price.
#[derive(Clone, Debug, Default)]
pub struct Basket {
    pub items: Vec<Item>,
    pub area: Area,
    pub level: Option<Discount>,
    pub coupons: Vec<CouponToUse>,
    pub points: i64,
    pub step: RoundingStep,
}

impl Basket {
    pub fn of(items: impl IntoIterator<Item = Item>) -> Self {
        Self {
            items: items.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The same numbers in whole won instead of cents.
    pub fn in_won(mut self) -> Self {
        let won = |amount: &mut Amount| *amount = amount.times(100).unwrap_or(*amount);
        let discounted = |discount: &mut Discount| {
            if discount.unit == ValueUnit::Amount {
                discount.value *= 100;
            }
            discount.limit.iter_mut().for_each(won);
        };
        for item in &mut self.items {
            won(&mut item.product.price);
            item.product.discount.iter_mut().for_each(discounted);
            let options = item.product.options.iter_mut();
            options.for_each(|option| won(&mut option.price));
            let shipping = &mut item.shipping;
            won(&mut shipping.fixed_amount);
            won(&mut shipping.island.amount_base);
            won(&mut shipping.island.amount_jeju);
            won(&mut shipping.service.amount);
            for row in &mut shipping.prices_range {
                won(&mut row.price);
                won(&mut row.amount);
            }
            let rows = shipping.travel_range.iter_mut();
            rows.for_each(|row| won(&mut row.amount));
        }
        self.level.iter_mut().for_each(discounted);
        for used in &mut self.coupons {
            if used.terms.unit == ValueUnit::Amount {
                used.terms.value *= 100;
            }
            used.terms.limit.iter_mut().for_each(won);
        }
        self.points = self.points.saturating_mul(100) / 100 * 100;
        self.step = RoundingStep::WON;
        self
    }

    pub fn with(mut self, coupon: CouponToUse) -> Self {
        self.coupons.push(coupon);
        self
    }

    pub fn paying_points(mut self, points: i64) -> Self {
        self.points = points;
        self
    }

    pub fn to(mut self, area: Area) -> Self {
        self.area = area;
        self
    }

    pub fn at_level(mut self, discount: Discount) -> Self {
        self.level = Some(discount);
        self
    }

    pub fn request(&self) -> Request<'_> {
        Request {
            lines: (1..)
                .zip(&self.items)
                .map(|(line, item)| Line {
                    purchase_no: purchase_no(line),
                    product_id: item.product_id,
                    product: &item.product,
                    product_version: 7,
                    option: item.option,
                    quantity: item.quantity,
                    categories: item.categories.clone(),
                    displays: item.displays.clone(),
                    shipping: &item.shipping,
                    shipping_id: item.shipping_id,
                    distance: item.distance,
                    parts: item.parts.clone(),
                    choice: None,
                })
                .collect(),
            area: self.area,
            level_discount: self.level,
            coupons: self.coupons.clone(),
            points: Amount::new(self.points),
            step: self.step,
            now: NOW,
        }
    }

    pub fn quote(&self) -> Result<Quote, PricingError> {
        quote(&self.request())
    }

    pub fn workings(&self) -> (Quote, PriceTrace) {
        explained(&self.request()).unwrap()
    }

    pub fn payable(&self) -> i64 {
        self.quote().unwrap().totals.payable.hundredths()
    }
}
