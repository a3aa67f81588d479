//! Expires what is left of granted points when their life is over.

use domain::ids::LotId;
use domain::points::{Points, PointsCommand};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;

/// Handler of the expiry of points.
pub struct ExpirePoints;

#[async_trait]
impl Deadline for ExpirePoints {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::ExpirePoints
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let lot: LotId = due.id.parse().map_err(AppError::internal)?;
        let command = CommandContext::once("expire-points", "expiring", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        let input = PointsCommand::Expire { lot };
        app.executor
            .execute::<Points>(&command, &due.stream, input)
            .await?;
        Ok(())
    }
}
