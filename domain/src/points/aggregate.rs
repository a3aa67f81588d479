//! The points ledger. Use takes the lot that expires next, then the older one; what goes back goes into the same lots, and a
//! lot past its day is never revived.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::events::PointsEvent;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{LotId, MemberId, OrderId};
use crate::money::{Amount, MoneyError};
use crate::order::LotPart;

/// A member's points as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Points {
    /// Whose; none before the first grant.
    pub member: Option<MemberId>,
    /// The lots.
    pub lots: BTreeMap<LotId, Lot>,
    /// What orders hold of each lot.
    pub spent: BTreeMap<OrderId, BTreeMap<LotId, Amount>>,
}

/// One grant. `granted = left + held by orders + expired`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lot {
    /// What was granted.
    pub granted: Amount,
    /// What is left.
    pub left: Amount,
    /// What expired or was lost.
    pub expired: Amount,
    /// When what is left expires.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// What can be asked of a points ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointsCommand {
    /// Grant a lot.
    Grant {
        /// Whose.
        member: MemberId,
        /// The lot.
        lot: LotId,
        /// How much, above zero.
        amount: Amount,
        /// Why, as the member reads it.
        reason: String,
        /// The order that earned it.
        order: Option<OrderId>,
        /// When it expires.
        expires_at: OffsetDateTime,
    },
    /// Use points on an order.
    Spend {
        /// The order.
        order: OrderId,
        /// How much, above zero.
        amount: Amount,
    },
    /// Give points of an order back.
    Restore {
        /// The order.
        order: OrderId,
        /// Into which lots.
        parts: Vec<LotPart>,
    },
    /// Let what is left of a lot expire.
    Expire {
        /// The lot.
        lot: LotId,
    },
}

/// Why a points ledger refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// The live lots do not cover it.
    #[error("only {available} points are left")]
    Short {
        /// What they hold.
        available: Amount,
    },
    /// Nothing, or less than nothing.
    #[error("an amount above zero is needed")]
    NoAmount,
    /// The lot exists with another amount.
    #[error("the lot exists already")]
    LotExists,
    /// These are another member's points.
    #[error("these are another member's points")]
    Foreign,
    /// There is no such lot.
    #[error("there is no such lot")]
    UnknownLot,
    /// The order did not take that much of this lot.
    #[error("the order holds only {spent} of this lot")]
    MoreThanSpent {
        /// What it holds.
        spent: Amount,
    },
    /// The order spent points of this member already.
    #[error("the order has spent points already")]
    AlreadySpent,
    /// The lot is not due to expire.
    #[error("the lot is not due")]
    NotDue,
    /// An amount does not fit.
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
            Self::Money(_) => "amount_overflow",
        }
    }
}

decider!(Points, "points", PointsCommand, PointsEvent, PointsError);

impl Decider for Points {
    type Input = PointsCommand;

    fn decide(
        &self,
        act: PointsCommand,
        context: &Context,
    ) -> Result<Vec<PointsEvent>, PointsError> {
        match act {
            PointsCommand::Grant {
                member,
                lot,
                amount,
                reason,
                order,
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
                    expires_at,
                }])
            }
            PointsCommand::Spend { order, amount } => self.spend(order, amount, context.now),
            PointsCommand::Restore { order, parts } => self.restore(order, &parts, context.now),
            PointsCommand::Expire { lot } => {
                let found = self.lots.get(&lot).ok_or(PointsError::UnknownLot)?;
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
        }
    }
}

impl Lot {
    /// Whether it can still be used at `now`.
    pub fn is_live(&self, now: OffsetDateTime) -> bool {
        now < self.expires_at
    }
}

impl Points {
    /// What can be used at `now`: what is left of the live lots (spec: `remain`).
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
        let available = self.remain(now)?;
        if available < amount {
            return Err(PointsError::Short { available });
        }
        let mut live: Vec<(OffsetDateTime, LotId, Amount)> = self
            .lots
            .iter()
            .filter(|(_, lot)| lot.is_live(now))
            .map(|(id, lot)| (lot.expires_at, *id, lot.left))
            .collect();
        live.sort_unstable();
        let mut rest = amount;
        let mut parts = Vec::new();
        for (_, lot, left) in live {
            let part = left.min(rest);
            if part > Amount::ZERO {
                rest = rest.minus(part)?;
                parts.push(LotPart { lot, amount: part });
            }
        }
        Ok(vec![PointsEvent::PointsSpent { order, parts }])
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

    /// What this order holds of this lot.
    pub fn spent_on(&self, order: OrderId, lot: LotId) -> Amount {
        self.spent
            .get(&order)
            .and_then(|lots| lots.get(&lot))
            .copied()
            .unwrap_or_default()
    }

    /// What `event` makes of it.
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
            PointsEvent::PointsExpired { lot, amount } => {
                if let Some(lot) = self.lots.get_mut(&lot) {
                    lot.left = less(lot.left, amount);
                    lot.expired = more(lot.expired, amount);
                }
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

/// Sums of what was already decided fit; a fold must not fail.
fn more(one: Amount, other: Amount) -> Amount {
    one.plus(other).unwrap_or(one)
}

fn less(one: Amount, other: Amount) -> Amount {
    one.minus(other).unwrap_or(one)
}
