//! Reserves recorded gateway transactions for their payments. This now happens in the append that records them; the policy does it
//! for events of earlier versions, also while one still runs beside this one.
//!
//! A transaction recorded by two payments stays with the first, and the other is rejected and shown to staff.

use domain::Actor;
use domain::payment::Payment;
use domain::policies::transactions::recorded_transaction;
use event_store::{StoreError, StoredEvent, async_trait};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::CommandContext;
use crate::payments::transaction;

/// Reserves recorded transactions.
pub struct Transactions;

const NAME: &str = "policy_transactions";

#[async_trait]
impl Policy for Transactions {
    fn name(&self) -> &'static str {
        NAME
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_transactions")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["payment"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(recorded_transaction(&event.event::<Payment>()?).is_some())
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let happened = event.event::<Payment>()?;
        let Some(tid) = recorded_transaction(&happened) else {
            return Ok(());
        };
        let id = event.stream.id.parse().map_err(AppError::internal)?;
        let actor = Actor::Policy {
            name: NAME.to_owned(),
        };
        let command = CommandContext::for_actor("reserve-transaction", actor).caused_by(event);
        match transaction::reserve(app, &command, id, tid).await {
            Err(refused) if refused.code() == Code::NotAllowedNow => {
                let first = transaction::owner(app, tid).await?;
                let first = first.map_or_else(String::new, |first| first.to_string());
                Err(refused.saying(format!(
                    "거래 {tid}: 결제 {first}에 기록된 거래가 결제 {id}에도 있습니다."
                )))
            }
            other => other,
        }
    }
}
