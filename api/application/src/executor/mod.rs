//! Command execution: loads state, decides, appends once, and returns the position.
//!
//! [`CommandExecutor::execute`] runs one command of one aggregate; [`CommandExecutor::commit`] a decision over several streams, given
//! as a function of a [`UnitOfWork`]; [`CommandExecutor::transact`] a decision on what it loads itself. All of them retry on version
//! conflicts, execute a command with an `Idempotency-Key` once, and return a [`CommandOutcome`]: responses must be built from its
//! result, so that a repeated command gets the same one.

mod attempt;
mod batch;
mod command;
mod outcome;

use std::fmt::Display;
use std::sync::Arc;

use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Context, Decider};
use event_store::{CommandKey, KeyRing, Store, StreamId, TransactionStep};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;

use self::attempt::{Decision, Loading, Locking, Planning};
pub use self::batch::{AppendBatch, decide};
pub use self::command::{CommandContext, RequestOrigin};
pub use self::outcome::CommandOutcome;
use crate::clock::Clock;
use crate::error::{AppError, AppResult};

/// Executes commands.
#[derive(Clone)]
pub struct CommandExecutor {
    store: Store,
    keys: KeyRing,
    clock: Arc<dyn Clock>,
}

impl CommandExecutor {
    /// An executor on a store and the shop's clock.
    pub fn new(store: Store, keys: KeyRing, clock: Arc<dyn Clock>) -> Self {
        Self { store, keys, clock }
    }

    /// Executes one command of one aggregate and appends its events; a command that changes nothing appends nothing.
    ///
    /// # Errors
    /// The rule violated; as [`CommandExecutor::commit`].
    pub async fn execute<A>(
        &self,
        command: &CommandContext,
        id: impl Display,
        input: A::Input,
    ) -> AppResult<CommandOutcome>
    where
        A: Decider,
        A::Input: Clone + Send + Sync,
        AppError: From<A::Error>,
    {
        let id = id.to_string();
        let decide = |work: &mut UnitOfWork| -> AppResult<()> {
            work.decide::<A>(&id, input.clone())?;
            Ok(())
        };
        self.commit(command, decide).await
    }

    /// Makes a decision over several streams and appends its events, all or nothing; `decide` returns the stored result.
    ///
    /// `decide` must be a pure function of the unit of work and of what it captures: it is called until all streams it uses are
    /// loaded, and again after version conflicts. It is appended with the versions it has seen. Where it writes a contended stream,
    /// it is made under locks on all its streams instead.
    ///
    /// # Errors
    /// Errors of `decide`; `version_conflict` after too many attempts; `idempotency_key_reused`; reserved names.
    pub fn commit<'a, R, F>(
        &'a self,
        command: &'a CommandContext,
        decide: F,
    ) -> BoxFuture<'a, AppResult<CommandOutcome>>
    where
        R: Serialize,
        F: Fn(&mut UnitOfWork) -> AppResult<R> + Send + Sync + 'a,
    {
        let decide: Decision<'a, ()> =
            Box::new(move |work, _| Ok(serde_json::to_value(decide(work)?)?));
        let planning = Planning::new(decide, &(), Locking::WhereContended);
        self.until_written(command, planning).boxed()
    }

    /// As [`CommandExecutor::commit`], under locks on all streams of the decision and on `also`, with a `step` that reads and writes state
    /// tables in the transaction of the append: both are committed, or neither. The step runs before the final decision, which gets its
    /// output; while streams are still being loaded there is no output. Skipped for a command that was executed before.
    ///
    /// # Errors
    /// As [`CommandExecutor::commit`]; errors of `step`.
    pub fn commit_with_step<'a, R, Step, F>(
        &'a self,
        command: &'a CommandContext,
        step: &'a Step,
        also: impl IntoIterator<Item = StreamId>,
        decide: F,
    ) -> BoxFuture<'a, AppResult<CommandOutcome>>
    where
        R: Serialize,
        Step: TransactionStep<AppError>,
        F: Fn(&mut UnitOfWork, Option<&Step::Output>) -> AppResult<R> + Send + Sync + 'a,
    {
        let also = also.into_iter().collect();
        let decide: Decision<'a, Step::Output> =
            Box::new(move |work, output| Ok(serde_json::to_value(decide(work, output)?)?));
        let planning = Planning::new(decide, step, Locking::Always(also));
        self.until_written(command, planning).boxed()
    }

    /// Makes a decision without writing it, for previews.
    ///
    /// # Errors
    /// Errors of `decide`; database errors.
    pub async fn preview<R>(
        &self,
        actor: Actor,
        decide: impl Fn(&mut UnitOfWork) -> AppResult<R>,
    ) -> AppResult<R> {
        let now = self.clock.now();
        let mut work = UnitOfWork::new(Context { now, actor });
        loop {
            work.rewind();
            let decided = decide(&mut work);
            if work.is_loaded() {
                return decided;
            }
            self.store.load_plan(&mut work).await?;
        }
    }

    /// Calls `decide`, which loads what it needs, and appends its result; repeats both on version conflicts. Boxed, because every
    /// endpoint awaits this, and the compiler would otherwise analyse it again for each wrapper type of the router.
    ///
    /// # Errors
    /// Errors of `decide`; `version_conflict` after too many attempts; `idempotency_key_reused`; reserved names.
    pub fn transact<'a, F, Fut>(
        &'a self,
        command: &'a CommandContext,
        decide: F,
    ) -> BoxFuture<'a, AppResult<CommandOutcome>>
    where
        F: Fn(Context) -> Fut + Send + Sync + 'a,
        Fut: Future<Output = AppResult<AppendBatch>> + Send + 'a,
    {
        self.until_written(command, Loading(decide)).boxed()
    }

    /// The stored outcome of a command that was executed before: check here before calling an external service.
    ///
    /// # Errors
    /// `idempotency_key_reused`; database errors.
    pub async fn stored_outcome(
        &self,
        command: &CommandContext,
    ) -> AppResult<Option<CommandOutcome>> {
        let key = command.stored_key(&self.keys, self.clock.now())?;
        self.done_before(key.as_ref()).await
    }

    /// The stored outcome, if a rejection was caused by an earlier execution of the same command; else the rejection.
    ///
    /// # Errors
    /// The rejection; as [`CommandExecutor::stored_outcome`].
    pub async fn stored_outcome_or(
        &self,
        command: &CommandContext,
        refusal: AppError,
    ) -> AppResult<CommandOutcome> {
        let key = command.stored_key(&self.keys, self.clock.now())?;
        self.unless_done(key.as_ref(), refusal).await
    }

    async fn done_before(&self, key: Option<&CommandKey>) -> AppResult<Option<CommandOutcome>> {
        match key {
            Some(key) => Ok(self.store.command(key).await?.map(CommandOutcome::again)),
            None => Ok(None),
        }
    }

    /// Replaces a rejection caused by a concurrent execution of the same command ("already cancelled") with its outcome.
    async fn unless_done(
        &self,
        key: Option<&CommandKey>,
        refusal: AppError,
    ) -> AppResult<CommandOutcome> {
        self.done_before(key).await?.ok_or(refusal)
    }
}
