//! House rules the compiler cannot check (docs/architecture.md): allowed dependencies.

#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests"
)]

mod crates;
mod rooms;
mod scenarios;
