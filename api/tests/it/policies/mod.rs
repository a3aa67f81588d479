//! What the shop does by itself.

mod coupon_days;
mod coupons;
mod deliveries;
mod guest_records;
mod many_birthdays;
mod order_mails;
mod orders;
mod outbox;
mod points;
mod reactions;
mod text_kills;
mod text_reports;
mod texts;
