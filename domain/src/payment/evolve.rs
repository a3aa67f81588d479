//! How events change a payment.

use super::aggregate::{Doubt, Payment, PaymentStage, PaymentTerms, Refund, RefundStage};
use super::events::PaymentEvent;
use crate::ids::RefundId;

impl Payment {
    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: PaymentEvent) {
        match event {
            PaymentEvent::PaymentStarted {
                order,
                order_no,
                attempt,
                amount,
                method,
                member,
                user_payment,
                ..
            } => {
                self.stage = PaymentStage::Ready;
                self.started = Some(PaymentTerms {
                    order,
                    order_no,
                    attempt,
                    amount,
                    method,
                    member,
                    user_payment,
                });
            }
            PaymentEvent::PaymentApprovalRequested { tid, .. } => {
                self.stage = PaymentStage::Requested;
                self.tid = Some(tid);
            }
            PaymentEvent::PaymentApproved { tid, amount, .. } => {
                self.stage = PaymentStage::Approved;
                self.tid = Some(tid);
                self.approved = amount;
            }
            PaymentEvent::VirtualAccountIssued { account, .. } => {
                self.stage = PaymentStage::AccountIssued;
                self.account = Some(account);
            }
            PaymentEvent::AccountCloseRequested { .. } => {
                self.stage = PaymentStage::AccountClosing;
            }
            PaymentEvent::VirtualAccountClosed { .. } => self.stage = PaymentStage::AccountClosed,
            PaymentEvent::DepositReceived { amount, .. } => {
                self.stage = PaymentStage::Approved;
                self.approved = amount;
            }
            PaymentEvent::NoticeDoubted { tid, amount, why } => {
                self.doubts.push(Doubt { tid, amount, why });
            }
            PaymentEvent::RefundAccountGiven { account } => self.refund_account = Some(account),
            PaymentEvent::PaymentRefused { .. } => self.stage = PaymentStage::Refused,
            PaymentEvent::PaymentApprovalUnknown { .. } => self.stage = PaymentStage::Unknown,
            PaymentEvent::PaymentNetCanceled { .. } => self.stage = PaymentStage::NetCanceled,
            PaymentEvent::PaymentAbandoned { .. } => self.stage = PaymentStage::Abandoned,
            PaymentEvent::RefundRequested { refund, amount, .. } => {
                if self.refund(refund).is_ok() {
                    self.move_refund(refund, RefundStage::Requested);
                } else {
                    self.refunds.push(Refund {
                        id: refund,
                        amount,
                        stage: RefundStage::Requested,
                        by_transfer: false,
                    });
                }
            }
            PaymentEvent::RefundCompleted { refund, .. } => {
                self.move_refund(refund, RefundStage::Completed);
            }
            PaymentEvent::RefundTransferred { refund, .. } => {
                self.move_refund(refund, RefundStage::Completed);
                let mut refunds = self.refunds.iter_mut();
                if let Some(made) = refunds.find(|made| made.id == refund) {
                    made.by_transfer = true;
                }
            }
            PaymentEvent::RefundUnknown { refund, .. } => {
                self.move_refund(refund, RefundStage::Unknown);
            }
            PaymentEvent::RefundRefused { refund, .. } => {
                self.move_refund(refund, RefundStage::Refused);
            }
        }
    }

    fn move_refund(&mut self, id: RefundId, stage: RefundStage) {
        if let Some(refund) = self.refunds.iter_mut().find(|refund| refund.id == id) {
            refund.stage = stage;
        }
    }
}
