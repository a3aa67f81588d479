//! Points: what each grant is still worth, and every movement as the member reads it.

mod granted_lots;
mod queries;

use domain::Amount;
use domain::ids::{BulkGrantId, LotId, MemberId, OrderId};
use domain::order::LotPart;
use domain::points::{PointsEvent, notice_at, notice_of};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, by_staff, event, parts};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert};

pub use granted_lots::*;
pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "points_book";

/// The projection.
pub struct PointsBook;

/// One grant and what is left of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LotRow {
    /// The lot.
    pub id: LotId,
    /// Whose.
    pub member: MemberId,
    /// Granted, hundredths.
    pub amount: Amount,
    /// What is left, hundredths: `amount = left + spent + expired + taken`.
    pub left: Amount,
    /// Spent by orders, less what they gave back, hundredths.
    pub spent: Amount,
    /// Expired, hundredths.
    pub expired: Amount,
    /// Taken back by a return or by staff, hundredths.
    pub taken: Amount,
    /// Staff granted it.
    pub by_staff: bool,
    /// Why it was granted.
    pub reason: String,
    /// The order that earned it.
    pub order_id: Option<OrderId>,
    /// The bulk grant it belongs to.
    pub grant_id: Option<BulkGrantId>,
    /// When it was granted.
    #[serde(with = "crate::timestamp")]
    pub granted_at: OffsetDateTime,
    /// When what is left expires.
    #[serde(with = "crate::timestamp")]
    pub expires_at: OffsetDateTime,
    /// When its expiry is announced; the same for all lots with the same last day.
    #[serde(with = "crate::timestamp")]
    pub notice_at: OffsetDateTime,
    /// Position of the event that last touched it.
    pub position: i64,
}

impl Row for LotRow {
    const TABLE: &'static str = "p_points_book_v3_lots";
    const KEY: &'static [&'static str] = &["id"];
}

/// Which way points moved (spec section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Direction {
    /// Granted or given back; also a grant whose life was changed, with an amount of 0.
    Increase,
    /// Spent, expired or taken back.
    Decrease,
}

/// One movement of points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRow {
    /// Of the event.
    pub position: i64,
    /// Among the events that share the position.
    pub part: i32,
    /// Id of the event.
    pub id: Uuid,
    /// Whose.
    pub member: MemberId,
    /// Which way.
    pub kind: Direction,
    /// How much, hundredths; 0 where all that came back had expired meanwhile.
    pub amounts: Amount,
    /// As the member reads it.
    pub reason: String,
    /// The lot, where it is about one.
    pub lot: Option<LotId>,
    /// The order it was for.
    pub order_id: Option<OrderId>,
    /// When.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it expires, for a grant or a changed life.
    #[serde(with = "crate::timestamp::option")]
    pub expires_at: Option<OffsetDateTime>,
}

impl Row for EntryRow {
    const TABLE: &'static str = "p_points_book_v3";
    const KEY: &'static [&'static str] = &["position", "part"];
}

/// A last day of points that was announced to the member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeRow {
    /// Whom.
    pub member: MemberId,
    /// From when on: as in [`LotRow::notice_at`].
    #[serde(with = "crate::timestamp")]
    pub notice_at: OffsetDateTime,
    /// Position of the event.
    pub position: i64,
}

impl Row for NoticeRow {
    const TABLE: &'static str = "p_points_book_v3_notices";
    const KEY: &'static [&'static str] = &["member", "notice_at"];
}

/// The reason shown for points spent on an order.
pub const SPENT: &str = "주문에 사용";
/// The reason shown for points given back by an order.
pub const RESTORED: &str = "주문 취소·반품으로 복원";
/// The reason shown for points that a return takes back.
pub const REVOKED: &str = "반품으로 회수";
/// The reason shown for points that expired.
pub const EXPIRED: &str = "유효기간 만료";

/// The member of a points stream, `{member}:points`.
fn member(recorded: &StoredEvent) -> Result<MemberId, ReadError> {
    recorded
        .stream
        .id
        .split(':')
        .next()
        .and_then(|id| id.parse().ok())
        .ok_or_else(|| ReadError::StreamId(recorded.stream.id.clone()))
}

/// The lots an event touches.
fn lots_of(event: &PointsEvent) -> Vec<LotId> {
    let of = |parts: &[LotPart]| parts.iter().map(|part| part.lot).collect::<Vec<_>>();
    match event {
        PointsEvent::PointsGranted { lot, .. }
        | PointsEvent::PointsExpired { lot, .. }
        | PointsEvent::PointsTaken { lot, .. }
        | PointsEvent::PointsLifeChanged { lot, .. } => vec![*lot],
        PointsEvent::PointsExpiryAnnounced { .. } => vec![],
        PointsEvent::PointsSpent { parts, .. } | PointsEvent::PointsRevoked { parts, .. } => {
            of(parts)
        }
        PointsEvent::PointsRestored { parts, lost, .. } => [of(parts), of(lost)].concat(),
    }
}

/// The row of a lot that an event changes.
fn changed<'a>(
    lots: &'a mut ChangedRows<LotRow>,
    lot: LotId,
    by: &StoredEvent,
) -> Result<&'a mut LotRow, ReadError> {
    let row = lots.known(&lot.to_string())?;
    row.position = by.position;
    Ok(row)
}

/// What an event does to the lots.
fn take(
    lots: &mut ChangedRows<LotRow>,
    recorded: &StoredEvent,
    event: &PointsEvent,
) -> Result<(), ReadError> {
    match event {
        PointsEvent::PointsGranted {
            member,
            lot,
            amount,
            reason,
            order,
            grant,
            expires_at,
        } => {
            let row = LotRow {
                id: *lot,
                member: *member,
                amount: *amount,
                left: *amount,
                spent: Amount::ZERO,
                expired: Amount::ZERO,
                taken: Amount::ZERO,
                by_staff: grant.is_some() || by_staff(recorded),
                reason: reason.clone(),
                order_id: *order,
                grant_id: *grant,
                granted_at: at(recorded),
                expires_at: *expires_at,
                notice_at: notice_at(*expires_at),
                position: recorded.position,
            };
            lots.put(lot.to_string(), row);
        }
        PointsEvent::PointsSpent { parts, .. } => {
            for part in parts {
                let row = changed(lots, part.lot, recorded)?;
                row.left = row.left.minus(part.amount)?;
                row.spent = row.spent.plus(part.amount)?;
            }
        }
        PointsEvent::PointsRestored { parts, lost, .. } => {
            for part in parts {
                let row = changed(lots, part.lot, recorded)?;
                row.left = row.left.plus(part.amount)?;
                row.spent = row.spent.minus(part.amount)?;
            }
            for part in lost {
                let row = changed(lots, part.lot, recorded)?;
                row.expired = row.expired.plus(part.amount)?;
                row.spent = row.spent.minus(part.amount)?;
            }
        }
        PointsEvent::PointsRevoked { parts, .. } => {
            for part in parts {
                let row = changed(lots, part.lot, recorded)?;
                row.left = row.left.minus(part.amount)?;
                row.taken = row.taken.plus(part.amount)?;
            }
        }
        PointsEvent::PointsTaken { lot, amount, .. } => {
            let row = changed(lots, *lot, recorded)?;
            row.left = row.left.minus(*amount)?;
            row.taken = row.taken.plus(*amount)?;
        }
        PointsEvent::PointsExpired { lot, amount } => {
            let row = changed(lots, *lot, recorded)?;
            row.left = row.left.minus(*amount)?;
            row.expired = row.expired.plus(*amount)?;
        }
        PointsEvent::PointsLifeChanged {
            lot, expires_at, ..
        } => {
            let row = changed(lots, *lot, recorded)?;
            row.expires_at = *expires_at;
            row.notice_at = notice_at(*expires_at);
        }
        PointsEvent::PointsExpiryAnnounced { .. } => {}
    }
    Ok(())
}

/// A lot of a member, from the events of their points; none if they have no such lot.
///
/// # Errors
/// [`ReadError`].
pub fn lot_of(events: &[StoredEvent], lot: LotId) -> Result<Option<LotRow>, ReadError> {
    let mut lots = ChangedRows::empty();
    for recorded in events {
        take(&mut lots, recorded, &event(recorded)?)?;
    }
    Ok(lots.get(&lot.to_string()).cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let events = parts(batch)
        .filter(|(_, recorded)| recorded.stream.kind == "points")
        .map(|(part, recorded)| Ok((part, recorded, event::<PointsEvent>(recorded)?)))
        .collect::<Result<Vec<_>, ReadError>>()?;

    let mut touched = Vec::new();
    for (_, _, event) in &events {
        touched.extend(lots_of(event).iter().map(LotId::to_string));
    }
    let mut lots = ChangedRows::<LotRow>::load(connection, ("id", "uuid"), touched, |row| {
        row.id.to_string()
    })
    .await?;
    let mut entries = Vec::with_capacity(events.len());
    let mut notices = Vec::new();
    for (part, recorded, event) in events {
        take(&mut lots, recorded, &event)?;
        if let PointsEvent::PointsExpiryAnnounced { last_day, .. } = event {
            notices.push(NoticeRow {
                member: member(recorded)?,
                notice_at: notice_of(last_day),
                position: recorded.position,
            });
        }
        entries.extend(entry(part, recorded, event)?);
    }
    lots.save(connection).await?;
    insert(connection, &notices).await?;
    insert(connection, &entries).await
}

/// The movement an event is, if it is one.
fn entry(
    part: i32,
    recorded: &StoredEvent,
    event: PointsEvent,
) -> Result<Option<EntryRow>, ReadError> {
    let sum = |parts: &[LotPart]| Amount::total(parts.iter().map(|p| p.amount));
    let (kind, amounts, reason, lot, order_id, expires_at) = match event {
        PointsEvent::PointsGranted {
            lot,
            amount,
            reason,
            order,
            expires_at,
            ..
        } => (
            Direction::Increase,
            amount,
            reason,
            Some(lot),
            order,
            Some(expires_at),
        ),
        PointsEvent::PointsSpent { order, parts } => (
            Direction::Decrease,
            sum(&parts)?,
            SPENT.to_owned(),
            None,
            Some(order),
            None,
        ),
        PointsEvent::PointsRestored { order, parts, .. } => (
            Direction::Increase,
            sum(&parts)?,
            RESTORED.to_owned(),
            None,
            Some(order),
            None,
        ),
        PointsEvent::PointsRevoked { order, parts } => (
            Direction::Decrease,
            sum(&parts)?,
            REVOKED.to_owned(),
            None,
            Some(order),
            None,
        ),
        PointsEvent::PointsExpired { lot, amount } => (
            Direction::Decrease,
            amount,
            EXPIRED.to_owned(),
            Some(lot),
            None,
            None,
        ),
        PointsEvent::PointsTaken { lot, amount, memo } => {
            (Direction::Decrease, amount, memo, Some(lot), None, None)
        }
        PointsEvent::PointsLifeChanged {
            lot,
            expires_at,
            memo,
        } => (
            Direction::Increase,
            Amount::ZERO,
            memo,
            Some(lot),
            None,
            Some(expires_at),
        ),
        PointsEvent::PointsExpiryAnnounced { .. } => return Ok(None),
    };
    Ok(Some(EntryRow {
        position: recorded.position,
        part,
        id: recorded.event_id,
        member: member(recorded)?,
        kind,
        amounts,
        reason,
        lot,
        order_id,
        created_at: at(recorded),
        expires_at,
    }))
}

projection!(PointsBook, version 3, reads "points"; rows of one; stops);
