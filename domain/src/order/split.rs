//! Splitting a purchase, so that a claim may cover some of its units.
//!
//! The claimed units get the next free number, the rest keeps its own. Every amount is split stage by stage in proportion to what is left
//! of each part, so that goods less discounts equal the amount paid for each, and the parts sum to the purchase.

use std::borrow::Cow;

use super::aggregate::Order;
use super::error::OrderError;
use super::events::{OrderEvent, PurchasePart};
use super::number;
use super::purchase::Purchase;
use super::terms::{Goods, OrderTerms, PurchaseTerms, StockTaken};
use crate::allocation::{SplitError, Weights, split};
use crate::money::Amount;
use crate::rounding::RoundingStep;

/// Maximum number of purchases of an order, including those split off.
pub const PURCHASES_MOST: usize = 300;

impl Order {
    /// The event that splits `quantity` units off a purchase.
    pub(super) fn split_off(
        &self,
        purchase_no: &str,
        quantity: u32,
    ) -> Result<OrderEvent, OrderError> {
        let terms = self.terms()?;
        let unknown = || OrderError::UnknownPurchase(purchase_no.to_owned());
        let line = self.purchase_terms(purchase_no).ok_or_else(unknown)?;
        let kept = line.quantity.saturating_sub(quantity);
        if quantity == 0 || kept == 0 {
            return Err(OrderError::PiecesOutOfRange {
                purchase_no: purchase_no.to_owned(),
                most: line.quantity,
            });
        }
        if self.purchases.len() >= PURCHASES_MOST {
            return Err(OrderError::TooManyPurchases);
        }
        let borne = self.borne_by_seller_of_line(line)?;
        let part = cut(line, borne, (kept, quantity), terms.step)?;
        Ok(OrderEvent::PurchaseSplit {
            from: purchase_no.to_owned(),
            purchase_no: number::purchase_no(&terms.order_no, self.purchases.len() + 1),
            part,
        })
    }

    /// Applies a split.
    pub(super) fn take_split(&mut self, from: &str, purchase_no: String, part: PurchasePart) {
        let Some(terms) = self.terms.as_deref_mut() else {
            return;
        };
        for fare in &mut terms.fares {
            if fare.purchase_nos.iter().any(|no| no == from) {
                fare.purchase_nos.push(purchase_no.clone());
            }
        }
        let lines = &mut terms.purchases;
        let Some(line) = lines.iter_mut().find(|line| line.purchase_no == from) else {
            return;
        };
        let pieces = line.quantity;
        let new = PurchaseTerms {
            purchase_no: purchase_no.clone(),
            quantity: part.quantity,
            stock: part.stock,
            difference: part.difference,
            product_discount: part.product_discount,
            level_discount: part.level_discount,
            product_coupon: part.product_coupon,
            total_coupon: part.total_coupon,
            points: part.points,
            paid: part.paid,
            ..line.clone()
        };
        line.take_off(&new);
        let kept = line.quantity;
        lines.push(new);
        let purchases = &mut self.purchases;
        let Some(purchase) = purchases.iter_mut().find(|one| one.purchase_no == from) else {
            return;
        };
        purchase.borne_by_seller = Some(part.kept_borne_by_seller);
        let new = Purchase {
            purchase_no,
            split_from: Some(from.to_owned()),
            borne_by_seller: Some(part.borne_by_seller),
            ordered: purchase.ordered_of(pieces, part.quantity),
            ..purchase.clone()
        };
        purchase.ordered = purchase.ordered_of(pieces, kept);
        purchases.push(new);
    }

    /// The terms as placed: splits and exchanges are undone.
    ///
    /// # Errors
    /// [`OrderError::NotPlaced`]; an overflow.
    pub fn placed_terms(&self) -> Result<Cow<'_, OrderTerms>, OrderError> {
        let terms = self.terms()?;
        let differs =
            |purchase: &Purchase| purchase.split_from.is_some() || purchase.ordered.is_some();
        if !self.purchases.iter().any(differs) {
            return Ok(Cow::Borrowed(terms));
        }
        let mut placed = terms.clone();
        for (line, purchase) in placed.purchases.iter_mut().zip(&self.purchases) {
            if let Some(ordered) = &purchase.ordered {
                line.replace(Goods::clone(ordered));
            }
        }
        // A split-off purchase always comes after the one it was split off.
        for purchase in self.purchases.iter().rev() {
            let Some(from) = &purchase.split_from else {
                continue;
            };
            let no = &purchase.purchase_no;
            let lines = &mut placed.purchases;
            let Some(at) = lines.iter().position(|line| line.purchase_no == *no) else {
                continue;
            };
            let part = lines.remove(at);
            if let Some(line) = lines.iter_mut().find(|line| line.purchase_no == *from) {
                line.put_on(&part)?;
            }
            for fare in &mut placed.fares {
                fare.purchase_nos.retain(|carried| carried != no);
            }
        }
        self.put_differences_back(&mut placed)?;
        Ok(Cow::Owned(placed))
    }

    /// The number under which a purchase was placed.
    pub fn placed_no<'a>(&'a self, purchase_no: &'a str) -> &'a str {
        let mut no = purchase_no;
        // Terminates: a purchase is split off one that existed before.
        while let Some(from) = self
            .purchase(no)
            .and_then(|purchase| purchase.split_from.as_deref())
        {
            no = from;
        }
        no
    }

    /// The seller's part of a line's coupons.
    ///
    /// # Errors
    /// [`OrderError::TermsDoNotAddUp`] where the sellers' part exceeds the discount.
    pub fn borne_by_seller_of_line(&self, line: &PurchaseTerms) -> Result<Amount, OrderError> {
        let purchase = self.purchase(&line.purchase_no);
        match purchase.and_then(|purchase| purchase.borne_by_seller) {
            Some(borne) => Ok(borne),
            None => self.placed_terms()?.borne_by_seller_of_line(line),
        }
    }

    /// The seller's part of the coupons of the fare at this place of the terms.
    ///
    /// # Errors
    /// As [`Order::borne_by_seller_of_line`].
    pub fn borne_by_seller_of_fare(&self, place: u32) -> Result<Amount, OrderError> {
        let placed = self.placed_terms()?;
        match usize::try_from(place)
            .ok()
            .and_then(|place| placed.fares.get(place))
        {
            Some(fare) => placed.borne_by_seller_of_fare(fare),
            None => Ok(Amount::ZERO),
        }
    }
}

/// The part with the second quantity, cut off `line`; the first keeps its number.
fn cut(
    line: &PurchaseTerms,
    borne: Amount,
    (kept, quantity): (u32, u32),
    step: RoundingStep,
) -> Result<PurchasePart, OrderError> {
    // A difference above zero was paid by the piece; one below zero is bound by what each part costs.
    let dearer = line.difference.max(Amount::ZERO);
    let pieces = [kept, quantity];
    let [kept_dearer, dearer] = two(split(dearer, Weights::Quantities(&pieces), step))?;
    let mut left = [
        line.unit_price.times(kept)?.plus(kept_dearer)?,
        line.unit_price.times(quantity)?.plus(dearer)?,
    ];
    let mut off = |discount| -> Result<[Amount; 2], OrderError> {
        let shares = halves(discount, left, step)?;
        for (left, share) in left.iter_mut().zip(shares) {
            *left = left.minus(share)?;
        }
        Ok(shares)
    };
    let [_, cheaper] = off(line.difference.negated()?.max(Amount::ZERO))?;
    let [_, product_discount] = off(line.product_discount)?;
    let [_, level_discount] = off(line.level_discount)?;
    let product_coupon = off(line.product_coupon)?;
    let total_coupon = off(line.total_coupon)?;
    let [_, points] = off(line.points)?;
    let coupons = [
        product_coupon[0].plus(total_coupon[0])?,
        product_coupon[1].plus(total_coupon[1])?,
    ];
    let [kept_borne_by_seller, borne_by_seller] = halves(borne, coupons, step)?;
    Ok(PurchasePart {
        quantity,
        stock: line
            .stock
            .iter()
            .map(|taken| taken.of_pieces(line.quantity, quantity))
            .collect(),
        difference: dearer.minus(cheaper)?,
        product_discount,
        level_discount,
        product_coupon: product_coupon[1],
        total_coupon: total_coupon[1],
        points,
        paid: left[1],
        borne_by_seller,
        kept_borne_by_seller,
    })
}

/// `total` over two parts that bound it; ties go to the first.
fn halves(
    total: Amount,
    bounds: [Amount; 2],
    step: RoundingStep,
) -> Result<[Amount; 2], OrderError> {
    two(split(total, Weights::Amounts(&bounds), step))
}

fn two(shares: Result<Vec<Amount>, SplitError>) -> Result<[Amount; 2], OrderError> {
    let does_not_fit = |error: SplitError| OrderError::TermsDoNotAddUp(error.to_string());
    match shares.map_err(does_not_fit)?.as_slice() {
        [kept, part] => Ok([*kept, *part]),
        _ => Err(OrderError::TermsDoNotAddUp("two parts expected".to_owned())),
    }
}

impl StockTaken {
    /// The share of `some` of `pieces` units: all have equal shares.
    pub(crate) fn of_pieces(&self, pieces: u32, some: u32) -> Self {
        let each = self.quantity.checked_div(pieces).unwrap_or_default();
        Self {
            stock: self.stock,
            quantity: each.saturating_mul(some),
        }
    }
}

impl PurchaseTerms {
    /// Subtracts a part.
    fn take_off(&mut self, part: &Self) {
        self.quantity = self.quantity.saturating_sub(part.quantity);
        for (taken, off) in self.stock.iter_mut().zip(&part.stock) {
            taken.quantity = taken.quantity.saturating_sub(off.quantity);
        }
        for (amount, off) in self.divided().into_iter().zip(part.clone().divided()) {
            *amount = amount.minus(*off).unwrap_or_default();
        }
    }

    /// Adds a part back.
    fn put_on(&mut self, part: &Self) -> Result<(), OrderError> {
        self.quantity = self.quantity.saturating_add(part.quantity);
        for (taken, on) in self.stock.iter_mut().zip(&part.stock) {
            taken.quantity = taken.quantity.saturating_add(on.quantity);
        }
        for (amount, on) in self.divided().into_iter().zip(part.clone().divided()) {
            *amount = amount.plus(*on)?;
        }
        Ok(())
    }

    /// The amounts of the whole line that a split divides.
    fn divided(&mut self) -> [&mut Amount; 7] {
        [
            &mut self.difference,
            &mut self.product_discount,
            &mut self.level_discount,
            &mut self.product_coupon,
            &mut self.total_coupon,
            &mut self.points,
            &mut self.paid,
        ]
    }
}
