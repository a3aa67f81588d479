//! Codes of a coupon for paper: staff make many at once, and who types one in gets the coupon.
//!
//! A batch is one event, however many codes it has: codes are computed from its handle, their number and a key, and are stored nowhere.
//! The batch records which numbers were redeemed, in the append that issues the coupon, so a code is redeemed once for ever.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::draw::{DrawError, Issue, admit, issue, issued_id, next};
use super::{Campaign, CodeHandle, Coupon, IssueType};
use crate::codes::codes;
use crate::event::{Context, Decider};
use crate::ids::{CodeBatchId, CouponId, IssuedCouponId, MemberId};
use crate::member::Member;
use crate::record::Record;
use crate::unit_of_work::UnitOfWork;
use crate::{decider, domain_event};

/// Most codes of a batch.
pub const CODES_MOST: u32 = 10_000;

codes! {
    /// What codes were read out for.
    CodeDisclosure {
        /// The list in the console.
        List = "LIST",
        /// A file.
        File = "FILE",
        /// Paper.
        Print = "PRINT",
    }
}

/// Events of a batch of codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum CodeBatchEvent {
    /// Staff made the codes.
    CouponCodesMade {
        /// The coupon they are for.
        coupon: CouponId,
        /// The first characters of each.
        handle: String,
        /// How many, numbered from 1.
        count: u32,
        /// What they are for, for staff.
        memo: String,
    },
    /// A member redeemed a code.
    CouponCodeRedeemed {
        /// Its number.
        number: u32,
        /// Who.
        member: MemberId,
        /// The coupon, or the first of those that come at once.
        issued: IssuedCouponId,
    },
    /// Staff stopped the batch: codes that were not redeemed are dead.
    CouponCodesStopped {
        /// Why, for staff.
        memo: String,
    },
    /// Codes were read out: who knows one can redeem it.
    CouponCodesDisclosed {
        /// What for.
        purpose: CodeDisclosure,
        /// The first number.
        first: u32,
        /// The last number.
        last: u32,
    },
}

domain_event!(CodeBatchEvent {
    CouponCodesMade "1.0" "쿠폰 코드를 만들었습니다",
    CouponCodeRedeemed "1.0" "쿠폰 코드를 등록했습니다",
    CouponCodesStopped "1.0" "쿠폰 코드를 중지했습니다",
    CouponCodesDisclosed "1.0" "쿠폰 코드를 열람했습니다",
});

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeBatchTerms {
    /// The coupon.
    pub coupon: CouponId,
    /// The first characters of each code.
    pub handle: String,
    /// How many codes.
    pub count: u32,
    /// What they are for, for staff.
    pub memo: String,
}

/// Current state of a batch of codes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeBatch {
    /// What was made; none before that.
    pub terms: Option<CodeBatchTerms>,
    /// The numbers of redeemed codes, and who redeemed each.
    pub redeemed: BTreeMap<u32, MemberId>,
    /// Whether staff stopped it.
    pub stopped: bool,
}

/// Commands accepted by a batch of codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeBatchCommand {
    /// Make the codes.
    Make(CodeBatchTerms),
    /// Redeem one.
    Redeem {
        /// Its number.
        number: u32,
        /// Who.
        member: MemberId,
        /// The coupon issued for it in the same append.
        issued: IssuedCouponId,
    },
    /// Stop it.
    Stop {
        /// Why, for staff.
        memo: String,
    },
    /// Record that these codes are read out, before they are handed over.
    Disclose {
        /// What for.
        purpose: CodeDisclosure,
        /// The first number.
        first: u32,
        /// The last number.
        last: u32,
    },
}

/// Reasons why a batch of codes rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeBatchError {
    /// There is no such batch.
    #[error("there is no such batch of codes")]
    NotMade,
    /// Another batch has this handle.
    #[error("another batch has this handle")]
    HandleTaken,
    /// No codes, or more than [`CODES_MOST`].
    #[error("a batch has 1 to {CODES_MOST} codes")]
    Count,
    /// It was stopped.
    #[error("the batch of codes has been stopped")]
    Stopped,
    /// The code does not exist, is used up, or its batch was stopped. One error, so that an answer does not tell which.
    #[error("the code cannot be used")]
    Unusable,
    /// The member redeemed this code before.
    #[error("the member has redeemed this code already")]
    RedeemedBefore,
}

impl CodeBatchError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotMade => "coupon_codes_not_found",
            Self::HandleTaken => "coupon_code_handle_taken",
            Self::Count => "out_of_range",
            Self::Stopped => "coupon_codes_stopped",
            Self::Unusable => "unusable",
            Self::RedeemedBefore => "coupon_already_drawn",
        }
    }
}

decider!(
    CodeBatch,
    "coupon-code-batch",
    CodeBatchCommand,
    CodeBatchEvent,
    CodeBatchError
);

impl Decider for CodeBatch {
    type Input = CodeBatchCommand;
    const HOT: bool = true;

    fn decide(
        &self,
        command: CodeBatchCommand,
        _context: &Context,
    ) -> Result<Vec<CodeBatchEvent>, CodeBatchError> {
        match command {
            CodeBatchCommand::Make(terms) => {
                if self.terms.is_some() {
                    return Err(CodeBatchError::HandleTaken);
                }
                if !(1..=CODES_MOST).contains(&terms.count) {
                    return Err(CodeBatchError::Count);
                }
                Ok(vec![CodeBatchEvent::CouponCodesMade {
                    coupon: terms.coupon,
                    handle: terms.handle,
                    count: terms.count,
                    memo: terms.memo,
                }])
            }
            CodeBatchCommand::Redeem {
                number,
                member,
                issued,
            } => {
                self.usable(number, member)?;
                Ok(vec![CodeBatchEvent::CouponCodeRedeemed {
                    number,
                    member,
                    issued,
                }])
            }
            CodeBatchCommand::Stop { memo } => {
                self.terms.as_ref().ok_or(CodeBatchError::NotMade)?;
                match self.stopped {
                    true => Err(CodeBatchError::Stopped),
                    false => Ok(vec![CodeBatchEvent::CouponCodesStopped { memo }]),
                }
            }
            CodeBatchCommand::Disclose {
                purpose,
                first,
                last,
            } => {
                let terms = self.terms.as_ref().ok_or(CodeBatchError::NotMade)?;
                if !(1..=last).contains(&first) || last > terms.count {
                    return Err(CodeBatchError::Count);
                }
                Ok(vec![CodeBatchEvent::CouponCodesDisclosed {
                    purpose,
                    first,
                    last,
                }])
            }
        }
    }
}

impl CodeBatch {
    /// The terms of the batch, if the member can redeem this code.
    ///
    /// # Errors
    /// [`CodeBatchError::Unusable`], or [`CodeBatchError::RedeemedBefore`].
    pub fn usable(&self, number: u32, member: MemberId) -> Result<&CodeBatchTerms, CodeBatchError> {
        let terms = self.terms.as_ref().ok_or(CodeBatchError::Unusable)?;
        match self.redeemed.get(&number) {
            Some(by) if *by == member => Err(CodeBatchError::RedeemedBefore),
            None if !self.stopped && (1..=terms.count).contains(&number) => Ok(terms),
            Some(_) | None => Err(CodeBatchError::Unusable),
        }
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: CodeBatchEvent) {
        match event {
            CodeBatchEvent::CouponCodesMade {
                coupon,
                handle,
                count,
                memo,
            } => {
                self.terms = Some(CodeBatchTerms {
                    coupon,
                    handle,
                    count,
                    memo,
                });
            }
            CodeBatchEvent::CouponCodeRedeemed { number, member, .. } => {
                self.redeemed.insert(number, member);
            }
            CodeBatchEvent::CouponCodesStopped { .. } => self.stopped = true,
            CodeBatchEvent::CouponCodesDisclosed { .. } => {}
        }
    }
}

/// Reasons why codes cannot be made or redeemed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The batch refuses it.
    #[error(transparent)]
    Batch(#[from] CodeBatchError),
    /// There is no such coupon.
    #[error("there is no such coupon")]
    UnknownCoupon,
    /// An event issues the coupon, so members cannot ask for it.
    #[error("the coupon is issued by an event")]
    IssuedByEvent,
    /// The coupon cannot be issued to the member, or not now.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// Makes codes for a coupon that members can ask for; returns the batch.
///
/// # Errors
/// There is no such coupon, an event issues it, or it cannot be used any more; the handle is taken; the number of codes.
pub fn make_codes(
    work: &mut UnitOfWork,
    handle: CodeHandle,
    (coupon, count): (CouponId, u32),
    memo: String,
) -> Result<CodeBatchId, CodeError> {
    let batch = handle.batch();
    work.plan_write::<CodeBatch>(batch);
    let record = work.state::<Record<Coupon>>(coupon);
    if !work.is_loaded() {
        return Ok(batch);
    }
    let Ok(definition) = record.data() else {
        return Err(CodeError::UnknownCoupon);
    };
    if definition.issue.kind != IssueType::Request {
        return Err(CodeError::IssuedByEvent);
    }
    if !definition.is_usable_from(work.context().now) {
        return Err(DrawError::NotInTime.into());
    }
    let terms = CodeBatchTerms {
        coupon,
        handle: handle.text(),
        count,
        memo,
    };
    work.decide::<CodeBatch>(batch, CodeBatchCommand::Make(terms))?;
    Ok(batch)
}

/// Redeems a code whose proof is right: the member gets the coupons of their next round. The issue rule of the coupon decides as for a
/// download, but the coupon need not be listed for shoppers. `first` is the number of the member's next coupon, as in [`next`]. Returns
/// the id of the first coupon.
///
/// # Errors
/// The code cannot be used; the coupon cannot be issued to this member, or not now, in which case the code stays good.
pub fn redeem_code(
    work: &mut UnitOfWork,
    (batch, number): (CodeBatchId, u32),
    member: MemberId,
    first: u32,
) -> Result<IssuedCouponId, CodeError> {
    work.plan_write::<CodeBatch>(batch);
    let codes = work.state::<CodeBatch>(batch);
    let owner = work.state::<Member>(member);
    let coupon = codes.usable(number, member).map(|terms| terms.coupon);
    let Ok(coupon) = coupon else {
        return match work.is_loaded() {
            true => Err(coupon.err().unwrap_or(CodeBatchError::Unusable).into()),
            false => Ok(IssuedCouponId(batch.0)),
        };
    };
    work.plan_write::<Campaign>(coupon);
    let record = work.state::<Record<Coupon>>(coupon);
    let next = next(work, coupon, member, first);
    let issued = issued_id(coupon, member, next.number);
    if !work.is_loaded() {
        return Ok(issued);
    }
    let Ok(definition) = record.data() else {
        return Err(DrawError::NotInTime.into());
    };
    if definition.issue.kind != IssueType::Request {
        return Err(DrawError::NotInTime.into());
    }
    admit(work, &definition, member, &owner)?;
    issue(work, (coupon, &definition), member, next, Issue::default())?;
    let redeem = CodeBatchCommand::Redeem {
        number,
        member,
        issued,
    };
    work.decide::<CodeBatch>(batch, redeem)?;
    Ok(issued)
}
