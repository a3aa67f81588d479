//! Clients of outside services. One module per service: a trait in the shop's terms, a client that speaks the real
//! protocol, and the errors of both.
//!
//! | module | service | trait | client |
//! |---|---|---|---|
//! | [`mail`] | any SMTP server | [`mail::Mailer`] | [`mail::smtp::SmtpClient`] |
//! | [`payment`] | NICE Payments REST v1 | [`payment::PaymentGateway`] | [`payment::nice::NiceClient`] |
//! | [`sms`] | SOLAPI REST v4: SMS, LMS and AlimTalk | [`sms::SmsGateway`] | [`sms::solapi::SolapiClient`] |
//! | [`recaptcha`] | Google reCAPTCHA `siteverify` | none: only the API asks it | [`recaptcha::RecaptchaClient`] |
//!
//! Callers depend on the trait. A client is built from plain values ([`payment::nice::NiceConfig`]): this crate does not depend on
//! settings, the HTTP server or the database. No call here retries, and none records anything: an intention
//! is appended before the call and its outcome after it, by the caller.
//!
//! The crate `sandbox` imitates these services. It shares the constants of [`payment::protocol`] and nothing else, so that
//! a fault in a client (a wrong signature, a wrong unit) is not repeated on the other side.

mod http;
pub mod mail;
pub mod payment;
pub mod recaptcha;
pub mod sms;
