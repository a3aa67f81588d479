//! `jangbu verify`: every read model against an independent fold of the log, and the books over the whole log.

use std::io::{IsTerminal, Write};

use event_store::Store;
use projections::verify::{Difference, Report, verify};
use serde_json::Value;

/// Differences told one by one; of the rest the number.
const TOLD_MOST: usize = 200;

/// Verifies, telling how far it is and each thing that is wrong.
///
/// # Errors
/// When nothing could be verified, or something is wrong: then the program ends with code 1.
pub async fn run(store: &Store) -> anyhow::Result<()> {
    let live = std::io::stderr().is_terminal();
    let report = verify(store, |progress| {
        if live {
            eprint!(
                "\r{} / {} ({} events)",
                progress.position, progress.up_to, progress.events
            );
            let _ = std::io::stderr().flush();
        }
    })
    .await?;
    if live {
        eprintln!();
    }
    println!("{}", told(&report));
    if report.is_clean() {
        Ok(())
    } else {
        anyhow::bail!("{} differences", report.differences.len())
    }
}

/// The report as people read it.
pub fn told(report: &Report) -> String {
    let mut lines = vec![format!(
        "기록 {}건 (위치 {}까지), 항목 {}개를 대조했습니다.",
        report.events, report.position, report.entries_checked
    )];
    lines.extend(
        report
            .models
            .iter()
            .map(|(model, position)| format!("  {model}  {position}")),
    );
    lines.extend(report.differences.iter().take(TOLD_MOST).map(difference));
    match report.differences.len() {
        0 => lines.push("모두 맞습니다.".to_owned()),
        all => lines.push(format!("다른 곳 {all}개.")),
    }
    lines.join("\n")
}

fn difference(difference: &Difference) -> String {
    let Difference {
        model,
        key,
        expected,
        found,
    } = difference;
    let (expected, found) = differing(expected, found);
    format!("✗ {model} {key}\n    기록: {expected}\n    실제: {found}")
}

/// Of two rows the fields that differ.
fn differing(expected: &Value, found: &Value) -> (Value, Value) {
    let (Value::Object(expected), Value::Object(found)) = (expected, found) else {
        return (expected.clone(), found.clone());
    };
    let only = |one: &serde_json::Map<String, Value>, other: &serde_json::Map<String, Value>| {
        Value::Object(
            one.iter()
                .filter(|(name, value)| other.get(*name) != Some(value))
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect(),
        )
    };
    (only(expected, found), only(found, expected))
}
