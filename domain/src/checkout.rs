//! Decisions over several streams: placing an order, and reversing stock, coupons and points when it is canceled.
//!
//! The caller loads the streams of the order's footprint ([`footprint_of`]), calls one of these pure functions, and writes the
//! decision in one atomic append: either the order and its stock, coupons and points all change, or nothing does.

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

/// Streams that an order touches besides its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Stock aggregates.
    pub stock: BTreeSet<StockId>,
    /// Coupons in the buyer's box.
    pub issued: BTreeSet<IssuedCouponId>,
    /// Campaigns that count coupon uses.
    pub campaigns: BTreeSet<CouponId>,
    /// The member whose points are spent or restored.
    pub points: Option<MemberId>,
}

/// States of the streams in the footprint. A stream that does not exist yet is its `Default`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckoutState {
    /// Stock aggregates.
    pub stock: BTreeMap<StockId, Stock>,
    /// Coupons in the buyer's box.
    pub issued: BTreeMap<IssuedCouponId, IssuedCoupon>,
    /// Campaigns that count coupon uses.
    pub campaigns: BTreeMap<CouponId, Campaign>,
    /// The buyer's points.
    pub points: Points,
    /// The buyer and the sellers, when an order is placed.
    pub members: BTreeMap<MemberId, Member>,
    /// The product each stock aggregate must belong to, when an order is placed.
    pub goods: BTreeMap<StockId, ProductId>,
}

/// Events of one decision, by stream; streams without events are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckoutDecision {
    /// Events of the order's own stream. Empty if the command was decided before, so nothing has to be written.
    pub order: Vec<OrderEvent>,
    /// Events of stock aggregates.
    pub stock: Vec<(StockId, Vec<StockEvent>)>,
    /// Coupons in the buyer's box.
    pub issued: Vec<(IssuedCouponId, Vec<IssuedCouponEvent>)>,
    /// Campaigns.
    pub campaigns: Vec<(CouponId, Vec<CampaignEvent>)>,
    /// The buyer's points.
    pub points: Vec<PointsEvent>,
}

/// Reasons why an order cannot be placed or canceled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutError {
    /// The buyer's account is closed.
    #[error("the buyer's account is closed")]
    BuyerLeft,
    /// A seller's account is closed.
    #[error("the account of the seller of {name} is closed")]
    SellerLeft {
        /// The first product of that seller in the order.
        product: ProductId,
        /// Its name.
        name: String,
    },
    /// Not enough stock.
    #[error("{} sold out, {available} left", .names.join(", "))]
    SoldOut {
        /// The stock aggregate.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
        /// Pieces available.
        available: u32,
    },
    /// A stock aggregate belongs to another product than the one ordered.
    #[error("{} would be taken from another product's stock", .names.join(", "))]
    OtherGoods {
        /// The stock aggregate.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
    },
    /// The limit of a coupon's campaign is reached.
    #[error("coupon {name} is used up")]
    CouponUsedUp {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
    },
    /// A coupon cannot be used by this buyer at this time.
    #[error("coupon {name}: {why}")]
    Coupon {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
        /// The reason.
        why: IssuedCouponError,
    },
    /// The buyer has not enough points.
    #[error("only {available} points are left")]
    PointsShort {
        /// Points available in lots that have not expired.
        available: Amount,
    },
    /// The order rejects the command.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A stock aggregate rejects the command for another reason.
    #[error(transparent)]
    Stock(#[from] StockError),
    /// A campaign rejects the command for another reason.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// The points aggregate rejects the command for another reason.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// An amount or quantity overflows.
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

/// The streams that placing or canceling an order with these terms touches.
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

/// Members whose accounts must be open when an order with these terms is placed: the buyer, unless a guest, and the sellers.
pub fn parties_of(terms: &OrderTerms) -> BTreeSet<MemberId> {
    let sellers = terms.purchases.iter().map(|line| line.seller);
    match terms.buyer {
        Buyer::Member { id } => sellers.chain([id]).collect(),
        Buyer::Guest { .. } => sellers.collect(),
    }
}

/// Places an order: takes its stock, uses its coupons and spends its points, or rejects all of it.
///
/// Fills in `terms.points` (the lots the points come from); the rest of `terms` is the quote. Quantities of purchases that share a
/// stock aggregate are summed before it is checked. An order with nothing to pay is paid in the same decision.
///
/// # Errors
/// [`CheckoutError`]: the first rule violated.
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

/// Cancels an unpaid order and gives back its stock, coupons and points.
///
/// # Errors
/// [`CheckoutError`].
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

/// Request to cancel paid purchases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// Id of the claim to create.
    pub claim: ClaimId,
    /// Id of the refund to create if the claim is approved at once.
    pub refund: RefundId,
    /// Numbers of the purchases.
    pub purchase_nos: Vec<String>,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
}

/// Requests the cancellation of paid purchases. If the order approves it at once, stock, coupons and points go back in the same
/// decision.
///
/// # Errors
/// [`CheckoutError`].
pub fn request_cancel(
    id: OrderId,
    order: &Order,
    request: CancelRequest,
    streams: &CheckoutState,
    context: &Context,
) -> Result<CheckoutDecision, CheckoutError> {
    let command = OrderCommand::RequestCancel {
        claim: request.claim,
        refund: request.refund,
        purchase_nos: request.purchase_nos.clone(),
        by: request.by,
        reason: request.reason,
    };
    let events = order.decide(command, context)?;
    granted(id, order, &request.purchase_nos, events, streams, context)
}

/// Approval of a cancellation claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelApproval {
    /// The claim.
    pub claim: ClaimId,
    /// Id of the refund to create.
    pub refund: RefundId,
    /// The reader who approves it.
    pub by: Reader,
}

/// Approves a cancellation and gives back what it covers.
///
/// # Errors
/// [`CheckoutError`].
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

/// Stock, coupons and points that a cancellation gives back.
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
        let command = StockCommand::GiveBack {
            order: id,
            quantity,
        };
        let events = known(&streams.stock, stock).decide(command, context)?;
        decided.stock.push((stock, events));
    }
    for used in terms
        .coupons
        .iter()
        .filter(|used| back.coupons.contains(&used.issued))
    {
        let command = IssuedCouponCommand::Return { order: id };
        let events = known(&streams.issued, used.issued)
            .decide(command, context)
            .map_err(|why| refused(used, why))?;
        decided.issued.push((used.issued, events));
        if used.counted {
            let command = CampaignCommand::ReturnUse {
                issued: used.issued,
                order: id,
                amount: used.amount,
            };
            count(used, command, streams, context, &mut decided)?;
        }
    }
    if !back.points.is_empty() {
        let command = PointsCommand::Restore {
            order: id,
            parts: back.points.clone(),
        };
        decided.points = streams.points.decide(command, context)?;
    }
    Ok(decided)
}

/// Rejects orders whose buyer or seller has closed their account, whatever tokens or caches still allow.
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
        let command = StockCommand::Take {
            order: id,
            quantity,
        };
        let pile = known(&streams.stock, stock);
        if let (Some(counted), Some(sold)) = (pile.product, streams.goods.get(&stock))
            && counted != *sold
        {
            return Err(CheckoutError::OtherGoods { stock, names });
        }
        let events = pile.decide(command, context).map_err(|error| match error {
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

/// Quantities by stock aggregate, with the names of the products that need them: purchases sharing an aggregate are summed.
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
    let command = IssuedCouponCommand::Use {
        order: id,
        member,
        amount: used.amount,
    };
    let events = known(&streams.issued, used.issued)
        .decide(command, context)
        .map_err(|why| refused(used, why))?;
    // A use already recorded by the coupon is already counted.
    let is_new = !events.is_empty();
    decided.issued.push((used.issued, events));
    if used.counted && is_new {
        let command = CampaignCommand::CountUse {
            issued: used.issued,
            member,
            order: id,
            amount: used.amount,
        };
        count(used, command, streams, context, decided)?;
    }
    Ok(())
}

/// Decides a command of a coupon's campaign, on a state that includes what this decision has counted so far.
fn count(
    used: &CouponUse,
    command: CampaignCommand,
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
    let events = campaign
        .decide(command, context)
        .map_err(|error| match error {
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

/// One entry per campaign, however many of its coupons the order uses.
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

/// The loaded state, or the default for streams that do not exist.
fn known<K: Ord, V: Clone + Default>(states: &BTreeMap<K, V>, key: K) -> V {
    states.get(&key).cloned().unwrap_or_default()
}
