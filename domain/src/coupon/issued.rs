//! One coupon in a member's coupon box: issued, used, possibly returned, or taken back by staff. Expiry follows from its terms and the
//! clock; the terms are frozen, but for an end that staff set.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::{CouponTerms, IssuedCouponEvent};
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{BulkGrantId, CouponId, MemberId, OrderId};
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
    /// The occasions of the rounds that passed before it was issued.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub passed_for: BTreeSet<String>,
    /// Whether staff took it back.
    #[serde(default)]
    pub taken: bool,
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
    /// What it was issued for, at most once; none for most coupons.
    #[serde(default)]
    pub occasion: Option<String>,
    /// The bulk grant it belongs to; none for most coupons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<BulkGrantId>,
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
    /// Taken back by staff.
    Taken,
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
        /// What it is issued for, at most once.
        occasion: Option<String>,
        /// What staff said who gave it.
        memo: Option<String>,
        /// The bulk grant it belongs to.
        grant: Option<BulkGrantId>,
    },
    /// Let a round pass in which the rule issues nothing.
    Pass {
        /// Its definition.
        coupon: CouponId,
        /// The member.
        member: MemberId,
        /// The round, from 1.
        round: u32,
        /// What it would have been issued for.
        occasion: Option<String>,
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
    /// Take it back from its owner.
    Take {
        /// What staff said.
        memo: String,
    },
    /// Bring back a coupon that was taken.
    BringBack {
        /// What staff said.
        memo: String,
    },
    /// Set another end of its validity.
    ChangePeriod {
        /// The new end (exclusive).
        ends_at: OffsetDateTime,
        /// What staff said.
        memo: String,
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
    /// Staff took it back.
    #[error("the coupon was taken back")]
    Taken,
    /// The new end of its validity has passed.
    #[error("the end of the validity has passed")]
    EndsInPast,
    /// The new end of its validity is before its start.
    #[error("the validity ends before it starts")]
    EndsBeforeStart,
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
            Self::Taken => "coupon_taken",
            Self::EndsInPast => "in_the_past",
            Self::EndsBeforeStart => "out_of_order",
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
                occasion,
                memo,
                grant,
            } => match &self.held {
                None => Ok(vec![IssuedCouponEvent::CouponIssued {
                    coupon,
                    member,
                    terms,
                    round: Some(round),
                    occasion,
                    memo,
                    grant,
                }]),
                Some(held) if held.coupon == coupon && held.member == member => Ok(vec![]),
                Some(_) => Err(IssuedCouponError::AlreadyIssued),
            },
            IssuedCouponCommand::Pass {
                coupon,
                member,
                round,
                occasion,
            } => match (&self.held, self.passed) {
                (Some(_), _) => Err(IssuedCouponError::AlreadyIssued),
                (None, Some(passed)) if passed >= round => Ok(vec![]),
                (None, _) => Ok(vec![IssuedCouponEvent::CouponRoundPassed {
                    coupon,
                    member,
                    round,
                    occasion,
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
                    None if self.taken => return Err(IssuedCouponError::Taken),
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
            IssuedCouponCommand::Take { memo } => {
                self.unused()?;
                Ok(vec![IssuedCouponEvent::CouponTaken { memo }])
            }
            IssuedCouponCommand::BringBack { memo } => {
                self.held.as_ref().ok_or(IssuedCouponError::NotIssued)?;
                let brought_back = IssuedCouponEvent::CouponBroughtBack { memo };
                Ok(self.taken.then_some(brought_back).into_iter().collect())
            }
            IssuedCouponCommand::ChangePeriod { ends_at, memo } => {
                let held = self.unused()?;
                if ends_at <= context.now {
                    return Err(IssuedCouponError::EndsInPast);
                }
                if held.terms.starts_at.is_some_and(|start| ends_at <= start) {
                    return Err(IssuedCouponError::EndsBeforeStart);
                }
                if held.terms.ends_at == Some(ends_at) {
                    return Ok(vec![]);
                }
                Ok(vec![IssuedCouponEvent::CouponPeriodChanged {
                    ends_at,
                    memo,
                }])
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
    /// The coupon, if its owner still has it to use, in time or not.
    fn unused(&self) -> Result<&CouponHold, IssuedCouponError> {
        let held = self.held.as_ref().ok_or(IssuedCouponError::NotIssued)?;
        match (self.used_on, self.taken) {
            (Some(_), _) => Err(IssuedCouponError::Used),
            (None, true) => Err(IssuedCouponError::Taken),
            (None, false) => Ok(held),
        }
    }

    /// Whether it was issued for the occasion, or a round of the occasion passed before it.
    pub fn is_of_occasion(&self, occasion: &str) -> bool {
        let held = self.held.as_ref();
        held.is_some_and(|held| held.occasion.as_deref() == Some(occasion))
            || self.passed_for.contains(occasion)
    }

    /// Status at `now`; none before it is issued.
    pub fn status(&self, now: OffsetDateTime) -> Option<CouponStatus> {
        let held = self.held.as_ref()?;
        Some(if self.used_on.is_some() {
            CouponStatus::Used
        } else if self.taken {
            CouponStatus::Taken
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
                occasion,
                grant,
                ..
            } => {
                self.held = Some(CouponHold {
                    coupon,
                    member,
                    terms: *terms,
                    round,
                    occasion,
                    grant,
                });
            }
            IssuedCouponEvent::CouponRoundPassed {
                round, occasion, ..
            } => {
                self.passed = Some(round);
                self.passed_for.extend(occasion);
            }
            IssuedCouponEvent::CouponUsed { order, .. } => self.used_on = Some(order),
            IssuedCouponEvent::CouponReturned { .. } => self.used_on = None,
            IssuedCouponEvent::CouponTaken { .. } => self.taken = true,
            IssuedCouponEvent::CouponBroughtBack { .. } => self.taken = false,
            IssuedCouponEvent::CouponPeriodChanged { ends_at, .. } => {
                if let Some(held) = &mut self.held {
                    held.terms.ends_at = Some(ends_at);
                }
            }
        }
    }
}
