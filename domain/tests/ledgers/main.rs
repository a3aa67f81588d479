//! The ledgers at work: given what happened, when somebody acts, then what happens next.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has to stop"
)]

mod books;
mod coupon;
mod deadline;
mod file;
mod given;
mod issuing;
mod member;
mod order;
mod payment;
mod placing;
mod points;
mod properties;
mod record;
mod sentence;
mod shop;
mod stock;
mod transitions;
mod unit_of_work;
