//! Command execution: loads state, decides, appends once, and returns the position.
//!
//! [`CommandExecutor::execute`] runs one command of one aggregate; [`CommandExecutor::commit`] a decision over several streams, given
//! as a function of a [`UnitOfWork`]; [`CommandExecutor::transact`] a decision on what it loads itself. All of them retry on version
//! conflicts, execute a command with an `Idempotency-Key` once, and return a [`CommandOutcome`]: responses must be built from its
//! result, so that a repeated command gets the same one.

use std::fmt::Display;
use std::time::Duration;

use domain::unit_of_work::{Access, UnitOfWork};
use domain::{Actor, Context, Decider};
use event_store::{
    Append, AppendError, Appended, CommandKey, Expected, KeyRing, LockSet, LockedError,
    LockedStreams, Metadata, NewEvent, ReservationChange, Store, StoredCommand, StoredEvent,
    StreamAppend, StreamId, TransactionStep, Versioned,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::clock::Clock;
use crate::error::{AppError, AppResult, Code};
use crate::metrics::{self, AppendOutcome};

/// Lifetime of a client's idempotency key.
const KEY_LIFE: time::Duration = time::Duration::days(7);
/// Attempts before a version conflict is returned to the caller.
const ATTEMPTS: u32 = 10;
/// Minimum length of a guest's idempotency key: it is not bound to an account, so it must be hard to guess.
const GUEST_KEY_LEAST: usize = 16;

/// Metadata of a request: becomes event metadata, and contains the `Idempotency-Key`.
#[derive(Clone, Debug)]
pub struct RequestOrigin {
    /// Request id.
    pub request: Uuid,
    /// The caller's W3C trace id, if present.
    pub trace: Option<String>,
    /// Method and path.
    pub route: Arc<str>,
    /// The idempotency key, if present.
    pub key: Option<String>,
    /// SHA-256 of the body's bytes.
    pub body_hash: [u8; 32],
}

/// Context of a command: name, actor, reason, causation and idempotency key.
#[derive(Clone, Debug)]
pub struct CommandContext {
    name: &'static str,
    actor: Actor,
    id: Uuid,
    correlation: Uuid,
    causation: Option<Uuid>,
    reason: Option<String>,
    trace: Option<String>,
    key: Option<Key>,
}

#[derive(Clone, Debug)]
struct Key {
    scope: String,
    key: String,
    body_hash: [u8; 32],
    forgotten: bool,
}

impl CommandContext {
    /// The context of a request; `name` is the command's, e.g. `place-order`.
    pub fn new(name: &'static str, actor: Actor, origin: &RequestOrigin) -> Self {
        let key = origin.key.as_ref().map(|key| Key {
            scope: format!("{} {}", scope_of(&actor), origin.route),
            key: key.clone(),
            body_hash: origin.body_hash,
            forgotten: true,
        });
        Self {
            name,
            actor,
            id: Uuid::now_v7(),
            correlation: origin.request,
            causation: None,
            reason: None,
            trace: origin.trace.clone(),
            key,
        }
    }

    /// The context of a policy's command for an event: executed once per event, without expiry.
    pub fn for_policy(name: &'static str, policy: &'static str, event: &StoredEvent) -> Self {
        Self {
            correlation: event.metadata.correlation_id,
            causation: Some(event.event_id),
            trace: event.metadata.trace.clone(),
            ..Self::once(name, policy, event.event_id.to_string())
        }
    }

    /// The context of a policy's command without an event (a deadline): executed once per `key`, without expiry.
    pub fn once(name: &'static str, policy: &'static str, key: String) -> Self {
        Self {
            key: Some(Key {
                scope: format!("policy {policy} {name}"),
                key,
                body_hash: [0; 32],
                forgotten: false,
            }),
            ..Self::for_actor(
                name,
                Actor::Policy {
                    name: policy.to_owned(),
                },
            )
        }
    }

    /// The context of a command without a request: by the program itself (seeding), or reported by an external service.
    pub fn for_actor(name: &'static str, actor: Actor) -> Self {
        Self {
            name,
            actor,
            id: Uuid::now_v7(),
            correlation: Uuid::now_v7(),
            causation: None,
            reason: None,
            trace: None,
            key: None,
        }
    }

    /// Sets the reason given by the actor.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Sets the causing event; the command shares its correlation.
    #[must_use]
    pub fn caused_by(mut self, event: &StoredEvent) -> Self {
        self.correlation = event.metadata.correlation_id;
        self.causation = Some(event.event_id);
        self.trace.clone_from(&event.metadata.trace);
        self
    }

    /// The actor.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    fn metadata(&self, now: OffsetDateTime) -> AppResult<Metadata> {
        Ok(Metadata {
            command_id: Some(self.id),
            correlation_id: self.correlation,
            causation_id: self.causation,
            actor: serde_json::to_value(&self.actor)?,
            reason: self.reason.clone(),
            command: Some(self.name.to_owned()),
            trace: self.trace.clone(),
            occurred_at: now,
        })
    }
}

fn scope_of(actor: &Actor) -> String {
    match actor {
        Actor::Member { id } => format!("member {id}"),
        Actor::Operator { id } => format!("operator {id}"),
        Actor::Guest => "guest".to_owned(),
        Actor::Policy { name } => format!("policy {name}"),
        Actor::Service { name } => format!("service {name}"),
        Actor::System => "system".to_owned(),
    }
}

/// The result of a decision: what to append.
#[derive(Clone, Debug, Default)]
pub struct AppendBatch {
    streams: Vec<StreamAppend>,
    conditions: Vec<(StreamId, u64)>,
    reservations: Vec<ReservationChange>,
    result: Value,
}

impl AppendBatch {
    /// Events for these streams; streams without events are left out.
    pub fn of(streams: impl IntoIterator<Item = StreamAppend>) -> Self {
        let mut batch = Self::default();
        streams.into_iter().for_each(|stream| batch.append(stream));
        batch
    }

    /// Adds events.
    pub fn append(&mut self, stream: StreamAppend) {
        if !stream.events.is_empty() {
            self.streams.push(stream);
        }
    }

    /// The writes of a unit of work; the streams it only read must keep their versions, unless they are `locked`.
    fn of_work(work: &UnitOfWork, result: impl Serialize, locked: bool) -> AppResult<Self> {
        let mut batch = Self::default().with_result(result)?;
        for (stream, version, events) in work.writes()? {
            batch.streams.push(StreamAppend {
                stream: stream.into(),
                expected: Expected::Exact(version),
                events: events.into_iter().map(NewEvent::from).collect(),
            });
        }
        batch.reservations = work.names().iter().map(ReservationChange::from).collect();
        let writes = !batch.streams.is_empty() || !batch.reservations.is_empty();
        if writes && !locked {
            let reads = work.reads()?.into_iter();
            batch.conditions = reads
                .map(|(stream, version)| (stream.into(), version))
                .collect();
        }
        Ok(batch)
    }

    /// Requires a stream that is not written to have this version.
    #[must_use]
    pub fn require(mut self, stream: StreamId, version: u64) -> Self {
        self.conditions.push((stream, version));
        self
    }

    /// Reserves a name; the command is rejected if another owner has it.
    #[must_use]
    pub fn reserve(mut self, scope: &str, key_hash: [u8; 32], owner: impl ToString) -> Self {
        let owner = owner.to_string();
        self.reservations.push(ReservationChange::Take {
            scope: scope.to_owned(),
            key_hash,
            owner,
        });
        self
    }

    /// Releases a name.
    #[must_use]
    pub fn release(mut self, scope: &str, key_hash: [u8; 32], owner: impl ToString) -> Self {
        let owner = owner.to_string();
        self.reservations.push(ReservationChange::Release {
            scope: scope.to_owned(),
            key_hash,
            owner,
        });
        self
    }

    /// Sets the stored result from which responses are built: ids, no personal data. A repeated command gets the same.
    ///
    /// # Errors
    /// The result cannot be serialised as JSON.
    pub fn with_result(mut self, result: impl Serialize) -> AppResult<Self> {
        self.result = serde_json::to_value(result)?;
        Ok(self)
    }
}

/// Decides a command on a loaded aggregate; the events are to be appended at its version.
///
/// # Errors
/// The rule violated.
pub fn decide<A>(
    id: impl Display,
    loaded: &Versioned<A>,
    input: A::Input,
    context: &Context,
) -> AppResult<StreamAppend>
where
    A: Decider,
    AppError: From<A::Error>,
{
    let events = loaded.state.decide(input, context)?;
    Ok(StreamAppend::new::<A>(
        id,
        Expected::Exact(loaded.version),
        &events,
    )?)
}

/// Outcome of a command.
#[derive(Clone, Debug)]
pub struct CommandOutcome {
    /// Position of its last event; `None` if nothing was appended.
    pub position: Option<i64>,
    /// Whether an earlier execution's result is returned.
    pub replayed: bool,
    result: Value,
}

impl CommandOutcome {
    fn of(position: i64, result: Value, replayed: bool) -> Self {
        Self {
            position: (position > 0).then_some(position),
            replayed,
            result,
        }
    }

    fn again(stored: StoredCommand) -> Self {
        Self::of(stored.last_position, stored.result, true)
    }

    /// Deserialises the value of [`AppendBatch::with_result`].
    ///
    /// # Errors
    /// The stored value has another type.
    pub fn result<T: DeserializeOwned>(&self) -> AppResult<T> {
        Ok(serde_json::from_value(self.result.clone())?)
    }
}

/// A decision of a unit of work that gets the output of its step, and returns the stored result.
type Decision<'a, Output> =
    Box<dyn Fn(&mut UnitOfWork, Option<&Output>) -> AppResult<Value> + Send + Sync + 'a>;

/// When a decision is made under locks.
enum Locking {
    /// Where it writes a contended stream.
    WhereContended,
    /// Always, with exclusive locks on these streams too.
    Always(Vec<StreamId>),
}

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
    /// The rule violated; as [`CommandExecutor::transact`].
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
        let id = &id.to_string();
        self.transact(command, |context| {
            let input = input.clone();
            async move {
                let loaded = self.store.load::<A>(id).await?;
                Ok(AppendBatch::of([decide(id, &loaded, input, &context)?]))
            }
        })
        .await
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
        self.commits(command, (&(), Locking::WhereContended), decide)
            .boxed()
    }

    /// As [`CommandExecutor::commit`], under locks on all streams of the decision and on `also`, with a `step` that reads and writes
    /// state tables in the transaction of the append: both are committed, or neither. The step runs before the decision that
    /// counts, which gets its output; while streams are still being loaded there is none. Skipped for a command that was executed
    /// before.
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
        self.commits(command, (step, Locking::Always(also)), decide)
            .boxed()
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

    async fn commits<Step: TransactionStep<AppError>>(
        &self,
        command: &CommandContext,
        (step, locking): (&Step, Locking),
        decide: Decision<'_, Step::Output>,
    ) -> AppResult<CommandOutcome> {
        let context = |now| Context {
            now,
            actor: command.actor.clone(),
        };
        let mut work = UnitOfWork::new(context(self.clock.now()));
        let mut attempt = 1;
        loop {
            let now = self.clock.now();
            let key = self.key(command, now)?;
            if let Some(done) = self.done_before(key.as_ref()).await? {
                return Ok(done);
            }
            work.unload(context(now));
            let decided = self.plan(&mut work, &locking, &decide).await?;
            let written = match decided {
                Some(Err(refusal)) => return self.unless_done(key.as_ref(), refusal).await,
                Some(Ok(result)) => {
                    let batch = AppendBatch::of_work(&work, &result, false)?;
                    let payments = metrics::payment_outcomes(&batch.streams);
                    let append = append(command, batch, key.clone(), now)?;
                    let appended = self.store.append(append).await;
                    count(command, appended.as_ref().err(), payments);
                    appended.map(|appended| (appended, result))
                }
                None => {
                    work.unload(context(now));
                    let locked = (&mut work, key.clone(), now);
                    match self
                        .commit_locked(command, locked, (step, &locking), &decide)
                        .await
                    {
                        Ok(Some(written)) => Ok(written),
                        Ok(None) => continue,
                        Err(LockedError::Append(error)) => Err(error),
                        Err(LockedError::Refused(refusal)) => return Err(refusal),
                    }
                }
            };
            match written {
                Ok((appended, result)) => {
                    return Ok(CommandOutcome::of(appended.last_position, result, false));
                }
                Err(AppendError::CommandRepeated(stored)) => {
                    return Ok(CommandOutcome::again(stored));
                }
                Err(AppendError::Conflict { .. }) if attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(attempt)).await;
                }
                Err(error) => return self.unless_done(key.as_ref(), error.into()).await,
            }
            attempt += 1;
        }
    }

    /// Finds the streams of a decision and makes it on them; none where it has to be made under locks.
    async fn plan<O>(
        &self,
        work: &mut UnitOfWork,
        locking: &Locking,
        decide: &Decision<'_, O>,
    ) -> AppResult<Option<AppResult<Value>>> {
        loop {
            work.rewind();
            let decided = decide(work, None);
            if work.is_hot() {
                return Ok(None);
            }
            if work.is_loaded() {
                return Ok(match locking {
                    Locking::WhereContended => Some(decided),
                    Locking::Always(_) => None,
                });
            }
            self.store.load_plan(work).await?;
        }
    }

    /// Makes a decision under locks on its plan and writes it; none if it used a stream that was not in the plan, which is now.
    async fn commit_locked<Step: TransactionStep<AppError>>(
        &self,
        command: &CommandContext,
        (work, key, now): (&mut UnitOfWork, Option<CommandKey>, OffsetDateTime),
        (step, locking): (&Step, &Locking),
        decide: &Decision<'_, Step::Output>,
    ) -> Result<Option<(Appended, Value)>, LockedError<AppError>> {
        let mut locks = LockSet::default();
        if let Locking::Always(also) = locking {
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
                let decided = decide(work, Some(&found));
                if work.is_loaded() && locked.covers(work) {
                    result = decided?;
                    let batch = AppendBatch::of_work(work, &result, true)?;
                    payments = metrics::payment_outcomes(&batch.streams);
                    return append(command, batch, None, now);
                }
            }
        };
        let appended = self
            .store
            .append_locked_with_step(key, &locks, step, decided)
            .await;
        match appended {
            Ok(appended) => {
                count(command, None, payments);
                Ok(Some((appended, result)))
            }
            Err(LockedError::Refused(_)) if uncovered => Ok(None),
            Err(LockedError::Append(error)) => {
                count(command, Some(&error), payments);
                Err(LockedError::Append(error))
            }
            Err(refused) => Err(refused),
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
        self.tries(command, decide).boxed()
    }

    async fn tries<F, Fut>(&self, command: &CommandContext, decide: F) -> AppResult<CommandOutcome>
    where
        F: Fn(Context) -> Fut,
        Fut: Future<Output = AppResult<AppendBatch>>,
    {
        let mut attempt = 1;
        loop {
            let now = self.clock.now();
            let key = self.key(command, now)?;
            if let Some(done) = self.done_before(key.as_ref()).await? {
                return Ok(done);
            }
            let batch = match decide(Context {
                now,
                actor: command.actor.clone(),
            })
            .await
            {
                Ok(batch) => batch,
                Err(refusal) => return self.unless_done(key.as_ref(), refusal).await,
            };
            let result = batch.result.clone();
            let payments = metrics::payment_outcomes(&batch.streams);
            let appended = self
                .store
                .append(append(command, batch, key.clone(), now)?)
                .await;
            count(command, appended.as_ref().err(), payments);
            match appended {
                Ok(appended) => {
                    return Ok(CommandOutcome::of(appended.last_position, result, false));
                }
                Err(AppendError::CommandRepeated(stored)) => {
                    return Ok(CommandOutcome::again(stored));
                }
                Err(AppendError::Conflict { .. }) if attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(attempt)).await
                }
                Err(error) => return self.unless_done(key.as_ref(), error.into()).await,
            }
            attempt += 1;
        }
    }

    /// The stored outcome of a command that was executed before: check here before calling an external service.
    ///
    /// # Errors
    /// `idempotency_key_reused`; database errors.
    pub async fn stored_outcome(
        &self,
        command: &CommandContext,
    ) -> AppResult<Option<CommandOutcome>> {
        self.done_before(self.key(command, self.clock.now())?.as_ref())
            .await
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
        self.unless_done(self.key(command, self.clock.now())?.as_ref(), refusal)
            .await
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

    /// The body's hash is keyed, because bodies contain passwords and addresses and the hash is stored for days.
    fn key(&self, command: &CommandContext, now: OffsetDateTime) -> AppResult<Option<CommandKey>> {
        let Some(key) = &command.key else {
            return Ok(None);
        };
        if command.actor == Actor::Guest && key.key.len() < GUEST_KEY_LEAST {
            let message = "Idempotency-Key는 16자 이상이어야 합니다.";
            return Err(AppError::invalid_field(
                "Idempotency-Key",
                "idempotency_key",
                message,
            ));
        }
        Ok(Some(CommandKey {
            scope: key.scope.clone(),
            key: key.key.clone(),
            body_hash: self
                .keys
                .lookup_hash("command-body", &hex::encode(key.body_hash)),
            expires_at: key.forgotten.then(|| now + KEY_LIFE),
        }))
    }
}

fn append(
    command: &CommandContext,
    batch: AppendBatch,
    key: Option<CommandKey>,
    now: OffsetDateTime,
) -> AppResult<Append> {
    Ok(Append {
        streams: batch.streams,
        conditions: batch.conditions,
        command: key,
        command_result: (!batch.result.is_null()).then_some(batch.result),
        reservations: batch.reservations,
        metadata: command.metadata(now)?,
    })
}

/// Counts an attempted append in the metrics, and the payments in it if it was committed.
fn count(command: &CommandContext, error: Option<&AppendError>, payments: Vec<String>) {
    let outcome = match error {
        None => AppendOutcome::Appended,
        Some(AppendError::Conflict { .. }) => AppendOutcome::Conflict,
        Some(AppendError::CommandRepeated(_)) => AppendOutcome::Repeated,
        Some(_) => AppendOutcome::Failed,
    };
    metrics::tried_to_append(command.name, outcome);
    if error.is_none() {
        metrics::payments(payments);
    }
}

/// Back-off that grows with every attempt and differs between colliding writers.
fn pause(attempt: u32) -> Duration {
    let most = 4_u64.saturating_mul(1 << attempt.min(6));
    Duration::from_millis(rand::random_range(1..=most))
}
