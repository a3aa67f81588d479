//! `jangbu verify`: verifies the chain over the log, every read model against an independent fold of the log, the general ledger, and the
//! reserved names; in the present state or at a position; optionally every payment against the gateway.

use std::fs;
use std::io::{ErrorKind, IsTerminal, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use embedded_postgres::private_file;
use event_store::hash_chain::ChainProgress;
use event_store::{ChainCheckpoint, KeyRing, Store};
use integrations::payment::nice::NiceClient;
use projections::verify::{
    CHAIN, ChainOptions, Difference, Positions, Progress, Report, VerifyOptions, VerifyProgress,
    per_second, verify_as,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ask_payments, seal};
use crate::settings::Settings;

/// Maximum number of differences listed; of the rest, only the number is reported.
const TOLD_MOST: usize = 200;
/// The file with the progress of a verification, in the data folder.
const FILE: &str = "verify-reached";
/// Blocks between two writes of that file.
const BLOCKS_APART: i64 = 64;

/// Options of a verification.
#[derive(Clone, Debug, Default)]
pub struct VerifyRequest {
    /// Verify the state at this position.
    pub at: Option<i64>,
    /// Checkpoints kept elsewhere, whose blocks must exist.
    pub marks: Vec<ChainCheckpoint>,
    /// Resume an interrupted verification of the same position.
    pub resume: bool,
    /// Query the gateway about every transaction, with at most this many queries per second.
    pub ask_payments: Option<NonZeroU32>,
}

/// Verifies, printing the progress and each difference.
///
/// # Errors
/// The verification failed, or there are differences: then the program exits with code 1.
pub async fn run(
    store: &Store,
    settings: &Settings,
    keys: &KeyRing,
    request: VerifyRequest,
) -> anyhow::Result<()> {
    let (_, trusted) = seal::keys(settings)?;
    let mut marks = request.marks;
    marks.extend(seal::seen(settings)?);
    let file = settings.data_folder.join(FILE);
    let mut progress = ProgressFile::begin(file, request.at, request.resume)?;
    let (after, done) = (progress.found.chain()?, progress.found.parts.clone());
    let options = VerifyOptions {
        at: request.at,
        keys: Some(keys),
        chain: Some(ChainOptions {
            trusted: &trusted,
            marks: &marks,
            after,
        }),
        done: Some(&done),
    };
    let teller = Teller::new();
    let mut report = verify_as(store, &options, |step| {
        progress.note(&step);
        teller.tell(&step);
    })
    .await?;
    if let Some(a_second) = request.ask_payments {
        teller.end();
        let gateway = NiceClient::new(settings.nice_config())?;
        let range = ask_payments::Range {
            after: progress.found.asked.unwrap_or_default(),
            up_to: report.position,
            a_second,
        };
        let teller = Teller::new();
        let found = ask_payments::run(store, &gateway, range, |step| {
            progress.note_asked(&step);
            teller.tell_asked(&step);
        })
        .await?;
        report.differences.extend(found);
    }
    progress.remove();
    teller.end();
    println!("{}", report_text(&report));
    if report.is_clean() {
        Ok(())
    } else {
        let (differences, unfinished) = (report.differences.len(), report.unfinished.len());
        anyhow::bail!("{differences} differences, {unfinished} read models not compared")
    }
}

/// Parts of the log that were verified without a difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct VerifiedState {
    /// The verified position; none for the present state.
    at: Option<i64>,
    /// The last block of the chain that was verified.
    chain: Option<String>,
    /// The parts completed, with their positions.
    parts: Positions,
    /// The position up to which the gateway's payments agree with the log.
    #[serde(default)]
    asked: Option<i64>,
}

impl VerifiedState {
    fn chain(&self) -> anyhow::Result<Option<ChainCheckpoint>> {
        Ok(self
            .chain
            .as_deref()
            .map(str::parse::<ChainCheckpoint>)
            .transpose()?)
    }
}

/// Progress of a verification, stored until it ends so that it can be resumed.
struct ProgressFile {
    file: PathBuf,
    found: VerifiedState,
}

impl ProgressFile {
    /// Starts from the beginning, or resumes an interrupted verification of the same position, if there is one.
    fn begin(file: PathBuf, at: Option<i64>, resume: bool) -> anyhow::Result<Self> {
        let found = match fs::read_to_string(&file) {
            Ok(text) if resume => serde_json::from_str::<VerifiedState>(&text)?,
            Err(error) if resume && error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => VerifiedState::default(),
        };
        let begin = Self {
            file,
            found: match found.at == at {
                true => found,
                false => VerifiedState {
                    at,
                    ..VerifiedState::default()
                },
            },
        };
        if begin.found.parts.is_empty() && begin.found.chain.is_none() {
            begin.remove();
        }
        Ok(begin)
    }

    fn note(&mut self, step: &Progress) {
        match step {
            Progress::Chain(step) if step.clean => {
                self.found.chain = Some(step.mark.to_string());
                if step.mark.number % BLOCKS_APART == 0 {
                    self.write();
                }
            }
            Progress::Right(part) => {
                let (name, position) = (part.name.to_owned(), part.position);
                self.found.parts.insert(name, position);
                self.write();
            }
            Progress::Chain(_) | Progress::Log(_) => {}
        }
    }

    fn note_asked(&mut self, step: &ask_payments::Step) {
        if step.clean {
            self.found.asked = Some(step.position);
            self.write();
        }
    }

    /// A verification whose progress cannot be stored continues.
    fn write(&self) {
        if let Ok(text) = serde_json::to_string(&self.found) {
            private_file::replace(&self.file, &text).ok();
        }
    }

    fn remove(&self) {
        fs::remove_file(&self.file).ok();
    }
}

/// Prints the progress to a terminal.
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
            Progress::Right(part) => eprint!("\r{}: {}   ", part.name, part.position),
        }
        drop(std::io::stderr().flush());
    }

    fn tell_asked(&self, step: &ask_payments::Step) {
        if self.live {
            let ask_payments::Step {
                position,
                up_to,
                asked,
                ..
            } = step;
            eprint!("\rpayment service: {position} / {up_to} ({asked} asked)   ");
            drop(std::io::stderr().flush());
        }
    }

    fn end(&self) {
        if self.live {
            eprintln!();
        }
    }
}

/// The report as text.
pub fn report_text(report: &Report) -> String {
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
    let fresh = report.models.iter();
    let fresh = fresh.filter(|(model, _)| !report.earlier.contains_key(*model));
    lines.extend(fresh.map(|(model, position)| format!("  {model}  {position}")));
    lines.extend(
        report
            .earlier
            .iter()
            .map(|(part, position)| format!("  {part}  {position} (중단되기 전에 확인)")),
    );
    let unfinished = report.unfinished.iter();
    lines.extend(unfinished.map(|model| format!("  {model}  이 프로그램의 판으로 다시 만드는 중")));
    lines.extend(report.differences.iter().take(TOLD_MOST).map(difference));
    match report.differences.len() {
        0 if !report.unfinished.is_empty() => lines.push(
            "나머지는 모두 맞습니다. 다시 만들기가 끝나면 한 번 더 확인해 주세요.".to_owned(),
        ),
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

/// The fields that differ between two rows.
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use projections::verify::Part;

    #[test]
    fn what_was_cut_off_is_gone_on_from_by_who_asks_for_the_same_moment() {
        let folder = tempfile::tempdir().unwrap();
        let begin = |at, resume| ProgressFile::begin(folder.path().join(FILE), at, resume).unwrap();
        let cut_off = || {
            let mut progress = begin(Some(7), false);
            progress.note(&Progress::Right(Part {
                name: "stock",
                position: 7,
            }));
            progress.found
        };
        let found = cut_off();
        assert_eq!(found.parts.get("stock"), Some(&7));
        assert_eq!(begin(Some(7), true).found, found);
        // The queries to the gateway are resumed too, from the last position without differences.
        let step = |position, clean| ask_payments::Step {
            position,
            up_to: 9,
            asked: 1,
            clean,
        };
        let mut asking = begin(Some(7), true);
        asking.note_asked(&step(3, true));
        asking.note_asked(&step(5, false));
        assert_eq!(begin(Some(7), true).found.asked, Some(3));
        assert_eq!(begin(Some(7), true).found.parts, found.parts);
        // With another position, or from the beginning, the stored progress is discarded.
        for (at, resume) in [(Some(8), true), (None, true), (Some(7), false)] {
            cut_off();
            let begun = begin(at, resume).found;
            assert_eq!((begun.parts, begun.asked), (Positions::new(), None));
            assert_eq!(begin(Some(7), true).found.parts, Positions::new());
        }
    }
}
