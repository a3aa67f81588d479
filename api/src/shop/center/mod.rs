//! The customer centre: frequently asked questions, announcements, the member's own questions, and contacts.

pub mod contacts;
pub mod faqs;
pub mod notices;
pub mod questions;
