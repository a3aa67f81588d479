//! What the shop does by itself: reactions to events, and deadlines that come.
//!
//! A [`Policy`] has its own checkpoint in the log, like a read model. What it does is a command with an id made of
//! the policy and the event ([`Command::of_policy`](crate::commands::Command::of_policy)), so doing it again changes
//! nothing. A refusal is written down and shown, and the policy goes on; a failure is tried again, and if the event is to
//! blame, its stream is held back until somebody resumes the policy, and the policy goes on with the others.
//!
//! A [`Deadline`](deadlines::Deadline) does something about one kind of row of the read model `deadlines`.
//!
//! What was refused is shown by `jangbu refusals` and `GET /api/console/refusals` ([`refusals`]).
//!
//! To add one: write it in a file of its own here and name it in [`reactions`] or [`deadlines::all`].

pub mod auto_confirm;
pub mod cancel_unpaid;
pub mod deadlines;
pub mod erasure;
pub mod files;
pub mod gateway;
pub mod notifications;
pub mod purchase_points;
pub mod refusals;
pub mod review_points;
pub mod transactions;

use std::sync::Arc;

use event_store::projection::OnPoison;
use event_store::{Projection, ProjectionError, StoredEvent, async_trait};
use sqlx::PgConnection;

use crate::app::AppState;
use crate::http::{ApiResult, Outcome};

/// A reaction of the shop to events.
#[async_trait]
pub trait Policy: Send + Sync + 'static {
    /// Its name, beginning with `policy_`; also of the table of its refusals.
    fn name(&self) -> &'static str;

    /// The table of its refusals: [`event_store::refusals_table!`] of its name.
    fn create_sql(&self) -> &'static str;

    /// The kinds of streams it listens to.
    fn kinds(&self) -> &'static [&'static str];

    /// Does what an event asks for, if anything.
    ///
    /// # Errors
    /// A refusal ([`refusals::is_refusal`]) is final for this event; anything else is tried again.
    async fn react(&self, app: &AppState, event: &StoredEvent) -> ApiResult<()>;
}

/// All reactions of the shop.
fn reactions() -> Vec<Arc<dyn Policy>> {
    vec![
        Arc::new(purchase_points::Earning),
        Arc::new(review_points::Rewarding),
        Arc::new(notifications::Telling),
        Arc::new(erasure::Forgetting),
        Arc::new(files::Files),
        Arc::new(transactions::Transactions),
    ]
}

/// The reactions as followers of the log.
pub fn followers(app: &AppState) -> Vec<Arc<dyn Projection>> {
    reactions()
        .into_iter()
        .map(|policy| follower(app, policy))
        .collect()
}

/// One reaction as a follower of the log.
pub fn follower(app: &AppState, policy: Arc<dyn Policy>) -> Arc<dyn Projection> {
    Arc::new(Follower {
        app: app.clone(),
        policy,
    })
}

struct Follower {
    app: AppState,
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

    fn is_read_model(&self) -> bool {
        false
    }

    /// One order nobody can do anything about keeps nobody else from their points.
    fn on_poison(&self) -> OnPoison {
        OnPoison::Park
    }

    /// What is done about an event is done about that event alone, and in the order of its stream.
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
                // no refusal, and no fault of the event: somebody was faster, or does not answer
                Err(failure) if failure.code().outcome() == Outcome::Later => {
                    return Err(ProjectionError::Later(Box::new(failure)));
                }
                // with its cause: operators have to find it
                Err(failure) => return Err(ProjectionError::other(format!("{failure:?}"))),
            }
        }
        Ok(())
    }
}
