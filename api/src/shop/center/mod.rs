//! The customer centre: frequently asked questions, announcements, and the member's own questions.

pub mod faqs;
pub mod notices;
pub mod questions;
