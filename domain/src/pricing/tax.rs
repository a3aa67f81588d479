//! The tax inside a total (spec V281).

use crate::money::{Amount, MoneyError};

/// How a total splits into supply and tax; the three always add up and are stored, never recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tax {
    /// One tenth of the total, rounded up (spec V281; ordinary practice differs on purpose).
    pub tax_total: Amount,
    /// What is left of the total (reading 3).
    pub supply_cost_total: Amount,
}

/// The tax of `total`.
///
/// # Errors
/// [`MoneyError::Negative`] for a negative total.
pub fn tax_of(total: Amount) -> Result<Tax, MoneyError> {
    let tax_total = total.percent_up(10)?;
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
        // O4, T2 with our rounding, and the edges
        for (total, tax) in [(10005, 1001), (4595, 460), (4594, 460), (0, 0), (1, 1)] {
            assert_eq!(
                tax_of(Amount::new(total)),
                Ok(Tax {
                    tax_total: Amount::new(tax),
                    supply_cost_total: Amount::new(total - tax)
                }),
                "{total}"
            );
        }
        assert_eq!(tax_of(Amount::new(-1)), Err(MoneyError::Negative));
    }
}
