//! Discounts on amounts, and the sale price of a product.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::catalogue::{Discount, Product, ValueUnit};
use crate::money::{Amount, MoneyError};
use crate::price_trace::{PriceRule, TraceStep};
use crate::rounding::RoundingStep;

/// Reasons why a discount cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscountError {
    /// A percent outside 0-100 (spec V150), or a value or limit below zero.
    #[error("a discount is 0 to 100 percent, or an amount of zero or more")]
    Invalid,
    /// The amount to discount is negative.
    #[error("a negative amount cannot be discounted")]
    Negative,
}

/// The discount on `amount`: percent rounded up to a step (spec V282), capped by the limit (spec V283) and by the amount itself
/// (spec V284), so that the remainder is never negative.
///
/// # Errors
/// [`DiscountError`].
pub fn discount_amount(
    discount: &Discount,
    amount: Amount,
    step: RoundingStep,
) -> Result<Amount, DiscountError> {
    discount_amount_by(discount, amount, step).map(|taken| taken.amount)
}

/// A discount with the contribution of each rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscountAmount {
    discount: Discount,
    /// The amount discounted.
    of: Amount,
    /// The percent rounded down to a step, or the fixed amount.
    exact: Amount,
    /// The discount before limits, a percent rounded up.
    asked: Amount,
    /// The discount after its own limit.
    limited: Amount,
    /// The resulting discount.
    pub amount: Amount,
}

impl DiscountAmount {
    /// Contributions of the rules for `pieces` units; they sum to [`DiscountAmount::amount`] times `pieces`.
    ///
    /// # Errors
    /// An overflow.
    pub fn parts(&self, pieces: u32) -> Result<Vec<TraceStep>, MoneyError> {
        let mut parts = vec![TraceStep::new(
            match self.discount.unit {
                ValueUnit::Percent => PriceRule::Percent {
                    percent: self.discount.value,
                    of: self.of,
                    pieces,
                },
                ValueUnit::Amount => PriceRule::AmountOff {
                    value: Amount::new(self.discount.value),
                    pieces,
                },
            },
            self.exact.times(pieces)?,
        )];
        for (rule, before, after) in [
            (PriceRule::RoundedUp, self.exact, self.asked),
            (
                PriceRule::Limit {
                    limit: self.discount.limit.unwrap_or_default(),
                    pieces,
                },
                self.asked,
                self.limited,
            ),
            (
                PriceRule::NoMoreThanIsLeft { left: self.of },
                self.limited,
                self.amount,
            ),
        ] {
            if before != after {
                parts.push(TraceStep::new(rule, after.minus(before)?.times(pieces)?));
            }
        }
        Ok(parts)
    }
}

/// [`discount_amount`], with the contribution of each rule.
///
/// # Errors
/// [`DiscountError`].
pub fn discount_amount_by(
    discount: &Discount,
    amount: Amount,
    step: RoundingStep,
) -> Result<DiscountAmount, DiscountError> {
    if amount.is_negative() {
        return Err(DiscountError::Negative);
    }
    if discount.value < 0 || discount.limit.is_some_and(Amount::is_negative) {
        return Err(DiscountError::Invalid);
    }
    let (exact, asked) = match discount.unit {
        ValueUnit::Amount => (Amount::new(discount.value), Amount::new(discount.value)),
        ValueUnit::Percent => {
            let percent = u8::try_from(discount.value)
                .ok()
                .filter(|percent| *percent <= 100)
                .ok_or(DiscountError::Invalid)?;
            let asked = step
                .percent_up(amount, percent)
                .map_err(|_| DiscountError::Negative)?;
            let exact = step
                .percent_down(amount, percent)
                .map_err(|_| DiscountError::Negative)?;
            (exact, asked)
        }
    };
    let limited = asked.min(discount.limit.unwrap_or(asked));
    Ok(DiscountAmount {
        discount: *discount,
        of: amount,
        exact,
        asked,
        limited,
        amount: limited.min(amount),
    })
}

/// Prices on a product card (spec section 3: price, salePrice, discountPrice, discountRate).
///
/// `price - discount_price = sale_price` (reading 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SalePrice {
    /// List price per unit.
    pub price: Amount,
    /// The product's own discount per unit.
    pub discount_price: Amount,
    /// Price per unit after the discount.
    pub sale_price: Amount,
    /// Whole percent of the discount, rounded down, so that a card never overstates it.
    pub discount_rate: u8,
}

/// The sale price per unit at `price` with the product's own discount; both `AMOUNT` and `PERCENT` apply per unit.
///
/// # Errors
/// [`DiscountError`].
pub fn sale_price(
    price: Amount,
    discount: Option<&Discount>,
    step: RoundingStep,
) -> Result<SalePrice, DiscountError> {
    sale_price_by(price, discount, step).map(|(shown, _)| shown)
}

/// [`sale_price`], with the contribution of each rule of the discount.
///
/// # Errors
/// [`DiscountError`].
pub fn sale_price_by(
    price: Amount,
    discount: Option<&Discount>,
    step: RoundingStep,
) -> Result<(SalePrice, Option<DiscountAmount>), DiscountError> {
    if price.is_negative() {
        return Err(DiscountError::Negative);
    }
    let taken = discount
        .map(|discount| discount_amount_by(discount, price, step))
        .transpose()?;
    let discount_price = taken.map_or(Amount::ZERO, |taken| taken.amount);
    let rate = (i128::from(discount_price.hundredths()) * 100)
        .checked_div(i128::from(price.hundredths()))
        .unwrap_or(0);
    let shown = SalePrice {
        price,
        discount_price,
        // The discount is at most the price, so this cannot overflow.
        sale_price: price
            .minus(discount_price)
            .map_err(|_| DiscountError::Negative)?,
        discount_rate: u8::try_from(rate).unwrap_or(100),
    };
    Ok((shown, taken))
}

/// The sale price of a product to the hundredth, without options: the key by which lists are sorted and filtered.
///
/// The displayed price is this rounded down to the shop's step (a discount rounds up, and prices and limits are whole steps), so
/// the order is the same, and [`RoundingStep`] is needed only for display.
///
/// # Errors
/// [`DiscountError`].
pub fn sale_price_of(product: &Product) -> Result<SalePrice, DiscountError> {
    sale_price(
        product.price,
        product.discount.as_ref(),
        RoundingStep::HUNDREDTH,
    )
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const CENT: RoundingStep = RoundingStep::HUNDREDTH;
    const WON: RoundingStep = RoundingStep::WON;

    const fn percent(value: i64, limit: Option<Amount>) -> Discount {
        Discount {
            unit: ValueUnit::Percent,
            value,
            limit,
        }
    }

    const fn amount(value: i64, limit: Option<Amount>) -> Discount {
        Discount {
            unit: ValueUnit::Amount,
            value,
            limit,
        }
    }

    #[test]
    fn is_rounded_up_and_capped() {
        let limit = Some(Amount::new(1000));
        let rows = [
            ("O1", percent(10, None), 12345, 1235),
            ("O2", percent(15, limit), 9990, 1000),
            ("P8", amount(20000, None), 10000, 10000),
            ("amount under its limit", amount(900, limit), 5000, 900),
            ("amount over its limit", amount(1500, limit), 5000, 1000),
            ("limit over the amount", amount(1500, limit), 300, 300),
            ("nothing", percent(0, None), 9999, 0),
            ("everything", percent(100, None), 9999, 9999),
            ("of nothing", percent(50, None), 0, 0),
            (
                "a limit of nothing",
                percent(50, Some(Amount::ZERO)),
                9999,
                0,
            ),
            ("the largest", percent(100, None), i64::MAX, i64::MAX),
        ];
        for (name, discount, from, expected) in rows {
            assert_eq!(
                discount_amount(&discount, Amount::new(from), CENT),
                Ok(Amount::new(expected)),
                "{name}"
            );
        }
    }

    /// A shop in won: list price, discount, sale price, and the sort key (to the hundredth).
    #[test]
    fn a_shop_in_won_takes_off_whole_won() {
        let rows = [
            ("₩12,345 less 15%", 1_234_500, percent(15, None), 1_049_300),
            ("₩9,990 less 7%", 999_000, percent(7, None), 929_000),
            ("₩33,333 less 33%", 3_333_300, percent(33, None), 2_233_300),
            (
                "up to ₩1,000",
                1_234_500,
                percent(15, Some(Amount::new(100_000))),
                1_134_500,
            ),
            ("₩500 off", 1_234_500, amount(50_000, None), 1_184_500),
            ("₩1 less 1%", 100, percent(1, None), 0),
            ("everything", 1_234_500, percent(100, None), 0),
        ];
        for (name, price, discount, expected) in rows {
            let price = Amount::new(price);
            let sale =
                |step| sale_price(price, Some(&discount), step).map(|shown| shown.sale_price);
            assert_eq!(sale(WON), Ok(Amount::new(expected)), "{name}");
            assert_eq!(
                sale(WON),
                sale(CENT).map(|exact| WON.down(exact)),
                "{name}, sorted"
            );
        }
    }

    /// The console computes the same price during editing and tests it with the same table (`web/src/console/looks/sale.test.ts`).
    #[test]
    fn a_price_is_the_same_here_and_in_the_console() {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Row {
            name: String,
            price: Amount,
            discount: Discount,
            step: RoundingStep,
            sale_price: Amount,
            discount_rate: u8,
        }
        let rows: Vec<Row> =
            serde_json::from_str(include_str!("../../tests/pricing/sale-prices.json")).unwrap();
        for row in rows {
            let shown = sale_price(row.price, Some(&row.discount), row.step).unwrap();
            assert_eq!(
                (shown.sale_price, shown.discount_rate),
                (row.sale_price, row.discount_rate),
                "{}",
                row.name
            );
        }
    }

    #[test]
    fn nonsense_is_refused_not_clamped() {
        let off = |discount| discount_amount(&discount, Amount::new(100), CENT);
        assert_eq!(off(percent(101, None)), Err(DiscountError::Invalid));
        assert_eq!(off(percent(-1, None)), Err(DiscountError::Invalid));
        assert_eq!(off(percent(356, None)), Err(DiscountError::Invalid));
        assert_eq!(off(amount(-1, None)), Err(DiscountError::Invalid));
        assert_eq!(
            off(amount(1, Some(Amount::new(-1)))),
            Err(DiscountError::Invalid)
        );
        assert_eq!(
            discount_amount(&percent(1, None), Amount::new(-1), CENT),
            Err(DiscountError::Negative)
        );
    }

    /// P23 with our rounding: the discount is rounded up, so the price is rounded down.
    #[test]
    fn p23_sale_prices() {
        for (price, sale) in [(2000, 1700), (2025, 1721), (1050, 892), (994, 844)] {
            let shown = sale_price(Amount::new(price), Some(&percent(15, None)), CENT);
            assert_eq!(
                shown.map(|shown| shown.sale_price),
                Ok(Amount::new(sale)),
                "{price}"
            );
        }
    }

    #[test]
    fn the_rate_shown_never_promises_too_much() {
        let rate = |price, discount| {
            sale_price(Amount::new(price), Some(&discount), CENT).map(|shown| shown.discount_rate)
        };
        assert_eq!(rate(1000, percent(15, None)), Ok(15));
        assert_eq!(rate(1000, amount(159, None)), Ok(15));
        assert_eq!(rate(1000, amount(5000, None)), Ok(100));
        assert_eq!(rate(0, amount(5000, None)), Ok(0));
        assert_eq!(rate(i64::MAX, percent(100, None)), Ok(100));
    }
}
