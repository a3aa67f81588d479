//! The payment service, as shoppers and the service itself meet it.

pub mod approval;
pub mod cancel;
pub mod config;
pub mod generate;
pub mod notice;
pub mod pay;
pub mod response;
