//! `/api/v1/me/orders`.

mod cancel;
mod claims;
mod exchanges;
mod fees;
mod parcel;
mod races;
mod reopening;
mod returns;
