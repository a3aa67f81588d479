//! What can happen to one pile of goods.

use serde::{Deserialize, Serialize};

use crate::domain_event;
use crate::ids::{OrderId, ProductId};

/// What happened to a stock ledger. `available` after each event is never below zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum StockEvent {
    /// Somebody counted (or entered) what is there and not yet taken by orders.
    StockCounted {
        /// Whose stock this is.
        product: ProductId,
        /// Pieces available from now on.
        quantity: u32,
    },
    /// An order took pieces.
    StockTaken {
        /// The order.
        order: OrderId,
        /// Pieces.
        quantity: u32,
    },
    /// An order gave pieces back.
    StockGivenBack {
        /// The order.
        order: OrderId,
        /// Pieces.
        quantity: u32,
    },
}

domain_event!(StockEvent {
    StockCounted "1.0" "재고를 실사했습니다",
    StockTaken "1.0" "재고가 차감되었습니다",
    StockGivenBack "1.0" "재고가 복원되었습니다",
});
