//! The use cases of the shop: what users, policies and the command line can do, independent of the interface they use.
//!
//! | topic | module |
//! |---|---|
//! | dependencies of the use cases | [`app`] |
//! | access rules | [`access`] |
//! | records edited in the console | [`resources`] |
//! | orders | [`orders`] |
//! | payments, methods of payment | [`payments`], [`payment_methods`] |
//! | coupons | [`coupons`] |
//! | members, hashing passwords, finding members by nickname | [`members`], [`passwords`], [`nickname_index`] |
//! | messages: mail and its outbox | [`messages`] |
//! | uploaded files, their storage on disk | [`files`], [`blob_store`] |
//! | HTML and JSON from requests | [`html`], [`json`] |
//! | automatic commands: policies, deadlines | [`policies`] |
//! | executing commands: units of work, retries, idempotency | [`executor`] |
//! | errors: codes, classes, messages | [`error`] |
//! | the records that prices depend on | [`pricing_rules`] |
//! | terms and conditions | [`terms`] |
//! | scopes of reserved names | [`reservations`] |
//! | ended sign-ins, whose access tokens are refused | [`revoked_sign_ins`] |
//!
//! This crate does not depend on HTTP: statuses, headers and bodies are in the main program.

pub mod access;
pub mod alarm_hub;
pub mod app;
pub mod blob_store;
pub mod bulk_grants;
pub mod clock;
pub mod contacts;
pub mod coupon_codes;
pub mod coupon_offers;
pub mod coupon_reach;
pub mod coupons;
pub mod due_timer;
pub mod error;
pub mod executor;
pub mod files;
pub mod html;
pub mod inquires;
pub mod inquiries;
pub mod json;
pub mod member_records;
pub mod members;
pub mod messages;
pub mod metrics;
pub mod nickname_index;
pub mod orders;
pub mod passwords;
pub mod payment_methods;
pub mod payments;
pub mod points;
pub mod policies;
pub mod pricing_rules;
pub mod questions;
pub mod raffles;
pub mod reservations;
pub mod resources;
pub mod reviews;
pub mod revoked_sign_ins;
pub mod sendings;
pub mod terms;

pub use app::{App, AppSettings};
pub use error::{AppError, AppResult, Code, Outcome};
