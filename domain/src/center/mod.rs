//! The customer centre: answers prepared for everybody ([`Faq`]), announcements of the shop ([`Notice`]), and questions of members to
//! the shop ([`CenterQuestion`]), what anybody writes to it ([`Contact`]), and texts of answers to choose from ([`AnswerTemplate`]).

mod answer_template;
mod contact;
mod faq;
mod notice;
mod question;

pub use answer_template::{AnswerTarget, AnswerTemplate};
pub use contact::{Contact, ContactDetails, ContactForm, ContactTopic, contact_kept_until};
pub use faq::{Faq, Topic};
pub use notice::{Attachment, Notice, NoticeCategory};
pub use question::{CenterQuestion, QUESTION_FILES_MOST};
