//! Payment methods.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Payment method (spec: `paymentMethod`, default card).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaymentMethod {
    /// Card.
    #[default]
    Card,
    /// Bank transfer.
    Bank,
    /// Virtual account.
    Vbank,
    /// Mobile phone bill.
    Cellphone,
    /// Nothing to pay: coupons and points cover everything.
    Free,
}

impl PaymentMethod {
    /// Whether the approval charges the money immediately, instead of a deposit days later.
    pub const fn charges_at_once(self) -> bool {
        matches!(self, Self::Card | Self::Bank | Self::Cellphone)
    }
}
