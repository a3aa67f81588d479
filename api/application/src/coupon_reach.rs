//! Whom a coupon would reach, and what it would have cost last month, before it is saved.

use std::collections::BTreeSet;

use domain::Amount;
use domain::coupon::Coupon;
use domain::ids::{MemberId, OrderId, ProductId};
use domain::money::MoneyError;
use domain::order::{Buyer, OrderTerms};
use domain::pricing::{DiscountEstimate, EstimateLine, estimated_discount};
use domain::record::{RecordError, Resource};
use projections::orders::paid_orders;
use projections::state::member_days::{self, CouponReach};
use time::Duration;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult};

/// Members named.
const SAMPLE: i64 = 10;
/// The orders it is priced on are those of so many days.
const DAYS: Duration = Duration::days(30);
/// Orders read at once.
const AT_ONCE: i64 = 500;
/// The most orders it is priced on; of a shop with more, the newest.
const MOST: u64 = 5_000;

/// What a coupon would have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CouponCost {
    /// Orders it takes something off.
    pub orders: u64,
    /// What it takes off, at most.
    pub discount: Amount,
    /// Of it, the sellers' part.
    pub sellers: Amount,
    /// Not all orders of the time were looked at.
    pub is_partial: bool,
}

/// Passes if a coupon could be saved.
///
/// # Errors
/// `invalid` with every field that is wrong.
pub fn check(coupon: &Coupon) -> AppResult<()> {
    Ok(Coupon::validate(coupon).map_err(RecordError::Invalid)?)
}

/// The members a coupon is for.
///
/// # Errors
/// Database errors.
pub async fn members(app: &App, coupon: &Coupon) -> AppResult<CouponReach> {
    Ok(member_days::reach(app.pool(), coupon, SAMPLE).await?)
}

/// What a coupon takes off the paid orders that its members placed in the last days, at most: once an order, on the lines as they were
/// placed, with the categories and displays of today.
///
/// # Errors
/// Database errors; an amount overflows.
pub async fn last_month(app: &App, coupon: &Coupon) -> AppResult<CouponCost> {
    let now = app.clock.now();
    let mut cost = CouponCost::default();
    let mut before = (now + Duration::SECOND, OrderId(Uuid::max()));
    let mut seen = 0_u64;
    loop {
        let orders = paid_orders(app.pool(), now - DAYS, before, AT_ONCE).await?;
        let Some(last) = orders.last() else {
            return Ok(cost);
        };
        if seen >= MOST {
            cost.is_partial = true;
            return Ok(cost);
        }
        before = (last.created_at, last.id);
        seen = seen.saturating_add(u64::try_from(orders.len()).unwrap_or(u64::MAX));
        let mut placed = Vec::with_capacity(orders.len());
        for order in &orders {
            placed.push(order.state.placed_terms()?);
        }
        add(app, coupon, placed.iter().map(|terms| &**terms), &mut cost).await?;
    }
}

async fn add(
    app: &App,
    coupon: &Coupon,
    orders: impl Iterator<Item = &OrderTerms> + Clone,
    cost: &mut CouponCost,
) -> AppResult<()> {
    let buyer = |terms: &OrderTerms| match terms.buyer {
        Buyer::Member { id } => Some(id),
        Buyer::Guest { .. } => None,
    };
    let buyers: Vec<MemberId> = orders.clone().filter_map(buyer).collect();
    let buyers = member_days::reached(app.pool(), coupon, &buyers).await?;
    let buyers: BTreeSet<MemberId> = buyers.into_iter().collect();
    let lines = orders.clone().flat_map(|terms| &terms.purchases);
    let products: BTreeSet<ProductId> = lines.map(|line| line.product).collect();
    let products: Vec<ProductId> = products.into_iter().collect();
    let rules = app.pricing_rules.rules(&app.store, &products).await?;
    let terms = coupon.terms();
    let kinds = |product: ProductId| {
        let found = rules.products.get(&product);
        let categories = found.map(|found| rules.categories(&found.data));
        let displays = rules.displays(product);
        let displays: Vec<String> = displays
            .map(|(_, display)| display.data.code.as_str().to_owned())
            .chain(rules.exhibitions(product).map(|(id, _)| id.to_owned()))
            .collect();
        (categories.unwrap_or_default(), displays)
    };
    for order in orders {
        if !buyer(order).is_some_and(|buyer| buyers.contains(&buyer)) {
            continue;
        }
        let of_lines: Vec<_> = order
            .purchases
            .iter()
            .map(|line| (line, kinds(line.product)))
            .collect();
        let lines: Vec<EstimateLine<'_>> = of_lines
            .iter()
            .map(|(line, (categories, displays))| EstimateLine {
                line,
                categories,
                displays,
            })
            .collect();
        let off = estimated_discount(&terms, order, &lines, rules.step());
        let DiscountEstimate { discount, seller } = off.map_err(overflow)?;
        if discount > Amount::ZERO {
            cost.orders = cost.orders.saturating_add(1);
            cost.discount = cost.discount.plus(discount).map_err(overflow)?;
            cost.sellers = cost.sellers.plus(seller).map_err(overflow)?;
        }
    }
    Ok(())
}

fn overflow(error: MoneyError) -> AppError {
    AppError::internal(error)
}
