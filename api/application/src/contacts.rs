//! Contacts: made by guests and members, answered by mail, and erased.

use domain::Purpose;
use domain::center::{Contact, ContactDetails, ContactForm};
use domain::event::Decider;
use domain::forms::phone_digits;
use domain::ids::MemberId;
use domain::inquire::AnswerState;
use domain::record::{Record, RecordCommand, Resource};
use event_store::{Expected, StreamAppend};
use projections::records;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

#[derive(Serialize, Deserialize)]
struct ContactResult {
    id: Uuid,
}

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
    let details = &app.keys.seal(id, Purpose::Statutory, &details).await?;
    let done = app.executor.transact(command, |context| async move {
        let contact = Contact {
            user: member,
            category: form.category,
            details: details.clone(),
            answer: None,
            state: AnswerState::AnswerAwaiting,
            replied_at: None,
        };
        let create = RecordCommand::Create(Box::new(contact));
        let events = Record::<Contact>::default().decide(create, &context)?;
        let append = StreamAppend::new::<Record<Contact>>(id, Expected::NoStream, &events)?;
        AppendBatch::of([append]).with_result(ContactResult { id })
    });
    let done = done.await?;
    let ContactResult { id } = done.result()?;
    Ok((id, done))
}

/// Removes a contact or an inquiry whose legal period is over, and erases it.
///
/// # Errors
/// Database errors.
pub(crate) async fn expire<R: Resource>(
    app: &App,
    command: &CommandContext,
    id: Uuid,
) -> AppResult<()> {
    let removed = app.executor.transact(command, |context| async move {
        let loaded = app.store.load::<Record<R>>(&id.to_string()).await?;
        let append = decide(id, &loaded, RecordCommand::Remove, &context)?;
        Ok(AppendBatch::of([append]))
    });
    removed.await?;
    forget(app, id).await
}

/// Makes a contact or an inquiry unreadable, by its key; idempotent.
///
/// # Errors
/// Database errors.
pub(crate) async fn forget(app: &App, id: Uuid) -> AppResult<()> {
    Ok(app.keys.destroy(id, Purpose::Statutory).await?)
}

/// Makes the contacts or inquiries of a closed account unreadable; idempotent.
///
/// # Errors
/// Database errors.
pub(crate) async fn forget_member<R: Resource>(app: &App, member: MemberId) -> AppResult<()> {
    // A closed account writes no more of them, so once these are in the read model they are complete.
    app.wait_until_current(&[records::NAME]).await?;
    for id in records::ids_of_author(app.pool(), R::KIND, member).await? {
        let id = id.parse().map_err(AppError::internal)?;
        forget(app, id).await?;
    }
    Ok(())
}
