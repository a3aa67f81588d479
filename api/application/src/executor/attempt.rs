//! Attempts of a command: each one decides on fresh state and writes; after a version conflict the command is attempted again.

use std::time::Duration;

use domain::Context;
use domain::unit_of_work::{Access, UnitOfWork};
use event_store::{
    AppendError, Appended, CommandKey, LockSet, LockedError, LockedStreams, StreamId,
    TransactionStep,
};
use serde_json::Value;
use time::OffsetDateTime;

use super::CommandExecutor;
use super::batch::AppendBatch;
use super::command::CommandContext;
use super::outcome::CommandOutcome;
use crate::error::{AppError, AppResult, Code};
use crate::metrics::{self, AppendOutcome};

/// Attempts before a version conflict is returned to the caller.
const ATTEMPTS: u32 = 10;

/// What an attempt wrote, with the result of the command.
type WriteOutcome = Result<(Appended, Value), LockedError<AppError>>;

/// A way to decide and write.
pub(super) trait Attempt: Send {
    /// Makes one attempt.
    fn run(&mut self, moment: &Moment<'_>) -> impl Future<Output = WriteOutcome> + Send;
}

/// A command and the time of an attempt.
pub(super) struct Moment<'a> {
    executor: &'a CommandExecutor,
    command: &'a CommandContext,
    key: Option<CommandKey>,
    now: OffsetDateTime,
}

impl CommandExecutor {
    /// Repeats attempts until one is written or refused, unless the command was executed before.
    pub(super) async fn until_written(
        &self,
        command: &CommandContext,
        mut attempt: impl Attempt,
    ) -> AppResult<CommandOutcome> {
        let mut count = 1;
        loop {
            let now = self.clock.now();
            let key = command.stored_key(&self.keys, now)?;
            if let Some(done) = self.done_before(key.as_ref()).await? {
                return Ok(done);
            }
            let moment = Moment {
                executor: self,
                command,
                key,
                now,
            };
            let refusal = match attempt.run(&moment).await {
                Ok((appended, result)) => {
                    return Ok(CommandOutcome::of(appended.last_position, result, false));
                }
                Err(LockedError::Append(AppendError::CommandRepeated(stored))) => {
                    return Ok(CommandOutcome::again(stored));
                }
                Err(LockedError::Append(AppendError::Conflict { .. })) if count < ATTEMPTS => {
                    tokio::time::sleep(pause(count)).await;
                    count += 1;
                    continue;
                }
                Err(LockedError::Append(error)) => error.into(),
                Err(LockedError::Refused(refusal)) => refusal,
            };
            return self.unless_done(moment.key.as_ref(), refusal).await;
        }
    }
}

impl Moment<'_> {
    fn context(&self) -> Context {
        Context {
            now: self.now,
            actor: self.command.actor().clone(),
        }
    }

    /// Appends a batch without locks of its own.
    async fn write(&self, batch: AppendBatch) -> WriteOutcome {
        let result = batch.result.clone();
        let payments = metrics::payment_outcomes(&batch.streams);
        let append = batch.into_append(self.command, self.key.clone(), self.now);
        let append = append.map_err(LockedError::Refused)?;
        let appended = self.executor.store.append(append).await;
        self.count(appended.as_ref().err(), payments);
        Ok((appended?, result))
    }

    /// Counts an attempted append in the metrics, and the payments in it if it was committed.
    fn count(&self, error: Option<&AppendError>, payments: Vec<String>) {
        let outcome = match error {
            None => AppendOutcome::Appended,
            Some(AppendError::Conflict { .. }) => AppendOutcome::Conflict,
            Some(AppendError::CommandRepeated(_)) => AppendOutcome::Repeated,
            Some(_) => AppendOutcome::Failed,
        };
        metrics::tried_to_append(self.command.name(), outcome);
        if error.is_none() {
            metrics::payments(payments);
        }
    }
}

/// Decides with a function that loads what it needs.
pub(super) struct Loading<F>(pub F);

impl<F, Fut> Attempt for Loading<F>
where
    F: Fn(Context) -> Fut + Send + Sync,
    Fut: Future<Output = AppResult<AppendBatch>> + Send,
{
    async fn run(&mut self, moment: &Moment<'_>) -> WriteOutcome {
        let batch = (self.0)(moment.context()).await;
        moment.write(batch.map_err(LockedError::Refused)?).await
    }
}

/// A decision of a unit of work that gets the output of its step, and returns the stored result.
pub(super) type Decision<'a, Output> =
    Box<dyn Fn(&mut UnitOfWork, Option<&Output>) -> AppResult<Value> + Send + Sync + 'a>;

/// When a decision is made under locks.
pub(super) enum Locking {
    /// If it writes a contended stream.
    WhereContended,
    /// Always, with exclusive locks on these streams too.
    Always(Vec<StreamId>),
}

/// Decides with a function of a unit of work; calling it determines the streams it uses.
pub(super) struct Planning<'a, Step: TransactionStep<AppError>> {
    /// Set by the first attempt; the next attempt starts with the plan of the last.
    work: Option<UnitOfWork>,
    decide: Decision<'a, Step::Output>,
    step: &'a Step,
    locking: Locking,
}

impl<'a, Step: TransactionStep<AppError>> Planning<'a, Step> {
    pub(super) fn new(
        decide: Decision<'a, Step::Output>,
        step: &'a Step,
        locking: Locking,
    ) -> Self {
        Self {
            work: None,
            decide,
            step,
            locking,
        }
    }

    /// Determines the streams of the decision and decides on them; none if it has to be made under locks.
    async fn plan(
        &self,
        work: &mut UnitOfWork,
        moment: &Moment<'_>,
    ) -> AppResult<Option<AppendBatch>> {
        loop {
            work.rewind();
            let decided = (self.decide)(work, None);
            if work.is_hot() {
                return Ok(None);
            }
            if work.is_loaded() {
                return match self.locking {
                    Locking::WhereContended => {
                        Ok(Some(AppendBatch::of_work(work, decided?, false)?))
                    }
                    Locking::Always(_) => Ok(None),
                };
            }
            moment.executor.store.load_plan(work).await?;
        }
    }

    /// Makes the decision under locks on its planned streams and writes it; none if it used a stream that was not planned, which is then
    /// added.
    async fn write_locked(
        &self,
        work: &mut UnitOfWork,
        moment: &Moment<'_>,
    ) -> Result<Option<(Appended, Value)>, LockedError<AppError>> {
        let mut locks = LockSet::default();
        if let Locking::Always(also) = &self.locking {
            locks.exclusive.clone_from(also);
        }
        for (stream, access) in work.plan() {
            match access {
                Access::Read => locks.shared.push(stream.into()),
                Access::Write => locks.exclusive.push(stream.into()),
            }
        }
        let mut result = Value::Null;
        let mut payments = Vec::new();
        let mut uncovered = false;
        let decided = |locked: &LockedStreams, found: Step::Output| {
            loop {
                if !locked.load_plan(work)? {
                    uncovered = true;
                    return Err(AppError::new(Code::VersionConflict));
                }
                work.rewind();
                let decided = (self.decide)(work, Some(&found));
                if work.is_loaded() && locked.covers(work) {
                    result = decided?;
                    let batch = AppendBatch::of_work(work, &result, true)?;
                    payments = metrics::payment_outcomes(&batch.streams);
                    return batch.into_append(moment.command, None, moment.now);
                }
            }
        };
        let store = &moment.executor.store;
        let appended = store.append_locked(moment.key.clone(), &locks, self.step, decided);
        match appended.await {
            Ok(appended) => {
                moment.count(None, payments);
                Ok(Some((appended, result)))
            }
            Err(LockedError::Refused(_)) if uncovered => Ok(None),
            Err(LockedError::Append(error)) => {
                moment.count(Some(&error), payments);
                Err(error.into())
            }
            Err(refused) => Err(refused),
        }
    }
}

impl<Step: TransactionStep<AppError>> Attempt for Planning<'_, Step> {
    async fn run(&mut self, moment: &Moment<'_>) -> WriteOutcome {
        let work = self.work.take();
        let mut work = work.unwrap_or_else(|| UnitOfWork::new(moment.context()));
        let written = loop {
            work.unload(moment.context());
            let planned = self.plan(&mut work, moment).await;
            if let Some(batch) = planned.map_err(LockedError::Refused)? {
                break moment.write(batch).await;
            }
            work.unload(moment.context());
            if let Some(written) = self.write_locked(&mut work, moment).await.transpose() {
                break written;
            }
        };
        self.work = Some(work);
        written
    }
}

/// Back-off that grows with every attempt and differs between colliding writers.
fn pause(attempt: u32) -> Duration {
    let most = 4_u64.saturating_mul(1 << attempt.min(6));
    Duration::from_millis(rand::random_range(1..=most))
}
