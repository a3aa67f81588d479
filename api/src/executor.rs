//! From a request to the books: decide, append at once, answer the position.
//!
//! [`Commander::act`] asks one ledger one thing; [`Commander::run`] decides over streams it loads inside the closure;
//! [`Commander::run_locked`] is for hot streams (stock, limited campaigns). All try again when somebody else was faster, do a command with an `Idempotency-Key`
//! once, and answer [`Done`]: whoever builds the answer builds it from `done.result`, so that a repeat gets the same.

use std::fmt::Display;
use std::time::Duration;

use axum::http::StatusCode;
use domain::payment::PaymentError;
use domain::{Actor, Context, Decider};
use event_store::{
    Append, AppendError, CommandKey, Expected, KeyRing, LockSet, LockedError, LockedStreams,
    Metadata, ReservationChange, Store, StoredCommand, StoredEvent, StreamAppend, StreamId,
    TransactionStep, Versioned,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::PgConnection;
use std::sync::Arc;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::clock::Clock;
use crate::http::consistency::ApiResponse;
use crate::http::{ApiError, ApiResult, Code, RequestMeta};
use crate::metrics::{self, AppendOutcome};
use crate::plugins::pay::TRANSACTION;
use crate::users::documents::{DOCUMENT, not_claimable};
use crate::users::{NICKNAME, USERNAME};

/// How long a client's key is remembered.
const KEY_LIFE: time::Duration = time::Duration::days(7);
/// Tries before a conflict is the caller's.
const ATTEMPTS: u32 = 10;
/// A guest's key stands for itself, so it has to be long enough not to be guessed.
const GUEST_KEY_LEAST: usize = 16;

/// Something that was asked for, by somebody, for a reason.
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
    /// What a request asks for; `name` is the command's, e.g. `place-order`.
    pub fn new(name: &'static str, actor: Actor, origin: &RequestMeta) -> Self {
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

    /// What a policy does about an event: once per event, for ever.
    pub fn for_policy(name: &'static str, policy: &'static str, event: &StoredEvent) -> Self {
        Self {
            correlation: event.metadata.correlation_id,
            causation: Some(event.event_id),
            trace: event.metadata.trace.clone(),
            ..Self::once(name, policy, event.event_id.to_string())
        }
    }

    /// What a policy does on its own, once per `key`, for ever: a deadline that has come.
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

    /// What the program does on its own account (seeding), or an outside service reports.
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

    /// Why, in the words of whoever asks.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Because of that event; the two belong to one story.
    #[must_use]
    pub fn caused_by(mut self, event: &StoredEvent) -> Self {
        self.correlation = event.metadata.correlation_id;
        self.causation = Some(event.event_id);
        self.trace.clone_from(&event.metadata.trace);
        self
    }

    /// Who asks.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    fn metadata(&self, now: OffsetDateTime) -> ApiResult<Metadata> {
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

/// What was decided.
#[derive(Clone, Debug, Default)]
pub struct AppendBatch {
    streams: Vec<StreamAppend>,
    conditions: Vec<(StreamId, u64)>,
    reservations: Vec<ReservationChange>,
    result: Value,
}

impl AppendBatch {
    /// Events for these streams; one without events is left alone.
    pub fn of(streams: impl IntoIterator<Item = StreamAppend>) -> Self {
        let mut change = Self::default();
        streams.into_iter().for_each(|stream| change.append(stream));
        change
    }

    /// More events.
    pub fn append(&mut self, stream: StreamAppend) {
        if !stream.events.is_empty() {
            self.streams.push(stream);
        }
    }

    /// A stream that is not written but may not move meanwhile.
    #[must_use]
    pub fn require(mut self, stream: StreamId, version: u64) -> Self {
        self.conditions.push((stream, version));
        self
    }

    /// Takes a name; taken by somebody else, the command is refused.
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

    /// Gives a name back.
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

    /// What the answer is built from: ids, no personal data. A repeat of the command gets the same.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn with_result(mut self, result: impl Serialize) -> ApiResult<Self> {
        self.result = serde_json::to_value(result)?;
        Ok(self)
    }
}

/// What a ledger answers to one thing asked of it, to be appended where it was decided.
///
/// # Errors
/// The rule that refused.
pub fn decide<A>(
    id: impl Display,
    loaded: &Versioned<A>,
    act: A::Input,
    context: &Context,
) -> ApiResult<StreamAppend>
where
    A: Decider,
    ApiError: From<A::Error>,
{
    let events = loaded.state.decide(act, context)?;
    Ok(StreamAppend::new::<A>(
        id,
        Expected::Exact(loaded.version),
        &events,
    )?)
}

/// A command that is done.
#[derive(Clone, Debug)]
pub struct CommandOutcome {
    /// Position of its last event; `None` if nothing had to happen.
    pub position: Option<i64>,
    /// It was done before: the result is that one's.
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

    /// What [`Change::answering`] said.
    ///
    /// # Errors
    /// When it is of another shape.
    pub fn result<T: DeserializeOwned>(&self) -> ApiResult<T> {
        Ok(serde_json::from_value(self.result.clone())?)
    }

    /// 200 with this body and the position.
    pub fn answer<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::OK, body, self)
    }

    /// 202 with this body and the position.
    pub fn accepted<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::ACCEPTED, body, self)
    }

    /// 201 with this body and the position.
    pub fn created<T: Serialize>(&self, body: T) -> ApiResponse<T> {
        ApiResponse::done(StatusCode::CREATED, body, self)
    }
}

/// Runs commands.
#[derive(Clone)]
pub struct CommandExecutor {
    store: Store,
    keys: KeyRing,
    clock: Arc<dyn Clock>,
}

impl CommandExecutor {
    /// Over a log and the shop's clock.
    pub fn new(store: Store, keys: KeyRing, clock: Arc<dyn Clock>) -> Self {
        Self { store, keys, clock }
    }

    /// Asks one thing of one ledger and appends what it answers; what is so already changes nothing.
    ///
    /// # Errors
    /// The rule that refused; as [`Commander::run`].
    pub async fn execute<A>(
        &self,
        command: &CommandContext,
        id: impl Display,
        act: A::Input,
    ) -> ApiResult<CommandOutcome>
    where
        A: Decider,
        A::Input: Clone + Send + Sync,
        ApiError: From<A::Error>,
    {
        let id = &id.to_string();
        self.transact(command, |context| {
            let act = act.clone();
            async move {
                let loaded = self.store.load::<A>(id).await?;
                Ok(AppendBatch::of([decide(id, &loaded, act, &context)?]))
            }
        })
        .await
    }

    /// Asks `decide` (which loads what it needs) and appends what it answers, again if somebody else was faster. Boxed: every call
    /// of the API awaits this, and the compiler would look through all of it for each type the router wraps around a call.
    ///
    /// # Errors
    /// What `decide` refused with; `conflict` after many tries; `idempotency_key_reused`; names that are taken.
    pub fn transact<'a, F, Fut>(
        &'a self,
        command: &'a CommandContext,
        decide: F,
    ) -> BoxFuture<'a, ApiResult<CommandOutcome>>
    where
        F: Fn(Context) -> Fut + Send + Sync + 'a,
        Fut: Future<Output = ApiResult<AppendBatch>> + Send + 'a,
    {
        self.tries(command, decide).boxed()
    }

    async fn tries<F, Fut>(&self, command: &CommandContext, decide: F) -> ApiResult<CommandOutcome>
    where
        F: Fn(Context) -> Fut,
        Fut: Future<Output = ApiResult<AppendBatch>>,
    {
        let mut attempt = 1;
        loop {
            let now = self.clock.now();
            let key = self.key(command, now)?;
            if let Some(done) = self.done_before(key.as_ref()).await? {
                return Ok(done);
            }
            let change = match decide(Context {
                now,
                actor: command.actor.clone(),
            })
            .await
            {
                Ok(change) => change,
                Err(refusal) => return self.unless_done(key.as_ref(), refusal).await,
            };
            let result = change.result.clone();
            let payments = metrics::payment_outcomes(&change.streams);
            let appended = self
                .store
                .append(append(command, change, key.clone(), now)?)
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

    /// The same under locks: `decide` sees the streams held as they are and will stay until its answer is written.
    ///
    /// # Errors
    /// As [`Commander::run`].
    pub async fn transact_locked<F>(
        &self,
        command: &CommandContext,
        hold: &LockSet,
        decide: F,
    ) -> ApiResult<CommandOutcome>
    where
        F: Fn(&LockedStreams, Context) -> ApiResult<AppendBatch>,
    {
        let decide = |locked: &LockedStreams, (): (), context| decide(locked, context);
        self.transact_locked_with_step(command, hold, &(), decide)
            .await
    }

    /// The same with a `look` at anything else once the locks are held: at read models, say, that cannot miss then what others
    /// wrote under the same locks. It holds one connection and uses another: see [`hold`](crate::app::App::hold).
    ///
    /// # Errors
    /// As [`Commander::run`]; what `look` refused with.
    pub async fn transact_locked_with_read<T, Look, Looking, F>(
        &self,
        command: &CommandContext,
        hold: &LockSet,
        look: Look,
        decide: F,
    ) -> ApiResult<CommandOutcome>
    where
        T: Send,
        Look: Fn() -> Looking + Sync,
        Looking: Future<Output = ApiResult<T>> + Send,
        F: Fn(&LockedStreams, T, Context) -> ApiResult<AppendBatch>,
    {
        self.transact_locked_with_step(command, hold, &OtherReads(look), decide)
            .await
    }

    /// The same with a `step` that reads and writes working state in the transaction of the append, before `decide`: both are
    /// written, or neither. A repeat of a command that was done is answered before it.
    ///
    /// # Errors
    /// As [`Commander::run`]; what `step` refused with.
    pub async fn transact_locked_with_step<Step, F>(
        &self,
        command: &CommandContext,
        hold: &LockSet,
        step: &Step,
        decide: F,
    ) -> ApiResult<CommandOutcome>
    where
        Step: TransactionStep<ApiError>,
        F: Fn(&LockedStreams, Step::Output, Context) -> ApiResult<AppendBatch>,
    {
        let mut attempt = 1;
        loop {
            let now = self.clock.now();
            let key = self.key(command, now)?;
            let mut result = Value::Null;
            let mut payments = Vec::new();
            let decide = |locked: &LockedStreams, found: Step::Output| {
                let change = decide(
                    locked,
                    found,
                    Context {
                        now,
                        actor: command.actor.clone(),
                    },
                )?;
                result = change.result.clone();
                payments = metrics::payment_outcomes(&change.streams);
                append(command, change, None, now)
            };
            let appended = self
                .store
                .append_locked_with_step(key, hold, step, decide)
                .await;
            match &appended {
                Ok(_) => count(command, None, payments),
                Err(LockedError::Append(error)) => count(command, Some(error), payments),
                Err(LockedError::Refused(_)) => {}
            }
            match appended {
                Ok(appended) => {
                    return Ok(CommandOutcome::of(appended.last_position, result, false));
                }
                Err(LockedError::Refused(refusal)) => return Err(refusal),
                Err(LockedError::Append(AppendError::CommandRepeated(stored))) => {
                    return Ok(CommandOutcome::again(stored));
                }
                Err(LockedError::Append(AppendError::Conflict { .. })) if attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(attempt)).await;
                }
                Err(LockedError::Append(error)) => return Err(error.into()),
            }
            attempt += 1;
        }
    }

    /// Whether the command was done before: look here before calling a service outside.
    ///
    /// # Errors
    /// `idempotency_key_reused`; the database's.
    pub async fn stored_outcome(
        &self,
        command: &CommandContext,
    ) -> ApiResult<Option<CommandOutcome>> {
        self.done_before(self.key(command, self.clock.now())?.as_ref())
            .await
    }

    /// What the same command did in the meantime, where it was refused because of what it did itself; else the refusal.
    ///
    /// # Errors
    /// The refusal; as [`Commander::done_already`].
    pub async fn stored_outcome_or(
        &self,
        command: &CommandContext,
        refusal: ApiError,
    ) -> ApiResult<CommandOutcome> {
        self.unless_done(self.key(command, self.clock.now())?.as_ref(), refusal)
            .await
    }

    async fn done_before(&self, key: Option<&CommandKey>) -> ApiResult<Option<CommandOutcome>> {
        match key {
            Some(key) => Ok(self.store.command(key).await?.map(CommandOutcome::again)),
            None => Ok(None),
        }
    }

    /// A refusal stands unless it refuses what the same command did a moment ago ("already cancelled").
    async fn unless_done(
        &self,
        key: Option<&CommandKey>,
        refusal: ApiError,
    ) -> ApiResult<CommandOutcome> {
        self.done_before(key).await?.ok_or(refusal)
    }

    /// The body's hash is keyed, because bodies hold passwords and addresses and the hash is kept for days.
    fn key(&self, command: &CommandContext, now: OffsetDateTime) -> ApiResult<Option<CommandKey>> {
        let Some(key) = &command.key else {
            return Ok(None);
        };
        if command.actor == Actor::Guest && key.key.len() < GUEST_KEY_LEAST {
            let message = "Idempotency-Key는 16자 이상이어야 합니다.";
            return Err(ApiError::invalid_field(
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

/// Reads over other connections while the locks are held.
struct OtherReads<Look>(Look);

impl<T, Look, Looking> TransactionStep<ApiError> for OtherReads<Look>
where
    T: Send,
    Look: Fn() -> Looking + Sync,
    Looking: Future<Output = ApiResult<T>> + Send,
{
    type Output = T;

    async fn run(&self, _connection: &mut PgConnection) -> ApiResult<T> {
        (self.0)().await
    }
}

fn append(
    command: &CommandContext,
    change: AppendBatch,
    key: Option<CommandKey>,
    now: OffsetDateTime,
) -> ApiResult<Append> {
    Ok(Append {
        streams: change.streams,
        conditions: change.conditions,
        command: key,
        command_result: (!change.result.is_null()).then_some(change.result),
        reservations: change.reservations,
        metadata: command.metadata(now)?,
    })
}

/// Counts an append that was tried, and the payments in it if they are in the log now.
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

/// Longer after every try, and never the same for two who collided.
fn pause(attempt: u32) -> Duration {
    let most = 4_u64.saturating_mul(1 << attempt.min(6));
    Duration::from_millis(rand::random_range(1..=most))
}

impl From<AppendError> for ApiError {
    #[track_caller]
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Conflict { .. } => Self::new(Code::VersionConflict).caused_by(error),
            AppendError::ReservationTaken { scope } => match scope.as_str() {
                USERNAME => Self::new(Code::UsernameTaken),
                NICKNAME => Self::new(Code::NicknameTaken),
                DOCUMENT => not_claimable(),
                TRANSACTION => PaymentError::OtherTransaction.into(),
                _ => Self::code_taken(),
            },
            AppendError::CommandBodyDiffers => Self::new(Code::IdempotencyKeyReused),
            AppendError::Unavailable(_) => Self::unavailable(error),
            AppendError::Store(error) => error.into(),
            AppendError::CommandRepeated(_) => Self::internal(error),
        }
    }
}
