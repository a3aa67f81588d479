//! API views of claims.
//!
//! Buyers' own texts and addresses are sealed in the order; `api` decrypts them into the fields left empty here.

use domain::Amount;
use domain::Sealed;
use domain::ids::{ClaimId, ClaimPictureId, OptionId, PaymentId, RefundId, UserPaymentId};
use domain::order::{
    CancelReason, CanceledBy, Claim, ClaimFeeState, ClaimKind, ClaimState, Fault, FeeKind,
    Inspection, Invoice, Order, PriceDifference, Purchase, Reader, ReclaimedPoints, RefundTerms,
};
use domain::payment::PaymentMethod;
use domain::personal::{BankAccount, Party};
use domain::user_payment::{UserPaymentStatus, exchange_fee_id, exchange_fee_no};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ClaimTimes, PaymentCard, TimesOfClaims, is_seen_by, tracking_url};
use crate::mask::MASK;

/// The claim on a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimRef {
    /// The claim.
    #[serde(rename = "_id")]
    pub id: ClaimId,
    /// Cancellation, return or exchange.
    pub kind: ClaimKind,
    /// Reason; `●●●` once a buyer's own text can no longer be decrypted.
    pub reason: String,
    /// Covers goods of several sellers, so staff answer it.
    pub for_staff: bool,
    /// Reason of the rejection, as entered; none: not rejected.
    pub rejection: Option<String>,
    /// The party at fault, as claimed by the buyer, then as found by the inspection; none for a cancellation.
    pub fault: Option<Fault>,
    /// Whether the buyer owes the fee of an exchange, or the difference of its option.
    pub fee_due: bool,
    /// The buyer's own text, for `api` to decrypt.
    #[serde(skip)]
    pub sealed: Option<Sealed<String>>,
}

impl ClaimRef {
    pub(super) fn new(
        (id, kind): (ClaimId, ClaimKind),
        reason: CancelReason,
        (for_staff, rejection): (bool, Option<String>),
        (fault, fee): (Option<Fault>, ClaimFeeState),
    ) -> Self {
        let (reason, sealed) = readable(reason);
        Self {
            id,
            kind,
            reason,
            for_staff,
            rejection,
            fault,
            fee_due: matches!(fee, ClaimFeeState::Due | ClaimFeeState::DueWithPrice),
            sealed,
        }
    }

    pub(super) fn of(order: &Order, claim: &Claim) -> Self {
        Self::new(
            (claim.id, claim.kind()),
            claim.reason.clone(),
            (
                order.is_of_several_sellers(claim),
                rejection_of(claim).cloned(),
            ),
            (claim.fault(), claim.pending_fee()),
        )
    }
}

/// The readable reason, masked where it is sealed, and the sealed text.
fn readable(reason: CancelReason) -> (String, Option<Sealed<String>>) {
    match reason {
        CancelReason::Plain(text) => (text, None),
        CancelReason::Sealed(words) => (MASK.to_owned(), Some(words)),
    }
}

/// Why a claim was refused.
pub(super) const fn rejection_of(claim: &Claim) -> Option<&String> {
    match &claim.state {
        ClaimState::Rejected { reason } => Some(reason),
        _ => None,
    }
}

/// The claim shown on a purchase: the newest that was not withdrawn.
pub(super) fn claim_on<'a>(order: &'a Order, purchase: &Purchase) -> Option<&'a Claim> {
    order
        .claims
        .iter()
        .rev()
        .filter(|claim| claim.state != ClaimState::Withdrawn)
        .find(|claim| claim.purchase_nos.contains(&purchase.purchase_no))
}

/// State of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ClaimStage {
    /// Waiting for an answer.
    Requested,
    /// Approved; the refund is under way.
    Approved,
    /// Rejected.
    Rejected,
    /// Approved and refunded; an exchange: its replacement was delivered.
    Completed,
    /// Withdrawn by the buyer.
    Withdrawn,
    /// An accepted exchange that is under way.
    Accepted,
}

impl From<&ClaimState> for ClaimStage {
    fn from(state: &ClaimState) -> Self {
        match state {
            ClaimState::Requested => Self::Requested,
            ClaimState::Approved { .. } => Self::Approved,
            ClaimState::Rejected { .. } => Self::Rejected,
            ClaimState::Completed { .. } | ClaimState::Exchanged => Self::Completed,
            ClaimState::Accepted => Self::Accepted,
            ClaimState::Withdrawn => Self::Withdrawn,
        }
    }
}

/// A claim in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimView {
    /// The claim.
    #[serde(rename = "_id")]
    pub id: ClaimId,
    /// Cancellation, return or exchange.
    pub kind: ClaimKind,
    /// Its state.
    pub state: ClaimStage,
    /// When each step was reached; none: not known yet.
    pub times: Option<ClaimTimes>,
    /// The purchases it covers; a seller gets only their own.
    pub purchase_nos: Vec<String>,
    /// Who requested it.
    pub by: CanceledBy,
    /// Reason; `●●●` once a buyer's own text can no longer be decrypted.
    pub reason: String,
    /// Reason of the rejection, as entered; none: not rejected.
    pub rejection: Option<String>,
    /// The party at fault, as claimed by the buyer, then as found by the inspection; none for a cancellation.
    pub fault: Option<Fault>,
    /// Its refund, an estimate until it is approved. None for an exchange, and for a seller if it also covers other sellers' goods.
    pub refund: Option<ClaimRefund>,
    /// Pickup address of a return or exchange; none: a cancellation, erased, or not decrypted yet.
    pub pickup: Option<Party>,
    /// Pictures of the goods.
    pub pictures: Vec<ClaimPictureId>,
    /// The parcel in which the goods of a return or exchange come back.
    pub invoice: Option<ClaimParcel>,
    /// Result of the inspection.
    pub inspection: Option<Inspection>,
    /// The parcel in which the goods of a rejected return or exchange went back to the buyer.
    pub sent_back: Option<ClaimParcel>,
    /// The replacement of an exchange; none for other claims.
    pub exchange: Option<ExchangeView>,
    /// The buyer's own text, for `api` to decrypt.
    #[serde(skip)]
    pub sealed_reason: Option<Sealed<String>>,
    /// Pickup address, for `api` to decrypt.
    #[serde(skip)]
    pub sealed_pickup: Option<Sealed<Party>>,
}

/// The replacement of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeView {
    /// The option; none for a product without options.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Option value.
    pub option_name: Option<String>,
    /// Option value of the goods that come back; none for a product without options.
    pub returned_option_name: Option<String>,
    /// Its price less that of the goods, per piece, hundredths; below zero for a cheaper option, above for a dearer one.
    pub difference: Amount,
    /// What goes back for it: expected until the replacement is sent; nothing if the exchange ended before.
    pub difference_back: PriceDifference,
    /// The fee the buyer pays before it is sent, hundredths; zero if the seller is at fault.
    pub fee: Amount,
    /// What the buyer pays with it for the difference of all pieces, hundredths; zero unless the option is dearer.
    pub price: Amount,
    /// Whether both were paid, and not refunded.
    pub fee_paid: bool,
    /// The user payment for both; none before the inspection, and if there is nothing to pay.
    pub pay: Option<FeePaymentView>,
    /// The refund of a fee that was paid by bank transfer, where the exchange was rejected after that; none for others.
    pub fee_transfer: Option<FeeTransfer>,
    /// Parcel of the replacement.
    pub invoice: Option<ClaimParcel>,
    /// Reason of a delay.
    pub delay_reason: Option<String>,
}

/// The refund of an exchange fee, which staff send to the buyer's bank account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeeTransfer {
    /// The refund.
    #[serde(rename = "_refund")]
    pub refund: RefundId,
    /// Hundredths.
    pub amount: Amount,
    /// Whether it was sent.
    pub sent: bool,
    /// It is not sent yet, and the buyer has not named an account.
    pub needs_account: bool,
    /// The account the buyer named; only for staff, once decrypted.
    pub account: Option<BankAccount>,
    /// The same, for `api` to decrypt.
    #[serde(skip)]
    pub sealed_account: Option<Sealed<BankAccount>>,
}

impl FeeTransfer {
    fn of(claim: &Claim) -> Option<Self> {
        let exchange = claim.exchange()?;
        let refund = exchange.fee_refund?;
        if exchange.fee_payment.is_some() {
            return None;
        }
        let sent = exchange.fee_refund_reference.is_some();
        Some(Self {
            refund,
            amount: exchange.fee_received?,
            sent,
            needs_account: !sent && exchange.fee_refund_account.is_none(),
            account: None,
            sealed_account: exchange.fee_refund_account.clone(),
        })
    }
}

/// The user payment for the fee of an exchange and the difference of its option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeePaymentView {
    /// The user payment.
    #[serde(rename = "_id")]
    pub id: UserPaymentId,
    /// Its number.
    pub number: String,
    /// Its status.
    pub status: UserPaymentStatus,
    /// Hundredths.
    pub amount: Amount,
    /// The payment it was paid with; none: not paid, or by a bank transfer. A canceled one that has a payment was refunded.
    #[serde(rename = "_payment")]
    pub payment: Option<PaymentId>,
    /// The method of that payment.
    pub method: Option<PaymentMethod>,
}

impl FeePaymentView {
    /// The fee payment of the claim at this place of its order, from 1; none before the fee is due.
    fn of(order: &Order, (place, claim): (usize, &Claim)) -> Option<Self> {
        let goods = claim.collection.as_ref()?;
        let price = claim.exchange_price();
        let exchange = claim.exchange()?;
        let is_waived = exchange.fee_waived && price.is_zero();
        let fee = match is_waived {
            true => goods.return_fare,
            false => claim.exchange_fee(),
        };
        let amount = fee.plus(price).ok()?;
        let (status, payment) = match claim.received_fee() {
            Some((_, payment)) => (UserPaymentStatus::Completed, payment),
            None if exchange.fee_refund.is_some() => {
                (UserPaymentStatus::Canceled, exchange.fee_payment)
            }
            None if amount.is_zero() || goods.inspection.is_none() => return None,
            None if claim.is_open() && !is_waived => (UserPaymentStatus::Awaiting, None),
            None => (UserPaymentStatus::Canceled, None),
        };
        Some(Self {
            id: exchange_fee_id(claim.id),
            number: exchange_fee_no(&order.terms().ok()?.order_no, place),
            status,
            amount,
            payment,
            method: None,
        })
    }

    /// Adds the method of its payment, if that is among these.
    fn paid_with(&mut self, payments: &[PaymentCard]) {
        let paid = |card: &&PaymentCard| Some(card.id) == self.payment;
        self.method = payments.iter().find(paid).map(|card| card.method);
    }
}

/// Sets the payment method of each claim's fee.
pub(super) fn say_methods(claims: &mut [ClaimView], payments: &[PaymentCard]) {
    let exchanges = claims
        .iter_mut()
        .filter_map(|claim| claim.exchange.as_mut());
    for pay in exchanges.filter_map(|exchange| exchange.pay.as_mut()) {
        pay.paid_with(payments);
    }
}

impl ExchangeView {
    fn of(order: &Order, (place, claim): (usize, &Claim)) -> Option<Self> {
        let exchange = claim.exchange()?;
        Some(Self {
            option: exchange.replacement.option,
            option_name: exchange.replacement.option_name.clone(),
            returned_option_name: exchange.returned_option_name.clone(),
            difference: exchange.difference,
            difference_back: order.difference_of(claim).unwrap_or_default(),
            fee: claim.exchange_fee(),
            price: claim.exchange_price(),
            fee_paid: claim.received_fee().is_some(),
            pay: FeePaymentView::of(order, (place, claim)),
            fee_transfer: FeeTransfer::of(claim),
            invoice: exchange.invoice.as_ref().map(ClaimParcel::from),
            delay_reason: exchange.delay_reason.clone(),
        })
    }
}

/// Refund of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimRefund {
    /// Money after fees, hundredths.
    pub money: Amount,
    /// Points, hundredths.
    pub points: Amount,
    /// Fees deducted from the money.
    pub fees: Vec<FeeAmount>,
    /// Points earned by a confirmed purchase that are reclaimed; partly deducted from the money.
    pub reclaimed: Option<ReclaimedPoints>,
}

/// A fee of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeeAmount {
    /// Its kind.
    pub kind: FeeKind,
    /// Hundredths; negative where an earlier fee is refunded.
    pub amount: Amount,
}

impl From<&RefundTerms> for ClaimRefund {
    fn from(terms: &RefundTerms) -> Self {
        let fees = terms.fees.iter();
        Self {
            money: terms.money,
            points: terms.points.iter().map(|part| part.amount).sum(),
            fees: fees
                .map(|fee| FeeAmount {
                    kind: fee.kind,
                    amount: fee.amount,
                })
                .collect(),
            reclaimed: terms.reclaimed,
        }
    }
}

/// A parcel of a claim's goods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimParcel {
    /// Courier code.
    pub courier: String,
    /// Invoice number.
    pub invoice_no: String,
    /// Tracking page.
    pub tracking_url: Option<String>,
}

impl From<&Invoice> for ClaimParcel {
    fn from(invoice: &Invoice) -> Self {
        Self {
            courier: invoice.courier.clone(),
            invoice_no: invoice.invoice_no.clone(),
            tracking_url: tracking_url(&invoice.courier, &invoice.invoice_no),
        }
    }
}

/// The claims of an order visible to `reader`, oldest first; a seller sees those on their goods.
pub(super) fn claims_seen_by(
    order: &Order,
    times: &TimesOfClaims,
    reader: Reader,
) -> Vec<ClaimView> {
    let is_seen = |no: &&String| {
        order
            .purchase(no)
            .is_some_and(|purchase| is_seen_by(reader, purchase.seller))
    };
    let claims = (1..).zip(&order.claims).map(|(place, claim)| {
        let seen = claim.purchase_nos.iter().filter(is_seen).cloned();
        ((place, claim), seen.collect::<Vec<String>>())
    });
    claims
        .filter(|(_, seen)| !seen.is_empty())
        .map(|((place, claim), seen)| view(order, (place, claim, times.of(claim.id)), seen))
        .collect()
}

/// A claim with those of its purchases that the reader may see.
fn view(
    order: &Order,
    (place, claim, times): (usize, &Claim, Option<ClaimTimes>),
    purchase_nos: Vec<String>,
) -> ClaimView {
    let (reason, sealed_reason) = readable(claim.reason.clone());
    let goods = claim.collection.as_deref();
    let sees_all = purchase_nos.len() == claim.purchase_nos.len();
    ClaimView {
        id: claim.id,
        kind: claim.kind(),
        state: ClaimStage::from(&claim.state),
        times,
        purchase_nos,
        by: claim.by,
        reason,
        rejection: rejection_of(claim).cloned(),
        fault: claim.fault(),
        refund: (sees_all && claim.exchange().is_none()).then(|| ClaimRefund::from(&claim.refund)),
        pickup: None,
        pictures: goods
            .map(|goods| goods.pictures.clone())
            .unwrap_or_default(),
        invoice: goods.and_then(|goods| goods.invoice.as_ref().map(ClaimParcel::from)),
        inspection: goods.and_then(|goods| goods.inspection),
        sent_back: goods.and_then(|goods| goods.sent_back.as_ref().map(ClaimParcel::from)),
        exchange: ExchangeView::of(order, (place, claim)),
        sealed_reason,
        sealed_pickup: goods.map(|goods| goods.pickup.clone()),
    }
}
