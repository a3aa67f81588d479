//! Contacts: made by guests and members, and answered by mail.

use domain::Purpose;
use domain::center::{Contact, ContactDetails, ContactForm};
use domain::forms::phone_digits;
use domain::ids::MemberId;
use domain::member_record::SealedAnswer;
use uuid::Uuid;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};
use crate::member_records;

/// Writes to the shop. Returns the contact's id.
///
/// # Errors
/// Database errors.
pub async fn send(
    app: &App,
    command: &CommandContext,
    member: Option<MemberId>,
    form: &ContactForm,
) -> AppResult<(Uuid, CommandOutcome)> {
    let id = Uuid::now_v7();
    let written = &form.details;
    let trimmed = |text: &str| text.trim().to_owned();
    let details = ContactDetails {
        name: trimmed(&written.name),
        company: trimmed(&written.company),
        email: trimmed(&written.email),
        phone: phone_digits(&written.phone),
        subject: trimmed(&written.subject),
        content: trimmed(&written.content),
    };
    let contact = Contact {
        user: member,
        category: form.category,
        details: app.keys.seal(id, Purpose::Statutory, &details).await?,
        answered: SealedAnswer::default(),
    };
    member_records::create(app, command, id, contact).await
}
