//! GET /api/v1/shop/coupons: coupons that can be downloaded; /{id}: one of them.

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

/// A coupon that can be downloaded.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponOffer {
    /// Id of the coupon.
    #[serde(rename = "_id")]
    id: CouponId,
    /// Name.
    name: String,
    /// Stage of the price calculation.
    stage: Stage,
    /// Amount or percent.
    unit: ValueUnit,
    /// Hundredths, or whole percent.
    value: i64,
    /// Maximum discount, hundredths.
    limit: Option<Amount>,
    /// Minimum price of the lines it applies to, hundredths.
    price_min: Option<Amount>,
    /// Whether the member has drawn it.
    drawn: bool,
}

/// The coupons that can be downloaded.
#[derive(Serialize, ToSchema)]
pub struct CouponOffers {
    /// The coupons.
    coupons: Vec<CouponOffer>,
}

/// One coupon.
#[derive(Serialize, ToSchema)]
pub struct CouponOfferAnswer {
    /// The coupon.
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

/// Coupons that can be downloaded.
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

/// One coupon that can be downloaded.
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

/// The coupons that can be downloaded now.
async fn offers(app: &AppState, member: Option<MemberId>) -> AppResult<Vec<CouponOffer>> {
    let now = app.clock.now();
    let offered = records::offered_coupons(app.pool(), member).await?;
    let can_be_drawn = |OfferedCoupon { coupon, .. }: &OfferedCoupon| {
        coupon.issue.kind == IssueType::Request && coupon.is_issuable(now)
    };
    let offered = offered.into_iter().filter(can_be_drawn);
    Ok(offered.map(Into::into).collect())
}
