//! Explains the points of a member.

use domain::Amount;
use domain::ids::LotId;
use domain::points::{Lot, Points, PointsEvent, stream_id};
use event_store::{StoredEvent, StreamId};
use time::OffsetDateTime;

use super::ledger::Line;
use super::{Book, Explanation, Moment, NamedAmount, Unit, unknown, words};
use crate::app::AppState;
use crate::audit::story;
use crate::http::{AppError, AppResult};

/// A member's points and their events.
pub struct Lots {
    events: Vec<StoredEvent>,
    now: OffsetDateTime,
}

const AVAILABLE: &str = "available";

impl Lots {
    pub async fn open(app: &AppState, member: &str, moment: Moment) -> AppResult<Self> {
        // The id of the stream is `{member}:points`.
        let member = story::member(app, member.trim_end_matches(":points")).await?;
        let stream = StreamId::of::<Points>(stream_id(member));
        let mut events = app.store.read_stream(&stream).await?;
        events.retain(|event| event.position <= moment.position);
        match events.is_empty() {
            true => unknown(),
            false => Ok(Self {
                events,
                now: moment.time,
            }),
        }
    }

    pub fn names(&self) -> Vec<String> {
        let granted =
            self.events
                .iter()
                .filter_map(|recorded| match recorded.event::<Points>().ok()? {
                    PointsEvent::PointsGranted { lot, .. } => Some(format!("lots.{lot}.left")),
                    _ => None,
                });
        std::iter::once(AVAILABLE.to_owned())
            .chain(granted)
            .collect()
    }

    pub fn explain(&self, name: &str) -> AppResult<Explanation> {
        match name.split('.').collect::<Vec<_>>().as_slice() {
            [AVAILABLE] => self.of_lots(name, None),
            ["lots", lot, "left"] => match lot.parse() {
                Ok(lot) => self.of_lots(name, Some(lot)),
                Err(_) => unknown(),
            },
            _ => unknown(),
        }
    }

    fn of_lots(&self, name: &str, only: Option<LotId>) -> AppResult<Explanation> {
        let counts = |id: &LotId| only.is_none_or(|only| only == *id);
        let measure = |points: &Points| {
            let lots = points.lots.iter().filter(|(id, _)| counts(id));
            lots.map(|(_, lot)| lot.left.hundredths()).sum()
        };
        let mut book = Book::default();
        let points = book.write_fold::<Points>(&self.events, measure, |event, _| match event {
            PointsEvent::PointsGranted {
                reason, expires_at, ..
            } => words::granted(reason, *expires_at),
            PointsEvent::PointsSpent { .. } => words::POINTS_SPENT.to_owned(),
            PointsEvent::PointsRestored { lost, .. } if lost.is_empty() => {
                words::POINTS_RESTORED.to_owned()
            }
            PointsEvent::PointsRestored { .. } => words::POINTS_RESTORED_IN_PART.to_owned(),
            PointsEvent::PointsRevoked { .. } => words::POINTS_REVOKED.to_owned(),
            PointsEvent::PointsExpired { .. } => words::POINTS_EXPIRED.to_owned(),
            PointsEvent::PointsTaken { memo, .. } => words::points_taken(memo),
            PointsEvent::PointsLifeChanged { .. } => words::POINTS_LIFE_CHANGED.to_owned(),
            PointsEvent::PointsExpiryAnnounced { .. } => words::POINTS_EXPIRY_ANNOUNCED.to_owned(),
        })?;
        if only.is_some_and(|lot| !points.lots.contains_key(&lot)) {
            return unknown();
        }
        for (id, lot) in points.lots.iter().filter(|(id, _)| counts(id)) {
            self.over(&mut book, *id, lot)?;
        }
        let value = match only {
            None => points.remain(self.now)?,
            Some(lot) => match points.lots.get(&lot) {
                Some(lot) if lot.is_live(self.now) => lot.left,
                _ => Amount::ZERO,
            },
        };
        book.close(NamedAmount {
            name: name.to_owned(),
            label: match only {
                None => words::POINTS_AVAILABLE.to_owned(),
                Some(lot) => {
                    let lot = points.lots.get(&lot).ok_or_else(AppError::not_found)?;
                    words::lot(lot.expires_at)
                }
            },
            unit: Unit::Amount,
            value: value.hundredths(),
            says: None,
        })
    }

    /// An expired lot cannot be used, whether or not its expiry has been recorded yet.
    fn over(&self, book: &mut Book, id: LotId, lot: &Lot) -> AppResult<()> {
        if lot.is_live(self.now) || lot.left.is_zero() {
            return Ok(());
        }
        let granted = self.events.iter().find(|recorded| {
            let made = recorded.event::<Points>().ok();
            matches!(made, Some(PointsEvent::PointsGranted { lot, .. }) if lot == id)
        });
        book.write(Line {
            text: words::over(lot.expires_at),
            amount: lot.left.hundredths().saturating_neg(),
            source: granted,
            ..Line::default()
        })
    }
}
