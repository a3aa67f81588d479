//! Points that staff grants by hand: how much, until when, and to whom.

use time::{Date, OffsetDateTime};

use super::{Points, PointsCommand, PointsError, stream_id};
use crate::business_day;
use crate::ids::{LotId, MemberId};
use crate::member::Member;
use crate::money::Amount;
use crate::record::Record;
use crate::site::SiteSetting;
use crate::unit_of_work::UnitOfWork;

/// A grant by staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffGrant {
    /// Its lot.
    pub lot: LotId,
    /// The member.
    pub member: MemberId,
    /// Amount, above zero, in the shop's rounding step.
    pub amount: Amount,
    /// The reason shown to the member.
    pub memo: String,
    /// The last Seoul day on which it can be used; none: as long as any grant lives.
    pub last_day: Option<Date>,
}

/// Reasons why points cannot be granted by hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The member does not exist, or has left.
    #[error("there is no such member")]
    UnknownMember,
    /// The amount is not a whole multiple of the shop's rounding step.
    #[error("points come in whole multiples of {step} hundredths")]
    Uneven {
        /// Hundredths.
        step: i64,
    },
    /// The ledger refuses it.
    #[error(transparent)]
    Points(#[from] PointsError),
}

impl GrantError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownMember => "unknown_member",
            Self::Uneven { .. } => "points_uneven",
            Self::Points(error) => error.code(),
        }
    }
}

/// When points of this amount expire that staff grants now.
///
/// # Errors
/// The amount is not above zero or not in the shop's rounding step; the last day is over.
pub fn expiry_of_grant(
    work: &mut UnitOfWork,
    amount: Amount,
    last_day: Option<Date>,
) -> Result<OffsetDateTime, GrantError> {
    let now = work.context().now;
    let setting = work.state::<Record<SiteSetting>>(SiteSetting::ID);
    let setting = setting.data().ok();
    if amount <= Amount::ZERO {
        return Err(PointsError::NoAmount.into());
    }
    let step = setting
        .as_ref()
        .map(|setting| setting.currency.rounding())
        .unwrap_or_default();
    if !step.divides(amount) {
        let step = step.hundredths();
        return Err(GrantError::Uneven { step });
    }
    let rules = setting.map(|setting| setting.points).unwrap_or_default();
    let expires_at = last_day.map_or_else(|| rules.expiry(now), business_day::ends);
    match expires_at > now {
        true => Ok(expires_at),
        false => Err(PointsError::LifeOver.into()),
    }
}

/// Grants points to a member.
///
/// # Errors
/// [`GrantError`].
pub fn grant_by_staff(work: &mut UnitOfWork, grant: &StaffGrant) -> Result<(), GrantError> {
    let member = grant.member;
    work.plan_write::<Points>(stream_id(member));
    let owner = work.state::<Member>(member);
    let expires_at = expiry_of_grant(work, grant.amount, grant.last_day)?;
    if owner.left || owner.profile.is_none() {
        return Err(GrantError::UnknownMember);
    }
    let command = PointsCommand::Grant {
        member,
        lot: grant.lot,
        amount: grant.amount,
        reason: grant.memo.clone(),
        order: None,
        grant: None,
        expires_at,
    };
    work.decide::<Points>(stream_id(member), command)?;
    Ok(())
}
