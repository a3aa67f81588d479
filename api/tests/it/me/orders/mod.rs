//! `/api/v1/me/orders`.

mod cancel;
mod cheaper;
mod claim_dates;
mod claim_pictures;
mod claims;
mod dearer;
mod exchanges;
mod fees;
mod kept_coupons;
mod parcel;
mod races;
mod reopening;
mod returns;
mod transferred_fees;
