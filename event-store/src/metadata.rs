//! Event metadata: actor, reason, correlation and causation; stored as a map of strings, the format of postgres-es.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

/// Metadata of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// The command that decided the events.
    pub command_id: Option<Uuid>,
    /// Shared by all events and commands that result from one request.
    pub correlation_id: Uuid,
    /// The event (or command) that caused this.
    pub causation_id: Option<Uuid>,
    /// The actor: `domain::Actor` as JSON.
    pub actor: Value,
    /// The reason given by the actor.
    pub reason: Option<String>,
    /// The command's name, e.g. `place-order`.
    pub command: Option<String>,
    /// Id of the request's trace.
    pub trace: Option<String>,
    /// The injected clock; days, periods and deadlines are computed from it.
    pub occurred_at: OffsetDateTime,
}

impl Metadata {
    /// Metadata with actor and time only, and a new correlation id.
    pub fn new(actor: Value, occurred_at: OffsetDateTime) -> Self {
        Self {
            command_id: None,
            correlation_id: Uuid::now_v7(),
            causation_id: None,
            actor,
            reason: None,
            command: None,
            trace: None,
            occurred_at,
        }
    }

    pub(crate) fn to_map(&self) -> HashMap<String, String> {
        let mut map = HashMap::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                map.insert(name.to_owned(), value);
            }
        };
        put("commandId", self.command_id.map(|id| id.to_string()));
        put("correlationId", Some(self.correlation_id.to_string()));
        put("causationId", self.causation_id.map(|id| id.to_string()));
        put(
            "actor",
            (!self.actor.is_null()).then(|| self.actor.to_string()),
        );
        put("reason", self.reason.clone());
        put("command", self.command.clone());
        put("trace", self.trace.clone());
        put("occurredAt", self.occurred_at.format(&Rfc3339).ok());
        map
    }

    /// Reads a map; missing values (events written by plain postgres-es) become nil, null or `otherwise`.
    pub(crate) fn from_map(map: &HashMap<String, String>, otherwise: OffsetDateTime) -> Self {
        let said = |name: &str| map.get(name).map(|text| Text(text.into()));
        let stored = StoredMetadata {
            command_id: said("commandId"),
            correlation_id: said("correlationId"),
            causation_id: said("causationId"),
            actor: said("actor"),
            reason: said("reason"),
            command: said("command"),
            trace: said("trace"),
            occurred_at: said("occurredAt"),
        };
        stored.or(otherwise)
    }

    /// Reads the text of a map.
    ///
    /// # Errors
    /// The text is not a map of strings.
    pub(crate) fn read(map: &str, otherwise: OffsetDateTime) -> Result<Self, serde_json::Error> {
        let stored: StoredMetadata<'_> = serde_json::from_str(map)?;
        Ok(stored.or(otherwise))
    }
}

/// Text that borrows from the input where possible.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    fn id(&self) -> Option<Uuid> {
        Uuid::parse_str(&self.0).ok()
    }
}

/// Stored form of the map.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredMetadata<'a> {
    #[serde(borrow)]
    command_id: Option<Text<'a>>,
    #[serde(borrow)]
    correlation_id: Option<Text<'a>>,
    #[serde(borrow)]
    causation_id: Option<Text<'a>>,
    #[serde(borrow)]
    actor: Option<Text<'a>>,
    #[serde(borrow)]
    reason: Option<Text<'a>>,
    #[serde(borrow)]
    command: Option<Text<'a>>,
    #[serde(borrow)]
    trace: Option<Text<'a>>,
    #[serde(borrow)]
    occurred_at: Option<Text<'a>>,
}

impl StoredMetadata<'_> {
    fn or(self, otherwise: OffsetDateTime) -> Metadata {
        let id = |text: Option<Text<'_>>| text.and_then(|text| text.id());
        let own = |text: Option<Text<'_>>| text.map(|text| text.0.into_owned());
        Metadata {
            command_id: id(self.command_id),
            correlation_id: id(self.correlation_id).unwrap_or_default(),
            causation_id: id(self.causation_id),
            actor: self.actor.map_or(Value::Null, |Text(text)| {
                serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.into_owned()))
            }),
            reason: own(self.reason),
            command: own(self.command),
            trace: own(self.trace),
            occurred_at: self
                .occurred_at
                .and_then(|Text(text)| OffsetDateTime::parse(&text, &Rfc3339).ok())
                .unwrap_or(otherwise),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn comes_back_as_it_was() {
        let metadata = Metadata {
            command_id: Some(Uuid::now_v7()),
            correlation_id: Uuid::now_v7(),
            causation_id: Some(Uuid::now_v7()),
            actor: json!({"kind": "policy", "name": "unpaid-deadline"}),
            reason: Some("단순 변심".to_owned()),
            command: Some("cancel-order".to_owned()),
            trace: Some("4bf92f3577b34da6".to_owned()),
            occurred_at: OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap(),
        };
        let map = metadata.to_map();
        let back = Metadata::from_map(&map, OffsetDateTime::UNIX_EPOCH);
        assert_eq!(back, metadata);
        let text = serde_json::to_string(&map).unwrap();
        let read = Metadata::read(&text, OffsetDateTime::UNIX_EPOCH).unwrap();
        assert_eq!(read, metadata);
    }

    #[test]
    fn an_empty_map_is_readable() {
        let back = Metadata::from_map(&HashMap::new(), OffsetDateTime::UNIX_EPOCH);
        assert_eq!(back.actor, Value::Null);
        assert_eq!(back.occurred_at, OffsetDateTime::UNIX_EPOCH);
    }
}
