//! Notifications of the member.

pub mod list;
pub mod mark;
pub mod remove;
pub mod settings;
pub mod stream;
