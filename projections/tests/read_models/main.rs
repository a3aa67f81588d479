//! The read models on a real Postgres: a shop lives through its days in the log, the runner makes the read models of it, and
//! they are compared with folds that were written without them.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "tests"
)]

mod batches;
mod lists;
mod rows;
mod shop;
mod state;
mod verifying;
