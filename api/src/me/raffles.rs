//! POST /api/v1/me/events/{id}/entry: enters the raffle of an event.

use application::executor::CommandContext;
use application::raffles::enter_raffle;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, CurrentMember, Path, RequestMeta, Respond};
use crate::shop::raffles::OwnEntry;

/// My entry.
#[derive(Serialize, ToSchema)]
pub struct RaffleEntryAnswer {
    /// It.
    entry: OwnEntry,
}

/// Enter the raffle of an event. Who has entered gets the same number again.
#[utoipa::path(
    post, path = "/api/v1/me/events/{id}/entry", tag = "me", operation_id = "enterRaffle", security(("access" = [])),
    params(("id" = String, Path)),
    responses(
        (status = OK, body = RaffleEntryAnswer),
        (status = NOT_FOUND, description = "not_found: the event is hidden, or has no raffle"),
        (status = CONFLICT, description = "not_allowed_now: raffle_not_begun, raffle_over")
    )
)]
pub(crate) async fn enter(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<String>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<RaffleEntryAnswer>> {
    let event = id.parse().map_err(|_| AppError::not_found())?;
    let command = CommandContext::new("enter-raffle", who.actor(), &origin);
    let done = enter_raffle(&app, &command, who.member(), event).await?;
    let entry = OwnEntry::of(&app, event, who.member()).await?;
    let entry = entry.ok_or_else(AppError::not_found)?;
    Ok(done.answer(RaffleEntryAnswer { entry }))
}
