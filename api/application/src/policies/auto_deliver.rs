//! Counts sent purchases as delivered on their day, where the delivery is not reported.

use domain::business_day;
use domain::order::{Order, OrderCommand};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::AppResult;
use crate::executor::CommandContext;
use crate::orders::days::auto_confirm_days;

/// Handler of deliveries that are not reported.
pub struct AutoDeliver;

#[async_trait]
impl Deadline for AutoDeliver {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::DeliverPurchase
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        // a replacement is delivered under the number of its purchase
        let key = format!("{} {}", due.id, due.position);
        let command = CommandContext::once("deliver-purchase", "delivering-day", key)
            .caused_by(&set_by(app, due).await?);
        let input = OrderCommand::DeliverByDate {
            purchase_no: due.id.clone(),
            day: business_day::day(due.due_at),
            auto_confirm_days: auto_confirm_days(app).await?,
        };
        app.executor
            .execute::<Order>(&command, &due.stream, input)
            .await?;
        Ok(())
    }
}
