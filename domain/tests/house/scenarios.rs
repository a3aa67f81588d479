//! Every peer scenario on promotions, claims, points and sellers' money is covered by a test of its name, or has a reason why it is not.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::path::Path;

use crate::crates::root;

/// The ids of the sections on promotions, and on claims and money.
fn scenarios() -> Vec<String> {
    let text = read_to_string(root().join("docs/spec/peer-scenarios.md")).unwrap();
    let between = |from: &str, to: &str| {
        let (_, rest) = text.split_once(from).unwrap();
        rest.split_once(to).unwrap().0.to_owned()
    };
    let sections = [between("\n## 2.", "\n## 3."), between("\n## 5.", "\n## 7.")].concat();
    let id = |row: &str| {
        row.strip_prefix("| ")?
            .split_once(' ')
            .map(|(id, _)| id.to_owned())
    };
    let ids = sections.lines().filter_map(id);
    ids.filter(|id| id.ends_with(|last: char| last.is_ascii_digit()))
        .collect()
}

/// All sources of tests in a folder.
fn sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push_str(&read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_scenario_of_peers_runs_or_says_why_not() {
    let table = read_to_string(root().join("docs/spec/peer-scenarios-run.tsv")).unwrap();
    let mut told: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let [id, state, text] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {row}");
        };
        assert!(
            told.insert(id, (state, text)).is_none(),
            "{id} stands twice"
        );
    }
    let mut tests = String::new();
    sources(&root().join("domain/tests"), &mut tests);
    let scenarios = scenarios();
    assert!(scenarios.len() > 60, "{scenarios:?}");
    for id in &scenarios {
        match told.remove(id.as_str()) {
            Some(("run", name)) => {
                assert!(
                    tests.contains(&format!("fn {name}(")),
                    "{id}: no test {name}"
                );
            }
            Some(("out" | "later", why)) => assert!(why.len() > 10, "{id}: {why}"),
            other => panic!("{id} neither runs nor is out: {other:?}"),
        }
    }
    assert!(told.is_empty(), "no such scenarios: {told:?}");
}
