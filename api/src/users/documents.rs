//! Documents a company hands in while it joins (spec V148), before it has an account. See docs/decisions/0007.
//!
//! Handing one in answers a token that claims it, good for an hour. Joining reserves the document in the same append as
//! `MemberJoined` and `DocumentHandedIn`, so it is claimed once; only then is it sealed with the member's key instead of one
//! of its own. It is never a file with an address, and what nobody claims within a day is swept away with its key.

use axum::extract::{Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::{DocumentId, MemberId};
use domain::member::Scope;
use domain::personal::SealLabel;
use domain::{Purpose, Sealed};
use event_store::KeyRing;
use projections::state::documents::{self, DocumentRow};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use super::profiles;
use crate::app::AppState;
use crate::files::form::{Given, UploadForm, file_missing, received, refused};
use crate::files::kind::FileKind;
use crate::files::{picture, take};
use crate::http::{ApiResult, AppError, AppResult, Code, CurrentMember, Json, Page, Path, Staff};
use crate::shop::Summary;

/// Reservation of documents by the members who joined with them.
pub const DOCUMENT: &str = "document";
/// Bytes of a document at most.
const LARGEST: usize = 5 * 1024 * 1024;
/// Bytes of documents nobody has claimed yet, all together.
const UNCLAIMED_MOST: i64 = 256 * 1024 * 1024;
/// After this long an unclaimed document is swept away.
const UNCLAIMED_LIFE: Duration = Duration::days(1);
/// Why its key is kept: it is the member's own, and goes when they leave.
const KEPT_FOR: Purpose = Purpose::Profile;

/// What is under the seal of a document.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// Name of the file that was handed in.
    pub name: String,
    /// The file, base64.
    pub bytes: String,
}

impl SealLabel for Contents {
    const LABEL: &'static str = "Contents";
}

/// A document was taken.
#[derive(Serialize, ToSchema)]
pub struct HandedIn {
    document: HandedInDocument,
}

/// It.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandedInDocument {
    /// Its id.
    #[serde(rename = "_id")]
    id: DocumentId,
    /// What claims it when joining, for an hour.
    token: String,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Bytes.
    size: i64,
}

/// A document of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentView {
    /// Its id.
    #[serde(rename = "_id")]
    id: DocumentId,
    /// Whose.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Their shop's name; none of somebody who was forgotten.
    nickname: Option<String>,
    /// Their company's name.
    company_name: Option<String>,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Bytes.
    size: i64,
    /// When it was handed in.
    #[serde(with = "time::serde::rfc3339")]
    uploaded_at: OffsetDateTime,
}

/// A page of documents.
#[derive(Serialize, ToSchema)]
pub struct DocumentsAnswer {
    summary: Summary,
    /// The page.
    documents: Vec<DocumentView>,
}

/// Hand in a document while joining.
#[utoipa::path(
    post, path = "/api/v1/users/documents", tag = "shop", operation_id = "handInDocument",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = CREATED, body = HandedIn))
)]
pub(crate) async fn hand_in(
    State(app): State<AppState>,
    request: Request,
) -> ApiResult<(StatusCode, Json<HandedIn>)> {
    let came = received(&app, request, false).await?;
    let came = came.file.ok_or_else(file_missing)?;
    if came.bytes.len() > LARGEST {
        let message = "사업자등록증 사본은 5MB까지 올릴 수 있습니다.";
        return Err(refused(Code::TooLarge, &came.part, "too_large", message).into());
    }
    let (name, part) = (came.name.clone(), came.part.clone());
    let (content_type, bytes) = safe(came).await?;
    let now = app.clock.now();
    let document = DocumentRow {
        id: DocumentId(Uuid::now_v7()),
        owner: None,
        content_type: content_type.to_owned(),
        size: i64::try_from(bytes.len()).map_err(AppError::internal)?,
        uploaded_at: now,
    };
    let contents = Contents {
        name,
        bytes: STANDARD.encode(bytes),
    };
    let sealed = app.keys.seal(document.id.0, KEPT_FOR, &contents).await?;
    let sealed = serde_json::to_value(&sealed)?;
    if !documents::keep(app.pool(), &document, &sealed, UNCLAIMED_MOST).await? {
        app.keys.destroy(document.id.0, KEPT_FOR).await?;
        let message = "지금은 파일을 받을 수 없습니다. 잠시 후 다시 시도해 주세요.";
        return Err(refused(Code::TooManyRequests, &part, "quota", message).into());
    }
    let document = HandedInDocument {
        id: document.id,
        token: app.tokens.joining(document.id.0, now)?,
        content_type: document.content_type,
        size: document.size,
    };
    Ok((StatusCode::CREATED, Json(HandedIn { document })))
}

/// A picture drawn anew, or the PDF as it is, which is only ever handed out as a download.
async fn safe(came: Given) -> AppResult<(&'static str, Vec<u8>)> {
    match came.kind {
        FileKind::Document => Ok(("application/pdf", came.bytes)),
        FileKind::Picture(format) => {
            let drawn = picture::draw(format, came.bytes).await;
            let drawn = drawn.map_err(|flaw| take::flawed(flaw, &came.part))?;
            Ok(("image/webp", drawn.whole))
        }
    }
}

/// The keyed hash a document is reserved by.
pub(crate) fn document_hash(keys: &KeyRing, id: DocumentId) -> [u8; 32] {
    keys.lookup_hash(DOCUMENT, &id.to_string())
}

/// The document a joining token names.
///
/// # Errors
/// [`AppError::document_gone`] if the token is not good, or the document was swept away.
pub(crate) async fn named(app: &AppState, token: &str) -> AppResult<DocumentRow> {
    let id = app
        .tokens
        .joining_document(token, app.clock.now())
        .map_err(|_| AppError::document_gone())?;
    match documents::find(app.pool(), DocumentId(id)).await? {
        Some((document, _)) => Ok(document),
        None => Err(AppError::document_gone()),
    }
}

/// Gives a document to the member who reserved it by joining: sealed with their key, its own destroyed. Again, it changes
/// nothing.
///
/// # Errors
/// The database's.
pub(super) async fn claim(app: &AppState, id: DocumentId, owner: MemberId) -> AppResult<()> {
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
    let own = app.keys.seal(owner.0, KEPT_FOR, &contents).await?;
    if documents::claim(app.pool(), id, owner, &serde_json::to_value(&own)?).await? {
        app.keys.destroy(id.0, KEPT_FOR).await?;
    }
    Ok(())
}

/// Sweeps away what nobody claimed within a day, with its key; answers how many. What somebody reserved by joining, and was
/// cut off, is given to them.
///
/// # Errors
/// The database's.
pub async fn sweep(app: &AppState) -> AppResult<usize> {
    let mut swept = 0;
    for document in documents::unclaimed(app.pool()).await? {
        let hash = document_hash(&app.keys, document.id);
        if let Some(owner) = app.store.reserved_by(DOCUMENT, &hash).await? {
            let owner = owner.parse().map_err(AppError::internal)?;
            claim(app, document.id, MemberId(owner)).await?;
        } else if document.uploaded_at < app.clock.now() - UNCLAIMED_LIFE {
            documents::remove_unclaimed(app.pool(), document.id).await?;
            app.keys.destroy(document.id.0, KEPT_FOR).await?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// Members' documents.
#[utoipa::path(
    get, path = "/api/console/documents", tag = "console", operation_id = "listDocuments", security(("access" = [])),
    params(Page), responses((status = OK, body = DocumentsAnswer))
)]
pub(crate) async fn list_all(
    State(app): State<AppState>,
    _: Staff,
    page: Page,
) -> ApiResult<Json<DocumentsAnswer>> {
    Ok(listed(&app, None, page).await?)
}

/// My documents.
#[utoipa::path(
    get, path = "/api/v1/me/documents", tag = "me", operation_id = "listMyDocuments", security(("access" = [])),
    params(Page), responses((status = OK, body = DocumentsAnswer))
)]
pub(crate) async fn list_own(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
) -> ApiResult<Json<DocumentsAnswer>> {
    Ok(listed(&app, Some(who.member()), page).await?)
}

async fn listed(
    app: &AppState,
    owner: Option<MemberId>,
    page: Page,
) -> AppResult<Json<DocumentsAnswer>> {
    let found = documents::list(app.pool(), owner, page.into()).await?;
    let summary = Summary::of(&found);
    let owners = found.rows.iter().filter_map(|row| row.owner);
    let profiles = profiles(app, owners).await?;
    let documents = found
        .rows
        .into_iter()
        .filter_map(|row| {
            let user = row.owner?;
            let profile = profiles.get(&user);
            Some(DocumentView {
                id: row.id,
                user,
                nickname: profile.map(|profile| profile.nickname.clone()),
                company_name: profile.and_then(|profile| profile.company_name.clone()),
                content_type: row.content_type,
                size: row.size,
                uploaded_at: row.uploaded_at,
            })
        })
        .collect();
    Ok(Json(DocumentsAnswer { summary, documents }))
}

/// What is in a document: for its owner and staff, as a download.
#[utoipa::path(
    get, path = "/api/v1/me/documents/{id}", tag = "me", operation_id = "readDocument", security(("access" = [])),
    params(("id" = Uuid, Path)),
    responses(
        (status = OK, content((String = "image/webp"), (String = "application/pdf"))),
        (status = NOT_FOUND, description = "not_found, also for somebody else's")
    )
)]
pub(crate) async fn read(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<DocumentId>,
) -> ApiResult<Response> {
    let (document, sealed) = documents::find(app.pool(), id)
        .await?
        .filter(|(document, _)| {
            let staff = who.0.scope.contains(&Scope::Console);
            document.owner.is_some() && (staff || document.owner == Some(who.member()))
        })
        .ok_or_else(AppError::not_found)?;
    let sealed: Sealed<Contents> = serde_json::from_value(sealed)?;
    let contents = app.open(&sealed).await?.ok_or_else(AppError::not_found)?;
    let bytes = STANDARD
        .decode(contents.bytes)
        .map_err(AppError::internal)?;
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, document.content_type.as_str()),
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    Ok((headers, bytes).into_response())
}
