//! Public endpoints of the shop: the catalogue, the price of an order, placing and finding orders.

pub mod bests;
pub mod brands;
pub mod cards;
pub mod categories;
pub mod category_details;
pub mod center;
pub mod coupons;
pub mod displays;
pub mod forms;
pub mod inquires;
pub mod islands;
pub mod orders;
pub mod points;
pub mod products;
pub mod promotions;
pub mod raffles;
pub mod reviews;
pub mod search_terms;
pub mod setting;
pub mod shippings;
pub mod showrooms;
pub mod stores;
pub mod window;
