//! Records that members write themselves (reviews, inquiries): removed and restored by their author.

use domain::Context;
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand, Resource};
use event_store::{StoredEvent, StreamId, Versioned};
use projections::ReadError;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};

/// A kind of record that members write themselves.
pub trait MemberRecord: Resource {
    /// Data from the events of a record: the record itself does not contain its author, nor who removed it.
    type Row: Send + Sync;

    /// The row of a stream; none without events.
    ///
    /// # Errors
    /// An event cannot be read.
    fn row(events: &[StoredEvent]) -> Result<Option<Self::Row>, ReadError>;

    /// Its author.
    fn author(row: &Self::Row) -> MemberId;

    /// The whole document.
    fn document(row: &Self::Row) -> &Document;

    /// Whether staff removed it, so that its author may not restore it.
    fn is_barred(row: &Self::Row) -> bool;
}

/// A member's own record with its row.
pub(crate) struct OwnRecord<R: MemberRecord> {
    id: Uuid,
    record: Versioned<Record<R>>,
    pub(crate) row: R::Row,
}

impl<R: MemberRecord> OwnRecord<R> {
    /// Loads it from its stream, so it is always current.
    ///
    /// # Errors
    /// `not_found`, also for a record of another member.
    pub(crate) async fn load(app: &App, id: Uuid, member: MemberId) -> AppResult<Self> {
        let stream = StreamId::of::<Record<R>>(id);
        let events = app.store.read_stream(&stream).await?;
        let row = R::row(&events)?.filter(|row| R::author(row) == member);
        Ok(Self {
            id,
            record: Versioned::fold(&events)?,
            row: row.ok_or_else(AppError::not_found)?,
        })
    }

    pub(crate) fn decide(
        &self,
        command: RecordCommand<R::Data>,
        context: &Context,
    ) -> AppResult<AppendBatch> {
        let append = decide(self.id, &self.record, command, context)?;
        Ok(AppendBatch::of([append]))
    }
}

/// Removes a record of the member's own.
///
/// # Errors
/// `not_found`.
pub async fn remove<R: MemberRecord>(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
) -> AppResult<CommandOutcome> {
    let removed = app.executor.transact(command, |context| async move {
        let own = OwnRecord::<R>::load(app, id, member).await?;
        own.decide(RecordCommand::Remove, &context)
    });
    removed.await
}

/// Restores a removed record unchanged, unless staff removed it.
///
/// # Errors
/// `not_found`, `not_allowed_now`.
pub async fn restore<R: MemberRecord>(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
) -> AppResult<CommandOutcome> {
    let restored = app.executor.transact(command, |context| async move {
        let own = OwnRecord::<R>::load(app, id, member).await?;
        if R::is_barred(&own.row) {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let document = R::document(&own.row).clone();
        own.decide(RecordCommand::Restore(document), &context)
    });
    restored.await
}
