//! Public content of the shop.

mod banners;
mod terms;
