//! The four axes of a purchase (spec section 4, reading 8), in the specification's codes.

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, ::serde::Serialize, ::serde::Deserialize,
        )]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $code)] $variant),+ }

        impl $name {
            /// All values, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The specification's code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code),+ }
            }

            /// The value with this code.
            pub fn from_code(code: &str) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }

        // Implemented by hand: a derived schema would list the variant names instead of the codes used on the wire.
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
    /// Order status of a purchase.
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
    /// Claim status of a purchase. `NONE`, for no claim, is this shop's addition.
    ClaimStatus {
        /// No claim.
        None = "NONE",
        /// Cancellation requested.
        CancelRequested = "CANCEL_REQUESTED",
        /// Cancellation completed.
        CancelCompleted = "CANCEL_COMPLETED",
        /// Cancellation rejected.
        CancelRejected = "CANCEL_REJECTED",
        /// Exchange requested.
        ExchangeRequested = "EXCHANGE_REQUESTED",
        /// Exchange completed.
        ExchangeCompleted = "EXCHANGE_COMPLETED",
        /// Exchange rejected.
        ExchangeRejected = "EXCHANGE_REJECTED",
        /// Exchange accepted, waiting for the goods.
        ExchangePending = "EXCHANGE_PENDING",
        /// Replacement delayed.
        ExchangeDelayed = "EXCHANGE_DELAYED",
        /// Replacement shipped.
        ExchangeShipping = "EXCHANGE_SHIPPING",
        /// Return requested.
        ReturnRequested = "RETURN_REQUESTED",
        /// Return completed.
        ReturnCompleted = "RETURN_COMPLETED",
        /// Return rejected.
        ReturnRejected = "RETURN_REJECTED",
    }
}

codes! {
    /// Whether the purchase is final.
    PurchaseStatus {
        /// Not paid.
        Pending = "PURCHASE_PENDING",
        /// Paid, not final.
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
    /// Collection status of returned goods. `NONE`, for nothing to collect, is this shop's addition.
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

/// Whether a purchase with these statuses awaits its confirmation: paid, not final, and without a claim that is open or granted.
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
