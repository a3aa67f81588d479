//! The points aggregate. Spending takes the lot that expires next, then the older one; restored points go back to the same lots,
//! and an expired lot is never revived.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use super::events::PointsEvent;
use super::lifetime::{last_day, notice_at};
use crate::business_day::day_set;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{BulkGrantId, LotId, MemberId, OrderId};
use crate::money::{Amount, MoneyError};
use crate::order::{EarnedPoints, LotPart};

/// Current state of a member's points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Points {
    /// The member; none before the first grant.
    pub member: Option<MemberId>,
    /// The lots.
    pub lots: BTreeMap<LotId, Lot>,
    /// Points spent by order and lot.
    pub spent: BTreeMap<OrderId, BTreeMap<LotId, Amount>>,
    /// The last days that were announced to the member.
    #[serde(default, with = "day_set")]
    pub announced: BTreeSet<Date>,
}

/// One grant of points. `granted = left + spent by orders + revoked by returns + expired + taken`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lot {
    /// Amount granted.
    pub granted: Amount,
    /// Amount left.
    pub left: Amount,
    /// Amount that expired or was lost.
    pub expired: Amount,
    /// Amount that staff took back.
    pub taken: Amount,
    /// Expiry of the amount left.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// Commands accepted by a points aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointsCommand {
    /// Grant a lot.
    Grant {
        /// The member.
        member: MemberId,
        /// The lot.
        lot: LotId,
        /// Amount, above zero.
        amount: Amount,
        /// The reason shown to the member.
        reason: String,
        /// The order that earned it, if any.
        order: Option<OrderId>,
        /// The bulk grant it belongs to, if any.
        grant: Option<BulkGrantId>,
        /// Expiry of the lot.
        expires_at: OffsetDateTime,
    },
    /// Spend points on an order.
    Spend {
        /// The order.
        order: OrderId,
        /// Amount, above zero.
        amount: Amount,
    },
    /// Restore points of an order.
    Restore {
        /// The order.
        order: OrderId,
        /// Amounts by lot.
        parts: Vec<LotPart>,
    },
    /// Takes back points an order earned: from the lot it was granted first, then from the others.
    Revoke {
        /// The order.
        order: OrderId,
        /// The lot it was granted.
        lot: LotId,
        /// Amount, at most what the member holds.
        amount: Amount,
    },
    /// Expire the rest of a lot.
    Expire {
        /// The lot.
        lot: LotId,
    },
    /// Tell the member that a lot is about to expire, with all that expire on the same day.
    AnnounceExpiry {
        /// The lot.
        lot: LotId,
    },
    /// Take back what is left of a lot.
    Take {
        /// The lot.
        lot: LotId,
        /// The reason shown to the member.
        memo: String,
    },
    /// Change how long a lot can be used. One that has expired is not revived.
    ChangeLife {
        /// The lot.
        lot: LotId,
        /// Its new expiry, in the future.
        expires_at: OffsetDateTime,
        /// The reason shown to the member.
        memo: String,
    },
}

/// Reasons why a points aggregate rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// The lots that have not expired do not cover the amount.
    #[error("only {available} points are left")]
    Short {
        /// Points available.
        available: Amount,
    },
    /// The amount is zero or negative.
    #[error("an amount above zero is needed")]
    NoAmount,
    /// The lot exists with another amount.
    #[error("the lot exists already")]
    LotExists,
    /// The points belong to another member.
    #[error("the points belong to another member")]
    Foreign,
    /// The lot does not exist.
    #[error("there is no such lot")]
    UnknownLot,
    /// The order spent less of this lot.
    #[error("the order spent only {spent} of this lot")]
    MoreThanSpent {
        /// Amount spent of this lot.
        spent: Amount,
    },
    /// The order spent points of this member already.
    #[error("the order has spent points already")]
    AlreadySpent,
    /// The lot is not due to expire, or to be announced.
    #[error("the lot is not due to expire")]
    NotDue,
    /// The lot has expired.
    #[error("the lot has expired")]
    Expired,
    /// Nothing is left of the lot.
    #[error("nothing is left of the lot")]
    NothingLeft,
    /// The new expiry is not in the future.
    #[error("the new expiry is not in the future")]
    LifeOver,
    /// An amount overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl PointsError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Short { .. } => "points_short",
            Self::NoAmount => "amount_required",
            Self::LotExists => "lot_exists",
            Self::Foreign => "points_foreign",
            Self::UnknownLot => "lot_not_found",
            Self::MoreThanSpent { .. } => "more_than_spent",
            Self::AlreadySpent => "points_already_spent",
            Self::NotDue => "not_due",
            Self::Expired => "points_expired",
            Self::NothingLeft => "nothing_left",
            Self::LifeOver => "date_over",
            Self::Money(_) => "amount_overflow",
        }
    }
}

decider!(Points, "points", PointsCommand, PointsEvent, PointsError);

impl Decider for Points {
    type Input = PointsCommand;

    fn decide(
        &self,
        command: PointsCommand,
        context: &Context,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        match command {
            PointsCommand::Grant {
                member,
                lot,
                amount,
                reason,
                order,
                grant,
                expires_at,
            } => {
                if amount <= Amount::ZERO {
                    return Err(PointsError::NoAmount);
                }
                if self.member.is_some_and(|owner| owner != member) {
                    return Err(PointsError::Foreign);
                }
                match self.lots.get(&lot) {
                    Some(made) if made.granted == amount => return Ok(vec![]),
                    Some(_) => return Err(PointsError::LotExists),
                    None => {}
                }
                Ok(vec![PointsEvent::PointsGranted {
                    member,
                    lot,
                    amount,
                    reason,
                    order,
                    grant,
                    expires_at,
                }])
            }
            PointsCommand::Spend { order, amount } => self.spend(order, amount, context.now),
            PointsCommand::Restore { order, parts } => self.restore(order, &parts, context.now),
            PointsCommand::Revoke { order, lot, amount } => {
                self.revoke(order, (lot, amount), context.now)
            }
            PointsCommand::Expire { lot } => {
                let found = self.lot(lot)?;
                if found.is_live(context.now) {
                    return Err(PointsError::NotDue);
                }
                if found.left.is_zero() {
                    return Ok(vec![]);
                }
                Ok(vec![PointsEvent::PointsExpired {
                    lot,
                    amount: found.left,
                }])
            }
            PointsCommand::AnnounceExpiry { lot } => self.announce_expiry(lot, context.now),
            PointsCommand::Take { lot, memo } => {
                let found = self.lot(lot)?;
                if !found.is_live(context.now) || found.left.is_zero() {
                    return Err(PointsError::NothingLeft);
                }
                let amount = found.left;
                Ok(vec![PointsEvent::PointsTaken { lot, amount, memo }])
            }
            PointsCommand::ChangeLife {
                lot,
                expires_at,
                memo,
            } => self.change_life((lot, expires_at), memo, context.now),
        }
    }
}

impl Lot {
    /// Whether it can be spent at `now`.
    pub fn is_live(&self, now: OffsetDateTime) -> bool {
        now < self.expires_at
    }
}

impl Points {
    /// Points available at `now`: what is left of the lots that have not expired (spec: `remain`).
    ///
    /// # Errors
    /// An overflow.
    pub fn remain(&self, now: OffsetDateTime) -> Result<Amount, MoneyError> {
        Amount::total(
            self.lots
                .values()
                .filter(|lot| lot.is_live(now))
                .map(|lot| lot.left),
        )
    }

    fn lot(&self, id: LotId) -> Result<&Lot, PointsError> {
        self.lots.get(&id).ok_or(PointsError::UnknownLot)
    }

    /// No event if nothing is left, or if the day was announced before.
    fn announce_expiry(
        &self,
        lot: LotId,
        now: OffsetDateTime,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        let expires_at = self.lot(lot)?.expires_at;
        if now < notice_at(expires_at) {
            return Err(PointsError::NotDue);
        }
        let last_day = last_day(expires_at);
        let same_day = self.lots.values().filter(|lot| {
            lot.is_live(now) && super::lifetime::last_day(lot.expires_at) == last_day
        });
        let amount = Amount::total(same_day.map(|lot| lot.left))?;
        if amount.is_zero() || self.announced.contains(&last_day) {
            return Ok(vec![]);
        }
        Ok(vec![PointsEvent::PointsExpiryAnnounced {
            last_day,
            amount,
        }])
    }

    fn change_life(
        &self,
        (lot, expires_at): (LotId, OffsetDateTime),
        memo: String,
        now: OffsetDateTime,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        let found = self.lot(lot)?;
        if !found.is_live(now) {
            return Err(PointsError::Expired);
        }
        if expires_at <= now {
            return Err(PointsError::LifeOver);
        }
        if expires_at == found.expires_at {
            return Ok(vec![]);
        }
        Ok(vec![PointsEvent::PointsLifeChanged {
            lot,
            expires_at,
            memo,
        }])
    }

    fn spend(
        &self,
        order: OrderId,
        amount: Amount,
        now: OffsetDateTime,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        if amount <= Amount::ZERO {
            return Err(PointsError::NoAmount);
        }
        if self.spent.contains_key(&order) {
            return Err(PointsError::AlreadySpent);
        }
        let parts = self.parts((amount, None), now)?;
        Ok(vec![PointsEvent::PointsSpent { order, parts }])
    }

    fn revoke(
        &self,
        order: OrderId,
        (lot, amount): (LotId, Amount),
        now: OffsetDateTime,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        if amount <= Amount::ZERO {
            return Err(PointsError::NoAmount);
        }
        if !self.lots.contains_key(&lot) {
            return Err(PointsError::UnknownLot);
        }
        let parts = self.parts((amount, Some(lot)), now)?;
        Ok(vec![PointsEvent::PointsRevoked { order, parts }])
    }

    /// Distributes an amount over the live lots: the first one named, then the one that expires next, then the older one.
    fn parts(
        &self,
        (amount, first): (Amount, Option<LotId>),
        now: OffsetDateTime,
    ) -> Result<Vec<LotPart>, PointsError> {
        let available = self.remain(now)?;
        if available < amount {
            return Err(PointsError::Short { available });
        }
        let mut live: Vec<(bool, OffsetDateTime, LotId, Amount)> = self
            .lots
            .iter()
            .filter(|(_, lot)| lot.is_live(now))
            .map(|(id, lot)| (Some(*id) != first, lot.expires_at, *id, lot.left))
            .collect();
        live.sort_unstable();
        let mut rest = amount;
        let mut parts = Vec::new();
        for (_, _, lot, left) in live {
            let part = left.min(rest);
            if part > Amount::ZERO {
                rest = rest.minus(part)?;
                parts.push(LotPart { lot, amount: part });
            }
        }
        Ok(parts)
    }

    /// What the member holds of a lot granted to an order, and in all.
    ///
    /// # Errors
    /// The sum of the lots overflows.
    pub fn earned(&self, lot: LotId, now: OffsetDateTime) -> Result<EarnedPoints, MoneyError> {
        let granted = self.lots.get(&lot).map_or(Ok(Amount::ZERO), |lot| {
            let expired = match lot.is_live(now) {
                true => lot.expired,
                false => lot.expired.plus(lot.left)?,
            };
            lot.granted.minus(expired)?.minus(lot.taken)
        })?;
        let left = self.remain(now)?;
        Ok(EarnedPoints { granted, left })
    }

    fn restore(
        &self,
        order: OrderId,
        wanted: &[LotPart],
        now: OffsetDateTime,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        let mut by_lot: BTreeMap<LotId, Amount> = BTreeMap::new();
        for part in wanted {
            if part.amount <= Amount::ZERO {
                return Err(PointsError::NoAmount);
            }
            let sum = by_lot.entry(part.lot).or_default();
            *sum = sum.plus(part.amount)?;
        }
        if by_lot.is_empty() {
            return Err(PointsError::NoAmount);
        }
        let mut latest_first: Vec<(OffsetDateTime, LotId, Amount, bool)> = Vec::new();
        for (id, amount) in by_lot {
            let lot = self.lots.get(&id).ok_or(PointsError::UnknownLot)?;
            let spent = self.spent_on(order, id);
            if amount > spent {
                return Err(PointsError::MoreThanSpent { spent });
            }
            latest_first.push((lot.expires_at, id, amount, lot.is_live(now)));
        }
        latest_first.sort_unstable_by(|one, other| other.cmp(one));
        let part = |(_, lot, amount, _): &(OffsetDateTime, LotId, Amount, bool)| LotPart {
            lot: *lot,
            amount: *amount,
        };
        let (live, dead): (Vec<_>, Vec<_>) =
            latest_first.iter().partition(|(_, _, _, is_live)| *is_live);
        Ok(vec![PointsEvent::PointsRestored {
            order,
            parts: live.into_iter().map(part).collect(),
            lost: dead.into_iter().map(part).collect(),
        }])
    }

    /// Amount this order spent of this lot.
    pub fn spent_on(&self, order: OrderId, lot: LotId) -> Amount {
        self.spent
            .get(&order)
            .and_then(|lots| lots.get(&lot))
            .copied()
            .unwrap_or_default()
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: PointsEvent) {
        match event {
            PointsEvent::PointsGranted {
                member,
                lot,
                amount,
                expires_at,
                ..
            } => {
                self.member = Some(member);
                self.lots.insert(
                    lot,
                    Lot {
                        granted: amount,
                        left: amount,
                        expired: Amount::ZERO,
                        taken: Amount::ZERO,
                        expires_at,
                    },
                );
            }
            PointsEvent::PointsSpent { order, parts } => {
                for part in parts {
                    if let Some(lot) = self.lots.get_mut(&part.lot) {
                        lot.left = less(lot.left, part.amount);
                    }
                    let held = self.spent.entry(order).or_default();
                    let spent = held.entry(part.lot).or_default();
                    *spent = more(*spent, part.amount);
                }
            }
            PointsEvent::PointsRestored { order, parts, lost } => {
                for part in parts {
                    self.release(order, part);
                    if let Some(lot) = self.lots.get_mut(&part.lot) {
                        lot.left = more(lot.left, part.amount);
                    }
                }
                for part in lost {
                    self.release(order, part);
                    if let Some(lot) = self.lots.get_mut(&part.lot) {
                        lot.expired = more(lot.expired, part.amount);
                    }
                }
            }
            PointsEvent::PointsRevoked { parts, .. } => {
                for part in parts {
                    if let Some(lot) = self.lots.get_mut(&part.lot) {
                        lot.left = less(lot.left, part.amount);
                    }
                }
            }
            PointsEvent::PointsExpired { lot, amount } => {
                if let Some(lot) = self.lots.get_mut(&lot) {
                    lot.left = less(lot.left, amount);
                    lot.expired = more(lot.expired, amount);
                }
            }
            PointsEvent::PointsTaken { lot, amount, .. } => {
                if let Some(lot) = self.lots.get_mut(&lot) {
                    lot.left = less(lot.left, amount);
                    lot.taken = more(lot.taken, amount);
                }
            }
            PointsEvent::PointsLifeChanged {
                lot, expires_at, ..
            } => {
                if let Some(lot) = self.lots.get_mut(&lot) {
                    lot.expires_at = expires_at;
                }
            }
            PointsEvent::PointsExpiryAnnounced { last_day, .. } => {
                self.announced.insert(last_day);
            }
        }
    }

    fn release(&mut self, order: OrderId, part: LotPart) {
        if let Some(spent) = self
            .spent
            .get_mut(&order)
            .and_then(|held| held.get_mut(&part.lot))
        {
            *spent = less(*spent, part.amount);
        }
    }
}

/// Sums of decided amounts fit; `evolve` must not fail.
fn more(one: Amount, other: Amount) -> Amount {
    one.plus(other).unwrap_or(one)
}

fn less(one: Amount, other: Amount) -> Amount {
    one.minus(other).unwrap_or(one)
}
