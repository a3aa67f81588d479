//! Reviews by buyers: one of each purchase that is final, written, changed, removed and brought back by its writer.

use domain::Context;
use domain::ids::{MemberId, derived_id};
use domain::order::Order;
use domain::record::{Document, Record, RecordCommand};
use domain::review::{Review, ReviewWords};
use event_store::{StreamId, Versioned};
use projections::reviews::{self, ReviewRow};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};
use crate::orders::find::{FoundOrder, order_no_of};

/// The review of a purchase: its id follows from the purchase, so that two of them are one stream, and come to one.
fn id_of_review(purchase_no: &str) -> Uuid {
    derived_id(&format!("review of {purchase_no}"))
}

/// A member's own review as its stream tells it, so never behind.
///
/// # Errors
/// `not_found`, also for somebody else's.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<ReviewRow> {
    Ok(LoadedReview::own(app, id, member).await?.row)
}

#[derive(Serialize, Deserialize)]
struct WriteResult {
    id: Uuid,
}

/// Reviews a purchase, decided from the order's own stream, which may not move meanwhile. One that was removed by its writer may be
/// written again. Returns its id.
///
/// # Errors
/// `not_found`, `purchase_not_confirmed`, `review_written`, `not_allowed_now`, `invalid`.
pub async fn write(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    purchase_no: &str,
    words: ReviewWords,
) -> AppResult<(Uuid, CommandOutcome)> {
    let order_no = order_no_of(purchase_no)?;
    let words = &words;
    let done = app.executor.transact(command, |context| async move {
        let order = FoundOrder::by_id_or_no(app, order_no).await?;
        let review = Review::of_purchase(&order.order.state, purchase_no, member, words.clone())?;
        let id = id_of_review(purchase_no);
        let events = app.store.read_stream(&stream(id)).await?;
        let record = Versioned::fold(&events)?;
        let act = match reviews::of_events(&events)? {
            None => RecordCommand::Create(Box::new(review)),
            Some(row) if !row.removed => return Err(AppError::new(Code::ReviewWritten)),
            Some(row) if row.barred => return Err(AppError::new(Code::NotAllowedNow)),
            Some(row) => RecordCommand::Restore(document(&row.review()?.saying(words.clone()))?),
        };
        AppendBatch::of([decide::<Record<Review>>(id, &record, act, &context)?])
            .require(StreamId::of::<Order>(order.id), order.order.version)
            .with_result(WriteResult { id })
    });
    let done = done.await?;
    let WriteResult { id } = done.result()?;
    Ok((id, done))
}

/// Says it in other words.
///
/// # Errors
/// `not_found`, `invalid`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
    words: ReviewWords,
) -> AppResult<CommandOutcome> {
    let words = &words;
    let changed = app.executor.transact(command, |context| async move {
        let review = LoadedReview::own(app, id, member).await?;
        let after = review.row.review()?.saying(words.clone());
        review.decide(RecordCommand::Revise(Box::new(after)), &context)
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
        let review = LoadedReview::own(app, id, member).await?;
        review.decide(RecordCommand::Remove, &context)
    });
    removed.await
}

/// Brings it back as it was, unless staff removed it.
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
        let review = LoadedReview::own(app, id, member).await?;
        if review.row.barred && review.row.removed {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        review.decide(RecordCommand::Restore(review.row.data.clone()), &context)
    });
    restored.await
}

/// A review with what its events say of it: the record itself does not know who removed it.
struct LoadedReview {
    id: Uuid,
    record: Versioned<Record<Review>>,
    row: ReviewRow,
}

impl LoadedReview {
    async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<Self> {
        let events = app.store.read_stream(&stream(id)).await?;
        let row = reviews::of_events(&events)?.filter(|row| row.author == member);
        Ok(Self {
            id,
            record: Versioned::fold(&events)?,
            row: row.ok_or_else(AppError::not_found)?,
        })
    }

    fn decide(&self, act: RecordCommand<Review>, context: &Context) -> AppResult<AppendBatch> {
        let append = decide(self.id, &self.record, act, context)?;
        Ok(AppendBatch::of([append]))
    }
}

fn stream(id: Uuid) -> StreamId {
    StreamId::of::<Record<Review>>(id)
}

fn document(review: &Review) -> AppResult<Document> {
    let value = serde_json::to_value(review)?;
    Ok(value.as_object().cloned().unwrap_or_default())
}
