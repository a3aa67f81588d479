//! The four axes of a purchase (spec section 4, reading 8), in the specification's codes.

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize,
        )]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $code)] $variant),+ }

        impl $name {
            /// All of them, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The specification's code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// The one with this code.
            pub fn from_code(code: &str) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }

        // By hand: a derived one would tell the variants' names, not the codes that go over the wire.
        impl ::utoipa::PartialSchema for $name {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                ::utoipa::openapi::ObjectBuilder::new()
                    .schema_type(::utoipa::openapi::schema::Type::String)
                    .enum_values(Some(Self::ALL.iter().map(|one| one.code())))
                    .into()
            }
        }

        impl ::utoipa::ToSchema for $name {}
    };
}

pub(crate) use codes;

codes! {
    /// How far a purchase is on its way.
    OrderStatus {
        /// Unpaid.
        Nonpayment = "ORDER_NONPAYMENT",
        /// Canceled.
        Canceled = "ORDER_CANCELED",
        /// Paid.
        Payment = "ORDER_PAYMENT",
        /// Preparing.
        Confirm = "ORDER_CONFIRM",
        /// Shipped.
        Shipping = "SHIPPING_CONFIRM",
        /// Delayed.
        Delayed = "SHIPPING_DELAYED",
        /// Delivered.
        Delivered = "DELIVERY_COMPLETE",
    }
}

codes! {
    /// A claim on a purchase. `NONE` is our word for no claim.
    ClaimStatus {
        /// No claim.
        None = "NONE",
        /// Cancel asked for.
        CancelRequested = "CANCEL_REQUESTED",
        /// Cancel done.
        CancelCompleted = "CANCEL_COMPLETED",
        /// Cancel refused.
        CancelRejected = "CANCEL_REJECTED",
        /// Exchange asked for.
        ExchangeRequested = "EXCHANGE_REQUESTED",
        /// Exchange done.
        ExchangeCompleted = "EXCHANGE_COMPLETED",
        /// Exchange refused.
        ExchangeRejected = "EXCHANGE_REJECTED",
        /// Exchange accepted, waiting for the goods.
        ExchangePending = "EXCHANGE_PENDING",
        /// Replacement delayed.
        ExchangeDelayed = "EXCHANGE_DELAYED",
        /// Replacement on its way.
        ExchangeShipping = "EXCHANGE_SHIPPING",
        /// Return asked for.
        ReturnRequested = "RETURN_REQUESTED",
        /// Return done.
        ReturnCompleted = "RETURN_COMPLETED",
        /// Return refused.
        ReturnRejected = "RETURN_REJECTED",
    }
}

codes! {
    /// Whether the purchase is final.
    PurchaseStatus {
        /// Not paid.
        Pending = "PURCHASE_PENDING",
        /// Paid and running.
        Awaiting = "PURCHASE_AWAITING",
        /// Delivered, waiting for automatic confirmation.
        Schedule = "PURCHASE_SCHEDULE",
        /// Confirmed.
        Complete = "PURCHASE_COMPLETE",
        /// Canceled.
        Canceled = "PURCHASE_CANCELED",
    }
}

codes! {
    /// Where returned goods are. `NONE` is our word for nothing to collect.
    CollectionStatus {
        /// Nothing to collect.
        None = "NONE",
        /// To be collected.
        Pending = "COLLECTION_PENDING",
        /// On the way back.
        Progress = "COLLECTION_PROGRESS",
        /// Back and inspected.
        Complete = "COLLECTION_COMPLETE",
    }
}

/// Whether a purchase at these statuses is on its way to being confirmed: paid, not final, and nobody asked to give it back or
/// was granted that.
pub const fn awaits_confirmation(purchase: PurchaseStatus, claim: ClaimStatus) -> bool {
    matches!(
        purchase,
        PurchaseStatus::Awaiting | PurchaseStatus::Schedule
    ) && !matches!(
        claim,
        ClaimStatus::CancelRequested
            | ClaimStatus::CancelCompleted
            | ClaimStatus::ReturnRequested
            | ClaimStatus::ReturnCompleted
    )
}
