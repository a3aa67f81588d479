//! One purchase with its codes of the specification.

use domain::ids::OptionId;
use domain::order::{Goods, PurchasePart, RefundTerms};

/// Statuses and quantity of a purchase.
#[derive(Clone)]
pub(super) struct Line {
    pub no: String,
    /// Index of the line as placed that it is, or was split off.
    pub placed: usize,
    pub split_from: Option<String>,
    pub quantity: i64,
    /// Hundredths.
    pub paid: i64,
    /// Price of all pieces, hundredths.
    pub price: i64,
    pub order: &'static str,
    pub claim: &'static str,
    pub purchase: &'static str,
    pub collection: &'static str,
    pub courier: Option<String>,
    pub invoice_no: Option<String>,
    pub confirm_on: Option<String>,
    /// It was confirmed before, and is again when a claim on it ends.
    pub is_final: bool,
    /// The replacement for the goods as ordered: the option and its value.
    pub goods: Option<(Option<OptionId>, Option<String>)>,
}

/// The replacement of an exchange.
pub(super) struct Instead {
    pub goods: Goods,
    /// Hundredths; owed if the buyer is at fault.
    pub fee: i64,
    /// It costs more than the goods.
    pub dearer: bool,
    pub paid: bool,
    /// The difference the buyer paid, hundredths.
    pub price: i64,
    pub sent: bool,
}

pub(super) fn day(day: time::Date) -> String {
    format!(
        "{:04}-{:02}-{:02}",
        day.year(),
        u8::from(day.month()),
        day.day()
    )
}

impl Line {
    /// Splits some of its pieces off.
    pub fn split(&mut self, no: &str, part: &PurchasePart) -> Self {
        let amounts = [
            part.product_discount,
            part.level_discount,
            part.product_coupon,
            part.total_coupon,
            part.points,
            part.paid,
        ];
        let new = Self {
            no: no.to_owned(),
            split_from: Some(self.no.clone()),
            quantity: i64::from(part.quantity),
            paid: part.paid.hundredths(),
            price: amounts.iter().map(|amount| amount.hundredths()).sum(),
            ..self.clone()
        };
        self.quantity -= new.quantity;
        self.paid -= new.paid;
        self.price -= new.price;
        new
    }

    /// The buyer paid for an exchange for a dearer option.
    pub fn costs_more(&mut self, price: i64) {
        self.paid += price;
        self.price += price;
    }

    /// An exchange for a cheaper option gave a part of the price back.
    pub fn costs_less(&mut self, back: &RefundTerms) {
        let reclaimed = back.reclaimed.map_or(0, |off| off.money.hundredths());
        let money = back.money.hundredths() + reclaimed;
        let points = back.points.iter().map(|part| part.amount.hundredths());
        self.paid -= money;
        self.price -= money + points.sum::<i64>();
    }

    /// A claim on delivered goods stops their automatic confirmation, or revokes the confirmation.
    pub fn stops(&mut self) {
        self.confirm_on = None;
        if self.order == "DELIVERY_COMPLETE" {
            self.purchase = "PURCHASE_AWAITING";
        }
    }

    /// Resumes automatic confirmation on a day, if they were delivered.
    pub fn goes_on(&mut self, confirm_on: Option<time::Date>) {
        if self.is_final {
            self.purchase = "PURCHASE_COMPLETE";
        } else if let Some(on) = confirm_on {
            self.confirm_on = Some(day(on));
            self.purchase = "PURCHASE_SCHEDULE";
        }
    }

    fn is_complete(&self) -> bool {
        self.purchase == "PURCHASE_COMPLETE"
    }

    fn is_refused(&self) -> bool {
        self.claim.ends_with("_REJECTED")
    }

    fn group(&self) -> Option<&'static str> {
        ["CANCEL", "EXCHANGE", "RETURN"]
            .into_iter()
            .zip(["cancel", "exchange", "return"])
            .find(|(word, _)| self.claim.starts_with(word))
            .map(|(_, group)| group)
    }

    pub fn tab(&self) -> &'static str {
        match (self.is_complete(), self.is_refused(), self.group()) {
            (true, ..) => "complete",
            (false, false, Some(group)) => group,
            _ => match self.order {
                "ORDER_NONPAYMENT" => "nonpayment",
                "ORDER_PAYMENT" => "payment",
                "ORDER_CANCELED" => "cancel",
                _ => "delivery",
            },
        }
    }

    pub fn list(&self) -> Option<&'static str> {
        if self.group().is_some() && !self.is_refused() && !self.is_complete() {
            return None;
        }
        Some(match self.order {
            "SHIPPING_CONFIRM" | "SHIPPING_DELAYED" => "shipped",
            "DELIVERY_COMPLETE" => "delivered",
            "ORDER_CANCELED" => "canceled",
            _ => "processing",
        })
    }

    pub fn claim_group(&self) -> Option<&'static str> {
        if self.is_complete() {
            return None;
        }
        let unpaid = (self.order == "ORDER_CANCELED").then_some("cancel");
        self.group().or(unpaid)
    }
}
