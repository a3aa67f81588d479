//! Deciding under a lock, for streams many people want at once (stock, limited campaigns).
//!
//! A decision older than its lock oversells. Here the order is: begin, lock, read, decide, write, commit:
//! four round trips, and nobody is ever told "conflict" for a stream that was locked.

use std::collections::HashMap;

use cqrs_es::Aggregate;
use sqlx::{PgConnection, Postgres, Transaction};

use crate::advisory_lock::Locks;
use crate::append::{Append, Appended, CommandKey, StreamId};
use crate::error::{AppendError, LockedError, StoreError, worth_repeating};
use crate::snapshot::StreamPage;
use crate::store::Store;
use crate::stored_event::Versioned;
use crate::transaction::begin_with;
use crate::write::{pause, stored_command};

/// How often the locks are asked for again after a deadlock with a foreign transaction.
const ATTEMPTS: u32 = 6;

/// The streams a decision is made on, and for whom they stay as they are until it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockSet {
    /// Nobody else decides on these meanwhile: what is going to be written, and what many want at once.
    pub exclusive: Vec<StreamId>,
    /// Any number may decide on these at once, and nobody writes them meanwhile: what only has to be true still.
    pub shared: Vec<StreamId>,
}

impl LockSet {
    /// These, alone.
    pub fn exclusive(streams: impl IntoIterator<Item = StreamId>) -> Self {
        Self {
            exclusive: streams.into_iter().collect(),
            shared: Vec::new(),
        }
    }

    /// These too, with others.
    #[must_use]
    pub fn shared(mut self, streams: impl IntoIterator<Item = StreamId>) -> Self {
        self.shared.extend(streams);
        self
    }
}

/// The locked streams as they are now, and will stay until the decision is written.
#[derive(Debug)]
pub struct LockedStreams {
    store: Store,
    streams: HashMap<StreamId, StreamPage>,
}

impl LockedStreams {
    /// The aggregate `A` called `id`.
    ///
    /// # Errors
    /// [`StoreError::NotLocked`] if its stream was not among the locked ones; [`StoreError::Decode`].
    pub fn state<A: Aggregate>(&self, id: &str) -> Result<Versioned<A>, StoreError> {
        let stream = StreamId::of::<A>(id);
        let Some(read) = self.streams.get(&stream) else {
            return Err(StoreError::NotLocked(stream));
        };
        let loaded = read.fold()?;
        self.store.keep_snapshot(read, &loaded);
        Ok(loaded)
    }
}

/// Reads and writes other tables than the log's in the transaction of a locked append, after the locks and before the decision.
/// A decision that refuses, a kill and a lost connection take its writes back.
///
/// It runs while streams are locked: a few statements on the connection it is given, and rows locked in a fixed order.
pub trait TransactionStep<E>: Sync {
    /// What it found, for the decision.
    type Output: Send;

    /// Runs it; an error rolls everything back.
    fn run(
        &self,
        connection: &mut PgConnection,
    ) -> impl Future<Output = Result<Self::Output, E>> + Send;
}

/// Nothing beside the log.
impl<E: Send> TransactionStep<E> for () {
    type Output = ();

    async fn run(&self, _connection: &mut PgConnection) -> Result<(), E> {
        Ok(())
    }
}

impl Store {
    /// Locks `streams` (in a fixed order), reads them, asks `decide` and writes what it answers, in one transaction.
    ///
    /// If the answer to COMMIT is lost ([`AppendError::Unavailable`]), the same command sent again through
    /// [`Store::append_locked_once`] tells what became of it.
    ///
    /// The answer may write further streams. Those are not waited for: if somebody is writing one of them right
    /// now, that is a conflict, because waiting while holding a hot stream could deadlock. `decide` runs at most once.
    ///
    /// # Errors
    /// [`LockedError::Refused`] with what `decide` answered; [`LockedError::Append`].
    pub async fn append_locked<E>(
        &self,
        streams: &[StreamId],
        decide: impl FnOnce(&LockedStreams) -> Result<Append, E>,
    ) -> Result<Appended, LockedError<E>> {
        let hold = LockSet::exclusive(streams.iter().cloned());
        let look = || async { Ok(()) };
        self.append_locked_with_read(None, &hold, look, |locked, ()| decide(locked))
            .await
    }

    /// The same for a command that may be sent twice: if it was done before, the answer is
    /// [`AppendError::CommandRepeated`] and `decide` is not asked (it might say "sold out" about its own purchase).
    ///
    /// # Errors
    /// As [`Store::append_locked`].
    pub async fn append_locked_once<E>(
        &self,
        command: CommandKey,
        streams: &[StreamId],
        decide: impl FnOnce(&LockedStreams) -> Result<Append, E>,
    ) -> Result<Appended, LockedError<E>> {
        let hold = LockSet::exclusive(streams.iter().cloned());
        let look = || async { Ok(()) };
        self.append_locked_with_read(Some(command), &hold, look, |locked, ()| decide(locked))
            .await
    }

    /// The same with streams that are only held still, and with a `look` at anything else once the locks are held and before
    /// `decide`: at read models, say, that cannot miss what others wrote under these locks. `look` uses other connections of the
    /// pool, so this is for rare commands.
    ///
    /// # Errors
    /// As [`Store::append_locked_once`]; what `look` refused with.
    pub async fn append_locked_with_read<T, E, Look>(
        &self,
        command: Option<CommandKey>,
        hold: &LockSet,
        look: impl FnOnce() -> Look,
        decide: impl FnOnce(&LockedStreams, T) -> Result<Append, E>,
    ) -> Result<Appended, LockedError<E>>
    where
        Look: Future<Output = Result<T, E>>,
    {
        let (transaction, locked) = self.begin_locked(command.as_ref(), hold).await?;
        let seen = look().await.map_err(LockedError::Refused)?;
        let append = decide(&locked, seen).map_err(LockedError::Refused)?;
        Ok(self.end_locked(transaction, command, append).await?)
    }

    /// The same with a `step` in the same transaction before `decide`: what it writes and the events are committed together or not
    /// at all. A command that was done before is answered without it.
    ///
    /// # Errors
    /// As [`Store::append_locked_once`]; what `step` refused with.
    pub async fn append_locked_with_step<E, Step: TransactionStep<E>>(
        &self,
        command: Option<CommandKey>,
        hold: &LockSet,
        step: &Step,
        decide: impl FnOnce(&LockedStreams, Step::Output) -> Result<Append, E>,
    ) -> Result<Appended, LockedError<E>> {
        let (mut transaction, locked) = self.begin_locked(command.as_ref(), hold).await?;
        let found = step.run(&mut transaction).await;
        let found = found.map_err(LockedError::Refused)?;
        let append = decide(&locked, found).map_err(LockedError::Refused)?;
        Ok(self.end_locked(transaction, command, append).await?)
    }

    /// The locks, and the streams as they stay under them; refused for a command that was done before.
    async fn begin_locked(
        &self,
        command: Option<&CommandKey>,
        hold: &LockSet,
    ) -> Result<(Transaction<'static, Postgres>, LockedStreams), AppendError> {
        let mut transaction = self.lock(command, hold).await?;
        if let Some(command) = command
            && let Some(done) = stored_command(&mut transaction, command).await?
        {
            return Err(AppendError::CommandRepeated(done));
        }
        let streams = [hold.exclusive.as_slice(), &hold.shared].concat();
        let locked = LockedStreams {
            store: self.clone(),
            streams: self.read_streams(&mut transaction, &streams).await?,
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
        hold: &LockSet,
    ) -> Result<Transaction<'static, Postgres>, AppendError> {
        let Locks { keys, shared } = Locks::before(command, hold)?;
        let begin = format!(
            "BEGIN; SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(key) ELSE pg_advisory_xact_lock(key) END \
             FROM unnest('{{{}}}'::bigint[], '{{{}}}'::boolean[]) AS wanted(key, shared)",
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

/// As Postgres writes an array.
fn listed(values: &[impl ToString]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    values.join(",")
}
