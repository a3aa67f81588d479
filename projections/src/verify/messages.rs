//! Messages, folded from the log: their rows, and that no attempt of one begins while another may still succeed.

use std::collections::BTreeMap;

use domain::message::MessageEvent;
use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

/// The rows of messages.
#[derive(Default)]
pub(super) struct MessagesFold {
    rows: BTreeMap<String, Map<String, Value>>,
}

impl Fold for MessagesFold {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["message"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Message(event) = told.event()? else {
            return Ok(());
        };
        let when = moment(told.metadata.occurred_at);
        let columns = match event {
            MessageEvent::MessageRequested {
                channel,
                template,
                cause,
                ..
            } => {
                let row = json!({
                    "id": told.stream.id, "channel": channel, "template": template, "state": "REQUESTED",
                    "cause_kind": cause.kind, "cause": cause.id, "cause_event": cause.event, "attempts": 0,
                    "reason": null, "code": null, "queue_id": null, "text_record": null, "text_version": null, "due_at": when, "created_at": when,
                });
                if let Value::Object(row) = row {
                    self.rows.insert(told.stream.id.clone(), row);
                }
                json!({})
            }
            MessageEvent::MessageAttempted {
                attempt,
                conclude_at,
                text,
            } => {
                let state = self.state(told)?;
                if state != "REQUESTED" && state != "DEFERRED" {
                    return Err(bad(told, "an attempt while another may succeed"));
                }
                let text = text.as_ref();
                json!({
                    "attempts": attempt, "state": "SENDING", "due_at": moment(*conclude_at),
                    "text_record": text.map(|text| text.record.as_str()), "text_version": text.map(|text| text.version),
                })
            }
            MessageEvent::MessageSent {
                queue_id,
                report_at,
                ..
            } => json!({
                "state": "SENT", "queue_id": queue_id, "reason": null, "code": null, "due_at": report_at.map(moment),
            }),
            MessageEvent::MessageReportMissing { report_at, .. } => {
                json!({ "due_at": report_at.map(moment) })
            }
            MessageEvent::MessageDelivered { .. } => {
                if self.state(told)? != "SENT" {
                    return Err(bad(told, "a report on a message that was not sent"));
                }
                json!({ "state": "DELIVERED", "due_at": null })
            }
            MessageEvent::MessageDeferred {
                reason,
                code,
                retry_at,
                ..
            } => json!({
                "state": "DEFERRED", "reason": reason, "code": code, "due_at": moment(*retry_at),
            }),
            MessageEvent::MessageBounced { reason, code, .. } => {
                json!({ "state": "BOUNCED", "reason": reason, "code": code, "due_at": null })
            }
            MessageEvent::MessageUncertain { ask_at, .. } => {
                json!({ "state": "UNCERTAIN", "due_at": ask_at.map(moment) })
            }
            MessageEvent::MessageGivenUp { reason } => {
                json!({ "state": "GIVEN_UP", "reason": reason, "due_at": null })
            }
            MessageEvent::MessageResendRequested {} => {
                json!({ "state": "REQUESTED", "due_at": when })
            }
            MessageEvent::MessageAddressReleased { .. } => json!({}),
        };
        let row = self.rows.get_mut(&told.stream.id);
        let row = row.ok_or_else(|| bad(told, "a message that was not requested"))?;
        if let Value::Object(columns) = columns {
            row.extend(columns);
        }
        row.insert("changed_at".to_owned(), when);
        row.insert("position".to_owned(), told.position.into());
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        Ok(vec![ExpectedRows {
            view: "messages",
            key: &["id"],
            rows: self.rows.into_values().map(Value::Object).collect(),
        }])
    }
}

impl MessagesFold {
    /// The state of the message an event is of.
    fn state(&self, told: &DecodedEvent) -> Result<&str, VerifyError> {
        let row = self.rows.get(&told.stream.id);
        let state = row.and_then(|row| row.get("state")?.as_str());
        state.ok_or_else(|| bad(told, "a message that was not requested"))
    }
}
