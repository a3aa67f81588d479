//! `/api/v1/shop`, and what a shop shows at its front.

mod bests;
mod brands;
mod categories;
mod displays;
mod inquires;
pub mod orders;
mod products;
mod search;
mod shippings;
mod stores;
mod window;
