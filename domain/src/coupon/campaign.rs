//! The campaign of a limited coupon: counts draws and uses and refuses the one too many.
//!
//! It remembers numbers, not coupons. Which coupon is whose and on which order it is used is the issued coupon's own rule, decided
//! in the same append: a coupon is used once at a time, and what it took off goes back once ([`crate::placing`]). How many one
//! member drew follows from the ids: the n-th a member draws of a coupon is always the same stream, which nobody opens twice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::events::CampaignEvent;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{IssuedCouponId, MemberId, OrderId};
use crate::money::{Amount, MoneyError};

/// A campaign as it is now. Without limits nothing is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Campaign {
    /// How many may be drawn; none = any number.
    pub draws: Option<u32>,
    /// How many may be used; none = any number.
    pub uses: Option<u32>,
    /// How much all uses together may take off; none = any amount.
    pub amount: Option<Amount>,
    /// How many were drawn, ever.
    pub drawn: u64,
    /// How many uses count.
    pub used: u64,
    /// What those took off, all together.
    pub taken_off: Amount,
    /// How many each member drew before draws were numbered (`CouponDrawn` 1.0). Nothing is added by a draw of today.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub drawn_before: BTreeMap<MemberId, u32>,
    /// What the uses took off that may be given back by an event that does not say it (`CouponUseReturned` 1.0). Who writes those
    /// does not decide on a stream with a newer event, so nothing is left here after the first one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub used_before: BTreeMap<IssuedCouponId, Amount>,
}

/// What can be asked of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignCommand {
    /// Set (or change) the limits. Limits below what already happened only stop more of it.
    Limit {
        /// Draws.
        draws: Option<u32>,
        /// Uses.
        uses: Option<u32>,
        /// Sum of what the uses take off.
        amount: Option<Amount>,
    },
    /// Draw one.
    Draw {
        /// The issued coupon: the stream that is this member's `number`-th of this coupon, which the same append opens.
        issued: IssuedCouponId,
        /// Who draws it.
        member: MemberId,
        /// How many-th of this member's it is among the numbered ones, from 1.
        number: u32,
        /// How many one member may draw (issue rule `round`: single 1, bounded n, infinite none).
        per_member: Option<u32>,
    },
    /// Count a use, which the issued coupon allows in the same append.
    CountUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Whose it is.
        member: MemberId,
        /// On which order.
        order: OrderId,
        /// What it takes off.
        amount: Amount,
    },
    /// Give a use back, as the issued coupon does in the same append.
    ReturnUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// From which order.
        order: OrderId,
        /// What it took off.
        amount: Amount,
    },
}

/// Why a campaign refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// The limit is reached.
    #[error("the coupon is used up")]
    UsedUp,
    /// This member drew as many as one may.
    #[error("the member has drawn this coupon already")]
    AlreadyDrawn,
    /// More would be given back than was used.
    #[error("that many uses do not count")]
    NotUsed,
    /// An amount does not fit.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl CampaignError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UsedUp => "coupon_used_up",
            Self::AlreadyDrawn => "coupon_already_drawn",
            Self::NotUsed => "coupon_not_used",
            Self::Money(_) => "amount_overflow",
        }
    }
}

decider!(
    Campaign,
    "coupon-campaign",
    CampaignCommand,
    CampaignEvent,
    CampaignError
);

impl Decider for Campaign {
    type Input = CampaignCommand;

    fn decide(
        &self,
        act: CampaignCommand,
        _context: &Context,
    ) -> Result<Vec<CampaignEvent>, CampaignError> {
        match act {
            CampaignCommand::Limit {
                draws,
                uses,
                amount,
            } => {
                if (self.draws, self.uses, self.amount) == (draws, uses, amount) {
                    return Ok(vec![]);
                }
                Ok(vec![CampaignEvent::CampaignLimited {
                    draws,
                    uses,
                    amount,
                }])
            }
            CampaignCommand::Draw {
                issued,
                member,
                number,
                per_member,
            } => {
                if reached(self.draws, self.drawn) {
                    return Err(CampaignError::UsedUp);
                }
                let before = self.drawn_before.get(&member).copied().unwrap_or_default();
                let drawn = u64::from(before) + u64::from(number.saturating_sub(1));
                if reached(per_member, drawn) {
                    return Err(CampaignError::AlreadyDrawn);
                }
                Ok(vec![CampaignEvent::CouponDrawn {
                    issued,
                    member,
                    number: Some(number),
                }])
            }
            CampaignCommand::CountUse {
                issued,
                member,
                order,
                amount,
            } => {
                let after = self.taken_off.plus(amount)?;
                if reached(self.uses, self.used) || self.amount.is_some_and(|limit| after > limit) {
                    return Err(CampaignError::UsedUp);
                }
                Ok(vec![CampaignEvent::CouponUseCounted {
                    issued,
                    member: Some(member),
                    order,
                    amount,
                }])
            }
            CampaignCommand::ReturnUse {
                issued,
                order,
                amount,
            } => {
                if self.used == 0 || amount > self.taken_off {
                    return Err(CampaignError::NotUsed);
                }
                Ok(vec![CampaignEvent::CouponUseReturned {
                    issued,
                    order,
                    amount: Some(amount),
                }])
            }
        }
    }
}

fn reached(limit: Option<u32>, count: u64) -> bool {
    limit.is_some_and(|limit| count >= limit.into())
}

impl Campaign {
    /// What `event` makes of it.
    pub fn evolve(&mut self, event: CampaignEvent) {
        match event {
            CampaignEvent::CampaignLimited {
                draws,
                uses,
                amount,
            } => {
                self.draws = draws;
                self.uses = uses;
                self.amount = amount;
            }
            CampaignEvent::CouponDrawn { member, number, .. } => {
                self.drawn = self.drawn.saturating_add(1);
                match number {
                    Some(_) => self.used_before.clear(),
                    None => {
                        let drawn = self.drawn_before.entry(member).or_default();
                        *drawn = drawn.saturating_add(1);
                    }
                }
            }
            CampaignEvent::CouponUseCounted {
                issued,
                member,
                amount,
                ..
            } => {
                self.used = self.used.saturating_add(1);
                self.takes_off(self.taken_off.plus(amount));
                match member {
                    Some(_) => self.used_before.clear(),
                    None => {
                        self.used_before.insert(issued, amount);
                    }
                }
            }
            CampaignEvent::CouponUseReturned { issued, amount, .. } => {
                let before = self.used_before.remove(&issued);
                if amount.is_some() {
                    self.used_before.clear();
                }
                self.used = self.used.saturating_sub(1);
                let amount = amount.or(before).unwrap_or_default();
                self.takes_off(self.taken_off.minus(amount));
            }
        }
    }

    /// An amount that does not fit was refused before it was an event.
    fn takes_off(&mut self, after: Result<Amount, MoneyError>) {
        self.taken_off = after.unwrap_or(self.taken_off);
    }
}
