//! Integration tests of the program: over HTTP, on a real Postgres, with a clock that can be advanced.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod addresses;
mod auth;
mod console;
mod files;
mod http;
mod log;
mod me;
mod operations;
mod plugins;
mod policies;
mod program;
mod shop;
mod support;
mod users;
