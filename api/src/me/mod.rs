//! Endpoints for members' own data.

pub mod advertising;
pub mod alarms;
pub mod carts;
pub mod coupons;
pub mod destinations;
pub mod email;
pub mod info;
pub mod inquires;
pub mod inquiries;
pub mod likes;
pub mod orders;
pub mod payments;
pub mod points;
pub mod purchases;
pub mod raffles;
pub mod reviews;
pub mod verify;
pub mod watches;
pub mod withdraw;
