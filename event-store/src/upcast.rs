//! Upcasting: reads events of earlier versions as current ones.
//!
//! A stored event never changes. When its payload changes, its version is raised and an upcaster converts the old payload.
//! Upcasters run on every read, one after the other until none matches:
//!
//! ```
//! use event_store::{UpcastEvent, Upcasters};
//! use serde_json::json;
//!
//! let upcasters = Upcasters::new().with("PointsGranted", "1.0", |payload| {
//!     let amount = payload["PointsGranted"]["amount"].clone();
//!     vec![UpcastEvent::new("PointsGranted", "1.1", json!({"PointsGranted": {"amount": amount, "reason": "unknown"}}))]
//! });
//! # let _ = upcasters;
//! ```
//!
//! A newer program may write events that this one does not know. [`Upcasters::knowing`] detects them: reading one is an error
//! ([`StoreError::Newer`]); it is never skipped or guessed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::payload::Payload;
use crate::stored_event::StoredEvent;

/// Result of an upcaster: an event in a newer version.
#[derive(Clone, Debug, PartialEq)]
pub struct UpcastEvent {
    /// Its type, possibly a new one.
    pub event_type: String,
    /// Its newer version.
    pub event_version: String,
    /// Its payload.
    pub payload: Value,
}

impl UpcastEvent {
    /// An event of this type, version and payload.
    pub fn new(
        event_type: impl Into<String>,
        event_version: impl Into<String>,
        payload: Value,
    ) -> Self {
        Self {
            event_type: event_type.into(),
            event_version: event_version.into(),
            payload,
        }
    }
}

type Rule = Arc<dyn Fn(Value) -> Vec<UpcastEvent> + Send + Sync>;

/// Whether this build knows an event type and version in streams of a kind; `None` for an unknown kind.
pub type Knows = fn(kind: &str, event_type: &str, event_version: &str) -> Option<bool>;

/// All upcasters, by the event type and version they convert.
#[derive(Clone, Default)]
pub struct Upcasters {
    /// By type, then by version.
    rules: BTreeMap<String, BTreeMap<String, Rule>>,
    knows: Option<Knows>,
    /// Hash of the upcasters' source.
    text: Option<String>,
}

/// Limit on chained upcasters; more than any event has versions, so exceeding it means a cycle.
const LONGEST_CHAIN: u32 = 100;

impl Upcasters {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an upcaster for `event_type` in version `from_version`, which returns one event, several or none.
    #[must_use]
    pub fn with(
        mut self,
        event_type: impl Into<String>,
        from_version: impl Into<String>,
        rule: impl Fn(Value) -> Vec<UpcastEvent> + Send + Sync + 'static,
    ) -> Self {
        self.rules
            .entry(event_type.into())
            .or_default()
            .insert(from_version.into(), Arc::new(rule));
        self
    }

    /// Sets the known events, in their current versions: any other event of a known kind is [`StoreError::Newer`].
    #[must_use]
    pub fn knowing(mut self, knows: Knows) -> Self {
        self.knows = Some(knows);
        self
    }

    /// Sets the upcasters' source, `include_str!("upcasting.rs")`: snapshots computed with other upcasters are ignored.
    #[must_use]
    pub fn written_in(mut self, source: &str) -> Self {
        self.text = Some(hex::encode(Sha256::digest(source)));
        self
    }

    /// Fingerprint of `rules` combined with these upcasters.
    pub(crate) fn rules_named(&self, rules: &str) -> String {
        if self.rules.is_empty() && self.text.is_none() {
            return rules.to_owned();
        }
        let mut hash = Sha256::new();
        for (event_type, version) in self.keys() {
            hash.update(format!("{event_type} {version}\n"));
        }
        hash.update(self.text.as_deref().unwrap_or_default());
        let name: String = hex::encode(hash.finalize()).chars().take(16).collect();
        format!("{rules}-{name}")
    }

    /// The types and versions with an upcaster, in order.
    fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rules.iter().flat_map(|(event_type, versions)| {
            let versions = versions.keys();
            versions.map(move |version| (event_type.as_str(), version.as_str()))
        })
    }

    fn rule(&self, event_type: &str, version: &str) -> Option<&Rule> {
        self.rules.get(event_type)?.get(version)
    }

    /// Appends the upcast form of a stored event to `out`. Only outdated payloads are deserialised.
    ///
    /// # Errors
    /// [`StoreError::Newer`]; [`StoreError::UpcastCircle`]; [`StoreError::Decode`].
    pub(crate) fn read(
        &self,
        stored: StoredEvent,
        out: &mut Vec<StoredEvent>,
    ) -> Result<(), StoreError> {
        let (event_type, version) = (&stored.event_type, &stored.event_version);
        if self.rule(event_type, version).is_none() {
            self.must_know(&stored)?;
            out.push(stored);
            return Ok(());
        }
        let payload = stored.value()?;
        for newest in self.apply(UpcastEvent::new(event_type, version, payload))? {
            let newest = StoredEvent {
                event_type: newest.event_type,
                event_version: newest.event_version,
                payload: Payload::from(newest.payload),
                ..stored.clone()
            };
            self.must_know(&newest)?;
            out.push(newest);
        }
        Ok(())
    }

    fn must_know(&self, event: &StoredEvent) -> Result<(), StoreError> {
        let StoredEvent {
            stream,
            event_type,
            event_version,
            ..
        } = event;
        match self.knows {
            Some(knows) if knows(&stream.kind, event_type, event_version) == Some(false) => {
                Err(StoreError::Newer {
                    position: event.position,
                    kind: stream.kind.clone(),
                    event_type: event_type.clone(),
                    event_version: event_version.clone(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Upcasts `event` to the current version.
    ///
    /// # Errors
    /// [`StoreError::UpcastCircle`] if the upcasters form a cycle.
    pub fn apply(&self, event: UpcastEvent) -> Result<Vec<UpcastEvent>, StoreError> {
        if self.rules.is_empty() {
            return Ok(vec![event]);
        }
        self.step(event, LONGEST_CHAIN)
    }

    fn step(&self, event: UpcastEvent, left: u32) -> Result<Vec<UpcastEvent>, StoreError> {
        let Some(rule) = self.rule(&event.event_type, &event.event_version) else {
            return Ok(vec![event]);
        };
        let Some(left) = left.checked_sub(1) else {
            return Err(StoreError::UpcastCircle {
                event_type: event.event_type,
                event_version: event.event_version,
            });
        };
        let mut newest = Vec::new();
        for newer in rule(event.payload) {
            newest.extend(self.step(newer, left)?);
        }
        Ok(newest)
    }
}

impl fmt::Debug for Upcasters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.keys()).finish()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules() -> Upcasters {
        Upcasters::new()
            // 1.0 had the whole name in one field.
            .with("MemberJoined", "1.0", |payload| {
                let name = payload["MemberJoined"]["name"].clone();
                vec![UpcastEvent::new(
                    "MemberJoined",
                    "1.1",
                    json!({"MemberJoined": {"nickname": name}}),
                )]
            })
            // 1.1 combined two facts in one event.
            .with("MemberJoined", "1.1", |payload| {
                let nickname = payload["MemberJoined"]["nickname"].clone();
                vec![
                    UpcastEvent::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                    UpcastEvent::new(
                        "NicknameChosen",
                        "1.0",
                        json!({"NicknameChosen": {"nickname": nickname}}),
                    ),
                ]
            })
            .with("Forgotten", "1.0", |_| Vec::new())
    }

    #[test]
    fn an_old_sample_reads_in_new_words() {
        let old = UpcastEvent::new(
            "MemberJoined",
            "1.0",
            json!({"MemberJoined": {"name": "장부"}}),
        );
        assert_eq!(
            rules().apply(old).unwrap(),
            [
                UpcastEvent::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                UpcastEvent::new(
                    "NicknameChosen",
                    "1.0",
                    json!({"NicknameChosen": {"nickname": "장부"}})
                ),
            ]
        );
    }

    #[test]
    fn what_no_rule_knows_stays_and_an_event_may_vanish() {
        let other = UpcastEvent::new("OrderPlaced", "1.0", json!({}));
        assert_eq!(rules().apply(other.clone()).unwrap(), [other]);
        assert_eq!(
            rules()
                .apply(UpcastEvent::new("Forgotten", "1.0", json!({})))
                .unwrap(),
            []
        );
    }

    #[test]
    fn a_circle_is_an_error() {
        let circle = Upcasters::new()
            .with("A", "1.0", |payload| {
                vec![UpcastEvent::new("A", "2.0", payload)]
            })
            .with("A", "2.0", |payload| {
                vec![UpcastEvent::new("A", "1.0", payload)]
            });
        let answer = circle.apply(UpcastEvent::new("A", "1.0", Value::Null));
        assert!(matches!(answer, Err(StoreError::UpcastCircle { .. })));
    }
}
