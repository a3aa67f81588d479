//! Why an order or a part of it is canceled.

use serde::{Deserialize, Serialize};

use crate::personal::Sealed;

/// What a buyer may choose from. The web app has them from here.
pub const CANCEL_REASONS: [&str; 4] = [
    "마음이 바뀌었어요",
    "옵션이나 수량을 잘못 골랐어요",
    "배송이 늦어요",
    "다른 곳에서 샀어요",
];

/// Why something is canceled: stored as a text or as a seal.
///
/// What buyers write themselves may tell of anybody, so it is sealed as their names are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CancelReason {
    /// One of [`CANCEL_REASONS`], or what staff or the program says.
    Said(String),
    /// A buyer's own words; key of the buyer (or of the order for guests), purpose statutory.
    Sealed(Sealed<String>),
}

impl CancelReason {
    /// What staff or the program says.
    pub fn said(text: impl Into<String>) -> Self {
        Self::Said(text.into())
    }

    /// The one of [`CANCEL_REASONS`] that says `text`; none: these are a buyer's own words.
    pub fn chosen(text: &str) -> Option<Self> {
        CANCEL_REASONS
            .into_iter()
            .find(|reason| *reason == text.trim())
            .map(Self::said)
    }

    /// Whether it says nothing; of what is sealed that was looked at before.
    pub(super) fn is_missing(&self) -> bool {
        match self {
            Self::Said(text) => text.trim().is_empty(),
            Self::Sealed(_) => false,
        }
    }
}
