//! The stock ledger: what is available never goes below zero, and an order gives back at most what it took.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::events::StockEvent;
use crate::event::{Context, Ledger};
use crate::ids::{OrderId, ProductId};
use crate::ledger;

/// A pile of goods as it is now. One that was never counted holds nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stock {
    /// Whose stock this is, once counted.
    pub product: Option<ProductId>,
    /// Pieces no order has taken.
    pub available: u32,
    /// Pieces each order holds.
    pub taken: BTreeMap<OrderId, u32>,
}

/// What can be asked of a stock ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockAct {
    /// Say how many pieces are there and not taken by orders.
    Count {
        /// Whose stock this is.
        product: ProductId,
        /// Pieces.
        quantity: u32,
    },
    /// Take pieces for an order.
    Take {
        /// The order.
        order: OrderId,
        /// Pieces, at least one.
        quantity: u32,
    },
    /// Give pieces of an order back.
    GiveBack {
        /// The order.
        order: OrderId,
        /// Pieces, at least one.
        quantity: u32,
    },
}

/// Why a stock ledger refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StockError {
    /// Not that many are left.
    #[error("only {available} left")]
    SoldOut {
        /// What is left.
        available: u32,
    },
    /// The order did not take that many.
    #[error("the order holds only {taken}")]
    MoreThanTaken {
        /// What it holds.
        taken: u32,
    },
    /// Nothing was asked for.
    #[error("at least one piece")]
    NoPieces,
    /// The ledger counts another product.
    #[error("this ledger counts another product")]
    OtherProduct,
    /// More pieces than can be counted.
    #[error("too many pieces")]
    TooMany,
}

impl StockError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SoldOut { .. } => "sold_out",
            Self::MoreThanTaken { .. } => "more_than_taken",
            Self::NoPieces => "no_pieces",
            Self::OtherProduct => "other_product",
            Self::TooMany => "too_many_pieces",
        }
    }
}

ledger!(Stock, "stock", StockAct, StockEvent, StockError);

impl Ledger for Stock {
    type Act = StockAct;

    fn decide(&self, act: StockAct, _context: &Context) -> Result<Vec<StockEvent>, StockError> {
        match act {
            StockAct::Count { product, quantity } => {
                if self.product.is_some_and(|counted| counted != product) {
                    return Err(StockError::OtherProduct);
                }
                if self.product.is_some() && self.available == quantity {
                    return Ok(vec![]);
                }
                Ok(vec![StockEvent::StockCounted { product, quantity }])
            }
            StockAct::Take { quantity: 0, .. } | StockAct::GiveBack { quantity: 0, .. } => {
                Err(StockError::NoPieces)
            }
            StockAct::Take { order, quantity } => {
                if quantity > self.available {
                    return Err(StockError::SoldOut {
                        available: self.available,
                    });
                }
                self.taken_by(order)
                    .checked_add(quantity)
                    .ok_or(StockError::TooMany)?;
                Ok(vec![StockEvent::StockTaken { order, quantity }])
            }
            StockAct::GiveBack { order, quantity } => {
                let taken = self.taken_by(order);
                if quantity > taken {
                    return Err(StockError::MoreThanTaken { taken });
                }
                self.available
                    .checked_add(quantity)
                    .ok_or(StockError::TooMany)?;
                Ok(vec![StockEvent::StockGivenBack { order, quantity }])
            }
        }
    }
}

impl Stock {
    /// Pieces this order holds.
    pub fn taken_by(&self, order: OrderId) -> u32 {
        self.taken.get(&order).copied().unwrap_or(0)
    }

    /// What `event` makes of it.
    pub fn fold(&mut self, event: StockEvent) {
        match event {
            StockEvent::StockCounted { product, quantity } => {
                self.product = Some(product);
                self.available = quantity;
            }
            StockEvent::StockTaken { order, quantity } => {
                self.available = self.available.saturating_sub(quantity);
                let taken = self.taken.entry(order).or_default();
                *taken = taken.saturating_add(quantity);
            }
            StockEvent::StockGivenBack { order, quantity } => {
                self.available = self.available.saturating_add(quantity);
                let left = self.taken_by(order).saturating_sub(quantity);
                if left == 0 {
                    self.taken.remove(&order);
                } else {
                    self.taken.insert(order, left);
                }
            }
        }
    }
}
