//! Ordering a bulk grant and carrying it out, part by part.

use time::Date;

use super::aggregate::{BulkGrant, BulkGrantCommand, BulkGrantError, BulkGrantTerms};
use super::events::Benefit;
use crate::ids::{BulkGrantId, LotId, MemberId, derived_id};
use crate::member::Member;
use crate::money::Amount;
use crate::points::{GrantError, Points, PointsCommand, PointsError, expiry_of_grant, stream_id};
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
            for member in part {
                let owner = work.state::<Member>(member);
                match owner.left {
                    true => left_out.push(*member),
                    false => terms.benefit.give(work, (id, *member), &terms.memo)?,
                }
            }
            let served = reached(grant.served);
            BulkGrantCommand::Serve { served, left_out }
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
        }
    }

    fn give(
        &self,
        work: &mut UnitOfWork,
        (id, member): (BulkGrantId, MemberId),
        memo: &str,
    ) -> Result<(), CarryOutError> {
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
            }
        }
        Ok(())
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
        }
    }
}
