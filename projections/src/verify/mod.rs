//! Verifies that every read model equals a fold of the log, and that nothing was lost or invented on the way.
//!
//! The folds here share no code with the projections: an error goes unnoticed only if it is made twice, in two ways. Rows and checkpoints
//! are read in one snapshot, so this may run beside a live shop; every read model is compared at its own position, and the rules between
//! streams are checked on whole appends only.
//!
//! At an earlier position ([`VerifyOptions::at`]) there are no rows to compare with, so the read models are built up to it in a shadow
//! schema, visible to this transaction only and rolled back at its end.
//!
//! A verification consists of parts: the streams, the books, the reservations and every read model. After an interruption, parts that were
//! verified need not be repeated ([`VerifyOptions::done`]), but nothing is known about them after the position they were verified at.

mod balances;
mod bulk_grants;
mod catalogue;
mod chain;
mod compare;
mod conservation;
mod coupon_codes;
mod deadlines;
mod decoded_log;
mod fold_runner;
mod goods;
mod holding;
mod json;
mod messages;
mod orders;
mod point_in_time;
mod raffles;
mod refunds;
mod reservations;
mod reviews_inquiries;
mod sendings;
mod snapshots;
mod streams;
mod timeline;
mod timing;
mod transactions;
mod user_payment_rows;
mod user_payments;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::hash_chain::ChainProgress;
use event_store::{
    ChainCheckpoint, ChainError, KeyRing, PublicKey, Store, StoreError, StoredEvent, log_snapshot,
};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::error::ReadError;
use compare::{Checker, ExpectedRows};
use decoded_log::{DecodedEvent, Log};
use fold_runner::Counting;
use point_in_time::Shadow;
use timeline::Timeline;
use timing::{BOOKS, STREAMS, Work};
pub use timing::{CHAIN, Paces, Timing, per_second};

/// A deviation from the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The read model's table, or the rule that is broken.
    pub model: String,
    /// Key of the row, or what breaks the rule.
    pub key: String,
    /// Value by the log; null: no such row.
    pub expected: Value,
    /// Value found; null: no such row.
    pub found: Value,
}

/// Result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Events read.
    pub events: u64,
    /// Position of the last of them.
    pub position: i64,
    /// Number of rows compared and rules checked.
    pub entries_checked: u64,
    /// Position at which each read model was compared.
    pub models: Positions,
    /// Parts that were skipped, and the position at which each was verified earlier.
    pub earlier: Positions,
    /// Read models that readers see in the version of another program, because this program's is still being built: not compared.
    pub unfinished: Vec<String>,
    /// Position up to which the checked chain seals the log; none: the chain was not requested.
    pub sealed_to: Option<i64>,
    /// The differences; empty if everything is right.
    pub differences: Vec<Difference>,
    /// Total time, without the chain.
    pub took: Duration,
    /// Time spent in each part.
    pub paces: Paces,
}

impl Report {
    /// Whether everything was compared and there are no differences.
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty() && self.unfinished.is_empty()
    }
}

/// A position for each part of a verification, by the part's name as in [`Paces`].
pub type Positions = BTreeMap<String, i64>;

/// What to verify in addition to the current read models and books.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions<'a> {
    /// Verify the state at this position, without appends that span it: they were not complete ([`Report::position`] is the resulting
    /// position).
    pub at: Option<i64>,
    /// Verify the hash chain first.
    pub chain: Option<ChainOptions<'a>>,
    /// Decrypts names, so that reservations can be compared with the actual names.
    pub keys: Option<&'a KeyRing>,
    /// Parts that an interrupted verification found right, and at which position. They are skipped, unless what they check is not even at
    /// that position any more; later changes to them are not checked.
    pub done: Option<&'a Positions>,
}

/// Options for checking the chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainOptions<'a> {
    /// Accepted signing keys.
    pub trusted: &'a [PublicKey],
    /// Blocks that must be in the chain.
    pub marks: &'a [ChainCheckpoint],
    /// Continue after this block, up to which an interrupted verification found nothing wrong.
    pub after: Option<ChainCheckpoint>,
}

/// Progress of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Checking the chain.
    Chain(ChainProgress),
    /// Reading the log.
    Log(VerifyProgress),
    /// A part is finished, without differences.
    Right(Part),
}

/// A verified part and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, as in [`Paces`].
    pub name: &'static str,
    /// The position at which it was verified.
    pub position: i64,
}

/// Progress of reading the log.
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
        /// Position in the log.
        position: i64,
        /// Why it could not be decoded.
        why: String,
    },
    /// The chain could not be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The keys could not be read.
    #[error(transparent)]
    Keys(#[from] event_store::KeyError),
    /// The position is beyond the end of the log.
    #[error("the log has not come to position {0} yet")]
    NotYet(i64),
    /// A sum does not fit.
    #[error(transparent)]
    Money(#[from] domain::money::MoneyError),
    /// A number does not fit.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// A task was aborted: the program is shutting down, or the task panicked.
    #[error("the verification was cut off: {0}")]
    Cut(#[from] tokio::task::JoinError),
}

impl From<sqlx::Error> for VerifyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Read(error.into())
    }
}

fn bad(recorded: &StoredEvent, why: impl ToString) -> VerifyError {
    VerifyError::Event {
        position: recorded.position,
        why: why.to_string(),
    }
}

/// The stream's id, where it is one of our ids.
fn id<T: std::str::FromStr<Err = uuid::Error>>(recorded: &StoredEvent) -> Result<T, VerifyError> {
    let id = recorded.stream.id.parse();
    id.map_err(|error| bad(recorded, error))
}

/// A fold of the log into the expected rows of one read model.
trait Fold: Send {
    /// Name of the projection.
    fn name(&self) -> &'static str;
    /// The kinds of streams it reads.
    fn kinds(&self) -> &'static [&'static str];
    /// Applies the next event of these kinds; only events up to the projection's position are passed.
    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError>;
    /// The expected rows of its tables.
    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError>;
}

/// The snapshot everything is compared in.
struct Snapshot {
    checkpoints: BTreeMap<String, i64>,
    /// Read models that readers see in another version than this program's.
    unfinished: Vec<String>,
    /// Every event up to this position is in the snapshot.
    settled: i64,
    /// Later events in the snapshot.
    tail: HashSet<i64>,
    up_to: i64,
    /// The last position ever drawn.
    given: i64,
}

impl Snapshot {
    async fn take(connection: &mut PgConnection) -> Result<Self, VerifyError> {
        let active: Vec<(String, i32, i64)> = sqlx::query_as(
            "SELECT name, version, position FROM projection_checkpoint WHERE active ORDER BY name",
        )
        .fetch_all(&mut *connection)
        .await?;
        let models = crate::all();
        let (mut checkpoints, mut unfinished) = (BTreeMap::new(), Vec::new());
        for (name, version, position) in active {
            let model = models.iter().find(|model| model.name() == name);
            match model {
                Some(model) if i64::from(model.version()) != i64::from(version) => {
                    unfinished.push(name);
                }
                _ => {
                    checkpoints.insert(name, position);
                }
            }
        }
        let settled = checkpoints.values().copied().min().unwrap_or(0);
        let given = log_snapshot::drawn_position(connection).await?;
        let tail = log_snapshot::positions_after(connection, settled).await?;
        Ok(Self {
            up_to: tail.iter().copied().max().unwrap_or(settled).max(settled),
            checkpoints,
            unfinished,
            settled,
            tail: tail.into_iter().collect(),
            given,
        })
    }

    /// The snapshot at a position, or before the first append that spans the position; all read models are at it.
    async fn at(connection: &mut PgConnection, mut position: i64) -> Result<Self, VerifyError> {
        if position > log_snapshot::newest_position(connection).await? {
            return Err(VerifyError::NotYet(position));
        }
        while let Some(first) = log_snapshot::append_across(connection, position).await? {
            position = first - 1;
        }
        Ok(Self {
            checkpoints: crate::NAMES
                .into_iter()
                .map(|name| (name.to_owned(), position))
                .collect(),
            unfinished: Vec::new(),
            settled: position,
            tail: HashSet::new(),
            up_to: position,
            given: position,
        })
    }

    fn holds(&self, position: i64) -> bool {
        position <= self.settled || self.tail.contains(&position)
    }

    fn position_of(&self, name: &str) -> Option<i64> {
        self.checkpoints.get(name).copied()
    }

    /// The position at which a part can be verified; none: a read model without a checkpoint.
    fn reached(&self, part: &str) -> Option<i64> {
        match crate::NAMES.contains(&part) {
            true => self.position_of(part),
            false => Some(self.up_to),
        }
    }

    /// The earlier verified parts whose position has not moved back since.
    fn still_right(&self, done: &Positions) -> Positions {
        done.iter()
            .filter(|(part, position)| self.reached(part) >= Some(**position))
            .map(|(part, position)| (part.clone(), *position))
            .collect()
    }
}

/// A value in use by a blocking task, or waiting for its next page.
type AtWork<T> = JoinHandle<Result<T, VerifyError>>;

fn at_work<T: Send + 'static>(idle: T) -> AtWork<T> {
    spawn_blocking(move || Ok(idle))
}

/// Compares every read model with the log, computes the books over the whole log, and checks the conservation rules.
///
/// # Errors
/// [`VerifyError`]: nothing could be verified. What is wrong with the data is in the report.
pub async fn verify(
    store: &Store,
    mut progress: impl FnMut(VerifyProgress),
) -> Result<Report, VerifyError> {
    verify_as(store, &VerifyOptions::default(), |step| {
        if let Progress::Log(step) = step {
            progress(step);
        }
    })
    .await
}

/// The same with options.
///
/// # Errors
/// [`VerifyError`]: nothing could be verified. What is wrong with the data is in the report.
pub async fn verify_as(
    store: &Store,
    asked: &VerifyOptions<'_>,
    mut progress: impl FnMut(Progress),
) -> Result<Report, VerifyError> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace \
           AND relname ~ '^p_.*_v[0-9]+(_|$)'",
    )
    .fetch_all(store.pool())
    .await?;
    let mut transaction = event_store::begin(store.pool()).await?;
    let kind = match asked.at {
        None => "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        // the shadow schema is written, and rolled back at the end
        Some(_) => "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    };
    sqlx::query(kind).execute(&mut *transaction).await?;
    // this snapshot may stay open for as long as the verification takes
    sqlx::query("SET LOCAL idle_in_transaction_session_timeout = 0")
        .execute(&mut *transaction)
        .await?;
    if !tables.is_empty() {
        // before the snapshot is taken: tables swapped in by a rebuild would appear empty in it, so rebuilds have to wait
        let hold = format!("LOCK TABLE {} IN ACCESS SHARE MODE", tables.join(", "));
        sqlx::query(&hold).execute(&mut *transaction).await?;
    }
    let snapshot = match asked.at {
        None => Snapshot::take(&mut transaction).await?,
        Some(position) => Snapshot::at(&mut transaction, position).await?,
    };
    let mut checker = Checker::default();
    let mut paces = Paces::new();
    let sealed_to = match asked.chain {
        None => None,
        Some(chain) => {
            let work = Work::begin();
            let mut events = 0;
            let up_to = asked.at.unwrap_or(i64::MAX);
            let to = chain::check_chain(&mut transaction, chain, up_to, &mut checker, |step| {
                events = step.events;
                progress(Progress::Chain(step));
            });
            let to = to.await?;
            work.done(&mut paces, CHAIN, (events, 0));
            Some(to)
        }
    };
    let begun = Instant::now();
    let earlier = asked.done.map(|done| snapshot.still_right(done));
    let earlier = earlier.unwrap_or_default();
    let wanted = |part: &str| !earlier.contains_key(part);
    let mut shadow = match asked.at {
        None => None,
        Some(_) => Some(Shadow::make(&mut transaction, wanted).await?),
    };
    let snapshot = Arc::new(snapshot);
    let mut counting = at_work(Counting::new(Arc::clone(&snapshot), wanted));
    let reached = snapshot
        .position_of(timeline::NAME)
        .filter(|_| wanted(timeline::NAME));
    let mut timeline = at_work(Timeline::up_to(reached));
    let (mut events, mut whole) = (0, true);
    let mut log = Log::read(store, snapshot.up_to);
    let mut at = 0_i64;
    loop {
        let page = match log.next().await {
            Ok(Some(page)) => Arc::new(page),
            Ok(None) => break,
            Err(VerifyError::Store(error)) if !error.is_unavailable() => {
                let places = format!("after position {at}");
                checker.differs("log", places, "events".into(), error.to_string().into());
                whole = false;
                break;
            }
            Err(error) => return Err(error),
        };
        if let Some(shadow) = &mut shadow {
            shadow.apply(&mut transaction, &page, &mut checker).await?;
        }
        // while Postgres sends the next rows, this page is folded and the previous one compared
        let mut so_far = counting.await??;
        events = so_far.events;
        progress(Progress::Log(VerifyProgress {
            position: at,
            up_to: snapshot.up_to,
            events,
        }));
        counting = {
            let page = Arc::clone(&page);
            spawn_blocking(move || so_far.page(&page).map(|()| so_far))
        };
        let last = page.last().map_or(at, |last| last.position);
        let rows = timeline::rows(&mut transaction, at, last.min(reached.unwrap_or(0))).await?;
        let mut so_far = timeline.await??;
        timeline = spawn_blocking(move || so_far.compare(&page, &rows).map(|()| so_far));
        at = last;
    }
    let (counting, timeline) = (counting.await??, timeline.await??);
    if counting.events > events {
        events = counting.events;
        progress(Progress::Log(VerifyProgress {
            position: at,
            up_to: snapshot.up_to,
            events,
        }));
    }
    let failed = shadow.map(|shadow| shadow.failed).unwrap_or_default();
    // if the log was not read to its end, no part is verified
    let mut done = |name: &'static str, is_right: bool| {
        let position = snapshot.reached(name);
        if let Some(position) = position.filter(|_| is_right && whole && !failed.contains(name)) {
            progress(Progress::Right(Part { name, position }));
        }
    };
    if let Some((_, streams)) = counting.streams {
        done(STREAMS, streams.finds_nothing());
        checker.add(streams);
    }
    done(timeline::NAME, timeline.is_right());
    checker.add(timeline.checker);
    checker.add(counting.checker);
    timing::add(&mut paces, counting.paces);
    timing::add(&mut paces, timeline.paces);
    timing::add(&mut paces, log.paces);
    for name in crate::NAMES {
        match snapshot.position_of(name) {
            None if snapshot.unfinished.iter().any(|model| model == name) => {}
            None => checker.differs(name, "checkpoint", "a read model".into(), Value::Null),
            // it would skip the events before its checkpoint
            Some(position) if position > snapshot.given => {
                let most = format!("{} at most", snapshot.given);
                checker.differs(name, "checkpoint", most.into(), position.into());
            }
            Some(_) => {}
        }
    }
    let mut folds = counting.folds.into_iter().filter_map(|fold| {
        let name = fold.name();
        snapshot.position_of(name)?;
        Some((name, spawn_blocking(move || fold.expected())))
    });
    // the expected rows of the next one are built while those of this one are compared
    let mut next = folds.next();
    while let Some((name, expected)) = next {
        let (work, mut tables) = (Work::begin(), Checker::default());
        next = folds.next();
        for expected in expected.await?? {
            tables.table(&mut transaction, expected).await?;
        }
        work.done(&mut paces, name, (0, tables.checked));
        done(name, tables.finds_nothing());
        checker.add(tables);
    }
    if let Some((conservation, mut books)) = counting.books {
        conservation.finish(&mut books)?;
        done(BOOKS, books.finds_nothing());
        checker.add(books);
    }
    if let Some(names) = counting.names {
        let mut held = Checker::default();
        match asked.at {
            None => {
                let rows = &mut transaction;
                let reserved_to = snapshot.position_of(reservations::RESERVING);
                names
                    .compare(rows, asked.keys, reserved_to, &mut held)
                    .await?;
            }
            Some(_) => names.alone(asked.keys, &mut held).await?,
        }
        done(reservations::MODEL, held.finds_nothing());
        checker.add(held);
    }
    transaction.rollback().await?;
    checker.checked += snapshots::check(store, &mut checker.differences).await?;
    let mut models = snapshot.checkpoints.clone();
    for (model, position) in &mut models {
        *position = earlier.get(model).copied().unwrap_or(*position);
    }
    Ok(Report {
        events,
        position: snapshot.up_to,
        entries_checked: checker.checked,
        models,
        earlier,
        unfinished: snapshot.unfinished.clone(),
        sealed_to,
        differences: checker.differences,
        took: begun.elapsed(),
        paces,
    })
}
