//! `nextActions`: the actions available to a reader on an order and each of its purchases.
//!
//! Shared by screens and tests. It uses the same predicates as the aggregate's decisions, so every action offered is accepted.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::aggregate::{Order, OrderError, Purchase};
use super::claims::{Claim, ClaimState};
use super::status::{CollectionStatus, OrderStatus, PurchaseStatus};
use crate::ids::MemberId;

/// The role in which an order is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The buyer.
    Buyer,
    /// A seller; sees only their own purchases.
    Seller(MemberId),
    /// Staff.
    Staff,
}

/// A claim that waits for an answer, as far as it decides who may answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingClaim {
    /// It covers goods of several sellers, so that only staff may answer it.
    pub is_of_several_sellers: bool,
}

/// An action on an order or purchase.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Pay the order.
    Pay,
    /// Cancel at once: an unpaid order, or purchases not yet prepared (staff and sellers: being prepared too).
    Cancel,
    /// Request a cancellation that has to be approved.
    RequestCancel,
    /// Confirm the purchase.
    Confirm,
    /// Start preparing.
    Prepare,
    /// Register the tracking number.
    Ship,
    /// Correct the tracking number.
    CorrectInvoice,
    /// Report a delay.
    Delay,
    /// Record the delivery.
    Deliver,
    /// Approve the requested cancellation.
    ApproveCancel,
    /// Reject the requested cancellation.
    RejectCancel,
    /// Request a return.
    RequestReturn,
    /// Withdraw the claim.
    WithdrawClaim,
    /// Record that the goods of a return were picked up, or the number of their parcel.
    PickUpGoods,
    /// Record what arrived of a return.
    InspectGoods,
    /// Approve the requested return.
    ApproveReturn,
    /// Reject the requested return.
    RejectReturn,
}

impl Order {
    /// The actions of `reader` on the order as a whole.
    ///
    /// For a paid order `cancel`, `requestCancel` and `confirm` apply to every purchase that is not final.
    pub fn next_actions(&self, reader: Reader) -> Vec<Action> {
        if self.terms.is_none() || self.canceled.is_some() {
            return vec![];
        }
        if self.paid.is_none() {
            return match reader {
                Reader::Buyer => vec![Action::Pay, Action::Cancel],
                Reader::Staff => vec![Action::Cancel],
                Reader::Seller(_) => vec![],
            };
        }
        let running: Vec<Vec<Action>> = self
            .purchases
            .iter()
            .filter(|purchase| {
                !matches!(
                    purchase.purchase_status,
                    PurchaseStatus::Complete | PurchaseStatus::Canceled
                )
            })
            .map(|purchase| self.purchase_actions(reader, purchase))
            .collect();
        let all = |actions: &[Action]| {
            !running.is_empty()
                && running
                    .iter()
                    .all(|of_one| of_one.iter().any(|action| actions.contains(action)))
        };
        let mut actions = Vec::new();
        if matches!(reader, Reader::Seller(_)) {
            return actions;
        }
        if all(&[Action::Cancel]) {
            actions.push(Action::Cancel);
        } else if all(&[Action::Cancel, Action::RequestCancel]) {
            actions.push(Action::RequestCancel);
        }
        if all(&[Action::Confirm]) {
            actions.push(Action::Confirm);
        }
        actions
    }

    /// The actions of `reader` on one purchase.
    pub fn purchase_actions(&self, reader: Reader, purchase: &Purchase) -> Vec<Action> {
        purchase.actions(reader, self.pending_claim(purchase))
    }

    /// The claim on this purchase that waits for an answer.
    pub fn pending_claim(&self, purchase: &Purchase) -> Option<PendingClaim> {
        let claim = self.claims.iter().find(|claim| {
            claim.state == ClaimState::Requested
                && claim.purchase_nos.contains(&purchase.purchase_no)
        })?;
        Some(PendingClaim {
            is_of_several_sellers: self.is_of_several_sellers(claim),
        })
    }

    /// The numbers of the purchases on which `reader` may perform `action`.
    pub fn purchases_for(&self, reader: Reader, action: Action) -> Vec<String> {
        self.purchases
            .iter()
            .filter(|purchase| self.purchase_actions(reader, purchase).contains(&action))
            .map(|purchase| purchase.purchase_no.clone())
            .collect()
    }

    /// Whether a claim covers goods of several sellers, so that only staff may answer it.
    pub fn is_of_several_sellers(&self, claim: &Claim) -> bool {
        let named = |purchase: &&Purchase| claim.purchase_nos.contains(&purchase.purchase_no);
        let mut sellers = self.purchases.iter().filter(named).map(|one| one.seller);
        let first = sellers.next();
        sellers.any(|seller| Some(seller) != first)
    }

    /// Checks whether `reader` may answer this claim: staff any, a seller one that covers only their own goods.
    ///
    /// # Errors
    /// [`OrderError::ClaimOfSeveralSellers`] for one of its sellers, [`OrderError::UnknownClaim`] otherwise.
    pub(super) fn may_answer(&self, reader: Reader, claim: &Claim) -> Result<(), OrderError> {
        let seller = match reader {
            Reader::Staff => return Ok(()),
            Reader::Buyer => return Err(OrderError::UnknownClaim),
            Reader::Seller(seller) => seller,
        };
        let is_theirs = self.purchases.iter().any(|purchase| {
            purchase.seller == seller && claim.purchase_nos.contains(&purchase.purchase_no)
        });
        match (is_theirs, self.is_of_several_sellers(claim)) {
            (true, false) => Ok(()),
            (true, true) => Err(OrderError::ClaimOfSeveralSellers),
            (false, _) => Err(OrderError::UnknownClaim),
        }
    }
}

impl Purchase {
    /// The actions of `reader`, given the claim that waits for an answer.
    pub fn actions(&self, reader: Reader, pending: Option<PendingClaim>) -> Vec<Action> {
        let is_answered_by_sellers = |claim: PendingClaim| !claim.is_of_several_sellers;
        match reader {
            Reader::Buyer => buyers(self, pending.is_some()),
            Reader::Seller(seller) if seller != self.seller => vec![],
            Reader::Seller(_) => self.keepers(pending.is_some_and(is_answered_by_sellers)),
            Reader::Staff => self.keepers(pending.is_some()),
        }
    }

    /// The actions of its seller and of staff; `may_answer` its claim or not.
    fn keepers(&self, may_answer: bool) -> Vec<Action> {
        use CollectionStatus::{Complete, None, Pending, Progress};
        let goods_at =
            |places: &[CollectionStatus]| may_answer && places.contains(&self.collection_status);
        [
            (Action::Prepare, self.may_be_prepared().is_ok()),
            (Action::Ship, self.may_be_shipped().is_ok()),
            (Action::CorrectInvoice, self.may_correct_invoice().is_ok()),
            (Action::Delay, self.may_be_delayed().is_ok()),
            (Action::Deliver, self.may_be_delivered().is_ok()),
            (Action::Cancel, self.may_be_canceled().is_ok()),
            (Action::ApproveCancel, goods_at(&[None])),
            (Action::RejectCancel, goods_at(&[None])),
            (Action::PickUpGoods, goods_at(&[Pending, Progress])),
            (Action::InspectGoods, goods_at(&[Progress])),
            (Action::ApproveReturn, goods_at(&[Complete])),
            (
                Action::RejectReturn,
                goods_at(&[Pending, Progress, Complete]),
            ),
        ]
        .into_iter()
        .filter_map(|(action, may)| may.then_some(action))
        .collect()
    }
}

/// The actions of the buyer; whether a claim is `pending`.
fn buyers(purchase: &Purchase, pending: bool) -> Vec<Action> {
    let mut actions = Vec::new();
    if purchase.may_be_canceled().is_ok() {
        actions.push(if purchase.order_status == OrderStatus::Payment {
            Action::Cancel
        } else {
            Action::RequestCancel
        });
    }
    if purchase.may_be_confirmed().is_ok() {
        actions.push(Action::Confirm);
    }
    if purchase.may_be_returned().is_ok() {
        actions.push(Action::RequestReturn);
    }
    let not_picked_up = [CollectionStatus::None, CollectionStatus::Pending];
    if pending && not_picked_up.contains(&purchase.collection_status) {
        actions.push(Action::WithdrawClaim);
    }
    actions
}
