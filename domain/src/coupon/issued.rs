//! One coupon in a member's box: issued, used, perhaps returned. Expiry follows from its frozen terms and the clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::{CouponTerms, IssuedCouponEvent};
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{CouponId, MemberId, OrderId};
use crate::money::Amount;
use time::OffsetDateTime;

/// A coupon in a box as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssuedCoupon {
    /// What it is and whose; none before it is issued.
    pub held: Option<CouponHold>,
    /// The order it is used on.
    pub used_on: Option<OrderId>,
}

/// What a coupon in a box is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CouponHold {
    /// Its definition.
    pub coupon: CouponId,
    /// Whose box.
    pub member: MemberId,
    /// Frozen terms.
    pub terms: CouponTerms,
}

/// Where a coupon is at a moment (machine `coupon issue`; `issuable` is the definition's state).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CouponStatus {
    /// In the box.
    Held,
    /// Used on an order.
    Used,
    /// In the box, and too old.
    Expired,
}

/// What can be asked of a coupon in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssuedCouponCommand {
    /// Put it into the box.
    Issue {
        /// Its definition.
        coupon: CouponId,
        /// Whose box.
        member: MemberId,
        /// Terms, frozen from now on.
        terms: Box<CouponTerms>,
    },
    /// Use it on an order.
    Use {
        /// The order.
        order: OrderId,
        /// Who wants to use it.
        member: MemberId,
        /// What it takes off.
        amount: Amount,
    },
    /// Put it back into the box.
    Return {
        /// The order it was used on.
        order: OrderId,
    },
}

/// Why a coupon in a box refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuedCouponError {
    /// It is somebody's already.
    #[error("the coupon is issued already")]
    AlreadyIssued,
    /// There is none.
    #[error("there is no such coupon")]
    NotIssued,
    /// It is in another member's box.
    #[error("the coupon belongs to somebody else")]
    Foreign,
    /// It is used on another order.
    #[error("the coupon is used")]
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
        act: IssuedCouponCommand,
        context: &Context,
    ) -> Result<Vec<IssuedCouponEvent>, IssuedCouponError> {
        match act {
            IssuedCouponCommand::Issue {
                coupon,
                member,
                terms,
            } => {
                let terms = *terms;
                match &self.held {
                    None => Ok(vec![IssuedCouponEvent::CouponIssued {
                        coupon,
                        member,
                        terms,
                    }]),
                    Some(held) if held.coupon == coupon && held.member == member => Ok(vec![]),
                    Some(_) => Err(IssuedCouponError::AlreadyIssued),
                }
            }
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
    /// Whether its period is over at `now`.
    pub fn has_expired(&self, now: OffsetDateTime) -> bool {
        self.ends_at.is_some_and(|end| now >= end)
    }
}

impl IssuedCoupon {
    /// Where it is at `now`; none before it is issued.
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

    /// What `event` makes of it.
    pub fn evolve(&mut self, event: IssuedCouponEvent) {
        match event {
            IssuedCouponEvent::CouponIssued {
                coupon,
                member,
                terms,
            } => {
                self.held = Some(CouponHold {
                    coupon,
                    member,
                    terms,
                });
            }
            IssuedCouponEvent::CouponUsed { order, .. } => self.used_on = Some(order),
            IssuedCouponEvent::CouponReturned { .. } => self.used_on = None,
        }
    }
}
