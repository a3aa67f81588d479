//! /api/console/refusals: what the shop would have done by itself and was refused. Somebody has to look at it, and may have a
//! deadline tried again once its cause is gone.

use axum::extract::State;
use axum::http::StatusCode;
use projections::deadlines;
use projections::state::deadline_refusals::{
    DeadlineRefusal, DeadlineRetry, retries, retry as retry_one, standing,
};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::{Answer, ApiError, ApiResult, Console, Json, Page, Path, Wait};
use crate::policies::refusals::{ReactionRefusal, of_reactions};
use crate::shop::Summary;
use crate::users::shown_names;

/// Retries shown at most, the newest.
const RETRIES_MOST: i64 = 50;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(retry))
}

/// What was refused.
#[derive(Serialize, ToSchema)]
pub struct RefusalsAnswer {
    /// Of the deadlines.
    summary: Summary,
    /// A page of the deadlines that were refused and still stand.
    refusals: Vec<DeadlineRefusal>,
    /// The newest refused reactions to events.
    reactions: Vec<ReactionRefusal>,
    /// The newest deadlines somebody had tried again.
    retries: Vec<RetryView>,
}

/// A deadline somebody had tried again.
#[derive(Serialize, ToSchema)]
pub struct RetryView {
    /// It.
    #[serde(flatten)]
    retry: DeadlineRetry,
    /// The nickname of who asked for it.
    nickname: Option<String>,
}

/// What is tried again.
#[derive(Serialize, ToSchema)]
pub struct RetryAnswer {
    retry: RetryView,
}

async fn views(app: &AppState, retries: Vec<DeadlineRetry>) -> ApiResult<Vec<RetryView>> {
    let names = shown_names(app, retries.iter().map(|retry| retry.retried_by)).await?;
    let view = |retry: DeadlineRetry| RetryView {
        nickname: names.get(&retry.retried_by).cloned(),
        retry,
    };
    Ok(retries.into_iter().map(view).collect())
}

/// What the shop was refused to do by itself, and what was tried again.
#[utoipa::path(
    get, path = "/api/console/refusals", tag = "console", operation_id = "listRefusals",
    security(("access" = [])), responses((status = OK, body = RefusalsAnswer))
)]
pub async fn list(
    State(app): State<AppState>,
    _who: Console,
    page: Page,
    wait: Wait,
) -> ApiResult<Answer<RefusalsAnswer>> {
    let fresh = wait.until(&app, &[deadlines::NAME]).await?;
    let found = standing(app.pool(), page.into()).await?;
    let again = retries(app.pool(), RETRIES_MOST).await?;
    Ok(fresh.answer(RefusalsAnswer {
        summary: Summary::of(&found),
        refusals: found.rows,
        reactions: of_reactions(app.pool()).await?,
        retries: views(&app, again).await?,
    }))
}

/// Have a refused deadline tried again. Whoever does the background work does it soon; what it was refused is kept.
#[utoipa::path(
    post, path = "/api/console/refusals/{kind}/{id}/retry", tag = "console", operation_id = "retryDeadline",
    params(("kind" = String, Path), ("id" = String, Path)), security(("access" = [])),
    responses((status = ACCEPTED, body = RetryAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub async fn retry(
    State(app): State<AppState>,
    who: Console,
    Path((kind, id)): Path<(String, String)>,
) -> ApiResult<(StatusCode, Json<RetryAnswer>)> {
    let now = app.clock.now();
    let again = retry_one(app.pool(), (&kind, &id), who.0.user, now).await?;
    let mut views = views(&app, again.into_iter().collect()).await?;
    let retry = views
        .pop()
        .ok_or_else(|| ApiError::not_found().saying("이미 처리되었거나 다시 시도하고 있습니다."))?;
    Ok((StatusCode::ACCEPTED, Json(RetryAnswer { retry })))
}
