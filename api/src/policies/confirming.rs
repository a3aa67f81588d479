//! A delivered purchase confirms itself on its day.

use domain::order::{Order, OrderAct};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::AppState;
use crate::commands::Command;
use crate::http::ApiResult;

/// The policy.
pub struct ConfirmingDay;

#[async_trait]
impl Deadline for ConfirmingDay {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::ConfirmPurchase
    }

    async fn fire(&self, app: &AppState, due: &DeadlineRow) -> ApiResult<()> {
        let command = Command::once("confirm-purchase", "confirming-day", due.id.clone())
            .following(&set_by(app, due).await?);
        let act = OrderAct::ConfirmByDate {
            purchase_no: due.id.clone(),
        };
        app.commander
            .act::<Order>(&command, &due.stream, act)
            .await?;
        Ok(())
    }
}
