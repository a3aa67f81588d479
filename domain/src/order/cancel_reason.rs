//! Reasons for canceling an order or some of its purchases, and for returning them.

use serde::{Deserialize, Serialize};

use super::events::Fault;
use crate::personal::Sealed;

/// The reasons offered to buyers, also by the web app.
pub const CANCEL_REASONS: [&str; 4] = [
    "마음이 바뀌었어요",
    "옵션이나 수량을 잘못 골랐어요",
    "배송이 늦어요",
    "다른 곳에서 샀어요",
];

/// The reasons for a return offered to buyers, with the party at fault; also used by the web app.
pub const RETURN_REASONS: [(&str, Fault); 6] = [
    ("마음이 바뀌었어요", Fault::Buyer),
    ("사이즈나 색상이 맞지 않아요", Fault::Buyer),
    ("상품에 하자가 있어요", Fault::Seller),
    ("배송 중 파손되었어요", Fault::Seller),
    ("다른 상품이 왔어요", Fault::Seller),
    ("상품 정보와 달라요", Fault::Seller),
];

/// The reason of a claim, stored as plain text or sealed.
///
/// A buyer's free text may contain personal data, so it is sealed as names are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CancelReason {
    /// One of [`CANCEL_REASONS`] or [`RETURN_REASONS`], or a text of staff or the program.
    Plain(String),
    /// A buyer's free text; key of the buyer (or of the order for guests), purpose statutory.
    Sealed(Sealed<String>),
}

impl CancelReason {
    /// A reason of staff or the program.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    /// The entry of [`CANCEL_REASONS`] or [`RETURN_REASONS`] equal to `text`; none for free text.
    pub fn standard(text: &str) -> Option<Self> {
        let of_returns = RETURN_REASONS.into_iter().map(|(reason, _)| reason);
        CANCEL_REASONS
            .into_iter()
            .chain(of_returns)
            .find(|reason| *reason == text.trim())
            .map(Self::plain)
    }

    /// Whether the reason is empty; sealed text was checked before sealing.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            Self::Plain(text) => text.trim().is_empty(),
            Self::Sealed(_) => false,
        }
    }
}
