//! DELETE /api/v1/shop/inquires/{id}: removes an inquiry.

use axum::extract::State;
use uuid::Uuid;

use super::{InquireAnswer, own};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppResult, CurrentMember, Path, RequestMeta, Respond};
use application::executor::CommandContext;
use application::member_records;
use domain::inquire::Inquire;

/// Remove an inquiry.
#[utoipa::path(
    delete, path = "/api/v1/shop/inquires/{id}", tag = "shop", operation_id = "removeInquire", security(("access" = [])),
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

/// Removes the inquiry.
///
/// # Errors
/// `not_found`.
pub(crate) async fn remove_inquire(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let command = CommandContext::new("remove-inquire", who.actor(), origin);
    let done = member_records::remove::<Inquire>(app, &command, who.member(), id).await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}

/// Restores the inquiry, unless staff removed it.
///
/// # Errors
/// `not_found`, `not_allowed_now`.
pub(crate) async fn restore_inquire(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let command = CommandContext::new("restore-inquire", who.actor(), origin);
    let done = member_records::restore::<Inquire>(app, &command, who.member(), id).await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}
