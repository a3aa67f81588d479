//! Ids: one newtype per entity, UUIDv7 made by the caller (time and randomness are arguments in this crate).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = Uuid)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )+};
}

ids! {
    /// A member: shopper, seller or operator. A seller is the member who runs the mini-shop.
    MemberId;
    /// A product record.
    ProductId;
    /// A purchasable option; the product's own id where options are switched off.
    OptionId;
    /// The goods that a stock aggregate counts: an option's id, or the product's where options are off.
    StockId;
    /// An order; people see its `orderNo`.
    OrderId;
    /// One attempt to pay an order.
    PaymentId;
    /// One refund of a payment.
    RefundId;
    /// A coupon's definition.
    CouponId;
    /// One coupon in one member's box.
    IssuedCouponId;
    /// One grant of points.
    LotId;
    /// A claim on purchases of an order.
    ClaimId;
    /// A category of the category tree.
    CategoryId;
    /// A shipping group record.
    ShippingId;
    /// A cart line.
    CartId;
    /// A document a member handed in.
    DocumentId;
}
