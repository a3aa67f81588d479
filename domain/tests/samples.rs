//! One stored sample of every event type and version this build writes; reading and writing it must not change it.
//!
//! A log is read for years. Renaming a field, a variant or a code makes old events unreadable, and fails here first. A new event type or
//! version needs a new file; old files are never edited.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot read its fixtures has to stop"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cqrs_es::Aggregate;
use domain::event::EventNames;
use domain::order::OrderEvent;
use domain::record::{RecordEvent, Resource};
use domain::registered;
use domain::upcasting::{UPCASTERS, Upcaster};
use serde_json::{Value, json};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn sample(event_type: &str, version: &str) -> Value {
    let path = samples().join(format!("{event_type}.{version}.json"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("no sample {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Every sample of `E` survives a round trip; returns their file names.
fn survives<E: EventNames>() -> Vec<String> {
    for (event_type, version) in E::NAMES {
        let stored = sample(event_type, version);
        let event: E = serde_json::from_value(stored.clone())
            .unwrap_or_else(|error| panic!("{event_type} {version} is unreadable: {error}"));
        assert_eq!(event.event_type(), *event_type, "sample in the wrong file");
        assert_eq!(event.event_version(), *version, "sample of another version");
        let written = serde_json::to_value(&event).unwrap();
        assert_eq!(written, stored, "{event_type} {version} changed");
    }
    E::NAMES
        .iter()
        .map(|(event_type, version)| format!("{event_type}.{version}.json"))
        .collect()
}

/// Removes the fields that `stored` does not have, in the document and in the rows of its lists.
fn without_added(written: &mut Value, stored: &Value) {
    match (written, stored) {
        (Value::Object(fields), Value::Object(known)) => {
            fields.retain(|field, _| known.contains_key(field));
            for (field, value) in fields {
                if value.is_array() {
                    without_added(value, &known[field]);
                }
            }
        }
        (Value::Array(rows), Value::Array(known)) => {
            for (row, known) in rows.iter_mut().zip(known) {
                without_added(row, known);
            }
        }
        _ => {}
    }
}

/// A record's sample document must also survive a round trip through its type, and be valid.
fn record_survives<R: Resource>() -> Vec<String> {
    let [created, revised, _] = R::EVENT_TYPES;
    let stored = sample(created, R::VERSION);
    let document = stored.pointer("/Created/data").unwrap();
    let data: R::Data = serde_json::from_value(document.clone()).unwrap();
    let mut written = serde_json::to_value(&data).unwrap();
    // Fields added by later builds, also to rows, have defaults; what was stored survives a round trip.
    without_added(&mut written, document);
    assert_eq!(written, *document, "{created} changed");
    assert_eq!(R::validate(&data), Ok(()), "{created} is not valid");
    if let Some(unique) = R::UNIQUE {
        let code = unique.of(document.as_object().unwrap());
        assert!(code.is_some(), "{created}: no {:?}", unique.fields);
    }
    let revision = sample(revised, R::VERSION);
    let changes = revision.pointer("/Revised/changes").unwrap();
    for field in changes.as_object().unwrap().keys() {
        assert!(document.get(field).is_some(), "{revised}: no field {field}");
    }
    survives::<RecordEvent<R>>()
}

/// An old sample is upcast to the sample of the next version: same meaning, null where the old one had no value, and plain text where the
/// next one is sealed. Returns the file names of the old samples.
fn outgrown() -> Vec<String> {
    let read = |old: &Upcaster| {
        let (stored, mut next) = (
            sample(old.event_type, old.version),
            sample(old.event_type, old.next),
        );
        let name = format!("{}.{}.json", old.event_type, old.version);
        let read = old.read(stored.clone());
        let fields = next.get_mut(old.event_type).unwrap();
        for (field, value) in fields.as_object_mut().unwrap() {
            let place = format!("/{}/{field}", old.event_type);
            if stored.pointer(&place).is_none() {
                match read.pointer(&place) {
                    None | Some(Value::Null) => *value = Value::Null,
                    // An amount that did not exist yet is zero.
                    Some(zero) if *zero == json!(0) => *value = json!(0),
                    // A list of something that did not exist yet.
                    Some(Value::Array(list)) if list.is_empty() => *value = json!([]),
                    Some(_) => {}
                }
            }
            // A field of a part that did not exist yet.
            if let (Value::Object(part), Some(Value::Object(known))) =
                (&mut *value, read.pointer(&place))
            {
                part.retain(|field, _| known.contains_key(field));
            }
            match stored.pointer(&place) {
                Some(clear @ Value::String(_)) if value.get("sealed").is_some() => {
                    value.clone_from(clear);
                }
                _ => {}
            }
        }
        assert_eq!(read, next, "{name} reads as something else");
        name
    };
    UPCASTERS.iter().map(read).collect()
}

#[test]
fn what_an_old_event_does_not_say_is_not_guessed() {
    let purchase = "20261121-7KD2M9QX-1";
    for fields in [
        json!({ "purchaseNo": purchase }),
        json!({ "purchaseNo": purchase, "byBuyer": "perhaps" }),
    ] {
        let stored = json!({ "PurchaseCompleted": fields });
        let read = UPCASTERS.first().unwrap().read(stored);
        assert!(serde_json::from_value::<OrderEvent>(read).is_err());
    }
}

macro_rules! all_survive {
    (
        aggregates { $($name:ident: $state:ty,)+ }
        records { $($record:ty,)+ }
        declared { $($declared:ty,)+ }
    ) => {
        fn all_survive() -> Vec<Vec<String>> {
            vec![
                $(survives::<<$state as Aggregate>::Event>(),)+
                $(record_survives::<$record>(),)+
                $(record_survives::<$declared>(),)+
            ]
        }
    };
}

registered!(all_survive);

#[test]
fn every_event_survives_being_stored() {
    let expected: BTreeSet<String> = all_survive()
        .into_iter()
        .chain([outgrown()])
        .flatten()
        .collect();
    let there: BTreeSet<String> = std::fs::read_dir(samples())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(there, expected, "files and event names differ");
}
