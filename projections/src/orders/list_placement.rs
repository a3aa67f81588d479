//! Which list, claim group and console tab a purchase belongs to.
//!
//! My orders (spec V100-V105): a purchase with a claim, also a rejected one, is in the group of that claim until it is confirmed, and so is
//! one that was canceled unpaid; all others are in the list of their order status. So each purchase, and with it the part of its order that
//! the list shows, is in exactly one (reading 11).
//! Console: every purchase is in exactly one tab, so the counts of the tabs add up to the total.

use domain::order::{ClaimStatus, OrderStatus, Purchase, PurchaseStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The filters of my orders (spec V100-V105).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrderFilter {
    /// All without a claim (V100).
    #[default]
    All,
    /// Unpaid, paid, preparing (V101).
    Processing,
    /// Shipped, delayed (V102).
    Shipped,
    /// Delivered (V103).
    Delivered,
    /// Cancellation claims, and purchases canceled before payment (V104).
    Cancel,
    /// Exchange claims (V104).
    Exchange,
    /// Return claims (V104).
    Return,
}

/// Progress of the claims of a group: the sub-filters of V104.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClaimStep {
    /// Requested.
    Requested,
    /// Approved and under way; only exchanges are.
    Processing,
    /// Completed, or canceled before payment.
    Completed,
    /// Rejected.
    Rejected,
}

/// A slice of my orders: a list, or a claim group at one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderSlice {
    /// The list or group.
    pub filter: OrderFilter,
    /// The step of the claims.
    pub step: Option<ClaimStep>,
}

/// The lists for purchases without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderList {
    /// Unpaid, paid, preparing.
    Processing,
    /// Shipped, delayed.
    Shipped,
    /// Delivered or confirmed.
    Delivered,
    /// Canceled before payment.
    Canceled,
}

/// The three kinds of claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimGroup {
    /// Cancel.
    Cancel,
    /// Exchange.
    Exchange,
    /// Return.
    Return,
}

/// The tabs of the console's purchases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PurchaseTab {
    /// All of them.
    #[default]
    All,
    /// Not paid.
    Nonpayment,
    /// Paid, not yet being prepared.
    Payment,
    /// Being prepared, shipped, delayed or delivered.
    Delivery,
    /// A cancellation claim that was not rejected, or canceled before payment.
    Cancel,
    /// An exchange claim that was not rejected.
    Exchange,
    /// A return claim that was not rejected.
    Return,
    /// Confirmed.
    Complete,
}

impl PurchaseTab {
    /// The tabs that partition the purchases.
    pub const EACH: [Self; 7] = [
        Self::Nonpayment,
        Self::Payment,
        Self::Delivery,
        Self::Cancel,
        Self::Exchange,
        Self::Return,
        Self::Complete,
    ];

    /// Value of the column `tab`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Nonpayment => "nonpayment",
            Self::Payment => "payment",
            Self::Delivery => "delivery",
            Self::Cancel => "cancel",
            Self::Exchange => "exchange",
            Self::Return => "return",
            Self::Complete => "complete",
        }
    }
}

fn group(claim: ClaimStatus) -> Option<ClaimGroup> {
    match claim {
        ClaimStatus::None => None,
        ClaimStatus::CancelRequested
        | ClaimStatus::CancelCompleted
        | ClaimStatus::CancelRejected => Some(ClaimGroup::Cancel),
        ClaimStatus::ExchangeRequested
        | ClaimStatus::ExchangeCompleted
        | ClaimStatus::ExchangeRejected
        | ClaimStatus::ExchangePending
        | ClaimStatus::ExchangeDelayed
        | ClaimStatus::ExchangeShipping => Some(ClaimGroup::Exchange),
        ClaimStatus::ReturnRequested
        | ClaimStatus::ReturnCompleted
        | ClaimStatus::ReturnRejected => Some(ClaimGroup::Return),
    }
}

/// The list of its order status, unless it has a claim that was not rejected.
pub fn list(purchase: &Purchase) -> Option<OrderList> {
    let claimed = purchase.claim_status != ClaimStatus::None
        && !purchase.claim_status.is_rejected()
        && purchase.purchase_status != PurchaseStatus::Complete;
    if claimed {
        return None;
    }
    Some(match purchase.order_status {
        OrderStatus::Nonpayment | OrderStatus::Payment | OrderStatus::Confirm => {
            OrderList::Processing
        }
        OrderStatus::Shipping | OrderStatus::Delayed => OrderList::Shipped,
        OrderStatus::Delivered => OrderList::Delivered,
        OrderStatus::Canceled => OrderList::Canceled,
    })
}

/// The claim group of a purchase, if any (spec V104; V105: not once it is confirmed).
pub fn claim_group(purchase: &Purchase) -> Option<ClaimGroup> {
    if purchase.purchase_status == PurchaseStatus::Complete {
        return None;
    }
    group(purchase.claim_status)
        .or_else(|| (purchase.order_status == OrderStatus::Canceled).then_some(ClaimGroup::Cancel))
}

/// Whether it is in this list, and in no claim group.
fn stands_in(purchase: &Purchase, wanted: OrderList) -> bool {
    claim_group(purchase).is_none() && list(purchase) == Some(wanted)
}

/// The console tab of a purchase.
pub fn tab(purchase: &Purchase) -> PurchaseTab {
    if purchase.purchase_status == PurchaseStatus::Complete {
        return PurchaseTab::Complete;
    }
    if !purchase.claim_status.is_rejected() {
        match group(purchase.claim_status) {
            Some(ClaimGroup::Cancel) => return PurchaseTab::Cancel,
            Some(ClaimGroup::Exchange) => return PurchaseTab::Exchange,
            Some(ClaimGroup::Return) => return PurchaseTab::Return,
            None => {}
        }
    }
    match purchase.order_status {
        OrderStatus::Nonpayment => PurchaseTab::Nonpayment,
        OrderStatus::Canceled => PurchaseTab::Cancel,
        OrderStatus::Payment => PurchaseTab::Payment,
        OrderStatus::Confirm
        | OrderStatus::Shipping
        | OrderStatus::Delayed
        | OrderStatus::Delivered => PurchaseTab::Delivery,
    }
}

impl ClaimStep {
    /// The claim statuses of this step. None at all: a purchase in the cancellation group without a claim was canceled unpaid.
    const fn statuses(self) -> &'static [ClaimStatus] {
        match self {
            Self::Requested => &[
                ClaimStatus::CancelRequested,
                ClaimStatus::ExchangeRequested,
                ClaimStatus::ReturnRequested,
            ],
            Self::Processing => &[
                ClaimStatus::ExchangePending,
                ClaimStatus::ExchangeDelayed,
                ClaimStatus::ExchangeShipping,
            ],
            Self::Completed => &[
                ClaimStatus::None,
                ClaimStatus::CancelCompleted,
                ClaimStatus::ExchangeCompleted,
                ClaimStatus::ReturnCompleted,
            ],
            Self::Rejected => &[
                ClaimStatus::CancelRejected,
                ClaimStatus::ExchangeRejected,
                ClaimStatus::ReturnRejected,
            ],
        }
    }
}

impl OrderSlice {
    /// Whether it contains a purchase.
    pub fn holds(self, purchase: &Purchase) -> bool {
        self.filter.holds(purchase)
            && self
                .step
                .is_none_or(|step| step.statuses().contains(&purchase.claim_status))
    }

    /// The same as an SQL condition on the columns of a purchase `p`.
    pub(crate) fn condition(self) -> String {
        let list = self.filter.condition();
        match self.step {
            None => list.to_owned(),
            Some(step) => {
                let codes: Vec<&str> = step.statuses().iter().map(|one| one.code()).collect();
                format!("{list} AND p.claim_status IN ('{}')", codes.join("', '"))
            }
        }
    }
}

impl OrderFilter {
    /// Whether it is a claim group.
    pub const fn is_of_claims(self) -> bool {
        matches!(self, Self::Cancel | Self::Exchange | Self::Return)
    }

    /// Whether it contains a purchase.
    fn holds(self, purchase: &Purchase) -> bool {
        match self {
            Self::All => claim_group(purchase).is_none(),
            Self::Processing => stands_in(purchase, OrderList::Processing),
            Self::Shipped => stands_in(purchase, OrderList::Shipped),
            Self::Delivered => stands_in(purchase, OrderList::Delivered),
            Self::Cancel => claim_group(purchase) == Some(ClaimGroup::Cancel),
            Self::Exchange => claim_group(purchase) == Some(ClaimGroup::Exchange),
            Self::Return => claim_group(purchase) == Some(ClaimGroup::Return),
        }
    }

    /// The same as an SQL condition on the columns of a purchase `p`.
    const fn condition(self) -> &'static str {
        match self {
            Self::All => "p.claim_group IS NULL",
            Self::Processing => "p.claim_group IS NULL AND p.list = 'processing'",
            Self::Shipped => "p.claim_group IS NULL AND p.list = 'shipped'",
            Self::Delivered => "p.claim_group IS NULL AND p.list = 'delivered'",
            Self::Cancel => "p.claim_group = 'cancel'",
            Self::Exchange => "p.claim_group = 'exchange'",
            Self::Return => "p.claim_group = 'return'",
        }
    }
}
