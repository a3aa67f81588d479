//! Confirms delivered purchases automatically on their due day.

use domain::order::{Order, OrderCommand};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::AppResult;
use crate::executor::CommandContext;

/// Handler of the automatic confirmation.
pub struct AutoConfirm;

#[async_trait]
impl Deadline for AutoConfirm {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::ConfirmPurchase
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let command = CommandContext::once("confirm-purchase", "confirming-day", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        let input = OrderCommand::ConfirmByDate {
            purchase_no: due.id.clone(),
        };
        app.executor
            .execute::<Order>(&command, &due.stream, input)
            .await?;
        Ok(())
    }
}
