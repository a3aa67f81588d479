//! The context of a command: actor, reason, and idempotency key.

use std::sync::Arc;

use domain::Actor;
use event_store::{CommandKey, KeyRing, Metadata, StoredEvent};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::{AppError, AppResult};

/// Lifetime of a client's idempotency key.
const KEY_LIFE: time::Duration = time::Duration::days(7);
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

    pub(super) const fn name(&self) -> &'static str {
        self.name
    }

    /// The actor.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The idempotency key as it is stored. The body's hash is keyed, because bodies contain passwords and addresses and the hash is
    /// stored for days.
    ///
    /// # Errors
    /// `invalid` for a guest's key that could be guessed.
    pub(super) fn stored_key(
        &self,
        keys: &KeyRing,
        now: OffsetDateTime,
    ) -> AppResult<Option<CommandKey>> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        if self.actor == Actor::Guest && key.key.len() < GUEST_KEY_LEAST {
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
            body_hash: keys.lookup_hash("command-body", &hex::encode(key.body_hash)),
            expires_at: key.forgotten.then(|| now + KEY_LIFE),
        }))
    }

    pub(super) fn metadata(&self, now: OffsetDateTime) -> AppResult<Metadata> {
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
