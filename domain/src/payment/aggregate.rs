//! The payment ledger: what was meant to happen at the gateway is recorded before it is asked, what came of it after.
//!
//! A decision never calls the gateway, so replaying never does. What the gateway says about money is believed even when it comes
//! late (an approval after the buyer closed the window); what contradicts the record (another transaction, amount) is refused.

use serde::{Deserialize, Serialize};

use super::events::{PaymentEvent, VirtualAccount, gateway_order_id};
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{MemberId, OrderId, RefundId};
use crate::money::{Amount, MoneyError};
use crate::order::{PaymentMethod, codes};
use crate::personal::{BankAccount, Sealed};

codes! {
    /// Payment status of an order or reservation (spec section 4).
    PaymentStatus {
        /// Not paid yet.
        Awaiting = "PAYMENT_AWAITING",
        /// Paid.
        Completed = "PAYMENT_COMPLETED",
        /// Given up, refused, or refunded in full.
        Canceled = "PAYMENT_CANCELED",
    }
}

/// An attempt to pay as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// What is to be paid; none before it is started.
    pub started: Option<Started>,
    /// How far it is.
    pub stage: PaymentStage,
    /// The gateway's transaction, once there is one.
    pub tid: Option<String>,
    /// Hundredths approved.
    pub approved: Amount,
    /// The refunds, oldest first.
    pub refunds: Vec<Refund>,
    /// The account to pay into, of a payment by virtual account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<VirtualAccount>,
    /// Where refunds go, if it was said for this payment and not with the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_account: Option<Sealed<BankAccount>>,
    /// Notices nobody believes, each told once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
}

/// A notice that contradicts the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Doubt {
    /// The transaction it names.
    pub tid: String,
    /// Hundredths it names.
    pub amount: Amount,
    /// What contradicts it.
    pub why: String,
}

/// What is to be paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// The order.
    pub order: OrderId,
    /// Its number.
    pub order_no: String,
    /// 1, 2, 3, ...
    pub attempt: u32,
    /// Hundredths.
    pub amount: Amount,
    /// How.
    pub method: PaymentMethod,
    /// The member, none for a guest.
    pub member: Option<MemberId>,
}

/// How far an attempt is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaymentStage {
    /// Not started.
    #[default]
    None,
    /// The window is prepared.
    Ready,
    /// The gateway was asked to approve.
    Requested,
    /// Nobody knows whether it approved.
    Unknown,
    /// A virtual account waits for its deposit.
    AccountIssued,
    /// The gateway was asked to close that account.
    AccountClosing,
    /// That account is closed.
    AccountClosed,
    /// It approved, or the deposit came.
    Approved,
    /// It refused, or the buyer closed the window.
    Refused,
    /// The unknown approval was undone.
    NetCanceled,
    /// The buyer gave it up.
    Abandoned,
}

/// Money on its way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// Which one; also the gateway's order id of the cancel.
    pub id: RefundId,
    /// Hundredths.
    pub amount: Amount,
    /// How far it is.
    pub stage: RefundStage,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RefundStage {
    /// The gateway was asked.
    Requested,
    /// Nobody knows whether it did it.
    Unknown,
    /// The money is back.
    Completed,
    /// The gateway refused; staff must act.
    Refused,
}

/// What can be asked of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentCommand {
    /// Prepare the payment window.
    Start(Started),
    /// Record that the gateway is about to be asked to approve.
    RequestApproval {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// Record that it approved (answer, notice or query).
    RecordApproval {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
        /// Approval number, where the method has one.
        approve_no: Option<String>,
        /// Receipt page.
        receipt_url: Option<String>,
    },
    /// Record that it made an account to pay into.
    IssueAccount {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
        /// The account.
        account: VirtualAccount,
    },
    /// Record that the gateway is about to be asked to close the account: nobody needs its deposit any more.
    CloseAccount {
        /// Why.
        reason: String,
    },
    /// Record that the account is closed and empty.
    RecordClosed {
        /// Why.
        reason: String,
    },
    /// Record a deposit, of whatever amount and however late: money that came is never lost.
    RecordDeposit {
        /// Transaction id.
        tid: String,
        /// Hundredths.
        amount: Amount,
    },
    /// Record a notice that is not believed.
    DoubtNotice(Doubt),
    /// Say where refunds go.
    GiveRefundAccount(Sealed<BankAccount>),
    /// Record that it refused.
    RecordRefusal {
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
    /// Record that no trustworthy answer came.
    RecordUnknown {
        /// Transaction id.
        tid: String,
        /// What was seen.
        why: String,
    },
    /// Record that the unknown approval was undone, or was never there.
    RecordNetCancel {
        /// Transaction id.
        tid: String,
    },
    /// The buyer gives it up, or its order is canceled before payment.
    Abandon {
        /// Why.
        reason: String,
    },
    /// Record that the gateway is about to be asked for a refund; again with the same id to retry one that is unknown or refused.
    RequestRefund {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Why.
        reason: String,
    },
    /// Record that the money is back.
    RecordRefund {
        /// The refund.
        refund: RefundId,
        /// Hundredths.
        amount: Amount,
        /// Transaction id of the cancel.
        canceled_tid: String,
    },
    /// Record that no trustworthy answer came.
    RecordRefundUnknown {
        /// The refund.
        refund: RefundId,
        /// What was seen.
        why: String,
    },
    /// Record that the gateway refused the refund.
    RecordRefundRefusal {
        /// The refund.
        refund: RefundId,
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
}

/// Why a payment refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentError {
    /// There is no such attempt.
    #[error("there is no such payment")]
    NotStarted,
    /// There is one already, with other terms.
    #[error("the payment is started already")]
    AlreadyStarted,
    /// The amount is not what is to be paid.
    #[error("the amount has to be {expected}")]
    AmountMismatch {
        /// What is to be paid.
        expected: Amount,
    },
    /// Another transaction than the one on record.
    #[error("this is another transaction")]
    OtherTransaction,
    /// The gateway was asked and has not answered: query, never ask twice.
    #[error("the gateway was asked already; query the transaction")]
    ApprovalPending,
    /// It is approved.
    #[error("the payment is approved already")]
    AlreadyApproved,
    /// This cannot follow where it is.
    #[error("this cannot happen to a payment that is {0:?}")]
    WrongStage(PaymentStage),
    /// There is no such refund.
    #[error("there is no such refund")]
    UnknownRefund,
    /// The refund exists with another amount.
    #[error("the refund exists with another amount")]
    OtherRefund,
    /// More than is left of what was approved.
    #[error("at most {refundable} can be refunded")]
    RefundExceeds {
        /// What is left.
        refundable: Amount,
    },
    /// Nothing, or less than nothing.
    #[error("an amount above zero is needed")]
    NoAmount,
    /// The refund is done.
    #[error("the refund is completed")]
    RefundCompleted,
    /// An amount does not fit.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl PaymentError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotStarted => "payment_not_found",
            Self::AlreadyStarted => "payment_already_started",
            Self::AmountMismatch { .. } => "amount_mismatch",
            Self::OtherTransaction => "other_transaction",
            Self::ApprovalPending => "approval_pending",
            Self::AlreadyApproved => "already_approved",
            Self::WrongStage(_) => "wrong_stage",
            Self::UnknownRefund => "refund_not_found",
            Self::OtherRefund => "refund_differs",
            Self::RefundExceeds { .. } => "refund_exceeds",
            Self::NoAmount => "amount_required",
            Self::RefundCompleted => "refund_completed",
            Self::Money(_) => "amount_overflow",
        }
    }
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
        act: PaymentCommand,
        _context: &Context,
    ) -> Result<Vec<PaymentEvent>, PaymentError> {
        match act {
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
                // who else asked may have found out and undone it meanwhile
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
        }
    }
}

impl Payment {
    /// What can still be refunded: what was approved less every refund that was made or may have been made.
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

    /// What came back already.
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

    /// Its status in the specification's words; none before it is started.
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

    /// The account that waits for a deposit.
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

    /// A transaction is deposited into once; any other deposit is another transaction.
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

    fn start(&self, started: Started) -> Result<Vec<PaymentEvent>, PaymentError> {
        match &self.started {
            Some(before) if *before == started => return Ok(vec![]),
            Some(_) => return Err(PaymentError::AlreadyStarted),
            None => {}
        }
        if started.amount <= Amount::ZERO {
            return Err(PaymentError::NoAmount);
        }
        Ok(vec![PaymentEvent::PaymentStarted {
            gateway_order_id: gateway_order_id(&started.order_no, started.attempt),
            order: started.order,
            order_no: started.order_no,
            attempt: started.attempt,
            amount: started.amount,
            method: started.method,
            member: started.member,
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

    /// `true` when it is news, `false` when this very approval is on record.
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

    /// What `event` makes of it.
    pub fn evolve(&mut self, event: PaymentEvent) {
        match event {
            PaymentEvent::PaymentStarted {
                order,
                order_no,
                attempt,
                amount,
                method,
                member,
                ..
            } => {
                self.stage = PaymentStage::Ready;
                self.started = Some(Started {
                    order,
                    order_no,
                    attempt,
                    amount,
                    method,
                    member,
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
                    });
                }
            }
            PaymentEvent::RefundCompleted { refund, .. } => {
                self.move_refund(refund, RefundStage::Completed);
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
