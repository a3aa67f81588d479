//! Endpoints of the payment gateway, for shoppers and for the gateway itself, of the gateway of texts, and of the check against programs.

pub mod approval;
pub mod bounce;
pub mod cancel;
pub mod config;
pub mod generate;
pub mod notice;
pub mod recaptcha;
pub mod report;
pub mod response;
