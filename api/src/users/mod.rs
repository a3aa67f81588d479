//! Joining, and finding members.

pub mod documents;
pub mod existence;
pub mod find;
pub mod join;
pub mod list;
pub mod show;
pub mod staff;
pub mod unsubscribe;
