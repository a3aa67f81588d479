//! Every stream counts its events from 1 without gaps; a gap says which event of which stream is gone.

use std::collections::HashMap;

use event_store::{Recorded, StreamId};
use serde_json::Value;

use super::compare::Checker;

/// The last version of every stream so far.
#[derive(Default)]
pub(super) struct Streams {
    heads: HashMap<StreamId, (u64, i64)>,
}

impl Streams {
    pub fn take(&mut self, recorded: &Recorded, checker: &mut Checker) {
        let (version, position) = self
            .heads
            .get(&recorded.stream)
            .copied()
            .unwrap_or_default();
        // one stored event may read as several
        if position == recorded.position {
            return;
        }
        let expected = version.saturating_add(1);
        checker.checked = checker.checked.saturating_add(1);
        if recorded.version != expected {
            checker.differs(
                "log",
                format!("{} event {expected}", recorded.stream),
                format!("before position {}", recorded.position).into(),
                Value::Null,
            );
        }
        self.heads.insert(
            recorded.stream.clone(),
            (recorded.version, recorded.position),
        );
    }
}
