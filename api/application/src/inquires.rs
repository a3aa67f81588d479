//! Inquiries of members about products: asked, changed, removed and brought back by their asker.

use domain::catalogue::Product;
use domain::event::Decider;
use domain::ids::{MemberId, ProductId};
use domain::inquire::{AnswerState, Inquire, Question};
use domain::record::{Record, RecordCommand};
use domain::{Context, Purpose, Sealed};
use event_store::{Expected, StreamAppend, StreamId, Versioned};
use projections::inquires::{self, InquireRow};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// A member's own inquiry as its stream tells it, so never behind.
///
/// # Errors
/// `not_found`, also for somebody else's.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<InquireRow> {
    Ok(LoadedInquire::own(app, id, member).await?.row)
}

/// What a member asks.
#[derive(Clone, Debug)]
pub struct InquireWords {
    /// In a line.
    pub subject: String,
    /// In full.
    pub content: String,
    /// Only the member, the seller and staff may read it.
    pub secret: bool,
}

impl InquireWords {
    /// The question, sealed with the asker's key.
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

/// Asks about a product that is on show. Returns the inquiry's id.
///
/// # Errors
/// `not_found` for a product nobody sees; `invalid`.
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

/// Asks in other words, as long as nobody has answered.
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
    LoadedInquire::own(app, id, member).await?;
    let question = &words.seal(app, member).await?;
    let changed = app.executor.transact(command, |context| async move {
        let inquire = LoadedInquire::own(app, id, member).await?;
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

/// Takes it back.
///
/// # Errors
/// `not_found`.
pub async fn remove(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
) -> AppResult<CommandOutcome> {
    let removed = app.executor.transact(command, |context| async move {
        let inquire = LoadedInquire::own(app, id, member).await?;
        inquire.decide(RecordCommand::Remove, &context)
    });
    removed.await
}

/// Brings it back, unless staff removed it.
///
/// # Errors
/// `not_found`, `not_allowed_now`.
pub async fn restore(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
) -> AppResult<CommandOutcome> {
    let restored = app.executor.transact(command, |context| async move {
        let inquire = LoadedInquire::own(app, id, member).await?;
        if inquire.row.removed && inquire.row.barred {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let document = inquire.row.data.clone();
        inquire.decide(RecordCommand::Restore(document), &context)
    });
    restored.await
}

/// An inquiry with what its events say of it: the record itself does not know who removed it.
struct LoadedInquire {
    id: Uuid,
    record: Versioned<Record<Inquire>>,
    row: InquireRow,
}

impl LoadedInquire {
    async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<Self> {
        let stream = StreamId::of::<Record<Inquire>>(id);
        let events = app.store.read_stream(&stream).await?;
        let row = inquires::of_events(&events)?.filter(|row| row.author == member);
        Ok(Self {
            id,
            record: Versioned::fold(&events)?,
            row: row.ok_or_else(AppError::not_found)?,
        })
    }

    fn decide(&self, act: RecordCommand<Inquire>, context: &Context) -> AppResult<AppendBatch> {
        let append = decide(self.id, &self.record, act, context)?;
        Ok(AppendBatch::of([append]))
    }
}
