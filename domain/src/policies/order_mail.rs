//! Mail to buyers: which events of an order and its payments lead to mail, and with which facts. Guests get the same mail as members, and
//! mail about each step for which members have an alarm.

use std::collections::BTreeMap;

use crate::business_day;
use crate::ids::OrderId;
use crate::message::Template;
use crate::order::{Buyer, Order, OrderEvent, OrderTerms};
use crate::payment::{PaymentEvent, VirtualAccount};
use crate::policies::notifications::{FEE_REQUESTED, OrderNews};
use crate::user_payment::{UserPaymentEvent, UserPaymentPurpose};

/// A mail to the buyer of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderMail {
    /// The template.
    pub template: Template,
    /// What it inserts.
    pub variables: BTreeMap<String, String>,
}

/// Whether an event of an order may lead to a mail.
pub fn is_told(event: &OrderEvent) -> bool {
    OrderNews::of(event).is_some()
}

/// The mail about an event of an order; none for most events. `account` is the one that waits for the deposit, `courier` the name of the
/// courier and the address where its parcel is followed.
pub fn of_order(
    event: &OrderEvent,
    (id, order): (&str, &Order),
    account: Option<&VirtualAccount>,
    courier: (Option<String>, Option<String>),
) -> Option<OrderMail> {
    let terms = order.terms().ok()?;
    let mut mail = OrderMail::about(terms, id);
    match event {
        OrderEvent::OrderPaid { amount, .. } => {
            mail.set("items", items(terms));
            mail.set("amount", amount.to_string());
        }
        OrderEvent::DepositAwaited { until, .. } => {
            // Once the deposit is not awaited any more, its payment or cancellation has a mail of its own.
            let account = account?;
            mail.template = Template::DepositAwaited;
            mail.set("items", items(terms));
            mail.set("amount", terms.totals.payable.to_string());
            mail.set(
                "account",
                format!("{} {}", account.bank_name, account.number),
            );
            let until = until.to_offset(business_day::OFFSET);
            mail.set(
                "due",
                format!(
                    "{}년 {}월 {}일 {:02}:{:02}",
                    until.year(),
                    u8::from(until.month()),
                    until.day(),
                    until.hour(),
                    until.minute()
                ),
            );
        }
        OrderEvent::PurchaseShipped {
            purchase_no,
            invoice_no,
            ..
        } => {
            let (name, tracking) = courier;
            let bought = order.purchase_terms(purchase_no);
            mail.template = Template::PurchaseShipped;
            mail.set(
                "items",
                bought.map(|bought| bought.name.clone()).unwrap_or_default(),
            );
            mail.set("courier", name.unwrap_or_default());
            mail.set("invoice", invoice_no.clone());
            mail.set("tracking", tracking.unwrap_or_default());
        }
        _ => return mail.updating(terms, OrderNews::of(event)?.title, bought_in(event, order)),
    }
    Some(mail)
}

/// Name of the goods of the purchase that an event is about; none if it is about the order.
fn bought_in<'a>(event: &OrderEvent, order: &'a Order) -> Option<&'a str> {
    let purchase_no = OrderNews::of(event)?.purchase_no?;
    Some(&order.purchase_terms(purchase_no)?.name)
}

/// The order of a user payment that is requested.
pub const fn requested_of(event: &UserPaymentEvent) -> Option<OrderId> {
    match event {
        UserPaymentEvent::UserPaymentRequested { purpose, .. } => match purpose {
            UserPaymentPurpose::ExchangeFee { order, .. } => Some(*order),
        },
        _ => None,
    }
}

/// The mail to a guest about a user payment that is requested for this order.
pub fn of_user_payment((id, order): (&str, &Order)) -> Option<OrderMail> {
    let terms = order.terms().ok()?;
    OrderMail::about(terms, id).updating(terms, FEE_REQUESTED, None)
}

/// The mail about an event of a payment of an order: a refund that was made.
pub fn of_payment(event: &PaymentEvent, (id, order): (&str, &Order)) -> Option<OrderMail> {
    let amount = match event {
        PaymentEvent::RefundCompleted { amount, .. } => amount,
        _ => return None,
    };
    let mut mail = OrderMail::about(order.terms().ok()?, id);
    mail.template = Template::RefundCompleted;
    mail.set("refund", amount.to_string());
    Some(mail)
}

/// The first of the goods, and how many others there are.
fn items(terms: &OrderTerms) -> String {
    let first = terms.purchases.first().map(|first| first.name.as_str());
    match terms.purchases.len() {
        0 | 1 => first.unwrap_or_default().to_owned(),
        many => format!(
            "{} 외 {}건",
            first.unwrap_or_default(),
            many.saturating_sub(1)
        ),
    }
}

impl OrderMail {
    /// A mail with what every one of an order says.
    fn about(terms: &OrderTerms, id: &str) -> Self {
        let mut mail = Self {
            template: Template::OrderPlaced,
            variables: BTreeMap::new(),
        };
        mail.set("orderNo", terms.order_no.clone());
        match terms.buyer {
            Buyer::Member { .. } => {
                mail.set("path", format!("/mypage/orders-detail?order={id}"));
            }
            Buyer::Guest { .. } => mail.set("guest", "1".to_owned()),
        }
        mail
    }

    /// The same about a step of a guest's order; none for members, who get an alarm. `goods` names those of the purchase it is about.
    fn updating(mut self, terms: &OrderTerms, status: &str, goods: Option<&str>) -> Option<Self> {
        if !matches!(terms.buyer, Buyer::Guest { .. }) {
            return None;
        }
        self.template = Template::OrderUpdated;
        self.set("status", status.to_owned());
        self.set("items", goods.map_or_else(|| items(terms), str::to_owned));
        Some(self)
    }

    fn set(&mut self, name: &str, value: String) {
        self.variables.insert(name.to_owned(), value);
    }
}
