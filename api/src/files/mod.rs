//! Uploaded files, over HTTP.
//!
//! | topic | module |
//! |---|---|
//! | reading the form of an upload | [`form`] |
//! | endpoints of the back office, of members, and for downloads | [`console`], [`members`], [`serve`] |

pub mod console;
pub mod form;
pub mod members;
pub mod serve;

use std::collections::BTreeMap;

use application::blob_store::{FileName, WIDTHS};
use application::members::profiles::shown_names;
use domain::Actor;
use domain::file::{File, FileEvent};
use domain::ids::MemberId;
use event_store::{StoredEvent, StreamId};
use projections::state::files::{self, StoredFile};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::AppResult;

/// A smaller variant of a picture.
#[derive(Serialize, ToSchema)]
pub struct FileVariant {
    /// Width in pixels.
    width: u32,
    /// Its URL.
    url: String,
}

/// An uploaded file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileView {
    /// Id of the file.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Its URL.
    url: String,
    /// Original name; empty once its owner's data is erased.
    name: String,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Size in bytes of the file at `url`.
    size: i64,
    /// Width in pixels, for a picture.
    width: Option<u32>,
    /// Height in pixels, for a picture.
    height: Option<u32>,
    /// Smaller variants of the picture.
    variants: Vec<FileVariant>,
    /// Its index among the files of one form.
    index: i32,
    /// The records it belongs to, from its form: ids by field, such as `_product`.
    owners: BTreeMap<String, String>,
    /// Time of the upload.
    #[serde(with = "time::serde::rfc3339")]
    uploaded_at: OffsetDateTime,
}

/// An earlier version of a replaced file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierFile {
    /// The file before the replacement.
    #[serde(flatten)]
    file: FileView,
    /// Time of the replacement.
    #[serde(with = "time::serde::rfc3339::option")]
    replaced_at: Option<OffsetDateTime>,
    /// The nickname of the member who replaced it.
    replaced_by: Option<String>,
    /// Position of the event; left out for replacements that were made before there was an event for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<i64>,
}

/// Earlier versions of a file, newest first.
#[derive(Serialize, ToSchema)]
pub struct FileHistoryAnswer {
    versions: Vec<EarlierFile>,
}

/// One file.
#[derive(Serialize, ToSchema)]
pub struct FileAnswer {
    file: FileView,
}

impl FileView {
    /// The file as returned by the API.
    ///
    /// # Errors
    /// Database errors; a forged seal.
    pub async fn of(app: &AppState, file: StoredFile) -> AppResult<Self> {
        let name = app.open(&file.name).await?.unwrap_or_default();
        let width = file.width.and_then(|width| u32::try_from(width).ok());
        let at = |width| FileName::picture(&file.hash, width).url();
        let variants = width.map_or_else(Vec::new, |across| {
            let smaller = WIDTHS.into_iter().filter(|width| *width <= across);
            smaller
                .map(|width| FileVariant {
                    width,
                    url: at(Some(width)),
                })
                .collect()
        });
        let url = match width {
            Some(_) => at(None),
            None => FileName::document(&file.hash).url(),
        };
        Ok(Self {
            id: file.id,
            url,
            name,
            content_type: file.content_type,
            size: file.size,
            width,
            height: file.height.and_then(|height| u32::try_from(height).ok()),
            variants,
            index: file.place,
            owners: file.owners,
            uploaded_at: file.uploaded_at,
        })
    }
}

impl FileAnswer {
    /// One file as returned by the API.
    ///
    /// # Errors
    /// Database errors; a forged seal.
    pub async fn of(app: &AppState, file: StoredFile) -> AppResult<Self> {
        let file = FileView::of(app, file).await?;
        Ok(Self { file })
    }
}

/// An earlier version of a file, until when it was used, and who replaced it.
struct FileVersion {
    file: StoredFile,
    until: Option<OffsetDateTime>,
    by: Option<MemberId>,
    position: Option<i64>,
}

impl FileVersion {
    /// From the log.
    fn from_event(file: &StoredFile, event: &StoredEvent) -> AppResult<Self> {
        let FileEvent::FileReplaced { before, .. } = event.event::<File>()?;
        let actor: Actor = serde_json::from_value(event.metadata.actor.clone())?;
        Ok(Self {
            file: file.clone().being(*before),
            until: Some(event.metadata.occurred_at),
            by: actor.member(),
            position: Some(event.position),
        })
    }

    /// From the file list, for replacements that were made before there was an event for them.
    fn from_row(file: StoredFile) -> Self {
        Self {
            until: file.replaced_at,
            by: file.replaced_by,
            position: None,
            file,
        }
    }
}

impl FileHistoryAnswer {
    /// The earlier versions of a file as returned by the API.
    ///
    /// # Errors
    /// Database errors; a forged seal.
    pub async fn of(app: &AppState, file: &StoredFile) -> AppResult<Self> {
        let ledger = StreamId::of::<File>(file.id);
        let told = app.store.read_stream(&ledger).await?;
        let told = told
            .iter()
            .rev()
            .map(|event| FileVersion::from_event(file, event));
        let mut earlier = told.collect::<AppResult<Vec<_>>>()?;
        let kept = files::earlier(app.pool(), file.id).await?;
        let untold = kept.into_iter().filter(|file| file.version.is_none());
        earlier.extend(untold.map(FileVersion::from_row));
        let names = shown_names(app, earlier.iter().filter_map(|was| was.by)).await?;
        let mut versions = Vec::with_capacity(earlier.len());
        for was in earlier {
            versions.push(EarlierFile {
                replaced_at: was.until,
                replaced_by: was.by.and_then(|by| names.get(&by).cloned()),
                position: was.position,
                file: FileView::of(app, was.file).await?,
            });
        }
        Ok(Self { versions })
    }
}
