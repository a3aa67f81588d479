//! Tells members that points of theirs expire soon, once for each day: the event is made here, the alarm of it by
//! [`notifications`](super::notifications).

use domain::ids::LotId;
use domain::points::{Points, PointsCommand};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;

/// Handler of points that expire soon.
pub struct AnnounceExpiry;

#[async_trait]
impl Deadline for AnnounceExpiry {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::AnnounceExpiry
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let lot: LotId = due.id.parse().map_err(AppError::internal)?;
        // another day or another amount is another matter
        let key = format!("{lot} {}", due.position);
        let command = CommandContext::once("announce-expiry", "expiry-notice", key)
            .caused_by(&set_by(app, due).await?);
        let input = PointsCommand::AnnounceExpiry { lot };
        app.executor
            .execute::<Points>(&command, &due.stream, input)
            .await?;
        Ok(())
    }
}
