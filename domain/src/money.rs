//! Money: whole hundredths of the site's currency, with checked arithmetic. Never computed in floating point.

use std::fmt;
use std::iter::Sum;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An amount of money in hundredths of the site's currency (spec V263: `12345` is `$123.45`).
///
/// Arithmetic is checked: an overflow is [`MoneyError::Overflow`], never a wrap.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(transparent)]
#[schema(value_type = i64, example = 12345)]
pub struct Amount(i64);

/// Errors of amount arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The result does not fit an `i64`.
    #[error("amount overflows")]
    Overflow,
    /// An amount that must not be negative is negative.
    #[error("amount is negative")]
    Negative,
}

impl Amount {
    /// Zero.
    pub const ZERO: Amount = Amount(0);

    /// An amount of `hundredths`.
    pub const fn new(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// The hundredths.
    pub const fn hundredths(self) -> i64 {
        self.0
    }

    /// Whether this is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether this is below zero.
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// `self + other`.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`].
    pub fn plus(self, other: Amount) -> Result<Amount, MoneyError> {
        self.0
            .checked_add(other.0)
            .map(Amount)
            .ok_or(MoneyError::Overflow)
    }

    /// `self - other`; may be negative.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`].
    pub fn minus(self, other: Amount) -> Result<Amount, MoneyError> {
        self.0
            .checked_sub(other.0)
            .map(Amount)
            .ok_or(MoneyError::Overflow)
    }

    /// `self * quantity`.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`].
    pub fn times(self, quantity: u32) -> Result<Amount, MoneyError> {
        self.0
            .checked_mul(i64::from(quantity))
            .map(Amount)
            .ok_or(MoneyError::Overflow)
    }

    /// The amount with the opposite sign.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`] for `i64::MIN`.
    pub fn negated(self) -> Result<Amount, MoneyError> {
        self.0.checked_neg().map(Amount).ok_or(MoneyError::Overflow)
    }

    /// The sum of `amounts`.
    ///
    /// # Errors
    /// [`MoneyError::Overflow`].
    pub fn total(amounts: impl IntoIterator<Item = Amount>) -> Result<Amount, MoneyError> {
        amounts.into_iter().try_fold(Amount::ZERO, Amount::plus)
    }
}

/// Dollars with two decimals and no grouping: `$123.45`, `-$0.05` (spec V264).
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let whole = self.0.unsigned_abs();
        write!(f, "{sign}${}.{:02}", whole / 100, whole % 100)
    }
}

/// Saturating sum, for display only; rules use [`Amount::total`].
impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(iter: I) -> Amount {
        Amount(iter.fold(0_i64, |sum, amount| sum.saturating_add(amount.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_shown_as_dollars_with_two_decimals() {
        assert_eq!(Amount::new(12345).to_string(), "$123.45");
        assert_eq!(Amount::new(5).to_string(), "$0.05");
        assert_eq!(Amount::new(-5).to_string(), "-$0.05");
    }

    #[test]
    fn overflow_is_an_error_not_a_wrap() {
        assert_eq!(
            Amount::new(i64::MAX).plus(Amount::new(1)),
            Err(MoneyError::Overflow)
        );
        assert_eq!(Amount::new(i64::MAX).times(2), Err(MoneyError::Overflow));
    }
}
