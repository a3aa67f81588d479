//! Gives winners of raffles their coupon, once for each win.

use domain::raffle::{RaffleEntry, RaffleEntryEvent};
use event_store::{StoreError, StoredEvent, async_trait};

use super::Policy;
use crate::app::App;
use crate::coupons;
use crate::error::AppResult;
use crate::executor::CommandContext;

/// Said with the coupon, for staff.
const MEMO: &str = "이벤트 추첨 당첨";

/// Gives prizes.
pub struct RafflePrizes;

#[async_trait]
impl Policy for RafflePrizes {
    fn name(&self) -> &'static str {
        "policy_prizes"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_prizes")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["raffle-entry"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        let event = event.event::<RaffleEntry>()?;
        Ok(matches!(
            event,
            RaffleEntryEvent::RaffleWon { prize: Some(_), .. }
        ))
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let RaffleEntryEvent::RaffleWon {
            member,
            prize: Some(coupon),
            ..
        } = event.event::<RaffleEntry>()?
        else {
            return Ok(());
        };
        let command = CommandContext::for_policy("give-raffle-prize", "raffle-prizes", event);
        coupons::give(app, &command, (coupon, member), MEMO).await?;
        Ok(())
    }
}
