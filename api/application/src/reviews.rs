//! Reviews by buyers: one for each confirmed purchase.

use domain::ids::{MemberId, derived_id};
use domain::order::Order;
use domain::record::{Document, Record, RecordCommand};
use domain::review::{Review, ReviewWords};
use event_store::{StreamId, Versioned};
use projections::reviews::{self, ReviewRow};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};
use crate::member_records::{self, CreatedRecord, OwnRecord};
use crate::orders::find::{FoundOrder, order_no_of};

/// The id of a purchase's review: derived from the purchase, so that a purchase has only one review stream.
fn id_of_review(purchase_no: &str) -> Uuid {
    derived_id(&format!("review of {purchase_no}"))
}

/// A member's own review, read from its stream and so always current.
///
/// # Errors
/// `not_found`, also for a review of another member.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<ReviewRow> {
    let own = OwnRecord::<Review>::load(app, id, member).await?;
    reviews::of_events(&own.events)?.ok_or_else(AppError::not_found)
}

/// Writes the review of a purchase. It is decided on the order's own stream, which must not change meanwhile. A review that was removed by
/// its author may be written again. Returns its id.
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
            .with_result(CreatedRecord { id })
    });
    let done = done.await?;
    let CreatedRecord { id } = done.result()?;
    Ok((id, done))
}

/// Changes the text of a review.
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
    let changed = |before: Review| before.saying(words.clone());
    member_records::change(app, command, member, id, changed).await
}

fn stream(id: Uuid) -> StreamId {
    StreamId::of::<Record<Review>>(id)
}

fn document(review: &Review) -> AppResult<Document> {
    let value = serde_json::to_value(review)?;
    Ok(value.as_object().cloned().unwrap_or_default())
}
