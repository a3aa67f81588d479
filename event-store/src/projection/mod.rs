//! Projections: read models derived from the log, disposable.
//!
//! A [`Projection`] defines its tables and how events change them. The [`Runner`] creates the tables, follows the settled horizon,
//! and writes the rows and the checkpoint of a batch in one transaction, so that a batch is applied once or not at all, whatever
//! crashes.

mod checkpoint;
mod lease;
mod poison;
mod policy_refusals;
mod rebuild;
mod replay;
mod runner;
mod schemas;
mod shared_commit;
mod status;
mod tail;
mod wait;
mod worker;

use sqlx::PgConnection;

use crate::error::{StoreError, passing};
use crate::stored_event::StoredEvent;

pub use checkpoint::Checkpoint;
pub use poison::{ResumeError, ResumeOutcome, resume};
pub use policy_refusals::{PolicyRefusal, refusals, refused};
pub use rebuild::{Rebuild, RebuildError, RebuildPhase, RebuildProgress, Rebuilt};
pub use runner::Runner;
pub use status::{ParkedStream, ProjectionState, RebuildState, Writer};
pub use wait::WaitOutcome;

/// Reasons why a batch cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    /// A database error.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// An event cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Data of an event cannot be serialised or deserialised as JSON.
    #[error("JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A number does not fit its column.
    #[error("number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// A temporary failure not caused by the event: a service it depends on does not respond. Retried without limit.
    #[error("temporarily unavailable: {0}")]
    Later(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Any other error.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl ProjectionError {
    /// Wraps any error, or a text.
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }

    /// Whether the failure is independent of the events, so that a retry may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Database(error) | Self::Store(StoreError::Database(error)) => passing(error),
            Self::Later(_) => true,
            _ => false,
        }
    }
}

/// How a read model handles an event it cannot apply after several attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnPoison {
    /// Stops until an operator resumes it, because outdated numbers are better than wrong ones.
    Stop,
    /// Parks the stream: holds back the event and all later ones of its stream, and continues with the others.
    Park,
}

/// A read model.
///
/// Its tables are called `p_<name>_v<version>` or `p_<name>_v<version>_<more>`; readers use the views `<name>` and `<name>_<more>`,
/// which the runner creates and points at the newest version once it has caught up. A projection without tables (an indexer, a
/// policy) is a consumer with a checkpoint.
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
    /// Its name, also of its view: lower-case letters, digits and underscores, starting with a letter.
    fn name(&self) -> &'static str;

    /// Raised when the tables or the rules change; the new version is built beside the old one.
    fn version(&self) -> u32;

    /// SQL that creates its tables (not its views); may be several statements. Empty without tables.
    fn create_sql(&self) -> &'static str;

    /// The stream kinds it consumes; empty for all.
    fn kinds(&self) -> &'static [&'static str];

    /// Whether an event of its kinds matters to it; batches without any only move its checkpoint.
    fn wants(&self, _event: &StoredEvent) -> bool {
        true
    }

    /// Whether it only maintains data for readers: then it may share a transaction with others. One with side effects (mails,
    /// commands) is never rebuilt, because it would repeat them.
    fn is_read_model(&self) -> bool {
        true
    }

    /// How it handles an event it cannot apply.
    fn on_poison(&self) -> OnPoison {
        OnPoison::Stop
    }

    /// Whether every row depends on the events of one stream only, so that streams may be applied one after the other instead of in
    /// log order. Only such a projection may [park](OnPoison::Park) streams; it is also rebuilt faster.
    fn rows_of_one_stream(&self) -> bool {
        false
    }

    /// SQL that merges rows which streams applied separately have created, for example a count: one statement, run once in a
    /// rebuild before the keys are created. Empty if not needed.
    fn merge_sql(&self) -> &'static str {
        ""
    }

    /// Applies `batch` to the tables: events of its kinds in log order, each exactly once, never empty. The transaction belongs to
    /// the runner: no commit, no rollback.
    ///
    /// # Errors
    /// Any error rolls the batch back; it is retried in smaller and smaller parts until the error is attributed to one event. The
    /// error is stored in `projection_checkpoint.last_error`.
    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError>;
}

/// The table of a projection, if it has one; further tables have it as a prefix.
pub(crate) fn table_of(projection: &dyn Projection) -> String {
    format!("p_{}_v{}", projection.name(), projection.version())
}
