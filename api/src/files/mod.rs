//! Files people give the shop, over HTTP.
//!
//! | topic | module |
//! |---|---|
//! | reading the form of an upload | [`form`] |
//! | the calls of the back office, of members, and of anybody who looks at a file | [`console`], [`members`], [`serve`] |

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

/// A picture in another size.
#[derive(Serialize, ToSchema)]
pub struct FileVariant {
    /// Pixels across.
    width: u32,
    /// Where it is.
    url: String,
}

/// A file the shop keeps.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileView {
    /// The file.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Where it is.
    url: String,
    /// What it was called where it came from; empty once its owner was forgotten.
    name: String,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Bytes at `url`.
    size: i64,
    /// Pixels across, if it is a picture.
    width: Option<u32>,
    /// Pixels down, if it is a picture.
    height: Option<u32>,
    /// The same picture in smaller sizes.
    variants: Vec<FileVariant>,
    /// Its place among the files of one form.
    index: i32,
    /// What it belongs to, as its form said: `_product` and the like to an id.
    owners: BTreeMap<String, String>,
    /// When it was given.
    #[serde(with = "time::serde::rfc3339")]
    uploaded_at: OffsetDateTime,
}

/// What a file was before it was replaced.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierFile {
    /// It.
    #[serde(flatten)]
    file: FileView,
    /// When it was replaced.
    #[serde(with = "time::serde::rfc3339::option")]
    replaced_at: Option<OffsetDateTime>,
    /// The nickname of who replaced it.
    replaced_by: Option<String>,
    /// Position of the event that says so; left out where it was replaced before that was an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<i64>,
}

/// What a file was, the newest first.
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
    /// As its readers see it.
    ///
    /// # Errors
    /// The database's; a forged seal.
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
    /// One file as its readers see it.
    ///
    /// # Errors
    /// The database's; a forged seal.
    pub async fn of(app: &AppState, file: StoredFile) -> AppResult<Self> {
        let file = FileView::of(app, file).await?;
        Ok(Self { file })
    }
}

/// What a file was, until when, and who replaced it.
struct Earlier {
    file: StoredFile,
    until: Option<OffsetDateTime>,
    by: Option<MemberId>,
    position: Option<i64>,
}

impl Earlier {
    /// As the log tells it.
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

    /// As the list keeps it of the time before it was an event.
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
    /// What a file was as its readers see it.
    ///
    /// # Errors
    /// The database's; a forged seal.
    pub async fn of(app: &AppState, file: &StoredFile) -> AppResult<Self> {
        let ledger = StreamId::of::<File>(file.id);
        let told = app.store.read_stream(&ledger).await?;
        let told = told
            .iter()
            .rev()
            .map(|event| Earlier::from_event(file, event));
        let mut earlier = told.collect::<AppResult<Vec<_>>>()?;
        let kept = files::earlier(app.pool(), file.id).await?;
        let untold = kept.into_iter().filter(|file| file.version.is_none());
        earlier.extend(untold.map(Earlier::from_row));
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
