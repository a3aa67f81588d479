//! Initial and remaining amounts of each purchase.

use std::collections::BTreeMap;

use domain::Amount;
use domain::money::MoneyError;
use domain::order::{Order, Purchase, PurchaseStatus, Reader};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{is_seen_by, terms_of};
use crate::error::ReadError;

/// Number of units and the amount paid for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Quantities {
    /// Number of units.
    pub quantity: u32,
    /// What the buyer pays for them, without fares, hundredths.
    pub paid: Amount,
}

/// Initial and remaining amounts of a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseAmounts {
    /// The purchase.
    pub purchase_no: String,
    /// Amounts when it was placed or split off, including what was split off it, and without what exchanges changed of them later.
    pub initial: Quantities,
    /// Amounts left: without what was split off it; nothing once it was canceled or returned.
    pub remain: Quantities,
}

/// The amounts of the purchases that `reader` may see.
///
/// # Errors
/// [`ReadError::MissingTerms`]; an overflow.
pub(super) fn amounts_seen_by(
    order: &Order,
    reader: Reader,
) -> Result<Vec<PurchaseAmounts>, ReadError> {
    let mut split_off: BTreeMap<&str, Quantities> = BTreeMap::new();
    let mut amounts = Vec::with_capacity(order.purchases.len());
    // a split-off purchase comes after the one it was split off
    for purchase in order.purchases.iter().rev() {
        let terms = terms_of(order, purchase)?;
        let own = Quantities {
            quantity: terms.quantity,
            paid: terms.paid,
        };
        let parts = split_off.get(purchase.purchase_no.as_str());
        let initial = own
            .with(parts.copied().unwrap_or_default())
            .without(changed_by_exchanges(order, purchase)?)?;
        if let Some(from) = &purchase.split_from {
            let so_far = split_off.entry(from).or_default();
            *so_far = so_far.with(initial);
        }
        if is_seen_by(reader, purchase.seller) {
            amounts.push(PurchaseAmounts {
                purchase_no: purchase.purchase_no.clone(),
                initial,
                remain: match is_given_back(order, purchase) {
                    true => Quantities::default(),
                    false => own,
                },
            });
        }
    }
    amounts.reverse();
    Ok(amounts)
}

/// What exchanges of exactly this purchase changed of what was paid for it.
fn changed_by_exchanges(order: &Order, purchase: &Purchase) -> Result<Amount, ReadError> {
    let overflow = |error: MoneyError| ReadError::Unknown(error.to_string());
    let mut changed = Amount::ZERO;
    for claim in &order.claims {
        if claim.purchase_nos.contains(&purchase.purchase_no) {
            let given = claim.difference_given();
            let given = given.map_err(|error| ReadError::Unknown(error.to_string()))?;
            let paid = changed.plus(claim.price_taken());
            changed = paid
                .and_then(|paid| paid.minus(given.money))
                .map_err(overflow)?;
        }
    }
    Ok(changed)
}

/// Whether it was canceled, or a claim on it was approved, even if the refund is under way.
fn is_given_back(order: &Order, purchase: &Purchase) -> bool {
    let mut claims = order.claims.iter().filter(|claim| claim.is_granted());
    purchase.purchase_status == PurchaseStatus::Canceled
        || claims.any(|claim| claim.purchase_nos.contains(&purchase.purchase_no))
}

impl Quantities {
    fn without(self, changed: Amount) -> Result<Self, ReadError> {
        let paid = self.paid.minus(changed);
        let paid = paid.map_err(|error| ReadError::Unknown(error.to_string()))?;
        Ok(Self { paid, ..self })
    }

    fn with(self, other: Self) -> Self {
        Self {
            quantity: self.quantity.saturating_add(other.quantity),
            paid: [self.paid, other.paid].into_iter().sum(),
        }
    }
}
