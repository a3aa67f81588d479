//! The log on a real Postgres: one server for all of these tests, one database for each.

#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod append;
#[expect(clippy::unwrap_used, reason = "tests")]
mod backup;
#[expect(clippy::unwrap_used, reason = "tests")]
mod cqrs;
#[expect(clippy::unwrap_used, reason = "tests")]
mod failover;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod group;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod hash_chain;
#[expect(clippy::unwrap_used, reason = "tests")]
mod horizon;
#[expect(clippy::unwrap_used, reason = "tests")]
mod keys;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod locked;
#[expect(clippy::unwrap_used, reason = "tests")]
mod reading;
#[expect(clippy::unwrap_used, reason = "tests")]
mod rebuild;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod runner;
#[expect(clippy::unwrap_used, reason = "tests")]
mod samples;
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod snapshots;
#[expect(clippy::unwrap_used, reason = "tests")]
mod support;
#[expect(clippy::unwrap_used, reason = "tests")]
mod upgrade;
