//! `jangbu verify`: the chain over the log, every read model against an independent fold of the log, the books, and who holds
//! which name; now, or as it was at a position.

use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use event_store::chain::ChainProgress;
use event_store::{KeyRing, Mark, Store};
use projections::verify::{
    Asked, CHAIN, ChainAsked, Difference, Progress, Report, VerifyProgress, per_second, verify_as,
};
use serde_json::Value;

use super::seal;
use crate::private_file;
use crate::settings::Settings;

/// Differences told one by one; of the rest the number.
const TOLD_MOST: usize = 200;
/// The file of how far a verification has come in the chain, inside the data folder.
const FILE: &str = "verify-mark";
/// Blocks between two writes of it.
const BLOCKS_APART: i64 = 64;

/// How to verify.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Everything as it was at this position.
    pub at: Option<i64>,
    /// Blocks that have to be there: marks kept elsewhere.
    pub marks: Vec<Mark>,
    /// Go on in the chain where a verification was cut off.
    pub resume: bool,
}

/// Verifies, telling how far it is and each thing that is wrong.
///
/// # Errors
/// When nothing could be verified, or something is wrong: then the program ends with code 1.
pub async fn run(
    store: &Store,
    settings: &Settings,
    keys: &KeyRing,
    wanted: Wanted,
) -> anyhow::Result<()> {
    let (_, trusted) = seal::keys(settings)?;
    let mut marks = wanted.marks;
    marks.extend(seal::seen(settings)?);
    let cut_off = CutOff(settings.data_folder.join(FILE));
    let asked = Asked {
        at: wanted.at,
        keys: Some(keys),
        chain: Some(ChainAsked {
            trusted: &trusted,
            marks: &marks,
            after: match wanted.resume {
                true => cut_off.read()?,
                false => None,
            },
        }),
    };
    let teller = Teller::new();
    let report = verify_as(store, &asked, |step| {
        if let Progress::Chain(step) = &step {
            cut_off.write(step);
        }
        teller.tell(&step);
    })
    .await?;
    cut_off.remove();
    teller.end();
    println!("{}", told(&report));
    if report.is_clean() {
        Ok(())
    } else {
        anyhow::bail!("{} differences", report.differences.len())
    }
}

/// Where a verification was cut off: everything up to there was found right.
struct CutOff(PathBuf);

impl CutOff {
    fn read(&self) -> anyhow::Result<Option<Mark>> {
        match fs::read_to_string(&self.0) {
            Ok(text) => Ok(Some(text.parse()?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// A verification that cannot remember how far it is goes on all the same.
    fn write(&self, step: &ChainProgress) {
        if step.clean && step.mark.number % BLOCKS_APART == 0 {
            private_file::replace(&self.0, &step.mark.to_string()).ok();
        }
    }

    fn remove(&self) {
        fs::remove_file(&self.0).ok();
    }
}

/// Tells a terminal how far it is.
struct Teller {
    live: bool,
    began: Instant,
}

impl Teller {
    fn new() -> Self {
        Self {
            live: std::io::stderr().is_terminal(),
            began: Instant::now(),
        }
    }

    fn tell(&self, step: &Progress) {
        if !self.live {
            return;
        }
        let seconds = self.began.elapsed().as_secs().max(1);
        match step {
            Progress::Chain(ChainProgress { mark, events, .. }) => eprint!(
                "\rchain: block {}, {events} events, {} events/s   ",
                mark.number,
                events / seconds
            ),
            Progress::Log(VerifyProgress {
                position,
                up_to,
                events,
            }) => eprint!("\rlog: {position} / {up_to} ({events} events)   "),
        }
        drop(std::io::stderr().flush());
    }

    fn end(&self) {
        if self.live {
            eprintln!();
        }
    }
}

/// The report as people read it.
pub fn told(report: &Report) -> String {
    let mut lines = vec![format!(
        "기록 {}건 (위치 {}까지), 항목 {}개를 대조했습니다 (초당 {}건).",
        report.events,
        report.position,
        report.entries_checked,
        per_second(report.events, report.took)
    )];
    if let Some(sealed_to) = report.sealed_to {
        let pace = report.paces.get(CHAIN).copied().unwrap_or_default();
        lines.push(format!(
            "위치 {sealed_to}까지 봉인되어 있습니다 (초당 {}건).",
            pace.rate()
        ));
    }
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
