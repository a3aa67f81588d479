//! The stock aggregate: availability never falls below zero, and orders return at most what they took.
//!
//! That a single order returns at most what it took, and only once, is decided by the order aggregate in the same append
//! ([`crate::checkout`]). A stock aggregate that stored every order would grow without bound, and each order would have to load it.

use serde::{Deserialize, Serialize};

use super::events::StockEvent;
use crate::decider;
use crate::event::{Context, Decider};
use crate::ids::{OrderId, ProductId};

/// Current state of a stock. Zero if it was never counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stock {
    /// The product, once counted.
    pub product: Option<ProductId>,
    /// Pieces available to orders.
    pub available: u32,
    /// Pieces taken by orders and not returned.
    pub taken: u64,
}

/// Commands accepted by a stock aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StockCommand {
    /// Set the number of pieces available.
    Count {
        /// The product.
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
    /// Return pieces of an order.
    GiveBack {
        /// The order.
        order: OrderId,
        /// Pieces, at least one.
        quantity: u32,
    },
    /// Write off pieces of an order that came back and cannot be sold again.
    WriteOff {
        /// The order.
        order: OrderId,
        /// Pieces, at least one.
        quantity: u32,
    },
}

impl StockCommand {
    /// The number of units.
    pub const fn pieces(&self) -> u32 {
        match self {
            Self::Count { quantity, .. }
            | Self::Take { quantity, .. }
            | Self::GiveBack { quantity, .. }
            | Self::WriteOff { quantity, .. } => *quantity,
        }
    }
}

/// Reasons why a stock aggregate rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StockError {
    /// The quantity exceeds the pieces available.
    #[error("only {available} left")]
    SoldOut {
        /// Pieces available.
        available: u32,
    },
    /// The quantity exceeds the pieces taken by orders.
    #[error("orders have taken only {taken}")]
    MoreThanTaken {
        /// Pieces taken by orders.
        taken: u64,
    },
    /// The quantity is zero.
    #[error("the quantity has to be at least one")]
    NoPieces,
    /// The stock belongs to another product.
    #[error("the stock belongs to another product")]
    OtherProduct,
    /// The quantity overflows.
    #[error("the quantity is too large")]
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
    const HOT: bool = true;

    fn decide(
        &self,
        command: StockCommand,
        _context: &Context,
    ) -> Result<Vec<StockEvent>, StockError> {
        match command {
            StockCommand::Count { product, quantity } => {
                if self.product.is_some_and(|counted| counted != product) {
                    return Err(StockError::OtherProduct);
                }
                if self.product.is_some() && self.available == quantity {
                    return Ok(vec![]);
                }
                Ok(vec![StockEvent::StockCounted { product, quantity }])
            }
            StockCommand::Take { quantity: 0, .. }
            | StockCommand::GiveBack { quantity: 0, .. }
            | StockCommand::WriteOff { quantity: 0, .. } => Err(StockError::NoPieces),
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
            StockCommand::WriteOff { order, quantity } => {
                if u64::from(quantity) > self.taken {
                    return Err(StockError::MoreThanTaken { taken: self.taken });
                }
                Ok(vec![StockEvent::StockWrittenOff { order, quantity }])
            }
        }
    }
}

impl Stock {
    /// Applies `event` to the state.
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
            StockEvent::StockWrittenOff { quantity, .. } => {
                self.taken = self.taken.saturating_sub(quantity.into());
            }
        }
    }
}
