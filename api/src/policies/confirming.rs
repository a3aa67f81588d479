//! A delivered purchase confirms itself on its day.

use domain::Ledger;
use domain::order::{Order, OrderAct};
use event_store::{Expected, StreamAppend, async_trait};
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::AppState;
use crate::commands::{Change, Command};
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
        app.commander
            .run(&command, |context| async move {
                let order = app.store.load::<Order>(&due.stream).await?;
                let act = OrderAct::ConfirmByDate {
                    purchase_no: due.id.clone(),
                };
                let events = order.state.decide(act, &context)?;
                if events.is_empty() {
                    return Ok(Change::of([]));
                }
                Ok(Change::of([StreamAppend::new::<Order>(
                    &due.stream,
                    Expected::Exact(order.version),
                    &events,
                )?]))
            })
            .await?;
        Ok(())
    }
}
