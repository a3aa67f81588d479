//! Carries out bulk grants: gives the next receivers theirs and, once a grant is stopped, takes back what is left.

use domain::bulk_grant::{PART, carry_out};
use domain::ids::BulkGrantId;
use domain::unit_of_work::UnitOfWork;
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;

/// Parts carried out before other deadlines have their turn.
const AT_ONCE: u32 = 5;

/// Handler of bulk grants that are not done.
pub struct CarryOutGrants;

#[async_trait]
impl Deadline for CarryOutGrants {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::CarryOutGrant
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let grant: BulkGrantId = due.id.parse().map_err(AppError::internal)?;
        let cause = set_by(app, due).await?;
        for part in 0..AT_ONCE {
            // the row is as new as the event that last touched the grant, so what was done since it has these keys
            let key = format!("{grant} {} {part}", due.position);
            let command =
                CommandContext::once("carry-out-grant", "bulk-grants", key).caused_by(&cause);
            let decide = |work: &mut UnitOfWork| Ok(carry_out(work, grant, PART)?);
            let done = app.executor.commit(&command, decide).await?;
            if done.result()? {
                break;
            }
        }
        Ok(())
    }
}
