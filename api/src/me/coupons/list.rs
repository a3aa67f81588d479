//! GET /api/v1/me/coupons: my coupon box, tab by tab.

use application::coupons::goods_names;
use axum::extract::State;
use domain::coupon::CouponTerms;
use projections::member_coupons::{self, BoxedCoupon, CouponTab};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Query};

/// Tab of the coupon list.
#[derive(Deserialize, IntoParams)]
pub struct MyCouponListQuery {
    /// Usable ones unless another is asked for.
    #[param(inline)]
    tab: Option<CouponTab>,
}

/// My coupons.
#[derive(Serialize, ToSchema)]
pub struct MyCoupons {
    /// How many there are.
    summary: CouponsSummary,
    /// This page's.
    coupons: Vec<BoxedCoupon>,
}

/// How many coupons there are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponsSummary {
    /// In the tab.
    total_count: i64,
    /// Usable ones that expire within seven days.
    expiring_soon: i64,
}

/// My coupons.
#[utoipa::path(
    get, path = "/api/v1/me/coupons", tag = "me", operation_id = "listMyCoupons", security(("access" = [])), params(MyCouponListQuery, Page),
    responses((status = OK, body = MyCoupons))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    Query(query): Query<MyCouponListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyCoupons>> {
    let fresh = wait.until(&app, &[member_coupons::NAME]).await?;
    let tab = query.tab.unwrap_or_default();
    let (member, now) = (who.member(), app.clock.now());
    let listed = member_coupons::coupon_box(app.pool(), member, tab, now, page.into()).await?;
    let terms: Vec<&CouponTerms> = listed.rows.iter().map(|row| &row.terms).collect();
    let goods = goods_names(&app, &terms).await?;
    let summary = CouponsSummary {
        total_count: listed.total_count,
        expiring_soon: member_coupons::expiring_coupons(app.pool(), member, now).await?,
    };
    Ok(fresh.answer(MyCoupons {
        summary,
        coupons: listed
            .rows
            .into_iter()
            .zip(goods)
            .map(|(row, goods)| row.boxed(now, goods))
            .collect(),
    }))
}
