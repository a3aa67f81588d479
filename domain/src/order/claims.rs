//! Claims on paid purchases: cancellations before they are sent, returns after, and exchanges once they are delivered
//! ([`super::exchange`]).
//!
//! | kind | requested | then | ends |
//! |---|---|---|---|
//! | cancellation | until it is sent | approved at once if not prepared, or by staff or the seller | completed with its refund; rejected; withdrawn until answered |
//! | return | once it is sent, until it is confirmed | goods picked up, inspected by the piece, approved | completed with its refund; rejected; withdrawn until picked up |
//! | exchange | once it is delivered, until it is confirmed | accepted, goods picked up and inspected, replacement sent | completed with its delivery; rejected until the replacement is sent; withdrawn until picked up |
//!
//! Staff may open a return or exchange of a confirmed purchase, too. Nothing moves in the books before it is approved: then what the
//! confirmation earned is reversed. If it is refused or withdrawn, or the replacement is delivered, the purchase is complete again.
//!
//! A claim covers purchases of one seller at one stage. Claims of before that may cover several sellers: only staff answer those.

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;

use super::actions::Reader;
use super::aggregate::{Invoice, Order, Purchase};
use super::cancel_reason::CancelReason;
use super::earned_points::EarnedPoints;
use super::error::OrderError;
use super::events::{CanceledBy, Fault, MissingPieces, OrderEvent, RefundTerms};
use super::exchange::Exchange;
use super::refund::ParcelRules;
use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use crate::business_day;
use crate::codes::codes;
use crate::event::Context;
use crate::ids::{ClaimId, RefundId};
use crate::money::Amount;
use crate::personal::{Party, Sealed};

/// Reason of the rejected return of pieces that did not arrive.
const DID_NOT_ARRIVE: &str = "상품이 도착하지 않았습니다.";

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
        /// The refund; none when there is no money to give back.
        refund: Option<RefundId>,
    },
    /// Rejected.
    Rejected {
        /// The reason.
        reason: String,
    },
    /// The refund is completed.
    Completed {
        /// The refund; none when there was no money to give back.
        refund: Option<RefundId>,
    },
    /// Withdrawn by the buyer.
    Withdrawn,
    /// An exchange that was accepted; its replacement is taken from stock.
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
    /// The parcel they come back with.
    pub invoice: Option<Invoice>,
    /// What was found.
    pub inspection: Option<Inspection>,
    /// The parcel they were sent back to the buyer with.
    pub sent_back: Option<Invoice>,
    /// What the buyer gets instead; none for a return.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// What the inspection of returned goods found.
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
    /// The refund of all that is approved at once.
    pub refund: RefundId,
}

impl ClaimIds {
    /// The claim at this place of the decision.
    fn nth(self, place: u128) -> ClaimId {
        count_up(self.claim, place)
    }
}

/// Another claim id that follows from one: ids end in random bits, so that neighbours are free.
const fn count_up(claim: ClaimId, by: u128) -> ClaimId {
    ClaimId(uuid::Uuid::from_u128(claim.0.as_u128().wrapping_add(by)))
}

/// Pieces of a purchase to claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimPieces {
    /// Number of the purchase.
    pub purchase_no: String,
    /// Pieces; none for all of them.
    pub quantity: Option<u32>,
}

impl ClaimPieces {
    /// All pieces of a purchase.
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
    /// A request for all pieces of these purchases, which recharges no fare.
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
    /// The party at fault, as the request says.
    pub fault: Fault,
    /// Address the goods are picked up from.
    pub pickup: Sealed<Party>,
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

    /// Whether it waits for its next step: an answer, the goods or the delivery of the replacement. A claim that is approved waits
    /// for its refund only.
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

    /// The returned pieces that are written off, because they cannot be sold again.
    pub fn written_off(&self) -> u32 {
        let inspection = self.collection.as_ref().and_then(|goods| goods.inspection);
        inspection.map_or(0, |found| found.arrived.saturating_sub(found.resellable))
    }
}

/// An order while a decision of several events is made: each event is applied before the next is decided.
pub(super) struct Draft {
    pub(super) order: Order,
    pub(super) events: Vec<OrderEvent>,
}

impl Draft {
    pub(super) fn of(order: &Order) -> Self {
        Self {
            order: order.clone(),
            events: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, event: OrderEvent) {
        self.order.evolve(event.clone());
        self.events.push(event);
    }

    /// Splits the purchase if only some of its pieces are meant; the number that names exactly those.
    pub(super) fn isolate(&mut self, pieces: &ClaimPieces) -> Result<String, OrderError> {
        let no = &pieces.purchase_no;
        let line = self.order.purchase_terms(no);
        let all = line.map_or(0, |line| line.quantity);
        let Some(quantity) = pieces.quantity.filter(|some| *some != all) else {
            return Ok(no.clone());
        };
        if !(1..all).contains(&quantity) {
            return Err(OrderError::PiecesOutOfRange {
                purchase_no: no.clone(),
                most: all,
            });
        }
        let split = self.order.split_off(no, quantity)?;
        self.add(split);
        let new = self.order.purchases.last();
        Ok(new.map_or_else(|| no.clone(), |new| new.purchase_no.clone()))
    }
}

impl Order {
    pub(super) fn request_cancel(
        &self,
        request: CancelRequest,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        if self.claim(request.ids.claim).is_some() {
            return Ok(vec![]);
        }
        if request.reason.is_missing() {
            return Err(OrderError::ReasonRequired);
        }
        let numbers: Vec<String> = request
            .pieces
            .iter()
            .map(|pieces| pieces.purchase_no.clone())
            .collect();
        for purchase in self.named(&numbers)? {
            purchase.may_be_canceled()?;
        }
        let mut draft = Draft::of(self);
        let mut groups: Vec<(ClaimScope, Vec<String>)> = Vec::new();
        for pieces in &request.pieces {
            let scope = self.known(&pieces.purchase_no)?.claim_scope(request.by);
            let no = draft.isolate(pieces)?;
            match groups.iter_mut().find(|(known, _)| *known == scope) {
                Some((_, numbers)) => numbers.push(no),
                None => groups.push((scope, vec![no])),
            }
        }
        for (place, (scope, purchase_nos)) in (0..).zip(groups) {
            let claim = request.ids.nth(place);
            let refund = draft
                .order
                .refund_detail(Some(claim), &purchase_nos, (None, &request.parcels))?
                .terms;
            draft.add(OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                by: request.by,
                reason: request.reason.clone(),
                refund: refund.clone(),
            });
            if scope.at_once {
                for event in approval(ClaimKind::Cancel, claim, request.ids.refund, refund) {
                    draft.add(event);
                }
            }
        }
        Ok(draft.events)
    }

    pub(super) fn request_return(
        &self,
        request: ReturnRequest,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        if self.claim(request.claim).is_some() {
            return Ok(vec![]);
        }
        if request.reason.is_missing() {
            return Err(OrderError::ReasonRequired);
        }
        let purchase = self.known(&request.pieces.purchase_no)?;
        purchase.may_be_claimed(request.by, Purchase::may_be_returned)?;
        let days_left = purchase.days_left(context);
        let mut draft = Draft::of(self);
        let purchase_no = draft.isolate(&request.pieces)?;
        let return_fare = draft.order.return_fare(&purchase_no, &request.parcels)?;
        let of_return = (Some((request.fault, return_fare)), &request.parcels);
        let numbers = [purchase_no.clone()];
        let refund = draft
            .order
            .refund_detail(Some(request.claim), &numbers, of_return)?
            .terms;
        let reclaimed =
            draft
                .order
                .reclaimed(request.claim, &purchase_no, (request.earned, refund.money))?;
        let refund = refund.less(reclaimed)?;
        draft.add(OrderEvent::ReturnRequested {
            claim: request.claim,
            purchase_no,
            by: request.by,
            reason: request.reason,
            fault: request.fault,
            pickup: request.pickup,
            return_fare,
            days_left,
            refund,
        });
        Ok(draft.events)
    }

    pub(super) fn withdraw_claim(
        &self,
        claim: ClaimId,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        match made.state {
            ClaimState::Requested | ClaimState::Accepted => {}
            ClaimState::Withdrawn => return Ok(vec![]),
            _ => return Err(OrderError::ClaimClosed),
        }
        if made.kind() == ClaimKind::Return || made.state == ClaimState::Accepted {
            self.goods_are_at(made, &[CollectionStatus::Pending])?;
        }
        Ok(vec![OrderEvent::ClaimWithdrawn {
            claim,
            confirm_on: made.confirmation_day(context),
        }])
    }

    pub(super) fn pick_up_goods(
        &self,
        claim: ClaimId,
        invoice: Option<Invoice>,
        by: Reader,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.collected(claim, by)?;
        let invoice = invoice.map(Invoice::checked).transpose()?;
        if self.goods_of(made) == CollectionStatus::Progress
            && made
                .collection
                .as_ref()
                .is_some_and(|goods| goods.invoice == invoice)
        {
            return Ok(vec![]);
        }
        // A number may follow, or be corrected, while the goods are on their way.
        self.goods_are_at(
            made,
            &[CollectionStatus::Pending, CollectionStatus::Progress],
        )?;
        let (courier, invoice_no) = invoice
            .map(|parcel| (parcel.courier, parcel.invoice_no))
            .unzip();
        Ok(vec![OrderEvent::GoodsPickedUp {
            claim,
            courier,
            invoice_no,
        }])
    }

    pub(super) fn inspect_goods(
        &self,
        claim: ClaimId,
        inspection: Inspection,
        by: Reader,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.collected(claim, by)?;
        self.goods_are_at(made, &[CollectionStatus::Progress])?;
        let purchase_no = made.purchase_nos.first().cloned().unwrap_or_default();
        let claimed = self
            .purchase_terms(&purchase_no)
            .map_or(0, |line| line.quantity);
        let out_of_range = |most| OrderError::PiecesOutOfRange {
            purchase_no: purchase_no.clone(),
            most,
        };
        if !(1..=claimed).contains(&inspection.arrived) {
            return Err(out_of_range(claimed));
        }
        if inspection.resellable > inspection.arrived {
            return Err(out_of_range(inspection.arrived));
        }
        let confirm_on = made.confirmation_day(context);
        let mut draft = Draft::of(self);
        let missing = match claimed.saturating_sub(inspection.arrived) {
            0 => None,
            some => Some(MissingPieces {
                claim: count_up(claim, 1),
                purchase_no: draft.isolate(&ClaimPieces {
                    purchase_no: purchase_no.clone(),
                    quantity: Some(some),
                })?,
                reason: DID_NOT_ARRIVE.to_owned(),
                confirm_on,
            }),
        };
        draft.add(OrderEvent::GoodsInspected {
            claim,
            arrived: inspection.arrived,
            resellable: inspection.resellable,
            fault: inspection.fault,
            missing,
        });
        Ok(draft.events)
    }

    pub(super) fn approve_claim(
        &self,
        answer: &ClaimAnswer,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let claim = answer.claim;
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(answer.by, made)?;
        match made.state {
            ClaimState::Approved { .. } | ClaimState::Completed { .. } => return Ok(vec![]),
            ClaimState::Requested if made.kind() != ClaimKind::Exchange => {}
            _ => return Err(OrderError::ClaimClosed),
        }
        if made.kind() == ClaimKind::Return {
            self.goods_are_at(made, &[CollectionStatus::Complete])?;
        }
        let terms = self
            .refund_detail(
                Some(claim),
                &made.purchase_nos,
                (made.return_terms(), &answer.parcels),
            )?
            .terms;
        let reclaimed = match made.purchase_nos.as_slice() {
            [no] => self.reclaimed(claim, no, (answer.earned, terms.money))?,
            _ => None,
        };
        let terms = terms.less(reclaimed)?;
        Ok(approval(made.kind(), claim, answer.refund, terms))
    }

    pub(super) fn reject_claim(
        &self,
        claim: ClaimId,
        reason: String,
        (invoice, by): (Option<Invoice>, Reader),
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        match made.state {
            ClaimState::Requested | ClaimState::Accepted if reason.trim().is_empty() => {
                Err(OrderError::ReasonRequired)
            }
            ClaimState::Requested | ClaimState::Accepted => {
                let confirm_on = made.confirmation_day(context);
                let mut events = vec![match made.kind() {
                    ClaimKind::Cancel => OrderEvent::CancelRejected { claim, reason },
                    ClaimKind::Return => OrderEvent::ReturnRejected {
                        claim,
                        reason,
                        confirm_on,
                    },
                    ClaimKind::Exchange => {
                        self.may_be_refused(made)?;
                        OrderEvent::ExchangeRejected {
                            claim,
                            reason,
                            confirm_on,
                        }
                    }
                }];
                // Goods that were picked up go back to the buyer.
                let picked_up = [CollectionStatus::Progress, CollectionStatus::Complete];
                if made.collection.is_some() && picked_up.contains(&self.goods_of(made)) {
                    let parcel = invoice.ok_or(OrderError::InvoiceMalformed)?.checked()?;
                    events.push(OrderEvent::GoodsSentBack {
                        claim,
                        courier: parcel.courier,
                        invoice_no: parcel.invoice_no,
                    });
                }
                Ok(events)
            }
            ClaimState::Rejected { .. } => Ok(vec![]),
            ClaimState::Approved { .. }
            | ClaimState::Completed { .. }
            | ClaimState::Withdrawn
            | ClaimState::Exchanged => Err(OrderError::ClaimClosed),
        }
    }

    pub(super) fn complete_claim(&self, claim: ClaimId) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        match made.state {
            ClaimState::Approved { .. } => Ok(vec![completion(made.kind(), claim)]),
            ClaimState::Completed { .. } => Ok(vec![]),
            _ => Err(OrderError::ClaimNotApproved),
        }
    }

    /// An open claim whose goods come back, which `by` may handle.
    fn collected(&self, claim: ClaimId, by: Reader) -> Result<&Claim, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        match (made.kind(), made.is_open()) {
            (ClaimKind::Return | ClaimKind::Exchange, true) => Ok(made),
            (ClaimKind::Return | ClaimKind::Exchange, false) => Err(OrderError::ClaimClosed),
            (ClaimKind::Cancel, _) => Err(OrderError::WrongCollection {
                at: CollectionStatus::None,
            }),
        }
    }

    /// Where the goods of a claim are.
    pub(super) fn goods_of(&self, claim: &Claim) -> CollectionStatus {
        let first = claim.purchase_nos.first();
        first
            .and_then(|no| self.purchase(no))
            .map_or(CollectionStatus::None, |purchase| {
                purchase.collection_status
            })
    }

    pub(super) fn goods_are_at(
        &self,
        claim: &Claim,
        places: &[CollectionStatus],
    ) -> Result<(), OrderError> {
        let at = self.goods_of(claim);
        match places.contains(&at) {
            true => Ok(()),
            false => Err(OrderError::WrongCollection { at }),
        }
    }

    /// Applies an event of a claim.
    pub(super) fn evolve_claim(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                by,
                reason,
                refund,
            } => {
                for purchase_no in &purchase_nos {
                    self.change(purchase_no, |purchase| {
                        purchase.claim_status = ClaimStatus::CancelRequested;
                    });
                }
                self.claims.push(Claim {
                    id: claim,
                    purchase_nos,
                    by,
                    reason,
                    refund,
                    state: ClaimState::Requested,
                    collection: None,
                });
            }
            OrderEvent::ReturnRequested {
                claim,
                purchase_no,
                by,
                reason,
                fault,
                pickup,
                return_fare,
                days_left,
                refund,
            } => {
                self.change(&purchase_no, |purchase| {
                    purchase.claim_status = ClaimStatus::ReturnRequested;
                    purchase.collection_status = CollectionStatus::Pending;
                    purchase.stop_confirmation();
                });
                self.claims.push(Claim {
                    id: claim,
                    purchase_nos: vec![purchase_no],
                    by,
                    reason,
                    refund,
                    state: ClaimState::Requested,
                    collection: Some(Box::new(Collection {
                        fault,
                        pickup,
                        return_fare,
                        days_left,
                        invoice: None,
                        inspection: None,
                        sent_back: None,
                        exchange: None,
                    })),
                });
            }
            OrderEvent::GoodsPickedUp {
                claim,
                courier,
                invoice_no,
            } => self.change_claim(claim, |made, purchases| {
                if let Some(goods) = &mut made.collection {
                    goods.invoice = courier
                        .zip(invoice_no)
                        .map(|(courier, invoice_no)| Invoice {
                            courier,
                            invoice_no,
                        });
                }
                for purchase in purchases {
                    purchase.collection_status = CollectionStatus::Progress;
                }
            }),
            OrderEvent::GoodsInspected {
                claim,
                arrived,
                resellable,
                fault,
                missing,
            } => {
                self.change_claim(claim, |made, purchases| {
                    if let Some(goods) = &mut made.collection {
                        goods.fault = fault;
                        goods.inspection = Some(Inspection {
                            arrived,
                            resellable,
                            fault,
                        });
                    }
                    for purchase in purchases {
                        purchase.collection_status = CollectionStatus::Complete;
                    }
                });
                if let Some(missing) = missing {
                    self.reject_missing(claim, missing);
                }
            }
            OrderEvent::CancelApproved {
                claim,
                refund,
                terms,
            }
            | OrderEvent::ReturnApproved {
                claim,
                refund,
                terms,
            } => {
                self.settle_fares(claim, &terms);
                self.change_claim(claim, |made, _| {
                    made.refund = terms;
                    made.state = ClaimState::Approved { refund };
                });
            }
            OrderEvent::CancelRejected { claim, reason } => {
                self.change_claim(claim, |made, purchases| {
                    made.state = ClaimState::Rejected { reason };
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::CancelRejected;
                    }
                });
            }
            OrderEvent::ReturnRejected {
                claim,
                reason,
                confirm_on,
            } => self.change_claim(claim, |made, purchases| {
                made.state = ClaimState::Rejected { reason };
                for purchase in purchases {
                    purchase.claim_status = ClaimStatus::ReturnRejected;
                    purchase.collection_status = CollectionStatus::None;
                    purchase.resume_confirmation(confirm_on);
                }
            }),
            OrderEvent::GoodsSentBack {
                claim,
                courier,
                invoice_no,
            } => self.change_claim(claim, |made, _| {
                if let Some(goods) = &mut made.collection {
                    goods.sent_back = Some(Invoice {
                        courier,
                        invoice_no,
                    });
                }
            }),
            OrderEvent::ClaimWithdrawn { claim, confirm_on } => {
                self.change_claim(claim, |made, purchases| {
                    made.state = ClaimState::Withdrawn;
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::None;
                        purchase.collection_status = CollectionStatus::None;
                        purchase.resume_confirmation(confirm_on);
                    }
                });
            }
            OrderEvent::CancelCompleted { claim } => {
                self.change_claim(claim, |made, purchases| {
                    made.complete();
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::CancelCompleted;
                        purchase.order_status = OrderStatus::Canceled;
                        purchase.purchase_status = PurchaseStatus::Canceled;
                    }
                });
            }
            OrderEvent::ReturnCompleted { claim } => self.change_claim(claim, |made, purchases| {
                made.complete();
                for purchase in purchases {
                    purchase.claim_status = ClaimStatus::ReturnCompleted;
                    purchase.purchase_status = PurchaseStatus::Canceled;
                }
            }),
            event => self.evolve_exchange(event),
        }
    }

    /// The pieces that did not arrive have a claim of their own, which is rejected.
    fn reject_missing(&mut self, claim: ClaimId, missing: MissingPieces) {
        self.reserve_less(claim, &missing.purchase_no);
        let Some(arrived) = self.claim(claim).cloned() else {
            return;
        };
        self.change(&missing.purchase_no, |purchase| {
            purchase.claim_status = match arrived.kind() {
                ClaimKind::Exchange => ClaimStatus::ExchangeRejected,
                ClaimKind::Cancel | ClaimKind::Return => ClaimStatus::ReturnRejected,
            };
            purchase.collection_status = CollectionStatus::None;
            purchase.resume_confirmation(missing.confirm_on);
        });
        let mut rejected = Claim {
            id: missing.claim,
            purchase_nos: vec![missing.purchase_no],
            refund: RefundTerms::default(),
            state: ClaimState::Rejected {
                reason: missing.reason,
            },
            ..arrived
        };
        // What was found is about the pieces that arrived.
        if let Some(goods) = &mut rejected.collection {
            goods.inspection = None;
        }
        self.claims.push(rejected);
    }

    pub(super) fn change_claim(
        &mut self,
        id: ClaimId,
        change: impl FnOnce(&mut Claim, Vec<&mut Purchase>),
    ) {
        if let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) {
            let purchases = self
                .purchases
                .iter_mut()
                .filter(|purchase| claim.purchase_nos.contains(&purchase.purchase_no))
                .collect();
            change(claim, purchases);
        }
    }
}

/// What decides whether purchases may be in one claim.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ClaimScope {
    seller: crate::ids::MemberId,
    at_once: bool,
}

impl Purchase {
    fn claim_scope(&self, by: CanceledBy) -> ClaimScope {
        ClaimScope {
            seller: self.seller,
            at_once: by == CanceledBy::Staff || self.order_status == OrderStatus::Payment,
        }
    }

    /// Checks whether `by` may open a claim that otherwise needs `check`: staff may also after the confirmation.
    pub(super) fn may_be_claimed(
        &self,
        by: CanceledBy,
        check: impl FnOnce(&Self) -> Result<(), OrderError>,
    ) -> Result<(), OrderError> {
        check(self).or_else(|why| match (by, self.may_be_reopened()) {
            (CanceledBy::Staff, Ok(())) => Ok(()),
            _ => Err(why),
        })
    }

    /// Whole days left until automatic confirmation; none before it is delivered, and once it is confirmed.
    pub(super) fn days_left(&self, context: &Context) -> Option<u32> {
        let open = self.confirm_on.filter(|_| self.confirmed.is_none());
        open.map(|day| {
            let left = (day - business_day::day(context.now)).whole_days();
            u32::try_from(left).unwrap_or_default()
        })
    }

    /// An open claim stops automatic confirmation, and reopens a confirmed purchase.
    pub(super) fn stop_confirmation(&mut self) {
        self.confirm_on = None;
        let is_delivered = [PurchaseStatus::Schedule, PurchaseStatus::Complete];
        if is_delivered.contains(&self.purchase_status) {
            self.purchase_status = PurchaseStatus::Awaiting;
        }
    }

    /// Automatic confirmation goes on, on this day. What was confirmed before is confirmed again, and earns nothing more.
    pub(super) fn resume_confirmation(&mut self, confirm_on: Option<Date>) {
        if self.confirmed.is_some() {
            self.purchase_status = PurchaseStatus::Complete;
        } else if let Some(day) = confirm_on {
            self.confirm_on = Some(day);
            self.purchase_status = PurchaseStatus::Schedule;
        }
    }
}

impl Claim {
    fn complete(&mut self) {
        if let ClaimState::Approved { refund } = self.state {
            self.state = ClaimState::Completed { refund };
        }
    }

    /// Fault and fare of a return.
    pub fn return_terms(&self) -> Option<(Fault, Amount)> {
        let goods = self.collection.as_ref()?;
        Some((goods.fault, goods.return_fare))
    }

    /// The day of automatic confirmation if the claim ends now: the whole days that were left go on from here.
    pub(super) fn confirmation_day(&self, context: &Context) -> Option<Date> {
        let left = self.collection.as_ref()?.days_left?;
        Some(business_day::after(context.now, left))
    }
}

/// Events of approving a claim; without money to refund it is completed at once.
fn approval(
    kind: ClaimKind,
    claim: ClaimId,
    refund: RefundId,
    terms: RefundTerms,
) -> Vec<OrderEvent> {
    let has_money = !terms.money.is_zero();
    let refund = has_money.then_some(refund);
    let approved = match kind {
        ClaimKind::Cancel => OrderEvent::CancelApproved {
            claim,
            refund,
            terms,
        },
        ClaimKind::Return | ClaimKind::Exchange => OrderEvent::ReturnApproved {
            claim,
            refund,
            terms,
        },
    };
    match has_money {
        true => vec![approved],
        false => vec![approved, completion(kind, claim)],
    }
}

const fn completion(kind: ClaimKind, claim: ClaimId) -> OrderEvent {
    match kind {
        ClaimKind::Cancel => OrderEvent::CancelCompleted { claim },
        ClaimKind::Return | ClaimKind::Exchange => OrderEvent::ReturnCompleted { claim },
    }
}
