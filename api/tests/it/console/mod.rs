//! `/api/console`.

mod bulk_points;
mod causes;
mod claim_files;
mod coupon_statistics;
mod deliveries;
mod explanations;
mod history;
mod orders;
mod points;
mod projections;
mod purchases;
mod records;
mod refunds;
mod statistics;
mod user_coupons;
mod views;
