//! Coupons in members' boxes, what happened to each, and how far limited campaigns are used up.

mod console;
mod queries;
mod statistics;

use std::collections::BTreeMap;

use domain::Amount;
use domain::coupon::{CampaignEvent, CouponTerms, IssuedCouponEvent};
use domain::ids::{BulkGrantId, CouponId, IssuedCouponId, MemberId, OrderId};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert};

pub use console::*;
pub use queries::*;
pub use statistics::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "coupon_box";

/// The projection.
pub struct CouponBox;

/// One coupon in one box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedRow {
    /// The coupon in the box.
    pub id: IssuedCouponId,
    /// Its definition.
    pub coupon: CouponId,
    /// Whose box.
    pub member: MemberId,
    /// Frozen terms, with the end that counts.
    pub terms: CouponTerms,
    /// The member's round of the issue rule; none: not recorded.
    pub round: Option<u32>,
    /// What it was issued for, at most once.
    pub occasion: Option<String>,
    /// What staff said last who gave, took or changed it.
    pub memo: Option<String>,
    /// The bulk grant it belongs to.
    pub grant_id: Option<BulkGrantId>,
    /// Staff took it back.
    pub taken: bool,
    /// It is used now.
    pub used: bool,
    /// How often it was used, ever.
    pub uses: i64,
    /// How often it came back, ever.
    pub returns: i64,
    /// Where it is used now.
    pub order_id: Option<OrderId>,
    /// What it takes off there, hundredths.
    pub amount: Option<Amount>,
    /// Since when.
    #[serde(with = "crate::timestamp::option")]
    pub used_at: Option<OffsetDateTime>,
    /// When it came into the box.
    #[serde(with = "crate::timestamp")]
    pub issued_at: OffsetDateTime,
    /// From when on it is too old.
    #[serde(with = "crate::timestamp::option")]
    pub ends_at: Option<OffsetDateTime>,
    /// Position of its last event.
    pub position: i64,
}

impl IssuedRow {
    /// As it came into the box, from the event that issued it.
    ///
    /// # Errors
    /// [`ReadError`] if it is no such event.
    pub fn issued(recorded: &StoredEvent) -> Result<Self, ReadError> {
        match event(recorded)? {
            IssuedCouponEvent::CouponIssued {
                coupon,
                member,
                terms,
                round,
                occasion,
                memo,
                grant,
            } => Ok(Self {
                id: stream_id(recorded)?,
                coupon,
                member,
                round,
                occasion,
                memo,
                grant_id: grant,
                taken: false,
                used: false,
                uses: 0,
                returns: 0,
                order_id: None,
                amount: None,
                used_at: None,
                issued_at: at(recorded),
                ends_at: terms.ends_at,
                terms: *terms,
                position: recorded.position,
            }),
            _ => Err(ReadError::Unknown(recorded.stream.to_string())),
        }
    }
}

impl IssuedRow {
    /// What an event makes of the row; what happened, for the statistics.
    fn take(
        &mut self,
        event: IssuedCouponEvent,
        recorded: &StoredEvent,
    ) -> Result<Option<CouponEntryRow>, ReadError> {
        self.position = recorded.position;
        let (kind, order_id, amount) = match event {
            IssuedCouponEvent::CouponIssued { .. } => (CouponEntryKind::Issued, None, Amount::ZERO),
            IssuedCouponEvent::CouponUsed { order, amount } => {
                self.used = true;
                self.uses += 1;
                self.order_id = Some(order);
                self.amount = Some(amount);
                self.used_at = Some(at(recorded));
                (CouponEntryKind::Used, Some(order), amount)
            }
            IssuedCouponEvent::CouponReturned { order } => {
                let amount = self.amount.take().unwrap_or_default().negated()?;
                self.used = false;
                self.returns += 1;
                self.order_id = None;
                self.used_at = None;
                (CouponEntryKind::Returned, Some(order), amount)
            }
            IssuedCouponEvent::CouponTaken { memo } => {
                self.taken = true;
                self.memo = Some(memo);
                (CouponEntryKind::Taken, None, Amount::ZERO)
            }
            IssuedCouponEvent::CouponBroughtBack { memo } => {
                self.taken = false;
                self.memo = Some(memo);
                (CouponEntryKind::BroughtBack, None, Amount::ZERO)
            }
            IssuedCouponEvent::CouponPeriodChanged { ends_at, memo } => {
                self.ends_at = Some(ends_at);
                self.terms.ends_at = Some(ends_at);
                self.memo = Some(memo);
                return Ok(None);
            }
            IssuedCouponEvent::CouponRoundPassed { .. } => return Ok(None),
        };
        Ok(Some(CouponEntryRow {
            position: recorded.position,
            id: self.id,
            coupon: self.coupon,
            kind,
            order_id,
            amount,
            at: at(recorded),
        }))
    }
}

impl Row for IssuedRow {
    const TABLE: &'static str = "p_coupon_box_v4";
    const KEY: &'static [&'static str] = &["id"];
}

/// What happened to a coupon in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CouponEntryKind {
    /// It came into the box.
    Issued,
    /// It was used on an order.
    Used,
    /// It came back from an order.
    Returned,
    /// Staff took it.
    Taken,
    /// Staff brought it back.
    BroughtBack,
}

impl CouponEntryKind {
    /// As it is stored.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Issued => "ISSUED",
            Self::Used => "USED",
            Self::Returned => "RETURNED",
            Self::Taken => "TAKEN",
            Self::BroughtBack => "BROUGHT_BACK",
        }
    }
}

/// One thing that happened to a coupon in a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CouponEntryRow {
    /// Position of the event.
    pub position: i64,
    /// The coupon in the box.
    pub id: IssuedCouponId,
    /// Its definition.
    pub coupon: CouponId,
    /// What.
    pub kind: CouponEntryKind,
    /// On which order.
    pub order_id: Option<OrderId>,
    /// What it takes off; what is given back is negative, hundredths.
    pub amount: Amount,
    /// When.
    #[serde(with = "crate::timestamp")]
    pub at: OffsetDateTime,
}

impl Row for CouponEntryRow {
    const TABLE: &'static str = "p_coupon_box_v4_entries";
    const KEY: &'static [&'static str] = &["position"];
}

/// A limited coupon's counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignRow {
    /// The definition.
    pub coupon: CouponId,
    /// How many may be drawn; none = any number.
    pub draws: Option<u32>,
    /// How many may be used; none = any number.
    pub uses: Option<u32>,
    /// How much all uses may take off, hundredths; none = any amount.
    pub amount: Option<Amount>,
    /// How much all draws may be worth, hundredths; none = any amount.
    pub face_value: Option<Amount>,
    /// What all draws are worth, hundredths.
    pub handed_out: Amount,
    /// Drawn, ever.
    pub drawn: i64,
    /// Uses counted, ever.
    pub counted: i64,
    /// Uses given back, ever.
    pub returned: i64,
    /// Uses that count now.
    pub used: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for CampaignRow {
    const TABLE: &'static str = "p_coupon_box_v4_campaigns";
    const KEY: &'static [&'static str] = &["coupon"];
}

impl CampaignRow {
    fn new(coupon: CouponId) -> Self {
        Self {
            coupon,
            draws: None,
            uses: None,
            amount: None,
            face_value: None,
            handed_out: Amount::ZERO,
            drawn: 0,
            counted: 0,
            returned: 0,
            used: 0,
            position: 0,
        }
    }

    fn fold(&mut self, event: CampaignEvent) -> Result<(), ReadError> {
        match event {
            CampaignEvent::CampaignLimited {
                draws,
                uses,
                amount,
                face_value,
            } => {
                self.draws = draws;
                self.uses = uses;
                self.amount = amount;
                self.face_value = face_value;
            }
            CampaignEvent::CouponDrawn { face_value, .. } => {
                self.drawn += 1;
                self.handed_out = self.handed_out.plus(face_value.unwrap_or_default())?;
            }
            CampaignEvent::CouponUseCounted { .. } => self.counted += 1,
            CampaignEvent::CouponUseReturned { .. } => self.returned += 1,
        }
        self.used = self.counted - self.returned;
        Ok(())
    }
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    apply_issued(connection, batch).await?;
    apply_campaigns(connection, batch).await
}

async fn apply_issued(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<IssuedRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "issued-coupon"),
        |row| row.id.to_string(),
    )
    .await?;
    let mut entries = BTreeMap::new();
    for recorded in of(batch, "issued-coupon") {
        let key = &recorded.stream.id;
        let event = event(recorded)?;
        match &event {
            IssuedCouponEvent::CouponIssued { .. } => {
                rows.put(key.clone(), IssuedRow::issued(recorded)?);
            }
            IssuedCouponEvent::CouponRoundPassed { .. } => continue,
            _ => {}
        }
        let row = rows.known(key)?;
        let entry = row.take(event, recorded)?;
        entries.extend(entry.map(|entry| (entry.position, entry)));
    }
    rows.save(connection).await?;
    let entries: Vec<CouponEntryRow> = entries.into_values().collect();
    insert(connection, &entries).await
}

async fn apply_campaigns(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<CampaignRow>::load(
        connection,
        ("coupon", "uuid"),
        streams(batch, "coupon-campaign"),
        |row| row.coupon.to_string(),
    )
    .await?;
    for recorded in of(batch, "coupon-campaign") {
        let coupon = stream_id(recorded)?;
        let row = rows.entry(&recorded.stream.id, || CampaignRow::new(coupon));
        row.fold(event(recorded)?)?;
        row.position = recorded.position;
    }
    rows.save(connection).await
}

projection!(CouponBox, version 4, reads "issued-coupon", "coupon-campaign"; rows of one; stops);
