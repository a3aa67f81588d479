//! What the shop told me.

pub mod list;
pub mod mark;
pub mod remove;
pub mod settings;
