//! Notifications of the member.

pub mod hub;
pub mod list;
pub mod mark;
pub mod remove;
pub mod settings;
pub mod stream;
