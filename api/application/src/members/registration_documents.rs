//! Documents that companies upload while joining, before they have an account (spec V148). See docs/decisions/0007.
//!
//! Joining reserves the document in the same append as `MemberJoined` and `DocumentHandedIn`, so it is claimed once; only then is it sealed
//! with the member's key instead of one of its own. It has no public address, and unclaimed documents are removed after a day, with their
//! keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::{DocumentId, MemberId};
use domain::personal::SealLabel;
use domain::{Purpose, Sealed};
use event_store::KeyRing;
use projections::state::documents::{self, DocumentRow};
use serde::{Deserialize, Serialize};
use time::Duration;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::files::kind::FileKind;
use crate::files::picture;
use crate::files::upload::{Upload, UploadedFile, file_missing, refused, unusable_picture};
use crate::reservations::DOCUMENT;

/// Maximum size of a document in bytes.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum size of all unclaimed documents together, in bytes.
const MAX_UNCLAIMED: i64 = 256 * 1024 * 1024;
/// Lifetime of an unclaimed document.
const UNCLAIMED_LIFE: Duration = Duration::days(1);
/// Purpose of the document's key: destroyed when the member closes the account.
const PURPOSE: Purpose = Purpose::Profile;

/// The sealed content of a document.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// Name of the file.
    pub name: String,
    /// The file, base64.
    pub bytes: String,
}

impl SealLabel for Contents {
    const LABEL: &'static str = "Contents";
}

/// The keyed hash a document is reserved by.
pub fn document_hash(keys: &KeyRing, id: DocumentId) -> [u8; 32] {
    keys.lookup_hash(DOCUMENT, &id.to_string())
}

/// Stores an upload under a key of its own.
///
/// # Errors
/// `invalid`, `too_large` or `too_many_requests` with the part: no file, a broken picture, too large, or no room for more unclaimed
/// documents.
pub async fn hand_in(app: &App, upload: Upload) -> AppResult<DocumentRow> {
    let uploaded = upload.file.ok_or_else(file_missing)?;
    if uploaded.bytes.len() > MAX_BYTES {
        let message = "사업자등록증 사본은 5MB까지 올릴 수 있습니다.";
        return Err(refused(
            Code::TooLarge,
            &uploaded.part,
            "too_large",
            message,
        ));
    }
    let (name, part) = (uploaded.name.clone(), uploaded.part.clone());
    let (content_type, bytes) = safe(uploaded).await?;
    let document = DocumentRow {
        id: DocumentId(Uuid::now_v7()),
        owner: None,
        content_type: content_type.to_owned(),
        size: i64::try_from(bytes.len()).map_err(AppError::internal)?,
        uploaded_at: app.clock.now(),
    };
    let contents = Contents {
        name,
        bytes: STANDARD.encode(bytes),
    };
    let sealed = app.keys.seal(document.id.0, PURPOSE, &contents).await?;
    let sealed = serde_json::to_value(&sealed)?;
    if documents::keep(app.pool(), &document, &sealed, MAX_UNCLAIMED).await? {
        return Ok(document);
    }
    app.keys.destroy(document.id.0, PURPOSE).await?;
    let message = "지금은 파일을 받을 수 없습니다. 잠시 후 다시 시도해 주세요.";
    Err(refused(Code::TooManyRequests, &part, "quota", message))
}

/// Re-encodes a picture; leaves a PDF as it is, because it is only ever downloaded.
async fn safe(uploaded: UploadedFile) -> AppResult<(&'static str, Vec<u8>)> {
    match uploaded.kind {
        FileKind::Document => Ok(("application/pdf", uploaded.bytes)),
        FileKind::Picture(format) => {
            let picture = picture::reencode(format, uploaded.bytes).await;
            let picture = picture.map_err(|error| unusable_picture(error, &uploaded.part))?;
            Ok(("image/webp", picture.full))
        }
    }
}

/// A claimed document, with its bytes: for its owner, and for staff.
///
/// # Errors
/// `not_found`, also for documents of others.
pub async fn read(
    app: &App,
    id: DocumentId,
    reader: MemberId,
    is_staff: bool,
) -> AppResult<(DocumentRow, Vec<u8>)> {
    let (document, sealed) = documents::find(app.pool(), id)
        .await?
        .filter(|(document, _)| {
            document.owner.is_some() && (is_staff || document.owner == Some(reader))
        })
        .ok_or_else(AppError::not_found)?;
    let sealed: Sealed<Contents> = serde_json::from_value(sealed)?;
    let contents = app.open(&sealed).await?.ok_or_else(AppError::not_found)?;
    let bytes = STANDARD
        .decode(contents.bytes)
        .map_err(AppError::internal)?;
    Ok((document, bytes))
}

/// Gives a document to the member who reserved it by joining: sealed with their key, its own destroyed. Idempotent.
///
/// # Errors
/// Database errors.
pub async fn claim(app: &App, id: DocumentId, owner: MemberId) -> AppResult<()> {
    let Some((document, sealed)) = documents::find(app.pool(), id).await? else {
        return Ok(());
    };
    if document.owner.is_some() {
        return Ok(());
    }
    let sealed: Sealed<Contents> = serde_json::from_value(sealed)?;
    let Some(contents) = app.open(&sealed).await? else {
        return Ok(());
    };
    let own = app.keys.seal(owner.0, PURPOSE, &contents).await?;
    if documents::claim(app.pool(), id, owner, &serde_json::to_value(&own)?).await? {
        app.keys.destroy(id.0, PURPOSE).await?;
    }
    Ok(())
}

/// Removes documents unclaimed for a day, with their keys, and returns their number. Documents reserved by a registration that crashed are
/// given to its member.
///
/// # Errors
/// Database errors.
pub async fn sweep(app: &App) -> AppResult<usize> {
    let mut swept = 0;
    for document in documents::unclaimed(app.pool()).await? {
        let hash = document_hash(&app.keys, document.id);
        if let Some(owner) = app.store.reserved_by(DOCUMENT, &hash).await? {
            let owner = owner.parse().map_err(AppError::internal)?;
            claim(app, document.id, MemberId(owner)).await?;
        } else if document.uploaded_at < app.clock.now() - UNCLAIMED_LIFE {
            documents::remove_unclaimed(app.pool(), document.id).await?;
            app.keys.destroy(document.id.0, PURPOSE).await?;
            swept += 1;
        }
    }
    Ok(swept)
}
