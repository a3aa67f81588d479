//! The program as its users meet it: over HTTP, on a real Postgres, with a clock that can be moved.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod auth;
mod documents;
mod headers;
mod idempotency;
mod joining;
mod refusals;
mod support;
