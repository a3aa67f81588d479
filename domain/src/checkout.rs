//! Decisions over many streams at once: placing an order, and everything an order gives back.
//!
//! The caller loads the streams an order touches ([`streams_of`]), asks one of these pure functions, and writes what it answers in
//! one atomic append. Either the order and its goods, coupons and points all change, or nothing does.

mod preview;

use std::collections::{BTreeMap, BTreeSet};

use crate::coupon::{
    Campaign, CampaignCommand, CampaignError, CampaignEvent, IssuedCoupon, IssuedCouponCommand,
    IssuedCouponError, IssuedCouponEvent,
};
use crate::event::{Context, Decider};
use crate::ids::{
    ClaimId, CouponId, IssuedCouponId, MemberId, OrderId, ProductId, RefundId, StockId,
};
use crate::member::Member;
use crate::money::{Amount, MoneyError};
use crate::order::{
    Buyer, CancelReason, CanceledBy, CouponUse, LotPart, Order, OrderCommand, OrderError,
    OrderEvent, OrderTerms, PurchaseTerms, Reader,
};
use crate::points::{Points, PointsCommand, PointsError, PointsEvent};
use crate::stock::{Stock, StockCommand, StockError, StockEvent};

pub use preview::*;

/// The streams an order touches beside its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Stock ledgers.
    pub stock: BTreeSet<StockId>,
    /// Coupons in the buyer's box.
    pub issued: BTreeSet<IssuedCouponId>,
    /// Campaigns that count uses.
    pub campaigns: BTreeSet<CouponId>,
    /// Whose points.
    pub points: Option<MemberId>,
}

/// The states of those streams. A stream that does not exist yet is its `Default`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckoutState {
    /// Stock ledgers.
    pub stock: BTreeMap<StockId, Stock>,
    /// Coupons in the buyer's box.
    pub issued: BTreeMap<IssuedCouponId, IssuedCoupon>,
    /// Campaigns that count uses.
    pub campaigns: BTreeMap<CouponId, Campaign>,
    /// The buyer's points.
    pub points: Points,
    /// The buyer and the sellers, where an order is placed.
    pub members: BTreeMap<MemberId, Member>,
    /// The product each stock ledger has to count, where an order is placed.
    pub goods: BTreeMap<StockId, ProductId>,
}

/// What one decision writes, stream by stream; streams without events are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckoutDecision {
    /// The order's own stream. Empty: it was decided before, so there is nothing to write.
    pub order: Vec<OrderEvent>,
    /// Stock ledgers.
    pub stock: Vec<(StockId, Vec<StockEvent>)>,
    /// Coupons in the buyer's box.
    pub issued: Vec<(IssuedCouponId, Vec<IssuedCouponEvent>)>,
    /// Campaigns.
    pub campaigns: Vec<(CouponId, Vec<CampaignEvent>)>,
    /// The buyer's points.
    pub points: Vec<PointsEvent>,
}

/// Why an order cannot be placed or given back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutError {
    /// The buyer has left the shop.
    #[error("the buyer has left")]
    BuyerLeft,
    /// Who sells some of it has left the shop.
    #[error("who sells {name} has left")]
    SellerLeft {
        /// The first product of theirs in the order.
        product: ProductId,
        /// Its name.
        name: String,
    },
    /// Some goods are gone.
    #[error("{} sold out, {available} left", .names.join(", "))]
    SoldOut {
        /// The stock ledger.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
        /// What is left.
        available: u32,
    },
    /// A stock ledger counts another product than the one that is sold from it.
    #[error("{} would be taken from another product's stock", .names.join(", "))]
    OtherGoods {
        /// The stock ledger.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
    },
    /// A coupon's campaign is used up.
    #[error("coupon {name} is used up")]
    CouponUsedUp {
        /// Which one.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
    },
    /// A coupon cannot be used by this buyer, now.
    #[error("coupon {name}: {why}")]
    Coupon {
        /// Which one.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
        /// Why.
        why: IssuedCouponError,
    },
    /// The buyer's points do not cover it.
    #[error("only {available} points are left")]
    PointsShort {
        /// What the live lots hold.
        available: Amount,
    },
    /// The order refuses.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A stock ledger refuses for another reason.
    #[error(transparent)]
    Stock(#[from] StockError),
    /// A campaign refuses for another reason.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// The points ledger refuses for another reason.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// An amount or number of pieces does not fit.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl CheckoutError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BuyerLeft => "buyer_left",
            Self::SellerLeft { .. } => "seller_left",
            Self::SoldOut { .. } => "sold_out",
            Self::OtherGoods { .. } => "other_goods",
            Self::CouponUsedUp { .. } => "coupon_used_up",
            Self::Coupon { why, .. } => why.code(),
            Self::PointsShort { .. } => "points_short",
            Self::Order(error) => error.code(),
            Self::Stock(error) => error.code(),
            Self::Campaign(error) => error.code(),
            Self::Points(error) => error.code(),
            Self::Money(_) => "amount_overflow",
        }
    }
}

/// The streams an order with these terms touches, for placing it as for giving it back.
pub fn footprint_of(terms: &OrderTerms) -> Footprint {
    Footprint {
        stock: terms
            .purchases
            .iter()
            .flat_map(|line| &line.stock)
            .map(|taken| taken.stock)
            .collect(),
        issued: terms.coupons.iter().map(|used| used.issued).collect(),
        campaigns: terms
            .coupons
            .iter()
            .filter(|used| used.counted)
            .map(|used| used.coupon)
            .collect(),
        points: match terms.buyer {
            Buyer::Member { id } if !terms.totals.points.is_zero() => Some(id),
            Buyer::Member { .. } | Buyer::Guest { .. } => None,
        },
    }
}

/// Who has to be there when an order with these terms is placed: its buyer, unless it is a guest, and its sellers.
pub fn parties_of(terms: &OrderTerms) -> BTreeSet<MemberId> {
    let sellers = terms.purchases.iter().map(|line| line.seller);
    match terms.buyer {
        Buyer::Member { id } => sellers.chain([id]).collect(),
        Buyer::Guest { .. } => sellers.collect(),
    }
}

/// Places an order: takes its goods, uses its coupons and spends its points, or refuses as a whole.
///
/// `terms.points` is filled in here (which lots the points come from); the rest of `terms` is what was quoted. Purchases that share
/// a stock ledger are added up before it is asked. When nothing is left to pay, the order is paid in the same decision.
///
/// # Errors
/// [`PlacingError`]: the first rule that refused.
pub fn place(
    id: OrderId,
    order: &Order,
    mut terms: OrderTerms,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    nobody_left(&terms, streams)?;
    let mut decided = CheckoutDecision {
        stock: take_stock(id, &terms.purchases, streams, context)?,
        ..CheckoutDecision::default()
    };
    for used in &terms.coupons {
        use_coupon(id, &terms.buyer, used, streams, context, &mut decided)?;
    }
    decided.points = spend_points(id, &terms, streams, context)?;
    terms.points = decided
        .points
        .iter()
        .flat_map(|event| match event {
            PointsEvent::PointsSpent { parts, .. } => parts.clone(),
            _ => vec![],
        })
        .collect();
    let free = terms.totals.payable.is_zero();
    decided.order = order.decide(OrderCommand::Place(Box::new(terms)), context)?;
    if free {
        decided.order.push(OrderEvent::OrderPaid {
            payment: None,
            amount: Amount::ZERO,
        });
    }
    Ok(decided)
}

/// Cancels an order before it is paid and gives everything back.
///
/// # Errors
/// [`PlacingError`].
pub fn cancel_unpaid(
    id: OrderId,
    order: &Order,
    by: CanceledBy,
    reason: Option<CancelReason>,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let events = order.decide(OrderCommand::CancelUnpaid { by, reason }, context)?;
    if events.is_empty() {
        return Ok(CheckoutDecision::default());
    }
    let terms = order.terms()?;
    let lines: Vec<&PurchaseTerms> = terms.purchases.iter().collect();
    let coupons = terms.coupons.iter().map(|used| used.issued).collect();
    let back = Reversal {
        lines,
        coupons,
        points: terms.points.clone(),
    };
    give_back(id, terms, &back, events, streams, context)
}

/// What is asked for with a cancellation of paid purchases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// The claim to be made.
    pub claim: ClaimId,
    /// The refund to be made if it is approved at once.
    pub refund: RefundId,
    /// Which purchases.
    pub purchase_nos: Vec<String>,
    /// Who asks.
    pub by: CanceledBy,
    /// Why.
    pub reason: CancelReason,
}

/// Asks for a cancellation of paid purchases. Where the order approves it at once, what goes back goes back in the same decision.
///
/// # Errors
/// [`PlacingError`].
pub fn request_cancel(
    id: OrderId,
    order: &Order,
    request: CancelRequest,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let act = OrderCommand::RequestCancel {
        claim: request.claim,
        refund: request.refund,
        purchase_nos: request.purchase_nos.clone(),
        by: request.by,
        reason: request.reason,
    };
    let events = order.decide(act, context)?;
    granted(id, order, &request.purchase_nos, events, streams, context)
}

/// Who grants which cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelApproval {
    /// The claim.
    pub claim: ClaimId,
    /// The refund to be made.
    pub refund: RefundId,
    /// Who answers it.
    pub by: Reader,
}

/// Grants a cancellation and gives back what it covers.
///
/// # Errors
/// [`PlacingError`].
pub fn approve_cancel(
    id: OrderId,
    order: &Order,
    approval: CancelApproval,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let CancelApproval { claim, refund, by } = approval;
    let events = order.decide(OrderCommand::ApproveCancel { claim, refund, by }, context)?;
    let purchase_nos = order
        .claim(claim)
        .map(|made| made.purchase_nos.clone())
        .unwrap_or_default();
    granted(id, order, &purchase_nos, events, streams, context)
}

fn granted(
    id: OrderId,
    order: &Order,
    purchase_nos: &[String],
    events: Vec<OrderEvent>,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let approved = events.iter().find_map(|event| match event {
        OrderEvent::CancelApproved { terms, .. } => Some(terms.clone()),
        _ => None,
    });
    let Some(refund) = approved else {
        return Ok(CheckoutDecision {
            order: events,
            ..CheckoutDecision::default()
        });
    };
    let terms = order.terms()?;
    let back = Reversal {
        lines: terms
            .purchases
            .iter()
            .filter(|line| purchase_nos.contains(&line.purchase_no))
            .collect(),
        coupons: refund.coupons,
        points: refund.points,
    };
    give_back(id, terms, &back, events, streams, context)
}

/// What an order gives back.
struct Reversal<'a> {
    lines: Vec<&'a PurchaseTerms>,
    coupons: Vec<IssuedCouponId>,
    points: Vec<LotPart>,
}

fn give_back(
    id: OrderId,
    terms: &OrderTerms,
    back: &Reversal<'_>,
    order: Vec<OrderEvent>,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let mut decided = CheckoutDecision {
        order,
        ..CheckoutDecision::default()
    };
    for (stock, (quantity, _)) in pieces(back.lines.iter().copied())? {
        let act = StockCommand::GiveBack {
            order: id,
            quantity,
        };
        let events = known(&streams.stock, stock).decide(act, context)?;
        decided.stock.push((stock, events));
    }
    for used in terms
        .coupons
        .iter()
        .filter(|used| back.coupons.contains(&used.issued))
    {
        let act = IssuedCouponCommand::Return { order: id };
        let events = known(&streams.issued, used.issued)
            .decide(act, context)
            .map_err(|why| refused(used, why))?;
        decided.issued.push((used.issued, events));
        if used.counted {
            let act = CampaignCommand::ReturnUse {
                issued: used.issued,
                order: id,
                amount: used.amount,
            };
            count(used, act, streams, context, &mut decided)?;
        }
    }
    if !back.points.is_empty() {
        let act = PointsCommand::Restore {
            order: id,
            parts: back.points.clone(),
        };
        decided.points = streams.points.decide(act, context)?;
    }
    Ok(decided)
}

/// Who left orders and sells nothing any more, however long their token or what shows their goods may last.
fn nobody_left(terms: &OrderTerms, streams: &CheckoutState) -> Result<(), CheckoutError> {
    let has_left = |member: MemberId| known(&streams.members, member).left;
    if let Buyer::Member { id } = terms.buyer
        && has_left(id)
    {
        return Err(CheckoutError::BuyerLeft);
    }
    match terms.purchases.iter().find(|line| has_left(line.seller)) {
        Some(line) => Err(CheckoutError::SellerLeft {
            product: line.product,
            name: line.name.clone(),
        }),
        None => Ok(()),
    }
}

fn take_stock(
    id: OrderId,
    lines: &[PurchaseTerms],
    streams: &CheckoutState,
    context: &Context,
) -> Result<Vec<(StockId, Vec<StockEvent>)>, CheckoutError> {
    let mut taken = Vec::new();
    for (stock, (quantity, names)) in pieces(lines)? {
        let act = StockCommand::Take {
            order: id,
            quantity,
        };
        let pile = known(&streams.stock, stock);
        if let (Some(counted), Some(sold)) = (pile.product, streams.goods.get(&stock))
            && counted != *sold
        {
            return Err(CheckoutError::OtherGoods { stock, names });
        }
        let events = pile.decide(act, context).map_err(|error| match error {
            StockError::SoldOut { available } => CheckoutError::SoldOut {
                stock,
                names,
                available,
            },
            other => CheckoutError::Stock(other),
        })?;
        taken.push((stock, events));
    }
    Ok(taken)
}

/// Pieces by stock ledger, with the names of the products that need them: purchases that share a ledger are one demand.
fn pieces<'a>(
    lines: impl IntoIterator<Item = &'a PurchaseTerms>,
) -> Result<BTreeMap<StockId, (u32, Vec<String>)>, CheckoutError> {
    let mut pieces: BTreeMap<StockId, (u32, Vec<String>)> = BTreeMap::new();
    for line in lines {
        for taken in &line.stock {
            let (quantity, names) = pieces.entry(taken.stock).or_default();
            *quantity = quantity
                .checked_add(taken.quantity)
                .ok_or(StockError::TooMany)?;
            if !names.contains(&line.name) {
                names.push(line.name.clone());
            }
        }
    }
    Ok(pieces)
}

fn use_coupon(
    id: OrderId,
    buyer: &Buyer,
    used: &CouponUse,
    streams: &CheckoutState,
    context: &Context,
    decided: &mut CheckoutDecision,
) -> Result<(), CheckoutError> {
    let Buyer::Member { id: member } = *buyer else {
        return Err(refused(used, IssuedCouponError::Foreign));
    };
    if decided
        .issued
        .iter()
        .any(|(issued, _)| *issued == used.issued)
    {
        return Err(refused(used, IssuedCouponError::Used));
    }
    let act = IssuedCouponCommand::Use {
        order: id,
        member,
        amount: used.amount,
    };
    let events = known(&streams.issued, used.issued)
        .decide(act, context)
        .map_err(|why| refused(used, why))?;
    // a use the coupon knew of is counted already
    let is_new = !events.is_empty();
    decided.issued.push((used.issued, events));
    if used.counted && is_new {
        let act = CampaignCommand::CountUse {
            issued: used.issued,
            member,
            order: id,
            amount: used.amount,
        };
        count(used, act, streams, context, decided)?;
    }
    Ok(())
}

/// Asks a coupon's campaign, which has to see what this same decision has counted before.
fn count(
    used: &CouponUse,
    act: CampaignCommand,
    streams: &CheckoutState,
    context: &Context,
    decided: &mut CheckoutDecision,
) -> Result<(), CheckoutError> {
    let mut campaign = known(&streams.campaigns, used.coupon);
    let before = decided
        .campaigns
        .iter()
        .filter(|(coupon, _)| *coupon == used.coupon);
    for event in before.flat_map(|(_, events)| events) {
        campaign.evolve(event.clone());
    }
    let events = campaign.decide(act, context).map_err(|error| match error {
        CampaignError::UsedUp => CheckoutError::CouponUsedUp {
            issued: used.issued,
            name: used.name.clone(),
        },
        other => CheckoutError::Campaign(other),
    })?;
    add(&mut decided.campaigns, used.coupon, events);
    Ok(())
}

fn spend_points(
    id: OrderId,
    terms: &OrderTerms,
    streams: &CheckoutState,
    context: &Context,
) -> Result<Vec<PointsEvent>, CheckoutError> {
    let amount = terms.totals.points;
    if amount.is_zero() {
        return Ok(vec![]);
    }
    let owner = match terms.buyer {
        Buyer::Member { id } => Some(id),
        Buyer::Guest { .. } => None,
    };
    if owner.is_none() || streams.points.member != owner {
        return Err(CheckoutError::PointsShort {
            available: Amount::ZERO,
        });
    }
    streams
        .points
        .decide(PointsCommand::Spend { order: id, amount }, context)
        .map_err(|error| match error {
            PointsError::Short { available } => CheckoutError::PointsShort { available },
            other => CheckoutError::Points(other),
        })
}

/// One entry a campaign, however many coupons of it the order uses.
fn add(
    campaigns: &mut Vec<(CouponId, Vec<CampaignEvent>)>,
    coupon: CouponId,
    events: Vec<CampaignEvent>,
) {
    match campaigns.iter_mut().find(|(known, _)| *known == coupon) {
        Some((_, before)) => before.extend(events),
        None => campaigns.push((coupon, events)),
    }
}

fn refused(used: &CouponUse, why: IssuedCouponError) -> CheckoutError {
    CheckoutError::Coupon {
        issued: used.issued,
        name: used.name.clone(),
        why,
    }
}

/// A stream nobody loaded is one that does not exist.
fn known<K: Ord, V: Clone + Default>(states: &BTreeMap<K, V>, key: K) -> V {
    states.get(&key).cloned().unwrap_or_default()
}
