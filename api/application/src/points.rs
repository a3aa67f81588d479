//! Points that staff grants to one member, takes back, or lets live longer or shorter. The decisions are in [`domain::points`].

use domain::ids::{LotId, MemberId};
use domain::points::{self, Points, PointsCommand, StaffGrant, grant_by_staff};
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

/// Grants points by hand; the result is the lot.
///
/// # Errors
/// `invalid` at `_user`, `amounts` or `expiresAt`.
pub async fn give(
    app: &App,
    command: &CommandContext,
    grant: &StaffGrant,
) -> AppResult<CommandOutcome> {
    let give = |work: &mut UnitOfWork| -> AppResult<LotId> {
        grant_by_staff(work, grant)?;
        Ok(grant.lot)
    };
    app.executor.commit(command, give).await
}

/// Takes back what is left of a lot, or changes its life.
///
/// # Errors
/// `not_found`; `nothing_left`; `points_expired`; `invalid` at `expiresAt`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    change: PointsCommand,
) -> AppResult<CommandOutcome> {
    let stream = points::stream_id(member);
    app.executor
        .execute::<Points>(command, stream, change)
        .await
}
