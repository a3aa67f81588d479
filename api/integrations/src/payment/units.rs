//! Conversion between the shop's amounts and the units of the payment service. The only place that converts.

use domain::Amount;

/// Currency of the payment service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currency {
    code: [u8; 3],
    exponent: u8,
    step: Amount,
}

/// An amount in the units of the payment service: cents for USD, whole won for KRW.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GatewayAmount(pub i64);

/// Why an amount cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Not an ISO 4217 code.
    #[error("must be three capital letters, not \"{0}\"")]
    Code(String),
    /// The step is not a whole number of the currency's units.
    #[error("has units of {unit} hundredths, which do not divide a step of {step}")]
    Step {
        /// Hundredths in one unit.
        unit: i64,
        /// The requested step.
        step: i64,
    },
    /// The conversion would lose a fraction of a unit or of the shop's step.
    #[error("{amount} is not a whole number of {code} units and steps")]
    Remainder {
        /// The amount, as shown.
        amount: String,
        /// The currency.
        code: String,
    },
    /// The result does not fit.
    #[error("the amount is too large")]
    Overflow,
}

impl Currency {
    /// `exponent` is the number of decimals of the smallest unit (at most 4); `step` the smallest amount the shop rounds to.
    ///
    /// # Errors
    /// [`UnitError::Code`]; [`UnitError::Step`] for a step the units cannot express.
    pub fn new(code: &str, exponent: u8, step: Amount) -> Result<Self, UnitError> {
        let letters: [u8; 3] = code
            .as_bytes()
            .try_into()
            .map_err(|_| UnitError::Code(code.to_owned()))?;
        if !letters.iter().all(u8::is_ascii_uppercase) {
            return Err(UnitError::Code(code.to_owned()));
        }
        let currency = Self {
            code: letters,
            exponent: exponent.min(4),
            step,
        };
        let unit = currency.hundredths_in_a_unit();
        if step.hundredths() < 1 || step.hundredths() % unit != 0 {
            return Err(UnitError::Step {
                unit,
                step: step.hundredths(),
            });
        }
        Ok(currency)
    }

    /// The ISO 4217 code.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or_default()
    }

    /// Decimals of the smallest unit.
    pub fn exponent(&self) -> u8 {
        self.exponent
    }

    /// The smallest amount the shop rounds to.
    pub fn step(&self) -> Amount {
        self.step
    }

    /// Converts to the units of the service.
    ///
    /// # Errors
    /// [`UnitError::Remainder`] when a fraction of a unit or of the shop's step would be lost; [`UnitError::Overflow`].
    pub fn to_gateway(&self, amount: Amount) -> Result<GatewayAmount, UnitError> {
        let hundredths = amount.hundredths();
        if hundredths % self.step.hundredths() != 0 {
            return Err(self.remainder(amount));
        }
        let units = hundredths
            .checked_mul(self.units_in_a_hundredth())
            .ok_or(UnitError::Overflow)?;
        Ok(GatewayAmount(units / self.hundredths_in_a_unit()))
    }

    /// Converts from the units of the service. Fractions of a hundredth are refused; the shop's step is not checked,
    /// because the service reports what has happened.
    ///
    /// # Errors
    /// [`UnitError::Remainder`], [`UnitError::Overflow`].
    pub fn from_gateway(&self, units: GatewayAmount) -> Result<Amount, UnitError> {
        let scaled = units
            .0
            .checked_mul(self.hundredths_in_a_unit())
            .ok_or(UnitError::Overflow)?;
        if scaled % self.units_in_a_hundredth() != 0 {
            return Err(UnitError::Remainder {
                amount: units.0.to_string(),
                code: self.code().to_owned(),
            });
        }
        Ok(Amount::new(scaled / self.units_in_a_hundredth()))
    }

    fn remainder(&self, amount: Amount) -> UnitError {
        UnitError::Remainder {
            amount: amount.to_string(),
            code: self.code().to_owned(),
        }
    }

    /// 100 for KRW, 1 for USD and finer currencies.
    fn hundredths_in_a_unit(&self) -> i64 {
        10_i64.pow(u32::from(2_u8.saturating_sub(self.exponent)))
    }

    /// 10 for a currency of three decimals, 1 for USD and coarser ones.
    fn units_in_a_hundredth(&self) -> i64 {
        10_i64.pow(u32::from(self.exponent.saturating_sub(2)))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn currency(code: &str, exponent: u8, step: i64) -> Currency {
        Currency::new(code, exponent, Amount::new(step)).unwrap()
    }

    #[test]
    fn dollars_go_as_cents_and_won_as_whole_won() {
        let usd = currency("USD", 2, 1);
        assert_eq!(usd.to_gateway(Amount::new(12345)), Ok(GatewayAmount(12345)));
        let krw = currency("KRW", 0, 100);
        assert_eq!(
            krw.to_gateway(Amount::new(100_400)),
            Ok(GatewayAmount(1004))
        );
        assert_eq!(
            krw.from_gateway(GatewayAmount(1004)),
            Ok(Amount::new(100_400))
        );
        let kwd = currency("KWD", 3, 1);
        assert_eq!(kwd.to_gateway(Amount::new(5)), Ok(GatewayAmount(50)));
        assert_eq!(kwd.from_gateway(GatewayAmount(50)), Ok(Amount::new(5)));
    }

    #[test]
    fn a_remainder_is_refused_never_rounded() {
        let krw = currency("KRW", 0, 100);
        assert!(matches!(
            krw.to_gateway(Amount::new(100_450)),
            Err(UnitError::Remainder { .. })
        ));
        let tens = currency("USD", 2, 10);
        assert!(matches!(
            tens.to_gateway(Amount::new(5)),
            Err(UnitError::Remainder { .. })
        ));
        let kwd = currency("KWD", 3, 1);
        assert!(matches!(
            kwd.from_gateway(GatewayAmount(51)),
            Err(UnitError::Remainder { .. })
        ));
    }

    #[test]
    fn an_overflow_is_an_error() {
        let kwd = currency("KWD", 3, 1);
        assert_eq!(
            kwd.to_gateway(Amount::new(i64::MAX)),
            Err(UnitError::Overflow)
        );
        let krw = currency("KRW", 0, 100);
        assert_eq!(
            krw.from_gateway(GatewayAmount(i64::MAX)),
            Err(UnitError::Overflow)
        );
    }

    #[test]
    fn an_impossible_currency_is_refused() {
        assert!(matches!(
            Currency::new("won", 0, Amount::new(100)),
            Err(UnitError::Code(_))
        ));
        assert!(matches!(
            Currency::new("KRW", 0, Amount::new(1)),
            Err(UnitError::Step { unit: 100, step: 1 })
        ));
        assert!(matches!(
            Currency::new("USD", 2, Amount::ZERO),
            Err(UnitError::Step { .. })
        ));
    }
}
