//! Coupons of members. The decisions are in [`domain::coupon`].

use domain::coupon::{self, Coupon, IssuedCoupon, issued_id};
use domain::ids::{CouponId, MemberId};
use domain::record::Record;
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

/// Draws a coupon; the result is the id of the issued coupon.
///
/// # Errors
/// `not_found`, `coupon_expired`, `coupon_not_applicable`, `coupon_used_up`, `coupon_drawn`.
pub async fn draw(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: CouponId,
) -> AppResult<CommandOutcome> {
    let record = app.store.load::<Record<Coupon>>(&id.to_string()).await?;
    let coupon = record.state.data()?;
    let first = next_number(app, id, member).await?;
    let draw = |work: &mut UnitOfWork| Ok(coupon::draw(work, id, &coupon, member, first)?);
    app.executor.commit(command, draw).await
}

/// The lowest number under which the member has not drawn this coupon. Numbers have no gaps, so the search takes growing steps, then
/// searches between the last two.
pub(crate) async fn next_number(app: &App, coupon: CouponId, member: MemberId) -> AppResult<u32> {
    let is_drawn = async |number: u32| -> AppResult<bool> {
        let id = issued_id(coupon, member, number).to_string();
        let coupon = app.store.load::<IssuedCoupon>(&id).await?.state;
        Ok(coupon.held.is_some())
    };
    let (mut drawn, mut step) = (0_u32, 1_u32);
    while is_drawn(drawn.saturating_add(step)).await? {
        drawn = drawn.saturating_add(step);
        step = step.saturating_mul(2);
    }
    while step > 1 {
        step /= 2;
        if is_drawn(drawn.saturating_add(step)).await? {
            drawn = drawn.saturating_add(step);
        }
    }
    Ok(drawn.saturating_add(1))
}
