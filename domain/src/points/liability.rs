//! What the shop owes its members in points at a moment: a fold of everything that happened to them until then.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::events::PointsEvent;
use super::lifetime::last_day;
use crate::ids::LotId;
use crate::money::{Amount, MoneyError};

/// The points of all members. `granted = spent + expired + taken + left`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointsLiability {
    granted: Amount,
    spent: Amount,
    expired: Amount,
    taken: Amount,
    lots: BTreeMap<LotId, LotBalance>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LotBalance {
    left: Amount,
    expires_at: OffsetDateTime,
}

/// The balance at a moment, hundredths. `granted = spent + expired + taken + left`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiabilityBalance {
    /// Granted.
    pub granted: Amount,
    /// Spent by orders, less what they gave back.
    pub spent: Amount,
    /// Expired.
    pub expired: Amount,
    /// Taken back by returns and staff.
    pub taken: Amount,
    /// Left: what members can still spend.
    pub left: Amount,
    /// Of that, by the year and month of the last day.
    pub by_month: BTreeMap<(i32, u8), Amount>,
}

impl PointsLiability {
    /// Applies the next event of any member's points.
    ///
    /// # Errors
    /// A sum overflows.
    pub fn take(&mut self, event: &PointsEvent) -> Result<(), MoneyError> {
        match event {
            PointsEvent::PointsGranted {
                lot,
                amount,
                expires_at,
                ..
            } => {
                self.granted = self.granted.plus(*amount)?;
                let owed = LotBalance {
                    left: *amount,
                    expires_at: *expires_at,
                };
                self.lots.insert(*lot, owed);
            }
            PointsEvent::PointsSpent { parts, .. } => {
                for part in parts {
                    self.spent = self.spent.plus(part.amount)?;
                    self.less(part.lot, part.amount)?;
                }
            }
            PointsEvent::PointsRestored { parts, lost, .. } => {
                for part in parts {
                    self.spent = self.spent.minus(part.amount)?;
                    self.less(part.lot, part.amount.negated()?)?;
                }
                for part in lost {
                    self.spent = self.spent.minus(part.amount)?;
                    self.expired = self.expired.plus(part.amount)?;
                }
            }
            PointsEvent::PointsRevoked { parts, .. } => {
                for part in parts {
                    self.taken = self.taken.plus(part.amount)?;
                    self.less(part.lot, part.amount)?;
                }
            }
            PointsEvent::PointsTaken { lot, amount, .. } => {
                self.taken = self.taken.plus(*amount)?;
                self.less(*lot, *amount)?;
            }
            PointsEvent::PointsExpired { lot, amount } => {
                self.expired = self.expired.plus(*amount)?;
                self.less(*lot, *amount)?;
            }
            PointsEvent::PointsLifeChanged {
                lot, expires_at, ..
            } => {
                if let Some(owed) = self.lots.get_mut(lot) {
                    owed.expires_at = *expires_at;
                }
            }
            PointsEvent::PointsExpiryAnnounced { .. } => {}
        }
        Ok(())
    }

    fn less(&mut self, lot: LotId, amount: Amount) -> Result<(), MoneyError> {
        if let Some(owed) = self.lots.get_mut(&lot) {
            owed.left = owed.left.minus(amount)?;
        }
        Ok(())
    }

    /// The balance at a moment: a lot whose life is over by then counts as expired, whether or not that is in the log yet.
    ///
    /// # Errors
    /// A sum overflows.
    pub fn at(&self, moment: OffsetDateTime) -> Result<LiabilityBalance, MoneyError> {
        let mut balance = LiabilityBalance {
            granted: self.granted,
            spent: self.spent,
            expired: self.expired,
            taken: self.taken,
            ..LiabilityBalance::default()
        };
        for owed in self.lots.values().filter(|owed| !owed.left.is_zero()) {
            if owed.expires_at <= moment {
                balance.expired = balance.expired.plus(owed.left)?;
                continue;
            }
            balance.left = balance.left.plus(owed.left)?;
            let day = last_day(owed.expires_at);
            let month = (day.year(), u8::from(day.month()));
            let sum = balance.by_month.entry(month).or_default();
            *sum = sum.plus(owed.left)?;
        }
        Ok(balance)
    }
}
