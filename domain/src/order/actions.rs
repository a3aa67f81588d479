//! `nextActions`: the actions available to a reader on an order and each of its purchases.
//!
//! Shared by screens and tests. It uses the same predicates as the aggregate's decisions, so every action offered is accepted.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::aggregate::Order;
use super::claims::Claim;
use super::error::OrderError;
use super::events::CanceledBy;
use super::purchase::Purchase;
use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
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

/// An open claim, as far as the actions on it depend on more than the purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingClaim {
    /// It covers goods of several sellers, so that only staff may answer it.
    pub is_of_several_sellers: bool,
    /// State of the fee of an exchange.
    pub fee: ClaimFeeState,
    /// It is an exchange that can be rejected.
    pub is_refusable: bool,
}

/// Whether the buyer paid for an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ClaimFeeState {
    /// There is none.
    #[default]
    None,
    /// It has to be paid before the replacement is sent.
    Due,
    /// The difference of a dearer option has to be paid, and the fee with it if there is one; through the gateway only.
    DueWithPrice,
    /// It is paid.
    Received,
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
    /// Record that the goods of a return or exchange were picked up, or the number of their parcel.
    PickUpGoods,
    /// Record what arrived of a return or exchange.
    InspectGoods,
    /// Approve the requested return.
    ApproveReturn,
    /// Reject the requested return.
    RejectReturn,
    /// Request an exchange.
    RequestExchange,
    /// Accept the requested exchange.
    AcceptExchange,
    /// Reject the exchange.
    RejectExchange,
    /// Record that the buyer paid the fee of the exchange.
    ReceiveFee,
    /// Send the replacement.
    ShipReplacement,
    /// Correct the tracking number of the replacement.
    CorrectReplacement,
    /// Report a delay of the replacement.
    DelayReplacement,
    /// Record the delivery of the replacement.
    CompleteExchange,
    /// Correct the receiver of what is not sent yet.
    CorrectReceiver,
}

impl Order {
    /// The actions open to `reader` on the order as a whole.
    ///
    /// For a paid order `cancel`, `requestCancel` and `confirm` apply to every purchase that is not final.
    pub fn next_actions(&self, reader: Reader) -> Vec<Action> {
        if self.terms.is_none() || self.canceled.is_some() {
            return vec![];
        }
        if self.paid.is_none() {
            let mut actions = match reader {
                Reader::Buyer => vec![Action::Pay, Action::Cancel],
                Reader::Staff => vec![Action::Cancel],
                Reader::Seller(_) => vec![],
            };
            actions.extend(self.receiver_action(reader));
            return actions;
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
        actions.extend(self.receiver_action(reader));
        actions
    }

    /// The correction of the receiver, if `reader` may make it.
    fn receiver_action(&self, reader: Reader) -> Option<Action> {
        let may = reader == Reader::Staff && self.may_correct_receiver().is_ok();
        may.then_some(Action::CorrectReceiver)
    }

    /// The actions open to `reader` on one purchase.
    pub fn purchase_actions(&self, reader: Reader, purchase: &Purchase) -> Vec<Action> {
        purchase.actions(reader, self.pending_claim(purchase))
    }

    /// The open claim on this purchase.
    pub fn pending_claim(&self, purchase: &Purchase) -> Option<PendingClaim> {
        let claim = self.open_claim(&purchase.purchase_no)?;
        Some(PendingClaim {
            is_of_several_sellers: self.is_of_several_sellers(claim),
            fee: claim.fee_state(),
            is_refusable: self.may_be_refused(claim).is_ok(),
        })
    }

    /// The open claim on a purchase.
    pub fn open_claim(&self, purchase_no: &str) -> Option<&Claim> {
        self.claims
            .iter()
            .find(|claim| claim.is_open() && claim.purchase_nos.iter().any(|no| no == purchase_no))
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

/// Whether a purchase may be claimed.
type ClaimCheck = fn(&Purchase) -> Result<(), OrderError>;

impl Purchase {
    /// The actions open to `reader`, given the open claim.
    pub fn actions(&self, reader: Reader, pending: Option<PendingClaim>) -> Vec<Action> {
        let is_answered_by_sellers = |claim: &PendingClaim| !claim.is_of_several_sellers;
        match reader {
            Reader::Buyer => buyers(self, pending.is_some()),
            Reader::Seller(seller) if seller != self.seller => vec![],
            Reader::Seller(_) => {
                let mut actions = self.keepers(pending.filter(is_answered_by_sellers));
                actions.retain(|action| *action != Action::ReceiveFee);
                actions
            }
            Reader::Staff => {
                let mut actions = self.keepers(pending);
                actions.extend(self.opened_by_staff());
                actions
            }
        }
    }

    /// The claims that staff may open for the buyer, also once it is confirmed.
    fn opened_by_staff(&self) -> impl Iterator<Item = Action> {
        let may: [(Action, ClaimCheck); 2] = [
            (Action::RequestReturn, Self::may_be_returned),
            (Action::RequestExchange, Self::may_be_exchanged),
        ];
        may.into_iter().filter_map(|(action, check)| {
            let may = self.may_be_claimed(CanceledBy::Staff, check);
            may.is_ok().then_some(action)
        })
    }

    /// The actions of its seller and of staff, given the claim they may handle.
    fn keepers(&self, pending: Option<PendingClaim>) -> Vec<Action> {
        let of_purchase = [
            (Action::Prepare, self.may_be_prepared().is_ok()),
            (Action::Ship, self.may_be_shipped().is_ok()),
            (Action::CorrectInvoice, self.may_correct_invoice().is_ok()),
            (Action::Delay, self.may_be_delayed().is_ok()),
            (Action::Deliver, self.may_be_delivered().is_ok()),
            (Action::Cancel, self.may_be_canceled().is_ok()),
        ];
        let of_purchase = of_purchase
            .into_iter()
            .filter_map(|(action, may)| may.then_some(action));
        let of_claim = pending.map(|claim| self.of_claim(claim));
        of_purchase.chain(of_claim.unwrap_or_default()).collect()
    }

    /// The actions of the seller and of staff on its open claim.
    fn of_claim(&self, claim: PendingClaim) -> Vec<Action> {
        use CollectionStatus::{Complete, None, Pending, Progress};
        let goods = match self.collection_status {
            None => vec![],
            Pending => vec![Action::PickUpGoods],
            Progress => vec![Action::PickUpGoods, Action::InspectGoods],
            Complete => vec![],
        };
        let is_back = self.collection_status == Complete;
        let answers = match self.claim_status {
            ClaimStatus::CancelRequested => vec![Action::ApproveCancel, Action::RejectCancel],
            ClaimStatus::ReturnRequested if is_back => {
                vec![Action::ApproveReturn, Action::RejectReturn]
            }
            ClaimStatus::ReturnRequested => vec![Action::RejectReturn],
            ClaimStatus::ExchangeRequested => vec![Action::AcceptExchange],
            ClaimStatus::ExchangePending if !is_back => vec![],
            ClaimStatus::ExchangePending => match claim.fee {
                ClaimFeeState::Due => vec![Action::ReceiveFee],
                ClaimFeeState::DueWithPrice => vec![],
                ClaimFeeState::None | ClaimFeeState::Received => {
                    vec![Action::ShipReplacement, Action::DelayReplacement]
                }
            },
            ClaimStatus::ExchangeDelayed => {
                vec![Action::ShipReplacement, Action::DelayReplacement]
            }
            ClaimStatus::ExchangeShipping => vec![
                Action::CorrectReplacement,
                Action::DelayReplacement,
                Action::CompleteExchange,
            ],
            _ => vec![],
        };
        let refusal = claim.is_refusable.then_some(Action::RejectExchange);
        goods.into_iter().chain(answers).chain(refusal).collect()
    }
}

/// The actions of the buyer; `pending`: whether a claim is open.
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
    if purchase.may_be_exchanged().is_ok() {
        actions.push(Action::RequestExchange);
    }
    let not_picked_up = [CollectionStatus::None, CollectionStatus::Pending];
    if pending && not_picked_up.contains(&purchase.collection_status) {
        actions.push(Action::WithdrawClaim);
    }
    actions
}
