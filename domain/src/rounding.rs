//! Rounding: the smallest amount of the shop, and the only divisions of money besides [`allocation`](crate::allocation).
//!
//! A shop in dollars rounds to the cent, a shop in won to the won (a hundred hundredths): every price, discount, share and tax is a
//! whole multiple of that.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::{Amount, MoneyError};

/// Rounding step: the smallest amount of the shop, in hundredths, at least one: 1 for USD, 100 for KRW.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "i64", into = "i64")]
#[schema(value_type = i64, example = 1)]
pub struct RoundingStep(i64);

/// The step is below one hundredth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a rounding step is one hundredth or more")]
pub struct NoStep;

impl Default for RoundingStep {
    fn default() -> Self {
        Self::HUNDREDTH
    }
}

impl TryFrom<i64> for RoundingStep {
    type Error = NoStep;

    fn try_from(hundredths: i64) -> Result<Self, NoStep> {
        if hundredths >= 1 {
            Ok(Self(hundredths))
        } else {
            Err(NoStep)
        }
    }
}

impl From<RoundingStep> for i64 {
    fn from(step: RoundingStep) -> i64 {
        step.0
    }
}

impl RoundingStep {
    /// One hundredth: no rounding beyond the precision of [`Amount`].
    pub const HUNDREDTH: Self = Self(1);

    /// One won.
    pub const WON: Self = Self(100);

    /// The step in hundredths.
    pub const fn hundredths(self) -> i64 {
        self.0
    }

    /// Whether this is [`RoundingStep::HUNDREDTH`].
    pub fn is_hundredth(&self) -> bool {
        *self == Self::HUNDREDTH
    }

    /// Whether `amount` is a whole number of steps.
    pub const fn divides(self, amount: Amount) -> bool {
        amount.hundredths() % self.0 == 0
    }

    /// The largest multiple of the step not above `amount`.
    pub const fn down(self, amount: Amount) -> Amount {
        let hundredths = amount.hundredths();
        Amount::new(hundredths.saturating_sub(hundredths.rem_euclid(self.0)))
    }

    /// The smallest multiple of the step not below `amount`.
    pub const fn up(self, amount: Amount) -> Amount {
        let short = amount.hundredths().wrapping_neg().rem_euclid(self.0);
        Amount::new(amount.hundredths().saturating_add(short))
    }

    /// The largest amount, to the hundredth, that [`down`](Self::down) maps to at most `amount`.
    pub const fn last_below(self, amount: Amount) -> Amount {
        let next = self.down(amount).hundredths().saturating_add(self.0);
        Amount::new(next.saturating_sub(1))
    }

    /// `percent` of `amount`, rounded up to a step (spec V282), but for percents up to 100 never above `amount`.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] for a negative amount, [`MoneyError::Overflow`].
    pub fn percent_up(self, amount: Amount, percent: u8) -> Result<Amount, MoneyError> {
        let (part, whole) = self.part(amount, percent)?;
        let rounded = Self::amount((part + whole - 1) / whole * i128::from(self.0));
        // An amount that is not a whole multiple itself (from before a change of the shop's currency) is its own bound.
        match rounded {
            Ok(rounded) if percent <= 100 => Ok(rounded.min(amount)),
            Err(_) if percent <= 100 => Ok(amount),
            other => other,
        }
    }

    /// `percent` of `amount`, rounded down to a step, for parts that must not exceed the percentage.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] for a negative amount, [`MoneyError::Overflow`].
    pub fn percent_down(self, amount: Amount, percent: u8) -> Result<Amount, MoneyError> {
        let (part, whole) = self.part(amount, percent)?;
        Self::amount(part / whole * i128::from(self.0))
    }

    /// Numerator and denominator of the percent, in steps.
    fn part(self, amount: Amount, percent: u8) -> Result<(i128, i128), MoneyError> {
        if amount.is_negative() {
            return Err(MoneyError::Negative);
        }
        let part = i128::from(amount.hundredths()) * i128::from(percent);
        Ok((part, i128::from(self.0) * 100))
    }

    fn amount(hundredths: i128) -> Result<Amount, MoneyError> {
        i64::try_from(hundredths)
            .map(Amount::new)
            .map_err(|_| MoneyError::Overflow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CENT: RoundingStep = RoundingStep::HUNDREDTH;
    const WON: RoundingStep = RoundingStep::WON;
    const TEN_WON: RoundingStep = RoundingStep(1_000);

    /// Step, amount, percent, rounded up, rounded down; all in hundredths.
    #[test]
    fn percents_go_to_whole_steps() {
        let rows = [
            (CENT, 9_990, 15, 1_499, 1_498),
            (CENT, 1, 1, 1, 0),
            (CENT, i64::MAX, 100, i64::MAX, i64::MAX),
            // ₩12,345 at 15% is ₩1,851.75
            (WON, 1_234_500, 15, 185_200, 185_100),
            // ₩9,900 at 10% needs no rounding
            (WON, 990_000, 10, 99_000, 99_000),
            // ₩1 at 1%: up to the whole won, down to nothing
            (WON, 100, 1, 100, 0),
            // ₩12,340 at 15% is ₩1,851, in tens
            (TEN_WON, 1_234_000, 15, 186_000, 185_000),
            (WON, 0, 50, 0, 0),
            (WON, 999_900, 0, 0, 0),
            // Half a won remaining from another currency: never above the amount.
            (WON, 50, 10, 50, 0),
            (WON, i64::MAX, 100, i64::MAX, i64::MAX - 7),
        ];
        for (step, amount, percent, up, down) in rows {
            let amount = Amount::new(amount);
            assert_eq!(
                (
                    step.percent_up(amount, percent),
                    step.percent_down(amount, percent)
                ),
                (Ok(Amount::new(up)), Ok(Amount::new(down))),
                "{percent}% of {amount} in steps of {}",
                step.hundredths()
            );
        }
        assert_eq!(
            WON.percent_up(Amount::new(-1), 1),
            Err(MoneyError::Negative)
        );
        assert_eq!(
            WON.percent_down(Amount::new(i64::MAX), 101),
            Err(MoneyError::Overflow)
        );
    }

    #[test]
    fn a_step_is_one_hundredth_or_more() {
        assert_eq!(RoundingStep::try_from(0), Err(NoStep));
        assert_eq!(RoundingStep::try_from(-100), Err(NoStep));
        assert_eq!(RoundingStep::try_from(100), Ok(WON));
    }

    /// A list sorted and filtered to the hundredth matches what is displayed in steps.
    #[test]
    fn bounds_find_what_is_shown() {
        for shown_least in [1_000, 1_001, 1_100] {
            for exact in 900..1_300 {
                let (least, exact) = (Amount::new(shown_least), Amount::new(exact));
                assert_eq!(
                    WON.down(exact) >= least,
                    exact >= WON.up(least),
                    "{exact} from {least}"
                );
                assert_eq!(
                    WON.down(exact) <= least,
                    exact <= WON.last_below(least),
                    "{exact} to {least}"
                );
            }
        }
    }

    #[test]
    fn down_goes_below_also_under_nothing() {
        let rows = [(1_234_599, 1_234_500), (100, 100), (99, 0), (-1, -100)];
        for (amount, down) in rows {
            assert_eq!(WON.down(Amount::new(amount)), Amount::new(down), "{amount}");
        }
        assert!(WON.divides(Amount::new(-200)) && !WON.divides(Amount::new(150)));
    }
}
