//! The customer centre: answers prepared for everybody ([`Faq`]), announcements of the shop ([`Notice`]), and questions of members to
//! the shop ([`CenterQuestion`]).

mod faq;
mod notice;
mod question;

pub use faq::{Faq, Topic};
pub use notice::{Attachment, Notice, NoticeCategory};
pub use question::{CenterQuestion, QUESTION_FILES_MOST};
