//! Sends the next parts of sendings when they are due.

use domain::ids::SendingId;
use domain::sending::{Sending, SendingError, SendingPart, send_part};
use domain::unit_of_work::UnitOfWork;
use event_store::async_trait;
use projections::deadlines::{DeadlineKind, DeadlineRow};

use super::deadlines::{Deadline, set_by};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::sendings::{next_receivers, refusals};

/// Handler of sendings that are not done.
pub struct SendParts;

#[async_trait]
impl Deadline for SendParts {
    fn kind(&self) -> DeadlineKind {
        DeadlineKind::SendPart
    }

    async fn fire(&self, app: &App, due: &DeadlineRow) -> AppResult<()> {
        let id: SendingId = due.id.parse().map_err(AppError::internal)?;
        let sending = app.store.load::<Sending>(&due.id).await?.state;
        let Some(terms) = &sending.terms else {
            return Ok(());
        };
        let way = (terms.channel, terms.advertising);
        let members = next_receivers(app, &sending).await?;
        let refusals = refusals(app, way, &members).await?;
        let part = SendingPart {
            from: sending.served,
            members: match terms.crowd {
                Some(_) => &members,
                None => &[],
            },
            refusals: &refusals,
        };
        // the row is as new as the event that last touched the sending, so what was done since it has this key
        let key = format!("{id} {}", due.position);
        let command =
            CommandContext::once("send-part", "sendings", key).caused_by(&set_by(app, due).await?);
        let decide = |work: &mut UnitOfWork| match send_part(work, id, part) {
            Err(SendingError::Over | SendingError::NotDue) => Ok(()),
            other => Ok(other?),
        };
        app.executor.commit(&command, decide).await?;
        Ok(())
    }
}
