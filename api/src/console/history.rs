//! Events of an entity, as all histories of the console return them.

use application::members::profiles::ShownMember;
use application::resources::load::moment;
use std::collections::BTreeMap;

use domain::member::MemberType;
use domain::record::{Change, Document};
use event_store::StoredEvent;
use projections::order_timeline::{self, StreamRef};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::actor_names;
use crate::app::AppState;
use crate::command_titles::command_title;
use crate::http::{AppError, AppResult};

/// The history of an entity, oldest event first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryAnswer {
    /// The events.
    events: Vec<HistoryEvent>,
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEvent {
    /// Position in the log.
    position: i64,
    /// Id of the event; events that it caused refer to it in `causationId`.
    event_id: Uuid,
    /// Time of the event, by the shop's clock.
    #[schema(format = DateTime)]
    at: String,
    /// Time at which the database stored it.
    #[schema(format = DateTime)]
    recorded_at: String,
    /// Its stream.
    stream: StreamRef,
    /// Version of the stream after it.
    version: i64,
    /// Type of the event, stable.
    #[serde(rename = "type")]
    event_type: String,
    /// Korean title of the event.
    title: String,
    /// The actor.
    pub(super) actor: HistoryActor,
    /// The reason.
    reason: Option<String>,
    /// Name of the command that decided it.
    command: Option<String>,
    /// Korean title of the command.
    command_title: Option<String>,
    /// Id of that command.
    command_id: Option<Uuid>,
    /// Shared by all events caused by one request.
    correlation_id: Uuid,
    /// Id of the event that caused it.
    causation_id: Option<Uuid>,
    /// For aggregates: data of the event, personal data masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    /// For records: the fields it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<BTreeMap<String, Change>>,
    /// For records: the document after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    document: Option<Document>,
}

/// An actor.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HistoryActor {
    /// `member`, `seller` (a member who sells), `operator`, `guest`, `policy`, `service`, `system`.
    kind: String,
    /// Id of the member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// The member's nickname (left out once erased), the policy, or the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl HistoryActor {
    fn of(actor: &Value) -> Self {
        let text = |field: &str| actor.get(field).and_then(Value::as_str).map(str::to_owned);
        Self {
            kind: text("kind").unwrap_or_default(),
            id: text("id"),
            name: text("name"),
        }
    }

    /// Adds the public data of the member.
    pub(super) fn is(&mut self, member: &ShownMember) {
        self.name = Some(member.name.clone());
        if self.kind == "member" && member.member_type == MemberType::Company {
            "seller".clone_into(&mut self.kind);
        }
    }
}

impl HistoryEvent {
    /// A stored event with its title.
    ///
    /// # Errors
    /// Never for times of this age.
    pub fn of(recorded: &StoredEvent, title: &str) -> AppResult<Self> {
        let meta = &recorded.metadata;
        Ok(Self {
            position: recorded.position,
            event_id: recorded.event_id,
            at: moment(meta.occurred_at)?,
            recorded_at: moment(recorded.recorded_at)?,
            stream: StreamRef {
                kind: recorded.stream.kind.clone(),
                id: recorded.stream.id.clone(),
            },
            version: i64::try_from(recorded.version).map_err(AppError::internal)?,
            event_type: recorded.event_type.clone(),
            title: title.to_owned(),
            actor: HistoryActor::of(&meta.actor),
            reason: meta.reason.clone(),
            command: meta.command.clone(),
            command_title: meta.command.as_deref().map(command_title),
            command_id: meta.command_id,
            correlation_id: meta.correlation_id,
            causation_id: meta.causation_id,
            data: None,
            changes: None,
            document: None,
        })
    }

    /// An event of an order's history.
    ///
    /// # Errors
    /// Never for times of this age.
    pub fn of_order(told: order_timeline::HistoryEvent) -> AppResult<Self> {
        Ok(Self {
            position: told.position,
            event_id: told.event_id,
            at: moment(told.at)?,
            recorded_at: moment(told.recorded_at)?,
            stream: told.stream,
            version: told.version,
            event_type: told.event_type,
            title: told.title,
            actor: HistoryActor::of(&told.actor),
            reason: told.reason,
            command_title: told.command.as_deref().map(command_title),
            command: told.command,
            command_id: told.command_id,
            correlation_id: told.correlation_id,
            causation_id: told.causation_id,
            data: Some(told.data),
            changes: None,
            document: None,
        })
    }

    /// Adds the data of the event.
    #[must_use]
    pub fn saying(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Adds the changes of a record, and the record after it.
    #[must_use]
    pub fn changing(mut self, changes: BTreeMap<String, Change>, after: Document) -> Self {
        self.changes = Some(changes);
        self.document = Some(after);
        self
    }
}

/// The events with the names of their actors.
///
/// # Errors
/// Database errors.
pub(crate) async fn answer(app: &AppState, events: Vec<HistoryEvent>) -> AppResult<HistoryAnswer> {
    Ok(HistoryAnswer {
        events: named(app, events).await?,
    })
}

/// The same, for a response of another shape.
///
/// # Errors
/// Database errors.
pub(crate) async fn named(
    app: &AppState,
    mut events: Vec<HistoryEvent>,
) -> AppResult<Vec<HistoryEvent>> {
    actor_names::name_actors(app, &mut events).await?;
    Ok(events)
}
