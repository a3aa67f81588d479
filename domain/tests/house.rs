//! The house rules a compiler does not know: which room may use which (docs/architecture.md).

#![expect(clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;
use std::path::Path;

const ROOMS: [&str; 5] = [
    "domain",
    "event-store",
    "projections",
    "search-index",
    "api",
];

/// What each room may use of ours.
fn allowed(room: &str) -> &'static [&'static str] {
    match room {
        "domain" => &[],
        "event-store" | "search-index" => &["domain"],
        "projections" => &["domain", "event-store"],
        "api" => &["domain", "event-store", "projections", "search-index"],
        other => panic!("unknown room {other}"),
    }
}

/// What `domain` may use of others: traits, data and derives, nothing that does I/O.
const DOMAIN_MAY_USE: [&str; 8] = [
    "cqrs-es",
    "garde",
    "serde",
    "serde_json",
    "thiserror",
    "time",
    "utoipa",
    "uuid",
];

fn dependencies(room: &str) -> BTreeSet<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(room)
        .join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest)
        .unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    let table: toml::Table = text
        .parse()
        .unwrap_or_else(|error| panic!("{}: {error}", manifest.display()));
    table["dependencies"]
        .as_table()
        .map(|dependencies| dependencies.keys().cloned().collect())
        .unwrap_or_default()
}

#[test]
fn arrows_between_the_rooms_point_one_way() {
    for room in ROOMS {
        for other in ROOMS {
            if dependencies(room).contains(other) {
                assert!(
                    allowed(room).contains(&other),
                    "{room} must not use {other}"
                );
            }
        }
    }
}

#[test]
fn domain_uses_nothing_that_does_io() {
    for dependency in dependencies("domain") {
        assert!(
            DOMAIN_MAY_USE.contains(&dependency.as_str()),
            "domain must not use {dependency}"
        );
    }
}

#[test]
fn sql_lives_in_the_rooms_that_own_tables() {
    for room in ["domain", "search-index"] {
        assert!(
            !dependencies(room).contains("sqlx"),
            "{room} must not use sqlx"
        );
    }
}
