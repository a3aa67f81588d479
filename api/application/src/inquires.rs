//! Inquiries of members about products.

use domain::catalogue::Product;
use domain::ids::{MemberId, ProductId};
use domain::inquire::{Inquire, Question};
use domain::member_record::AnswerState;
use domain::record::Record;
use domain::{Purpose, Sealed};
use projections::inquires::{self, InquireRow};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::member_records::{self, CreatedRecord, OwnRecord, creation};

/// A member's own inquiry, read from its stream and so always current.
///
/// # Errors
/// `not_found`, also for an inquiry of another member.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<InquireRow> {
    let own = OwnRecord::<Inquire>::load(app, id, member).await?;
    inquires::of_events(&own.events)?.ok_or_else(AppError::not_found)
}

/// The text of an inquiry.
#[derive(Clone, Debug)]
pub struct InquireWords {
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub content: String,
    /// Whether only the member, the seller and staff may read it.
    pub secret: bool,
}

impl InquireWords {
    /// The question, sealed with the member's key.
    async fn seal(&self, app: &App, asker: MemberId) -> AppResult<Sealed<Question>> {
        let question = Question {
            subject: self.subject.trim().to_owned(),
            content: self.content.trim().to_owned(),
        };
        question.validate().map_err(AppError::invalid)?;
        Ok(app.keys.seal(asker.0, Purpose::Profile, &question).await?)
    }
}

/// Creates an inquiry about a product that is on display. Returns the inquiry's id.
///
/// # Errors
/// `not_found` for a product that is not on display; `invalid`.
pub async fn ask(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    product: ProductId,
    words: &InquireWords,
) -> AppResult<(Uuid, CommandOutcome)> {
    let question = &words.seal(app, member).await?;
    let id = Uuid::now_v7();
    let done = app.executor.transact(command, |context| async move {
        let stream = product.to_string();
        let about = app.store.load::<Record<Product>>(&stream).await?;
        let about = about.state.data()?;
        if !about.shows {
            return Err(AppError::not_found());
        }
        let inquire = Inquire {
            user: member,
            seller: about.seller,
            product,
            name: about.name,
            question: question.clone(),
            secret: words.secret,
            reply: String::new(),
            state: AnswerState::AnswerAwaiting,
        };
        creation(id, inquire, &context)
    });
    let done = done.await?;
    let CreatedRecord { id } = done.result()?;
    Ok((id, done))
}

/// Changes an inquiry that is not answered yet.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
    words: &InquireWords,
) -> AppResult<CommandOutcome> {
    OwnRecord::<Inquire>::load(app, id, member).await?;
    let question = &words.seal(app, member).await?;
    let changed = |before: Inquire| Inquire {
        question: question.clone(),
        secret: words.secret,
        ..before
    };
    member_records::change(app, command, member, id, changed).await
}
