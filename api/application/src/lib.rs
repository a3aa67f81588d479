//! The use cases of the shop: what people, policies and the command line can do, independent of the door they come through.
//!
//! | topic | module |
//! |---|---|
//! | what every use case may use | [`app`] |
//! | who may see and change what | [`access`] |
//! | records people edit in the console | [`resources`] |
//! | orders | [`orders`] |
//! | payments, methods of payment | [`payments`], [`payment_methods`] |
//! | coupons | [`coupons`] |
//! | members, hashing passwords, finding members by nickname | [`members`], [`passwords`], [`nickname_index`] |
//! | uploaded files, where they are on disk | [`files`], [`blob_store`] |
//! | HTML and JSON people send | [`html`], [`json`] |
//! | what the shop does by itself: policies, deadlines | [`policies`] |
//! | executing commands: units of work, retries, idempotency | [`executor`] |
//! | errors: codes, classes, messages | [`error`] |
//! | the records that prices depend on | [`pricing_rules`] |
//! | terms people agree to | [`terms`] |
//! | scopes of reserved names | [`reservations`] |
//! | ended sign-ins, whose access tokens are refused | [`revoked_sign_ins`] |
//!
//! Nothing here knows HTTP: statuses, headers and bodies stand in the program.

pub mod access;
pub mod app;
pub mod blob_store;
pub mod clock;
pub mod coupon_reach;
pub mod coupons;
pub mod error;
pub mod executor;
pub mod files;
pub mod html;
pub mod inquires;
pub mod json;
pub mod members;
pub mod metrics;
pub mod nickname_index;
pub mod orders;
pub mod own_records;
pub mod passwords;
pub mod payment_methods;
pub mod payments;
pub mod policies;
pub mod pricing_rules;
pub mod reservations;
pub mod resources;
pub mod reviews;
pub mod revoked_sign_ins;
pub mod terms;

pub use app::{App, AppSettings};
pub use error::{AppError, AppResult, Code, Outcome};
