//! `/api/v1/shop`, and the public content of the shop.

mod bests;
mod brands;
mod categories;
mod center;
mod contacts;
mod displays;
mod forms;
mod inquires;
pub mod orders;
mod products;
mod promotions;
mod recaptcha;
mod search;
mod shippings;
mod stores;
mod window;
