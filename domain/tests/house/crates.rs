//! Allowed dependencies between the crates, and on external packages.
//!
//! Members and dependencies are read from the manifests: a crate, or a dependency between two, that is not listed here is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates of this workspace that each crate may use, in its program and in its tests and benchmarks.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("embedded-postgres", &[]),
    // of `domain` it uses the event traits and `Sealed`; itself and its test server, with the feature `testing`
    (
        "event-store",
        &["domain", "embedded-postgres", "event-store"],
    ),
    ("search-index", &["domain"]),
    ("projections", &["domain", "event-store"]),
    ("integrations", &["domain"]),
    // of `integrations` only the constants of the protocol, which are checked by one of its own tests
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
    // what no HTTP call does is requested from `application`; the rest of the program is passed to it
    (
        "demo",
        &["application", "domain", "event-store", "projections"],
    ),
    (
        "api",
        &[
            "application",
            "demo",
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

/// External packages `domain` may use: traits, data, derives, a hash (for derived ids) and character sets, nothing that does I/O.
const DOMAIN_MAY_USE: &[&str] = &[
    "cqrs-es",
    "encoding_rs",
    "pathfinding",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "time",
    "utoipa",
    "uuid",
];

/// The crates that access their tables with SQL.
const MAY_USE_SQLX: &[&str] = &["event-store", "projections", "application", "api"];

/// The crate that owns the log's table: no other crate names the table, and only its tail has a second driver (docs/decisions/0043).
const OWNS_THE_LOG: &str = "event-store";

/// SQL keywords that precede a table name.
const BEFORE_A_TABLE: &[&str] = &[
    "COPY", "FROM", "INTO", "JOIN", "LOCK", "ONLY", "TABLE", "TRUNCATE", "UPDATE", "USING",
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &Path) -> toml::Table {
    let path = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every crate of the workspace: its package name and its folder.
pub fn folders() -> BTreeMap<String, String> {
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
                folder.to_owned(),
            )
        })
        .collect()
}

/// Every crate of the workspace: its package name and its manifest.
fn members() -> BTreeMap<String, toml::Table> {
    let named = folders().into_iter();
    named
        .map(|(name, folder)| (name, manifest(&root().join(folder))))
        .collect()
}

/// The packages in these tables of a manifest, including platform-specific ones, by their real names.
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

/// In this order every crate only uses earlier ones, so there is no cycle.
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

/// A workspace path dependency under another name would hide a dependency.
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
        let used = dependencies(&manifest, &["dependencies"]);
        assert!(
            !used.contains("sqlx") || MAY_USE_SQLX.contains(&name.as_str()),
            "{name} must not use sqlx"
        );
        assert!(
            !used.contains("tokio-postgres") || name == OWNS_THE_LOG,
            "{name} must not use tokio-postgres"
        );
    }
}

/// The lines of Rust and SQL in the `src` of a member, without comment lines: location and text.
fn lines(folder: &Path, found: &mut Vec<(String, String)>) {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .path();
        if path.is_dir() {
            lines(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs" || it == "sql") {
            let text = std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let lines = text.lines().zip(1..).filter(|(line, _)| {
                let line = line.trim_start();
                !line.starts_with("//") && !line.starts_with("--")
            });
            found.extend(lines.map(|(line, nr)| (format!("{}:{nr}", path.display()), line.into())));
        }
    }
}

/// As [`lines`], for all members except that of the log.
fn lines_outside_the_log() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, folder) in folders() {
        if name != OWNS_THE_LOG {
            lines(&root().join(folder).join("src"), &mut found);
        }
    }
    assert!(found.len() > 10_000, "that is not all of them");
    found
}

/// The places where SQL names the log's table or its sequence.
fn asking_the_log(lines: &[(String, String)]) -> Vec<&str> {
    let words: Vec<(&str, &str)> = lines
        .iter()
        .flat_map(|(place, line)| {
            let words = line.split(|letter: char| {
                !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '{' | '}')
            });
            words.map(|word| (place.as_str(), word.trim_start_matches("public.")))
        })
        .filter(|(_, word)| !word.is_empty())
        .collect();
    let sequence = words
        .iter()
        .filter(|(_, word)| word.starts_with("events_global_position"));
    let table = words.windows(2).filter_map(|pair| match pair {
        [(_, before), found @ (_, "events")] => BEFORE_A_TABLE.contains(before).then_some(found),
        _ => None,
    });
    sequence.chain(table).map(|(place, _)| *place).collect()
}

#[test]
fn the_table_of_the_log_is_asked_by_its_crate_alone() {
    let lines = lines_outside_the_log();
    let asking = asking_the_log(&lines);
    assert!(
        asking.is_empty(),
        "SQL on the table `events`; event-store/migrations/0090_log_queries.sql and event_store::log_snapshot are for \
         that: {asking:#?}"
    );

    let planted = |line: &str| asking_the_log(&[("here".to_owned(), line.to_owned())]).len();
    assert_eq!(planted("\"SELECT max(global_position) FROM events\","), 1);
    assert_eq!(planted("UPDATE public.events SET payload = '{}'"), 1);
    assert_eq!(
        planted("SELECT last_value FROM events_global_position_seq"),
        1
    );
    assert_eq!(planted("for event in events { FROM analyst.events }"), 0);
    let over_lines = [("1", "SELECT 1 FROM \\"), ("2", "    events e \\")];
    let over_lines = over_lines.map(|(place, line)| (place.to_owned(), line.to_owned()));
    assert_eq!(asking_the_log(&over_lines), ["2"]);
}

/// A text in capitals between single quotes: in SQL, the code of a status or type.
fn written_out_code(line: &str) -> Option<&str> {
    let is_code = |text: &&str| {
        let mut letters = text.chars();
        text.len() > 2
            && letters
                .next()
                .is_some_and(|first| first.is_ascii_uppercase())
            && letters.all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
    };
    let parts: Vec<&str> = line.split('\'').collect();
    let between = parts.get(1..parts.len().saturating_sub(1));
    between.unwrap_or_default().iter().copied().find(is_code)
}

/// Codes are passed as parameters, from the enums of `domain`; those in the tables of a read model or in a migration are fixed.
#[test]
fn queries_do_not_write_out_codes() {
    let mut written = Vec::new();
    for (place, line) in lines_outside_the_log() {
        if !place.contains("/create.sql:") && !place.contains("/migrations/") {
            written.extend(written_out_code(&line).map(|code| format!("{place}: {code}")));
        }
    }
    assert!(written.is_empty(), "codes in SQL: {written:#?}");

    let planted = "WHERE claim_status IN ('NONE', 'CANCEL_COMPLETED') \\";
    assert_eq!(written_out_code(planted), Some("NONE"));
    for sound in [
        "let first: &'static str = 'A'",
        "'kind', e.kind, 'utf8'",
        "it's A B'C",
    ] {
        assert_eq!(written_out_code(sound), None, "{sound}");
    }
}
