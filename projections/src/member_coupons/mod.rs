//! Coupons in members' boxes, and how far limited campaigns are used up.

mod queries;

use domain::Amount;
use domain::coupon::{CampaignEvent, CouponTerms, IssuedCouponEvent};
use domain::ids::{CouponId, IssuedCouponId, MemberId, OrderId};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

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
    /// Frozen terms.
    pub terms: CouponTerms,
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
                ..
            } => Ok(Self {
                id: stream_id(recorded)?,
                coupon,
                member,
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

impl Row for IssuedRow {
    const TABLE: &'static str = "p_coupon_box_v2";
    const KEY: &'static [&'static str] = &["id"];
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
    const TABLE: &'static str = "p_coupon_box_v2_campaigns";
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
    for recorded in of(batch, "issued-coupon") {
        let key = &recorded.stream.id;
        match event(recorded)? {
            IssuedCouponEvent::CouponIssued { .. } => {
                rows.put(key.clone(), IssuedRow::issued(recorded)?);
            }
            IssuedCouponEvent::CouponRoundPassed { .. } => {}
            IssuedCouponEvent::CouponUsed { order, amount } => {
                let row = rows.known(key)?;
                row.used = true;
                row.uses += 1;
                row.order_id = Some(order);
                row.amount = Some(amount);
                row.used_at = Some(at(recorded));
                row.position = recorded.position;
            }
            IssuedCouponEvent::CouponReturned { .. } => {
                let row = rows.known(key)?;
                row.used = false;
                row.returns += 1;
                row.order_id = None;
                row.amount = None;
                row.used_at = None;
                row.position = recorded.position;
            }
        }
    }
    rows.save(connection).await
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

projection!(CouponBox, version 2, reads "issued-coupon", "coupon-campaign"; rows of one; stops);
