//! What an order has taken and not returned.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{IssuedCouponId, LotId, StockId};
use domain::order::{
    CouponUse, LotPart, OrderEvent, OrderTerms, PurchasePart, PurchaseTerms, RefundTerms,
    StockTaken,
};

/// A purchase: its quantity, the stock it takes, and its amounts.
#[derive(Clone)]
struct HeldLine {
    no: String,
    quantity: i64,
    stock: Vec<(StockId, i64)>,
    /// Hundredths.
    unit_price: i64,
    /// What exchanges took off the price of all pieces, hundredths; below zero if they added to it.
    cheaper: i64,
    /// Discounts, points and the amount paid, hundredths.
    amounts: [i64; 6],
}

struct HeldClaim {
    purchase_nos: Vec<String>,
    /// Returned units that cannot be sold again.
    unsellable: i64,
    /// Stock of the replacement of an exchange.
    instead: Vec<(StockId, i64)>,
    /// The replacement is reserved, and not sent.
    waits: bool,
    /// How much cheaper the replacement is, per piece, hundredths; below zero if it is dearer.
    cheaper: i64,
    /// The difference the buyer paid, hundredths.
    received: i64,
    /// The replacement was sent, and its difference is not given back.
    owes: bool,
}

/// What an order holds, and what of it was written off.
pub(super) struct Holding {
    lines: Vec<HeldLine>,
    claims: BTreeMap<String, HeldClaim>,
    pub used: Vec<CouponUse>,
    pub stock: BTreeMap<StockId, i64>,
    pub written_off: BTreeMap<StockId, i64>,
    pub coupons: BTreeSet<IssuedCouponId>,
    pub points: BTreeMap<LotId, i64>,
}

fn pieces(stock: &[StockTaken]) -> Vec<(StockId, i64)> {
    let taken = |taken: &StockTaken| (taken.stock, i64::from(taken.quantity));
    stock.iter().map(taken).collect()
}

impl HeldLine {
    fn of(line: &PurchaseTerms) -> Self {
        let amounts = [
            line.product_discount,
            line.level_discount,
            line.product_coupon,
            line.total_coupon,
            line.points,
            line.paid,
        ];
        Self {
            no: line.purchase_no.clone(),
            quantity: i64::from(line.quantity),
            stock: pieces(&line.stock),
            unit_price: line.unit_price.hundredths(),
            cheaper: 0,
            amounts: amounts.map(|amount| amount.hundredths()),
        }
    }

    fn part(&self, no: &str, part: &PurchasePart) -> Self {
        let amounts = [
            part.product_discount,
            part.level_discount,
            part.product_coupon,
            part.total_coupon,
            part.points,
            part.paid,
        ];
        Self {
            no: no.to_owned(),
            quantity: i64::from(part.quantity),
            stock: pieces(&part.stock),
            unit_price: self.unit_price,
            cheaper: -part.difference.hundredths(),
            amounts: amounts.map(|amount| amount.hundredths()),
        }
    }

    /// Subtracts a part; false if it has other stock.
    fn less(&mut self, part: &Self) -> bool {
        self.quantity -= part.quantity;
        self.cheaper -= part.cheaper;
        for (amount, off) in self.amounts.iter_mut().zip(part.amounts) {
            *amount -= off;
        }
        for ((_, taken), (_, off)) in self.stock.iter_mut().zip(&part.stock) {
            *taken -= off;
        }
        let named = |line: &Self| {
            line.stock
                .iter()
                .map(|(stock, _)| *stock)
                .collect::<Vec<_>>()
        };
        named(self) == named(part)
    }

    /// The quantity is positive, every stock is a multiple of it, and the price equals discounts, points and the amount paid.
    fn adds_up(&self) -> bool {
        let whole = |(_, taken): &(StockId, i64)| *taken >= 0 && taken % self.quantity == 0;
        self.quantity > 0
            && self.amounts.iter().all(|amount| *amount >= 0)
            && self.stock.iter().all(whole)
            && self.unit_price * self.quantity - self.cheaper == self.amounts.iter().sum::<i64>()
    }
}

impl Holding {
    pub fn of(terms: &OrderTerms) -> Self {
        let mut stock: BTreeMap<StockId, i64> = BTreeMap::new();
        for taken in terms.purchases.iter().flat_map(|line| &line.stock) {
            *stock.entry(taken.stock).or_default() += i64::from(taken.quantity);
        }
        let mut points: BTreeMap<LotId, i64> = BTreeMap::new();
        for part in &terms.points {
            *points.entry(part.lot).or_default() += part.amount.hundredths();
        }
        Self {
            lines: terms.purchases.iter().map(HeldLine::of).collect(),
            claims: BTreeMap::new(),
            used: terms.coupons.clone(),
            coupons: terms.coupons.iter().map(|used| used.issued).collect(),
            written_off: BTreeMap::new(),
            stock,
            points,
        }
    }

    /// Applies an event of the order. False for a split whose parts do not add up to the purchase, for a difference of an exchange that is
    /// not due, and for a claim that gives a coupon back that is not returnable.
    pub fn take(&mut self, event: &OrderEvent) -> bool {
        match event {
            OrderEvent::OrderCanceled { .. } => {
                self.stock.clear();
                self.coupons.clear();
                self.points.clear();
            }
            OrderEvent::PurchaseSplit {
                from,
                purchase_no,
                part,
            } => return self.split(from, purchase_no, part),
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                ..
            } => self.claimed(claim.to_string(), purchase_nos.clone()),
            OrderEvent::ReturnRequested {
                claim, purchase_no, ..
            } => self.claimed(claim.to_string(), vec![purchase_no.clone()]),
            OrderEvent::ExchangeRequested {
                claim,
                purchase_no,
                replacement,
                difference,
                ..
            } => {
                let claim = claim.to_string();
                self.claimed(claim.clone(), vec![purchase_no.clone()]);
                if let Some(made) = self.claims.get_mut(&claim) {
                    made.instead = pieces(&replacement.stock);
                    made.cheaper = -difference.hundredths();
                }
            }
            OrderEvent::ExchangeAccepted { claim } => self.reserve(&claim.to_string()),
            OrderEvent::ExchangeRejected { claim, .. }
            | OrderEvent::ClaimWithdrawn { claim, .. } => self.release(&claim.to_string(), 1, 1),
            OrderEvent::GoodsInspected {
                claim,
                arrived,
                resellable,
                missing,
                ..
            } => {
                let claim = claim.to_string();
                if let Some(made) = self.claims.get_mut(&claim) {
                    made.unsellable = i64::from(*arrived) - i64::from(*resellable);
                }
                let missing = missing.as_ref().and_then(|missing| {
                    let line = self
                        .lines
                        .iter()
                        .find(|line| line.no == missing.purchase_no);
                    line.map(|line| line.quantity)
                });
                if let Some(missing) = missing {
                    self.release(&claim, missing, i64::from(*arrived) + missing);
                }
            }
            OrderEvent::ExchangeFeeReceived { claim, price, .. } => {
                if let Some(made) = self.claims.get_mut(&claim.to_string()) {
                    made.received = price.hundredths();
                }
            }
            OrderEvent::ExchangeFeeRefunded { claim, .. } => {
                if let Some(made) = self.claims.get_mut(&claim.to_string()) {
                    made.received = 0;
                }
            }
            OrderEvent::ReplacementShipped { claim, .. } => {
                return self.replace(&claim.to_string());
            }
            OrderEvent::PriceDifferenceRefunded { claim, terms, .. } => {
                return self.give_difference(&claim.to_string(), terms);
            }
            OrderEvent::CancelApproved { claim, terms, .. }
            | OrderEvent::ReturnApproved { claim, terms, .. } => {
                return self.give_back(&claim.to_string(), terms);
            }
            _ => {}
        }
        true
    }

    fn claimed(&mut self, claim: String, purchase_nos: Vec<String>) {
        let made = HeldClaim {
            purchase_nos,
            unsellable: 0,
            instead: Vec::new(),
            waits: false,
            cheaper: 0,
            received: 0,
            owes: false,
        };
        self.claims.insert(claim, made);
    }

    /// Reserves the replacement of an exchange in addition to the goods.
    fn reserve(&mut self, claim: &str) {
        let Some(made) = self.claims.get_mut(claim) else {
            return;
        };
        if !std::mem::replace(&mut made.waits, true) {
            for (stock, taken) in &made.instead {
                *self.stock.entry(*stock).or_default() += taken;
            }
        }
    }

    /// Releases `parts` of `of` equal shares of a reserved replacement.
    fn release(&mut self, claim: &str, parts: i64, of: i64) {
        let Some(made) = self.claims.get_mut(claim).filter(|made| made.waits) else {
            return;
        };
        for (stock, taken) in &mut made.instead {
            let back = *taken / of * parts;
            *taken -= back;
            *self.stock.entry(*stock).or_default() -= back;
        }
    }

    /// Replaces the goods by the replacement that is sent; they are returned to stock or written off. False if the buyer did not pay
    /// exactly the difference of a dearer one.
    fn replace(&mut self, claim: &str) -> bool {
        let Some(made) = self.claims.get_mut(claim).filter(|made| made.waits) else {
            return true;
        };
        let mut is_paid = true;
        made.waits = false;
        made.owes = true;
        let its = |line: &&mut HeldLine| made.purchase_nos.contains(&line.no);
        for line in self.lines.iter_mut().filter(its) {
            let [.., paid] = &mut line.amounts;
            *paid += made.received;
            line.cheaper -= made.received;
            is_paid &= made.received == (-made.cheaper).max(0) * line.quantity;
            let goods = std::mem::replace(&mut line.stock, made.instead.clone());
            for (stock, taken) in goods {
                *self.stock.entry(stock).or_default() -= taken;
                let each = taken.checked_div(line.quantity).unwrap_or_default();
                if made.unsellable > 0 {
                    *self.written_off.entry(stock).or_default() += each * made.unsellable;
                }
            }
        }
        is_paid
    }

    /// Gives the difference of a sent cheaper replacement back: once, as frozen a piece, from the money and then from the points of the purchase.
    fn give_difference(&mut self, claim: &str, back: &RefundTerms) -> bool {
        let reclaimed = back.reclaimed.map_or(0, |off| off.money.hundredths());
        let money = back.money.hundredths() + reclaimed;
        let points: i64 = back
            .points
            .iter()
            .map(|part| part.amount.hundredths())
            .sum();
        for LotPart { lot, amount } in &back.points {
            *self.points.entry(*lot).or_default() -= amount.hundredths();
        }
        let Some(made) = self.claims.get_mut(claim) else {
            return false;
        };
        let owed = std::mem::replace(&mut made.owes, false);
        let [no] = made.purchase_nos.as_slice() else {
            return false;
        };
        let Some(line) = self.lines.iter_mut().find(|line| line.no == *no) else {
            return false;
        };
        let due = made.cheaper.max(0) * line.quantity;
        let [.., line_points, line_paid] = &mut line.amounts;
        let expected_money = due.min(*line_paid);
        let expected_points = (due - expected_money).min(*line_points);
        *line_paid -= money;
        *line_points -= points;
        line.cheaper += money + points;
        owed && (money, points) == (expected_money, expected_points) && line.adds_up()
    }

    /// The exchanges whose replacement was sent without giving back its difference.
    pub fn owed_differences(&self) -> impl Iterator<Item = &String> {
        let is_owed = |made: &HeldClaim| {
            let mut its = self.lines.iter();
            let line = its.find(|line| made.purchase_nos.contains(&line.no));
            let [.., points, paid] = line.map(|line| line.amounts).unwrap_or_default();
            made.owes && made.cheaper > 0 && points + paid > 0
        };
        let claims = self.claims.iter();
        claims.filter_map(move |(id, made)| is_owed(made).then_some(id))
    }

    fn split(&mut self, from: &str, no: &str, part: &PurchasePart) -> bool {
        let Some(whole) = self.lines.iter_mut().find(|line| line.no == from) else {
            return false;
        };
        let part = whole.part(no, part);
        let adds_up = whole.less(&part) && whole.adds_up() && part.adds_up();
        self.lines.push(part);
        adds_up
    }

    /// Returns the goods of the purchases of an approved claim, and its coupons and points. What cannot be sold again is written off. False
    /// if a coupon is among them that no claim gives back.
    fn give_back(&mut self, claim: &str, back: &RefundTerms) -> bool {
        let Some(made) = self.claims.get(claim) else {
            return true;
        };
        let its = |line: &&HeldLine| made.purchase_nos.contains(&line.no);
        for line in self.lines.iter().filter(its) {
            for (stock, taken) in &line.stock {
                *self.stock.entry(*stock).or_default() -= taken;
                let each = taken.checked_div(line.quantity).unwrap_or_default();
                if made.unsellable > 0 {
                    *self.written_off.entry(*stock).or_default() += each * made.unsellable;
                }
            }
        }
        for coupon in &back.coupons {
            self.coupons.remove(coupon);
        }
        for LotPart { lot, amount } in &back.points {
            *self.points.entry(*lot).or_default() -= amount.hundredths();
        }
        let mut kept = self.used.iter().filter(|used| !used.returnable);
        !kept.any(|used| back.coupons.contains(&used.issued))
    }
}
