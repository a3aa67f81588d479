//! The house rules a compiler does not know: which crate may use which (docs/architecture.md).
//!
//! Members and dependencies are read from the manifests: a crate, or an arrow between two, that is not listed here is an error.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each crate of ours may use of the others, in its program and in its tests and benchmarks.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("embedded-postgres", &[]),
    // of `domain` it uses the event traits and `Sealed`; itself and the server it starts, with the feature `testing`
    (
        "event-store",
        &["domain", "embedded-postgres", "event-store"],
    ),
    ("search-index", &["domain"]),
    ("projections", &["domain", "event-store"]),
    ("integrations", &["domain"]),
    // of `integrations` only the constants of the protocol, which a test of its own checks
    ("sandbox", &["domain", "integrations"]),
    (
        "application",
        &[
            "domain",
            "event-store",
            "integrations",
            "projections",
            "search-index",
        ],
    ),
    (
        "api",
        &[
            "application",
            "domain",
            "embedded-postgres",
            "event-store",
            "integrations",
            "projections",
            "sandbox",
            "search-index",
        ],
    ),
];

/// What `domain` may use of others: traits, data and derives, nothing that does I/O.
const DOMAIN_MAY_USE: &[&str] = &[
    "cqrs-es",
    "serde",
    "serde_json",
    "thiserror",
    "time",
    "utoipa",
    "uuid",
];

/// The crates whose tables are asked with SQL.
const MAY_USE_SQLX: &[&str] = &["event-store", "projections", "application", "api"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &Path) -> toml::Table {
    let path = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every crate of the workspace: its package name and its manifest.
fn members() -> BTreeMap<String, toml::Table> {
    let workspace = manifest(&root());
    let members = workspace["workspace"]["members"]
        .as_array()
        .unwrap_or_else(|| panic!("the workspace has no members"));
    members
        .iter()
        .map(|folder| {
            let folder = folder.as_str().unwrap_or_else(|| panic!("{folder}"));
            assert!(
                !folder.contains('*'),
                "{folder}: members are listed one by one"
            );
            let manifest = manifest(&root().join(folder));
            let name = manifest["package"]["name"].as_str().map(str::to_owned);
            (
                name.unwrap_or_else(|| panic!("{folder} has no name")),
                manifest,
            )
        })
        .collect()
}

/// The packages a manifest names in these tables, also those for one platform only, under their own names.
fn dependencies(manifest: &toml::Table, tables: &[&str]) -> BTreeSet<String> {
    let of_targets = manifest
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(|targets| targets.values())
        .filter_map(toml::Value::as_table);
    std::iter::once(manifest)
        .chain(of_targets)
        .flat_map(|place| tables.iter().filter_map(|table| place.get(*table)))
        .filter_map(toml::Value::as_table)
        .flatten()
        .map(|(name, of)| {
            let renamed = of.get("package").and_then(toml::Value::as_str);
            renamed.unwrap_or(name).to_owned()
        })
        .collect()
}

const ALL_TABLES: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

#[test]
fn arrows_between_the_crates_are_listed() {
    let members = members();
    let listed: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let there: BTreeSet<&str> = members.keys().map(String::as_str).collect();
    assert_eq!(there, listed, "crates of the workspace, and of this test");
    for (name, manifest) in &members {
        for other in dependencies(manifest, ALL_TABLES) {
            if members.contains_key(&other) {
                assert!(may_use(name, &other), "{name} must not use {other}");
            }
        }
    }
}

fn may_use(from: &str, to: &str) -> bool {
    ALLOWED
        .iter()
        .any(|(name, others)| *name == from && others.contains(&to))
}

/// In this order every crate only uses ones before it, so there is no circle.
#[test]
fn arrows_point_one_way() {
    let mut before: BTreeSet<&str> = BTreeSet::new();
    for (name, others) in ALLOWED {
        for other in *others {
            assert!(
                before.contains(other) || other == name,
                "{name} comes before {other}"
            );
        }
        before.insert(name);
    }
}

/// A workspace dependency that points into the house under another name would hide an arrow.
#[test]
fn a_path_leads_to_the_package_of_its_name() {
    let workspace = manifest(&root());
    let paths = workspace["workspace"]["dependencies"].as_table();
    for (name, of) in paths.into_iter().flatten() {
        if let Some(path) = of.get("path").and_then(toml::Value::as_str) {
            let manifest = manifest(&root().join(path));
            assert_eq!(manifest["package"]["name"].as_str(), Some(name.as_str()));
        }
    }
}

#[test]
fn domain_uses_nothing_that_does_io() {
    let members = members();
    for dependency in dependencies(&members["domain"], &["dependencies", "build-dependencies"]) {
        assert!(
            DOMAIN_MAY_USE.contains(&dependency.as_str()),
            "domain must not use {dependency}"
        );
    }
}

#[test]
fn sql_lives_in_the_crates_that_own_tables() {
    for (name, manifest) in members() {
        if dependencies(&manifest, &["dependencies"]).contains("sqlx") {
            assert!(
                MAY_USE_SQLX.contains(&name.as_str()),
                "{name} must not use sqlx"
            );
        }
    }
}
