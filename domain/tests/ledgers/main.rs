//! Tests of the aggregates: given past events, when a command is decided, then these events follow.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has to stop"
)]

mod birthday_month;
mod books;
mod bulk_coupon;
mod bulk_grant;
mod coupon;
mod coupon_codes;
mod coupon_definition;
mod coupon_rules;
mod deadline;
mod file;
mod given;
mod issuing;
mod matrix;
mod member;
mod message;
mod order;
mod payment;
mod placing;
mod points;
mod properties;
mod record;
mod sending;
mod sentence;
mod shop;
mod stock;
mod transitions;
mod unit_of_work;
