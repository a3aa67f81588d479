//! How long something takes, round after round: for benches.

use std::time::{Duration, Instant};

/// How long each of so many rounds took, sorted; a tenth as many go before, unmeasured.
///
/// # Errors
/// What a round failed with.
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

/// What so many percent of the rounds stayed below, in words.
pub fn at(sorted: &[Duration], percent: usize) -> String {
    let place = sorted.len().saturating_mul(percent) / 100;
    sorted
        .get(place)
        .map(|took| format!("{took:.1?}"))
        .unwrap_or_default()
}
