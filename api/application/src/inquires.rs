//! Inquiries of members about products.

use domain::catalogue::Product;
use domain::event::Decider;
use domain::ids::{MemberId, ProductId};
use domain::inquire::{AnswerState, Inquire, Question};
use domain::record::{Document, Record, RecordCommand};
use domain::{Purpose, Sealed};
use event_store::{Expected, StoredEvent, StreamAppend};
use projections::ReadError;
use projections::inquires::{self, InquireRow};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome};
use crate::own_records::{MemberRecord, OwnRecord};

/// A member's own inquiry, read from its stream and so always current.
///
/// # Errors
/// `not_found`, also for an inquiry of another member.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<InquireRow> {
    Ok(OwnRecord::<Inquire>::load(app, id, member).await?.row)
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

#[derive(Serialize, Deserialize)]
struct AskResult {
    id: Uuid,
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
        let act = RecordCommand::Create(Box::new(inquire));
        let events = Record::<Inquire>::default().decide(act, &context)?;
        let append = StreamAppend::new::<Record<Inquire>>(id, Expected::NoStream, &events)?;
        AppendBatch::of([append]).with_result(AskResult { id })
    });
    let done = done.await?;
    let AskResult { id } = done.result()?;
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
    let changed = app.executor.transact(command, |context| async move {
        let inquire = OwnRecord::<Inquire>::load(app, id, member).await?;
        let before = inquire.row.inquire()?;
        if before.state == AnswerState::AnswerComplete {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let after = Inquire {
            question: question.clone(),
            secret: words.secret,
            ..before
        };
        inquire.decide(RecordCommand::Revise(Box::new(after)), &context)
    });
    changed.await
}

impl MemberRecord for Inquire {
    type Row = InquireRow;

    fn row(events: &[StoredEvent]) -> Result<Option<InquireRow>, ReadError> {
        inquires::of_events(events)
    }

    fn author(row: &InquireRow) -> MemberId {
        row.author
    }

    fn document(row: &InquireRow) -> &Document {
        &row.data
    }

    fn is_barred(row: &InquireRow) -> bool {
        row.removed && row.barred
    }
}
