//! State changes by the events of claims.

use time::Date;

use super::{Claim, ClaimKind, ClaimState, Collection, Inspection};
use crate::ids::{ClaimId, ClaimPictureId};
use crate::money::Amount;
use crate::order::aggregate::Order;
use crate::order::cancel_reason::CancelReason;
use crate::order::events::{CanceledBy, Fault, MissingPieces, OrderEvent, RefundTerms};
use crate::order::purchase::{Invoice, Purchase};
use crate::order::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use crate::personal::{Party, Sealed};

impl Collection {
    /// Goods of a return that are still with the buyer.
    pub(in crate::order) const fn to_come(
        fault: Fault,
        pickup: Sealed<Party>,
        return_fare: Amount,
        days_left: Option<u32>,
        pictures: Vec<ClaimPictureId>,
    ) -> Self {
        Self {
            fault,
            pickup,
            return_fare,
            days_left,
            invoice: None,
            inspection: None,
            sent_back: None,
            exchange: None,
            pictures,
        }
    }
}

impl Order {
    /// Starts a return or exchange of a purchase, which is not confirmed while it is open.
    pub(in crate::order) fn start_claim(
        &mut self,
        claim: ClaimId,
        purchase_no: String,
        (by, reason): (CanceledBy, CancelReason),
        refund: RefundTerms,
        goods: Collection,
    ) {
        let status = match goods.exchange {
            Some(_) => ClaimStatus::ExchangeRequested,
            None => ClaimStatus::ReturnRequested,
        };
        self.change(&purchase_no, |purchase| {
            purchase.claim_status = status;
            purchase.stop_confirmation();
        });
        self.claims.push(Claim {
            id: claim,
            purchase_nos: vec![purchase_no],
            by,
            reason,
            refund,
            state: ClaimState::Requested,
            collection: Some(Box::new(goods)),
        });
    }

    /// Applies an event of a claim.
    pub(in crate::order) fn evolve_claim(&mut self, event: OrderEvent) {
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
                pictures,
            } => {
                self.change(&purchase_no, |purchase| {
                    purchase.collection_status = CollectionStatus::Pending;
                });
                let goods = Collection::to_come(fault, pickup, return_fare, days_left, pictures);
                self.start_claim(claim, purchase_no, (by, reason), refund, goods);
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

    /// The units that did not arrive have a claim of their own, which is rejected.
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
        // The inspection covers the units that arrived.
        if let Some(goods) = &mut rejected.collection {
            goods.inspection = None;
        }
        self.claims.push(rejected);
    }

    pub(in crate::order) fn change_claim(
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

impl Purchase {
    /// An open claim stops automatic confirmation, and reopens a confirmed purchase.
    pub(in crate::order) fn stop_confirmation(&mut self) {
        self.confirm_on = None;
        let is_delivered = [PurchaseStatus::Schedule, PurchaseStatus::Complete];
        if is_delivered.contains(&self.purchase_status) {
            self.purchase_status = PurchaseStatus::Awaiting;
        }
    }

    /// Resumes automatic confirmation on this day. A purchase that was confirmed before is confirmed again, without earning points again.
    pub(in crate::order) fn resume_confirmation(&mut self, confirm_on: Option<Date>) {
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
}
