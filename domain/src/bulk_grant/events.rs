//! Events of a bulk grant.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::domain_event;
use crate::ids::{CouponId, MemberId};
use crate::money::Amount;

/// What each receiver gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Benefit {
    /// A grant of points.
    Points {
        /// Amount, hundredths.
        amount: Amount,
        /// Expiry.
        #[serde(with = "time::serde::rfc3339")]
        expires_at: OffsetDateTime,
    },
    /// The coupons of one round, as many as come at once.
    Coupon {
        /// Its definition, read at each receiver's turn.
        coupon: CouponId,
        /// Its name when it was ordered.
        name: String,
    },
}

/// Why a receiver whose turn came got nothing, although their account is open.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum GrantRefusal {
    /// The campaign had reached a limit.
    CouponUsedUp,
    /// The coupon could not be used any more.
    CouponOver,
    /// The coupon had been deleted.
    CouponRemoved,
    /// The receiver has not joined.
    UnknownMember,
}

/// A receiver whose turn came and who was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedReceiver {
    /// The receiver.
    pub member: MemberId,
    /// Why.
    pub reason: GrantRefusal,
}

/// Events of a bulk grant. Receivers are counted from the start of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum BulkGrantEvent {
    /// Staff ordered it.
    BulkGrantOrdered {
        /// What each gets.
        benefit: Benefit,
        /// The receivers, each once.
        members: Vec<MemberId>,
        /// The reason shown to them.
        memo: String,
    },
    /// The next receivers got theirs.
    BulkGrantPartGiven {
        /// How many of the list have been served.
        served: u32,
        /// Those of this part who got nothing: they have left.
        left_out: Vec<MemberId>,
        /// Those of this part who were refused. None before 2.0.
        refused: Vec<RefusedReceiver>,
    },
    /// Staff stopped it: the rest gets nothing, and what is left of what was given is taken back.
    BulkGrantStopped {
        /// The reason shown to those from whom something is taken.
        memo: String,
    },
    /// What was left was taken back from the next receivers.
    BulkGrantPartTaken {
        /// How many of the list have been dealt with.
        cleared: u32,
    },
    /// Staff wrote a note for themselves.
    BulkGrantNoted {
        /// The note; empty: none.
        memo: String,
    },
}

domain_event!(BulkGrantEvent {
    BulkGrantOrdered "2.0" "일괄 지급을 등록했습니다",
    BulkGrantPartGiven "2.0" "일괄 지급의 일부를 지급했습니다",
    BulkGrantStopped "1.0" "일괄 지급을 중단했습니다",
    BulkGrantPartTaken "1.0" "중단한 일괄 지급의 일부를 거두었습니다",
    BulkGrantNoted "1.0" "일괄 지급 메모를 남겼습니다",
});
