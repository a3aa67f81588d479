//! Old events read as new ones.
//!
//! A stored event never changes. When its shape does, its version goes up and an upcaster says how the old shape
//! reads in the new words. Upcasters run on every load and read, chained until none fits:
//!
//! ```
//! use event_store::{Upcast, Upcasters};
//! use serde_json::json;
//!
//! let upcasters = Upcasters::new().with("PointsGranted", "1.0", |payload| {
//!     let amount = payload["PointsGranted"]["amount"].clone();
//!     vec![Upcast::new("PointsGranted", "1.1", json!({"PointsGranted": {"amount": amount, "reason": "unknown"}}))]
//! });
//! # let _ = upcasters;
//! ```
//!
//! A newer program may write what this one does not know. [`Upcasters::knowing`] tells them apart: what is not known is an error
//! ([`StoreError::Newer`]) wherever it is read, and never passed over or read by guess.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::payload::Payload;
use crate::stored_event::StoredEvent;

/// An event in newer words.
#[derive(Clone, Debug, PartialEq)]
pub struct UpcastRule {
    /// Its type, perhaps a new one.
    pub event_type: String,
    /// Its version, a newer one.
    pub event_version: String,
    /// Its payload.
    pub payload: Value,
}

impl UpcastRule {
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

type Rule = Arc<dyn Fn(Value) -> Vec<UpcastRule> + Send + Sync>;

/// Whether a program knows events of this kind of stream, type and version; `None`: it does not know the kind.
pub type Knows = fn(kind: &str, event_type: &str, event_version: &str) -> Option<bool>;

/// All upcasters, by the type and version they read.
#[derive(Clone, Default)]
pub struct Upcasters {
    /// By type, then by version.
    rules: BTreeMap<String, BTreeMap<String, Rule>>,
    knows: Option<Knows>,
    /// A hash of the text they are written in.
    text: Option<String>,
}

/// More steps than any event will ever have versions; beyond it the rules go round in a circle.
const LONGEST_CHAIN: u32 = 100;

impl Upcasters {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the rule for `event_type` in version `from_version`: one event becomes one, several or none.
    #[must_use]
    pub fn with(
        mut self,
        event_type: impl Into<String>,
        from_version: impl Into<String>,
        rule: impl Fn(Value) -> Vec<UpcastRule> + Send + Sync + 'static,
    ) -> Self {
        self.rules
            .entry(event_type.into())
            .or_default()
            .insert(from_version.into(), Arc::new(rule));
        self
    }

    /// What is known, in the newest words: an event of a known kind that is not is [`StoreError::Newer`].
    #[must_use]
    pub fn knowing(mut self, knows: Knows) -> Self {
        self.knows = Some(knows);
        self
    }

    /// The source they are written in, `include_str!("upcasting.rs")`: snapshots folded through other ones are not read.
    #[must_use]
    pub fn written_in(mut self, source: &str) -> Self {
        self.text = Some(hex::encode(Sha256::digest(source)));
        self
    }

    /// Names the rules of a fold through these upcasters; `rules` are those of the fold itself.
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

    /// What is outgrown, in order.
    fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rules.iter().flat_map(|(event_type, versions)| {
            let versions = versions.keys();
            versions.map(move |version| (event_type.as_str(), version.as_str()))
        })
    }

    fn rule(&self, event_type: &str, version: &str) -> Option<&Rule> {
        self.rules.get(event_type)?.get(version)
    }

    /// Adds to `out` what a stored event says in the newest words known. Only one that is outgrown is taken apart.
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
        for newest in self.apply(UpcastRule::new(event_type, version, payload))? {
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

    /// `event` in the newest words known.
    ///
    /// # Errors
    /// [`StoreError::UpcastCircle`] if the rules never come to an end.
    pub fn apply(&self, event: UpcastRule) -> Result<Vec<UpcastRule>, StoreError> {
        if self.rules.is_empty() {
            return Ok(vec![event]);
        }
        self.step(event, LONGEST_CHAIN)
    }

    fn step(&self, event: UpcastRule, left: u32) -> Result<Vec<UpcastRule>, StoreError> {
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
            // 1.0 kept the whole name in one field
            .with("MemberJoined", "1.0", |payload| {
                let name = payload["MemberJoined"]["name"].clone();
                vec![UpcastRule::new(
                    "MemberJoined",
                    "1.1",
                    json!({"MemberJoined": {"nickname": name}}),
                )]
            })
            // 1.1 said two things in one event
            .with("MemberJoined", "1.1", |payload| {
                let nickname = payload["MemberJoined"]["nickname"].clone();
                vec![
                    UpcastRule::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                    UpcastRule::new(
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
        let old = UpcastRule::new(
            "MemberJoined",
            "1.0",
            json!({"MemberJoined": {"name": "장부"}}),
        );
        assert_eq!(
            rules().apply(old).unwrap(),
            [
                UpcastRule::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                UpcastRule::new(
                    "NicknameChosen",
                    "1.0",
                    json!({"NicknameChosen": {"nickname": "장부"}})
                ),
            ]
        );
    }

    #[test]
    fn what_no_rule_knows_stays_and_an_event_may_vanish() {
        let other = UpcastRule::new("OrderPlaced", "1.0", json!({}));
        assert_eq!(rules().apply(other.clone()).unwrap(), [other]);
        assert_eq!(
            rules()
                .apply(UpcastRule::new("Forgotten", "1.0", json!({})))
                .unwrap(),
            []
        );
    }

    #[test]
    fn a_circle_is_an_error() {
        let circle = Upcasters::new()
            .with("A", "1.0", |payload| {
                vec![UpcastRule::new("A", "2.0", payload)]
            })
            .with("A", "2.0", |payload| {
                vec![UpcastRule::new("A", "1.0", payload)]
            });
        let answer = circle.apply(UpcastRule::new("A", "1.0", Value::Null));
        assert!(matches!(answer, Err(StoreError::UpcastCircle { .. })));
    }
}
