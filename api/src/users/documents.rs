//! Registration documents of companies (spec V148): the upload returns a token that claims the document while joining, valid for an hour.

use application::members::profiles::profiles;
use application::members::registration_documents;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ids::{DocumentId, MemberId};
use domain::member::Scope;
use projections::state::documents;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::files::form::{self, UploadForm};
use crate::http::{
    ApiResult, AppResult, CurrentMember, Json, Page, Path, Staff, Summary, private_file,
};

/// An uploaded document.
#[derive(Serialize, ToSchema)]
pub struct HandedIn {
    document: HandedInDocument,
}

/// An uploaded document.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandedInDocument {
    /// Id of the document.
    #[serde(rename = "_id")]
    id: DocumentId,
    /// The token that claims it while joining; valid for an hour.
    token: String,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Size in bytes.
    size: i64,
}

/// A document of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentView {
    /// Id of the document.
    #[serde(rename = "_id")]
    id: DocumentId,
    /// Id of its owner.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Nickname of the owner; none once erased.
    nickname: Option<String>,
    /// Name of the company.
    company_name: Option<String>,
    /// `image/webp` or `application/pdf`.
    content_type: String,
    /// Size in bytes.
    size: i64,
    /// Time of the upload.
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

/// Upload a registration document before joining.
#[utoipa::path(
    post, path = "/api/v1/users/documents", tag = "shop", operation_id = "handInDocument",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = CREATED, body = HandedIn))
)]
pub(crate) async fn hand_in(
    State(app): State<AppState>,
    request: Request,
) -> ApiResult<(StatusCode, Json<HandedIn>)> {
    let upload = form::read(&app, request, false).await?;
    let document = registration_documents::hand_in(&app, upload).await?;
    let document = HandedInDocument {
        id: document.id,
        token: app.tokens.joining(document.id.0, document.uploaded_at)?,
        content_type: document.content_type,
        size: document.size,
    };
    Ok((StatusCode::CREATED, Json(HandedIn { document })))
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

/// The member's own documents.
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

/// The content of a document as a download, for its owner and staff.
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
    let is_staff = who.0.scope.contains(&Scope::Console);
    let (document, bytes) = registration_documents::read(&app, id, who.member(), is_staff).await?;
    Ok(private_file(&document.content_type, bytes))
}
