//! Issuing coupons: a member downloads one into their box, or an event puts it there.

use super::{
    Campaign, CampaignCommand, CampaignError, Coupon, IssueTargetType, IssueType, IssuedCoupon,
    IssuedCouponCommand, IssuedCouponError, Round, RoundType,
};
use crate::ids::{BulkGrantId, CouponId, IssuedCouponId, MemberId, derived_id};
use crate::member::Member;
use crate::unit_of_work::UnitOfWork;

/// Reasons why a member cannot draw a coupon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// It is not offered for download.
    #[error("the coupon is not offered")]
    NotOffered,
    /// It cannot be drawn at this time.
    #[error("the coupon cannot be drawn at this time")]
    NotInTime,
    /// It is meant for other members.
    #[error("the coupon is meant for other members")]
    NotForMember,
    /// The member's account is closed.
    #[error("the member's account is closed")]
    MemberLeft,
    /// There is no member with an open account to give it to.
    #[error("there is no such member")]
    UnknownMember,
    /// Its campaign rejects the draw.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// The issued coupon rejects the draw.
    #[error(transparent)]
    Issued(#[from] IssuedCouponError),
}

/// The id of a member's `number`-th coupon of a kind (from 1): derived from all three, so that it is drawn once.
pub fn issued_id(coupon: CouponId, member: MemberId, number: u32) -> IssuedCouponId {
    IssuedCouponId(derived_id(&format!(
        "coupon {coupon} of {member}, {number}"
    )))
}

/// The member's next coupon of a kind: its number and the round in which it is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextCoupon {
    /// Sequence number among the member's coupons of this kind, from 1.
    pub number: u32,
    /// The member's round, from 1: the one after the last in which coupons were issued, or that passed.
    pub round: u32,
}

/// Finds the member's next coupon of a kind. `first` is the number to look for it from: those before it must be issued.
pub fn next(work: &mut UnitOfWork, id: CouponId, member: MemberId, first: u32) -> NextCoupon {
    let mut number = first.max(1);
    while work
        .state::<IssuedCoupon>(issued_id(id, member, number))
        .held
        .is_some()
    {
        number = number.saturating_add(1);
    }
    let before = number.saturating_sub(1);
    let last = match before {
        0 => 0,
        // before rounds were recorded there was one coupon a round
        _ => work
            .state::<IssuedCoupon>(issued_id(id, member, before))
            .held
            .as_ref()
            .map_or(before, |held| held.round.unwrap_or(before)),
    };
    let next = work.state::<IssuedCoupon>(issued_id(id, member, number));
    let passed = next.passed.unwrap_or_default();
    NextCoupon {
        number,
        round: last.max(passed).saturating_add(1),
    }
}

/// Draws the member's next coupon of a kind, `count` of them at once; returns the id of the first. Draws are counted by the campaign
/// of every coupon, also where nothing is limited.
///
/// # Errors
/// [`DrawError`].
pub fn draw(
    work: &mut UnitOfWork,
    id: CouponId,
    coupon: &Coupon,
    member: MemberId,
    first: u32,
) -> Result<IssuedCouponId, DrawError> {
    let owner = work.state::<Member>(member);
    let next = next(work, id, member, first);
    let issued = issued_id(id, member, next.number);
    if !work.is_loaded() {
        return Ok(issued);
    }
    if coupon.issue.kind != IssueType::Request || !coupon.on_display {
        return Err(DrawError::NotOffered);
    }
    admit(work, coupon, member, &owner)?;
    issue(work, (id, coupon), member, next, Issue::default())?;
    Ok(issued)
}

/// Whether the period and the members of the issue rule let the member have the coupon now.
pub(super) fn admit(
    work: &UnitOfWork,
    coupon: &Coupon,
    id: MemberId,
    member: &Member,
) -> Result<(), DrawError> {
    if !coupon.is_issuable(work.context().now) {
        return Err(DrawError::NotInTime);
    }
    if member.left {
        return Err(DrawError::MemberLeft);
    }
    match coupon.is_meant_for(id, member) {
        true => Ok(()),
        false => Err(DrawError::NotForMember),
    }
}

/// Gives a member the coupons of one more round by staff's hand: past the period, the members, the form and the rounds of the issue
/// rule, but within its limits. Returns the id of the first.
///
/// # Errors
/// There is no such member; the coupon cannot be used, or not any more; the campaign is used up.
pub fn give(
    work: &mut UnitOfWork,
    (id, coupon): (CouponId, &Coupon),
    member: MemberId,
    first: u32,
    with: Issue,
) -> Result<IssuedCouponId, DrawError> {
    let owner = work.state::<Member>(member);
    let next = next(work, id, member, first);
    let issued = issued_id(id, member, next.number);
    work.plan_write::<Campaign>(id);
    if !work.is_loaded() {
        return Ok(issued);
    }
    if !owner.has_joined() {
        return Err(DrawError::UnknownMember);
    }
    if !coupon.is_usable_from(work.context().now) {
        return Err(DrawError::NotInTime);
    }
    let mut in_any_round = coupon.clone();
    in_any_round.issue.round = Round {
        kind: RoundType::Infinite,
        ..Round::default()
    };
    issue(work, (id, &in_any_round), member, next, with)?;
    Ok(issued)
}

/// What is recorded with the coupons of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// What they are issued for, at most once.
    pub occasion: Option<String>,
    /// What staff said who gave them.
    pub memo: Option<String>,
    /// The bulk grant they belong to.
    pub grant: Option<BulkGrantId>,
}

/// Puts the coupons of a round into the member's box, all or none, without asking whether it is offered to them.
///
/// # Errors
/// The campaign is used up, or issues nothing in this round; a coupon is there already.
pub fn issue(
    work: &mut UnitOfWork,
    (id, coupon): (CouponId, &Coupon),
    member: MemberId,
    next: NextCoupon,
    with: Issue,
) -> Result<(), DrawError> {
    for place in 0..coupon.count.max(1) {
        let number = next.number.saturating_add(place);
        let issued = issued_id(id, member, number);
        let count = CampaignCommand::Draw {
            issued,
            member,
            number,
            round: next.round,
            rounds: coupon.issue.round.clone(),
            face_value: coupon.face_value(),
        };
        work.decide::<Campaign>(id, count)?;
        let issue = IssuedCouponCommand::Issue {
            coupon: id,
            member,
            terms: Box::new(coupon.terms()),
            round: next.round,
            occasion: with.occasion.clone(),
            memo: with.memo.clone(),
            grant: with.grant,
        };
        work.decide::<IssuedCoupon>(issued, issue)?;
    }
    Ok(())
}

impl Coupon {
    /// The command that sets the limits of its campaign.
    pub const fn campaign_limits(&self) -> CampaignCommand {
        CampaignCommand::Limit {
            draws: self.issue.limit.shop.count_sum,
            uses: self.usage.limit.shop.count_sum,
            amount: self.usage.limit.shop.price_sum,
            face_value: self.issue.limit.shop.price_sum,
        }
    }

    /// Whether the coupon is meant for this member.
    pub fn is_meant_for(&self, id: MemberId, member: &Member) -> bool {
        let target = &self.issue.target;
        match target.kind {
            IssueTargetType::All => true,
            IssueTargetType::Users => target.users.contains(&id),
            IssueTargetType::UserTypes => target.user_types.contains(&member.member_type),
            IssueTargetType::UserLevels => member
                .membership_level
                .as_ref()
                .is_some_and(|level| target.levels.contains(level)),
        }
    }
}
