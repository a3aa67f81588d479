//! /api/console/shop/coupons/grants: a coupon for many members in one order, which the worker carries out; and how far it has come.

use std::collections::HashMap;

use application::bulk_grants::{self, CouponOrder};
use application::executor::CommandContext;
use application::members::profiles::shown_names;
use axum::extract::{DefaultBodyLimit, State};
use domain::Amount;
use domain::bulk_grant::{Benefit, BulkGrant, BulkGrantCommand};
use domain::forms::{FormErrors, MEMO, Validate};
use domain::ids::{BulkGrantId, CouponId, MemberId};
use event_store::StreamId;
use projections::bulk_grants::{self as grants, CouponGrant, coupon_grant, coupon_grants};
use projections::{member_coupons, members};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::AppState;
use crate::console::bulk_grants::{
    BODY_MOST, BulkGrantFlags, DryRunQuery, NoteForm, Orderer, ReceiverWays, check_receivers,
    receivers,
};
use crate::console::period::Period;
use crate::console::points::MemoQuery;
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

/// A coupon for many members. Receivers are named in exactly one way.
#[derive(Deserialize, ToSchema)]
pub struct BulkCouponsForm {
    /// The receivers; one named twice receives once.
    #[serde(rename = "_users")]
    users: Option<Vec<MemberId>>,
    /// Or by their sign-in names.
    usernames: Option<Vec<String>>,
    /// Or all who have one of these membership levels now.
    levels: Option<Vec<String>>,
    /// The coupon they get.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// The reason, as they read it.
    memo: String,
}

impl BulkCouponsForm {
    /// The ways in which receivers are named, and how many each names.
    fn ways(&self) -> ReceiverWays {
        [
            ("_users", self.users.as_ref().map(Vec::len)),
            ("usernames", self.usernames.as_ref().map(Vec::len)),
            ("levels", self.levels.as_ref().map(Vec::len)),
        ]
    }

    fn order(self) -> CouponOrder {
        CouponOrder {
            grant: BulkGrantId(Uuid::now_v7()),
            receivers: receivers(self.users, self.usernames, self.levels),
            coupon: self.coupon,
            memo: self.memo.trim().to_owned(),
        }
    }
}

impl Validate for BulkCouponsForm {
    fn check(&self, checks: &mut FormErrors) {
        check_receivers(checks, self.ways());
        checks.text("memo", &self.memo, MEMO);
    }
}

/// Whom an order would give a coupon.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkCouponsPreview {
    /// Receivers.
    members: usize,
    /// The name of the coupon.
    coupon_name: String,
    /// Coupons each gets at once.
    count: u32,
    /// How many receivers the limits of the campaign leave coupons for; none: any number.
    members_left: Option<u64>,
    /// The most that all of them can take off, hundredths; none for a percentage without a limit.
    #[serde(rename = "amount_most")]
    amount_most: Option<Amount>,
}

/// A coupon for many members.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkCoupons {
    /// The bulk grant.
    #[serde(rename = "_id")]
    id: BulkGrantId,
    /// The coupon.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// Its name when it was ordered.
    coupon_name: String,
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
    /// Those whose turn came and who were refused.
    refused: u32,
    /// Coupons issued so far.
    issued: i64,
    /// Of those: used now.
    used: i64,
    /// Of those: taken back.
    taken: i64,
    /// What those used take off, hundredths.
    discount: Amount,
    /// How far it is.
    flags: BulkGrantFlags,
    /// When it was ordered.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// Who ordered it.
    created_by: Option<Orderer>,
}

/// A page of bulk grants.
#[derive(Serialize, ToSchema)]
pub struct BulkCouponsList {
    summary: Summary,
    /// The page, the newest first.
    grants: Vec<BulkCoupons>,
}

/// One bulk grant.
#[derive(Serialize, ToSchema)]
pub struct BulkCouponsAnswer {
    /// It.
    grant: BulkCoupons,
}

/// Whom an order would give a coupon.
#[derive(Serialize, ToSchema)]
pub struct BulkCouponsPreviewAnswer {
    /// It.
    preview: BulkCouponsPreview,
}

/// An order, or whom it would reach.
#[derive(Serialize)]
#[serde(untagged)]
pub enum BulkCouponsOutcome {
    /// Only looked at.
    Preview(BulkCouponsPreviewAnswer),
    /// Ordered.
    Ordered(BulkCouponsAnswer),
}

async fn rows(app: &AppState, found: Vec<CouponGrant>) -> AppResult<Vec<BulkCoupons>> {
    let by = found.iter().filter_map(|found| found.grant.created_by);
    let names: HashMap<MemberId, String> = shown_names(app, by).await?;
    let row = |found: CouponGrant| {
        let grant = found.grant;
        let Benefit::Coupon { coupon, name } = grant.benefit else {
            return None;
        };
        let without = grant.left_out.saturating_add(grant.refused);
        Some(BulkCoupons {
            id: grant.id,
            coupon,
            coupon_name: name,
            memo: grant.memo,
            note: grant.note,
            members: grant.members,
            given: grant.served.saturating_sub(without),
            left_out: grant.left_out,
            refused: grant.refused,
            issued: found.issued,
            used: found.used,
            taken: found.taken,
            discount: found.discount,
            flags: BulkGrantFlags {
                done: !grant.open,
                stopped: grant.stopped,
            },
            created_at: grant.created_at,
            created_by: grant.created_by.map(|id| Orderer {
                id,
                name: names.get(&id).cloned(),
            }),
        })
    };
    Ok(found.into_iter().filter_map(row).collect())
}

/// The grant after a command, from the log; its coupons as far as the read model has come.
async fn answer(app: &AppState, id: BulkGrantId) -> AppResult<BulkCouponsAnswer> {
    let events = app
        .store
        .read_stream(&StreamId::of::<BulkGrant>(id))
        .await?;
    let grant = grants::row_of(&events)?.ok_or_else(AppError::not_found)?;
    let found = match coupon_grant(app.pool(), id).await? {
        Some(known) => CouponGrant { grant, ..known },
        None => CouponGrant {
            grant,
            issued: 0,
            used: 0,
            taken: 0,
            discount: Amount::ZERO,
        },
    };
    let row = rows(app, vec![found]).await?.pop();
    let grant = row.ok_or_else(AppError::not_found)?;
    Ok(BulkCouponsAnswer { grant })
}

/// Coupons for many members.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/grants", tag = "console", operation_id = "listBulkCoupons",
    params(Period, Page), security(("access" = [])), responses((status = OK, body = BulkCouponsList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BulkCouponsList>> {
    let read = [grants::NAME, member_coupons::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let period = (period.from()?, period.to()?);
    let found = coupon_grants(app.pool(), period, page.into()).await?;
    let summary = Summary::of(&found);
    let grants = rows(&app, found.rows).await?;
    Ok(fresh.answer(BulkCouponsList { summary, grants }))
}

/// A coupon for many members, and how far it is given.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/grants/{id}", tag = "console", operation_id = "showBulkCoupons",
    params(("id" = BulkGrantId, Path)), security(("access" = [])),
    responses((status = OK, body = BulkCouponsAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<BulkGrantId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BulkCouponsAnswer>> {
    let read = [grants::NAME, member_coupons::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let found = coupon_grant(app.pool(), id).await?;
    let row = rows(&app, found.into_iter().collect()).await?.pop();
    let grant = row.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(BulkCouponsAnswer { grant }))
}

/// Order a coupon for many members, or see whom that would reach. Each gets the coupons of one round, as a coupon given by hand: within
/// the limits of its campaign. Who cannot get one is refused with a reason, and the others get theirs.
#[utoipa::path(
    post, path = "/api/console/shop/coupons/grants", tag = "console", operation_id = "orderBulkCoupons",
    params(DryRunQuery), request_body = BulkCouponsForm, security(("access" = [])),
    responses(
        (status = OK, body = BulkCouponsPreviewAnswer, description = "dryRun: whom it would reach"),
        (status = CREATED, body = BulkCouponsAnswer),
        (status = BAD_REQUEST, description = "unknown_members (details.unknown: index and value of each)"),
        (status = CONFLICT, description = "coupon_expired, coupon_used_up")
    )
)]
pub(crate) async fn order(
    State(app): State<AppState>,
    who: Staff,
    Query(query): Query<DryRunQuery>,
    ValidJson { body, origin }: ValidJson<BulkCouponsForm>,
) -> ApiResult<ApiResponse<BulkCouponsOutcome>> {
    let command = CommandContext::new("order-bulk-grant", who.actor(), &origin);
    let order = body.order();
    if query.dry_run {
        let (members, reach) = bulk_grants::preview_coupons(&app, &command, &order).await?;
        let reached = reach.receivers_left.map_or(members, |left| {
            members.min(usize::try_from(left).unwrap_or(members))
        });
        let reached = u32::try_from(reached).unwrap_or(u32::MAX);
        let pieces = reached.saturating_mul(reach.count);
        let all = |face: Amount| face.times(pieces);
        let preview = BulkCouponsPreview {
            members,
            coupon_name: reach.name,
            count: reach.count,
            members_left: reach.receivers_left,
            amount_most: reach.face_value.map(all).transpose()?,
        };
        let answer = BulkCouponsPreviewAnswer { preview };
        return Ok(Freshness::LOG.answer(BulkCouponsOutcome::Preview(answer)));
    }
    let done = bulk_grants::order_coupons(&app, &command, &order).await?;
    let answer = answer(&app, done.result()?).await?;
    Ok(done.created(BulkCouponsOutcome::Ordered(answer)))
}

/// Write a note of the shop's own on a bulk grant.
#[utoipa::path(
    put, path = "/api/console/shop/coupons/grants/{id}", tag = "console", operation_id = "noteBulkCoupons",
    params(("id" = BulkGrantId, Path)), request_body = NoteForm, security(("access" = [])),
    responses((status = OK, body = BulkCouponsAnswer))
)]
pub(crate) async fn note(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<BulkGrantId>,
    ValidJson { body, origin }: ValidJson<NoteForm>,
) -> ApiResult<ApiResponse<BulkCouponsAnswer>> {
    let command = CommandContext::new("note-bulk-grant", who.actor(), &origin);
    let memo = body.memo.trim().to_owned();
    let done = bulk_grants::change(&app, &command, id, BulkGrantCommand::Note { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// Stop a bulk grant: the rest gets nothing, and the worker takes back what was given and is not used.
#[utoipa::path(
    delete, path = "/api/console/shop/coupons/grants/{id}", tag = "console", operation_id = "stopBulkCoupons",
    params(("id" = BulkGrantId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = BulkCouponsAnswer), (status = CONFLICT, description = "not_allowed_now: it was stopped"))
)]
pub(crate) async fn stop(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<BulkGrantId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<BulkCouponsAnswer>> {
    let command = CommandContext::new("stop-bulk-grant", who.actor(), &origin);
    let memo = query.memo()?;
    let done = bulk_grants::change(&app, &command, id, BulkGrantCommand::Stop { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}
