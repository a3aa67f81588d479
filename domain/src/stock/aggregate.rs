//! The stock ledger: what is available never goes below zero, and orders give back at most what orders took.
//!
//! That no single order gives back more than it took, or twice, is the order's own rule, decided on its ledger in the same append
//! ([`crate::placing`]). A pile that remembered every order would grow with each of them, and each would have to load it.

use serde::{Deserialize, Serialize};

use super::events::StockEvent;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{OrderId, ProductId};

/// A pile of goods as it is now. One that was never counted holds nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stock {
    /// Whose stock this is, once counted.
    pub product: Option<ProductId>,
    /// Pieces no order has taken.
    pub available: u32,
    /// Pieces orders took and did not give back.
    pub taken: u64,
}

/// What can be asked of a stock ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockCommand {
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
    /// Orders did not take that many.
    #[error("orders hold only {taken}")]
    MoreThanTaken {
        /// What they hold.
        taken: u64,
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

decider!(Stock, "stock", StockCommand, StockEvent, StockError);

impl Decider for Stock {
    type Input = StockCommand;

    fn decide(&self, act: StockCommand, _context: &Context) -> Result<Vec<StockEvent>, StockError> {
        match act {
            StockCommand::Count { product, quantity } => {
                if self.product.is_some_and(|counted| counted != product) {
                    return Err(StockError::OtherProduct);
                }
                if self.product.is_some() && self.available == quantity {
                    return Ok(vec![]);
                }
                Ok(vec![StockEvent::StockCounted { product, quantity }])
            }
            StockCommand::Take { quantity: 0, .. } | StockCommand::GiveBack { quantity: 0, .. } => {
                Err(StockError::NoPieces)
            }
            StockCommand::Take { order, quantity } => {
                if quantity > self.available {
                    return Err(StockError::SoldOut {
                        available: self.available,
                    });
                }
                Ok(vec![StockEvent::StockTaken { order, quantity }])
            }
            StockCommand::GiveBack { order, quantity } => {
                if u64::from(quantity) > self.taken {
                    return Err(StockError::MoreThanTaken { taken: self.taken });
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
    /// What `event` makes of it.
    pub fn evolve(&mut self, event: StockEvent) {
        match event {
            StockEvent::StockCounted { product, quantity } => {
                self.product = Some(product);
                self.available = quantity;
            }
            StockEvent::StockTaken { quantity, .. } => {
                self.available = self.available.saturating_sub(quantity);
                self.taken = self.taken.saturating_add(quantity.into());
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                self.available = self.available.saturating_add(quantity);
                self.taken = self.taken.saturating_sub(quantity.into());
            }
        }
    }
}
