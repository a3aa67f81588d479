//! POST /api/v1/me/coupons: downloads a coupon into my box.

use std::time::Duration;

use application::coupons;
use application::executor::{CommandContext, CommandOutcome};
use axum::extract::State;
use domain::coupon::IssuedCoupon;
use domain::forms::{FormErrors, Validate};
use domain::ids::{CouponId, IssuedCouponId};
use event_store::StreamId;
use projections::member_coupons::{self, BoxedCoupon, IssuedRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, CurrentMember, Respond, ValidJson};

/// How long the answer waits for the box.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Which coupon.
#[derive(Deserialize, ToSchema)]
pub struct Draw {
    /// Its definition.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
}

/// The downloaded coupon.
#[derive(Serialize, ToSchema)]
pub struct DrawAnswer {
    /// It.
    coupon: BoxedCoupon,
}

impl Validate for Draw {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Download a coupon.
#[utoipa::path(
    post, path = "/api/v1/me/coupons", tag = "me", operation_id = "drawCoupon", security(("access" = [])), request_body = Draw,
    responses((status = CREATED, body = DrawAnswer), (status = CONFLICT, description = "coupon_used_up, coupon_drawn, coupon_expired"))
)]
pub(crate) async fn draw(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<Draw>,
) -> ApiResult<ApiResponse<DrawAnswer>> {
    let command = CommandContext::new("draw-coupon", who.actor(), &origin);
    let done = coupons::draw(&app, &command, who.member(), body.coupon).await?;
    issued(&app, done).await
}

/// The answer with the coupon that a command issued.
///
/// # Errors
/// Errors of the store and the database.
pub(super) async fn issued(
    app: &AppState,
    done: CommandOutcome,
) -> ApiResult<ApiResponse<DrawAnswer>> {
    // So that an order sheet asked for next knows the coupon; the answer itself does not depend on the box.
    if let Some(position) = done.position {
        app.store
            .wait_for(&[member_coupons::NAME], position, PATIENCE)
            .await?;
    }
    let told = app
        .store
        .read_stream(&StreamId::of::<IssuedCoupon>(
            done.result::<IssuedCouponId>()?,
        ))
        .await?;
    // rounds may have passed before
    let issued = told.iter().find(|told| told.event_type == "CouponIssued");
    let issued = issued.ok_or_else(AppError::not_found)?;
    let row = IssuedRow::issued(issued)?;
    let goods = coupons::goods_names(app, &[&row.terms]).await?.pop();
    Ok(done.created(DrawAnswer {
        coupon: row.boxed(app.clock.now(), goods.unwrap_or_default()),
    }))
}
