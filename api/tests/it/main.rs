//! The program as its users meet it: over HTTP, on a real Postgres, with a clock that can be moved.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod auth;
mod bad_input;
mod documents;
mod guards;
mod headers;
mod idempotency;
mod joining;
mod policies;
mod positions;
mod refusals;
mod shop_journey;
mod shop_support;
mod support;
