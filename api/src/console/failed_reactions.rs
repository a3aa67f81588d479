//! /api/console/refusals: automatic commands that were rejected. Staff have to look at them, and may retry a deadline once the cause is
//! fixed.

use application::members::profiles::shown_names;
use application::policies::refusals::{ReactionRefusal, of_reactions};
use axum::extract::State;
use domain::Decider;
use domain::deadline::{Deadline, DeadlineCommand, DeadlineError, Refusal, stream_id};
use domain::forms::{FormErrors, REASON, Validate};
use event_store::{Expected, StreamAppend};
use projections::deadlines;
use projections::state::deadline_refusals::{
    DeadlineRefusal, DeadlineRetry, RetryOutcome, one_standing, retries, standing,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Respond, Staff,
    Summary, ValidJson,
};
use application::executor::{AppendBatch, CommandContext};

/// Maximum number of retries shown, the newest.
const RETRIES_MOST: i64 = 50;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(retry))
}

/// Rejected automatic commands.
#[derive(Serialize, ToSchema)]
pub struct RefusalsAnswer {
    /// Number of rejected deadlines.
    summary: Summary,
    /// A page of rejected deadlines that are still pending.
    refusals: Vec<DeadlineRefusal>,
    /// The newest rejected reactions to events.
    reactions: Vec<ReactionRefusal>,
    /// The newest deadlines that were retried by request.
    retries: Vec<RetryView>,
}

/// A deadline that was retried by request.
#[derive(Serialize, ToSchema)]
pub struct RetryView {
    /// The retry.
    #[serde(flatten)]
    retry: DeadlineRetry,
    /// The nickname of the staff member who requested it.
    nickname: Option<String>,
}

/// The requested retry.
#[derive(Serialize, ToSchema)]
pub struct RetryAnswer {
    retry: RetryView,
}

async fn views(app: &AppState, retries: Vec<DeadlineRetry>) -> AppResult<Vec<RetryView>> {
    let who = retries.iter().filter_map(|retry| retry.retried_by);
    let names = shown_names(app, who).await?;
    let view = |retry: DeadlineRetry| RetryView {
        nickname: retry.retried_by.and_then(|by| names.get(&by).cloned()),
        retry,
    };
    Ok(retries.into_iter().map(view).collect())
}

/// Rejected automatic commands, and requested retries.
#[utoipa::path(
    get, path = "/api/console/refusals", tag = "console", operation_id = "listRefusals",
    security(("access" = [])), responses((status = OK, body = RefusalsAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<RefusalsAnswer>> {
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

/// Reason of a retry.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct Retrying {
    /// The reason, for the history.
    #[serde(default)]
    reason: Option<String>,
}

impl Validate for Retrying {
    fn check(&self, checks: &mut FormErrors) {
        if let Some(reason) = &self.reason {
            checks.text("reason", reason, REASON);
        }
    }
}

/// Retry a rejected deadline. The worker executes it soon; the rejection and the request are in the log.
#[utoipa::path(
    post, path = "/api/console/refusals/{kind}/{id}/retry", tag = "console", operation_id = "retryDeadline",
    params(("kind" = String, Path), ("id" = String, Path)), request_body = Retrying, security(("access" = [])),
    responses((status = ACCEPTED, body = RetryAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn retry(
    State(app): State<AppState>,
    who: Staff,
    Path((kind, id)): Path<(String, String)>,
    ValidJson { body, origin }: ValidJson<Retrying>,
) -> ApiResult<ApiResponse<RetryAnswer>> {
    let gone = || AppError::not_found().saying("이미 처리되었거나 다시 시도하고 있습니다.");
    let mut command = CommandContext::new("retry-deadline", who.actor(), &origin);
    if let Some(reason) = &body.reason {
        command = command.with_reason(reason);
    }
    let refused = one_standing(app.pool(), (&kind, &id))
        .await?
        .ok_or_else(gone)?;
    let refusal = Refusal {
        kind: refused.kind.clone(),
        id: refused.id.clone(),
        stream: refused.stream.clone(),
        set_by: refused.position,
        code: refused.code.clone(),
        message: refused.message.clone(),
        refused_at: refused.refused_at,
    };
    let stream = &stream_id(&kind, &id);
    let done = app
        .executor
        .transact(&command, |context| {
            let act = DeadlineCommand::Retry(refusal.clone());
            let app = &app;
            async move {
                let loaded = app.store.load::<Deadline>(stream).await?;
                let events = loaded
                    .state
                    .decide(act, &context)
                    .map_err(|DeadlineError::RetriedAlready| gone())?;
                Ok(AppendBatch::of([StreamAppend::new::<Deadline>(
                    stream,
                    Expected::Exact(loaded.version),
                    &events,
                )?]))
            }
        })
        .await?;
    let retry = DeadlineRetry {
        number: done.position.unwrap_or_default(),
        kind: refused.kind,
        id: refused.id,
        stream: refused.stream,
        code: refused.code,
        message: refused.message,
        refused_at: refused.refused_at,
        retried_at: app.clock.now(),
        retried_by: Some(who.0.user),
        reason: body.reason,
        outcome: RetryOutcome::Waiting,
    };
    let mut views = views(&app, vec![retry]).await?;
    let retry = views.pop().ok_or_else(gone)?;
    Ok(done.accepted(RetryAnswer { retry }))
}
