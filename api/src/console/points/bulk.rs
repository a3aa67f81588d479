//! /api/console/shop/points: points for many members in one order, which the worker carries out; and how far it has come.

use std::collections::HashMap;

use application::bulk_grants::{self, PointsOrder};
use application::executor::CommandContext;
use application::members::profiles::shown_names;
use axum::extract::{DefaultBodyLimit, State};
use domain::bulk_grant::{Benefit, BulkGrant, BulkGrantCommand};
use domain::forms::{FormErrors, Validate};
use domain::ids::{BulkGrantId, MemberId};
use domain::{Amount, business_day};
use event_store::StreamId;
use projections::bulk_grants::{self as grants, PointsGrant, points_grant, points_grants};
use projections::{members, points_statement};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, UtcOffset};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use super::{MemoQuery, check_grant};
use crate::app::AppState;
use crate::console::bulk_grants::{
    BODY_MOST, BulkGrantFlags, DryRunQuery, NoteForm, Orderer, ReceiverWays, check_receivers,
    receivers,
};
use crate::console::period::Period;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Freshness, Page, Path, Query,
    RequestMeta, Respond, Staff, Summary, ValidJson, routes,
};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, order))
        .routes(routes!(show, note, stop))
        .route_layer(DefaultBodyLimit::max(BODY_MOST))
}

/// Points for many members. Receivers are named in exactly one way.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPointsForm {
    /// The receivers; one named twice receives once.
    #[serde(rename = "_users")]
    users: Option<Vec<MemberId>>,
    /// Or by their sign-in names.
    usernames: Option<Vec<String>>,
    /// Or all who have one of these membership levels now.
    levels: Option<Vec<String>>,
    /// What each gets, hundredths, above zero.
    amounts: Amount,
    /// The reason, as they read it.
    memo: String,
    /// The last Seoul day on which they can be used; none: the usual life.
    #[schema(format = Date)]
    expires_at: Option<String>,
}

impl BulkPointsForm {
    /// The ways in which receivers are named, and how many each names.
    fn ways(&self) -> ReceiverWays {
        [
            ("_users", self.users.as_ref().map(Vec::len)),
            ("usernames", self.usernames.as_ref().map(Vec::len)),
            ("levels", self.levels.as_ref().map(Vec::len)),
        ]
    }

    fn order(self) -> PointsOrder {
        PointsOrder {
            grant: BulkGrantId(Uuid::now_v7()),
            receivers: receivers(self.users, self.usernames, self.levels),
            amount: self.amounts,
            last_day: self.expires_at.as_deref().and_then(business_day::parse),
            memo: self.memo.trim().to_owned(),
        }
    }
}

impl Validate for BulkPointsForm {
    fn check(&self, checks: &mut FormErrors) {
        check_receivers(checks, self.ways());
        check_grant(
            checks,
            (self.amounts, &self.memo, self.expires_at.as_deref()),
        );
    }
}

/// What an order would give.
#[derive(Serialize, ToSchema)]
pub struct BulkPointsPreview {
    /// Receivers.
    members: usize,
    /// To each, hundredths.
    amounts: Amount,
    /// To all of them, hundredths.
    amount_total: Amount,
}

/// Points for many members.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkPoints {
    /// The bulk grant.
    #[serde(rename = "_id")]
    id: BulkGrantId,
    /// The reason, as receivers read it.
    memo: String,
    /// The shop's own note; empty: none.
    note: String,
    /// Receivers in all.
    members: u32,
    /// Those who have received.
    given: u32,
    /// Those whose turn came and who had left.
    left_out: u32,
    /// What each gets, hundredths.
    amounts: Amount,
    /// Given so far, hundredths.
    #[serde(rename = "amount_total")]
    amount_total: Amount,
    /// Spent of that, less what orders gave back, hundredths.
    #[serde(rename = "amount_used")]
    amount_used: Amount,
    /// What is left of it, hundredths.
    #[serde(rename = "amount_left")]
    amount_left: Amount,
    /// The same, as `users/points` calls what can be spent.
    remain: Amount,
    /// How far it is.
    flags: BulkGrantFlags,
    /// When it was ordered.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// Who ordered it.
    created_by: Option<Orderer>,
    /// When what is given expires.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    expires_at: OffsetDateTime,
}

/// A page of bulk grants.
#[derive(Serialize, ToSchema)]
pub struct BulkPointsList {
    summary: Summary,
    /// The page, the newest first.
    points: Vec<BulkPoints>,
}

/// One bulk grant.
#[derive(Serialize, ToSchema)]
pub struct BulkPointsAnswer {
    /// It.
    point: BulkPoints,
}

/// What an order would give.
#[derive(Serialize, ToSchema)]
pub struct BulkPointsPreviewAnswer {
    /// It.
    preview: BulkPointsPreview,
}

/// An order, or what it would give.
#[derive(Serialize)]
#[serde(untagged)]
pub enum BulkPointsOutcome {
    /// Only looked at.
    Preview(BulkPointsPreviewAnswer),
    /// Ordered.
    Ordered(BulkPointsAnswer),
}

async fn rows(app: &AppState, found: Vec<PointsGrant>) -> AppResult<Vec<BulkPoints>> {
    let by = found.iter().filter_map(|found| found.grant.created_by);
    let names: HashMap<MemberId, String> = shown_names(app, by).await?;
    let row = |found: PointsGrant| {
        let PointsGrant {
            grant,
            total,
            used,
            left,
        } = found;
        let Benefit::Points { amount, expires_at } = grant.benefit else {
            return None;
        };
        Some(BulkPoints {
            id: grant.id,
            memo: grant.memo,
            note: grant.note,
            members: grant.members,
            given: grant.served.saturating_sub(grant.left_out),
            left_out: grant.left_out,
            amounts: amount,
            amount_total: total,
            amount_used: used,
            amount_left: left,
            remain: left,
            flags: BulkGrantFlags {
                done: !grant.open,
                stopped: grant.stopped,
            },
            created_at: grant.created_at,
            created_by: grant.created_by.map(|id| Orderer {
                id,
                name: names.get(&id).cloned(),
            }),
            expires_at: expires_at.to_offset(UtcOffset::UTC),
        })
    };
    Ok(found.into_iter().filter_map(row).collect())
}

/// The grant after a command, from the log; its amounts as far as the read model has come.
async fn answer(app: &AppState, id: BulkGrantId) -> AppResult<BulkPointsAnswer> {
    let stream = StreamId::of::<BulkGrant>(id);
    let events = app.store.read_stream(&stream).await?;
    let grant = grants::row_of(&events)?.ok_or_else(AppError::not_found)?;
    let known = points_grant(app.pool(), id).await?;
    let found = PointsGrant {
        grant,
        total: known.as_ref().map_or(Amount::ZERO, |known| known.total),
        used: known.as_ref().map_or(Amount::ZERO, |known| known.used),
        left: known.as_ref().map_or(Amount::ZERO, |known| known.left),
    };
    let row = rows(app, vec![found]).await?.pop();
    let point = row.ok_or_else(AppError::not_found)?;
    Ok(BulkPointsAnswer { point })
}

/// Points for many members.
#[utoipa::path(
    get, path = "/api/console/shop/points", tag = "console", operation_id = "listBulkPoints",
    params(Period, Page), security(("access" = [])), responses((status = OK, body = BulkPointsList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BulkPointsList>> {
    let read = [grants::NAME, points_statement::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let period = (period.from()?, period.to()?);
    let found = points_grants(app.pool(), period, page.into()).await?;
    let summary = Summary::of(&found);
    let points = rows(&app, found.rows).await?;
    Ok(fresh.answer(BulkPointsList { summary, points }))
}

/// Points for many members, and how far they are given.
#[utoipa::path(
    get, path = "/api/console/shop/points/{id}", tag = "console", operation_id = "showBulkPoints",
    params(("id" = BulkGrantId, Path)), security(("access" = [])),
    responses((status = OK, body = BulkPointsAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<BulkGrantId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BulkPointsAnswer>> {
    let read = [grants::NAME, points_statement::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let found = points_grant(app.pool(), id).await?;
    let row = rows(&app, found.into_iter().collect()).await?.pop();
    let point = row.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(BulkPointsAnswer { point }))
}

/// Order points for many members, or see what that would give.
#[utoipa::path(
    post, path = "/api/console/shop/points", tag = "console", operation_id = "orderBulkPoints",
    params(DryRunQuery), request_body = BulkPointsForm, security(("access" = [])),
    responses(
        (status = OK, body = BulkPointsPreviewAnswer, description = "dryRun: what it would give"),
        (status = CREATED, body = BulkPointsAnswer),
        (status = BAD_REQUEST, description = "unknown_members (details.unknown: index and value of each)")
    )
)]
pub(crate) async fn order(
    State(app): State<AppState>,
    who: Staff,
    Query(query): Query<DryRunQuery>,
    ValidJson { body, origin }: ValidJson<BulkPointsForm>,
) -> ApiResult<ApiResponse<BulkPointsOutcome>> {
    let command = CommandContext::new("order-bulk-grant", who.actor(), &origin);
    let order = body.order();
    if query.dry_run {
        let found = bulk_grants::preview(&app, &command, &order).await?;
        let preview = BulkPointsPreview {
            members: found.members,
            amounts: order.amount,
            amount_total: found.total,
        };
        let answer = BulkPointsPreviewAnswer { preview };
        return Ok(Freshness::LOG.answer(BulkPointsOutcome::Preview(answer)));
    }
    let done = bulk_grants::order(&app, &command, &order).await?;
    let answer = answer(&app, done.result()?).await?;
    Ok(done.created(BulkPointsOutcome::Ordered(answer)))
}

/// Write a note of the shop's own on a bulk grant.
#[utoipa::path(
    put, path = "/api/console/shop/points/{id}", tag = "console", operation_id = "noteBulkPoints",
    params(("id" = BulkGrantId, Path)), request_body = NoteForm, security(("access" = [])),
    responses((status = OK, body = BulkPointsAnswer))
)]
pub(crate) async fn note(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<BulkGrantId>,
    ValidJson { body, origin }: ValidJson<NoteForm>,
) -> ApiResult<ApiResponse<BulkPointsAnswer>> {
    let command = CommandContext::new("note-bulk-grant", who.actor(), &origin);
    let memo = body.memo.trim().to_owned();
    let done = bulk_grants::change(&app, &command, id, BulkGrantCommand::Note { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// Stop a bulk grant: the rest gets nothing, and the worker takes back what is left of what was given.
#[utoipa::path(
    delete, path = "/api/console/shop/points/{id}", tag = "console", operation_id = "stopBulkPoints",
    params(("id" = BulkGrantId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = BulkPointsAnswer), (status = CONFLICT, description = "not_allowed_now: it was stopped"))
)]
pub(crate) async fn stop(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<BulkGrantId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<BulkPointsAnswer>> {
    let command = CommandContext::new("stop-bulk-grant", who.actor(), &origin);
    let memo = query.memo()?;
    let done = bulk_grants::change(&app, &command, id, BulkGrantCommand::Stop { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}
