//! Replaces files, and updates their rows in the list, which follow from the events of the file.
//!
//! The content is written to disk first, then the event is appended, then the row is updated. After a crash between event and row, the
//! policy `files` updates the row, or the next replacement does.

use std::collections::BTreeMap;

use domain::file::{File, FileCommand, FileContent, FileEvent};
use domain::{Decider, Purpose, Sealed};
use event_store::{Expected, StoredEvent, StreamAppend, StreamId};
use projections::state::files::{self, StoredFile};
use time::OffsetDateTime;
use uuid::Uuid;

use super::find::ReplaceableFile;
use super::ingest::{EncodedFile, encode, hash_of, write};
use super::upload::{Upload, file_missing, quota_exceeded};
use crate::app::App;
use crate::blob_store::FileName;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome};

/// Changes requested by an upload; missing fields stay unchanged.
struct FileChange {
    content: Option<(String, EncodedFile)>,
    name: Option<Sealed<String>>,
    place: Option<i32>,
    owners: Option<BTreeMap<String, String>>,
}

impl FileChange {
    fn applied_to(&self, before: &FileContent, now: OffsetDateTime) -> FileContent {
        let mut after = before.clone();
        if let Some((hash, encoded)) = &self.content {
            after.hash.clone_from(hash);
            after.content_type = encoded.content_type.to_owned();
            (after.size, after.width, after.height) = (encoded.size, encoded.width, encoded.height);
        }
        if let Some(name) = &self.name {
            after.name.clone_from(name);
        }
        if let Some(owners) = &self.owners {
            after.owners.clone_from(owners);
        }
        FileContent {
            place: self.place.unwrap_or(after.place),
            given_at: now,
            ..after
        }
    }
}

/// Replaces the content, name, place or owners of a file; the earlier state stays in its history.
///
/// # Errors
/// As [`ingest`](super::ingest::ingest); `not_found` if the file was removed meanwhile, or its owner's account closed.
pub async fn replace(
    app: &App,
    command: &CommandContext,
    file: ReplaceableFile,
    upload: Upload,
) -> AppResult<(CommandOutcome, StoredFile)> {
    if upload.is_empty() {
        return Err(file_missing());
    }
    let file = file.into_file();
    let id = file.id;
    let part = upload.file.as_ref().map(|uploaded| uploaded.part.clone());
    let mut change = change(app, &file, upload).await?;
    let _held = app.hold().await?;
    follow(app, id).await?;
    let after = change.applied_to(&file.content(), file.uploaded_at);
    let mut alone = files::alone(app.pool(), &after.hash).await?;
    let most = app.settings.max_uploaded_bytes;
    if !files::has_room(&mut alone, &file.being(after), most).await? {
        return Err(quota_exceeded(part.as_deref().unwrap_or("file")));
    }
    if let Some((_, encoded)) = &mut change.content {
        let written: Vec<(FileName, Vec<u8>)> = std::mem::take(&mut encoded.files);
        write(app, written).await?;
    }
    let done = append(app, command, id, &change).await?;
    for event in unapplied(app, id).await? {
        files::follow(&mut alone, &event).await?;
    }
    alone.commit().await?;
    let file = files::find(app.pool(), id).await?;
    Ok((done, file.ok_or_else(AppError::not_found)?))
}

async fn change(app: &App, file: &StoredFile, upload: Upload) -> AppResult<FileChange> {
    let uploaded_as = upload.file.as_ref().map(|uploaded| &uploaded.name);
    let name = upload.name.as_ref().or(uploaded_as);
    let present = app.open(&file.name).await?;
    let name = match name.filter(|name| Some(*name) != present.as_ref()) {
        Some(name) => Some(app.keys.seal(file.owner.0, Purpose::Profile, name).await?),
        None => None,
    };
    let content = match upload.file {
        Some(uploaded) => {
            let hash = hash_of(&uploaded);
            let encoded = encode(uploaded, &hash).await?;
            Some((hash, encoded))
        }
        None => None,
    };
    Ok(FileChange {
        content,
        name,
        place: upload.index,
        owners: (!upload.owners.is_empty()).then_some(upload.owners),
    })
}

/// Decides on the current row: it has the earlier state of the file, also for files older than their first event.
async fn append(
    app: &App,
    command: &CommandContext,
    id: Uuid,
    change: &FileChange,
) -> AppResult<CommandOutcome> {
    let stream = &id.to_string();
    app.executor
        .transact(command, |context| async move {
            let file = files::find(app.pool(), id).await?;
            let file = file.ok_or_else(AppError::not_found)?;
            let loaded = app.store.load::<File>(stream).await?;
            if file.ledger_version() != loaded.version {
                // Another replacement crashed before it updated the row.
                return Err(AppError::new(Code::VersionConflict));
            }
            let before = file.content();
            let after = change.applied_to(&before, context.now);
            let (before, after) = (Box::new(before), Box::new(after));
            let Ok(events) = loaded
                .state
                .decide(FileCommand::Replace { before, after }, &context);
            let expected = Expected::Exact(loaded.version);
            let append = StreamAppend::new::<File>(stream, expected, &events)?;
            Ok(AppendBatch::of([append]))
        })
        .await
}

/// Updates the row of a file from its events; repeating it changes nothing.
///
/// # Errors
/// Database errors.
pub async fn follow(app: &App, id: Uuid) -> AppResult<()> {
    for event in unapplied(app, id).await? {
        let FileEvent::FileReplaced { after, .. } = event.event::<File>()?;
        let mut alone = files::alone(app.pool(), &after.hash).await?;
        files::follow(&mut alone, &event).await?;
        alone.commit().await?;
    }
    Ok(())
}

/// The events of a file that its row does not reflect yet.
async fn unapplied(app: &App, id: Uuid) -> AppResult<Vec<StoredEvent>> {
    let Some(file) = files::find(app.pool(), id).await? else {
        return Ok(Vec::new());
    };
    let mut events = app.store.read_stream(&StreamId::of::<File>(id)).await?;
    events.retain(|event| event.version > file.ledger_version());
    Ok(events)
}
