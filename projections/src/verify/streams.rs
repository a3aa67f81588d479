//! Every stream numbers its events from 1 without gaps; a gap names the missing event and its stream.

use std::collections::HashMap;
use std::mem;

use event_store::{StoredEvent, StreamId};
use serde_json::Value;

use super::compare::Checker;

/// The last version of every stream so far.
#[derive(Default)]
pub(super) struct Streams {
    heads: HashMap<StreamId, (u64, i64)>,
}

impl Streams {
    pub fn take(&mut self, recorded: &StoredEvent, checker: &mut Checker) {
        let Some((version, position)) = self.heads.get_mut(&recorded.stream) else {
            self.follows(0, recorded, checker);
            let head = (recorded.version, recorded.position);
            self.heads.insert(recorded.stream.clone(), head);
            return;
        };
        // one stored event may be upcast to several
        if *position == recorded.position {
            return;
        }
        let before = mem::replace(version, recorded.version);
        *position = recorded.position;
        self.follows(before, recorded, checker);
    }

    fn follows(&self, before: u64, recorded: &StoredEvent, checker: &mut Checker) {
        let expected = before.saturating_add(1);
        checker.rule(recorded.version == expected, "log", || {
            let key = format!("{} event {expected}", recorded.stream);
            let place = format!("before position {}", recorded.position);
            (key, place.into(), Value::Null)
        });
    }
}
