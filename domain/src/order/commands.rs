//! Commands of an order.

use time::{Date, OffsetDateTime};

use super::actions::Reader;
use super::cancel_reason::CancelReason;
use super::claims::{CancelRequest, ClaimAnswer, Inspection, ReturnRequest};
use super::earned_points::EarnedPoints;
use super::events::{CanceledBy, DisclosurePurpose};
use super::exchange::ExchangeRequest;
use super::purchase::Invoice;
use super::terms::OrderTerms;
use crate::ids::{ClaimId, PaymentId};
use crate::money::Amount;
use crate::personal::{BankAccount, Party, Sealed};
use crate::shipping::Area;

/// Commands accepted by an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderCommand {
    /// Place the order. Decided by `checkout::place` together with stock, coupons and points.
    Place(Box<OrderTerms>),
    /// Record that it is paid in full.
    Pay {
        /// The payment; none if nothing was left to pay.
        payment: Option<PaymentId>,
        /// Hundredths.
        amount: Amount,
    },
    /// Record that a virtual account was issued, and extend the payment deadline to its expiry.
    AwaitDeposit {
        /// The payment.
        payment: PaymentId,
        /// Expiry of the virtual account.
        until: OffsetDateTime,
    },
    /// Record that no deposit is awaited any more, because the account of this payment is given up. Has no effect if none is awaited.
    EndDepositWait {
        /// The payment.
        payment: PaymentId,
    },
    /// Cancel the whole order before it is paid. Decided by `checkout::cancel_unpaid` together with what is given back.
    CancelUnpaid {
        /// The party that cancels; the deadline only after [`Order::pay_by`].
        by: CanceledBy,
        /// The reason.
        reason: Option<CancelReason>,
    },
    /// Start preparing purchases.
    Prepare {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
    },
    /// Register a tracking number: ships the purchase, or corrects the number of a shipped one.
    Ship {
        /// Number of the purchase.
        purchase_no: String,
        /// Courier code.
        courier: String,
        /// Invoice number; spaces and hyphens are dropped.
        invoice_no: String,
        /// Days until it counts as delivered (from the site setting).
        auto_deliver_days: u32,
    },
    /// Record a delay.
    Delay {
        /// Number of the purchase.
        purchase_no: String,
        /// The reason shown to the buyer.
        reason: String,
    },
    /// Record the delivery.
    Deliver {
        /// Number of the purchase.
        purchase_no: String,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
    },
    /// Record that a purchase counts as delivered, because its delivery was not reported until its day.
    DeliverByDate {
        /// Number of the purchase.
        purchase_no: String,
        /// The Seoul day of the deadline, for purchases whose day was not recorded.
        day: Date,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
    },
    /// Confirm purchases as the buyer.
    Confirm {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
    },
    /// Confirm a purchase automatically on its due day.
    ConfirmByDate {
        /// Number of the purchase.
        purchase_no: String,
    },
    /// Request the cancellation of paid purchases, or of some of their pieces: a claim for each seller and stage. One is approved in
    /// the same decision if its purchases are not prepared, or if staff or the seller requests it. Decided by
    /// `checkout::request_cancel` together with what is given back.
    RequestCancel(Box<CancelRequest>),
    /// Request the return of a sent purchase, or of some of its pieces.
    RequestReturn(Box<ReturnRequest>),
    /// Request the exchange of a delivered purchase, or of some of its pieces.
    RequestExchange(Box<ExchangeRequest>),
    /// Accept an exchange. Decided by `checkout::decide_claim` together with the stock of the replacement, as are the rejection,
    /// withdrawal, inspection and replacement of an exchange.
    AcceptExchange {
        /// The claim.
        claim: ClaimId,
        /// The reader who answers.
        by: Reader,
    },
    /// Record that the buyer paid the fee of an exchange.
    ReceiveFee {
        /// The claim.
        claim: ClaimId,
        /// Hundredths.
        amount: Amount,
        /// The bank's reference of the transfer; the number of the user payment if it was paid through the gateway.
        reference: String,
        /// The payment; none for a bank transfer.
        payment: Option<PaymentId>,
    },
    /// Set the account for the refund of a fee that was paid by bank transfer.
    GiveFeeAccount {
        /// The claim.
        claim: ClaimId,
        /// The account.
        account: Sealed<BankAccount>,
    },
    /// Record that staff sent that refund.
    TransferFee {
        /// The claim.
        claim: ClaimId,
        /// The bank's reference of the transfer.
        reference: String,
    },
    /// Do without the fee of an exchange that is due.
    WaiveFee {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
        /// The reader who decides it.
        by: Reader,
    },
    /// Send the replacement of an exchange, or correct the invoice number of its parcel.
    ShipReplacement {
        /// The claim.
        claim: ClaimId,
        /// The parcel.
        invoice: Invoice,
        /// Days until it counts as delivered (from the site setting).
        auto_deliver_days: u32,
        /// The reader who sends it.
        by: Reader,
        /// What the buyer holds of the points a confirmed purchase earned.
        earned: EarnedPoints,
    },
    /// Record that the replacement is delayed.
    DelayReplacement {
        /// The claim.
        claim: ClaimId,
        /// The reason shown to the buyer.
        reason: String,
        /// The reader who reports it.
        by: Reader,
    },
    /// Record the delivery of the replacement.
    CompleteExchange {
        /// The claim.
        claim: ClaimId,
        /// Days until automatic confirmation (from the site setting).
        auto_confirm_days: u32,
        /// The reader who reports it.
        by: Reader,
    },
    /// Withdraw a claim as the buyer: a cancellation until it is answered, a return or exchange until the goods are picked up.
    WithdrawClaim {
        /// The claim.
        claim: ClaimId,
    },
    /// Record that a courier picked up the goods of a return or exchange.
    PickUpGoods {
        /// The claim.
        claim: ClaimId,
        /// The parcel, if it has a number.
        invoice: Option<Invoice>,
        /// The reader who reports it.
        by: Reader,
    },
    /// Record the result of inspecting the goods of a return or exchange. Units that did not arrive are split off, and their claim is
    /// rejected.
    InspectGoods {
        /// The claim.
        claim: ClaimId,
        /// Result of the inspection.
        inspection: Inspection,
        /// The reader who inspected it.
        by: Reader,
    },
    /// Approve a claim. Decided by `checkout::approve_claim` together with what is given back.
    ApproveClaim(Box<ClaimAnswer>),
    /// Reject a claim.
    RejectClaim {
        /// The claim.
        claim: ClaimId,
        /// The reason.
        reason: String,
        /// The parcel the goods go back with; required once they were picked up.
        invoice: Option<Invoice>,
        /// The reader who answers.
        by: Reader,
    },
    /// Correct the invoice number of the parcel in which the goods of a rejected claim went back to the buyer.
    CorrectSentBack {
        /// The claim.
        claim: ClaimId,
        /// The parcel.
        invoice: Invoice,
        /// The reader who corrects it.
        by: Reader,
    },
    /// Record that the refund of an approved claim is completed.
    CompleteClaim {
        /// The claim.
        claim: ClaimId,
    },
    /// Erase the parties of a guest order after its retention period. A member's are erased with the member.
    EraseGuestRecords {
        /// Time of the last event of the order or of its payments.
        last: OffsetDateTime,
    },
    /// Correct the receiver of goods that are not sent yet. A seal does not reveal its content, so the caller compares receivers and sends
    /// no command if nothing changes.
    CorrectReceiver {
        /// The receiver; key of the buyer (or of the order for guests), purpose statutory.
        receiver: Sealed<Party>,
        /// Surcharge area of their postcode.
        area: Area,
    },
    /// Record that the receiver of these purchases is read out, before it is handed over.
    DiscloseReceiver {
        /// Numbers of the purchases.
        purchase_nos: Vec<String>,
        /// What it is read for.
        purpose: DisclosurePurpose,
    },
    /// Write the note of staff, replacing an earlier one. The caller compares texts, as with receivers.
    WriteStaffNote {
        /// The note, with the key of the receiver; none removes it.
        note: Option<Sealed<String>>,
    },
}
