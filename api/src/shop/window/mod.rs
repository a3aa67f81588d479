//! Public content of the shop: banners, popups, terms. Visibility depends on the shop's clock.

pub mod advertisements;
pub mod band_banners;
pub mod banners;
pub mod logs;
pub mod popups;
pub mod terms;
