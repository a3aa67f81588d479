//! The general ledger, and the reader of a log that posts it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Account, AccountingError, Entry, MoneyEvent, entries};
use crate::ids::{OrderId, PaymentId, RefundId};
use crate::money::{Amount, MoneyError};
use crate::order::{ClaimState, Order, OrderEvent};
use crate::payment::{Payment, PaymentEvent, RefundStage};
use crate::points::PointsEvent;

/// Balances of all accounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneralLedger {
    balances: BTreeMap<Account, Amount>,
}

impl GeneralLedger {
    /// Posts the entries of one event.
    ///
    /// # Errors
    /// [`AccountingError::Unbalanced`] (nothing is posted) or an overflow.
    pub fn post(&mut self, entries: &[Entry]) -> Result<(), AccountingError> {
        let sum = Amount::total(entries.iter().map(|entry| entry.amount))?;
        if !sum.is_zero() {
            return Err(AccountingError::Unbalanced(sum));
        }
        for entry in entries {
            let balance = self.balances.entry(entry.account).or_default();
            *balance = balance.plus(entry.amount)?;
            // Checks only the accounts just changed: scanning all accounts for zero balances would make replay quadratic.
            if balance.is_zero() {
                self.balances.remove(&entry.account);
            }
        }
        Ok(())
    }

    /// An account's balance, debits positive.
    pub fn balance(&self, account: Account) -> Amount {
        self.balances.get(&account).copied().unwrap_or_default()
    }

    /// All accounts with a balance.
    pub fn balances(&self) -> impl Iterator<Item = (Account, Amount)> {
        self.balances
            .iter()
            .map(|(account, balance)| (*account, *balance))
    }

    /// Sum over all accounts; zero for consistent books.
    ///
    /// # Errors
    /// An overflow.
    pub fn sum(&self) -> Result<Amount, MoneyError> {
        Amount::total(self.balances.values().copied())
    }
}

/// A violated accounting invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountingFault {
    /// The accounts do not sum to zero.
    Unbalanced(Amount),
    /// More was taken from an order's escrow, a buyer's unapplied money or the points liability than was put in.
    Overdrawn(Account, Amount),
    /// A finished order still has a balance in its escrow account.
    StillHeld(OrderId, Amount),
    /// Money of a buyer is neither applied to an order nor being refunded.
    Forgotten(OrderId, Amount),
}

impl fmt::Display for AccountingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbalanced(sum) => write!(f, "the accounts sum to {sum}"),
            Self::Overdrawn(account, amount) => write!(f, "{account} is overdrawn by {amount}"),
            Self::StillHeld(order, amount) => {
                write!(f, "order {order} is done, but {amount} is held for it")
            }
            Self::Forgotten(order, amount) => write!(
                f,
                "{amount} came for order {order}, which does not hold it, and nobody gives it back"
            ),
        }
    }
}

/// Builds the general ledger by replaying a log from its beginning.
#[derive(Clone, Debug, Default)]
pub struct LedgerReplayer {
    books: GeneralLedger,
    orders: BTreeMap<OrderId, Order>,
    payments: BTreeMap<PaymentId, Payment>,
}

impl LedgerReplayer {
    /// Replays an order event.
    ///
    /// # Errors
    /// [`AccountingError`].
    pub fn order(&mut self, id: OrderId, event: &OrderEvent) -> Result<(), AccountingError> {
        let order = self.orders.entry(id).or_default();
        self.books.post(&entries(&MoneyEvent::Order {
            order: id,
            before: order,
            event,
        })?)?;
        order.evolve(event.clone());
        Ok(())
    }

    /// Replays a payment event.
    ///
    /// # Errors
    /// [`AccountingError`].
    pub fn payment(&mut self, id: PaymentId, event: &PaymentEvent) -> Result<(), AccountingError> {
        let payment = self.payments.entry(id).or_default();
        self.books.post(&entries(&MoneyEvent::Payment {
            before: payment,
            event,
        })?)?;
        payment.evolve(event.clone());
        Ok(())
    }

    /// Replays a points event.
    ///
    /// # Errors
    /// [`AccountingError`].
    pub fn points(&mut self, event: &PointsEvent) -> Result<(), AccountingError> {
        self.books.post(&entries(&MoneyEvent::Points { event })?)
    }

    /// The general ledger built so far.
    pub fn books(&self) -> &GeneralLedger {
        &self.books
    }

    /// The orders replayed so far.
    pub fn orders(&self) -> &BTreeMap<OrderId, Order> {
        &self.orders
    }

    /// Unapplied money per order that exceeds the refunds pending or granted.
    fn forgotten(&self) -> Result<BTreeMap<OrderId, Amount>, AccountingError> {
        let mut loose: BTreeMap<OrderId, Amount> = BTreeMap::new();
        for (account, balance) in self.books.balances() {
            if let Account::Unapplied(order) = account {
                loose.insert(order, balance.negated()?);
            }
        }
        for payment in self.payments.values() {
            let Some(started) = &payment.started else {
                continue;
            };
            let open = payment
                .refunds
                .iter()
                .filter(|refund| refund.stage != RefundStage::Completed);
            for refund in open {
                let amount = loose.entry(started.order).or_default();
                *amount = amount.minus(refund.amount)?;
            }
        }
        let asked: BTreeSet<RefundId> = self
            .payments
            .values()
            .flat_map(|payment| payment.refunds.iter().map(|refund| refund.id))
            .collect();
        for (order, state) in &self.orders {
            for claim in &state.claims {
                if let Some((_, fee)) = claim.fee_to_transfer() {
                    let amount = loose.entry(*order).or_default();
                    *amount = amount.minus(fee)?;
                }
                let ClaimState::Approved { refund } = claim.state else {
                    continue;
                };
                let others = claim.refund.others.iter();
                let others = others.map(|other| (other.refund, other.amount));
                let first = refund.zip(claim.refund.of_order().ok());
                for (refund, money) in first.into_iter().chain(others) {
                    if !asked.contains(&refund) {
                        let amount = loose.entry(*order).or_default();
                        *amount = amount.minus(money)?;
                    }
                }
            }
        }
        loose.retain(|_, amount| *amount > Amount::ZERO);
        Ok(loose)
    }

    /// Checks all invariants. Call it only between appends: within one append the streams are written one after another.
    ///
    /// # Errors
    /// An overflow.
    pub fn faults(&self) -> Result<Vec<AccountingFault>, AccountingError> {
        let mut faults = Vec::new();
        let sum = self.books.sum()?;
        if !sum.is_zero() {
            faults.push(AccountingFault::Unbalanced(sum));
        }
        for (account, balance) in self.books.balances() {
            let is_owed = matches!(
                account,
                Account::Unapplied(_) | Account::Held(_) | Account::PointsLiability
            );
            if is_owed && balance > Amount::ZERO {
                faults.push(AccountingFault::Overdrawn(account, balance));
            }
        }
        for (id, amount) in self.forgotten()? {
            faults.push(AccountingFault::Forgotten(id, amount));
        }
        for (id, _) in self.orders.iter().filter(|(_, order)| order.is_done()) {
            let held = self.books.balance(Account::Held(*id)).negated()?;
            if !held.is_zero() {
                faults.push(AccountingFault::StillHeld(*id, held));
            }
        }
        Ok(faults)
    }
}
