//! The house rules a compiler does not know (docs/architecture.md): what may use what.

#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests"
)]

mod crates;
mod rooms;
mod scenarios;
