//! GET /api/v1/shop/coupons: coupons that can be downloaded; /{id}: one of them.

use application::coupon_offers::fitting;
use application::coupons::goods_names;
use application::orders::form::LineForm;
use axum::extract::State;
use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{CouponTerms, IssueType, Stage};
use domain::ids::{CouponId, MemberId, OptionId, ProductId};
use projections::member_coupons;
use projections::records::{self, OfferedCoupon};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, OptionalMember, Path, Query,
};

/// A coupon that can be downloaded.
#[derive(Debug, Serialize, ToSchema)]
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
    /// What it does, in one sentence.
    sentence: String,
    /// With `_product`: what it takes off as the only coupon, hundredths.
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<Amount>,
}

/// Which of the coupons on offer.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CouponOfferQuery {
    /// Only those that take something off this product and that the member can download; none for guests.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// The option of the product.
    #[serde(rename = "_option")]
    option: Option<OptionId>,
    /// How many of it; 1 if missing.
    quantity: Option<u32>,
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

impl CouponOffer {
    fn of(offered: OfferedCoupon, sentence: String) -> Self {
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
            sentence,
            takes: None,
        }
    }
}

/// Coupons that can be downloaded.
#[utoipa::path(get, path = "/api/v1/shop/coupons", tag = "shop", operation_id = "listCoupons", params(CouponOfferQuery), responses((status = OK, body = CouponOffers), (status = CONFLICT, description = "not_on_sale")))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<CouponOfferQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponOffers>> {
    let fresh = wait
        .until(&app, &[records::NAME, member_coupons::NAME])
        .await?;
    let offered = on_offer(&app, who.member()).await?;
    let coupons = match (query.product, who.member()) {
        (None, _) => offers(&app, offered).await?,
        (Some(_), None) => Vec::new(),
        (Some(product), Some(member)) => {
            let line = LineForm {
                product,
                option: query.option,
                quantity: query.quantity.unwrap_or(1),
            };
            fitting_offers(&app, member, (offered, line)).await?
        }
    };
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
    let mut offered = on_offer(&app, who.member()).await?;
    offered.retain(|offer| offer.id == id);
    let coupon = offers(&app, offered).await?.pop();
    let coupon = coupon.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(CouponOfferAnswer { coupon }))
}

/// The coupons that can be downloaded now.
async fn on_offer(app: &AppState, member: Option<MemberId>) -> AppResult<Vec<OfferedCoupon>> {
    let now = app.clock.now();
    let mut offered = records::offered_coupons(app.pool(), member).await?;
    offered.retain(|OfferedCoupon { coupon, .. }| {
        coupon.issue.kind == IssueType::Request && coupon.is_issuable(now)
    });
    Ok(offered)
}

/// The coupons that take something off these goods and that the member can download.
pub(super) async fn offers_with(
    app: &AppState,
    member: MemberId,
    line: LineForm,
) -> AppResult<Vec<CouponOffer>> {
    let offered = on_offer(app, Some(member)).await?;
    fitting_offers(app, member, (offered, line)).await
}

async fn fitting_offers(
    app: &AppState,
    member: MemberId,
    (offered, line): (Vec<OfferedCoupon>, LineForm),
) -> AppResult<Vec<CouponOffer>> {
    let fitting = fitting(app, member, offered, line).await?;
    let takes: Vec<Amount> = fitting.iter().map(|one| one.takes).collect();
    let found = fitting.into_iter().map(|one| one.offer).collect();
    let mut coupons = offers(app, found).await?;
    for (coupon, takes) in coupons.iter_mut().zip(takes) {
        coupon.takes = Some(takes);
    }
    Ok(coupons)
}

/// Those of these coupons that can be downloaded now, in this order.
pub(super) async fn offers_among(
    app: &AppState,
    member: Option<MemberId>,
    ids: &[CouponId],
) -> AppResult<Vec<CouponOffer>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let place = |offer: &OfferedCoupon| ids.iter().position(|id| *id == offer.id);
    let mut offered = on_offer(app, member).await?;
    offered.retain(|offer| place(offer).is_some());
    offered.sort_by_key(place);
    offers(app, offered).await
}

/// As they are shown.
async fn offers(app: &AppState, offered: Vec<OfferedCoupon>) -> AppResult<Vec<CouponOffer>> {
    let terms: Vec<CouponTerms> = offered.iter().map(|offer| offer.coupon.terms()).collect();
    let goods = goods_names(app, &terms.iter().collect::<Vec<_>>()).await?;
    let said = terms.iter().zip(goods);
    let said = said.map(|(terms, goods)| terms.sentence(&goods));
    let offers = offered.into_iter().zip(said);
    Ok(offers
        .map(|(offer, sentence)| CouponOffer::of(offer, sentence))
        .collect())
}
