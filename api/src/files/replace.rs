//! Replacing a file, and its row in the list, which follows from the file's ledger.
//!
//! What is given lies on disk first, then it is an event, then the row says so. Whoever is cut off after the event is finished by the
//! policy `files`, or by who replaces the file next.

use crate::http::ApiResult;
use application::executor::RequestOrigin;
use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, Request};
use domain::file::{File, FileCommand, FileContent, FileEvent};
use domain::{Decider, Purpose, Sealed};
use event_store::{Expected, StoredEvent, StreamAppend, StreamId};
use projections::state::files::{self, StoredFile};
use time::OffsetDateTime;
use uuid::Uuid;

use super::folder::FileName;
use super::form::{file_missing, received};
use super::take::{Made, full, hash_of, keep, made};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code, RequestMeta, StaffOrSeller};
use application::executor::{AppendBatch, CommandContext, CommandOutcome};

/// What a form says about a file; what it leaves out stays.
struct Said {
    content: Option<(String, Made)>,
    name: Option<Sealed<String>>,
    place: Option<i32>,
    owners: Option<BTreeMap<String, String>>,
}

impl Said {
    fn of(&self, before: &FileContent, now: OffsetDateTime) -> FileContent {
        let mut after = before.clone();
        if let Some((hash, made)) = &self.content {
            after.hash.clone_from(hash);
            after.content_type = made.content_type.to_owned();
            (after.size, after.width, after.height) = (made.size, made.width, made.height);
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

/// Makes a file what a form says: what is in it, what it is called, its place, what it belongs to. What the form leaves out
/// stays; what the file was is kept.
///
/// # Errors
/// As [`take`](super::take::take); `not_found` if the file went meanwhile, or its owner was forgotten.
pub(crate) async fn replace(
    app: &AppState,
    who: &StaffOrSeller,
    file: StoredFile,
    request: Request,
) -> ApiResult<(CommandOutcome, StoredFile)> {
    app.limits.uploads.count(who.session.user)?;
    let (mut parts, body) = request.into_parts();
    let origin = RequestOrigin {
        // a file that is this already is not replaced again
        key: None,
        ..RequestMeta::from_request_parts(&mut parts, app).await?.0
    };
    let came = received(app, Request::from_parts(parts, body), file.of_review).await?;
    if came.is_empty() {
        return Err(file_missing().into());
    }
    let (id, owner) = (file.id, file.owner.0);
    let called = app.open(&file.name).await?;
    let name = came.name.as_ref();
    let name = name.or(came.file.as_ref().map(|given| &given.name));
    let mut said = Said {
        name: match name.filter(|name| Some(*name) != called.as_ref()) {
            Some(name) => Some(app.keys.seal(owner, Purpose::Profile, name).await?),
            None => None,
        },
        place: came.index,
        owners: (!came.owners.is_empty()).then_some(came.owners),
        content: None,
    };
    let mut part = "file".to_owned();
    if let Some(given) = came.file {
        part.clone_from(&given.part);
        let hash = hash_of(&given);
        let made = made(given, &hash).await?;
        said.content = Some((hash, made));
    }
    let _held = app.hold().await?;
    follow(app, id).await?;
    let after = said.of(&file.content(), file.uploaded_at);
    let mut alone = files::alone(app.pool(), &after.hash).await?;
    let most = app.settings.limits.uploaded_bytes;
    if !files::has_room(&mut alone, &file.being(after), most).await? {
        return Err(full(&part).into());
    }
    if let Some((_, made)) = &mut said.content {
        let written: Vec<(FileName, Vec<u8>)> = std::mem::take(&mut made.files);
        keep(app, written).await?;
    }
    let command = CommandContext::new("replace-file", who.actor(), &origin);
    let (stream, said) = (&id.to_string(), &said);
    let done = app
        .executor
        .transact(&command, |context| async move {
            let file = files::find(app.pool(), id).await?;
            let file = file.ok_or_else(AppError::not_found)?;
            let loaded = app.store.load::<File>(stream).await?;
            if file.ledger_version() != loaded.version {
                // somebody else replaced it this moment, and was cut off
                return Err(AppError::new(Code::VersionConflict));
            }
            let before = file.content();
            let after = said.of(&before, context.now);
            let (before, after) = (Box::new(before), Box::new(after));
            let Ok(events) = loaded
                .state
                .decide(FileCommand::Replace { before, after }, &context);
            let expected = Expected::Exact(loaded.version);
            let append = StreamAppend::new::<File>(stream, expected, &events)?;
            Ok(AppendBatch::of([append]))
        })
        .await?;
    for told in untold(app, id).await? {
        files::follow(&mut alone, &told).await?;
    }
    alone.commit().await?;
    let file = files::find(app.pool(), id).await?;
    Ok((done, file.ok_or_else(AppError::not_found)?))
}

/// Makes the row of a file what its ledger says; doing it again changes nothing.
///
/// # Errors
/// The database's.
pub(crate) async fn follow(app: &AppState, id: Uuid) -> AppResult<()> {
    for told in untold(app, id).await? {
        let FileEvent::FileReplaced { after, .. } = told.event::<File>()?;
        let mut alone = files::alone(app.pool(), &after.hash).await?;
        files::follow(&mut alone, &told).await?;
        alone.commit().await?;
    }
    Ok(())
}

/// What the ledger of a file says and its row does not say yet.
async fn untold(app: &AppState, id: Uuid) -> AppResult<Vec<StoredEvent>> {
    let Some(file) = files::find(app.pool(), id).await? else {
        return Ok(Vec::new());
    };
    let mut told = app.store.read_stream(&StreamId::of::<File>(id)).await?;
    told.retain(|event| event.version > file.ledger_version());
    Ok(told)
}
