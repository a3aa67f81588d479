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

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::error::StoreError;

/// An event in newer words.
#[derive(Clone, Debug, PartialEq)]
pub struct Upcast {
    /// Its type, perhaps a new one.
    pub event_type: String,
    /// Its version, a newer one.
    pub event_version: String,
    /// Its payload.
    pub payload: Value,
}

impl Upcast {
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

type Rule = Arc<dyn Fn(Value) -> Vec<Upcast> + Send + Sync>;

/// All upcasters, by the type and version they read.
#[derive(Clone, Default)]
pub struct Upcasters {
    rules: HashMap<(String, String), Rule>,
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
        rule: impl Fn(Value) -> Vec<Upcast> + Send + Sync + 'static,
    ) -> Self {
        self.rules
            .insert((event_type.into(), from_version.into()), Arc::new(rule));
        self
    }

    /// `event` in the newest words known.
    ///
    /// # Errors
    /// [`StoreError::UpcastCircle`] if the rules never come to an end.
    pub fn apply(&self, event: Upcast) -> Result<Vec<Upcast>, StoreError> {
        if self.rules.is_empty() {
            return Ok(vec![event]);
        }
        self.step(event, LONGEST_CHAIN)
    }

    fn step(&self, event: Upcast, left: u32) -> Result<Vec<Upcast>, StoreError> {
        let key = (event.event_type, event.event_version);
        let Some(rule) = self.rules.get(&key) else {
            let (event_type, event_version) = key;
            return Ok(vec![Upcast {
                event_type,
                event_version,
                payload: event.payload,
            }]);
        };
        let Some(left) = left.checked_sub(1) else {
            let (event_type, event_version) = key;
            return Err(StoreError::UpcastCircle {
                event_type,
                event_version,
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
        f.debug_set().entries(self.rules.keys()).finish()
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
                vec![Upcast::new(
                    "MemberJoined",
                    "1.1",
                    json!({"MemberJoined": {"nickname": name}}),
                )]
            })
            // 1.1 said two things in one event
            .with("MemberJoined", "1.1", |payload| {
                let nickname = payload["MemberJoined"]["nickname"].clone();
                vec![
                    Upcast::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                    Upcast::new(
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
        let old = Upcast::new(
            "MemberJoined",
            "1.0",
            json!({"MemberJoined": {"name": "장부"}}),
        );
        assert_eq!(
            rules().apply(old).unwrap(),
            [
                Upcast::new("MemberJoined", "2.0", json!({"MemberJoined": {}})),
                Upcast::new(
                    "NicknameChosen",
                    "1.0",
                    json!({"NicknameChosen": {"nickname": "장부"}})
                ),
            ]
        );
    }

    #[test]
    fn what_no_rule_knows_stays_and_an_event_may_vanish() {
        let other = Upcast::new("OrderPlaced", "1.0", json!({}));
        assert_eq!(rules().apply(other.clone()).unwrap(), [other]);
        assert_eq!(
            rules()
                .apply(Upcast::new("Forgotten", "1.0", json!({})))
                .unwrap(),
            []
        );
    }

    #[test]
    fn a_circle_is_an_error() {
        let circle = Upcasters::new()
            .with("A", "1.0", |payload| vec![Upcast::new("A", "2.0", payload)])
            .with("A", "2.0", |payload| vec![Upcast::new("A", "1.0", payload)]);
        let answer = circle.apply(Upcast::new("A", "1.0", Value::Null));
        assert!(matches!(answer, Err(StoreError::UpcastCircle { .. })));
    }
}
