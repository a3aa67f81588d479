//! Ids: one newtype per entity, UUIDv7 made by the caller (time and randomness are arguments in this crate).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::{Builder, Uuid};

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
    /// One attempt to pay an order or a user payment.
    PaymentId;
    /// An amount requested from a buyer in addition to an order.
    UserPaymentId;
    /// One refund of a payment.
    RefundId;
    /// A coupon's definition.
    CouponId;
    /// A batch of codes of a coupon.
    CodeBatchId;
    /// One coupon in one member's box.
    IssuedCouponId;
    /// One grant of points.
    LotId;
    /// A bulk grant: coupons or points for many members.
    BulkGrantId;
    /// An event of the shop.
    ShopEventId;
    /// An entry of a member in the raffle of an event.
    RaffleEntryId;
    /// A message to a member or a guest.
    MessageId;
    /// A sending: an alarm or a mail to many members.
    SendingId;
    /// An alarm in a member's drawer.
    AlarmId;
    /// A claim on purchases of an order.
    ClaimId;
    /// A category of the category tree.
    CategoryId;
    /// A shipping group record.
    ShippingId;
    /// A cart line.
    CartId;
    /// A document uploaded by a member.
    DocumentId;
    /// A picture of the goods of a return or exchange.
    ClaimPictureId;
}

/// The id that belongs to `key`, so that a repeated decision writes to the same stream: a UUIDv8 of the first 16 bytes of the key's
/// SHA-256. These ids are in the log, so neither the hash nor the keys callers build may change.
pub fn derived_id(key: &str) -> Uuid {
    let digest = Sha256::digest(key);
    let bytes = digest.first_chunk::<16>().copied().unwrap_or_default();
    Builder::from_custom_bytes(bytes).into_uuid()
}
