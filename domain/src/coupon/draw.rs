//! Drawing coupons: a member downloads one into their box.

use super::{
    Campaign, CampaignCommand, CampaignError, Coupon, IssueTargetType, IssueType, IssuedCoupon,
    IssuedCouponCommand, IssuedCouponError,
};
use crate::ids::{CouponId, IssuedCouponId, MemberId, derived_id};
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

/// Draws the member's next coupon of a kind; returns its id. Draws are counted by the campaign of every coupon, also where nothing
/// is limited. `first` is the number to look for the next one from: those before it must be drawn.
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
    let mut number = first;
    let mut issued = issued_id(id, member, number);
    while work.state::<IssuedCoupon>(issued).held.is_some() {
        number = number.saturating_add(1);
        issued = issued_id(id, member, number);
    }
    if !work.is_loaded() {
        return Ok(issued);
    }
    if coupon.issue.kind != IssueType::Request || !coupon.on_display {
        return Err(DrawError::NotOffered);
    }
    if !coupon.is_issuable(work.context().now) {
        return Err(DrawError::NotInTime);
    }
    if owner.left {
        return Err(DrawError::MemberLeft);
    }
    if !coupon.is_meant_for(member, &owner) {
        return Err(DrawError::NotForMember);
    }
    issue(work, (id, coupon), member, number)?;
    Ok(issued)
}

/// Puts the member's `number`-th coupon of a kind into their box, without asking whether it is offered to them.
///
/// # Errors
/// The campaign is used up; the coupon is there already.
pub fn issue(
    work: &mut UnitOfWork,
    (id, coupon): (CouponId, &Coupon),
    member: MemberId,
    number: u32,
) -> Result<(), DrawError> {
    let issued = issued_id(id, member, number);
    let count = CampaignCommand::Draw {
        issued,
        member,
        number,
        per_member: coupon.draws_per_member(),
    };
    work.decide::<Campaign>(id, count)?;
    let issue = IssuedCouponCommand::Issue {
        coupon: id,
        member,
        terms: Box::new(coupon.terms()),
    };
    work.decide::<IssuedCoupon>(issued, issue)?;
    Ok(())
}

impl Coupon {
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
