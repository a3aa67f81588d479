//! Ordering a bulk grant and carrying it out, part by part.

use time::Date;

use super::aggregate::{BulkGrant, BulkGrantCommand, BulkGrantError, BulkGrantTerms};
use super::events::{Benefit, GrantRefusal, RefusedReceiver};
use crate::coupon::{
    self, Campaign, CampaignError, Coupon, DrawError, Issue, IssuedCoupon, IssuedCouponCommand,
    IssuedCouponError, issued_id,
};
use crate::ids::{BulkGrantId, CouponId, LotId, MemberId, derived_id};
use crate::member::Member;
use crate::money::Amount;
use crate::points::{GrantError, Points, PointsCommand, PointsError, expiry_of_grant, stream_id};
use crate::record::Record;
use crate::unit_of_work::UnitOfWork;

/// Receivers per part: few enough that orders placed meanwhile rarely collide with it.
pub const PART: u32 = 100;

/// Reasons why a bulk grant cannot be ordered or carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CarryOutError {
    /// The bulk grant refuses it.
    #[error(transparent)]
    Grant(#[from] BulkGrantError),
    /// What is to be given is wrong.
    #[error(transparent)]
    Terms(#[from] GrantError),
    /// The points of a member refuse it.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// There is no such coupon.
    #[error("there is no such coupon")]
    UnknownCoupon,
    /// The coupon cannot be given.
    #[error(transparent)]
    Coupon(#[from] DrawError),
}

/// The lot of points that a bulk grant gives a member: one for each, so it is given once. It is in the log, so it may not change.
pub fn lot_of_grant(grant: BulkGrantId, member: MemberId) -> LotId {
    LotId(derived_id(&format!("bulk-grant {grant} {member}")))
}

/// Orders points for many members.
///
/// # Errors
/// [`CarryOutError`].
pub fn order_points(
    work: &mut UnitOfWork,
    grant: BulkGrantId,
    (amount, last_day): (Amount, Option<Date>),
    members: Vec<MemberId>,
    memo: String,
) -> Result<(), CarryOutError> {
    work.plan_write::<BulkGrant>(grant);
    let expires_at = expiry_of_grant(work, amount, last_day)?;
    let terms = BulkGrantTerms {
        benefit: Benefit::Points { amount, expires_at },
        members,
        memo,
    };
    work.decide::<BulkGrant>(grant, BulkGrantCommand::Order(terms))?;
    Ok(())
}

/// What a bulk grant of a coupon hands out, and how far the limits of its campaign reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CouponReach {
    /// The name of the coupon.
    pub name: String,
    /// How many each receiver gets at once.
    pub count: u32,
    /// The most one takes off, hundredths; none for a percentage without a limit.
    pub face_value: Option<Amount>,
    /// How many receivers the campaign has coupons for; none: any number.
    pub receivers_left: Option<u64>,
}

/// Orders a coupon for many members.
///
/// # Errors
/// There is no such coupon, it cannot be used any more, or its campaign is used up; [`CarryOutError`].
pub fn order_coupon(
    work: &mut UnitOfWork,
    grant: BulkGrantId,
    id: CouponId,
    members: Vec<MemberId>,
    memo: String,
) -> Result<CouponReach, CarryOutError> {
    work.plan_write::<BulkGrant>(grant);
    let record = work.state::<Record<Coupon>>(id);
    let campaign = work.state::<Campaign>(id);
    let Ok(coupon) = record.data() else {
        return Err(CarryOutError::UnknownCoupon);
    };
    if !coupon.is_usable_from(work.context().now) {
        return Err(DrawError::NotInTime.into());
    }
    let count = coupon.count.max(1);
    let left = campaign.draws_left(coupon.face_value());
    let receivers_left = left.map(|left| left.checked_div(count.into()).unwrap_or_default());
    if receivers_left == Some(0) {
        return Err(DrawError::from(CampaignError::UsedUp).into());
    }
    let terms = BulkGrantTerms {
        benefit: Benefit::Coupon {
            coupon: id,
            name: coupon.name.clone(),
        },
        members,
        memo,
    };
    work.decide::<BulkGrant>(grant, BulkGrantCommand::Order(terms))?;
    Ok(CouponReach {
        count,
        face_value: coupon.face_value(),
        name: coupon.name,
        receivers_left,
    })
}

/// Serves the next receivers, at most so many, or, once the grant is stopped, takes back what is left from the next; whether it is
/// done then.
///
/// # Errors
/// [`CarryOutError`].
pub fn carry_out(work: &mut UnitOfWork, id: BulkGrantId, most: u32) -> Result<bool, CarryOutError> {
    work.plan_write::<BulkGrant>(id);
    let grant = work.state::<BulkGrant>(id);
    let part = grant.next_part(most);
    let Some(terms) = grant.terms.as_ref().filter(|_| !part.is_empty()) else {
        return Ok(true);
    };
    for member in part {
        terms.benefit.plan(work, *member);
    }
    if !work.is_loaded() {
        return Ok(false);
    }
    let reached = |from: u32| from.saturating_add(u32::try_from(part.len()).unwrap_or(u32::MAX));
    let command = match &grant.stopped {
        None => {
            let mut left_out = Vec::new();
            let mut refused = Vec::new();
            for member in part.iter().copied() {
                if work.state::<Member>(member).left {
                    left_out.push(member);
                } else if let Some(reason) = terms.benefit.give(work, (id, member), &terms.memo)? {
                    refused.push(RefusedReceiver { member, reason });
                }
            }
            BulkGrantCommand::Serve {
                served: reached(grant.served),
                left_out,
                refused,
            }
        }
        Some(memo) => {
            for member in part {
                terms.benefit.take_back(work, (id, *member), memo)?;
            }
            let cleared = reached(grant.cleared);
            BulkGrantCommand::Clear { cleared }
        }
    };
    work.decide::<BulkGrant>(id, command)?;
    Ok(work.state::<BulkGrant>(id).is_done())
}

impl Benefit {
    /// Names the streams that giving it to a member, or taking it back, uses.
    fn plan(&self, work: &mut UnitOfWork, member: MemberId) {
        work.plan_read::<Member>(member);
        match self {
            Self::Points { .. } => work.plan_write::<Points>(stream_id(member)),
            Self::Coupon { coupon, .. } => {
                work.plan_read::<Record<Coupon>>(coupon);
                work.plan_write::<Campaign>(coupon);
                coupon::next(work, *coupon, member, 1);
            }
        }
    }

    /// Gives it to a member; the reason why a member whose account is open gets nothing.
    fn give(
        &self,
        work: &mut UnitOfWork,
        (id, member): (BulkGrantId, MemberId),
        memo: &str,
    ) -> Result<Option<GrantRefusal>, CarryOutError> {
        match self {
            Self::Points { amount, expires_at } => {
                let command = PointsCommand::Grant {
                    member,
                    lot: lot_of_grant(id, member),
                    amount: *amount,
                    reason: memo.to_owned(),
                    order: None,
                    grant: Some(id),
                    expires_at: *expires_at,
                };
                work.decide::<Points>(stream_id(member), command)?;
                Ok(None)
            }
            Self::Coupon { coupon, .. } => {
                let record = work.state::<Record<Coupon>>(coupon);
                let Ok(definition) = record.data() else {
                    return Ok(Some(GrantRefusal::CouponRemoved));
                };
                let with = Issue {
                    memo: Some(memo.to_owned()),
                    grant: Some(id),
                    ..Issue::default()
                };
                // all coupons of the round or none
                let given = work.attempt(|work| {
                    coupon::give(work, (*coupon, &definition), member, 1, with).map(|_| ())
                });
                match given {
                    Ok(()) => Ok(None),
                    Err(error) => Ok(Some(refusal(error)?)),
                }
            }
        }
    }

    /// Takes back what is left of it; nothing from a receiver who has used it or got nothing.
    fn take_back(
        &self,
        work: &mut UnitOfWork,
        (id, member): (BulkGrantId, MemberId),
        memo: &str,
    ) -> Result<(), CarryOutError> {
        match self {
            Self::Points { .. } => {
                let command = PointsCommand::Take {
                    lot: lot_of_grant(id, member),
                    memo: memo.to_owned(),
                };
                match work.decide::<Points>(stream_id(member), command) {
                    Ok(_) | Err(PointsError::NothingLeft | PointsError::UnknownLot) => Ok(()),
                    Err(other) => Err(other.into()),
                }
            }
            Self::Coupon { coupon, .. } => {
                let next = coupon::next(work, *coupon, member, 1);
                for number in 1..next.number {
                    let issued = issued_id(*coupon, member, number);
                    let state = work.state::<IssuedCoupon>(issued);
                    let is_of_grant = state.held.as_ref().and_then(|held| held.grant) == Some(id);
                    if !is_of_grant {
                        continue;
                    }
                    let take = IssuedCouponCommand::Take {
                        memo: memo.to_owned(),
                    };
                    match work.decide::<IssuedCoupon>(issued, take) {
                        Ok(_) | Err(IssuedCouponError::Used | IssuedCouponError::Taken) => {}
                        Err(other) => return Err(DrawError::from(other).into()),
                    }
                }
                Ok(())
            }
        }
    }
}

/// What is no error of a part but leaves one receiver without a coupon.
fn refusal(error: DrawError) -> Result<GrantRefusal, DrawError> {
    match error {
        DrawError::Campaign(CampaignError::UsedUp) => Ok(GrantRefusal::CouponUsedUp),
        DrawError::NotInTime => Ok(GrantRefusal::CouponOver),
        DrawError::UnknownMember => Ok(GrantRefusal::UnknownMember),
        other => Err(other),
    }
}
