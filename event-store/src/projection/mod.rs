//! Projections: what people read, derived from the log and disposable.
//!
//! A [`Projection`] says which tables it has and how events change them. The [`Runner`] does the rest: it makes
//! the tables, follows the settled horizon, and writes the rows and the checkpoint of a batch in one transaction,
//! so a batch is applied once or not at all, whatever dies when.

mod checkpoint;
mod idle_checkpoints;
mod lease;
mod poison;
mod policy_refusals;
mod rebuild;
mod replay;
mod runner;
mod schemas;
mod status;
mod tail;
mod wait;
mod worker;

use std::collections::BTreeMap;

use sqlx::PgConnection;

use crate::error::{StoreError, passing};
use crate::stored_event::StoredEvent;

pub use checkpoint::Checkpoint;
pub use poison::{ResumeError, Resumed, resume};
pub use policy_refusals::{PolicyRefusal, refusals, refused};
pub use rebuild::{Rebuild, RebuildError, RebuildPhase, RebuildProgress, Rebuilt};
pub use runner::Runner;
pub use status::{ParkedStream, ProjectionState, RebuildState, Writer};
pub use wait::WaitOutcome;

/// How far the read models are that readers see, by projection name.
pub type Progress = BTreeMap<String, i64>;

/// Why a batch could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    /// The database.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// An event could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something of the event could not be read or written as JSON.
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A number does not fit its column.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// Something that is not the event's fault and will pass: somebody it needs does not answer. It is tried again for
    /// as long as that takes.
    #[error("not now: {0}")]
    Later(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Anything else.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl ProjectionError {
    /// Any error, or a text.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// It is not the events' fault: the same may work in a while.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Database(error) | Self::Store(StoreError::Database(error)) => passing(error),
            Self::Later(_) => true,
            _ => false,
        }
    }
}

/// What a read model does about an event it cannot take, after it was tried some times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnPoison {
    /// It stops until somebody has mended it and says so: better old numbers than wrong ones.
    Stop,
    /// It holds back the event and all later ones of its stream, and goes on with the others.
    Park,
}

/// A read model.
///
/// Its tables are called `p_<name>_v<version>` or `p_<name>_v<version>_<more>`; readers use the views `<name>` and
/// `<name>_<more>`, which the runner makes and moves to the newest version once that has caught up. A projection
/// without tables (an indexer, a policy) is a consumer with a checkpoint.
///
/// ```
/// use event_store::{Projection, ProjectionError, StoredEvent, async_trait};
///
/// struct OrderCount;
///
/// #[async_trait]
/// impl Projection for OrderCount {
///     fn name(&self) -> &'static str { "order_count" }
///     fn version(&self) -> u32 { 1 }
///     fn create_sql(&self) -> &'static str { "CREATE TABLE p_order_count_v1 (orders bigint NOT NULL)" }
///     fn kinds(&self) -> &'static [&'static str] { &["order"] }
///     async fn apply(&self, tx: &mut sqlx::PgConnection, batch: &[StoredEvent]) -> Result<(), ProjectionError> {
///         let placed = batch.iter().filter(|event| event.event_type == "OrderPlaced").count();
///         sqlx::query("INSERT INTO p_order_count_v1 VALUES ($1)").bind(i64::try_from(placed).unwrap_or(0)).execute(tx).await?;
///         Ok(())
///     }
/// }
/// ```
#[async_trait::async_trait]
pub trait Projection: Send + Sync + 'static {
    /// Its name, also of its view: lower-case letters, digits and underscores, a letter first.
    fn name(&self) -> &'static str;

    /// Goes up when the tables or the rules change; the new version is built beside the old one.
    fn version(&self) -> u32;

    /// Makes its tables (not its views); may be several statements. Empty if it has none.
    fn create_sql(&self) -> &'static str;

    /// The kinds of streams it wants; empty is all.
    fn kinds(&self) -> &'static [&'static str];

    /// It only keeps what people read. One that does something (mails, commands) is never built anew: it would do it again.
    fn is_read_model(&self) -> bool {
        true
    }

    /// What it does about an event it cannot take.
    fn on_poison(&self) -> OnPoison {
        OnPoison::Stop
    }

    /// Every row is made of the events of one stream, so streams may be applied one after the other instead of all
    /// together in the log's order. Only such a projection may [park](OnPoison::Park) a stream; it is built anew faster.
    fn rows_of_one_stream(&self) -> bool {
        false
    }

    /// Brings together what streams applied one after the other each made a row of, for example a count: one statement, run
    /// once in a rebuild, before the keys are made. Empty if there is nothing of the kind.
    fn merge_sql(&self) -> &'static str {
        ""
    }

    /// Changes the tables by `batch`: events of its kinds in the log's order, each exactly once, never an empty
    /// batch. The transaction is the runner's: no commit, no rollback.
    ///
    /// # Errors
    /// Whatever went wrong; the batch is rolled back and tried again, in smaller and smaller pieces, until the
    /// error names one event. It stays visible in `projection_checkpoint.last_error`.
    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError>;
}

/// The table of a projection, if it has one; more may begin with its name.
pub(crate) fn table_of(projection: &dyn Projection) -> String {
    format!("p_{}_v{}", projection.name(), projection.version())
}
