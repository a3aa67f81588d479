//! Coupons that an event issues: a member joins, rises to a level, has a purchase confirmed, or writes a review.
//!
//! The rule is read as it was when the event happened. Rounds are counted for each member and coupon, from the first event for which
//! the rule could issue it; a round in which it issues nothing is recorded, so that the next one counts on.

use time::{Duration, OffsetDateTime};

use crate::coupon::{
    Campaign, CampaignError, Coupon, DrawError, Issue, IssueEventType, IssueType, IssuedCoupon,
    IssuedCouponCommand, NextCoupon, issue, issued_id, next,
};
use crate::ids::{CouponId, MemberId};
use crate::member::{Member, MemberEvent};
use crate::order::{Buyer, Order, OrderEvent};
use crate::review::Review;
use crate::unit_of_work::UnitOfWork;

/// An event that is read later than this issues nothing: nobody expects coupons for what happened long ago, e.g. before the shop
/// issued coupons by itself.
pub const LATEST: Duration = Duration::days(7);

/// Something a member did that coupons may be issued for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occasion {
    /// What it was.
    pub kind: IssueEventType,
    /// The member.
    pub member: MemberId,
    /// The level reached, where it was a level.
    pub level: Option<String>,
    /// When.
    pub at: OffsetDateTime,
}

impl Occasion {
    /// Whether the coupon is issued for such events.
    pub fn is_of(&self, coupon: &Coupon) -> bool {
        let Some(event) = &coupon.issue.event else {
            return false;
        };
        let code = event.code.as_deref().filter(|code| !code.is_empty());
        coupon.issue.kind == IssueType::Instant
            && event.kind == self.kind
            && (self.level.is_none() || code.is_none() || code == self.level.as_deref())
    }

    /// Whether it happened so short a time ago that coupons are still issued for it.
    pub fn is_recent(&self, now: OffsetDateTime) -> bool {
        now - self.at <= LATEST
    }
}

/// What a member's event is to coupons. `before` is the level before it; `joins` whether it belongs to the joining itself, and
/// `rank` the rank of a level in use.
pub fn of_member(
    event: &MemberEvent,
    (member, at): (MemberId, OffsetDateTime),
    (before, joins): (Option<&str>, bool),
    rank: impl Fn(&str) -> Option<i32>,
) -> Option<Occasion> {
    match event {
        MemberEvent::MemberJoined { .. } => Some(Occasion {
            kind: IssueEventType::UserJoin,
            member,
            level: None,
            at,
        }),
        MemberEvent::MembershipLevelAssigned { code } if !joins => {
            let rises = match (before.and_then(&rank), rank(code)) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(before), Some(after)) => after > before,
            };
            rises.then(|| Occasion {
                kind: IssueEventType::LevelUp,
                member,
                level: Some(code.clone()),
                at,
            })
        }
        _ => None,
    }
}

/// What an order's event is to coupons: the first confirmation of a member's purchase.
pub fn of_order(event: &OrderEvent, order: &Order, at: OffsetDateTime) -> Option<Occasion> {
    match (event, order.buyer()) {
        (OrderEvent::PurchaseCompleted { .. }, Some(Buyer::Member { id })) => Some(Occasion {
            kind: IssueEventType::PurchaseComplete,
            member: *id,
            level: None,
            at,
        }),
        _ => None,
    }
}

/// What a review that was written is to coupons.
pub fn of_review(review: &Review, at: OffsetDateTime) -> Occasion {
    Occasion {
        kind: match review.images.is_empty() {
            true => IssueEventType::TextReview,
            false => IssueEventType::PhotoReview,
        },
        member: review.user,
        level: None,
        at,
    }
}

/// A coupon that may be issued.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its definition.
    pub id: CouponId,
    /// The definition as it was when the event happened.
    pub coupon: Coupon,
    /// The number to look for the member's next coupon from: those before it are issued.
    pub first: u32,
}

/// Issues the coupons of an occasion to `owner`, as the member was then. A campaign that is used up issues nothing.
///
/// # Errors
/// [`DrawError`]: a coupon is there already.
pub fn issue_for(
    work: &mut UnitOfWork,
    occasion: &Occasion,
    owner: &Member,
    candidates: &[Candidate],
) -> Result<(), DrawError> {
    let member = occasion.member;
    if work.state::<Member>(member).left {
        return Ok(());
    }
    for Candidate { id, coupon, first } in candidates {
        let is_due = occasion.is_of(coupon)
            && coupon.is_issuable(occasion.at)
            && coupon.is_meant_for(member, owner);
        if !is_due {
            continue;
        }
        let next = next(work, *id, member, *first);
        issue_or_pass(work, (*id, coupon), member, next, Issue::default())?;
    }
    Ok(())
}

/// Issues the coupons of the member's next round, or lets it pass where the rule issues nothing in it. A campaign that is used up issues
/// nothing.
pub(super) fn issue_or_pass(
    work: &mut UnitOfWork,
    (id, coupon): (CouponId, &Coupon),
    member: MemberId,
    next: NextCoupon,
    with: Issue,
) -> Result<(), DrawError> {
    if !coupon.issue.round.takes(next.round) {
        let pass = IssuedCouponCommand::Pass {
            coupon: id,
            member,
            round: next.round,
            occasion: with.occasion,
        };
        work.decide::<IssuedCoupon>(issued_id(id, member, next.number), pass)?;
        return Ok(());
    }
    work.plan_write::<Campaign>(id);
    match work.attempt(|work| issue(work, (id, coupon), member, next, with)) {
        Ok(()) | Err(DrawError::Campaign(CampaignError::UsedUp)) => Ok(()),
        Err(error) => Err(error),
    }
}
