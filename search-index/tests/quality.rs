//! Search quality: one set of tables for every engine.

mod common;
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::float_arithmetic,
    reason = "tests"
)]
mod fake;
mod serving;

#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]
#[path = "quality/mod.rs"]
mod quality;
