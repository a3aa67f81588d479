//! Points: what each grant is still worth, and every movement as the member reads it.

mod queries;

use domain::Amount;
use domain::ids::{LotId, MemberId, OrderId};
use domain::points::PointsEvent;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, event, parts};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert};

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
    /// Neither spent nor expired, hundredths.
    pub left: Amount,
    /// Why it was granted.
    pub reason: String,
    /// The order that earned it.
    pub order_id: Option<OrderId>,
    /// When it was granted.
    #[serde(with = "crate::timestamp")]
    pub granted_at: OffsetDateTime,
    /// When what is left expires.
    #[serde(with = "crate::timestamp")]
    pub expires_at: OffsetDateTime,
    /// Position of the event that last touched it.
    pub position: i64,
}

impl Row for LotRow {
    const TABLE: &'static str = "p_points_book_v1_lots";
    const KEY: &'static [&'static str] = &["id"];
}

/// Which way points moved (spec section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Direction {
    /// Granted or given back.
    Increase,
    /// Spent or expired.
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
    /// The lot, for a grant or an expiry.
    pub lot: Option<LotId>,
    /// The order it was for.
    pub order_id: Option<OrderId>,
    /// When.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it expires, for a grant.
    #[serde(with = "crate::timestamp::option")]
    pub expires_at: Option<OffsetDateTime>,
}

impl Row for EntryRow {
    const TABLE: &'static str = "p_points_book_v1";
    const KEY: &'static [&'static str] = &["position", "part"];
}

/// The reason shown for points spent on an order.
pub const SPENT: &str = "주문에 사용";
/// The reason shown for points given back by an order.
pub const RESTORED: &str = "주문 취소로 복원";
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

/// The lots an event touches, with what it adds to each.
fn changes(event: &PointsEvent) -> Result<Vec<(LotId, Amount)>, ReadError> {
    Ok(match event {
        PointsEvent::PointsGranted { lot, .. } => vec![(*lot, Amount::ZERO)],
        PointsEvent::PointsSpent { parts, .. } | PointsEvent::PointsRevoked { parts, .. } => parts
            .iter()
            .map(|part| Ok((part.lot, part.amount.negated()?)))
            .collect::<Result<_, ReadError>>()?,
        PointsEvent::PointsRestored { parts, .. } => {
            parts.iter().map(|part| (part.lot, part.amount)).collect()
        }
        PointsEvent::PointsExpired { lot, amount } => vec![(*lot, amount.negated()?)],
    })
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let events = parts(batch)
        .filter(|(_, recorded)| recorded.stream.kind == "points")
        .map(|(part, recorded)| Ok((part, recorded, event::<PointsEvent>(recorded)?)))
        .collect::<Result<Vec<_>, ReadError>>()?;

    let mut touched = Vec::new();
    for (_, _, event) in &events {
        touched.extend(changes(event)?.into_iter().map(|(lot, _)| lot.to_string()));
    }
    let mut lots = ChangedRows::<LotRow>::load(connection, ("id", "uuid"), touched, |row| {
        row.id.to_string()
    })
    .await?;
    let mut entries = Vec::with_capacity(events.len());
    for (part, recorded, event) in events {
        if let PointsEvent::PointsGranted {
            member,
            lot,
            amount,
            reason,
            order,
            expires_at,
        } = &event
        {
            lots.entry(&lot.to_string(), || LotRow {
                id: *lot,
                member: *member,
                amount: *amount,
                left: *amount,
                reason: reason.clone(),
                order_id: *order,
                granted_at: at(recorded),
                expires_at: *expires_at,
                position: recorded.position,
            });
        }
        for (lot, change) in changes(&event)? {
            let row = lots.known(&lot.to_string())?;
            row.left = row.left.plus(change)?;
            row.position = recorded.position;
        }
        entries.push(entry(part, recorded, event)?);
    }
    lots.save(connection).await?;
    insert(connection, &entries).await
}

fn entry(part: i32, recorded: &StoredEvent, event: PointsEvent) -> Result<EntryRow, ReadError> {
    let sum = |parts: &[domain::order::LotPart]| Amount::total(parts.iter().map(|p| p.amount));
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
    };
    Ok(EntryRow {
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
    })
}

projection!(PointsBook, version 1, reads "points"; rows of one; stops);
