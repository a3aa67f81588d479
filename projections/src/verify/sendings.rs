//! Sendings, folded from the log: their rows, that parts follow each other, and that advertising keeps its hours.

use std::collections::BTreeMap;

use domain::sending::{SendingEvent, is_advertising_hour};
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

/// The rows of sendings.
#[derive(Default)]
pub(super) struct SendingsFold {
    rows: BTreeMap<String, Map<String, Value>>,
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
                per_minute,
                due_at,
            } => json!({
                "id": told.stream.id, "channel": channel, "advertising": advertising, "title": text.title,
                "content": text.content, "url": text.url, "target": target, "members": members.len(),
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
                skipped,
                due_at,
            } => {
                if row.get("served") != Some(&json!(from)) || from >= served {
                    return Err(bad(
                        told,
                        "a part of a sending that does not follow the last",
                    ));
                }
                let is_advertising = row.get("advertising") == Some(&json!(true));
                if is_advertising && !is_advertising_hour(told.metadata.occurred_at) {
                    return Err(bad(told, "advertising at night"));
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
        Ok(vec![ExpectedRows {
            view: "sendings",
            key: &["id"],
            rows: self.rows.into_values().map(Value::Object).collect(),
        }])
    }
}
