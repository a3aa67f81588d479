//! Claims on paid purchases: cancellations before they are sent, returns after, and exchanges once they are delivered
//! ([`super::exchange`]).
//!
//! | kind | requested | then | ends |
//! |---|---|---|---|
//! | cancellation | until it is sent | approved at once if not prepared, or by staff or the seller | completed with its refund; rejected; withdrawn until answered |
//! | return | once it is sent, until it is confirmed | goods picked up, inspected by the piece, approved | completed with its refund; rejected; withdrawn until picked up |
//! | exchange | once it is delivered, until it is confirmed | accepted, goods picked up and inspected, replacement sent | completed with its delivery; rejected until the replacement is sent; withdrawn until picked up |
//!
//! Staff may open a return or exchange of a confirmed purchase, too. Nothing is posted before it is approved: then the entries of the
//! confirmation are reversed. If it is rejected or withdrawn, or the replacement is delivered, the purchase is complete again.
//!
//! A claim covers purchases of one seller at one stage. Older claims may cover several sellers: only staff answer those.

mod decide;
mod evolve;

pub(super) use decide::Draft;

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;

use super::actions::Reader;
use super::cancel_reason::CancelReason;
use super::earned_points::EarnedPoints;
use super::events::{CanceledBy, Fault, RefundTerms};
use super::exchange::Exchange;
use super::purchase::Invoice;
use super::refund::ParcelRules;
use crate::business_day;
use crate::codes::codes;
use crate::event::Context;
use crate::ids::{ClaimId, ClaimPictureId, RefundId};
use crate::money::Amount;
use crate::personal::{Party, Sealed};

/// Maximum number of pictures of a return or exchange.
pub const CLAIM_PICTURES_MOST: usize = 5;

/// A claim on paid purchases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// Id of the claim.
    pub id: ClaimId,
    /// Numbers of the purchases it covers.
    pub purchase_nos: Vec<String>,
    /// The party that requested it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
    /// What is given back: expected while requested, final once approved.
    pub refund: RefundTerms,
    /// State of the claim.
    pub state: ClaimState,
    /// The goods that come back with a return or exchange; none for a cancellation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<Box<Collection>>,
}

codes! {
    /// Kind of a claim.
    ClaimKind {
        /// Cancellation of purchases that are not sent.
        Cancel = "CANCEL",
        /// Return of a sent purchase.
        Return = "RETURN",
        /// Exchange of a delivered purchase.
        Exchange = "EXCHANGE",
    }
}

/// State of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum ClaimState {
    /// Requested.
    Requested,
    /// Approved; stock, coupons and points are given back, the refund is in progress.
    Approved {
        /// The refund with the order's payment; none without money to give back on it.
        refund: Option<RefundId>,
    },
    /// Rejected.
    Rejected {
        /// The reason.
        reason: String,
    },
    /// The refund is completed.
    Completed {
        /// The refund with the order's payment; none without money to give back on it.
        refund: Option<RefundId>,
    },
    /// Withdrawn by the buyer.
    Withdrawn,
    /// An accepted exchange; its replacement is reserved.
    Accepted,
    /// An exchange whose replacement was delivered.
    Exchanged,
}

/// The goods of a return or exchange on their way back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Collection {
    /// The party at fault: as requested, then as inspected.
    pub fault: Fault,
    /// Address they are picked up from.
    pub pickup: Sealed<Party>,
    /// Fare of the way back, hundredths; of both ways for an exchange.
    pub return_fare: Amount,
    /// Whole days left until automatic confirmation when the claim was requested; none if the goods were on their way.
    pub days_left: Option<u32>,
    /// The parcel in which they come back.
    pub invoice: Option<Invoice>,
    /// Result of the inspection.
    pub inspection: Option<Inspection>,
    /// The parcel in which they were sent back to the buyer.
    pub sent_back: Option<Invoice>,
    /// The replacement; none for a return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
    /// Pictures of the goods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ClaimPictureId>,
}

/// Result of inspecting returned goods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// Pieces that arrived.
    pub arrived: u32,
    /// How many of them can be sold again; the others are written off.
    pub resellable: u32,
    /// The party at fault.
    pub fault: Fault,
}

/// Ids for the claims and refunds of one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimIds {
    /// The first claim; further ones count up from it.
    pub claim: ClaimId,
    /// The refund of all claims approved immediately.
    pub refund: RefundId,
}

impl ClaimIds {
    /// The claim with this index in the decision.
    fn nth(self, place: u128) -> ClaimId {
        count_up(self.claim, place)
    }
}

/// Another claim id derived from one: ids end in random bits, so neighbouring ids are free.
const fn count_up(claim: ClaimId, by: u128) -> ClaimId {
    ClaimId(uuid::Uuid::from_u128(claim.0.as_u128().wrapping_add(by)))
}

/// Pieces of a purchase to claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimPieces {
    /// Number of the purchase.
    pub purchase_no: String,
    /// Quantity; none for all.
    pub quantity: Option<u32>,
}

impl ClaimPieces {
    /// All units of a purchase.
    pub fn all(purchase_no: impl Into<String>) -> Self {
        Self {
            purchase_no: purchase_no.into(),
            quantity: None,
        }
    }
}

/// A request to cancel paid purchases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelRequest {
    /// Ids of the claims to create.
    pub ids: ClaimIds,
    /// What to cancel.
    pub pieces: Vec<ClaimPieces>,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
    /// Shipping options of the parcels.
    pub parcels: ParcelRules,
}

impl CancelRequest {
    /// A request for all units of these purchases, which recharges no fare.
    pub fn whole(
        ids: ClaimIds,
        purchase_nos: impl IntoIterator<Item = String>,
        by: CanceledBy,
        reason: CancelReason,
    ) -> Self {
        Self {
            ids,
            pieces: purchase_nos.into_iter().map(ClaimPieces::all).collect(),
            by,
            reason,
            parcels: ParcelRules::default(),
        }
    }
}

/// A request to return a sent purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnRequest {
    /// Id of the claim to create.
    pub claim: ClaimId,
    /// What to return.
    pub pieces: ClaimPieces,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
    /// The party at fault, as claimed.
    pub fault: Fault,
    /// Address the goods are picked up from.
    pub pickup: Sealed<Party>,
    /// Pictures of the goods, at most [`CLAIM_PICTURES_MOST`].
    pub pictures: Vec<ClaimPictureId>,
    /// Shipping options of the parcels.
    pub parcels: ParcelRules,
    /// What the buyer holds of the points a confirmed purchase earned.
    pub earned: EarnedPoints,
}

/// The approval of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimAnswer {
    /// The claim.
    pub claim: ClaimId,
    /// Id of the refund to create.
    pub refund: RefundId,
    /// The reader who answers.
    pub by: Reader,
    /// Shipping options of the parcels.
    pub parcels: ParcelRules,
    /// What the buyer holds of the points a confirmed purchase earned.
    pub earned: EarnedPoints,
}

impl Claim {
    /// Its kind.
    pub fn kind(&self) -> ClaimKind {
        match &self.collection {
            None => ClaimKind::Cancel,
            Some(goods) if goods.exchange.is_some() => ClaimKind::Exchange,
            Some(_) => ClaimKind::Return,
        }
    }

    /// Whether it waits for its next step: an answer, the goods or the delivery of the replacement. An approved claim only waits for its
    /// refund.
    pub const fn is_open(&self) -> bool {
        matches!(self.state, ClaimState::Requested | ClaimState::Accepted)
    }

    /// The party at fault; none for a cancellation.
    pub fn fault(&self) -> Option<Fault> {
        self.collection.as_ref().map(|collection| collection.fault)
    }

    /// Whether the claim is approved, so that what it covers is given back.
    pub const fn is_granted(&self) -> bool {
        matches!(
            self.state,
            ClaimState::Approved { .. } | ClaimState::Completed { .. }
        )
    }

    /// Number of returned units that are written off because they cannot be sold again.
    pub fn written_off(&self) -> u32 {
        let inspection = self.collection.as_ref().and_then(|goods| goods.inspection);
        inspection.map_or(0, |found| found.arrived.saturating_sub(found.resellable))
    }

    /// Fault and fare of a return.
    pub fn return_terms(&self) -> Option<(Fault, Amount)> {
        let goods = self.collection.as_ref()?;
        Some((goods.fault, goods.return_fare))
    }

    /// The day of automatic confirmation if the claim ends now: the remaining whole days are counted from now.
    pub(super) fn confirmation_day(&self, context: &Context) -> Option<Date> {
        let left = self.collection.as_ref()?.days_left?;
        Some(business_day::after(context.now, left))
    }
}
