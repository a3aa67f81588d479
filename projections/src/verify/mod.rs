//! Proof that every read model equals a fold of the log, and that nothing was lost or made up on the way.
//!
//! The folds here are written without the projections' code: a fault would have to be made twice, in two ways, to go unseen.
//! Rows and checkpoints are read in one snapshot, so this may run beside a working shop; every read model is compared at the
//! position it has reached, and the rules that hold between streams are asked of whole appends only.
//!
//! At an earlier position ([`VerifyOptions::at`]) there are no rows to compare with, so the read models are built up to there in a
//! shadow that nobody else sees and that is gone afterwards.
//!
//! A verification has parts: the streams, the books, the reservations and every read model. What was cut off need not do again
//! what it had found right ([`VerifyOptions::done`]), but says nothing about it later than the position it was found right at.

mod balances;
mod bulk_grants;
mod catalogue;
mod chain;
mod compare;
mod conservation;
mod deadlines;
mod decoded_log;
mod fold_runner;
mod goods;
mod holding;
mod json;
mod orders;
mod point_in_time;
mod refunds;
mod reservations;
mod reviews_inquiries;
mod snapshots;
mod streams;
mod timeline;
mod timing;
mod transactions;
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
    pub models: Positions,
    /// Parts that were not done again, and the position each was found right at before.
    pub earlier: Positions,
    /// Position up to which the log is sealed by the chain that was checked; none: the chain was not asked for.
    pub sealed_to: Option<i64>,
    /// What is wrong; empty: nothing.
    pub differences: Vec<Difference>,
    /// How long it took, the chain apart.
    pub took: Duration,
    /// What of it each part was at work.
    pub paces: Paces,
}

impl Report {
    /// Nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }
}

/// A position for each part of a verification, by the part's name as in [`Paces`].
pub type Positions = BTreeMap<String, i64>;

/// What is to be verified beyond the read models and the books as they are now.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions<'a> {
    /// Everything as it was at this position, less what only the beginning of had been written by then: an append that
    /// wrote on both sides of it was not there yet ([`Report::position`] says where that leads).
    pub at: Option<i64>,
    /// The chain over the log, first.
    pub chain: Option<ChainOptions<'a>>,
    /// Opens what names were made of, so that reserved names can be compared with those people have.
    pub keys: Option<&'a KeyRing>,
    /// Parts a verification that was cut off had found right, and where. They are not done again, unless what they are about is
    /// not even there any more; what happened to them since goes unseen.
    pub done: Option<&'a Positions>,
}

/// How the chain is checked.
#[derive(Clone, Copy, Debug)]
pub struct ChainOptions<'a> {
    /// Whose signatures count.
    pub trusted: &'a [PublicKey],
    /// Blocks that have to be there.
    pub marks: &'a [ChainCheckpoint],
    /// Go on after this block, up to which a verification that was cut off found nothing wrong.
    pub after: Option<ChainCheckpoint>,
}

/// How far a verification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// In the chain over the log.
    Chain(ChainProgress),
    /// In the log itself.
    Log(VerifyProgress),
    /// A part is done, and nothing is wrong with it.
    Right(Part),
}

/// A part of a verification, and where it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, as in [`Paces`].
    pub name: &'static str,
    /// The position everything it is about was compared at.
    pub position: i64,
}

/// How far the log has been read.
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
    /// The chain could not be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The keys could not be read.
    #[error(transparent)]
    Keys(#[from] event_store::KeyError),
    /// There is no such position yet.
    #[error("the log has not come to position {0} yet")]
    NotYet(i64),
    /// A sum does not fit.
    #[error(transparent)]
    Money(#[from] domain::money::MoneyError),
    /// A number does not fit.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// A part of it was cut off: the program ends, or there is a fault in it.
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

/// A fold of the log into the rows one read model should have.
trait Fold: Send {
    /// The projection's name.
    fn name(&self) -> &'static str;
    /// The kinds of streams it asks for.
    fn kinds(&self) -> &'static [&'static str];
    /// The next event of them; only those up to the projection's position come.
    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError>;
    /// The rows of its tables.
    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError>;
}

/// The snapshot everything is compared in.
struct Snapshot {
    checkpoints: BTreeMap<String, i64>,
    /// Up to here every event is in the snapshot.
    settled: i64,
    /// Events of the snapshot after that.
    tail: HashSet<i64>,
    up_to: i64,
    /// The last position anybody was ever given.
    given: i64,
}

impl Snapshot {
    async fn take(connection: &mut PgConnection) -> Result<Self, VerifyError> {
        let checkpoints: Vec<(String, i64)> =
            sqlx::query_as("SELECT name, position FROM projection_checkpoint WHERE active")
                .fetch_all(&mut *connection)
                .await?;
        let checkpoints: BTreeMap<String, i64> = checkpoints.into_iter().collect();
        let settled = checkpoints.values().copied().min().unwrap_or(0);
        let given = log_snapshot::drawn_position(connection).await?;
        let tail = log_snapshot::positions_after(connection, settled).await?;
        Ok(Self {
            up_to: tail.iter().copied().max().unwrap_or(settled).max(settled),
            checkpoints,
            settled,
            tail: tail.into_iter().collect(),
            given,
        })
    }

    /// As it was at a position, or before the first append that this position would cut in two: every read model is there.
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

    /// The position a part can be verified at; none: it is a read model, and not there.
    fn reached(&self, part: &str) -> Option<i64> {
        match crate::NAMES.contains(&part) {
            true => self.position_of(part),
            false => Some(self.up_to),
        }
    }

    /// Of the parts found right before those that have not gone back since.
    fn still_right(&self, done: &Positions) -> Positions {
        done.iter()
            .filter(|(part, position)| self.reached(part) >= Some(**position))
            .map(|(part, position)| (part.clone(), *position))
            .collect()
    }
}

/// What is busy elsewhere, or waits for its next page.
type AtWork<T> = JoinHandle<Result<T, VerifyError>>;

fn at_work<T: Send + 'static>(idle: T) -> AtWork<T> {
    spawn_blocking(move || Ok(idle))
}

/// Compares every read model with the log, keeps the books over the whole log, and asks what must be conserved.
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

/// The same, and what else was asked for.
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
        // the shadow is written, and rolled back at the end
        Some(_) => "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    };
    sqlx::query(kind).execute(&mut *transaction).await?;
    // one snapshot for all that follows takes as long as it takes
    sqlx::query("SET LOCAL idle_in_transaction_session_timeout = 0")
        .execute(&mut *transaction)
        .await?;
    if !tables.is_empty() {
        // before anything is seen: tables a rebuild puts in their place later would seem empty to us, so it has to wait
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
        // this page is counted and the one before compared while Postgres hands out what comes next
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
    // of a log that was not read to its end nothing is known to be right
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
            None => checker.differs(name, "checkpoint", "a read model".into(), Value::Null),
            // it would not hear of what comes before it
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
    // the rows of the next one are told while those of this one are compared
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
        sealed_to,
        differences: checker.differences,
        took: begun.elapsed(),
        paces,
    })
}
