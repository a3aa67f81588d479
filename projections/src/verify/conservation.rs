//! Conservation rules over all streams: money, goods, coupons and points.
//!
//! | rule | requires |
//! |---|---|
//! | `books` | the entries of every event sum to zero, no account is overdrawn, nothing is held for an order that is finished |
//! | `stock` | available = counted - taken + given back, never below zero |
//! | `goods` | products for sale take their units from stock of their own seller |
//! | `stock of orders` | the units a stock holds for an order are those of the order's purchases that were not returned |
//! | `written off` | the units a stock wrote off for an order are those its returns found unsellable |
//! | `splits` | a purchase that is split adds up, and so does the part: quantity, stock and amounts |
//! | `differences` | an exchange gives the frozen difference of its cheaper replacement back, at most what was paid, once, and not before it is
//! sent; a dearer one is sent once exactly its difference is paid |
//! | `coupons of orders` | a coupon is in use exactly where an order that was not canceled uses it |
//! | `campaigns` | draws, uses and their discounts never exceed their limits; counted uses are those of coupons used and counted; giving a
//! use back returns what it took |
//! | `kept coupons` | a claim gives no coupon back that is not returnable |
//! | `taken coupons` | a coupon that staff took back is not used until they restore it |
//! | `occasions` | for a special date of a year, or a day of the shop, a member gets the coupons of a definition in one command |
//! | `draws` | the coupons a member draws of a campaign are numbered consecutively, and each is in their box |
//! | `coupon codes` | a code is redeemed once, before its batch is stopped, for a coupon of its batch in the box of its member |
//! | `points` | granted = left + spent - restored + expired + revoked + taken for each lot, and no lot is below zero |
//! | `points of orders` | the points spent on an order in the member's stream are those the order records |
//! | `bulk grants` | every receiver who was served got what was ordered, once; no other member got anything |
//! | `user payments` | fee and difference of an exchange are requested, paid and given up as the exchange requires, with the money of one
//! payment; no more goes back with that payment than the difference, and only what a claim gives back |
//! | `transactions` | a transaction of the payment service belongs to one payment, and no refund takes the money of another's |

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use domain::Amount;
use domain::accounting::{Account, AccountingFault, LedgerReplayer};
use domain::coupon::{CampaignEvent, IssuedCouponEvent};
use domain::ids::{CouponId, IssuedCouponId, LotId, MemberId, OrderId, StockId};
use domain::order::OrderEvent;
use domain::points::PointsEvent;
use domain::stock::StockEvent;
use uuid::Uuid;

use super::bulk_grants::BulkGrants;
use super::compare::Checker;
use super::coupon_codes::CouponCodes;
use super::decoded_log::{DecodedEvent, Event};
use super::goods::Goods;
use super::holding::Holding;
use super::transactions::Transactions;
use super::user_payments::UserPayments;
use super::{VerifyError, bad, id};

#[derive(Default)]
struct Pile {
    counted: i64,
    taken: i64,
    given_back: i64,
    available: i64,
    held: BTreeMap<OrderId, i64>,
    written_off: BTreeMap<OrderId, i64>,
}

#[derive(Default)]
struct Campaign {
    draws: Option<u32>,
    uses: Option<u32>,
    face_value: Option<i64>,
    handed_out: i64,
    amount: Option<i64>,
    drawn: BTreeSet<IssuedCouponId>,
    /// Number of numbered coupons each member drew.
    numbered: BTreeMap<MemberId, u32>,
    /// Discount of each use.
    used: BTreeMap<IssuedCouponId, i64>,
    taken_off: i64,
}

/// Coupon and member of an issued coupon.
type MemberCouponKey = (CouponId, MemberId);

#[derive(Default)]
struct Lot {
    granted: i64,
    left: i64,
    spent: i64,
    restored: i64,
    revoked: i64,
    expired: i64,
    taken: i64,
}

/// Accumulates the log for the conservation rules.
#[derive(Default)]
pub(super) struct Conservation {
    books: LedgerReplayer,
    goods: Goods,
    piles: BTreeMap<StockId, Pile>,
    orders: BTreeMap<OrderId, Holding>,
    used: BTreeMap<IssuedCouponId, (MemberCouponKey, Option<OrderId>)>,
    /// Coupons that staff took and did not bring back.
    taken: BTreeSet<IssuedCouponId>,
    /// The command that issued the coupons of an occasion to a member.
    occasions: BTreeMap<(MemberCouponKey, String), Option<Uuid>>,
    /// Drawn coupons that are not in their member's box yet.
    drawn: BTreeMap<IssuedCouponId, MemberCouponKey>,
    campaigns: BTreeMap<CouponId, Campaign>,
    lots: BTreeMap<LotId, Lot>,
    /// Points of each lot held by each order, by the members' points.
    spent: BTreeMap<(OrderId, LotId), i64>,
    transactions: Transactions,
    user_payments: UserPayments,
    bulk_grants: BulkGrants,
    codes: CouponCodes,
}

impl Conservation {
    /// The kinds of streams it reads.
    pub const KINDS: [&str; 10] = [
        "product",
        "order",
        "payment",
        "user-payment",
        "stock",
        "issued-coupon",
        "coupon-campaign",
        "coupon-code-batch",
        "points",
        "bulk-grant",
    ];

    /// Applies the next event of the log.
    pub fn take(&mut self, told: &DecodedEvent, checker: &mut Checker) -> Result<(), VerifyError> {
        match told.event()? {
            Event::Order(event) => self.order(told, event, checker),
            Event::Payment(event) => {
                let booked = self.books.payment(id(told)?, event);
                balanced(booked, told, checker);
                self.transactions.take(told, event, checker);
                self.user_payments.payment(told, event);
                Ok(())
            }
            Event::UserPayment(event) => {
                self.user_payments.asked(told, event);
                Ok(())
            }
            Event::Stock(event) => self.stock(told, event, checker),
            Event::IssuedCoupon(event) => self.coupon(told, event, checker),
            Event::Campaign(event) => self.campaign(told, event, checker),
            Event::Points(event) => {
                self.points(told, event, checker);
                self.bulk_grants.points(event);
                Ok(())
            }
            Event::BulkGrant(event) => self.bulk_grants.grant(told, event),
            Event::CodeBatch(event) => self.codes.batch(told, event, checker),
            Event::Record(paper) => {
                self.goods.product(id(told)?, paper);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn order(
        &mut self,
        told: &DecodedEvent,
        event: &OrderEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let order: OrderId = id(told)?;
        balanced(self.books.order(order, event), told, checker);
        if let OrderEvent::OrderPlaced(terms) = event {
            self.orders.insert(order, Holding::of(terms));
            return Ok(());
        }
        let holding = self
            .orders
            .get_mut(&order)
            .ok_or_else(|| bad(told, "an order nobody placed"))?;
        self.user_payments.order(event);
        let adds_up = holding.take(event);
        if let OrderEvent::PriceDifferenceRefunded { claim, .. }
        | OrderEvent::ReplacementShipped { claim, .. } = event
        {
            let key = || format!("{claim} of {order}");
            checker.rule(adds_up, "differences", || {
                (key(), "due".into(), "not due".into())
            });
        }
        if let OrderEvent::CancelApproved { claim, .. } | OrderEvent::ReturnApproved { claim, .. } =
            event
        {
            checker.rule(adds_up, "kept coupons", || {
                let key = format!("{claim} of {order}");
                (key, "kept".into(), "given back".into())
            });
        }
        if let OrderEvent::PurchaseSplit { purchase_no, .. } = event {
            checker.rule(adds_up, "splits", || {
                let key = format!("{purchase_no} of {order}");
                (key, "adds up".into(), "does not".into())
            });
        }
        Ok(())
    }

    fn stock(
        &mut self,
        told: &DecodedEvent,
        event: &StockEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let stock: StockId = id(told)?;
        let pile = self.piles.entry(stock).or_default();
        match *event {
            StockEvent::StockCounted { product, quantity } => {
                self.goods.counted(stock, product);
                pile.counted += i64::from(quantity) - pile.available;
                pile.available = i64::from(quantity);
            }
            StockEvent::StockTaken { order, quantity } => {
                pile.taken += i64::from(quantity);
                pile.available -= i64::from(quantity);
                *pile.held.entry(order).or_default() += i64::from(quantity);
            }
            StockEvent::StockGivenBack { order, quantity } => {
                pile.given_back += i64::from(quantity);
                pile.available += i64::from(quantity);
                *pile.held.entry(order).or_default() -= i64::from(quantity);
            }
            StockEvent::StockWrittenOff { order, quantity } => {
                *pile.held.entry(order).or_default() -= i64::from(quantity);
                *pile.written_off.entry(order).or_default() += i64::from(quantity);
            }
        }
        let (position, available) = (told.position, pile.available);
        checker.rule(available >= 0, "stock", || {
            let key = format!("{stock} at {position}");
            (key, "not below zero".into(), available.into())
        });
        Ok(())
    }

    fn coupon(
        &mut self,
        told: &DecodedEvent,
        event: &IssuedCouponEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let issued: IssuedCouponId = id(told)?;
        self.bulk_grants.coupon(told, event);
        self.codes.coupon(issued, event);
        match event {
            IssuedCouponEvent::CouponIssued {
                coupon,
                member,
                occasion,
                ..
            } => {
                self.used.insert(issued, ((*coupon, *member), None));
                self.occasion(told, (*coupon, *member), occasion.as_ref(), checker);
            }
            IssuedCouponEvent::CouponRoundPassed { .. }
            | IssuedCouponEvent::CouponPeriodChanged { .. } => {}
            IssuedCouponEvent::CouponTaken { .. } => {
                self.taken.insert(issued);
            }
            IssuedCouponEvent::CouponBroughtBack { .. } => {
                self.taken.remove(&issued);
            }
            IssuedCouponEvent::CouponUsed { order, .. } => {
                let is_theirs = !self.taken.contains(&issued);
                let key = || format!("{issued} at {}", told.position);
                checker.holds(is_theirs, "taken coupons", key(), "not used", "used");
                if let Some((_, used)) = self.used.get_mut(&issued) {
                    *used = Some(*order);
                }
            }
            IssuedCouponEvent::CouponReturned { .. } => {
                if let Some((_, used)) = self.used.get_mut(&issued) {
                    *used = None;
                }
            }
        }
        Ok(())
    }

    /// All coupons of an occasion are issued at once, and only once.
    fn occasion(
        &mut self,
        told: &DecodedEvent,
        whose: MemberCouponKey,
        occasion: Option<&String>,
        checker: &mut Checker,
    ) {
        let Some(occasion) = occasion else {
            return;
        };
        let command = told.metadata.command_id;
        let first = self.occasions.entry((whose, occasion.clone()));
        let first = *first.or_insert(command);
        let key = format!("{} of {}, {occasion}", whose.0, whose.1);
        let said = |command: Option<Uuid>| command.map(|command| command.to_string());
        checker.holds(
            first == command,
            "occasions",
            key,
            said(first),
            said(command),
        );
    }

    fn campaign(
        &mut self,
        told: &DecodedEvent,
        event: &CampaignEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let coupon: CouponId = id(told)?;
        let campaign = self.campaigns.entry(coupon).or_default();
        let key = |what| format!("{coupon} {what} at {}", told.position);
        match *event {
            CampaignEvent::CampaignLimited {
                draws,
                uses,
                amount,
                face_value,
            } => {
                campaign.face_value = face_value.map(Amount::hundredths);
                campaign.draws = draws;
                campaign.uses = uses;
                campaign.amount = amount.map(Amount::hundredths);
            }
            CampaignEvent::CouponDrawn {
                issued,
                member,
                number,
                face_value,
            } => {
                campaign.drawn.insert(issued);
                campaign.handed_out += face_value.map_or(0, Amount::hundredths);
                let (limit, sum) = (campaign.face_value, campaign.handed_out);
                let is_within = limit.is_none_or(|limit| sum <= limit);
                checker.holds(is_within, "campaigns", key("face value"), limit, sum);
                let (limit, count) = (campaign.draws, campaign.drawn.len());
                let is_within = within(limit, count);
                checker.holds(is_within, "campaigns", key("draws"), limit, count);
                self.drawn.insert(issued, (coupon, member));
                if let Some(number) = number {
                    let numbered = campaign.numbered.entry(member).or_default();
                    *numbered = numbered.saturating_add(1);
                    checker.equal("draws", key("number"), (*numbered).into(), number.into());
                }
            }
            CampaignEvent::CouponUseCounted { issued, amount, .. } => {
                campaign.used.insert(issued, amount.hundredths());
                campaign.taken_off += amount.hundredths();
                let (limit, count) = (campaign.uses, campaign.used.len());
                let is_within = within(limit, count);
                checker.holds(is_within, "campaigns", key("uses"), limit, count);
                let (limit, sum) = (campaign.amount, campaign.taken_off);
                let is_within = limit.is_none_or(|limit| sum <= limit);
                checker.holds(is_within, "campaigns", key("amount"), limit, sum);
            }
            CampaignEvent::CouponUseReturned { issued, amount, .. } => {
                let took = campaign.used.remove(&issued);
                campaign.taken_off -= took.unwrap_or_default();
                let said = amount.map(Amount::hundredths).or(took);
                let is_same = took.is_some() && said == took;
                checker.holds(is_same, "campaigns", key("given back"), took, said);
            }
        }
        Ok(())
    }

    fn points(&mut self, told: &DecodedEvent, event: &PointsEvent, checker: &mut Checker) {
        balanced(self.books.points(event), told, checker);
        match event {
            PointsEvent::PointsGranted { lot, amount, .. } => {
                let lot = self.lots.entry(*lot).or_default();
                lot.granted += amount.hundredths();
                lot.left += amount.hundredths();
            }
            PointsEvent::PointsSpent { order, parts } => {
                for part in parts {
                    let amount = part.amount.hundredths();
                    let lot = self.lots.entry(part.lot).or_default();
                    lot.spent += amount;
                    lot.left -= amount;
                    *self.spent.entry((*order, part.lot)).or_default() += amount;
                }
            }
            PointsEvent::PointsRestored { order, parts, lost } => {
                for part in parts {
                    let lot = self.lots.entry(part.lot).or_default();
                    lot.restored += part.amount.hundredths();
                    lot.left += part.amount.hundredths();
                }
                for part in parts.iter().chain(lost) {
                    let amount = part.amount.hundredths();
                    *self.spent.entry((*order, part.lot)).or_default() -= amount;
                }
            }
            PointsEvent::PointsRevoked { parts, .. } => {
                for part in parts {
                    let lot = self.lots.entry(part.lot).or_default();
                    lot.revoked += part.amount.hundredths();
                    lot.left -= part.amount.hundredths();
                }
            }
            PointsEvent::PointsExpired { lot, amount } => {
                let lot = self.lots.entry(*lot).or_default();
                lot.expired += amount.hundredths();
                lot.left -= amount.hundredths();
            }
            PointsEvent::PointsTaken { lot, amount, .. } => {
                let lot = self.lots.entry(*lot).or_default();
                lot.taken += amount.hundredths();
                lot.left -= amount.hundredths();
            }
            PointsEvent::PointsLifeChanged { .. } | PointsEvent::PointsExpiryAnnounced { .. } => {}
        }
    }

    /// Checks the rules that hold between whole appends.
    pub fn finish(mut self, checker: &mut Checker) -> Result<(), VerifyError> {
        match self.books.faults() {
            Ok(faults) => {
                checker.holds(true, "books", "all accounts", (), ());
                for fault in faults {
                    let whose = match &fault {
                        AccountingFault::Unbalanced(_) => "all accounts".to_owned(),
                        AccountingFault::Overdrawn(account, _) => account.to_string(),
                        AccountingFault::StillHeld(order, _) => Account::Held(*order).to_string(),
                        AccountingFault::Forgotten(order, _) => format!("order {order}"),
                    };
                    let said = fault.to_string();
                    checker.differs("books", whose, "balanced".into(), said.into());
                }
            }
            Err(error) => {
                checker.differs(
                    "books",
                    "all accounts",
                    "balanced".into(),
                    error.to_string().into(),
                );
            }
        }
        self.finish_stock(checker);
        self.finish_coupons(checker);
        self.finish_points(checker);
        mem::take(&mut self.bulk_grants).finish(checker);
        mem::take(&mut self.codes).finish(checker);
        self.user_payments.finish(checker);
        for (order, holding) in &self.orders {
            for claim in holding.owed_differences() {
                let key = format!("{claim} of {order}");
                checker.differs("differences", key, "given back".into(), "not".into());
            }
        }
        mem::take(&mut self.goods).finish(checker);
        Ok(())
    }

    fn finish_stock(&self, checker: &mut Checker) {
        for (stock, pile) in &self.piles {
            let left = pile.counted - pile.taken + pile.given_back;
            checker.equal("stock", stock, left, pile.available);
        }
        let held = self.by_orders(|holding| &holding.stock);
        self.agree(checker, ("stock of orders", "held by"), held, |pile| {
            &pile.held
        });
        let off = self.by_orders(|holding| &holding.written_off);
        self.agree(checker, ("written off", "of"), off, |pile| {
            &pile.written_off
        });
    }

    /// Units of stock held, by the orders.
    fn by_orders(
        &self,
        of: impl Fn(&Holding) -> &BTreeMap<StockId, i64>,
    ) -> BTreeMap<(StockId, OrderId), i64> {
        let orders = self.orders.iter();
        orders
            .flat_map(|(order, holding)| {
                let pieces = of(holding).iter();
                pieces.map(|(stock, pieces)| ((*stock, *order), *pieces))
            })
            .collect()
    }

    /// Compares stock held by the orders with that of the stock streams.
    fn agree(
        &self,
        checker: &mut Checker,
        (rule, word): (&str, &str),
        mut by_orders: BTreeMap<(StockId, OrderId), i64>,
        of: impl Fn(&Pile) -> &BTreeMap<OrderId, i64>,
    ) {
        let key = |stock: &StockId, order: &OrderId| format!("{stock} {word} {order}");
        for (stock, pile) in &self.piles {
            for (order, found) in of(pile) {
                let wanted = by_orders.remove(&(*stock, *order)).unwrap_or(0);
                checker.equal(rule, key(stock, order), wanted, *found);
            }
        }
        for ((stock, order), wanted) in by_orders {
            checker.equal(rule, key(&stock, &order), wanted, 0);
        }
    }

    fn finish_coupons(&self, checker: &mut Checker) {
        let mut by_orders: BTreeMap<IssuedCouponId, OrderId> = BTreeMap::new();
        let mut counted: BTreeMap<CouponId, BTreeSet<IssuedCouponId>> = BTreeMap::new();
        for (order, holding) in &self.orders {
            for used in &holding.used {
                if !holding.coupons.contains(&used.issued) {
                    continue;
                }
                by_orders.insert(used.issued, *order);
                if used.counted {
                    counted.entry(used.coupon).or_default().insert(used.issued);
                }
            }
        }
        let text = |order: Option<&OrderId>| order.map(OrderId::to_string);
        for (issued, (_, used)) in &self.used {
            let wanted = by_orders.remove(issued);
            checker.holds(
                wanted == *used,
                "coupons of orders",
                issued,
                text(wanted.as_ref()),
                text(used.as_ref()),
            );
        }
        for (issued, order) in by_orders {
            checker.differs(
                "coupons of orders",
                issued,
                order.to_string().into(),
                ().into(),
            );
        }
        for (issued, (_, member)) in &self.drawn {
            let boxed = self.used.get(issued).map(|(boxed, _)| *boxed);
            let is_there = boxed.as_ref() == self.drawn.get(issued);
            let found = boxed.map(|(_, member)| member.to_string());
            checker.holds(is_there, "draws", issued, member.to_string(), found);
        }
        for (coupon, campaign) in &self.campaigns {
            let wanted = counted.remove(coupon).unwrap_or_default();
            let found: BTreeSet<IssuedCouponId> = campaign.used.keys().copied().collect();
            checker.holds(
                wanted == found,
                "campaigns",
                coupon,
                wanted.len(),
                found.len(),
            );
        }
        for (coupon, wanted) in counted {
            checker.differs("campaigns", coupon, wanted.len().into(), 0.into());
        }
    }

    fn finish_points(&self, checker: &mut Checker) {
        for (id, lot) in &self.lots {
            let accounted =
                lot.left + lot.spent - lot.restored + lot.expired + lot.revoked + lot.taken;
            checker.equal("points", id, lot.granted, accounted);
            checker.holds(lot.left >= 0, "points", id, "not below zero", lot.left);
        }
        let mut held = self.spent.clone();
        for (order, holding) in &self.orders {
            for (lot, wanted) in &holding.points {
                let found = held.remove(&(*order, *lot)).unwrap_or(0);
                checker.equal(
                    "points of orders",
                    format!("{lot} held by {order}"),
                    *wanted,
                    found,
                );
            }
        }
        for ((order, lot), found) in held {
            checker.equal(
                "points of orders",
                format!("{lot} held by {order}"),
                0,
                found,
            );
        }
    }
}

fn within(limit: Option<u32>, count: usize) -> bool {
    limit.is_none_or(|limit| usize::try_from(limit).is_ok_and(|limit| count <= limit))
}

/// The entries of every event sum to zero, so those of the log do at every position.
fn balanced(
    booked: Result<(), domain::accounting::AccountingError>,
    told: &DecodedEvent,
    checker: &mut Checker,
) {
    checker.rule(booked.is_ok(), "books", || {
        let found = booked.err().map(|error| error.to_string());
        let key = format!("event at {}", told.position);
        (key, "balanced".into(), found.into())
    });
}
