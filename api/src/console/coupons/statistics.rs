//! GET /api/console/shop/coupons/statistics and /{id}/statistics: what became of coupons, from the log. A seller sees their own.

use axum::extract::State;
use domain::ids::{CouponId, MemberId};
use projections::member_coupons::{
    self, CouponDayStatistics, CouponStatistics, coupon_days, coupon_statistics,
};
use projections::orders;
use projections::records::{self, coupon_name, coupon_names};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{
    ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Query, StaffOrSeller, Summary,
};

/// What became of the coupons of one definition.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponStatisticsRow {
    /// The definition.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// Its name.
    name: String,
    /// The seller whose coupon it is.
    #[serde(rename = "_seller")]
    seller: Option<MemberId>,
    /// What became of them.
    #[serde(flatten)]
    statistics: CouponStatistics,
}

/// A page of statistics.
#[derive(Serialize, ToSchema)]
pub struct CouponStatisticsList {
    summary: Summary,
    /// The page: the newest coupons first.
    statistics: Vec<CouponStatisticsRow>,
}

/// The statistics of one coupon.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponStatisticsDetail {
    /// In all.
    #[serde(flatten)]
    whole: CouponStatisticsRow,
    /// Day by day; days without anything are left out.
    by_day: Vec<CouponDayStatistics>,
}

/// The statistics of one coupon.
#[derive(Serialize, ToSchema)]
pub struct CouponStatisticsAnswer {
    /// They.
    statistics: CouponStatisticsDetail,
}

const READ: [&str; 3] = [member_coupons::NAME, orders::NAME, records::NAME];

/// What became of the coupons of every definition.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/statistics", tag = "console", operation_id = "listCouponStatistics",
    params(Period, Page), security(("access" = [])), responses((status = OK, body = CouponStatisticsList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(period): Query<Period>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponStatisticsList>> {
    let fresh = wait.until(&app, &READ).await?;
    let named = coupon_names(app.pool(), who.rows.seller(), page.into()).await?;
    let ids: Vec<CouponId> = named.rows.iter().map(|one| one.id).collect();
    let period = (period.from()?, period.to()?);
    let found = coupon_statistics(app.pool(), &ids, period, app.clock.now()).await?;
    let summary = Summary::of(&named);
    let statistics = named.rows.into_iter().map(|one| CouponStatisticsRow {
        coupon: one.id,
        name: one.name,
        seller: one.seller,
        statistics: found
            .iter()
            .find(|(id, _)| *id == one.id)
            .map(|(_, statistics)| statistics.clone())
            .unwrap_or_default(),
    });
    Ok(fresh.answer(CouponStatisticsList {
        summary,
        statistics: statistics.collect(),
    }))
}

/// What became of the coupons of one definition, day by day.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/{id}/statistics", tag = "console", operation_id = "showCouponStatistics",
    params(("id" = CouponId, Path), Period), security(("access" = [])),
    responses((status = OK, body = CouponStatisticsAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<CouponId>,
    Query(period): Query<Period>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponStatisticsAnswer>> {
    let fresh = wait.until(&app, &READ).await?;
    // also of a coupon that is removed: what it cost stays
    let coupon = coupon_name(app.pool(), id).await?;
    let coupon = coupon.ok_or_else(AppError::not_found)?;
    if let Some(seller) = who.rows.seller() {
        let own = coupon.seller == Some(seller);
        own.then_some(()).ok_or_else(AppError::not_found)?;
    }
    let period = (period.from()?, period.to()?);
    let found = coupon_statistics(app.pool(), &[id], period, app.clock.now()).await?;
    let statistics = found.into_iter().next().map(|(_, statistics)| statistics);
    Ok(fresh.answer(CouponStatisticsAnswer {
        statistics: CouponStatisticsDetail {
            whole: CouponStatisticsRow {
                coupon: id,
                name: coupon.name,
                seller: coupon.seller,
                statistics: statistics.unwrap_or_default(),
            },
            by_day: coupon_days(app.pool(), id, period).await?,
        },
    }))
}
