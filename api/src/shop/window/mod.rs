//! The window of the shop: banners, popups, terms. Anybody sees what is shown now, by the shop's clock.

pub mod advertisements;
pub mod band_banners;
pub mod banners;
pub mod logs;
pub mod popups;
pub mod terms;
