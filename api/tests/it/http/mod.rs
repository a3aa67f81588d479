//! Rules for all endpoints.

mod bad_input;
mod connections;
pub mod contract;
mod documents;
mod guards;
mod headers;
mod idempotency;
mod positions;
mod refusals;
mod strangers;
mod web;
