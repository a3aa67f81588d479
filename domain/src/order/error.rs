//! Errors of an order.

use super::status::{CollectionStatus, OrderStatus};
use crate::money::{Amount, MoneyError};

/// Reasons why an order rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// An order with this id exists.
    #[error("the order has been placed already")]
    AlreadyPlaced,
    /// The order does not exist.
    #[error("there is no such order")]
    NotPlaced,
    /// The frozen amounts are inconsistent: a defect of the program, not of the buyer's input.
    #[error("the terms do not add up: {0}")]
    TermsDoNotAddUp(String),
    /// The order is canceled; money that arrives is refunded.
    #[error("the order is canceled")]
    OrderCanceled,
    /// Another payment paid the order; this one is refunded.
    #[error("the order has been paid already")]
    AlreadyPaid,
    /// The order is not paid.
    #[error("the order is not paid")]
    NotPaid,
    /// The order is paid: its purchases are canceled individually, with a refund.
    #[error("the order is paid, so its purchases have to be canceled")]
    PaidCannotCancelUnpaid,
    /// The amount differs from the order's payable amount.
    #[error("the amount has to be {expected}")]
    AmountMismatch {
        /// The payable amount.
        expected: Amount,
    },
    /// The day or deadline has not been reached.
    #[error("the day or deadline has not been reached")]
    NotDue,
    /// No purchase is named.
    #[error("name at least one purchase")]
    PurchasesRequired,
    /// A purchase number is unknown or named twice.
    #[error("purchase {0} is unknown or named twice")]
    UnknownPurchase(String),
    /// The status of the purchase does not allow the command.
    #[error("not allowed for purchase {purchase_no} at {}", .at.code())]
    WrongStatus {
        /// Number of the purchase.
        purchase_no: String,
        /// Its order status.
        at: OrderStatus,
    },
    /// The purchase is final.
    #[error("purchase {0} is final")]
    Final(String),
    /// An open claim on the purchase has to be answered first.
    #[error("there is an open claim on purchase {0}")]
    ClaimOpen(String),
    /// The claim does not exist.
    #[error("there is no such claim")]
    UnknownClaim,
    /// The claim has been answered.
    #[error("the claim has been answered already")]
    ClaimClosed,
    /// The claim covers goods of other sellers, so only staff may answer it.
    #[error("the claim covers goods of several sellers; only staff may answer it")]
    ClaimOfSeveralSellers,
    /// The claim is not approved.
    #[error("the claim is not approved")]
    ClaimNotApproved,
    /// The quantity is zero or exceeds that of the purchase or the claim.
    #[error("the number of pieces of {purchase_no} has to be from 1 to {most}")]
    PiecesOutOfRange {
        /// Number of the purchase.
        purchase_no: String,
        /// The maximum.
        most: u32,
    },
    /// A split would give the order more purchases than [`super::PURCHASES_MOST`].
    #[error("the order cannot be divided into more purchases")]
    TooManyPurchases,
    /// The collection status of the claim does not allow the command: the goods are not picked up, not inspected, or picked up already.
    #[error("the goods of the claim are at {}", .at.code())]
    WrongCollection {
        /// The collection status.
        at: CollectionStatus,
    },
    /// The buyer has to pay the fee of an exchange, and the difference of a dearer option, before its replacement is sent.
    #[error("the buyer has to pay {due} first")]
    FeeDue {
        /// Both.
        due: Amount,
    },
    /// The exchange has no fee.
    #[error("the exchange has no fee")]
    NoFee,
    /// The difference of an exchange is paid through the gateway, with which it can go back.
    #[error("the difference of an exchange cannot be paid by bank transfer")]
    NotByTransfer,
    /// The replacement of the exchange is not on its way.
    #[error("the replacement is not on its way")]
    ReplacementNotSent,
    /// A return or exchange has more pictures than [`super::CLAIM_PICTURES_MOST`].
    #[error("too many pictures")]
    TooManyPictures,
    /// A picture is named twice, or another claim has it.
    #[error("a picture is used already")]
    PictureUsed,
    /// The reason is missing.
    #[error("a reason is required")]
    ReasonRequired,
    /// The courier code is missing, or the invoice number does not have 8 to 20 digits.
    #[error("a courier and an invoice number of 8 to 20 digits are required")]
    InvoiceMalformed,
    /// Nothing of the order is still to be sent, so a correction of the receiver would have no effect.
    #[error("nothing of the order is still to be sent")]
    NothingToSend,
    /// The receiver is in another surcharge area than the one the order's fares were computed for.
    #[error("the receiver is in another surcharge area than the order was placed for")]
    OtherArea,
    /// The key that personal data of the order is sealed with is destroyed.
    #[error("the personal data of the order is erased")]
    RecordsErased,
    /// An amount overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl OrderError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlreadyPlaced => "already_placed",
            Self::NotPlaced => "order_not_found",
            Self::TermsDoNotAddUp(_) => "terms_do_not_add_up",
            Self::OrderCanceled => "order_canceled",
            Self::AlreadyPaid => "already_paid",
            Self::NotPaid => "order_unpaid",
            Self::PaidCannotCancelUnpaid => "order_paid",
            Self::AmountMismatch { .. } => "amount_mismatch",
            Self::NotDue => "not_due",
            Self::PurchasesRequired => "purchases_required",
            Self::UnknownPurchase(_) => "purchase_not_found",
            Self::WrongStatus { .. } => "wrong_status",
            Self::Final(_) => "purchase_final",
            Self::ClaimOpen(_) => "claim_open",
            Self::UnknownClaim => "claim_not_found",
            Self::ClaimClosed => "claim_closed",
            Self::ClaimOfSeveralSellers => "claim_of_several_sellers",
            Self::ClaimNotApproved => "claim_not_approved",
            Self::PiecesOutOfRange { .. } => "pieces_out_of_range",
            Self::TooManyPurchases => "too_many_purchases",
            Self::WrongCollection { .. } => "wrong_collection",
            Self::FeeDue { .. } => "fee_due",
            Self::NoFee => "no_fee",
            Self::NotByTransfer => "not_by_transfer",
            Self::ReplacementNotSent => "replacement_not_sent",
            Self::TooManyPictures => "too_many",
            Self::PictureUsed => "used",
            Self::ReasonRequired => "reason_required",
            Self::InvoiceMalformed => "invoice_malformed",
            Self::NothingToSend => "nothing_to_send",
            Self::OtherArea => "other_area",
            Self::RecordsErased => "records_erased",
            Self::Money(_) => "amount_overflow",
        }
    }
}
