//! Members.

use std::collections::BTreeMap;

use domain::member::MemberEvent;
use serde_json::{Map, Value, json};

use super::{no_row, object, set, values};
use crate::verify::compare::{ExpectedRows, moment};
use crate::verify::decoded_log::{DecodedEvent, Event};
use crate::verify::{Fold, VerifyError};

#[derive(Default)]
pub struct Members {
    rows: BTreeMap<String, Map<String, Value>>,
}

impl Fold for Members {
    fn name(&self) -> &'static str {
        "members"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Member(event) = told.event()? else {
            return Ok(());
        };
        let id = &told.stream.id;
        if let MemberEvent::MemberJoined { .. } = event {
            let row = json!({
                "id": id, "membership_level": null, "joined_at": moment(told.metadata.occurred_at),
                "left_at": null, "leaving_reason": null,
            });
            self.rows.insert(id.clone(), object(row));
        }
        let row = self.rows.get_mut(id).ok_or_else(|| no_row(told))?;
        match event {
            MemberEvent::MemberJoined {
                member_type,
                level,
                scopes,
                profile,
                ..
            } => {
                set(row, "member_type", json!(member_type));
                set(row, "level", json!(level));
                set(row, "scopes", json!(scopes));
                set(row, "profile", json!(profile));
            }
            MemberEvent::ProfileRevised { profile } => set(row, "profile", json!(profile)),
            MemberEvent::ScopesChanged { scopes, level } => {
                set(row, "level", json!(level));
                set(row, "scopes", json!(scopes));
            }
            MemberEvent::MembershipLevelAssigned { code } => {
                set(row, "membership_level", code.as_str());
            }
            MemberEvent::DocumentHandedIn { .. }
            | MemberEvent::ConsentGiven { .. }
            | MemberEvent::ConsentWithdrawn { .. }
            | MemberEvent::EmailConfirmed {}
            | MemberEvent::EmailConfirmationEnded {} => {}
            MemberEvent::MemberLeft { reason, .. } => {
                // no personal data may be left
                for column in ["membership_level", "profile"] {
                    set(row, column, Value::Null);
                }
                set(row, "level", "PERSON");
                set(row, "scopes", json!([]));
                set(row, "leaving_reason", json!(reason));
                set(row, "left_at", moment(told.metadata.occurred_at));
            }
            MemberEvent::StatutoryDataErased {} => {}
        }
        set(row, "version", told.version);
        set(row, "position", told.position);
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        Ok(vec![ExpectedRows {
            view: "members",
            key: &["id"],
            rows: values(self.rows),
        }])
    }
}
