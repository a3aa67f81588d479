//! Points for confirmed purchases, by the membership level the order was placed with.

use time::OffsetDateTime;

use crate::Amount;
use crate::ids::OrderId;
use crate::money::MoneyError;
use crate::order::{Buyer, Order, OrderEvent, OrderTerms, RuleVersion, lot_earned_by};
use crate::points::PointsCommand;
use crate::record::Resource;
use crate::rounding::RoundingStep;
use crate::site::{Level, PointsRules};

/// How many points a membership level earns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsRate {
    /// Whole percent of the amount paid; 0 without a level.
    pub percent: u8,
    /// Points are multiples of it.
    pub step: RoundingStep,
}

impl PointsRate {
    /// The points for purchases, of which these amounts were paid: rounded down for each, so that they never exceed the percentage.
    ///
    /// # Errors
    /// Negative amounts; the sum overflows.
    pub fn points(self, paid: &[Amount]) -> Result<Amount, MoneyError> {
        let each = paid
            .iter()
            .map(|paid| self.step.percent_down(*paid, self.percent));
        Amount::total(each.collect::<Result<Vec<_>, _>>()?)
    }
}

/// The membership level an order was placed with, at the version it had then: what the level earned that day was promised to the
/// buyer, whatever became of it since.
pub fn level_of(terms: &OrderTerms) -> Option<&RuleVersion> {
    terms.rules.iter().find(|rule| rule.kind == Level::KIND)
}

/// Number of the purchase that an event confirms.
pub fn confirmed_purchase(event: &OrderEvent) -> Option<&str> {
    match event {
        OrderEvent::PurchaseCompleted { purchase_no, .. } => Some(purchase_no),
        _ => None,
    }
}

/// The grant for a purchase confirmed at this time; none for guests, and where nothing is earned.
///
/// # Errors
/// As [`PointsRate::points`].
pub fn grant(
    (id, order): (OrderId, &Order),
    purchase_no: &str,
    rate: PointsRate,
    (rules, confirmed_at): (PointsRules, OffsetDateTime),
) -> Result<Option<PointsCommand>, MoneyError> {
    // of what was paid for it then, whatever was returned since
    let (Some(Buyer::Member { id: member }), Some(confirmed)) =
        (order.buyer(), order.confirmation(purchase_no))
    else {
        return Ok(None);
    };
    let amount = rate.points(&[confirmed.paid])?;
    Ok((amount > Amount::ZERO).then(|| PointsCommand::Grant {
        member: *member,
        lot: lot_earned_by(purchase_no),
        amount,
        reason: "구매확정 적립".to_owned(),
        order: Some(id),
        grant: None,
        expires_at: rules.expiry(confirmed_at),
    }))
}

#[cfg(test)]
#[expect(clippy::panic, clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::order::ConfirmedBy;

    fn rules() -> PointsRules {
        PointsRules {
            life_days: 30,
            ..PointsRules::default()
        }
    }

    #[test]
    fn points_are_rounded_down_for_each_purchase() {
        let rate = PointsRate {
            percent: 3,
            step: RoundingStep::try_from(100).unwrap(),
        };
        let paid = [Amount::new(9_900), Amount::new(9_900)];
        // 297 each, 200 in whole steps; of the sum it would be 500
        assert_eq!(rate.points(&paid), Ok(Amount::new(400)));
        let nothing = PointsRate { percent: 0, ..rate };
        assert_eq!(nothing.points(&paid), Ok(Amount::ZERO));
    }

    #[test]
    fn only_a_confirmation_leads_to_points() {
        let confirmed = OrderEvent::PurchaseCompleted {
            purchase_no: "1-1".to_owned(),
            by: ConfirmedBy::Buyer,
        };
        assert_eq!(confirmed_purchase(&confirmed), Some("1-1"));
        assert_eq!(confirmed_purchase(&OrderEvent::GuestRecordsErased {}), None);
    }

    #[test]
    fn the_buyer_is_granted_points_of_what_was_paid_for_the_purchase() {
        let placed = include_str!("../../samples/OrderPlaced.2.0.json");
        let mut order = Order::default();
        order.evolve(serde_json::from_str(placed).unwrap());
        let line = order.terms().unwrap().purchases.first().unwrap().clone();
        let purchase_no = line.purchase_no.clone();
        let by = ConfirmedBy::Buyer;
        order.evolve(OrderEvent::PurchaseCompleted { purchase_no, by });
        let id = OrderId(uuid::Uuid::nil());
        let earned = |percent, purchase_no: &str| {
            let step = RoundingStep::default();
            let rate = PointsRate { percent, step };
            let at = OffsetDateTime::UNIX_EPOCH;
            grant((id, &order), purchase_no, rate, (rules(), at)).unwrap()
        };
        let Some(PointsCommand::Grant { member, amount, .. }) = earned(1, &line.purchase_no) else {
            panic!("nothing is granted");
        };
        assert_eq!(order.buyer(), Some(&Buyer::Member { id: member }));
        assert_eq!(amount.hundredths(), line.paid.hundredths() / 100);
        assert_eq!(earned(0, &line.purchase_no), None);
        assert_eq!(earned(1, "another"), None);
    }
}
