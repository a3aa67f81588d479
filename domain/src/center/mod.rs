//! The customer centre: answers prepared for everybody ([`Faq`]), announcements of the shop ([`Notice`]), and questions of members to
//! the shop ([`CenterQuestion`]), what anybody writes to it ([`Contact`]), forms ([`InquiryForm`]) and what is sent with them ([`Inquiry`]),
//! and texts of answers to choose from ([`AnswerTemplate`]).

mod answer_template;
mod contact;
mod faq;
mod form;
mod inquiry;
mod notice;
mod question;

pub use answer_template::{AnswerTarget, AnswerTemplate};
pub use contact::{Contact, ContactDetails, ContactForm, ContactTopic, contact_kept_until};
pub use faq::{Faq, Topic};
pub use form::{
    ANSWER_FILES_MOST, FORM_FIELDS_MOST, FormAnswers, FormField, FormFieldType, InquiryForm,
    answer_text, checked_answers,
};
pub use inquiry::{Inquiry, InquiryDetails, InquirySubmission};
pub use notice::{Attachment, Notice, NoticeCategory};
pub use question::{CenterQuestion, QUESTION_FILES_MOST};
