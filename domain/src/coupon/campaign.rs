//! The campaign of a limited coupon: counts draws and uses and refuses the one too many.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::events::CampaignEvent;
use crate::event::{Context, Ledger};
use crate::ids::{IssuedCouponId, MemberId, OrderId};
use crate::ledger;
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
    /// What was drawn, by whom.
    pub drawn: BTreeMap<IssuedCouponId, MemberId>,
    /// The uses that count, and what each took off.
    pub used: BTreeMap<IssuedCouponId, Use>,
}

/// A use that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Use {
    /// On which order.
    pub order: OrderId,
    /// What it took off.
    pub amount: Amount,
}

/// What can be asked of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignAct {
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
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Who draws it.
        member: MemberId,
        /// How many one member may draw (issue rule `round`: single 1, bounded n, infinite none).
        per_member: Option<u32>,
    },
    /// Count a use.
    CountUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// On which order.
        order: OrderId,
        /// What it takes off.
        amount: Amount,
    },
    /// Give a use back.
    ReturnUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// From which order.
        order: OrderId,
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
    /// It counts as used on another order.
    #[error("the coupon is used on another order")]
    UsedElsewhere,
    /// That use was never counted, or was given back.
    #[error("the coupon is not counted as used on this order")]
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
            Self::UsedElsewhere => "coupon_used",
            Self::NotUsed => "coupon_not_used",
            Self::Money(_) => "amount_overflow",
        }
    }
}

ledger!(
    Campaign,
    "coupon-campaign",
    CampaignAct,
    CampaignEvent,
    CampaignError
);

impl Ledger for Campaign {
    type Act = CampaignAct;

    fn decide(
        &self,
        act: CampaignAct,
        _context: &Context,
    ) -> Result<Vec<CampaignEvent>, CampaignError> {
        match act {
            CampaignAct::Limit {
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
            CampaignAct::Draw {
                issued,
                member,
                per_member,
            } => {
                if self.drawn.get(&issued) == Some(&member) {
                    return Ok(vec![]);
                }
                if reached(self.draws, self.drawn.len()) || self.drawn.contains_key(&issued) {
                    return Err(CampaignError::UsedUp);
                }
                if reached(per_member, self.draws_of(member)) {
                    return Err(CampaignError::AlreadyDrawn);
                }
                Ok(vec![CampaignEvent::CouponDrawn { issued, member }])
            }
            CampaignAct::CountUse {
                issued,
                order,
                amount,
            } => {
                if let Some(used) = self.used.get(&issued) {
                    return if used.order == order {
                        Ok(vec![])
                    } else {
                        Err(CampaignError::UsedElsewhere)
                    };
                }
                let after = self.taken_off()?.plus(amount)?;
                if reached(self.uses, self.used.len())
                    || self.amount.is_some_and(|limit| after > limit)
                {
                    return Err(CampaignError::UsedUp);
                }
                Ok(vec![CampaignEvent::CouponUseCounted {
                    issued,
                    order,
                    amount,
                }])
            }
            CampaignAct::ReturnUse { issued, order } => match self.used.get(&issued) {
                Some(used) if used.order == order => {
                    Ok(vec![CampaignEvent::CouponUseReturned { issued, order }])
                }
                _ => Err(CampaignError::NotUsed),
            },
        }
    }
}

fn reached(limit: Option<u32>, count: usize) -> bool {
    limit
        .and_then(|limit| usize::try_from(limit).ok())
        .is_some_and(|limit| count >= limit)
}

impl Campaign {
    /// How many this member drew.
    pub fn draws_of(&self, member: MemberId) -> usize {
        self.drawn
            .values()
            .filter(|drawer| **drawer == member)
            .count()
    }

    /// What the counted uses took off.
    ///
    /// # Errors
    /// An overflow.
    pub fn taken_off(&self) -> Result<Amount, MoneyError> {
        Amount::total(self.used.values().map(|used| used.amount))
    }

    /// What `event` makes of it.
    pub fn fold(&mut self, event: CampaignEvent) {
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
            CampaignEvent::CouponDrawn { issued, member } => {
                self.drawn.insert(issued, member);
            }
            CampaignEvent::CouponUseCounted {
                issued,
                order,
                amount,
            } => {
                self.used.insert(issued, Use { order, amount });
            }
            CampaignEvent::CouponUseReturned { issued, .. } => {
                self.used.remove(&issued);
            }
        }
    }
}
