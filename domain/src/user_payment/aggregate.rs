//! The user payment aggregate: requested once, perhaps reduced, then paid or canceled.
//!
//! It holds no money itself: gateway payments refer to it, and its purpose decides whether their money can still be used.

use serde::{Deserialize, Serialize};

use super::events::{UserPaymentEvent, UserPaymentPurpose};
use crate::codes::codes;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{ClaimId, MemberId, PaymentId, UserPaymentId, derived_id};
use crate::money::Amount;

codes! {
    /// Status of a user payment (spec section 4).
    UserPaymentStatus {
        /// Not paid yet.
        Awaiting = "PAY_AWAITING",
        /// Paid.
        Completed = "PAY_COMPLETED",
        /// Not requested any more.
        Canceled = "PAY_CANCELED",
    }
}

/// The id of the user payment for the fee of an exchange. It is in the log, so it may not change.
pub fn exchange_fee_id(claim: ClaimId) -> UserPaymentId {
    UserPaymentId(derived_id(&format!("exchange-fee {claim}")))
}

/// The number of the user payment for the claim at this place of its order: `orderNo-F1`, `orderNo-F2`, ...; `place` counts from 1.
pub fn exchange_fee_no(order_no: &str, place: usize) -> String {
    format!("{order_no}-F{place}")
}

/// The order number and place of the claim in a number made by [`exchange_fee_no`]; none for other numbers.
pub fn claim_place(number: &str) -> Option<(&str, usize)> {
    let (order_no, place) = number.rsplit_once("-F")?;
    Some((order_no, place.parse().ok()?))
}

/// Current state of a user payment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserPayment {
    /// Its terms; none before it is requested.
    pub terms: Option<UserPaymentTerms>,
    /// Its state.
    pub state: UserPaymentState,
}

/// The terms of a user payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserPaymentTerms {
    /// Its number, shown to people.
    pub number: String,
    /// The member; none for a guest.
    pub member: Option<MemberId>,
    /// Its purpose.
    pub purpose: UserPaymentPurpose,
    /// Hundredths.
    pub amount: Amount,
}

/// State of a user payment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum UserPaymentState {
    /// Not paid yet.
    #[default]
    Awaiting,
    /// Paid.
    Completed {
        /// The payment; none for a bank transfer.
        payment: Option<PaymentId>,
    },
    /// Not requested any more.
    Canceled {
        /// The reason.
        reason: String,
    },
    /// Paid, and given back.
    Refunded {
        /// The payment.
        payment: Option<PaymentId>,
    },
}

/// Commands accepted by a user payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserPaymentCommand {
    /// Request the amount from the buyer.
    Request(UserPaymentTerms),
    /// Request less than before.
    Reduce {
        /// The new amount, hundredths.
        amount: Amount,
        /// The reason.
        reason: String,
    },
    /// Record that it is paid.
    Complete {
        /// The payment; none for a bank transfer.
        payment: Option<PaymentId>,
    },
    /// Cancel the request.
    Cancel {
        /// The reason.
        reason: String,
    },
    /// Record that what was paid goes back.
    Refund {
        /// The reason.
        reason: String,
    },
}

/// Reasons why a user payment rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UserPaymentError {
    /// It was not requested.
    #[error("there is no such user payment")]
    NotRequested,
    /// It was requested with other terms.
    #[error("the user payment has been requested with other terms")]
    AlreadyRequested,
    /// The amount is zero or negative, or more than before.
    #[error("an amount above zero is needed, and none above that before")]
    NoAmount,
    /// It is paid.
    #[error("the user payment has been paid already")]
    AlreadyPaid,
    /// It is not paid.
    #[error("the user payment is not paid")]
    NotPaid,
    /// It is canceled or refunded.
    #[error("the user payment is canceled")]
    Canceled,
}

impl UserPaymentError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotRequested => "user_payment_not_found",
            Self::AlreadyRequested => "user_payment_already_requested",
            Self::NoAmount => "amount_required",
            Self::AlreadyPaid => "already_paid",
            Self::NotPaid => "user_payment_unpaid",
            Self::Canceled => "user_payment_canceled",
        }
    }
}

decider!(
    UserPayment,
    "user-payment",
    UserPaymentCommand,
    UserPaymentEvent,
    UserPaymentError
);

impl Decider for UserPayment {
    type Input = UserPaymentCommand;

    fn decide(
        &self,
        command: UserPaymentCommand,
        _context: &Context,
    ) -> Result<Vec<UserPaymentEvent>, UserPaymentError> {
        match command {
            UserPaymentCommand::Request(terms) => self.request(terms),
            UserPaymentCommand::Reduce { amount, reason } => self.reduce(amount, reason),
            UserPaymentCommand::Complete { payment } => {
                self.terms.as_ref().ok_or(UserPaymentError::NotRequested)?;
                match &self.state {
                    UserPaymentState::Awaiting => {
                        Ok(vec![UserPaymentEvent::UserPaymentCompleted { payment }])
                    }
                    UserPaymentState::Completed { payment: before } if *before == payment => {
                        Ok(vec![])
                    }
                    UserPaymentState::Completed { .. } => Err(UserPaymentError::AlreadyPaid),
                    UserPaymentState::Canceled { .. } | UserPaymentState::Refunded { .. } => {
                        Err(UserPaymentError::Canceled)
                    }
                }
            }
            UserPaymentCommand::Cancel { reason } => {
                self.terms.as_ref().ok_or(UserPaymentError::NotRequested)?;
                match &self.state {
                    UserPaymentState::Awaiting => {
                        Ok(vec![UserPaymentEvent::UserPaymentCanceled { reason }])
                    }
                    UserPaymentState::Completed { .. } => Err(UserPaymentError::AlreadyPaid),
                    UserPaymentState::Canceled { .. } | UserPaymentState::Refunded { .. } => {
                        Ok(vec![])
                    }
                }
            }
            UserPaymentCommand::Refund { reason } => match &self.state {
                UserPaymentState::Completed { .. } => {
                    Ok(vec![UserPaymentEvent::UserPaymentRefunded { reason }])
                }
                UserPaymentState::Refunded { .. } => Ok(vec![]),
                UserPaymentState::Awaiting => Err(UserPaymentError::NotPaid),
                UserPaymentState::Canceled { .. } => Err(UserPaymentError::Canceled),
            },
        }
    }
}

impl UserPayment {
    /// Status in the specification's terms; none before it is requested.
    pub fn status(&self) -> Option<UserPaymentStatus> {
        self.terms.as_ref()?;
        Some(match self.state {
            UserPaymentState::Awaiting => UserPaymentStatus::Awaiting,
            UserPaymentState::Completed { .. } => UserPaymentStatus::Completed,
            UserPaymentState::Canceled { .. } | UserPaymentState::Refunded { .. } => {
                UserPaymentStatus::Canceled
            }
        })
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: UserPaymentEvent) {
        match event {
            UserPaymentEvent::UserPaymentRequested {
                number,
                member,
                purpose,
                amount,
            } => {
                self.terms = Some(UserPaymentTerms {
                    number,
                    member,
                    purpose,
                    amount,
                });
            }
            UserPaymentEvent::UserPaymentReduced { amount, .. } => {
                if let Some(terms) = &mut self.terms {
                    terms.amount = amount;
                }
            }
            UserPaymentEvent::UserPaymentCompleted { payment } => {
                self.state = UserPaymentState::Completed { payment };
            }
            UserPaymentEvent::UserPaymentCanceled { reason } => {
                self.state = UserPaymentState::Canceled { reason };
            }
            UserPaymentEvent::UserPaymentRefunded { .. } => {
                if let UserPaymentState::Completed { payment } = self.state {
                    self.state = UserPaymentState::Refunded { payment };
                }
            }
        }
    }

    fn reduce(
        &self,
        amount: Amount,
        reason: String,
    ) -> Result<Vec<UserPaymentEvent>, UserPaymentError> {
        let terms = self.terms.as_ref().ok_or(UserPaymentError::NotRequested)?;
        match &self.state {
            UserPaymentState::Completed { .. } => Err(UserPaymentError::AlreadyPaid),
            UserPaymentState::Canceled { .. } | UserPaymentState::Refunded { .. } => {
                Err(UserPaymentError::Canceled)
            }
            UserPaymentState::Awaiting if amount == terms.amount => Ok(vec![]),
            UserPaymentState::Awaiting if amount <= Amount::ZERO || amount > terms.amount => {
                Err(UserPaymentError::NoAmount)
            }
            UserPaymentState::Awaiting => Ok(vec![UserPaymentEvent::UserPaymentReduced {
                amount,
                reason,
            }]),
        }
    }

    fn request(&self, terms: UserPaymentTerms) -> Result<Vec<UserPaymentEvent>, UserPaymentError> {
        match &self.terms {
            Some(before) if *before == terms => return Ok(vec![]),
            Some(_) => return Err(UserPaymentError::AlreadyRequested),
            None => {}
        }
        if terms.amount <= Amount::ZERO {
            return Err(UserPaymentError::NoAmount);
        }
        Ok(vec![UserPaymentEvent::UserPaymentRequested {
            number: terms.number,
            member: terms.member,
            purpose: terms.purpose,
            amount: terms.amount,
        }])
    }
}
