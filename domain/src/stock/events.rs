//! Events of a stock.

use serde::{Deserialize, Serialize};

use crate::domain_event;
use crate::ids::{OrderId, ProductId};

/// Events of a stock aggregate. `available` after each event is never below zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum StockEvent {
    /// The available pieces were counted or entered.
    StockCounted {
        /// The product.
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
    /// An order returned pieces.
    StockGivenBack {
        /// The order.
        order: OrderId,
        /// Pieces.
        quantity: u32,
    },
    /// Pieces of an order came back and cannot be sold again.
    StockWrittenOff {
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
    StockWrittenOff "1.0" "판매할 수 없는 반품 재고를 폐기했습니다",
});
