//! The campaign of a limited coupon: counts draws and uses and rejects those beyond the limits.
//!
//! Stores counts, not coupons. Ownership and use of a coupon are decided by the issued coupon in the same append: a coupon is used
//! once at a time, and its discount is given back once ([`crate::checkout`]). The draws of one member follow from the ids: the n-th
//! coupon a member draws always has the same stream id, which can be created only once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Round;
use super::events::CampaignEvent;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{IssuedCouponId, MemberId, OrderId};
use crate::money::{Amount, MoneyError};

/// Current state of a campaign. Without limits nothing is rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Campaign {
    /// Maximum number of draws; none for no limit.
    pub draws: Option<u32>,
    /// Maximum number of uses; none for no limit.
    pub uses: Option<u32>,
    /// Maximum total discount of all uses, hundredths; none for no limit.
    pub amount: Option<Amount>,
    /// Maximum total face value of all draws, hundredths; none for no limit.
    #[serde(default)]
    pub face_value: Option<Amount>,
    /// Total face value of the draws so far, hundredths.
    #[serde(default)]
    pub handed_out: Amount,
    /// Draws so far.
    pub drawn: u64,
    /// Uses counted so far, without returned ones.
    pub used: u64,
    /// Total discount of the uses counted, hundredths.
    pub taken_off: Amount,
    /// Draws per member before draws were numbered (`CouponDrawn` 1.0). New draws add nothing here.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub drawn_before: BTreeMap<MemberId, u32>,
    /// Discounts of uses that may be returned by events without an amount (`CouponUseReturned` 1.0). A build that writes such
    /// events does not decide on streams with newer ones, so this is cleared by the first newer event.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub used_before: BTreeMap<IssuedCouponId, Amount>,
}

/// Commands accepted by a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignCommand {
    /// Set or change the limits. Limits below the current counts only reject further draws and uses.
    Limit {
        /// Maximum number of draws.
        draws: Option<u32>,
        /// Maximum number of uses.
        uses: Option<u32>,
        /// Maximum total discount of all uses.
        amount: Option<Amount>,
        /// Maximum total face value of all draws.
        face_value: Option<Amount>,
    },
    /// Draw a coupon.
    Draw {
        /// The issued coupon: the member's `number`-th stream of this coupon, created in the same append.
        issued: IssuedCouponId,
        /// The member who draws it.
        member: MemberId,
        /// Sequence number among this member's numbered draws, from 1.
        number: u32,
        /// The member's round of the issue rule, from 1.
        round: u32,
        /// The rounds in which the rule issues it.
        rounds: Round,
        /// Its face value, hundredths.
        face_value: Option<Amount>,
    },
    /// Count a use that the issued coupon accepts in the same append.
    CountUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// The owner of the coupon.
        member: MemberId,
        /// The order it is used on.
        order: OrderId,
        /// The discount.
        amount: Amount,
    },
    /// Return a use that the issued coupon returns in the same append.
    ReturnUse {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// The order it was used on.
        order: OrderId,
        /// The discount.
        amount: Amount,
    },
}

/// Reasons why a campaign rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// A limit is reached.
    #[error("the coupon is used up")]
    UsedUp,
    /// The member has reached the draws per member.
    #[error("the member has drawn this coupon already")]
    AlreadyDrawn,
    /// The return exceeds the uses counted.
    #[error("more uses are returned than are counted")]
    NotUsed,
    /// An amount overflows.
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
    const HOT: bool = true;

    fn decide(
        &self,
        command: CampaignCommand,
        _context: &Context,
    ) -> Result<Vec<CampaignEvent>, CampaignError> {
        match command {
            CampaignCommand::Limit {
                draws,
                uses,
                amount,
                face_value,
            } => {
                let limits = (draws, uses, amount, face_value);
                if (self.draws, self.uses, self.amount, self.face_value) == limits {
                    return Ok(vec![]);
                }
                Ok(vec![CampaignEvent::CampaignLimited {
                    draws,
                    uses,
                    amount,
                    face_value,
                }])
            }
            CampaignCommand::Draw {
                issued,
                member,
                number,
                round,
                rounds,
                face_value,
            } => {
                let after = self.handed_out.plus(face_value.unwrap_or_default())?;
                if reached(self.draws, self.drawn)
                    || self.face_value.is_some_and(|limit| after > limit)
                {
                    return Err(CampaignError::UsedUp);
                }
                let before = self.drawn_before.get(&member).copied().unwrap_or_default();
                if !rounds.takes(before.saturating_add(round)) {
                    return Err(CampaignError::AlreadyDrawn);
                }
                Ok(vec![CampaignEvent::CouponDrawn {
                    issued,
                    member,
                    number: Some(number),
                    face_value,
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
    /// Whether no coupon of this face value can be drawn any more.
    pub fn is_used_up(&self, face_value: Option<Amount>) -> bool {
        let after = self.handed_out.plus(face_value.unwrap_or_default());
        reached(self.draws, self.drawn)
            || after.is_err()
            || self
                .face_value
                .is_some_and(|limit| after.is_ok_and(|after| after > limit))
    }

    /// How many coupons of this face value can be drawn still; none: any number.
    pub fn draws_left(&self, face_value: Option<Amount>) -> Option<u64> {
        let by_count = self
            .draws
            .map(|limit| u64::from(limit).saturating_sub(self.drawn));
        let by_value = self.face_value.and_then(|limit| {
            let left = limit.minus(self.handed_out).ok()?.hundredths().max(0);
            left.checked_div(face_value?.hundredths())
                .and_then(|many| u64::try_from(many).ok())
        });
        by_count.into_iter().chain(by_value).min()
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: CampaignEvent) {
        match event {
            CampaignEvent::CampaignLimited {
                draws,
                uses,
                amount,
                face_value,
            } => {
                self.draws = draws;
                self.uses = uses;
                self.amount = amount;
                self.face_value = face_value;
            }
            CampaignEvent::CouponDrawn {
                member,
                number,
                face_value,
                ..
            } => {
                self.drawn = self.drawn.saturating_add(1);
                let after = self.handed_out.plus(face_value.unwrap_or_default());
                self.handed_out = after.unwrap_or(self.handed_out);
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

    /// Sums of decided amounts fit: the command that would overflow was rejected.
    fn takes_off(&mut self, after: Result<Amount, MoneyError>) {
        self.taken_off = after.unwrap_or(self.taken_off);
    }
}
