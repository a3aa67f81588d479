//! Endpoints of the payment gateway, for shoppers and for the gateway itself, and of the check against programs.

pub mod approval;
pub mod cancel;
pub mod config;
pub mod generate;
pub mod notice;
pub mod recaptcha;
pub mod response;
