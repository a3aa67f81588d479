//! PUT /api/v1/me/coupons/{id}/product and /shipping: chooses a coupon for a line of my cart and answers what it then costs.
//! Choosing uses nothing up; only placing the order does.

use axum::extract::State;
use domain::coupon::{IssuedCoupon, Stage};
use domain::forms::{FormErrors, Validate};
use domain::ids::{CartId, IssuedCouponId, MemberId};
use domain::pricing::CouponToUse;
use projections::state::carts::{self, CartLine, CouponPlace};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Code, CurrentMember, Json, Path, ValidJson};
use crate::shop::orders::preview::{Preview, of_basket};
use application::orders::basket::{Basket, number};
use application::orders::form::LineForm;

/// For which line.
#[derive(Deserialize, ToSchema)]
pub struct CouponChosen {
    /// The line; without one the coupon is put back.
    #[serde(rename = "_cart", default)]
    cart: Option<CartId>,
}

impl Validate for CouponChosen {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Choose a coupon for a product.
#[utoipa::path(
    put, path = "/api/v1/me/coupons/{id}/product", tag = "me", operation_id = "chooseProductCoupon", security(("access" = [])),
    params(("id" = IssuedCouponId, Path)), request_body = CouponChosen,
    responses((status = OK, body = Preview), (status = CONFLICT, description = "coupon_not_applicable"))
)]
pub(crate) async fn product(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<IssuedCouponId>,
    ValidJson { body, .. }: ValidJson<CouponChosen>,
) -> ApiResult<Json<Preview>> {
    Ok(choose(
        &app,
        who.member(),
        id,
        body.cart,
        CouponPlace::Product,
        Stage::Product,
    )
    .await?)
}

/// Choose a coupon for a delivery.
#[utoipa::path(
    put, path = "/api/v1/me/coupons/{id}/shipping", tag = "me", operation_id = "chooseShippingCoupon", security(("access" = [])),
    params(("id" = IssuedCouponId, Path)), request_body = CouponChosen,
    responses((status = OK, body = Preview), (status = CONFLICT, description = "coupon_not_applicable"))
)]
pub(crate) async fn shipping(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<IssuedCouponId>,
    ValidJson { body, .. }: ValidJson<CouponChosen>,
) -> ApiResult<Json<Preview>> {
    Ok(choose(
        &app,
        who.member(),
        id,
        body.cart,
        CouponPlace::Fare,
        Stage::Fare,
    )
    .await?)
}

async fn choose(
    app: &AppState,
    member: MemberId,
    id: IssuedCouponId,
    cart: Option<CartId>,
    place: CouponPlace,
    stage: Stage,
) -> AppResult<Json<Preview>> {
    let coupon = own(app, member, id).await?;
    if coupon.terms.stage != stage {
        return Err(AppError::new(Code::CouponNotApplicable));
    }
    if !carts::choose_coupon(app.pool(), member, cart, place, id, app.clock.now()).await? {
        return Err(AppError::not_found());
    }
    let lines = carts::lines(app.pool(), member).await?;
    let asked: Vec<_> = lines
        .iter()
        .map(|line| {
            (
                Some(line.id),
                LineForm {
                    product: line.product,
                    option: line.option,
                    quantity: line.quantity,
                },
            )
        })
        .collect();
    let mut basket = Basket::holding(app, Some(member), &asked, None).await?;
    basket.coupons = chosen(app, member, &lines).await?;
    Ok(Json(of_basket(app, Some(member), basket).await?))
}

/// A coupon in the member's box, not used yet.
async fn own(app: &AppState, member: MemberId, id: IssuedCouponId) -> AppResult<CouponToUse> {
    let coupon = app.store.load::<IssuedCoupon>(&id.to_string()).await?.state;
    let held = coupon
        .held
        .filter(|held| held.member == member)
        .ok_or_else(AppError::not_found)?;
    if coupon.used_on.is_some() {
        return Err(AppError::new(Code::CouponUsed));
    }
    if coupon.taken {
        return Err(AppError::new(Code::CouponTaken));
    }
    Ok(CouponToUse {
        issued: id,
        coupon: held.coupon,
        terms: held.terms,
        purchase_no: None,
    })
}

/// The choices on the lines, leaving out coupons that were used in the meantime.
async fn chosen(
    app: &AppState,
    member: MemberId,
    lines: &[CartLine],
) -> AppResult<Vec<CouponToUse>> {
    let mut coupons = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        for id in [line.product_coupon, line.fare_coupon]
            .into_iter()
            .flatten()
        {
            match own(app, member, id).await {
                Ok(coupon) => coupons.push(CouponToUse {
                    purchase_no: Some(number(place)),
                    ..coupon
                }),
                Err(refusal) if !refusal.is_failure() => {}
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(coupons)
}
