//! GET /api/v1/shop/coupons: coupons shoppers may download; /{id}: one of them.

use axum::extract::State;
use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{IssueType, Stage};
use domain::ids::{CouponId, MemberId};
use projections::member_coupons;
use projections::records::{self, OfferedCoupon};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, OptionalMember, Path,
};

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

/// One on display.
#[derive(Serialize, ToSchema)]
pub struct CouponOfferAnswer {
    /// It.
    coupon: CouponOffer,
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
    who: OptionalMember,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponOffers>> {
    let fresh = wait
        .until(&app, &[records::NAME, member_coupons::NAME])
        .await?;
    let coupons = offers(&app, who.member()).await?;
    Ok(fresh.answer(CouponOffers { coupons }))
}

/// A coupon to download.
#[utoipa::path(
    get, path = "/api/v1/shop/coupons/{id}", tag = "shop", operation_id = "showCoupon", params(("id" = CouponId, Path)),
    responses((status = OK, body = CouponOfferAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<CouponId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponOfferAnswer>> {
    let fresh = wait
        .until(&app, &[records::NAME, member_coupons::NAME])
        .await?;
    let offers = offers(&app, who.member()).await?;
    let coupon = offers.into_iter().find(|offer| offer.id == id);
    let coupon = coupon.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(CouponOfferAnswer { coupon }))
}

/// What can be downloaded now.
async fn offers(app: &AppState, member: Option<MemberId>) -> AppResult<Vec<CouponOffer>> {
    let now = app.clock.now();
    let offered = records::offered_coupons(app.pool(), member).await?;
    let can_be_drawn = |OfferedCoupon { coupon, .. }: &OfferedCoupon| {
        coupon.issue.kind == IssueType::Request && coupon.is_issuable(now)
    };
    let offered = offered.into_iter().filter(can_be_drawn);
    Ok(offered.map(Into::into).collect())
}
