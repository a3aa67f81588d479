//! A small shop in memory: every stream, and one counter through which decisions become events, all or nothing.
//!
//! Two sellers. 자전거 and 헬멧 are the first one's, 주스 the second one's. 세트 holds one 헬멧, so both take from the same stock.

use std::collections::{BTreeMap, BTreeSet};

use cqrs_es::{Aggregate, DomainEvent};
use domain::accounting::LedgerReplayer;
use domain::catalogue::{Discount, Picture, Product, ProductType, Seo, ValueUnit};
use domain::checkout::{self, CancelRequest, CheckoutError};
use domain::coupon::{
    Campaign, CampaignCommand, CampaignEvent, CouponTerms, IssuedCoupon, IssuedCouponCommand,
    IssuedCouponEvent, Stage,
};
use domain::ids::{
    CouponId, IssuedCouponId, LotId, MemberId, OrderId, PaymentId, ProductId, RefundId, ShippingId,
    StockId,
};
use domain::member::Member;
use domain::order::{
    Buyer, ClaimState, Order, OrderCommand, OrderError, OrderEvent, OrderTerms, PaymentMethod,
    Reader, StockTaken, number,
};
use domain::payment::{
    Payment, PaymentCommand, PaymentError, PaymentEvent, Started, VirtualAccount,
};
use domain::points::{self, Points, PointsCommand, PointsError, PointsEvent};
use domain::pricing::{CouponToUse, Line, Request, quote};
use domain::rounding::RoundingStep;
use domain::shipping::{
    Area, BundleType, ChargeType, IslandFee, PriceStep, ServiceFee, ShippingOption,
};
use domain::stock::{Stock, StockCommand, StockError, StockEvent};
use domain::unit_of_work::{StreamRef, UnitOfWork};
use domain::{Actor, Amount, Context, Decider, Purpose, Sealed};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::given::{NOON, id};

/// The products of the shop, by place.
pub const BIKE: usize = 0;
pub const HELMET: usize = 1;
pub const JUICE: usize = 2;
pub const SET: usize = 3;
pub const PRODUCTS: usize = 4;

/// The coupons of the shop, by place.
pub const TEN_PERCENT_OFF_BIKES: usize = 0;
pub const FREE_FARE: usize = 1;
pub const FIRST_COME: usize = 2;
pub const JUICE_DAY: usize = 3;
pub const COUPONS: usize = 4;

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
        related_group_code: None,
        size: None,
        origin: None,
        manufacturer: None,
        shipping: None,
        seo: Seo::default(),
    }
}

fn shipping(product: usize) -> ShippingOption {
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

/// Bikes go on their own; what else a seller sends goes in one parcel.
fn group(product: usize) -> ShippingId {
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
        price_min: None,
        price_max: None,
        starts_at: None,
        ends_at: Some(NOON + Duration::days(30)),
        combinable: true,
        counted: coupon == FIRST_COME,
    }
}

/// What somebody wants to buy: pieces by product, coupons by kind, points.
#[derive(Clone, Debug, Default)]
pub struct Basket {
    pub buyer: usize,
    /// (product, pieces); the same product may come twice.
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
    pub members: BTreeMap<MemberId, Member>,
    pub goods: BTreeMap<StockId, ProductId>,
    pub books: LedgerReplayer,
    pub tally: Tally,
}

/// What happened, counted from the events alone, without asking the ledgers.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Pieces there should be.
    pub pieces: BTreeMap<StockId, i64>,
    /// Pieces each order took and did not give back, where it is not zero.
    pub held: BTreeMap<(StockId, OrderId), i64>,
    /// Points granted, by lot.
    pub granted: BTreeMap<LotId, i64>,
    /// Points used and not given back, by lot.
    pub spent: BTreeMap<LotId, i64>,
    /// Points expired or lost, by lot.
    pub expired: BTreeMap<LotId, i64>,
    /// Money the gateway gave and got back, by payment.
    pub money: BTreeMap<PaymentId, i64>,
    /// Uses less returns, by coupon in a box.
    pub uses: BTreeMap<IssuedCouponId, i64>,
    /// What each counted use took off that was not given back, by campaign and coupon.
    pub counted: BTreeMap<CouponId, BTreeMap<IssuedCouponId, i64>>,
    /// Which events happened at all.
    pub seen: BTreeSet<String>,
}

impl Shop {
    /// Ten pieces of everything, every coupon in every box, a hundred dollars of points in two lots each.
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

    /// The terms of a basket at today's prices.
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

    /// What there is of goods, coupons and this member's points.
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

    /// Makes a decision and writes it, all or nothing; returns what it returns.
    fn decide<R>(
        &mut self,
        decide: impl Fn(&mut UnitOfWork) -> Result<R, CheckoutError>,
    ) -> Result<R, CheckoutError> {
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

    pub fn place(&mut self, order: OrderId, basket: &Basket) -> Result<(), CheckoutError> {
        let terms = self.terms(basket, order).unwrap();
        self.place_terms(order, terms)
    }

    pub fn place_terms(&mut self, order: OrderId, terms: OrderTerms) -> Result<(), CheckoutError> {
        let goods = self.goods.clone();
        self.decide(|work| checkout::place(work, order, terms.clone(), &goods))
    }

    /// Makes a decision that cancels. What people are shown before they confirm is what is written, and its lines add up to it.
    fn cancel(
        &mut self,
        id: OrderId,
        decide: impl Fn(&mut UnitOfWork) -> Result<(), CheckoutError>,
    ) -> Result<(), CheckoutError> {
        let (shown, order, issued, points) = self.decide(|work| {
            let shown = checkout::decide_with_preview(work, id, &decide)?;
            let order = work.state::<Order>(id);
            let mut issued = Vec::new();
            for used in &order.terms()?.coupons {
                if !work.events::<IssuedCoupon>(used.issued).is_empty() {
                    issued.push(used.issued);
                }
            }
            let points = match order.buyer() {
                Some(Buyer::Member { id }) => {
                    work.events::<Points>(points::stream_id(*id)).to_vec()
                }
                _ => vec![],
            };
            Ok((shown, work.events::<Order>(id).to_vec(), issued, points))
        })?;
        let Some(shown) = shown else {
            assert_eq!((order.len(), issued.len(), points.len()), (0, 0, 0));
            return Ok(());
        };
        let sum = |amounts: Vec<Amount>| Amount::total(amounts).unwrap();
        let money = shown.lines.iter().map(|line| line.money);
        let money = sum(money
            .chain(shown.fares.iter().map(|fare| fare.money))
            .collect());
        let used = shown.lines.iter().map(|line| line.points);
        let used = sum(used
            .chain(shown.fares.iter().map(|fare| fare.points))
            .collect());
        assert_eq!(shown.refund.amount, money);
        assert_eq!(sum(vec![shown.points.amount, shown.points.expired]), used);
        for event in &order {
            match event {
                OrderEvent::CancelRequested { refund, .. } => assert_eq!(refund.money, money),
                OrderEvent::CancelApproved { terms, .. } => {
                    assert!(shown.at_once);
                    assert_eq!(terms.money, money);
                    let told = shown.coupons.iter().filter(|coupon| coupon.returns);
                    assert_eq!(told.map(|coupon| coupon.issued).collect::<Vec<_>>(), issued);
                    let restored = points.iter().map(|event| match event {
                        PointsEvent::PointsRestored { parts, .. } => {
                            sum(parts.iter().map(|part| part.amount).collect())
                        }
                        other => panic!("{other:?}"),
                    });
                    assert_eq!(sum(restored.collect()), shown.points.amount);
                }
                OrderEvent::OrderCanceled { .. } => assert_eq!(money, Amount::ZERO),
                _ => {}
            }
        }
        Ok(())
    }

    pub fn cancel_unpaid(
        &mut self,
        order: OrderId,
        by: domain::order::CanceledBy,
    ) -> Result<(), CheckoutError> {
        self.cancel(order, |work| checkout::cancel_unpaid(work, order, by, None))
    }

    pub fn request_cancel(
        &mut self,
        order: OrderId,
        request: CancelRequest,
    ) -> Result<(), CheckoutError> {
        self.cancel(order, |work| {
            checkout::request_cancel(work, order, request.clone())
        })
    }

    pub fn approve_cancel(
        &mut self,
        order: OrderId,
        claim: domain::ids::ClaimId,
        refund: RefundId,
    ) -> Result<(), CheckoutError> {
        let approval = checkout::CancelApproval {
            claim,
            refund,
            by: Reader::Staff,
        };
        self.cancel(order, |work| {
            checkout::approve_cancel(work, order, approval)
        })
    }

    pub fn act(&mut self, order: OrderId, act: OrderCommand) -> Result<usize, OrderError> {
        let events = self.order(order).decide(act, &self.context())?;
        let count = events.len();
        self.write_order(order, events);
        Ok(count)
    }

    /// One attempt from the window to the order: the money comes even when the order is gone, and goes back at once.
    pub fn pay(&mut self, order: OrderId, payment: PaymentId) -> Result<(), OrderError> {
        let terms = self.order(order).terms()?.clone();
        let amount = terms.totals.payable;
        let tid = format!("tid-{payment}");
        let by_deposit = payment.0.as_u128().is_multiple_of(3);
        let account = VirtualAccount {
            bank_code: "088".to_owned(),
            bank_name: "신한은행".to_owned(),
            number: "56211105948400".to_owned(),
            expires_at: self.time(),
        };
        let money = if by_deposit {
            vec![
                PaymentCommand::IssueAccount {
                    tid: tid.clone(),
                    amount,
                    account,
                },
                PaymentCommand::RecordDeposit {
                    tid: tid.clone(),
                    amount,
                },
            ]
        } else {
            vec![PaymentCommand::RecordApproval {
                tid: tid.clone(),
                amount,
                approve_no: None,
                receipt_url: None,
            }]
        };
        let asked = [
            PaymentCommand::Start(Started {
                order,
                order_no: terms.order_no,
                attempt: 1,
                amount,
                method: if by_deposit {
                    PaymentMethod::Vbank
                } else {
                    PaymentMethod::Card
                },
                member: None,
            }),
            PaymentCommand::RequestApproval { tid, amount },
        ];
        for act in asked.into_iter().chain(money) {
            let waits = matches!(act, PaymentCommand::IssueAccount { .. });
            if self.act_payment(payment, act).is_err() {
                return Ok(());
            }
            if waits {
                let until = self.time() + Duration::hours(1);
                let _ = self.act(order, OrderCommand::AwaitDeposit { payment, until });
                // given up, and the deposit comes all the same
                if payment.0.as_u128().is_multiple_of(2) {
                    let _ = self.act(order, OrderCommand::EndDepositWait { payment });
                }
            }
        }
        let paid = self.act(
            order,
            OrderCommand::Pay {
                payment: Some(payment),
                amount,
            },
        );
        if paid.is_err() {
            self.refund(payment, id(payment.0.as_u128() + 0xF000), amount)
                .unwrap();
        }
        paid.map(|_| ())
    }

    pub fn refund(
        &mut self,
        payment: PaymentId,
        refund: RefundId,
        amount: Amount,
    ) -> Result<(), PaymentError> {
        for act in [
            PaymentCommand::RequestRefund {
                refund,
                amount,
                reason: "취소".to_owned(),
            },
            PaymentCommand::RecordRefund {
                refund,
                amount,
                canceled_tid: "canceled".to_owned(),
            },
        ] {
            self.act_payment(payment, act)?;
        }
        Ok(())
    }

    /// The money of an approved claim goes back and the claim is completed; doing it again changes nothing.
    pub fn settle_claim(
        &mut self,
        order: OrderId,
        claim: domain::ids::ClaimId,
    ) -> Result<(), String> {
        let state = self.order(order);
        let made = state.claim(claim).ok_or("no claim")?;
        if let ClaimState::Approved {
            refund: Some(refund),
        }
        | ClaimState::Completed {
            refund: Some(refund),
        } = made.state
        {
            let payment = state
                .paid
                .and_then(|paid| paid.payment)
                .ok_or("no payment")?;
            self.refund(payment, refund, made.refund.money)
                .map_err(|error| error.to_string())?;
        }
        self.act(order, OrderCommand::CompleteCancel { claim })
            .map(|_| ())
            .map_err(|error| error.to_string())
    }

    pub fn act_payment(
        &mut self,
        payment: PaymentId,
        act: PaymentCommand,
    ) -> Result<(), PaymentError> {
        let state = self.payments.entry(payment).or_default();
        let events = state.decide(act, &at(self.now))?;
        self.write_payment(payment, events);
        Ok(())
    }

    pub fn count(&mut self, product: usize, quantity: u32) -> Result<(), StockError> {
        let stock = stock_of(product);
        let act = StockCommand::Count {
            product: product_id(if product == SET { HELMET } else { product }),
            quantity,
        };
        let events = self
            .stock
            .get(&stock)
            .cloned()
            .unwrap_or_default()
            .decide(act, &self.context())?;
        self.write_stock(stock, events);
        Ok(())
    }

    pub fn grant(&mut self, number: usize, amount: i64, days: i64) -> Result<(), PointsError> {
        let lot = id::<LotId>(0x7000 + u128::try_from(self.tally.granted.len()).unwrap());
        self.act_points(
            buyer(number),
            PointsCommand::Grant {
                member: buyer(number),
                lot,
                amount: Amount::new(amount),
                reason: "적립".to_owned(),
                order: None,
                expires_at: self.time() + Duration::days(days),
            },
        )
    }

    pub fn act_points(&mut self, member: MemberId, act: PointsCommand) -> Result<(), PointsError> {
        let events = self
            .points
            .get(&member)
            .cloned()
            .unwrap_or_default()
            .decide(act, &self.context())?;
        self.write_points(member, events);
        Ok(())
    }

    pub fn limit(&mut self, uses: Option<u32>) {
        let coupon = coupon_id(FIRST_COME);
        let act = CampaignCommand::Limit {
            draws: None,
            uses,
            amount: None,
        };
        let events = self
            .campaigns
            .entry(coupon)
            .or_default()
            .decide(act, &at(self.now))
            .unwrap();
        self.write_campaign(coupon, events);
    }

    pub fn issue(&mut self, coupon: usize, number: usize) {
        let issued = issued_id(coupon, number);
        let act = IssuedCouponCommand::Issue {
            coupon: coupon_id(coupon),
            member: buyer(number),
            terms: Box::new(coupon_terms(coupon)),
        };
        let events = self
            .issued
            .entry(issued)
            .or_default()
            .decide(act, &at(self.now))
            .unwrap();
        self.write_issued(issued, events);
    }

    /// One append: every stream or none.
    fn write(&mut self, work: &UnitOfWork) {
        let streams: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        for StreamRef { kind, id } in streams {
            let uuid = id.split(':').next().and_then(|id| id.parse::<Uuid>().ok());
            let uuid = uuid.unwrap();
            match kind {
                Order::TYPE => self.write_order(OrderId(uuid), work.events::<Order>(id).to_vec()),
                Stock::TYPE => self.write_stock(StockId(uuid), work.events::<Stock>(id).to_vec()),
                IssuedCoupon::TYPE => self.write_issued(
                    IssuedCouponId(uuid),
                    work.events::<IssuedCoupon>(id).to_vec(),
                ),
                Campaign::TYPE => {
                    self.write_campaign(CouponId(uuid), work.events::<Campaign>(id).to_vec());
                }
                Points::TYPE => {
                    self.write_points(MemberId(uuid), work.events::<Points>(id).to_vec());
                }
                Payment::TYPE => {
                    self.write_payment(PaymentId(uuid), work.events::<Payment>(id).to_vec());
                }
                Member::TYPE => assert!(work.events::<Member>(id).is_empty()),
                other => panic!("{other}"),
            }
        }
    }

    fn write_order(&mut self, order: OrderId, events: Vec<OrderEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.order(order, &event).unwrap();
            self.orders.entry(order).or_default().evolve(event);
        }
    }

    fn write_payment(&mut self, payment: PaymentId, events: Vec<PaymentEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.payment(payment, &event).unwrap();
            match &event {
                PaymentEvent::PaymentApproved { amount, .. }
                | PaymentEvent::DepositReceived { amount, .. } => {
                    *self.tally.money.entry(payment).or_default() += amount.hundredths();
                }
                PaymentEvent::RefundCompleted { amount, .. } => {
                    *self.tally.money.entry(payment).or_default() -= amount.hundredths();
                }
                _ => {}
            }
            self.payments.entry(payment).or_default().evolve(event);
        }
    }

    fn write_stock(&mut self, stock: StockId, events: Vec<StockEvent>) {
        let pieces = self.tally.pieces.entry(stock).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                StockEvent::StockCounted { quantity, .. } => *pieces = i64::from(*quantity),
                StockEvent::StockTaken { order, quantity } => {
                    *pieces -= i64::from(*quantity);
                    *self.tally.held.entry((stock, *order)).or_default() += i64::from(*quantity);
                }
                StockEvent::StockGivenBack { order, quantity } => {
                    *pieces += i64::from(*quantity);
                    *self.tally.held.entry((stock, *order)).or_default() -= i64::from(*quantity);
                }
            }
            self.stock.entry(stock).or_default().evolve(event);
        }
        self.tally.held.retain(|_, pieces| *pieces != 0);
    }

    fn write_issued(&mut self, issued: IssuedCouponId, events: Vec<IssuedCouponEvent>) {
        let uses = self.tally.uses.entry(issued).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                IssuedCouponEvent::CouponUsed { .. } => *uses += 1,
                IssuedCouponEvent::CouponReturned { .. } => *uses -= 1,
                IssuedCouponEvent::CouponIssued { .. } => {}
            }
            self.issued.entry(issued).or_default().evolve(event);
        }
    }

    fn write_campaign(&mut self, coupon: CouponId, events: Vec<CampaignEvent>) {
        let counted = self.tally.counted.entry(coupon).or_default();
        for event in events {
            self.tally.seen.insert(event.event_type());
            match &event {
                CampaignEvent::CouponUseCounted { issued, amount, .. } => {
                    let before = counted.insert(*issued, amount.hundredths());
                    assert_eq!(before, None, "counted twice");
                }
                CampaignEvent::CouponUseReturned { issued, amount, .. } => {
                    let before = counted.remove(issued);
                    assert_eq!(before, amount.map(Amount::hundredths), "what it took off");
                }
                CampaignEvent::CampaignLimited { .. } | CampaignEvent::CouponDrawn { .. } => {}
            }
            self.campaigns.entry(coupon).or_default().evolve(event);
        }
    }

    fn write_points(&mut self, member: MemberId, events: Vec<PointsEvent>) {
        for event in events {
            self.tally.seen.insert(event.event_type());
            self.books.points(&event).unwrap();
            match &event {
                PointsEvent::PointsGranted { lot, amount, .. } => {
                    self.tally.granted.insert(*lot, amount.hundredths());
                }
                PointsEvent::PointsSpent { parts, .. } => {
                    for part in parts {
                        *self.tally.spent.entry(part.lot).or_default() += part.amount.hundredths();
                    }
                }
                PointsEvent::PointsRestored { parts, lost, .. } => {
                    for part in parts.iter().chain(lost) {
                        *self.tally.spent.entry(part.lot).or_default() -= part.amount.hundredths();
                    }
                    if !lost.is_empty() {
                        self.tally.seen.insert("lost points".to_owned());
                    }
                    for part in lost {
                        *self.tally.expired.entry(part.lot).or_default() +=
                            part.amount.hundredths();
                    }
                }
                PointsEvent::PointsExpired { lot, amount } => {
                    *self.tally.expired.entry(*lot).or_default() += amount.hundredths();
                }
            }
            self.points.entry(member).or_default().evolve(event);
        }
    }
}

fn at(now: Duration) -> Context {
    Context {
        now: NOON + now,
        actor: Actor::System,
    }
}
