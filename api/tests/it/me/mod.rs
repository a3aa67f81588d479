//! `/api/v1/me`.

mod alarm_streams;
mod alarms;
mod carts;
mod coupon_codes;
mod coupons;
mod destinations;
mod info;
mod likes;
mod orders;
mod purchases;
mod raffles;
mod reviews;
mod watches;
pub mod withdraw;
