//! Keeps the look-up of addresses that get no mail any more beside the log.

use domain::message::{FailureReason, Message, MessageEvent};
use event_store::{StoreError, StoredEvent, async_trait};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::messages::stops;

/// Keeps the look-up of stopped addresses.
pub struct StoppedAddresses;

#[async_trait]
impl Policy for StoppedAddresses {
    fn name(&self) -> &'static str {
        "policy_stopped_addresses"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_stopped_addresses")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["message"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(stops(event)?.is_some())
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let Some(stops) = stops(event)? else {
            return Ok(());
        };
        let id = event.stream.id.parse().map_err(AppError::internal)?;
        stops::set(app, id, event.position, stops).await
    }
}

/// Whether an event stops or frees the address of its message; none for other events.
fn stops(event: &StoredEvent) -> Result<Option<bool>, StoreError> {
    Ok(match event.event::<Message>()? {
        MessageEvent::MessageBounced {
            reason: FailureReason::Address,
            ..
        } => Some(true),
        MessageEvent::MessageAddressReleased { .. } => Some(false),
        _ => None,
    })
}
