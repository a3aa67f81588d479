//! The customer centre: answers prepared for everybody ([`Faq`]) and announcements of the shop ([`Notice`]).

mod faq;
mod notice;

pub use faq::{Faq, Topic};
pub use notice::{Attachment, Notice, NoticeCategory};
