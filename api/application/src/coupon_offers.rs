//! Coupons on offer with goods: those a member can download, and what each takes off.

use std::cmp::Reverse;

use domain::coupon::{Stage, draw};
use domain::ids::MemberId;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount};
use projections::records::OfferedCoupon;

use crate::app::App;
use crate::coupons::next_number;
use crate::error::AppResult;
use crate::orders::basket::Basket;
use crate::orders::form::LineForm;

/// A coupon that a member can download, and what it takes off some goods.
#[derive(Clone, Debug)]
pub struct FittingOffer {
    /// The offer.
    pub offer: OfferedCoupon,
    /// What it takes off as the only coupon, hundredths.
    pub takes: Amount,
}

/// Most coupons that are offered with goods.
const OFFERS_MOST: usize = 20;

/// Of the coupons on offer, those that take something off these goods and that the member can download now, by the rules of
/// downloading itself; the largest discount first.
///
/// # Errors
/// `not_on_sale`; database errors.
pub async fn fitting(
    app: &App,
    member: MemberId,
    offers: Vec<OfferedCoupon>,
    line: LineForm,
) -> AppResult<Vec<FittingOffer>> {
    let basket = Basket::holding(app, Some(member), &[(None, line)], None).await?;
    let now = app.clock.now();
    let mut fitting = basket.before_coupons(|before| {
        let tried = offers.into_iter().filter_map(|offer| {
            let terms = offer.coupon.terms();
            let line = match terms.stage {
                Stage::Total => None,
                Stage::Product | Stage::Fare => Some(0),
            };
            let takes = before.discount_of(&terms, line).ok()?;
            let can_be_used = !terms.has_expired(now) && takes > Amount::ZERO;
            can_be_used.then_some(FittingOffer { offer, takes })
        });
        tried.collect::<Vec<_>>()
    })?;
    fitting.sort_by_key(|one| Reverse(one.takes));
    let mut drawable = Vec::new();
    for one in fitting {
        if drawable.len() == OFFERS_MOST {
            break;
        }
        let id = one.offer.id;
        let first = next_number(app, id, member).await?;
        let actor = Actor::Member { id: member };
        let draw =
            |work: &mut UnitOfWork| Ok(draw(work, id, &one.offer.coupon, member, first).is_ok());
        if app.executor.preview(actor, draw).await? {
            drawable.push(one);
        }
    }
    Ok(drawable)
}
