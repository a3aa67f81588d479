//! GET /api/v1/me/coupons: my coupon box, tab by tab.

use axum::extract::State;
use projections::coupon_box::{self, BoxedCoupon, CouponTab};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{Answer, ApiResult, Page, Query, Signed, Wait};
use crate::shop::Summary;

/// Which tab.
#[derive(Deserialize, IntoParams)]
pub struct Wanted {
    /// Usable ones unless another is asked for.
    #[param(inline)]
    tab: Option<CouponTab>,
}

/// My coupons.
#[derive(Serialize, ToSchema)]
pub struct MyCoupons {
    /// How many the tab holds.
    summary: Summary,
    /// This page's.
    coupons: Vec<BoxedCoupon>,
}

/// My coupons.
#[utoipa::path(
    get, path = "/api/v1/me/coupons", tag = "me", operation_id = "listMyCoupons", security(("access" = [])), params(Wanted, Page),
    responses((status = OK, body = MyCoupons))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: Signed,
    Query(wanted): Query<Wanted>,
    page: Page,
    wait: Wait,
) -> ApiResult<Answer<MyCoupons>> {
    let fresh = wait.until(&app, &[coupon_box::NAME]).await?;
    let tab = wanted.tab.unwrap_or_default();
    let listed =
        coupon_box::coupon_box(app.pool(), who.member(), tab, app.clock.now(), page.into()).await?;
    Ok(fresh.answer(MyCoupons {
        summary: Summary::of(&listed),
        coupons: listed.rows,
    }))
}
