//! Locked appends: decisions made under locks, for contended streams (stock, limited campaigns).
//!
//! A decision on state read before the lock oversells. Here the order is: begin, lock, read, decide, write, commit: four round
//! trips, and locked streams never cause version conflicts.

use std::collections::{HashMap, HashSet};

use domain::unit_of_work::{Access, StreamRef, UnitOfWork};
use sqlx::{PgConnection, Postgres, Transaction};

use crate::advisory_lock::{LockSet, Locks};
use crate::append::{Append, Appended};
use crate::command_key::CommandKey;
use crate::error::{AppendError, LockedError, StoreError, worth_repeating};
use crate::log_rows::StreamPage;
use crate::store::Store;
use crate::stream_id::StreamId;
use crate::transaction::begin_with;
use crate::write::{pause, stored_command};

/// Number of attempts to take the locks after deadlocks with foreign transactions.
const ATTEMPTS: u32 = 6;

/// The locked streams with their state, which cannot change until the decision is written.
#[derive(Debug)]
pub struct LockedStreams {
    store: Store,
    streams: HashMap<StreamId, StreamPage>,
    exclusive: HashSet<StreamId>,
}

impl LockedStreams {
    /// Whether every stream a unit of work has named is locked: exclusively if it is to be written.
    pub fn covers(&self, work: &UnitOfWork) -> bool {
        work.plan().all(|(stream, access)| {
            let id = StreamId::from(stream);
            match access {
                Access::Read => self.streams.contains_key(&id),
                Access::Write => self.exclusive.contains(&id),
            }
        })
    }

    /// Loads the streams a unit of work has named; false, and nothing is loaded, unless all of them are locked.
    ///
    /// # Errors
    /// [`StoreError::Decode`].
    pub fn load_plan(&self, work: &mut UnitOfWork) -> Result<bool, StoreError> {
        if !self.covers(work) {
            return Ok(false);
        }
        let plan: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        for stream in plan {
            if let Some(read) = self.streams.get(&StreamId::from(&stream)) {
                work.load(&stream, |slot| self.store.open(read, slot))?;
            }
        }
        Ok(true)
    }
}

/// Reads and writes tables besides the log in the transaction of a locked append, after the locks and before the decision. Its
/// writes are rolled back if the decision rejects the command, the process is killed or the connection is lost.
///
/// It runs while streams are locked, so it should use few statements, on the given connection, and lock rows in a fixed order.
pub trait TransactionStep<E>: Sync {
    /// Result passed to the decision.
    type Output: Send;

    /// Runs the step; an error rolls everything back.
    fn run(
        &self,
        connection: &mut PgConnection,
    ) -> impl Future<Output = Result<Self::Output, E>> + Send;
}

/// No step.
impl<E: Send> TransactionStep<E> for () {
    type Output = ();

    async fn run(&self, _connection: &mut PgConnection) -> Result<(), E> {
        Ok(())
    }
}

impl Store {
    /// Takes `locks` in a fixed order, reads the locked streams, runs `step`, calls `decide` and writes the returned append, in one
    /// transaction: what the step writes and the events are committed together or not at all.
    ///
    /// A `command` that was executed before ([`AppendError::CommandRepeated`]) runs neither step nor decision: it could be answered
    /// "sold out" because of its own purchase. If the reply to COMMIT is lost ([`AppendError::Unavailable`]), repeating the command
    /// determines the outcome.
    ///
    /// The append may write further streams. Those are not waited for: if another transaction is writing one of them, the result is
    /// a conflict, because waiting while holding a contended lock could deadlock. `decide` is called at most once.
    ///
    /// # Errors
    /// [`LockedError::Refused`] with the error of `step` or `decide`; [`LockedError::Append`].
    pub async fn append_locked<E, Step: TransactionStep<E>>(
        &self,
        command: Option<CommandKey>,
        locks: &LockSet,
        step: &Step,
        decide: impl FnOnce(&LockedStreams, Step::Output) -> Result<Append, E>,
    ) -> Result<Appended, LockedError<E>> {
        let (mut transaction, locked) = self.begin_locked(command.as_ref(), locks).await?;
        let found = step.run(&mut transaction).await;
        let found = found.map_err(LockedError::Refused)?;
        let append = decide(&locked, found).map_err(LockedError::Refused)?;
        Ok(self.end_locked(transaction, command, append).await?)
    }

    /// Takes the locks and reads the streams; fails for a command that was executed before.
    async fn begin_locked(
        &self,
        command: Option<&CommandKey>,
        locks: &LockSet,
    ) -> Result<(Transaction<'static, Postgres>, LockedStreams), AppendError> {
        let mut transaction = self.lock(command, locks).await?;
        if let Some(command) = command
            && let Some(done) = stored_command(&mut transaction, command).await?
        {
            return Err(AppendError::CommandRepeated(done));
        }
        let streams = [locks.exclusive.as_slice(), &locks.shared].concat();
        let locked = LockedStreams {
            store: self.clone(),
            streams: self.read_streams(&mut transaction, &streams).await?,
            exclusive: locks.exclusive.iter().cloned().collect(),
        };
        Ok((transaction, locked))
    }

    /// Writes the decision and commits.
    async fn end_locked(
        &self,
        mut transaction: Transaction<'static, Postgres>,
        command: Option<CommandKey>,
        mut append: Append,
    ) -> Result<Appended, AppendError> {
        if command.is_some() {
            append.command = command;
        }
        let appended = self.append_within(&mut transaction, append).await?;
        transaction.commit().await?;
        self.committed(&appended);
        Ok(appended)
    }

    /// BEGIN and all locks in one round trip.
    async fn lock(
        &self,
        command: Option<&CommandKey>,
        locks: &LockSet,
    ) -> Result<Transaction<'static, Postgres>, AppendError> {
        let Locks { keys, shared } = Locks::before(command, locks)?;
        let begin = format!(
            "BEGIN; SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(key) ELSE pg_advisory_xact_lock(key) END \
             FROM unnest('{{{}}}'::bigint[], '{{{}}}'::boolean[]) AS locks(key, shared)",
            listed(&keys),
            listed(&shared)
        );
        let mut attempt = 0;
        loop {
            attempt += 1;
            match begin_with(self.pool(), begin.clone()).await {
                Err(error) if attempt < ATTEMPTS && worth_repeating(&error) => {
                    tokio::time::sleep(pause(attempt)).await;
                }
                answer => return Ok(answer?),
            }
        }
    }
}

/// Formats a Postgres array literal.
fn listed(values: &[impl ToString]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    values.join(",")
}
