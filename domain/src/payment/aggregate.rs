//! The payment aggregate: every gateway call is recorded as an intention before it is made and as an outcome afterwards.
//!
//! Decisions never call the gateway, so replaying has no side effects. Late information of the gateway about money is accepted (an
//! approval after the buyer closed the window); information that contradicts the record (another transaction or amount) is
//! rejected.

use serde::{Deserialize, Serialize};

use super::PaymentMethod;
use super::commands::{PaymentCommand, PaymentError};
use super::events::{PaymentEvent, UserPaymentRef, VirtualAccount, gateway_order_id};
use crate::codes::codes;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{MemberId, OrderId, RefundId};
use crate::money::{Amount, MoneyError};
use crate::personal::{BankAccount, Sealed};

codes! {
    /// Payment status of an order or reservation (spec section 4).
    PaymentStatus {
        /// Not paid yet.
        Awaiting = "PAYMENT_AWAITING",
        /// Paid.
        Completed = "PAYMENT_COMPLETED",
        /// Abandoned, refused, or refunded in full.
        Canceled = "PAYMENT_CANCELED",
    }
}

/// Current state of a payment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// The terms of the payment; none before it is started.
    pub started: Option<PaymentTerms>,
    /// Stage of the payment.
    pub stage: PaymentStage,
    /// The gateway's transaction id, once known.
    pub tid: Option<String>,
    /// Hundredths approved.
    pub approved: Amount,
    /// The refunds, oldest first.
    pub refunds: Vec<Refund>,
    /// The virtual account, for payments by virtual account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<VirtualAccount>,
    /// Refund account given for this payment instead of with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_account: Option<Sealed<BankAccount>>,
    /// Doubted notices, without duplicates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A payment notice that contradicts the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doubt {
    /// Transaction id in the notice.
    pub tid: String,
    /// Amount in the notice, hundredths.
    pub amount: Amount,
    /// The contradiction.
    pub why: String,
}

/// The terms of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentTerms {
    /// The order.
    pub order: OrderId,
    /// Order number.
    pub order_no: String,
    /// Attempt number, from 1.
    pub attempt: u32,
    /// Hundredths.
    pub amount: Amount,
    /// Payment method.
    pub method: PaymentMethod,
    /// The member; none for a guest.
    pub member: Option<MemberId>,
    /// The user payment it pays; none if it pays the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_payment: Option<UserPaymentRef>,
}

impl PaymentTerms {
    /// Order id used at the gateway.
    pub fn gateway_order_id(&self) -> String {
        let of = self.user_payment.as_ref();
        gateway_order_id(of.map_or(&self.order_no, |of| &of.number), self.attempt)
    }
}

/// Stage of a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaymentStage {
    /// Not started.
    #[default]
    None,
    /// The payment window is prepared.
    Ready,
    /// Approval was requested from the gateway.
    Requested,
    /// The outcome of the approval is unknown.
    Unknown,
    /// A virtual account awaits its deposit.
    AccountIssued,
    /// Closing of the virtual account was requested from the gateway.
    AccountClosing,
    /// The virtual account is closed.
    AccountClosed,
    /// Approved, or the deposit was received.
    Approved,
    /// Refused by the gateway, or the buyer closed the window.
    Refused,
    /// The unknown approval was canceled at the gateway.
    NetCanceled,
    /// Abandoned by the buyer.
    Abandoned,
}

/// A refund of the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// Id of the refund; also the gateway's order id of the cancel request.
    pub id: RefundId,
    /// Hundredths.
    pub amount: Amount,
    /// Stage of the refund.
    pub stage: RefundStage,
    /// Whether it was completed by a bank transfer outside the gateway.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_transfer: bool,
}

/// Stage of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RefundStage {
    /// Requested from the gateway.
    Requested,
    /// The outcome is unknown.
    Unknown,
    /// Completed.
    Completed,
    /// Refused by the gateway; staff must act.
    Refused,
}

decider!(
    Payment,
    "payment",
    PaymentCommand,
    PaymentEvent,
    PaymentError
);

impl Decider for Payment {
    type Input = PaymentCommand;

    fn decide(
        &self,
        command: PaymentCommand,
        _context: &Context,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        match command {
            PaymentCommand::Start(started) => self.start(started),
            PaymentCommand::RequestApproval { tid, amount } => self.request_approval(tid, amount),
            PaymentCommand::RecordApproval {
                tid,
                amount,
                approve_no,
                receipt_url,
            } => {
                if self.may_be_approved(&tid, amount)? {
                    Ok(vec![PaymentEvent::PaymentApproved {
                        tid,
                        amount,
                        approve_no,
                        receipt_url,
                    }])
                } else {
                    Ok(vec![])
                }
            }
            PaymentCommand::IssueAccount {
                tid,
                amount,
                account,
            } => self.issue_account(tid, amount, account),
            PaymentCommand::CloseAccount { reason } => match self.stage {
                PaymentStage::AccountIssued => {
                    Ok(vec![PaymentEvent::AccountCloseRequested { reason }])
                }
                PaymentStage::AccountClosing | PaymentStage::AccountClosed => Ok(vec![]),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::RecordClosed { reason } => match self.stage {
                PaymentStage::AccountIssued | PaymentStage::AccountClosing => {
                    Ok(vec![PaymentEvent::VirtualAccountClosed { reason }])
                }
                PaymentStage::AccountClosed => Ok(vec![]),
                PaymentStage::Approved => Err(PaymentError::AlreadyApproved),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::RecordDeposit { tid, amount } => self.record_deposit(tid, amount),
            PaymentCommand::DoubtNotice(doubt) => {
                self.started.as_ref().ok_or(PaymentError::NotStarted)?;
                if self.doubts.contains(&doubt) {
                    return Ok(vec![]);
                }
                let Doubt { tid, amount, why } = doubt;
                Ok(vec![PaymentEvent::NoticeDoubted { tid, amount, why }])
            }
            PaymentCommand::GiveRefundAccount(account) => {
                self.started.as_ref().ok_or(PaymentError::NotStarted)?;
                if self.refund_account.as_ref() == Some(&account) {
                    return Ok(vec![]);
                }
                Ok(vec![PaymentEvent::RefundAccountGiven { account }])
            }
            PaymentCommand::RecordRefusal { code, message } => match self.stage {
                PaymentStage::Ready | PaymentStage::Requested | PaymentStage::Unknown => {
                    Ok(vec![PaymentEvent::PaymentRefused { code, message }])
                }
                PaymentStage::Refused => Ok(vec![]),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::RecordUnknown { tid, why } => match self.stage {
                PaymentStage::Requested => {
                    self.same_transaction(&tid)?;
                    Ok(vec![PaymentEvent::PaymentApprovalUnknown { tid, why }])
                }
                // A concurrent caller may have detected and canceled it already.
                PaymentStage::Unknown | PaymentStage::NetCanceled => Ok(vec![]),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::RecordNetCancel { tid } => match self.stage {
                PaymentStage::Unknown => {
                    self.same_transaction(&tid)?;
                    Ok(vec![PaymentEvent::PaymentNetCanceled { tid }])
                }
                PaymentStage::NetCanceled => Ok(vec![]),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::Abandon { reason } => match self.stage {
                PaymentStage::Ready => Ok(vec![PaymentEvent::PaymentAbandoned { reason }]),
                PaymentStage::Abandoned => Ok(vec![]),
                _ => Err(self.wrong_stage()),
            },
            PaymentCommand::RequestRefund {
                refund,
                amount,
                reason,
            } => self.request_refund(refund, amount, reason),
            PaymentCommand::RecordRefund {
                refund,
                amount,
                canceled_tid,
            } => {
                let made = self.refund(refund)?;
                if made.amount != amount {
                    return Err(PaymentError::OtherRefund);
                }
                if made.stage == RefundStage::Completed {
                    return Ok(vec![]);
                }
                if made.stage == RefundStage::Refused && amount > self.refundable()? {
                    return Err(PaymentError::RefundExceeds {
                        refundable: self.refundable()?,
                    });
                }
                Ok(vec![PaymentEvent::RefundCompleted {
                    refund,
                    amount,
                    canceled_tid,
                }])
            }
            PaymentCommand::RecordRefundUnknown { refund, why } => match self.refund(refund)?.stage
            {
                RefundStage::Requested => Ok(vec![PaymentEvent::RefundUnknown { refund, why }]),
                RefundStage::Unknown => Ok(vec![]),
                RefundStage::Completed => Err(PaymentError::RefundCompleted),
                RefundStage::Refused => Err(self.wrong_stage()),
            },
            PaymentCommand::RecordRefundRefusal {
                refund,
                code,
                message,
            } => match self.refund(refund)?.stage {
                RefundStage::Requested | RefundStage::Unknown => {
                    Ok(vec![PaymentEvent::RefundRefused {
                        refund,
                        code,
                        message,
                    }])
                }
                RefundStage::Refused => Ok(vec![]),
                RefundStage::Completed => Err(PaymentError::RefundCompleted),
            },
            PaymentCommand::RecordTransfer { refund, reference } => {
                self.record_transfer(refund, reference)
            }
        }
    }
}

impl Payment {
    /// The refundable amount: the approved amount less every refund that was made or may have been made.
    ///
    /// # Errors
    /// An overflow.
    pub fn refundable(&self) -> Result<Amount, MoneyError> {
        let claimed = Amount::total(
            self.refunds
                .iter()
                .filter(|refund| refund.stage != RefundStage::Refused)
                .map(|refund| refund.amount),
        )?;
        self.approved.minus(claimed)
    }

    /// The amount of completed refunds.
    ///
    /// # Errors
    /// An overflow.
    pub fn refunded(&self) -> Result<Amount, MoneyError> {
        Amount::total(
            self.refunds
                .iter()
                .filter(|refund| refund.stage == RefundStage::Completed)
                .map(|refund| refund.amount),
        )
    }

    /// The amount of refunds the gateway completed.
    ///
    /// # Errors
    /// An overflow.
    pub fn refunded_by_gateway(&self) -> Result<Amount, MoneyError> {
        let completed = self
            .refunds
            .iter()
            .filter(|refund| refund.stage == RefundStage::Completed && !refund.by_transfer);
        Amount::total(completed.map(|refund| refund.amount))
    }

    /// Status in the specification's terms; none before it is started.
    pub fn status(&self) -> Option<PaymentStatus> {
        self.started.as_ref()?;
        Some(match self.stage {
            PaymentStage::None
            | PaymentStage::Ready
            | PaymentStage::Requested
            | PaymentStage::Unknown
            | PaymentStage::AccountIssued => PaymentStatus::Awaiting,
            PaymentStage::Approved => {
                if self.refunded() == Ok(self.approved) {
                    PaymentStatus::Canceled
                } else {
                    PaymentStatus::Completed
                }
            }
            PaymentStage::AccountClosing
            | PaymentStage::AccountClosed
            | PaymentStage::Refused
            | PaymentStage::NetCanceled
            | PaymentStage::Abandoned => PaymentStatus::Canceled,
        })
    }

    /// The refund with this id.
    ///
    /// # Errors
    /// [`PaymentError::UnknownRefund`].
    pub fn refund(&self, id: RefundId) -> Result<&Refund, PaymentError> {
        self.refunds
            .iter()
            .find(|refund| refund.id == id)
            .ok_or(PaymentError::UnknownRefund)
    }

    /// Whether the outcome of a requested approval is unknown.
    pub fn is_open(&self) -> bool {
        matches!(self.stage, PaymentStage::Requested | PaymentStage::Unknown)
    }

    /// The virtual account, while it awaits a deposit.
    pub fn awaited(&self) -> Option<&VirtualAccount> {
        self.account
            .as_ref()
            .filter(|_| self.stage == PaymentStage::AccountIssued)
    }

    fn issue_account(
        &self,
        tid: String,
        amount: Amount,
        account: VirtualAccount,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        let started = self.started.as_ref().ok_or(PaymentError::NotStarted)?;
        if amount != started.amount {
            return Err(PaymentError::AmountMismatch {
                expected: started.amount,
            });
        }
        self.same_transaction(&tid)?;
        match self.stage {
            PaymentStage::Requested | PaymentStage::Unknown => {
                Ok(vec![PaymentEvent::VirtualAccountIssued {
                    tid,
                    amount,
                    account,
                }])
            }
            _ if self.account.as_ref() == Some(&account) => Ok(vec![]),
            _ => Err(self.wrong_stage()),
        }
    }

    /// A transaction has one deposit; any other deposit is another transaction.
    fn record_deposit(
        &self,
        tid: String,
        amount: Amount,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        self.started.as_ref().ok_or(PaymentError::NotStarted)?;
        self.same_transaction(&tid)?;
        match self.stage {
            PaymentStage::Approved => Ok(vec![]),
            _ if amount <= Amount::ZERO => Err(PaymentError::NoAmount),
            PaymentStage::Requested
            | PaymentStage::Unknown
            | PaymentStage::AccountIssued
            | PaymentStage::AccountClosing
            | PaymentStage::AccountClosed => {
                Ok(vec![PaymentEvent::DepositReceived { tid, amount }])
            }
            _ => Err(self.wrong_stage()),
        }
    }

    fn start(&self, started: PaymentTerms) -> Result<Vec<PaymentEvent>, PaymentError> {
        match &self.started {
            Some(before) if *before == started => return Ok(vec![]),
            Some(_) => return Err(PaymentError::AlreadyStarted),
            None => {}
        }
        if started.amount <= Amount::ZERO {
            return Err(PaymentError::NoAmount);
        }
        Ok(vec![PaymentEvent::PaymentStarted {
            gateway_order_id: started.gateway_order_id(),
            order: started.order,
            order_no: started.order_no,
            attempt: started.attempt,
            amount: started.amount,
            method: started.method,
            member: started.member,
            user_payment: started.user_payment,
        }])
    }

    fn request_approval(
        &self,
        tid: String,
        amount: Amount,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        let started = self.started.as_ref().ok_or(PaymentError::NotStarted)?;
        match self.stage {
            PaymentStage::Ready if amount != started.amount => Err(PaymentError::AmountMismatch {
                expected: started.amount,
            }),
            PaymentStage::Ready => Ok(vec![PaymentEvent::PaymentApprovalRequested { tid, amount }]),
            PaymentStage::Requested | PaymentStage::Unknown => Err(PaymentError::ApprovalPending),
            PaymentStage::AccountIssued | PaymentStage::Approved => {
                Err(PaymentError::AlreadyApproved)
            }
            _ => Err(self.wrong_stage()),
        }
    }

    /// `true` for a new approval, `false` if this approval is recorded already.
    fn may_be_approved(&self, tid: &str, amount: Amount) -> Result<bool, PaymentError> {
        let started = self.started.as_ref().ok_or(PaymentError::NotStarted)?;
        if amount != started.amount {
            return Err(PaymentError::AmountMismatch {
                expected: started.amount,
            });
        }
        match self.stage {
            PaymentStage::Approved if self.tid.as_deref() == Some(tid) => Ok(false),
            PaymentStage::Approved => Err(PaymentError::AlreadyApproved),
            PaymentStage::None
            | PaymentStage::NetCanceled
            | PaymentStage::AccountIssued
            | PaymentStage::AccountClosing
            | PaymentStage::AccountClosed => Err(self.wrong_stage()),
            PaymentStage::Ready | PaymentStage::Refused | PaymentStage::Abandoned => Ok(true),
            PaymentStage::Requested | PaymentStage::Unknown => {
                self.same_transaction(tid)?;
                Ok(true)
            }
        }
    }

    /// A transfer settles a refund the gateway refused, and no other: for any other refund it is unknown whether it is still made.
    fn record_transfer(
        &self,
        refund: RefundId,
        reference: String,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        let made = self.refund(refund)?;
        match made.stage {
            RefundStage::Refused => {}
            RefundStage::Completed if made.by_transfer => return Ok(vec![]),
            RefundStage::Completed => return Err(PaymentError::RefundCompleted),
            RefundStage::Requested | RefundStage::Unknown => return Err(self.wrong_stage()),
        }
        let refundable = self.refundable()?;
        if made.amount > refundable {
            return Err(PaymentError::RefundExceeds { refundable });
        }
        Ok(vec![PaymentEvent::RefundTransferred {
            refund,
            amount: made.amount,
            reference,
        }])
    }

    fn request_refund(
        &self,
        refund: RefundId,
        amount: Amount,
        reason: String,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        if self.stage != PaymentStage::Approved {
            return Err(self.wrong_stage());
        }
        if amount <= Amount::ZERO {
            return Err(PaymentError::NoAmount);
        }
        let mut refundable = self.refundable()?;
        if let Ok(made) = self.refund(refund) {
            if made.amount != amount {
                return Err(PaymentError::OtherRefund);
            }
            match made.stage {
                RefundStage::Requested | RefundStage::Completed => return Ok(vec![]),
                RefundStage::Unknown => refundable = refundable.plus(made.amount)?,
                RefundStage::Refused => {}
            }
        }
        if amount > refundable {
            return Err(PaymentError::RefundExceeds { refundable });
        }
        Ok(vec![PaymentEvent::RefundRequested {
            refund,
            amount,
            reason,
        }])
    }

    fn same_transaction(&self, tid: &str) -> Result<(), PaymentError> {
        if self.tid.as_deref() == Some(tid) {
            Ok(())
        } else {
            Err(PaymentError::OtherTransaction)
        }
    }

    fn wrong_stage(&self) -> PaymentError {
        match self.stage {
            PaymentStage::None => PaymentError::NotStarted,
            stage => PaymentError::WrongStage(stage),
        }
    }
}
