//! Coupons of members. The decisions are in [`domain::coupon`].

use domain::catalogue::Product;
use domain::coupon::{self, Coupon, CouponTerms, IssuedCoupon, IssuedCouponCommand, issued_id};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::record::{Record, Resource};
use domain::unit_of_work::UnitOfWork;
use projections::categories::category_tree;
use projections::member_coupons::UserCoupon;
use projections::records;
use time::OffsetDateTime;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::profiles::{FORMER_MEMBER, profiles};
use crate::resources::kinds::display::PLACES;

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

/// Gives a member the coupons of one more round by staff's hand; the result is the id of the first.
///
/// # Errors
/// `invalid` at `_coupon` or `_user` if there is none; `coupon_expired`, `coupon_used_up`.
pub async fn give(
    app: &App,
    command: &CommandContext,
    (id, member): (CouponId, MemberId),
    memo: &str,
) -> AppResult<CommandOutcome> {
    let record = app.store.load::<Record<Coupon>>(&id.to_string()).await?;
    let Ok(coupon) = record.state.data() else {
        let message = "쿠폰을 찾을 수 없습니다.";
        return Err(AppError::invalid_field(
            "_coupon",
            "unknown_coupon",
            message,
        ));
    };
    let first = next_number(app, id, member).await?;
    let give = |work: &mut UnitOfWork| {
        let given = coupon::give(work, (id, &coupon), member, (first, memo));
        Ok(given?)
    };
    app.executor.commit(command, give).await
}

/// What staff change of a coupon in a box.
#[derive(Clone, Copy, Debug, Default)]
pub struct IssuedCouponChange {
    /// Another end of its validity (exclusive).
    pub ends_at: Option<OffsetDateTime>,
    /// Bring it back, if it was taken.
    pub bring_back: bool,
}

impl IssuedCouponChange {
    /// The name of the command.
    pub const fn command(&self) -> &'static str {
        match self.bring_back {
            true => "bring-back-coupon",
            false => "change-coupon-period",
        }
    }
}

/// Changes a coupon in a box by staff's hand, both changes or neither.
///
/// # Errors
/// `not_found`; `coupon_used`, `coupon_taken`; `invalid` at `endsAt`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    id: IssuedCouponId,
    (change, memo): (IssuedCouponChange, &str),
) -> AppResult<CommandOutcome> {
    let memo = || memo.to_owned();
    let decide = |work: &mut UnitOfWork| {
        if change.bring_back {
            let bring_back = IssuedCouponCommand::BringBack { memo: memo() };
            work.decide::<IssuedCoupon>(id, bring_back)?;
        }
        if let Some(ends_at) = change.ends_at {
            let memo = memo();
            let change = IssuedCouponCommand::ChangePeriod { ends_at, memo };
            work.decide::<IssuedCoupon>(id, change)?;
        }
        Ok(())
    };
    app.executor.commit(command, decide).await
}

/// Puts the names of their owners beside coupons in boxes.
///
/// # Errors
/// Database errors.
pub async fn name_owners(app: &App, coupons: &mut [UserCoupon]) -> AppResult<()> {
    let opened = profiles(app, coupons.iter().map(|coupon| coupon.user)).await?;
    for coupon in coupons {
        let profile = opened.get(&coupon.user);
        coupon.username = profile.map(|profile| profile.username.clone());
        let name = profile.map(|profile| profile.nickname.clone());
        coupon.name = name.unwrap_or_else(|| FORMER_MEMBER.to_owned());
    }
    Ok(())
}

/// The names of what a coupon can be used on; what has no name any more is left out.
///
/// # Errors
/// Database errors.
pub async fn goods_names(app: &App, terms: &CouponTerms) -> AppResult<Vec<String>> {
    let mut names = Vec::new();
    for product in &terms.products {
        let found = records::record(app.pool(), Product::KIND, &product.to_string()).await?;
        let name = found.and_then(|row| row.data.get("name")?.as_str().map(str::to_owned));
        names.extend(name);
    }
    if !terms.categories.is_empty() {
        let (tree, _) = category_tree(app.pool()).await?;
        let named = terms.categories.iter();
        let named = named.filter_map(|code| tree.by_code(code));
        names.extend(named.map(|category| category.facts.name.clone()));
    }
    let title = |code: &String| {
        let place = PLACES.iter().find(|place| place.value == code);
        place.map(|place| place.label.to_owned())
    };
    names.extend(terms.displays.iter().filter_map(title));
    Ok(names)
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
