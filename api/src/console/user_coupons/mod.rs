//! /api/console/users/coupons: the coupons in members' boxes. Staff give, take back and bring back, and set another last day.

mod give;
mod list;
mod revise;
mod show;
mod take;

use application::coupons::name_owners;
use application::executor::CommandOutcome;
use axum::http::StatusCode;
use domain::coupon::IssuedCoupon;
use domain::ids::IssuedCouponId;
use event_store::StreamId;
use projections::member_coupons::{IssuedRow, UserCoupon};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{ApiResponse, AppError, AppResult, routes};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, give::give))
        .routes(routes!(show::show, revise::revise, take::take))
}

/// One coupon in a box.
#[derive(Serialize, ToSchema)]
pub struct UserCouponAnswer {
    /// It.
    coupon: UserCoupon,
}

/// A coupon after a command, as the log has it: the read models may take longer.
async fn after(
    app: &AppState,
    status: StatusCode,
    done: &CommandOutcome,
    id: IssuedCouponId,
) -> AppResult<ApiResponse<UserCouponAnswer>> {
    let events = app
        .store
        .read_stream(&StreamId::of::<IssuedCoupon>(id))
        .await?;
    let row = IssuedRow::after(&events)?.ok_or_else(AppError::not_found)?;
    let mut coupon = [UserCoupon::of(row, None, app.clock.now())];
    name_owners(app, &mut coupon).await?;
    let [coupon] = coupon;
    Ok(ApiResponse::done(status, UserCouponAnswer { coupon }, done))
}
