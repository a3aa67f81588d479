//! PUT /api/v1/shop/inquires/{id}: changes an inquiry that is not answered yet.

use axum::extract::State;
use uuid::Uuid;

use super::{InquireAnswer, InquireForm, own};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, CurrentMember, Path, RequestMeta, Respond, ValidJson,
};
use application::executor::CommandContext;
use application::inquires;

/// Change an inquiry that is not answered yet.
#[utoipa::path(
    put, path = "/api/v1/shop/inquires/{id}", tag = "shop", operation_id = "changeInquire", security(("access" = [])),
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

/// Changes the inquiry.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub(crate) async fn change_inquire(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    form: InquireForm,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let command = CommandContext::new("change-inquire", who.actor(), origin);
    let words = form.words();
    let done = inquires::change(app, &command, who.member(), id, &words).await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}
