//! Draws the winners of raffles when their events end.

use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::raffles;

/// Handler of raffles that are over.
pub struct DrawRaffles;

#[async_trait]
impl Deadline for DrawRaffles {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::DrawRaffle
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let event = due.id.parse().map_err(AppError::internal)?;
        let command = CommandContext::once("draw-raffle", "raffles", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        raffles::draw(app, &command, event).await?;
        Ok(())
    }
}
