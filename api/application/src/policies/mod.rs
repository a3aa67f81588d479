//! Automatic actions of the shop: policies that react to events, and deadlines. Their rules are in [`domain::policies`].
//!
//! A [`Policy`] has its own checkpoint in the log, like a read model. Its commands have an id derived from the policy and the event
//! ([`CommandContext::for_policy`](crate::executor::CommandContext::for_policy)), so repeating them changes nothing. A rejection is
//! stored and shown, and the policy continues; a failure is retried, and if it is caused by the event, the event's stream is parked
//! until an operator resumes the policy, which continues with the other streams.
//!
//! A [`Deadline`](deadlines::Deadline) handles one kind of row of the read model `deadlines`. Days of the calendar issue coupons
//! ([`coupon_days`]).
//!
//! Rejections are shown by `jangbu refusals` and `GET /api/console/refusals` ([`refusals`]).
//!
//! To add one, write it in its own file here and list it in [`reactions`] or [`deadlines::all`].

pub mod announce_expiry;
pub mod auto_confirm;
pub mod auto_deliver;
pub mod cancel_unpaid;
pub mod carry_out_grants;
pub mod coupon_days;
pub mod deadlines;
pub mod draw_raffles;
pub mod erasure;
pub mod expire_points;
pub mod files;
pub mod gateway;
pub mod instant_coupons;
pub mod member_days;
pub mod member_mails;
pub mod member_reach;
pub mod notifications;
pub mod order_mails;
pub mod purchase_points;
pub mod raffle_prizes;
pub mod refusals;
pub mod review_points;
pub mod send_parts;
pub mod sendings;
pub mod stopped_addresses;
pub mod transactions;

use std::sync::Arc;

use event_store::projection::OnPoison;
use event_store::{Projection, ProjectionError, StoreError, StoredEvent, async_trait};
use sqlx::PgConnection;

use crate::app::App;
use crate::error::{AppResult, Outcome};

/// A reaction to events.
#[async_trait]
pub trait Policy: Send + Sync + 'static {
    /// Its name, starting with `policy_`; also the name of its refusals table.
    fn name(&self) -> &'static str;

    /// SQL of its refusals table: [`event_store::refusals_table!`] of its name.
    fn create_sql(&self) -> &'static str;

    /// The stream kinds it reacts to.
    fn kinds(&self) -> &'static [&'static str];

    /// Whether it reacts to an event of its kinds, by the event alone: what it ignores costs nothing but a move of its checkpoint.
    ///
    /// # Errors
    /// The event cannot be read; [`Policy::react`] reports it.
    fn wants(&self, _event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Reacts to an event.
    ///
    /// # Errors
    /// A rejection ([`refusals::is_refusal`]) is final for this event; any other error is retried.
    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()>;
}

/// All policies.
fn reactions() -> Vec<Arc<dyn Policy>> {
    vec![
        Arc::new(purchase_points::PurchasePoints),
        Arc::new(review_points::ReviewReward),
        Arc::new(instant_coupons::InstantCoupons),
        Arc::new(member_days::MemberDays),
        Arc::new(member_mails::MemberMails),
        Arc::new(member_reach::MemberReaches),
        Arc::new(notifications::Notifications),
        Arc::new(order_mails::OrderMails),
        Arc::new(sendings::Sendings),
        Arc::new(stopped_addresses::StoppedAddresses),
        Arc::new(erasure::Erasure),
        Arc::new(files::Files),
        Arc::new(raffle_prizes::RafflePrizes),
        Arc::new(transactions::Transactions),
    ]
}

/// Everything that follows the log: the read models, then the policies.
pub fn followers(app: &Arc<App>) -> Vec<Arc<dyn Projection>> {
    let policies = reactions().into_iter();
    let policies = policies.map(|policy| follower(app, policy));
    projections::all().into_iter().chain(policies).collect()
}

/// A policy as a projection.
pub fn follower(app: &Arc<App>, policy: Arc<dyn Policy>) -> Arc<dyn Projection> {
    Arc::new(Follower {
        app: Arc::clone(app),
        policy,
    })
}

struct Follower {
    app: Arc<App>,
    policy: Arc<dyn Policy>,
}

#[async_trait]
impl Projection for Follower {
    fn name(&self) -> &'static str {
        self.policy.name()
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        self.policy.create_sql()
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.policy.kinds()
    }

    fn wants(&self, event: &StoredEvent) -> bool {
        self.policy.wants(event).unwrap_or(true)
    }

    fn is_read_model(&self) -> bool {
        false
    }

    /// Parks the stream, so that one failing order does not block the others.
    fn on_poison(&self) -> OnPoison {
        OnPoison::Park
    }

    /// Reactions depend on one event only, in stream order.
    fn rows_of_one_stream(&self) -> bool {
        true
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            match self.policy.react(&self.app, event).await {
                Ok(()) => {}
                Err(refusal) if refusals::is_refusal(&refusal) => {
                    let name = self.policy.name();
                    tracing::warn!(
                        policy = name,
                        position = event.position,
                        code = refusal.code().as_str(),
                        "a policy was refused"
                    );
                    event_store::projection::refused(
                        tx,
                        name,
                        event,
                        refusal.code().as_str(),
                        &refusal.to_string(),
                    )
                    .await?;
                }
                // Neither a rejection nor caused by the event: a version conflict, or an unavailable service.
                Err(failure) if failure.code().outcome() == Outcome::Later => {
                    return Err(ProjectionError::Later(Box::new(failure)));
                }
                // With its cause, for operators.
                Err(failure) => return Err(ProjectionError::other(format!("{failure:?}"))),
            }
        }
        Ok(())
    }
}
