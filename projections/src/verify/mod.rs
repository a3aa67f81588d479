//! Proof that every read model equals a fold of the log, and that nothing was lost or made up on the way.
//!
//! The folds here are written without the projections' code: a fault would have to be made twice, in two ways, to go unseen.
//! Rows and checkpoints are read in one snapshot, so this may run beside a working shop; every read model is compared at the
//! position it has reached, and the rules that hold between streams are asked of whole appends only.

mod catalogue;
mod compare;
mod conservation;
mod ledgers;
mod orders;
mod snapshots;
mod timeline;
mod voices;

use std::collections::{BTreeMap, HashSet};

use event_store::{Recorded, Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::{PgConnection, Row};

use crate::error::ReadError;
use compare::{Checker, Expected};
use conservation::Conservation;
use timeline::Timeline;

/// Events read at a time.
const PAGE: i64 = 1_000;

/// Something that is not as the log says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The read model's table, or the rule that is broken.
    pub model: String,
    /// Which row, or whose.
    pub key: String,
    /// What the log says; null: no such row.
    pub expected: Value,
    /// What was found; null: no such row.
    pub found: Value,
}

/// What was verified, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Events read.
    pub events: u64,
    /// Position of the last of them.
    pub position: i64,
    /// Rows compared and rules asked.
    pub entries_checked: u64,
    /// Position each read model was compared at.
    pub models: BTreeMap<String, i64>,
    /// What is wrong; empty: nothing.
    pub differences: Vec<Difference>,
}

impl Report {
    /// Nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }
}

/// How far a verification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyProgress {
    /// Position read up to.
    pub position: i64,
    /// Position of the last event to read.
    pub up_to: i64,
    /// Events read.
    pub events: u64,
}

/// Why nothing could be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The log could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A read model could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event has a shape this build does not know.
    #[error("event at position {position}: {why}")]
    Event {
        /// Where in the log.
        position: i64,
        /// What is wrong with it.
        why: String,
    },
    /// A sum does not fit.
    #[error(transparent)]
    Money(#[from] domain::money::MoneyError),
    /// A number does not fit.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
}

impl From<sqlx::Error> for VerifyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Read(error.into())
    }
}

/// The event as its enum.
fn decode<E: DeserializeOwned>(recorded: &Recorded) -> Result<E, VerifyError> {
    E::deserialize(&recorded.payload).map_err(|error| bad(recorded, error))
}

fn bad(recorded: &Recorded, why: impl ToString) -> VerifyError {
    VerifyError::Event {
        position: recorded.position,
        why: why.to_string(),
    }
}

/// A fold of the log into the rows one read model should have.
trait Fold {
    /// The projection's name.
    fn name(&self) -> &'static str;
    /// The next event; only those up to the projection's position come.
    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError>;
    /// The rows of its tables.
    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError>;
}

/// The snapshot everything is compared in.
struct Snapshot {
    checkpoints: BTreeMap<String, i64>,
    /// Up to here every event is in the snapshot.
    settled: i64,
    /// Events of the snapshot after that.
    tail: HashSet<i64>,
    up_to: i64,
}

impl Snapshot {
    async fn take(connection: &mut PgConnection) -> Result<Self, VerifyError> {
        let checkpoints: Vec<(String, i64)> =
            sqlx::query_as("SELECT name, position FROM projection_checkpoint WHERE active")
                .fetch_all(&mut *connection)
                .await?;
        let checkpoints: BTreeMap<String, i64> = checkpoints.into_iter().collect();
        let settled = checkpoints.values().copied().min().unwrap_or(0);
        let tail: Vec<i64> =
            sqlx::query("SELECT global_position FROM events WHERE global_position > $1")
                .bind(settled)
                .fetch_all(&mut *connection)
                .await?
                .into_iter()
                .map(|row| row.try_get(0))
                .collect::<Result<_, _>>()?;
        Ok(Self {
            up_to: tail.iter().copied().max().unwrap_or(settled).max(settled),
            checkpoints,
            settled,
            tail: tail.into_iter().collect(),
        })
    }

    fn holds(&self, position: i64) -> bool {
        position <= self.settled || self.tail.contains(&position)
    }

    fn position_of(&self, name: &str) -> Option<i64> {
        self.checkpoints.get(name).copied()
    }
}

/// Compares every read model with the log, keeps the books over the whole log, and asks what must be conserved.
///
/// # Errors
/// [`VerifyError`]: nothing could be verified. What is wrong with the data is in the report.
pub async fn verify(
    store: &Store,
    mut progress: impl FnMut(VerifyProgress),
) -> Result<Report, VerifyError> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace \
           AND relname ~ '^p_.*_v[0-9]+(_|$)'",
    )
    .fetch_all(store.pool())
    .await?;
    let mut transaction = store.pool().begin().await?;
    sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        .execute(&mut *transaction)
        .await?;
    if !tables.is_empty() {
        // before anything is seen: tables a rebuild puts in their place later would seem empty to us, so it has to wait
        let hold = format!("LOCK TABLE {} IN ACCESS SHARE MODE", tables.join(", "));
        sqlx::query(&hold).execute(&mut *transaction).await?;
    }
    let snapshot = Snapshot::take(&mut transaction).await?;
    let mut checker = Checker::default();
    let mut folds: Vec<Box<dyn Fold>> = vec![
        Box::new(catalogue::Members::default()),
        Box::new(catalogue::Records::default()),
        Box::new(catalogue::Products::default()),
        Box::new(catalogue::Categories::default()),
        Box::new(catalogue::Documents::default()),
        Box::new(ledgers::StockFold::default()),
        Box::new(ledgers::Coupons::default()),
        Box::new(ledgers::PointsFold::default()),
        Box::new(orders::OrdersFold::default()),
        Box::new(orders::DeadlinesFold::default()),
        Box::new(voices::ReviewsFold::default()),
        Box::new(voices::InquiresFold::default()),
    ];
    let mut timeline = Timeline::default();
    let mut conservation = Conservation::default();
    let mut events = 0_u64;
    let mut at = 0_i64;
    while at < snapshot.up_to {
        let page = store.read_all(at, snapshot.up_to, PAGE).await?;
        let Some(last) = page.last() else {
            break;
        };
        for recorded in page.iter().filter(|one| snapshot.holds(one.position)) {
            events = events.saturating_add(1);
            for fold in &mut folds {
                if snapshot.position_of(fold.name()).unwrap_or(0) >= recorded.position {
                    fold.take(recorded)?;
                }
            }
            conservation.take(recorded, &mut checker)?;
        }
        let reached = snapshot.position_of(timeline::NAME).unwrap_or(0);
        timeline
            .page(
                &page,
                (at, last.position.min(reached)),
                &mut transaction,
                &mut checker,
            )
            .await?;
        at = last.position;
        progress(VerifyProgress {
            position: at,
            up_to: snapshot.up_to,
            events,
        });
    }
    for name in crate::NAMES {
        if snapshot.position_of(name).is_none() {
            checker.differs(name, "checkpoint", "a read model".into(), Value::Null);
        }
    }
    for fold in folds {
        if snapshot.position_of(fold.name()).is_some() {
            for expected in fold.expected()? {
                checker.table(&mut transaction, expected).await?;
            }
        }
    }
    conservation.finish(&mut checker)?;
    transaction.rollback().await?;
    checker.checked += snapshots::check(store, &mut checker.differences).await?;
    Ok(Report {
        events,
        position: snapshot.up_to,
        entries_checked: checker.checked,
        models: snapshot.checkpoints,
        differences: checker.differences,
    })
}
