//! Tax included in the total of a tax document (spec V281). Quotes and orders have no tax amount of their own: prices include tax,
//! and a document may cover a part of an order, or nothing after a refund.

use crate::money::{Amount, MoneyError};
use crate::rounding::RoundingStep;

/// Split of a total into supply cost and tax; the parts sum to the total and are stored, never recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tax {
    /// One tenth of the total, rounded up to a step (spec V281; ordinary practice differs on purpose).
    pub tax_total: Amount,
    /// The rest of the total (reading 3).
    pub supply_cost_total: Amount,
}

/// The tax of `total`.
///
/// # Errors
/// [`MoneyError::Negative`] for a negative total.
pub fn tax_of(total: Amount, step: RoundingStep) -> Result<Tax, MoneyError> {
    let tax_total = step.percent_up(total, 10)?;
    Ok(Tax {
        tax_total,
        supply_cost_total: total.minus(tax_total)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_tenth_rounded_up() {
        // O4, T2 with this shop's rounding, and the edges.
        let cent = RoundingStep::HUNDREDTH;
        let won = RoundingStep::WON;
        for (step, total, tax) in [
            (cent, 10005, 1001),
            (cent, 4595, 460),
            (cent, 4594, 460),
            (cent, 0, 0),
            (cent, 1, 1),
            (won, 1_234_500, 123_500),
            (won, 1_000_000, 100_000),
            (won, 100, 100),
        ] {
            assert_eq!(
                tax_of(Amount::new(total), step),
                Ok(Tax {
                    tax_total: Amount::new(tax),
                    supply_cost_total: Amount::new(total - tax)
                }),
                "{total}"
            );
        }
        assert_eq!(tax_of(Amount::new(-1), cent), Err(MoneyError::Negative));
    }
}
