//! Records, and their earlier codes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use domain::registry::RECORD_KINDS;
use serde_json::{Value, json};

use super::{Document, Papers};
use crate::verify::compare::{ExpectedRows, moment};
use crate::verify::decoded_log::{DecodedEvent, Event, RecordEvent};
use crate::verify::{Fold, VerifyError};

/// Kinds of records with a fold of their own.
const OWN_FOLD: [&str; 3] = ["product", "review", "inquire"];

static RECORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let kinds = RECORD_KINDS.iter().map(|record| record.kind);
    kinds.filter(|kind| !OWN_FOLD.contains(kind)).collect()
});

#[derive(Default)]
pub struct Records {
    documents: Papers,
}

impl Fold for Records {
    fn name(&self) -> &'static str {
        "records"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &RECORDS
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        self.documents.take(told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let row = |((kind, id), document): ((String, String), Document)| {
            json!({
                "kind": kind, "id": id, "version": document.version, "data": document.data,
                "removed": document.removed, "created_at": moment(document.created_at),
                "updated_at": moment(document.updated_at), "position": document.position,
            })
        };
        Ok(vec![
            self.documents.counts("records_counts"),
            ExpectedRows {
                view: "records",
                key: &["kind", "id"],
                rows: self.documents.rows.into_iter().map(row).collect(),
            },
        ])
    }
}

/// The record that last had each code, by kind and code: current and earlier ones.
#[derive(Default)]
pub struct EarlierCodes {
    now: BTreeMap<(String, String), Value>,
    earlier: BTreeMap<(String, String), (String, i64)>,
}

impl Fold for EarlierCodes {
    fn name(&self) -> &'static str {
        "earlier_codes"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["brand", "showroom"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let (kind, id) = (&told.stream.kind, &told.stream.id);
        let key = (kind.clone(), id.clone());
        match told.event()? {
            Event::Record(RecordEvent::Created { data }) => {
                let code = data.get("code").cloned().unwrap_or_default();
                self.now.insert(key, code);
            }
            Event::Record(RecordEvent::Revised { changes }) => {
                if let Some(change) = changes.get("code") {
                    let before = self.now.insert(key, change.to.clone());
                    if let Some(Value::String(before)) = before.filter(|code| *code != change.to) {
                        let last = (id.clone(), told.position);
                        self.earlier.insert((kind.clone(), before), last);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let row = |((kind, code), (id, position))| json!({ "kind": kind, "code": code, "id": id, "position": position });
        Ok(vec![ExpectedRows {
            view: "earlier_codes",
            key: &["kind", "code"],
            rows: self.earlier.into_iter().map(row).collect(),
        }])
    }
}
