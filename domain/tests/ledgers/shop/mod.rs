//! A small shop in memory: every stream, and one function that turns decisions into events, all or nothing.
//!
//! Two sellers. 자전거 and 헬멧 belong to the first one, 주스 to the second one. 세트 contains one 헬멧, so both take from the same stock.

mod decisions;
mod goods;
mod writing;

use std::collections::{BTreeMap, BTreeSet};

use domain::accounting::LedgerReplayer;
use domain::catalogue::{Discount, Product, ValueUnit};
use domain::coupon::{Campaign, IssuedCoupon};
use domain::ids::{
    CouponId, IssuedCouponId, LotId, MemberId, OrderId, PaymentId, ProductId, StockId,
    UserPaymentId,
};
use domain::member::Member;
use domain::order::{Buyer, FareTerms, Order, OrderTerms, ParcelRules, StockTaken, number};
use domain::payment::Payment;
use domain::payment::PaymentMethod;
use domain::points::{self, Points, PointsLiability};
use domain::pricing::{CouponToUse, Line, Request, quote};
use domain::rounding::RoundingStep;
use domain::shipping::{Area, ShippingOption};
use domain::stock::Stock;
use domain::unit_of_work::UnitOfWork;
use domain::user_payment::UserPayment;
use domain::{Actor, Amount, Context, Purpose, Sealed};
use time::{Duration, OffsetDateTime};

use goods::{group, shipping};

pub use goods::{
    buyer, coupon_id, coupon_terms, issued_id, pickup, product, product_id, seller, stock_of,
};

use super::given::NOON;

/// The products of the shop, by index.
pub const BIKE: usize = 0;
pub const HELMET: usize = 1;
pub const JUICE: usize = 2;
pub const SET: usize = 3;
pub const PRODUCTS: usize = 4;

/// The coupons of the shop, by index.
pub const TEN_PERCENT_OFF_BIKES: usize = 0;
pub const FREE_FARE: usize = 1;
pub const FIRST_COME: usize = 2;
pub const JUICE_DAY: usize = 3;
pub const COUPONS: usize = 4;

/// The contents of an order: quantities by product, coupons by kind, points.
#[derive(Clone, Debug, Default)]
pub struct Basket {
    pub buyer: usize,
    /// (product, quantity); the same product may occur twice.
    pub lines: Vec<(usize, u32)>,
    pub coupons: Vec<usize>,
    pub points: i64,
    pub area: Area,
}

/// Goods, coupons and one member's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub stock: BTreeMap<StockId, Stock>,
    pub issued: BTreeMap<IssuedCouponId, IssuedCoupon>,
    pub campaigns: BTreeMap<CouponId, Campaign>,
    pub points: Points,
}

/// The shop.
#[derive(Clone, Debug, Default)]
pub struct Shop {
    pub now: Duration,
    pub stock: BTreeMap<StockId, Stock>,
    pub issued: BTreeMap<IssuedCouponId, IssuedCoupon>,
    pub campaigns: BTreeMap<CouponId, Campaign>,
    pub points: BTreeMap<MemberId, Points>,
    pub orders: BTreeMap<OrderId, Order>,
    pub payments: BTreeMap<PaymentId, Payment>,
    pub user_payments: BTreeMap<UserPaymentId, UserPayment>,
    pub members: BTreeMap<MemberId, Member>,
    pub goods: BTreeMap<StockId, ProductId>,
    pub books: LedgerReplayer,
    /// What is owed in points, folded from the events.
    pub liability: PointsLiability,
    pub tally: Tally,
}

/// Totals counted from the events alone, without the aggregates.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Expected units in stock.
    pub pieces: BTreeMap<StockId, i64>,
    /// Units each order took and did not return, where not zero.
    pub held: BTreeMap<(StockId, OrderId), i64>,
    /// Points granted, by lot.
    pub granted: BTreeMap<LotId, i64>,
    /// Points used and not restored, by lot.
    pub spent: BTreeMap<LotId, i64>,
    /// Points expired or lost, by lot.
    pub expired: BTreeMap<LotId, i64>,
    pub revoked: BTreeMap<LotId, i64>,
    pub taken: BTreeMap<LotId, i64>,
    /// Money received and not refunded by the gateway, by payment.
    pub money: BTreeMap<PaymentId, i64>,
    /// Uses less returns, by issued coupon.
    pub uses: BTreeMap<IssuedCouponId, i64>,
    /// Discount of each counted use that was not given back, by campaign and coupon.
    pub counted: BTreeMap<CouponId, BTreeMap<IssuedCouponId, i64>>,
    /// The terms of each order as placed.
    pub placed: BTreeMap<OrderId, OrderTerms>,
    /// Types of the events that occurred.
    pub seen: BTreeSet<String>,
}

impl Shop {
    /// Ten units of everything, every coupon in every box, a hundred dollars of points in two lots each.
    pub fn open() -> Self {
        let mut shop = Self::default();
        for product in [BIKE, HELMET, JUICE] {
            shop.count(product, 10).unwrap();
        }
        for (number, days) in [(0, 10), (0, 20), (1, 15)] {
            shop.grant(number, 5_000, days).unwrap();
        }
        shop.limit(Some(1));
        for coupon in 0..COUPONS {
            for number in 0..2 {
                shop.issue(coupon, number);
            }
        }
        shop
    }

    pub fn time(&self) -> OffsetDateTime {
        NOON + self.now
    }

    pub fn context(&self) -> Context {
        Context {
            now: self.time(),
            actor: Actor::System,
        }
    }

    /// The shipping options of an order's parcels; every claim recharges.
    pub fn parcels(&self, order: OrderId) -> ParcelRules {
        let order = self.order(order);
        let Ok(terms) = order.terms() else {
            return ParcelRules::default();
        };
        let option = |fare: &FareTerms| {
            let carried = fare.purchase_nos.first().unwrap();
            let line = order.purchase_terms(carried).unwrap();
            let place = (0..PRODUCTS).find(|place| product_id(*place) == line.product);
            shipping(place.unwrap())
        };
        ParcelRules {
            options: (0..).zip(terms.fares.iter().map(option)).collect(),
            recharges: true,
        }
    }

    /// The terms of a basket at current prices.
    pub fn terms(
        &self,
        basket: &Basket,
        order: OrderId,
    ) -> Result<OrderTerms, domain::pricing::PricingError> {
        let products: Vec<Product> = (0..PRODUCTS).map(product).collect();
        let ways: Vec<ShippingOption> = (0..PRODUCTS).map(shipping).collect();
        let order_no = format!("20261121-{:08}", order.0.as_u128());
        let lines: Vec<Line<'_>> = basket
            .lines
            .iter()
            .enumerate()
            .map(|(place, (of, quantity))| Line {
                purchase_no: number::purchase_no(&order_no, place + 1),
                product_id: product_id(*of),
                product: products.get(*of).unwrap(),
                product_version: 1,
                option: None,
                quantity: *quantity,
                categories: vec![],
                displays: vec![],
                shipping: ways.get(*of).unwrap(),
                shipping_id: group(*of),
                distance: None,
                parts: if *of == SET {
                    vec![StockTaken {
                        stock: stock_of(HELMET),
                        quantity: *quantity,
                    }]
                } else {
                    vec![]
                },
                choice: None,
            })
            .collect();
        let coupons = basket
            .coupons
            .iter()
            .map(|coupon| CouponToUse {
                issued: issued_id(*coupon, basket.buyer),
                coupon: coupon_id(*coupon),
                terms: coupon_terms(*coupon),
                purchase_no: (*coupon == TEN_PERCENT_OFF_BIKES)
                    .then(|| number::purchase_no(&order_no, 1)),
            })
            .collect();
        let quoted = quote(&Request {
            lines,
            area: basket.area,
            level_discount: Some(Discount {
                unit: ValueUnit::Percent,
                value: 3,
                limit: None,
            }),
            coupons,
            points: Amount::new(basket.points),
            step: RoundingStep::HUNDREDTH,
            now: self.time(),
        })?;
        let party = || Sealed::from_parts(order.0, Purpose::Statutory, "sealed".to_owned());
        Ok(OrderTerms {
            order_no,
            buyer: Buyer::Member {
                id: buyer(basket.buyer),
            },
            sender: party(),
            receiver: party(),
            request_message: None,
            cash_receipt: None,
            area: basket.area,
            area_unknown: false,
            purchases: quoted.purchases,
            fares: quoted.fares,
            coupons: quoted.coupons,
            points: vec![],
            totals: quoted.totals,
            step: RoundingStep::HUNDREDTH,
            payment_method: PaymentMethod::Card,
            terms: vec![],
            pay_by: self.time() + Duration::hours(1),
            deposit: None,
            rules: vec![],
        })
    }

    /// The stock, coupons and points of this member.
    pub fn contents(&self, of: MemberId) -> Contents {
        Contents {
            stock: self.stock.clone(),
            issued: self.issued.clone(),
            campaigns: self.campaigns.clone(),
            points: self.points.get(&of).cloned().unwrap_or_default(),
        }
    }

    /// A unit of work with every stream of the shop.
    fn work(&self) -> UnitOfWork {
        let mut work = UnitOfWork::new(self.context());
        for (id, state) in &self.orders {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.payments {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.user_payments {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.stock {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.issued {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.campaigns {
            work.insert(id, state.clone(), 1);
        }
        for (id, state) in &self.members {
            work.insert(id, state.clone(), 1);
        }
        for (member, state) in &self.points {
            work.insert(points::stream_id(*member), state.clone(), 1);
        }
        work
    }

    /// Makes a decision and writes it, all or nothing; returns its result.
    fn decide<R, E>(&mut self, decide: impl Fn(&mut UnitOfWork) -> Result<R, E>) -> Result<R, E> {
        let mut work = self.work();
        let mut result = decide(&mut work);
        while !work.is_loaded() {
            work.load_rest_empty();
            work.rewind();
            result = decide(&mut work);
        }
        let result = result?;
        self.write(&work);
        Ok(result)
    }

    pub fn order(&self, order: OrderId) -> Order {
        self.orders.get(&order).cloned().unwrap_or_default()
    }
}

fn at(now: Duration) -> Context {
    Context {
        now: NOON + now,
        actor: Actor::System,
    }
}
