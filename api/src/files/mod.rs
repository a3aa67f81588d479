//! Files people give the shop: pictures and PDF documents.
//!
//! | a line about | belongs in |
//! |---|---|
//! | reading the form a file comes in | [`form`] |
//! | what a file is, by what is in it | [`kind`] |
//! | making a picture safe and small | [`picture`] |
//! | where files are on disk, and under which names | [`folder`] |
//! | taking a file in | [`take`] |
//! | the calls of the back office, of members, and of anybody who looks at a file | [`console`], [`members`], [`serve`] |

pub mod console;
pub mod folder;
pub mod form;
pub mod kind;
pub mod members;
pub mod picture;
pub mod serve;
pub mod take;

use std::collections::BTreeMap;

use projections::state::files::{self, StoredFile};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiError, ApiResult};
use crate::shop::orders::detail::open;
use folder::{FileName, Folder, WIDTHS};

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
    pub async fn of(app: &AppState, file: StoredFile) -> ApiResult<Self> {
        let name = open(app, &file.name).await?.unwrap_or_default();
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
    pub async fn of(app: &AppState, file: StoredFile) -> ApiResult<Self> {
        let file = FileView::of(app, file).await?;
        Ok(Self { file })
    }
}

/// Takes a file out of the list, and what is in it off the disk with the last file of the same content.
///
/// # Errors
/// The database's; the disk's.
pub async fn discard(app: &AppState, file: StoredFile) -> ApiResult<()> {
    let mut alone = files::alone(app.pool(), &file.hash).await?;
    if files::remove(&mut alone, file.id, &file.hash).await? {
        let folder = Folder::of(&app.settings);
        tokio::task::spawn_blocking(move || folder.remove(&file.hash))
            .await?
            .map_err(ApiError::internal)?;
    }
    alone.commit().await?;
    Ok(())
}
