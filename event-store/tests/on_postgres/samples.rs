//! The check of the event fixtures.

use std::path::PathBuf;

use event_store::event_fixtures::{FixtureError, check};
use event_store::{UpcastEvent, Upcasters};
use serde_json::json;

use crate::support::PileEvent;

const NAMES: [(&str, &str); 2] = [("Counted", "1.0"), ("Taken", "1.0")];

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/on_postgres/samples")
        .join(name)
}

fn upcasters() -> Upcasters {
    Upcasters::new().with("Sold", "0.9", |_| {
        vec![UpcastEvent::new(
            "Taken",
            "1.0",
            json!({"Taken": {"many": 1}}),
        )]
    })
}

#[test]
fn good_samples_pass_old_ones_through_their_upcaster() {
    check::<PileEvent>(&NAMES, &folder("good"), &upcasters()).unwrap();
}

#[test]
fn a_version_without_its_upcaster_is_found() {
    let answer = check::<PileEvent>(&NAMES, &folder("good"), &Upcasters::new());
    assert!(matches!(answer, Err(FixtureError::Unknown { .. })));
}

#[test]
fn a_missing_sample_is_found() {
    let names = [("Counted", "1.0"), ("Burnt", "1.0")];
    let answer = check::<PileEvent>(&names, &folder("good"), &upcasters());
    assert!(matches!(answer, Err(FixtureError::Missing { .. })));
}

#[test]
fn a_renamed_and_a_lost_field_are_found() {
    let answer = check::<PileEvent>(&NAMES, &folder("renamed"), &upcasters());
    assert!(matches!(answer, Err(FixtureError::Decode { .. })));
    let answer = check::<PileEvent>(&NAMES, &folder("lost"), &upcasters());
    assert!(matches!(answer, Err(FixtureError::Differs { .. })));
}
