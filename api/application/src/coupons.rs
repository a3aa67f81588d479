//! Coupons of members. The decisions are in [`domain::coupon`].

use std::collections::BTreeMap;

use domain::bulk_grant::CarryOutError;
use domain::coupon::{
    self, Coupon, CouponNames, CouponTerms, Issue, IssueEventType, IssuedCoupon,
    IssuedCouponCommand, issued_id,
};
use domain::ids::{CouponId, IssuedCouponId, MemberId, ProductId};
use domain::record::{Record, Resource};
use domain::site::Level;
use domain::storefront::DisplayCode;
use domain::storefront::exhibition::Exhibition;
use domain::unit_of_work::UnitOfWork;
use projections::categories::category_tree;
use projections::member_coupons::UserCoupon;
use projections::{products, records};
use time::OffsetDateTime;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::profiles::{FORMER_MEMBER, profiles};

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
        return Err(CarryOutError::UnknownCoupon.into());
    };
    let first = next_number(app, id, member).await?;
    let give = |work: &mut UnitOfWork| {
        let with = Issue {
            memo: Some(memo.to_owned()),
            ..Issue::default()
        };
        let given = coupon::give(work, (id, &coupon), member, first, with);
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

/// The names of what each of some coupons can be used on, in their order; what has no name any more is left out.
///
/// # Errors
/// Database errors.
pub async fn goods_names(app: &App, coupons: &[&CouponTerms]) -> AppResult<Vec<Vec<String>>> {
    let products = coupons.iter().flat_map(|terms| &terms.products);
    let ids: Vec<ProductId> = products.copied().collect();
    let products: BTreeMap<ProductId, String> = match ids.is_empty() {
        true => BTreeMap::new(),
        false => {
            let rows = products::product_rows(app.pool(), &ids).await?;
            let named = rows.into_iter().map(|row| (row.id, row.name));
            named.collect()
        }
    };
    let tree = match coupons.iter().any(|terms| !terms.categories.is_empty()) {
        true => Some(category_tree(app.pool()).await?.0),
        false => None,
    };
    let listed = coupons.iter().flat_map(|terms| &terms.displays);
    let exhibitions: Vec<String> = listed
        .filter(|code| DisplayCode::of_code(code).is_none())
        .cloned()
        .collect();
    let exhibitions = match exhibitions.is_empty() {
        true => BTreeMap::new(),
        false => records::names(app.pool(), Exhibition::KIND, &exhibitions).await?,
    };
    let title = |code: &String| match DisplayCode::of_code(code) {
        Some(display) => Some(display.title().to_owned()),
        None => exhibitions.get(code).cloned(),
    };
    let names = |terms: &&CouponTerms| {
        let named = terms.products.iter();
        let named = named.filter_map(|id| products.get(id).cloned());
        let categories = terms.categories.iter();
        let categories = categories.filter_map(|code| tree.as_ref()?.by_code(code));
        named
            .chain(categories.map(|category| category.facts.name.clone()))
            .chain(terms.displays.iter().filter_map(title))
            .collect()
    };
    Ok(coupons.iter().map(names).collect())
}

/// What each of some coupons does and for whom, in one sentence with the names of levels and goods.
///
/// # Errors
/// Database errors.
pub async fn sentences(app: &App, coupons: &[&Coupon]) -> AppResult<Vec<String>> {
    let terms: Vec<CouponTerms> = coupons.iter().map(|coupon| coupon.terms()).collect();
    let goods = goods_names(app, &terms.iter().collect::<Vec<_>>()).await?;
    let levels = records::all::<Level>(app.pool()).await?;
    let name = |code: &str| {
        let level = levels.iter().find(|level| level.data.code == code)?;
        Some(level.data.name.clone())
    };
    let sentence = |(coupon, goods): (&&Coupon, Vec<String>)| {
        let levels = coupon.issue.target.levels.iter();
        let levels = levels.map(|code| name(code).unwrap_or_else(|| code.clone()));
        let event = coupon.issue.event.as_ref();
        let reached = event
            .filter(|event| event.kind == IssueEventType::LevelUp)
            .and_then(|event| event.code.as_deref());
        coupon.sentence(&CouponNames {
            levels: levels.collect(),
            reached: reached.and_then(name),
            goods,
        })
    };
    Ok(coupons.iter().zip(goods).map(sentence).collect())
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
