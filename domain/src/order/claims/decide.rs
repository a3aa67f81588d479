//! Decisions on claims, and their events.

use std::collections::BTreeSet;

use super::{
    CLAIM_PICTURES_MOST, CancelRequest, Claim, ClaimAnswer, ClaimKind, ClaimPieces, ClaimState,
    Inspection, ReturnRequest, count_up,
};
use crate::business_day;
use crate::event::Context;
use crate::ids::{ClaimId, ClaimPictureId, RefundId};
use crate::order::actions::Reader;
use crate::order::aggregate::Order;
use crate::order::error::OrderError;
use crate::order::events::{CanceledBy, MissingPieces, OrderEvent, RefundTerms};
use crate::order::purchase::{Invoice, Purchase};
use crate::order::status::{CollectionStatus, OrderStatus};

/// Reason of the rejected return of pieces that did not arrive.
const DID_NOT_ARRIVE: &str = "상품이 도착하지 않았습니다.";

/// An order while a decision of several events is made: each event is applied before the next is decided.
pub(in crate::order) struct Draft {
    pub(in crate::order) order: Order,
    pub(in crate::order) events: Vec<OrderEvent>,
}

impl Draft {
    pub(in crate::order) fn of(order: &Order) -> Self {
        Self {
            order: order.clone(),
            events: Vec::new(),
        }
    }

    pub(in crate::order) fn add(&mut self, event: OrderEvent) {
        self.order.evolve(event.clone());
        self.events.push(event);
    }

    /// Splits the purchase if only some of its units are claimed; returns the number of the purchase with exactly those.
    pub(in crate::order) fn isolate(&mut self, pieces: &ClaimPieces) -> Result<String, OrderError> {
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
    pub(in crate::order) fn request_cancel(
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
                for event in approval(ClaimKind::Cancel, claim, request.ids.refund, refund)? {
                    draft.add(event);
                }
            }
        }
        Ok(draft.events)
    }

    pub(in crate::order) fn request_return(
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
        self.may_show(&request.pictures)?;
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
            pictures: request.pictures,
        });
        Ok(draft.events)
    }

    /// Checks the pictures of an application: none belongs to another claim, and there are not too many.
    pub(in crate::order) fn may_show(&self, pictures: &[ClaimPictureId]) -> Result<(), OrderError> {
        if pictures.len() > CLAIM_PICTURES_MOST {
            return Err(OrderError::TooManyPictures);
        }
        let used = self
            .claims
            .iter()
            .filter_map(|claim| claim.collection.as_ref());
        let mut seen: BTreeSet<ClaimPictureId> = used
            .flat_map(|goods| goods.pictures.iter().copied())
            .collect();
        match pictures.iter().all(|picture| seen.insert(*picture)) {
            true => Ok(()),
            false => Err(OrderError::PictureUsed),
        }
    }

    pub(in crate::order) fn withdraw_claim(
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

    pub(in crate::order) fn pick_up_goods(
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
        // An invoice number may be added or corrected while the goods are in transit.
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

    pub(in crate::order) fn inspect_goods(
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

    pub(in crate::order) fn approve_claim(
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
        let terms = self.over_payments(terms, answer.refund, &made.purchase_nos)?;
        approval(made.kind(), claim, answer.refund, terms)
    }

    pub(in crate::order) fn reject_claim(
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
                let fee_back = made.gives_fee_back();
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
                events.extend(fee_back);
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

    pub(in crate::order) fn correct_sent_back(
        &self,
        claim: ClaimId,
        invoice: Invoice,
        by: Reader,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        let parcel = invoice.checked()?;
        let goods = made.collection.as_ref();
        match goods.and_then(|goods| goods.sent_back.as_ref()) {
            Some(sent) if *sent == parcel => Ok(vec![]),
            Some(_) => Ok(vec![OrderEvent::GoodsSentBack {
                claim,
                courier: parcel.courier,
                invoice_no: parcel.invoice_no,
            }]),
            None => Err(OrderError::WrongCollection {
                at: self.goods_of(made),
            }),
        }
    }

    pub(in crate::order) fn complete_claim(
        &self,
        claim: ClaimId,
    ) -> Result<Vec<OrderEvent>, OrderError> {
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

    /// Collection status of the goods of a claim.
    pub(in crate::order) fn goods_of(&self, claim: &Claim) -> CollectionStatus {
        let first = claim.purchase_nos.first();
        first
            .and_then(|no| self.purchase(no))
            .map_or(CollectionStatus::None, |purchase| {
                purchase.collection_status
            })
    }

    pub(in crate::order) fn goods_are_at(
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
}

/// The properties that purchases in one claim must share.
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

    /// Checks whether `by` may open a claim that normally requires `check`: staff may also do so after the confirmation.
    pub(in crate::order) fn may_be_claimed(
        &self,
        by: CanceledBy,
        check: impl FnOnce(&Self) -> Result<(), OrderError>,
    ) -> Result<(), OrderError> {
        check(self).or_else(|why| match (by, self.may_be_reopened()) {
            (CanceledBy::Staff, Ok(())) => Ok(()),
            _ => Err(why),
        })
    }

    /// Whole days left until automatic confirmation; none before delivery, and once it is confirmed.
    pub(in crate::order) fn days_left(&self, context: &Context) -> Option<u32> {
        let open = self.confirm_on.filter(|_| self.confirmed.is_none());
        open.map(|day| {
            let left = (day - business_day::day(context.now)).whole_days();
            u32::try_from(left).unwrap_or_default()
        })
    }
}

/// Events of approving a claim; without money to refund it is completed at once.
fn approval(
    kind: ClaimKind,
    claim: ClaimId,
    refund: RefundId,
    terms: RefundTerms,
) -> Result<Vec<OrderEvent>, OrderError> {
    let has_money = !terms.money.is_zero();
    let refund = (!terms.of_order()?.is_zero()).then_some(refund);
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
    Ok(match has_money {
        true => vec![approved],
        false => vec![approved, completion(kind, claim)],
    })
}

const fn completion(kind: ClaimKind, claim: ClaimId) -> OrderEvent {
    match kind {
        ClaimKind::Cancel => OrderEvent::CancelCompleted { claim },
        ClaimKind::Return | ClaimKind::Exchange => OrderEvent::ReturnCompleted { claim },
    }
}
