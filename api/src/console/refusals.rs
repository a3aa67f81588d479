//! GET /api/console/refusals: what the shop would have done by itself and was refused. Somebody has to look at it.

use axum::extract::State;
use projections::deadlines;
use projections::state::deadline_refusals::{DeadlineRefusal, standing};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::http::{Answer, ApiResult, Console, Page, Wait};
use crate::policies::refusals::{ReactionRefusal, of_reactions};
use crate::shop::Summary;

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
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
}

/// What the shop was refused to do by itself.
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
    Ok(fresh.answer(RefusalsAnswer {
        summary: Summary::of(&found),
        refusals: found.rows,
        reactions: of_reactions(app.pool()).await?,
    }))
}
