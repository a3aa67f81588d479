//! GET /api/v1/shop/coupons: coupons shoppers may download.

use axum::extract::State;
use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{IssueType, Stage};
use domain::ids::CouponId;
use projections::coupon_box;
use projections::records::{self, OfferedCoupon};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{Answer, ApiResult, MaybeSigned, Wait};

/// A coupon on display.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponOffer {
    /// Its definition.
    #[serde(rename = "_id")]
    id: CouponId,
    /// Name.
    name: String,
    /// Where it takes off.
    stage: Stage,
    /// Amount or percent.
    unit: ValueUnit,
    /// Hundredths, or whole percent.
    value: i64,
    /// The most it takes off, hundredths.
    limit: Option<Amount>,
    /// The least the lines it is for must cost, hundredths.
    price_min: Option<Amount>,
    /// The reader has drawn it.
    drawn: bool,
}

/// All on display.
#[derive(Serialize, ToSchema)]
pub struct CouponOffers {
    /// They.
    coupons: Vec<CouponOffer>,
}

impl From<OfferedCoupon> for CouponOffer {
    fn from(offered: OfferedCoupon) -> Self {
        let OfferedCoupon { id, coupon, drawn } = offered;
        Self {
            id,
            stage: coupon.usage.stage,
            unit: coupon.unit,
            value: coupon.value,
            limit: coupon.limit,
            price_min: coupon.usage.limit.target.price_min,
            name: coupon.name,
            drawn,
        }
    }
}

/// Coupons to download.
#[utoipa::path(get, path = "/api/v1/shop/coupons", tag = "shop", operation_id = "listCoupons", responses((status = OK, body = CouponOffers)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: MaybeSigned,
    wait: Wait,
) -> ApiResult<Answer<CouponOffers>> {
    let fresh = wait.until(&app, &[records::NAME, coupon_box::NAME]).await?;
    let now = app.clock.now();
    let offered = records::offered_coupons(app.pool(), who.member()).await?;
    let coupons = offered
        .into_iter()
        .filter(|offered| {
            offered.coupon.issue.kind == IssueType::Request && offered.coupon.is_issuable(now)
        })
        .map(Into::into)
        .collect();
    Ok(fresh.answer(CouponOffers { coupons }))
}
