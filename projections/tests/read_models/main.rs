//! The read models on a real Postgres: a simulated shop writes its log, the runner builds the read models, and they are compared with folds
//! that share no code with them.

#[expect(clippy::unwrap_used, reason = "tests")]
mod batches;
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::panic,
    reason = "tests"
)]
mod lists;
#[expect(
    clippy::unwrap_used,
    clippy::as_conversions,
    clippy::print_stdout,
    reason = "tests"
)]
mod quarter;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod rows;
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "tests"
)]
mod shop;
#[expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod state;
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]
mod verifying;
