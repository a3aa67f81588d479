//! Events of a member's points (stream id `{member}:points`).

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use crate::business_day::day_text;
use crate::domain_event;
use crate::ids::{BulkGrantId, LotId, MemberId, OrderId};
use crate::money::Amount;
use crate::order::LotPart;

/// Events of a member's points. Amounts are hundredths; a lot is one grant with its own expiry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum PointsEvent {
    /// A lot was granted.
    PointsGranted {
        /// The member.
        member: MemberId,
        /// The lot.
        lot: LotId,
        /// Amount granted.
        amount: Amount,
        /// The reason shown to the member.
        reason: String,
        /// The order that earned it, if any.
        order: Option<OrderId>,
        /// The bulk grant it belongs to, if any.
        grant: Option<BulkGrantId>,
        /// Expiry of the lot.
        #[serde(with = "time::serde::rfc3339")]
        expires_at: OffsetDateTime,
    },
    /// An order spent points: nearest expiry first, then the older lot.
    PointsSpent {
        /// The order.
        order: OrderId,
        /// Amounts by lot.
        parts: Vec<LotPart>,
    },
    /// Points of an order were restored to the same lots, latest expiry first.
    PointsRestored {
        /// The order.
        order: OrderId,
        /// Amounts by lot.
        parts: Vec<LotPart>,
        /// Amounts of lots that have expired meanwhile: those points are lost, a lot is never revived.
        #[serde(default)]
        lost: Vec<LotPart>,
    },
    /// The rest of a lot expired.
    PointsExpired {
        /// The lot.
        lot: LotId,
        /// Amount expired.
        amount: Amount,
    },
    /// Points an order earned were taken back, because what earned them is returned.
    PointsRevoked {
        /// The order.
        order: OrderId,
        /// The points by lot: the lot it was granted first, then the others in the order in which they expire.
        parts: Vec<LotPart>,
    },
    /// Staff took back what was left of a lot.
    PointsTaken {
        /// The lot.
        lot: LotId,
        /// Amount taken.
        amount: Amount,
        /// The reason shown to the member.
        memo: String,
    },
    /// Staff changed how long a lot can be used.
    PointsLifeChanged {
        /// The lot.
        lot: LotId,
        /// Expiry of the lot from now on.
        #[serde(with = "time::serde::rfc3339")]
        expires_at: OffsetDateTime,
        /// The reason shown to the member.
        memo: String,
    },
    /// The coming expiry of points was announced to the member: once per last day.
    PointsExpiryAnnounced {
        /// The last day on which they can be used.
        #[serde(with = "day_text")]
        last_day: Date,
        /// Amount that can be used until then and not after.
        amount: Amount,
    },
}

domain_event!(PointsEvent {
    PointsGranted "2.0" "적립금이 지급되었습니다",
    PointsSpent "1.0" "적립금을 사용했습니다",
    PointsRestored "1.0" "적립금이 복원되었습니다",
    PointsExpired "1.0" "적립금이 소멸되었습니다",
    PointsRevoked "1.0" "적립금이 회수되었습니다",
    PointsTaken "1.0" "적립금을 거두었습니다",
    PointsLifeChanged "1.0" "적립금의 유효기간이 바뀌었습니다",
    PointsExpiryAnnounced "1.0" "적립금이 곧 소멸됨을 알렸습니다",
});

/// Stream id of a member's points.
pub fn stream_id(member: MemberId) -> String {
    format!("{member}:points")
}
