//! What shows at the front of the shop.

mod banners;
mod terms;
