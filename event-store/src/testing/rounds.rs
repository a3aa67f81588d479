//! Measures durations over many rounds, for benchmarks.

use std::time::{Duration, Instant};

/// The sorted durations of these rounds; a tenth as many unmeasured rounds run before, as a warm-up.
///
/// # Errors
/// The error of a round.
pub async fn measured<E>(
    rounds: usize,
    work: impl AsyncFn() -> Result<(), E>,
) -> Result<Vec<Duration>, E> {
    let before = rounds / 10;
    let mut took = Vec::with_capacity(rounds);
    for round in 0..before.saturating_add(rounds) {
        let begun = Instant::now();
        work().await?;
        if round >= before {
            took.push(begun.elapsed());
        }
    }
    took.sort_unstable();
    Ok(took)
}

/// The given percentile of the durations, as text.
pub fn at(sorted: &[Duration], percent: usize) -> String {
    let place = sorted.len().saturating_mul(percent) / 100;
    sorted
        .get(place)
        .map(|took| format!("{took:.1?}"))
        .unwrap_or_default()
}
