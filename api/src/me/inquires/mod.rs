//! /api/v1/me/inquires: the member's inquiries about products. The same inquiries as on product pages, under an address of their own.

use axum::extract::State;
use projections::inquires::{self, InquireFilter};
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Json, Page, Path, RequestMeta,
    Summary, ValidJson,
};
use crate::shop::inquires::ask::{NewInquire, create_inquire};
use crate::shop::inquires::change::change_inquire;
use crate::shop::inquires::list::Inquires;
use crate::shop::inquires::remove::{remove_inquire, restore_inquire};
use crate::shop::inquires::{InquireAnswer, InquireForm, Reading, own, views};

/// The member's inquiries, newest first.
#[utoipa::path(
    get, path = "/api/v1/me/inquires", tag = "me", operation_id = "listMyInquires", security(("access" = [])), params(Page),
    responses((status = OK, body = Inquires))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Inquires>> {
    let fresh = wait.until(&app, &[inquires::NAME]).await?;
    let filter = InquireFilter {
        author: Some(who.member()),
        ..InquireFilter::default()
    };
    let listed = inquires::inquires(app.pool(), &filter, page.into()).await?;
    let reader = Reading::by(Some(&who.0));
    Ok(fresh.answer(Inquires {
        summary: Summary::of(&listed),
        inquires: views(&app, reader, &listed.rows).await?,
    }))
}

/// One inquiry of the member, read from the log and so always current.
#[utoipa::path(
    get, path = "/api/v1/me/inquires/{id}", tag = "me", operation_id = "showMyInquire", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<InquireAnswer>> {
    Ok(Json(own(&app, id, &who.0).await?))
}

/// Ask about a product.
#[utoipa::path(
    post, path = "/api/v1/me/inquires", tag = "me", operation_id = "makeMyInquire", security(("access" = [])), request_body = NewInquire,
    responses((status = CREATED, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn ask(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<NewInquire>,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(create_inquire(&app, &who, body, &origin).await?)
}

/// Change an inquiry that is not answered yet.
#[utoipa::path(
    put, path = "/api/v1/me/inquires/{id}", tag = "me", operation_id = "changeMyInquire", security(("access" = [])),
    request_body = InquireForm, params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = InquireAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, origin }: ValidJson<InquireForm>,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(change_inquire(&app, &who, id, body, &origin).await?)
}

/// Remove an inquiry.
#[utoipa::path(
    delete, path = "/api/v1/me/inquires/{id}", tag = "me", operation_id = "removeMyInquire", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(remove_inquire(&app, &who, id, &origin).await?)
}

/// Restore an inquiry, unless staff removed it.
#[utoipa::path(
    post, path = "/api/v1/me/inquires/{id}/restore", tag = "me", operation_id = "restoreMyInquire", security(("access" = [])),
    params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = InquireAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn restore(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(restore_inquire(&app, &who, id, &origin).await?)
}
