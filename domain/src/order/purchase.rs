//! One purchase of an order: its state, and what each status allows.

use serde::{Deserialize, Serialize};
use time::Date;

use super::earned_points::Confirmation;
use super::error::OrderError;
use super::status::{ClaimStatus, CollectionStatus, OrderStatus, PurchaseStatus};
use super::terms::{Goods, PurchaseTerms};
use crate::business_day;
use crate::ids::{MemberId, PaymentId};
use crate::money::Amount;

/// State of one purchase: the four status axes (spec section 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// Number of the purchase.
    pub purchase_no: String,
    /// The seller.
    pub seller: MemberId,
    /// Order status.
    pub order_status: OrderStatus,
    /// Claim status.
    pub claim_status: ClaimStatus,
    /// Whether it is final.
    pub purchase_status: PurchaseStatus,
    /// Collection status of returned goods.
    pub collection_status: CollectionStatus,
    /// The parcel, once shipped.
    pub invoice: Option<Invoice>,
    /// Reason of the delay.
    pub delay_reason: Option<String>,
    /// The Seoul day on which it is confirmed automatically, once delivered.
    #[serde(with = "business_day::day_text::option")]
    pub confirm_on: Option<Date>,
    /// The Seoul day on which it counts as delivered if its delivery is not reported, once shipped; none where it was not recorded.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "business_day::day_text::option"
    )]
    pub deliver_by: Option<Date>,
    /// The purchase it was split off; none for a purchase as placed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_from: Option<String>,
    /// The seller's part of its coupons after a split, hundredths; none: as computed from the terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub borne_by_seller: Option<Amount>,
    /// The goods as ordered, once an exchange replaced them; the terms have the current ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordered: Option<Box<Goods>>,
    /// Price of its goods less that of the goods as ordered, per piece, hundredths: the frozen differences of its exchanges.
    #[serde(default, skip_serializing_if = "super::difference::is_none")]
    pub difference: Amount,
    /// The payments that paid differences of its exchanges, or of the purchase it was split off, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_payments: Vec<PaymentId>,
    /// Its first confirmation; kept while a claim that staff opened after it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<Confirmation>,
}

/// A parcel handed to a courier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    /// Courier code, e.g. `kr.cjlogistics`.
    pub courier: String,
    /// Invoice (tracking) number, digits.
    pub invoice_no: String,
}

/// Ways of sending without a tracking number, in the place of a courier: the seller's own car, a quick service, and pick-up by the buyer.
pub const WITHOUT_NUMBER: [&str; 3] = ["own.delivery", "own.quick", "own.pickup"];

impl Invoice {
    /// The invoice with its number in digits; spaces and hyphens are dropped. Own delivery and pick-up have no number.
    ///
    /// # Errors
    /// [`OrderError::InvoiceMalformed`].
    pub fn checked(self) -> Result<Self, OrderError> {
        let invoice_no: String = self
            .invoice_no
            .chars()
            .filter(|letter| !matches!(letter, ' ' | '-'))
            .collect();
        let digits = (8..=20).contains(&invoice_no.len())
            && invoice_no.chars().all(|letter| letter.is_ascii_digit());
        if WITHOUT_NUMBER.contains(&self.courier.as_str()) {
            return match invoice_no.is_empty() {
                true => Ok(Self { invoice_no, ..self }),
                false => Err(OrderError::InvoiceMalformed),
            };
        }
        if self.courier.trim().is_empty() || !digits {
            return Err(OrderError::InvoiceMalformed);
        }
        Ok(Self { invoice_no, ..self })
    }
}

impl Purchase {
    pub(super) fn placed(terms: &PurchaseTerms) -> Self {
        Self {
            purchase_no: terms.purchase_no.clone(),
            seller: terms.seller,
            order_status: OrderStatus::Nonpayment,
            claim_status: ClaimStatus::None,
            purchase_status: PurchaseStatus::Pending,
            collection_status: CollectionStatus::None,
            invoice: None,
            delay_reason: None,
            confirm_on: None,
            deliver_by: None,
            split_from: None,
            borne_by_seller: None,
            ordered: None,
            difference: Amount::ZERO,
            other_payments: Vec::new(),
            confirmed: None,
        }
    }

    /// The displayed status (spec V106-V109). An unpaid purchase awaits its payment, or the deposit while the order's virtual
    /// account is open.
    pub fn status_text(&self, awaits_deposit: bool) -> String {
        if self.order_status == OrderStatus::Nonpayment && awaits_deposit {
            return super::DEPOSIT_AWAITED.to_owned();
        }
        super::status_text(self.order_status, self.claim_status, self.purchase_status)
    }

    pub(super) fn has_no_open_claim(&self) -> bool {
        self.claim_status.is_closed()
    }

    /// Whether it was handed to a courier. A delay may be reported before or after that, so `SHIPPING_DELAYED` alone does not determine it.
    pub(super) fn is_sent(&self) -> bool {
        self.invoice.is_some()
    }

    pub(super) fn may_be_prepared(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Payment])
    }

    pub(super) fn may_be_shipped(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Confirm, OrderStatus::Delayed])
    }

    pub(super) fn may_correct_invoice(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Shipping])
    }

    pub(super) fn may_be_delayed(&self) -> Result<(), OrderError> {
        self.is_at(&[
            OrderStatus::Confirm,
            OrderStatus::Shipping,
            OrderStatus::Delayed,
        ])
    }

    pub(super) fn may_be_delivered(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[OrderStatus::Shipping, OrderStatus::Delayed],
            false => &[],
        })
    }

    pub(super) fn may_be_confirmed(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Delivered])
    }

    pub(super) fn may_be_canceled(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[],
            false => &[
                OrderStatus::Payment,
                OrderStatus::Confirm,
                OrderStatus::Delayed,
            ],
        })
    }

    /// Checks that the buyer may request a return: the goods are sent, and no claim on them is open.
    ///
    /// # Errors
    /// [`OrderError`]: which of these fails.
    pub fn may_be_returned(&self) -> Result<(), OrderError> {
        self.is_at(match self.is_sent() {
            true => &[
                OrderStatus::Shipping,
                OrderStatus::Delayed,
                OrderStatus::Delivered,
            ],
            false => &[],
        })
    }

    pub(super) fn may_be_exchanged(&self) -> Result<(), OrderError> {
        self.is_at(&[OrderStatus::Delivered])
    }

    /// Checks that the purchase is not final, has no open claim and has one of these statuses.
    fn is_at(&self, statuses: &[OrderStatus]) -> Result<(), OrderError> {
        if !self.has_no_open_claim() {
            return Err(OrderError::ClaimOpen(self.purchase_no.clone()));
        }
        match self.purchase_status {
            PurchaseStatus::Pending => Err(OrderError::NotPaid),
            PurchaseStatus::Complete | PurchaseStatus::Canceled => {
                Err(OrderError::Final(self.purchase_no.clone()))
            }
            PurchaseStatus::Awaiting | PurchaseStatus::Schedule
                if statuses.contains(&self.order_status) =>
            {
                Ok(())
            }
            PurchaseStatus::Awaiting | PurchaseStatus::Schedule => Err(OrderError::WrongStatus {
                purchase_no: self.purchase_no.clone(),
                at: self.order_status,
            }),
        }
    }
}
