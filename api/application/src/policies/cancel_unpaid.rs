//! Cancels orders after their payment deadline and gives back what they hold.

use domain::order::{CancelReason, CanceledBy, ParcelRules};
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::orders::cancel::{Cancel, cancel};
use crate::payments::account;

/// Handler of the payment deadline.
pub struct CancelUnpaid;

#[async_trait]
impl Deadline for CancelUnpaid {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::UnpaidOrder
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let command = CommandContext::once("cancel-unpaid", "unpaid-deadline", due.id.clone())
            .caused_by(&set_by(app, due).await?);
        let order = due.stream.parse().map_err(|_| AppError::not_found())?;
        // A deposit whose notice is lost was still made in time.
        account::deposits(app, order).await?;
        let request = Cancel {
            order,
            by: CanceledBy::Deadline,
            pieces: None,
            parcels: ParcelRules::default(),
            reason: CancelReason::plain("결제 기한 경과"),
            shown: None,
        };
        cancel(app, &command, &request).await?;
        Ok(())
    }
}
