//! Which points can be used on an order, by the shop's rules, and in words why not more.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::money::{Amount, MoneyError};
use crate::rounding::RoundingStep;
use crate::site::PointsRules;

/// A rule that points of an order have to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointsLimit {
    /// The order has to cost so much.
    LeastOrder,
    /// So many have to be used at least.
    Least,
    /// They are used in multiples of this.
    Unit,
    /// They pay at most this share of the order.
    Share,
}

impl PointsLimit {
    /// Stable code for the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::LeastOrder => "least_order",
            Self::Least => "least",
            Self::Unit => "unit",
            Self::Share => "share",
        }
    }
}

/// A rule in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PointsCondition {
    /// Which rule.
    pub code: PointsLimit,
    /// As the member reads it.
    pub message: String,
}

impl PointsRules {
    /// The rules that restrict anything, in words.
    pub fn conditions(&self) -> Vec<PointsCondition> {
        let all = [
            PointsLimit::LeastOrder,
            PointsLimit::Least,
            PointsLimit::Unit,
            PointsLimit::Share,
        ];
        let restricts = |limit: &PointsLimit| match limit {
            PointsLimit::LeastOrder => !self.least_order.is_zero(),
            PointsLimit::Least => !self.least.is_zero(),
            PointsLimit::Unit => !self.unit.is_zero(),
            PointsLimit::Share => self.share < 100,
        };
        let condition = |limit| PointsCondition {
            code: limit,
            message: self.say(limit),
        };
        all.into_iter().filter(restricts).map(condition).collect()
    }

    /// A rule as the member reads it.
    pub fn say(&self, limit: PointsLimit) -> String {
        match limit {
            PointsLimit::LeastOrder => {
                format!("{} 이상 주문할 때 사용할 수 있습니다.", self.least_order)
            }
            PointsLimit::Least => format!("{}부터 사용할 수 있습니다.", self.least),
            PointsLimit::Unit => format!("{} 단위로 사용할 수 있습니다.", self.unit),
            PointsLimit::Share => {
                format!("결제 금액의 {}%까지 사용할 수 있습니다.", self.share)
            }
        }
    }

    /// The rounding step of points: the unit, where there is one.
    fn step(&self, step: RoundingStep) -> RoundingStep {
        RoundingStep::try_from(self.unit.hundredths()).unwrap_or(step)
    }

    /// The most that can be used of `available` on an order that costs `payable` without them; the rules that keep it from being
    /// more.
    ///
    /// # Errors
    /// A negative amount.
    pub fn usable(
        &self,
        available: Amount,
        payable: Amount,
        step: RoundingStep,
    ) -> Result<(Amount, Vec<PointsLimit>), MoneyError> {
        let wanted = step.down(available.min(payable));
        if payable < self.least_order {
            return Ok((Amount::ZERO, vec![PointsLimit::LeastOrder]));
        }
        let mut limits = Vec::new();
        let share = step.percent_down(payable, self.share)?;
        if share < wanted {
            limits.push(PointsLimit::Share);
        }
        let most = wanted.min(share);
        let usable = self.step(step).down(most);
        if usable < most {
            limits.push(PointsLimit::Unit);
        }
        if usable < self.least && !wanted.is_zero() {
            limits.push(PointsLimit::Least);
            return Ok((Amount::ZERO, limits));
        }
        Ok((usable, limits))
    }

    /// The rule that points of an order break that costs `payable` without them.
    ///
    /// # Errors
    /// A negative amount.
    pub fn broken(
        &self,
        points: Amount,
        payable: Amount,
        step: RoundingStep,
    ) -> Result<Option<PointsLimit>, MoneyError> {
        if points.is_zero() {
            return Ok(None);
        }
        let broken = [
            (payable < self.least_order, PointsLimit::LeastOrder),
            (points < self.least, PointsLimit::Least),
            (!self.step(step).divides(points), PointsLimit::Unit),
            (
                points > step.percent_down(payable, self.share)?,
                PointsLimit::Share,
            ),
        ];
        Ok(broken
            .into_iter()
            .find(|(broken, _)| *broken)
            .map(|(_, limit)| limit))
    }
}
