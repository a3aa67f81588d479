//! /api/console/users/points: grants of points of members: who has how much of which, and what staff grants, takes back or lets live
//! longer or shorter.

use application::executor::{CommandContext, CommandOutcome};
use application::members::profiles::{FORMER_MEMBER, profiles};
use application::points::{change, give};
use axum::extract::State;
use domain::Amount;
use domain::business_day;
use domain::forms::{FormErrors, LAST_DAY, MEMO, Validate};
use domain::ids::{BulkGrantId, LotId, MemberId, OrderId};
use domain::points::{Points, PointsCommand, StaffGrant, stream_id};
use event_store::StreamId;
use projections::points_statement::{
    self, LotFilter, LotState, PointsLot, granted_lot, granted_lots, lot_of, remaining_points,
};
use projections::{members, orders};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, UtcOffset};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use super::{MemoQuery, check_grant};
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::query::oldest_first;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Query, RequestMeta,
    Respond, Staff, ValidJson, routes,
};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show, revise, take))
}

/// Which grants.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointGrantQuery {
    /// Of this member.
    #[serde(rename = "_user")]
    user: Option<MemberId>,
    /// Of this bulk grant.
    #[serde(rename = "_grant")]
    grant: Option<BulkGrantId>,
    /// In this state.
    #[param(inline)]
    state: Option<LotState>,
    /// `-createdAt` (usual) or `createdAt`.
    sort: Option<String>,
}

/// What stands above a list of grants.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointGrantSummary {
    /// All grants that match, not only this page's.
    total_count: i64,
    /// What is left of them that can be used, hundredths.
    #[serde(rename = "amount_left")]
    amount_left: Amount,
}

/// A page of grants.
#[derive(Serialize, ToSchema)]
pub struct PointGrantList {
    summary: PointGrantSummary,
    /// The page.
    points: Vec<PointGrant>,
}

/// One grant of points.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointGrant {
    /// The grant.
    #[serde(rename = "_id")]
    id: LotId,
    /// The member.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Their sign-in name; none: they left.
    username: Option<String>,
    /// What others call them.
    name: String,
    /// Granted, hundredths.
    amounts: Amount,
    /// Spent by orders, less what they gave back, hundredths.
    #[serde(rename = "amount_used")]
    amount_used: Amount,
    /// What is left of this grant that can be used, hundredths.
    #[serde(rename = "amount_left")]
    amount_left: Amount,
    /// What the member can spend in all, hundredths.
    remain: Amount,
    /// What it is, and what became of it.
    flags: GrantFlags,
    /// As the member reads it.
    reason: String,
    /// The order that earned it.
    #[serde(rename = "_order")]
    order: Option<OrderId>,
    /// The number of that order.
    order_no: Option<String>,
    /// The bulk grant it belongs to.
    #[serde(rename = "_grant")]
    grant: Option<BulkGrantId>,
    /// When it was granted.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// When what is left expires.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    expires_at: OffsetDateTime,
}

/// What a grant is, and what became of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantFlags {
    /// Its life is over.
    expired: bool,
    /// A return or staff took something of it back.
    taken: bool,
    /// The member earned it: by a purchase or a review.
    earned: bool,
    /// Staff granted it.
    by_staff: bool,
}

/// One grant.
#[derive(Serialize, ToSchema)]
pub struct PointGrantAnswer {
    /// The grant.
    point: PointGrant,
}

/// A grant by hand.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointsForm {
    /// The member.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Hundredths, above zero.
    amounts: Amount,
    /// The reason, as the member reads it.
    memo: String,
    /// The last Seoul day on which they can be used; none: the usual life.
    #[schema(format = Date)]
    expires_at: Option<String>,
}

impl Validate for PointsForm {
    fn check(&self, checks: &mut FormErrors) {
        check_grant(
            checks,
            (self.amounts, &self.memo, self.expires_at.as_deref()),
        );
    }
}

/// Another last day.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PointsLifeForm {
    /// The last Seoul day on which they can be used.
    #[schema(format = Date)]
    expires_at: String,
    /// The reason, as the member reads it.
    memo: String,
}

impl Validate for PointsLifeForm {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .text("expiresAt", &self.expires_at, LAST_DAY)
            .text("memo", &self.memo, MEMO);
    }
}

/// The rows of grants, with the members' names and what they have in all.
async fn rows(app: &AppState, found: Vec<PointsLot>) -> AppResult<Vec<PointGrant>> {
    let now = app.clock.now();
    let owners: Vec<MemberId> = found.iter().map(|found| found.lot.member).collect();
    let profiles = profiles(app, owners.iter().copied()).await?;
    let remaining = remaining_points(app.pool(), &owners, now).await?;
    let row = |PointsLot { lot, order_no }: PointsLot| {
        let profile = profiles.get(&lot.member);
        let name = profile.map_or(FORMER_MEMBER, |profile| &profile.nickname);
        let expired = lot.expires_at <= now;
        PointGrant {
            id: lot.id,
            user: lot.member,
            username: profile.map(|profile| profile.username.clone()),
            name: name.to_owned(),
            amounts: lot.amount,
            amount_used: lot.spent,
            amount_left: if expired { Amount::ZERO } else { lot.left },
            remain: remaining.get(&lot.member).copied().unwrap_or_default(),
            flags: GrantFlags {
                expired,
                taken: !lot.taken.is_zero(),
                earned: !lot.by_staff,
                by_staff: lot.by_staff,
            },
            reason: lot.reason,
            order: lot.order_id,
            order_no,
            grant: lot.grant_id,
            created_at: lot.granted_at,
            expires_at: lot.expires_at.to_offset(UtcOffset::UTC),
        }
    };
    Ok(found.into_iter().map(row).collect())
}

/// The grant after a command, from the log: no read model has to have caught up.
async fn answer(
    app: &AppState,
    done: &CommandOutcome,
    (member, lot): (MemberId, LotId),
) -> AppResult<PointGrantAnswer> {
    let stream = StreamId::of::<Points>(stream_id(member));
    let mut events = app.store.read_stream(&stream).await?;
    events.retain(|event| {
        done.position
            .is_none_or(|position| event.position <= position)
    });
    let order_no = granted_lot(app.pool(), lot)
        .await?
        .and_then(|found| found.order_no);
    let lot = lot_of(&events, lot)?.ok_or_else(AppError::not_found)?;
    let found = vec![PointsLot { lot, order_no }];
    let row = rows(app, found).await?.pop();
    let mut point = row.ok_or_else(AppError::not_found)?;
    let points = app.store.load::<Points>(&stream.id).await?.state;
    point.remain = points.remain(app.clock.now())?;
    Ok(PointGrantAnswer { point })
}

/// The owner of a grant. If the read model does not have the grant, it is asked again once it is current.
async fn owner(app: &AppState, lot: LotId) -> AppResult<MemberId> {
    if let Some(found) = points_statement::lot(app.pool(), lot).await? {
        return Ok(found.member);
    }
    app.wait_until_current(&[points_statement::NAME]).await?;
    let found = points_statement::lot(app.pool(), lot).await?;
    Ok(found.ok_or_else(AppError::not_found)?.member)
}

/// Grants of points.
#[utoipa::path(
    get, path = "/api/console/users/points", tag = "console", operation_id = "listGrantedPoints",
    params(PointGrantQuery, Period, Page), security(("access" = [])),
    responses((status = OK, body = PointGrantList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<PointGrantQuery>,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<PointGrantList>> {
    let read = [points_statement::NAME, orders::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let filter = LotFilter {
        member: query.user,
        grant: query.grant,
        state: query.state,
        from: period.from()?,
        to: period.to()?,
        oldest_first: oldest_first(query.sort.as_deref(), "createdAt")?,
    };
    let (found, amount_left) =
        granted_lots(app.pool(), &filter, app.clock.now(), page.into()).await?;
    let summary = PointGrantSummary {
        total_count: found.total_count,
        amount_left,
    };
    let points = rows(&app, found.rows).await?;
    Ok(fresh.answer(PointGrantList { summary, points }))
}

/// One grant of points.
#[utoipa::path(
    get, path = "/api/console/users/points/{id}", tag = "console", operation_id = "showGrantedPoints",
    params(("id" = LotId, Path)), security(("access" = [])),
    responses((status = OK, body = PointGrantAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<LotId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<PointGrantAnswer>> {
    let read = [points_statement::NAME, orders::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let found = granted_lot(app.pool(), id).await?;
    let row = rows(&app, found.into_iter().collect()).await?.pop();
    let point = row.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(PointGrantAnswer { point }))
}

/// Grant points to a member.
#[utoipa::path(
    post, path = "/api/console/users/points", tag = "console", operation_id = "grantPoints",
    request_body = PointsForm, security(("access" = [])),
    responses((status = CREATED, body = PointGrantAnswer))
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<PointsForm>,
) -> ApiResult<ApiResponse<PointGrantAnswer>> {
    let command = CommandContext::new("give-points", who.actor(), &origin);
    let grant = StaffGrant {
        lot: LotId(Uuid::now_v7()),
        member: body.user,
        amount: body.amounts,
        memo: body.memo.trim().to_owned(),
        last_day: body.expires_at.as_deref().and_then(business_day::parse),
    };
    let done = give(&app, &command, &grant).await?;
    let lot = done.result()?;
    let answer = answer(&app, &done, (body.user, lot)).await?;
    Ok(done.created(answer))
}

/// Let a grant live longer or shorter.
#[utoipa::path(
    put, path = "/api/console/users/points/{id}", tag = "console", operation_id = "changePointsLife",
    params(("id" = LotId, Path)), request_body = PointsLifeForm, security(("access" = [])),
    responses(
        (status = OK, body = PointGrantAnswer),
        (status = CONFLICT, description = "points_expired: what has expired is not revived")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<LotId>,
    ValidJson { body, origin }: ValidJson<PointsLifeForm>,
) -> ApiResult<ApiResponse<PointGrantAnswer>> {
    let command = CommandContext::new("change-points-life", who.actor(), &origin);
    let last_day = business_day::parse(&body.expires_at);
    let last_day = last_day
        .ok_or_else(|| AppError::invalid_field("expiresAt", LAST_DAY.code, LAST_DAY.message))?;
    let act = PointsCommand::ChangeLife {
        lot: id,
        expires_at: business_day::ends(last_day),
        memo: body.memo.trim().to_owned(),
    };
    let member = owner(&app, id).await?;
    let done = change(&app, &command, member, act).await?;
    let answer = answer(&app, &done, (member, id)).await?;
    Ok(done.answer(answer))
}

/// Take back what is left of a grant.
#[utoipa::path(
    delete, path = "/api/console/users/points/{id}", tag = "console", operation_id = "takePoints",
    params(("id" = LotId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = PointGrantAnswer), (status = CONFLICT, description = "nothing_left"))
)]
pub(crate) async fn take(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<LotId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<PointGrantAnswer>> {
    let command = CommandContext::new("take-points", who.actor(), &origin);
    let act = PointsCommand::Take {
        lot: id,
        memo: query.memo()?,
    };
    let member = owner(&app, id).await?;
    let done = change(&app, &command, member, act).await?;
    let answer = answer(&app, &done, (member, id)).await?;
    Ok(done.answer(answer))
}
