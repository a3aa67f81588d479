//! The customer centre: frequently asked questions and announcements.

pub mod faqs;
pub mod notices;
