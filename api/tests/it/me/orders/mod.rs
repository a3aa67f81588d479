//! `/api/v1/me/orders`.

mod cancel;
mod claims;
mod returns;
