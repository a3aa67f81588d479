//! Records that members write (reviews, questions, inquiries): created by them, changed, removed and restored by their author, and erased.

use domain::event::Decider;
use domain::ids::MemberId;
use domain::member_record::{MemberRecord, SealedAnswer};
use domain::record::{Document, Record, RecordCommand, Resource};
use domain::{Actor, Context, Purpose};
use event_store::{Expected, StoredEvent, StreamAppend, StreamId, Versioned};
use projections::record_lists::{AUTHOR, Column, Order, RecordListQuery, Source, Test, narrowed};
use projections::records::{self, RecordRow};
use projections::{ListPage, Page};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};
use crate::json::typed;

/// A record with what its events say besides its document.
#[derive(Clone, Debug)]
pub struct OwnRow<R> {
    /// Its id.
    pub id: String,
    /// The record.
    pub record: R,
    /// The document as stored, with fields that this build does not know.
    document: Document,
    /// Marked as removed.
    pub removed: bool,
    /// Removed by staff: its author may not restore it.
    barred: bool,
    /// When it was written.
    pub created_at: OffsetDateTime,
}

impl<R: MemberRecord> OwnRow<R> {
    fn from_row(row: RecordRow) -> AppResult<Self> {
        Ok(Self {
            id: row.id,
            record: typed(Value::Object(row.data.clone()))?,
            document: row.data,
            removed: row.removed,
            barred: false,
            created_at: row.created_at,
        })
    }

    fn from_events(events: &[StoredEvent]) -> AppResult<Option<Self>> {
        let Some(first) = events.first() else {
            return Ok(None);
        };
        let mut record = Record::<R>::default();
        let mut barred = false;
        for recorded in events {
            record.evolve(recorded.payload.read()?);
            let actor = Actor::deserialize(&recorded.metadata.actor)?;
            barred = record.removed && matches!(actor, Actor::Operator { .. });
        }
        let document = record.document.unwrap_or_default();
        Ok(Some(Self {
            id: first.stream.id.clone(),
            record: typed(Value::Object(document.clone()))?,
            document,
            removed: record.removed,
            barred,
            created_at: first.metadata.occurred_at,
        }))
    }
}

/// A member's own record, loaded to be changed.
pub(crate) struct OwnRecord<R: MemberRecord> {
    id: Uuid,
    versioned: Versioned<Record<R>>,
    pub(crate) events: Vec<StoredEvent>,
    row: OwnRow<R>,
}

impl<R: MemberRecord> OwnRecord<R> {
    /// Loads it from its stream, so it is always current.
    ///
    /// # Errors
    /// `not_found`, also for a record of another member or a guest.
    pub(crate) async fn load(app: &App, id: Uuid, member: MemberId) -> AppResult<Self> {
        let stream = StreamId::of::<Record<R>>(id);
        let events = app.store.read_stream(&stream).await?;
        let row = OwnRow::<R>::from_events(&events)?;
        let row = row.filter(|row| row.record.author() == Some(member));
        Ok(Self {
            id,
            versioned: Versioned::fold(&events)?,
            row: row.ok_or_else(AppError::not_found)?,
            events,
        })
    }

    fn decide(&self, command: RecordCommand<R>, context: &Context) -> AppResult<AppendBatch> {
        let append = decide(self.id, &self.versioned, command, context)?;
        Ok(AppendBatch::of([append]))
    }
}

/// A member's own record, read from its stream and so always current.
///
/// # Errors
/// `not_found`, also for a record of another member or a guest.
pub async fn own<R: MemberRecord>(app: &App, id: Uuid, member: MemberId) -> AppResult<OwnRow<R>> {
    Ok(OwnRecord::load(app, id, member).await?.row)
}

/// A page of a member's records of a kind, newest first.
///
/// # Errors
/// Database errors.
pub async fn own_list<R: MemberRecord>(
    app: &App,
    member: MemberId,
    page: Page,
) -> AppResult<ListPage<OwnRow<R>>> {
    let query = RecordListQuery {
        source: Source::Records(R::KIND),
        seller: None,
        search: None,
        tests: vec![Test::Is(AUTHOR, member.to_string())],
        removed: false,
        order: Order {
            column: Column::Created,
            descending: true,
            nullable: false,
        },
    };
    let ListPage { total_count, rows } = narrowed(app.pool(), &query, page).await?;
    let rows = rows
        .into_iter()
        .map(OwnRow::from_row)
        .collect::<AppResult<_>>()?;
    Ok(ListPage { total_count, rows })
}

/// Id of the record that a command created, as kept for a repeated command.
#[derive(Serialize, Deserialize)]
pub(crate) struct CreatedRecord {
    pub(crate) id: Uuid,
}

/// The append that creates a record, with its id as the result.
///
/// # Errors
/// `invalid`.
pub(crate) fn creation<R: MemberRecord>(
    id: Uuid,
    record: R,
    context: &Context,
) -> AppResult<AppendBatch> {
    let create = RecordCommand::Create(Box::new(record));
    let events = Record::<R>::default().decide(create, context)?;
    let append = StreamAppend::new::<Record<R>>(id, Expected::NoStream, &events)?;
    AppendBatch::of([append]).with_result(CreatedRecord { id })
}

/// Creates a record. Returns its id, which is that of the first execution if the command is repeated.
///
/// # Errors
/// `invalid`.
pub(crate) async fn create<R: MemberRecord>(
    app: &App,
    command: &CommandContext,
    id: Uuid,
    record: R,
) -> AppResult<(Uuid, CommandOutcome)> {
    let record = &record;
    let created = app.executor.transact(command, |context| async move {
        creation(id, record.clone(), &context)
    });
    let done = created.await?;
    let CreatedRecord { id } = done.result()?;
    Ok((id, done))
}

/// Changes a record of the member's own, as long as its kind allows.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub(crate) async fn change<R: MemberRecord>(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
    changed: impl Fn(R) -> R + Sync,
) -> AppResult<CommandOutcome> {
    let changed = &changed;
    let done = app.executor.transact(command, |context| async move {
        let own = OwnRecord::<R>::load(app, id, member).await?;
        if !own.row.record.is_changeable() {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let after = changed(own.row.record.clone());
        own.decide(RecordCommand::Revise(Box::new(after)), &context)
    });
    done.await
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

/// Restores a removed record unchanged, unless staff removed it or removing erased it.
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
        if own.row.removed && (own.row.barred || R::ERASED_WHEN_REMOVED) {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let document = own.row.document.clone();
        own.decide(RecordCommand::Restore(document), &context)
    });
    restored.await
}

/// The text of a sealed answer; none while there is none, or once it is erased.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn reply_of(app: &App, answered: &SealedAnswer) -> AppResult<Option<String>> {
    match &answered.answer {
        Some(answer) => app.open::<String>(answer).await,
        None => Ok(None),
    }
}

/// Removes a record whose legal period is over, and erases it.
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

/// Makes a record that is sealed with a key of its own unreadable; idempotent.
///
/// # Errors
/// Database errors.
pub(crate) async fn forget(app: &App, id: Uuid) -> AppResult<()> {
    Ok(app.keys.destroy(id, Purpose::Statutory).await?)
}

/// Makes the records of a closed account that are sealed with keys of their own unreadable; idempotent.
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
