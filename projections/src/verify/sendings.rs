//! Sendings, folded from the log: their rows, that parts follow each other, and that advertising keeps its hours.

use std::collections::BTreeMap;

use domain::ids::MemberId;
use domain::sending::{SendingEvent, is_advertising_hour};
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

/// The rows of sendings.
#[derive(Default)]
pub(super) struct SendingsFold {
    rows: BTreeMap<String, Map<String, Value>>,
    skipped: Vec<Map<String, Value>>,
    /// The last who was served, of crowds.
    last_served: BTreeMap<String, MemberId>,
}

impl Fold for SendingsFold {
    fn name(&self) -> &'static str {
        "sendings"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["sending"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Sending(event) = told.event()? else {
            return Ok(());
        };
        let unknown = || bad(told, "a sending that was not ordered");
        if let SendingEvent::SendingOrdered { .. } = event {
            self.rows.insert(told.stream.id.clone(), Map::new());
        }
        let row = self.rows.get_mut(&told.stream.id).ok_or_else(unknown)?;
        let columns = match event {
            SendingEvent::SendingOrdered {
                channel,
                advertising,
                text,
                target,
                members,
                crowd,
                per_minute,
                due_at,
            } => json!({
                "id": told.stream.id, "channel": channel, "advertising": advertising, "title": text.title,
                "content": text.content, "url": text.url, "target": target,
                "members": crowd.map_or(u32::try_from(members.len())?, |crowd| crowd.count),
                "per_minute": per_minute, "served": 0, "skipped": 0, "due_at": moment(*due_at),
                "stopped": false, "withdrawn": false, "created_at": moment(told.metadata.occurred_at),
                "created_by": told.metadata.actor.get("id"),
            }),
            SendingEvent::SendingRevised {
                text,
                per_minute,
                due_at,
            } => json!({
                "title": text.title, "content": text.content, "url": text.url, "per_minute": per_minute,
                "due_at": moment(*due_at),
            }),
            SendingEvent::SendingPartSent {
                from,
                served,
                members,
                skipped,
                due_at,
            } => {
                let is_last = members.is_empty() && due_at.is_none();
                if row.get("served") != Some(&json!(from)) || (from >= served && !is_last) {
                    return Err(bad(
                        told,
                        "a part of a sending that does not follow the last",
                    ));
                }
                let is_advertising = row.get("advertising") == Some(&json!(true));
                if is_advertising && !is_advertising_hour(told.metadata.occurred_at) {
                    return Err(bad(told, "advertising at night"));
                }
                // Receivers of a crowd come in the order of their ids, so that none comes twice.
                for member in members {
                    let last = self.last_served.insert(told.stream.id.clone(), *member);
                    if last.is_some_and(|last| last >= *member) {
                        return Err(bad(told, "a receiver of a crowd out of order"));
                    }
                }
                let when = moment(told.metadata.occurred_at);
                for one in skipped {
                    let row = json!({
                        "sending": told.stream.id, "member": one.member, "reason": one.reason, "at": when,
                    });
                    if let Value::Object(row) = row {
                        self.skipped.push(row);
                    }
                }
                let before = row.get("skipped").and_then(Value::as_u64);
                let many = u64::try_from(skipped.len())?;
                json!({
                    "served": served, "skipped": before.unwrap_or_default() + many,
                    "due_at": due_at.map(moment),
                })
            }
            SendingEvent::SendingPostponed { due_at } => json!({ "due_at": moment(*due_at) }),
            SendingEvent::SendingStopped { .. } => json!({ "stopped": true, "due_at": null }),
            SendingEvent::SendingWithdrawn { .. } => {
                json!({ "stopped": true, "withdrawn": true, "due_at": null })
            }
        };
        if let Value::Object(columns) = columns {
            row.extend(columns);
        }
        row.insert("position".to_owned(), told.position.into());
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let all = |rows: Vec<Map<String, Value>>| rows.into_iter().map(Value::Object).collect();
        Ok(vec![
            ExpectedRows {
                view: "sendings",
                key: &["id"],
                rows: all(self.rows.into_values().collect()),
            },
            ExpectedRows {
                view: "sendings_skipped",
                key: &["sending", "member"],
                rows: all(self.skipped),
            },
        ])
    }
}
