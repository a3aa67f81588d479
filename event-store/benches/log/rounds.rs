//! Rounds of the rivals, and their results.

use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::task::JoinSet;

pub type Anything = Box<dyn std::error::Error + Send + Sync>;
pub type Work = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Anything>> + Send + Sync>;

/// Maximum number of pgbench clients: each has a connection, and the server limits those.
const CLIENTS: u32 = 90;

/// Size of the measurement.
pub struct Scale {
    quick: bool,
}

impl Scale {
    /// The scale requested on the command line.
    pub fn asked() -> Self {
        Self {
            quick: std::env::args().any(|word| word == "quick"),
        }
    }

    pub fn callers(&self) -> &'static [u32] {
        if self.quick {
            &[1, 32]
        } else {
            &[1, 8, 32, 256]
        }
    }

    /// Number of rounds of each rival.
    pub fn rounds(&self) -> usize {
        if self.quick { 1 } else { 5 }
    }

    /// Duration of a round.
    pub fn round(&self) -> Duration {
        Duration::from_secs(if self.quick { 1 } else { 3 })
    }

    /// Number of events of a long log.
    pub fn long_log(&self) -> u32 {
        if self.quick { 100_000 } else { 5_000_000 }
    }
}

/// A measured competitor.
pub enum Rival {
    /// Work that each caller repeats.
    Here(Work),
    /// pgbench with this script, at this URL.
    Pgbench { script: String, url: String },
}

impl Rival {
    pub fn here(
        work: impl Fn() -> BoxFuture<'static, Result<(), Anything>> + Send + Sync + 'static,
    ) -> Self {
        Self::Here(Arc::new(work))
    }

    pub async fn round(&self, callers: u32, lasting: Duration) -> Result<Round, Anything> {
        match self {
            Self::Here(work) => here(work, callers, lasting).await,
            Self::Pgbench { script, url } => {
                pgbench(script, url, callers.min(CLIENTS), lasting).await
            }
        }
    }
}

/// Result of a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round {
    /// Operations per second.
    pub each_second: u128,
    /// Median duration of an operation; zero: unknown.
    pub p50: Duration,
    /// 99th percentile of the duration.
    pub p99: Duration,
}

impl Round {
    pub fn rate(&self) -> String {
        format!("{}/s", self.each_second)
    }

    pub fn p50(&self) -> String {
        format!("{:.2?}", self.p50)
    }

    pub fn p99(&self) -> String {
        format!("{:.2?}", self.p99)
    }

    /// How many times as fast as another.
    pub fn of(&self, other: &Self) -> String {
        times(self.each_second, other.each_second)
    }
}

/// Runs the rivals in turns; returns the median of each.
pub async fn compare<const N: usize>(
    scale: &Scale,
    callers: u32,
    rivals: &[Rival; N],
) -> Result<[Round; N], Anything> {
    let mut all: [Vec<Round>; N] = std::array::from_fn(|_| Vec::new());
    for turn in 1..=scale.rounds() {
        for (rival, rounds) in rivals.iter().zip(&mut all) {
            let round = rival.round(callers, scale.round()).await?;
            eprintln!("{callers} callers, turn {turn}: {round:.2?}");
            rounds.push(round);
        }
    }
    Ok(all.map(|rounds| Round {
        each_second: median(rounds.iter().map(|round| round.each_second)),
        p50: median(rounds.iter().map(|round| round.p50)),
        p99: median(rounds.iter().map(|round| round.p99)),
    }))
}

pub fn median<T: Copy + Default + Ord>(figures: impl Iterator<Item = T>) -> T {
    let mut sorted: Vec<T> = figures.collect();
    sorted.sort_unstable();
    at(&sorted, 50)
}

/// Ratio of two numbers.
pub fn times(one: u128, other: u128) -> String {
    let hundredths = one * 100 / other.max(1);
    format!("{}.{:02}x", hundredths / 100, hundredths % 100)
}

/// Rate per second of this many operations.
pub fn each_second(times: usize, took: Duration) -> Result<u128, Anything> {
    Ok(u128::try_from(times)? * 1_000 / took.as_millis().max(1))
}

/// The given percentile of sorted values.
pub fn at<T: Copy + Default>(sorted: &[T], percent: usize) -> T {
    sorted
        .get(sorted.len() * percent / 100)
        .copied()
        .unwrap_or_default()
}

async fn here(work: &Work, callers: u32, lasting: Duration) -> Result<Round, Anything> {
    let until = Instant::now() + lasting;
    let mut tasks = JoinSet::new();
    for _ in 0..callers {
        let work = Arc::clone(work);
        tasks.spawn(async move {
            let mut times = Vec::new();
            while Instant::now() < until {
                let since = Instant::now();
                work().await?;
                times.push(since.elapsed());
            }
            Ok::<_, Anything>(times)
        });
    }
    let mut times: Vec<Duration> = Vec::new();
    while let Some(done) = tasks.join_next().await {
        times.extend(done??);
    }
    times.sort_unstable();
    Ok(Round {
        each_second: each_second(times.len(), lasting)?,
        p50: at(&times, 50),
        p99: at(&times, 99),
    })
}

async fn pgbench(
    script: &str,
    url: &str,
    clients: u32,
    lasting: Duration,
) -> Result<Round, Anything> {
    let mut child = Command::new("pgbench")
        .args(["--no-vacuum", "--protocol=prepared", "--file=-"])
        .args([
            format!("--client={clients}"),
            format!("--jobs={}", clients.min(2)),
        ])
        .arg(format!("--time={}", lasting.as_secs()))
        .arg(url)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("pgbench (Debian: postgresql-contrib): {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(script.as_bytes()).await?;
    }
    let output = child.wait_with_output().await?;
    let said = String::from_utf8(output.stdout)?;
    let each_second = said
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .and_then(|rest| rest.split('.').next())
        .ok_or_else(|| format!("pgbench said: {said}"))?
        .parse()?;
    Ok(Round {
        each_second,
        ..Round::default()
    })
}
