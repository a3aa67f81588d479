//! The payment service.

pub mod units;
