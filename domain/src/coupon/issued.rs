//! One coupon in a member's coupon box: issued, used, possibly returned. Expiry follows from its frozen terms and the clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::{CouponTerms, IssuedCouponEvent};
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{CouponId, MemberId, OrderId};
use crate::money::Amount;
use time::OffsetDateTime;

/// Current state of an issued coupon.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssuedCoupon {
    /// The coupon and its owner; none before it is issued.
    pub held: Option<CouponHold>,
    /// The order it is used on, if any.
    pub used_on: Option<OrderId>,
    /// The last round of the member that passed before it was issued, in which the rule issues nothing.
    #[serde(default)]
    pub passed: Option<u32>,
}

/// Definition, owner and terms of an issued coupon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CouponHold {
    /// Its definition.
    pub coupon: CouponId,
    /// The owner.
    pub member: MemberId,
    /// Frozen terms.
    pub terms: CouponTerms,
    /// The member's round of the issue rule; none for coupons that did not record it.
    #[serde(default)]
    pub round: Option<u32>,
}

/// Status at a given moment (machine `coupon issue`; `issuable` is the definition's state).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CouponStatus {
    /// Not used, not expired.
    Held,
    /// Used on an order.
    Used,
    /// Not used, and past its period.
    Expired,
}

/// Commands accepted by an issued coupon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuedCouponCommand {
    /// Issue it to a member.
    Issue {
        /// Its definition.
        coupon: CouponId,
        /// The owner.
        member: MemberId,
        /// The terms to freeze.
        terms: Box<CouponTerms>,
        /// The member's round of the issue rule, from 1.
        round: u32,
    },
    /// Let a round pass in which the rule issues nothing.
    Pass {
        /// Its definition.
        coupon: CouponId,
        /// The member.
        member: MemberId,
        /// The round, from 1.
        round: u32,
    },
    /// Use it on an order.
    Use {
        /// The order.
        order: OrderId,
        /// The member who uses it.
        member: MemberId,
        /// The discount, hundredths.
        amount: Amount,
    },
    /// Return it to the coupon box.
    Return {
        /// The order it was used on.
        order: OrderId,
    },
}

/// Reasons why an issued coupon rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuedCouponError {
    /// It was issued before, to another member or with other terms.
    #[error("the coupon is issued already")]
    AlreadyIssued,
    /// It was never issued.
    #[error("there is no such coupon")]
    NotIssued,
    /// It belongs to another member.
    #[error("the coupon belongs to another member")]
    Foreign,
    /// It is used on another order.
    #[error("the coupon is used on another order")]
    Used,
    /// Its period has not begun.
    #[error("the coupon is not valid yet")]
    NotStarted,
    /// Its period is over.
    #[error("the coupon has expired")]
    Expired,
    /// It is not used on that order.
    #[error("the coupon is not used on this order")]
    NotUsed,
}

impl IssuedCouponError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlreadyIssued => "coupon_already_issued",
            Self::NotIssued => "coupon_not_found",
            Self::Foreign => "coupon_foreign",
            Self::Used => "coupon_used",
            Self::NotStarted => "coupon_not_started",
            Self::Expired => "coupon_expired",
            Self::NotUsed => "coupon_not_used",
        }
    }
}

decider!(
    IssuedCoupon,
    "issued-coupon",
    IssuedCouponCommand,
    IssuedCouponEvent,
    IssuedCouponError
);

impl Decider for IssuedCoupon {
    type Input = IssuedCouponCommand;

    fn decide(
        &self,
        command: IssuedCouponCommand,
        context: &Context,
    ) -> Result<Vec<IssuedCouponEvent>, IssuedCouponError> {
        match command {
            IssuedCouponCommand::Issue {
                coupon,
                member,
                terms,
                round,
            } => match &self.held {
                None => Ok(vec![IssuedCouponEvent::CouponIssued {
                    coupon,
                    member,
                    terms,
                    round: Some(round),
                }]),
                Some(held) if held.coupon == coupon && held.member == member => Ok(vec![]),
                Some(_) => Err(IssuedCouponError::AlreadyIssued),
            },
            IssuedCouponCommand::Pass {
                coupon,
                member,
                round,
            } => match (&self.held, self.passed) {
                (Some(_), _) => Err(IssuedCouponError::AlreadyIssued),
                (None, Some(passed)) if passed >= round => Ok(vec![]),
                (None, _) => Ok(vec![IssuedCouponEvent::CouponRoundPassed {
                    coupon,
                    member,
                    round,
                }]),
            },
            IssuedCouponCommand::Use {
                order,
                member,
                amount,
            } => {
                let held = self.held.as_ref().ok_or(IssuedCouponError::NotIssued)?;
                if held.member != member {
                    return Err(IssuedCouponError::Foreign);
                }
                match self.used_on {
                    Some(used_on) if used_on == order => return Ok(vec![]),
                    Some(_) => return Err(IssuedCouponError::Used),
                    None => {}
                }
                if held
                    .terms
                    .starts_at
                    .is_some_and(|start| context.now < start)
                {
                    return Err(IssuedCouponError::NotStarted);
                }
                if held.terms.has_expired(context.now) {
                    return Err(IssuedCouponError::Expired);
                }
                Ok(vec![IssuedCouponEvent::CouponUsed { order, amount }])
            }
            IssuedCouponCommand::Return { order } => {
                if self.used_on == Some(order) {
                    Ok(vec![IssuedCouponEvent::CouponReturned { order }])
                } else {
                    Err(IssuedCouponError::NotUsed)
                }
            }
        }
    }
}

impl CouponTerms {
    /// Whether it has expired at `now`.
    pub fn has_expired(&self, now: OffsetDateTime) -> bool {
        self.ends_at.is_some_and(|end| now >= end)
    }
}

impl IssuedCoupon {
    /// Status at `now`; none before it is issued.
    pub fn status(&self, now: OffsetDateTime) -> Option<CouponStatus> {
        let held = self.held.as_ref()?;
        Some(if self.used_on.is_some() {
            CouponStatus::Used
        } else if held.terms.has_expired(now) {
            CouponStatus::Expired
        } else {
            CouponStatus::Held
        })
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: IssuedCouponEvent) {
        match event {
            IssuedCouponEvent::CouponIssued {
                coupon,
                member,
                terms,
                round,
            } => {
                self.held = Some(CouponHold {
                    coupon,
                    member,
                    terms: *terms,
                    round,
                });
            }
            IssuedCouponEvent::CouponRoundPassed { round, .. } => self.passed = Some(round),
            IssuedCouponEvent::CouponUsed { order, .. } => self.used_on = Some(order),
            IssuedCouponEvent::CouponReturned { .. } => self.used_on = None,
        }
    }
}
