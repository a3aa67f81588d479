//! Endpoints of the payment gateway, for shoppers and for the gateway itself.

pub mod approval;
pub mod cancel;
pub mod config;
pub mod generate;
pub mod notice;
pub mod pay;
pub mod response;
