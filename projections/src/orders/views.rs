//! API views of orders, built from the state of the order aggregate.
//!
//! Personal data is sealed in the order; `api` decrypts it into the fields left empty here.

use std::collections::BTreeSet;

use domain::Amount;
use domain::ids::{MemberId, OptionId, OrderId, ProductId};
use domain::order::{
    Action, ClaimStatus, CollectionStatus, CouponUse, FareTerms, Invoice, Order, OrderStatus,
    OrderTerms, PendingClaim, Purchase, PurchaseStatus, PurchaseTerms, Reader, Totals,
};
use domain::payment::PaymentMethod;
use domain::personal::Party;
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use utoipa::ToSchema;

use super::amounts::{PurchaseAmounts, amounts_seen_by};
use super::claims::{ClaimRef, ClaimView, claim_on, claims_seen_by, say_methods};
use super::{
    OrderRow, OrderSlice, PaymentCard, PurchaseColumns, TimesOfClaims, is_seen_by, terms_of,
    tracking_url,
};
use crate::error::ReadError;
use crate::seller::SellerRef;

/// One purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseRow {
    /// Purchase number shown to people.
    pub purchase_no: String,
    /// The purchase it was split off, because a claim covered only some of its units; none: it was placed as it is.
    pub split_from: Option<String>,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The option.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Product name when ordered.
    pub name: String,
    /// Option value when ordered.
    pub option_name: Option<String>,
    /// Product code.
    pub code: String,
    /// Picture when ordered.
    pub thumb: Option<String>,
    /// Pieces.
    pub quantity: u32,
    /// Hundredths a piece; of the replacement once an exchange replaced the goods.
    pub unit_price: Amount,
    /// Amount of the line without fares, hundredths.
    pub paid: Amount,
    /// Order status.
    pub order_status: OrderStatus,
    /// Claim status.
    pub claim_status: ClaimStatus,
    /// Whether it is final.
    pub purchase_status: PurchaseStatus,
    /// Collection status of returned goods.
    pub collection_status: CollectionStatus,
    /// Text of these statuses on the screen (spec V106-V109).
    pub status_text: String,
    /// Seller of the product.
    pub seller: SellerRef,
    /// Courier code.
    pub courier: Option<String>,
    /// Invoice number.
    pub invoice_no: Option<String>,
    /// Tracking page.
    pub tracking_url: Option<String>,
    /// The Seoul day it is confirmed automatically, `YYYY-MM-DD`.
    #[serde(with = "crate::timestamp::day")]
    #[schema(value_type = Option<String>, format = Date)]
    pub confirm_on: Option<Date>,
    /// The claim shown on it.
    pub claim: Option<ClaimRef>,
    /// Actions open to the reader.
    pub next_actions: Vec<Action>,
}

/// One order in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderCard {
    /// The order.
    #[serde(rename = "_id")]
    pub id: OrderId,
    /// Order number shown to people.
    pub order_no: String,
    /// When it was placed.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
    /// The order's own status.
    pub status: OrderStatus,
    /// Text of the status on the screen.
    pub status_text: String,
    /// Hundredths.
    pub payable: Amount,
    /// Payment deadline.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub pay_by: OffsetDateTime,
    /// Payment method.
    pub payment_method: PaymentMethod,
    /// The purchases visible to the reader (in a filtered list: those that match).
    pub purchases: Vec<PurchaseRow>,
    /// Actions open to the reader on the order as a whole.
    pub next_actions: Vec<Action>,
}

/// An event of an order, as its page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimelineEntry {
    /// Position in the log.
    pub position: i64,
    /// When it happened.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub at: OffsetDateTime,
    /// Korean text.
    pub text: String,
}

/// One order in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderDetail {
    /// Fields shown in lists.
    #[serde(flatten)]
    pub card: OrderCard,
    /// Sender; none: erased, or not decrypted yet.
    pub sender: Option<Party>,
    /// Receiver; none: erased, or not decrypted yet.
    pub receiver: Option<Party>,
    /// The note of staff, visible to staff only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Delivery request for the courier.
    pub request_message: Option<String>,
    /// Name of the depositor for the virtual account; none: another payment method, erased, or not decrypted yet.
    pub depositor: Option<String>,
    /// The fares.
    pub fares: Vec<FareTerms>,
    /// Coupons used.
    pub coupons: Vec<CouponUse>,
    /// Totals as placed; a seller gets those of their own part.
    pub totals: Totals,
    /// The claims on it, oldest first; a seller gets those on their goods.
    pub claims: Vec<ClaimView>,
    /// Initial and remaining amounts of each purchase.
    pub amounts: Vec<PurchaseAmounts>,
    /// Its payments.
    pub payments: Vec<PaymentCard>,
    /// Its timeline.
    pub timeline: Vec<TimelineEntry>,
    /// Version of the order's stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

/// An order with its timestamps, from the read model or folded from the log as of a moment.
#[derive(Clone, Copy, Debug)]
pub struct OrderView<'a> {
    /// The order.
    pub id: OrderId,
    /// State of the order aggregate.
    pub state: &'a Order,
    /// Timestamps of its claims.
    pub claim_times: &'a TimesOfClaims,
    /// When it was placed.
    pub created_at: OffsetDateTime,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl<'a> From<&'a OrderRow> for OrderView<'a> {
    fn from(row: &'a OrderRow) -> Self {
        Self {
            id: row.id,
            state: &row.state,
            claim_times: &row.claim_times,
            created_at: row.created_at,
            version: row.version,
            position: row.position,
        }
    }
}

/// A purchase of `order` as visible to `reader`.
///
/// # Errors
/// [`ReadError::MissingTerms`].
pub fn purchase_row(
    order: &Order,
    purchase: &Purchase,
    reader: Reader,
) -> Result<PurchaseRow, ReadError> {
    let terms = terms_of(order, purchase)?;
    let invoice = purchase.invoice.as_ref();
    Ok(PurchaseRow {
        purchase_no: terms.purchase_no.clone(),
        split_from: purchase.split_from.clone(),
        product: terms.product,
        option: terms.option,
        name: terms.name.clone(),
        option_name: terms.option_name.clone(),
        code: terms.code.clone(),
        thumb: terms.thumb.clone(),
        quantity: terms.quantity,
        unit_price: terms.price_each(),
        paid: terms.paid,
        order_status: purchase.order_status,
        claim_status: purchase.claim_status,
        purchase_status: purchase.purchase_status,
        collection_status: purchase.collection_status,
        status_text: order.status_text(purchase),
        seller: SellerRef::unnamed(terms.seller),
        courier: invoice.map(|invoice| invoice.courier.clone()),
        invoice_no: invoice.map(|invoice| invoice.invoice_no.clone()),
        tracking_url: tracking(purchase),
        confirm_on: purchase.confirm_on,
        claim: claim_on(order, purchase).map(|claim| ClaimRef::of(order, claim)),
        next_actions: order.purchase_actions(reader, purchase),
    })
}

impl PurchaseColumns {
    /// The purchase as a list shows it to `reader`, the same as [`purchase_row`]. `is_refusable`: whether its claim is an exchange that can
    /// be rejected, which buyers are not asked.
    pub(super) fn shown(
        self,
        reader: Reader,
        is_refusable: bool,
    ) -> Result<PurchaseRow, ReadError> {
        let invoice = self.courier.zip(self.invoice_no);
        let invoice = invoice.map(|(courier, invoice_no)| Invoice {
            courier,
            invoice_no,
        });
        let purchase = Purchase {
            purchase_no: self.purchase_no,
            seller: self.seller,
            order_status: self.order_status,
            claim_status: self.claim_status,
            purchase_status: self.purchase_status,
            collection_status: self.collection_status,
            invoice,
            delay_reason: None,
            confirm_on: self.confirm_on,
            deliver_by: None,
            split_from: self.split_from,
            borne_by_seller: None,
            ordered: None,
            difference: Amount::ZERO,
            other_payments: Vec::new(),
            confirmed: None,
        };
        let pending = self.claim_pending.then_some(PendingClaim {
            is_of_several_sellers: self.claim_for_staff,
            fee: self.claim_fee,
            is_refusable,
        });
        let claim = self.claim.zip(self.claim_kind).zip(self.claim_reason);
        Ok(PurchaseRow {
            product: self.product,
            option: self.option,
            name: self.name,
            option_name: self.option_name,
            code: self.code,
            thumb: self.thumb,
            quantity: u32::try_from(self.quantity)?,
            unit_price: self.unit_price,
            paid: self.paid,
            order_status: purchase.order_status,
            claim_status: purchase.claim_status,
            purchase_status: purchase.purchase_status,
            collection_status: purchase.collection_status,
            status_text: purchase.status_text(self.awaits_deposit),
            seller: SellerRef::unnamed(purchase.seller),
            tracking_url: tracking(&purchase),
            confirm_on: purchase.confirm_on,
            claim: claim.map(|(claim, reason)| {
                ClaimRef::new(
                    claim,
                    reason,
                    (self.claim_for_staff, self.claim_rejection),
                    (self.claim_fault, self.claim_fee),
                )
            }),
            next_actions: purchase.actions(reader, pending),
            purchase_no: purchase.purchase_no,
            split_from: purchase.split_from,
            courier: purchase
                .invoice
                .as_ref()
                .map(|parcel| parcel.courier.clone()),
            invoice_no: purchase.invoice.map(|parcel| parcel.invoice_no),
        })
    }
}

/// Tracking page of its parcel.
fn tracking(purchase: &Purchase) -> Option<String> {
    let parcel = purchase.invoice.as_ref()?;
    tracking_url(&parcel.courier, &parcel.invoice_no)
}

/// The order's status text: the common one of all its purchases, else that of its own status.
fn status_text(order: &Order) -> String {
    let texts = order.purchases.iter().map(|one| order.status_text(one));
    let texts: BTreeSet<String> = texts.collect();
    match texts.first() {
        Some(text) if texts.len() == 1 => text.clone(),
        _ => order.status().message().to_owned(),
    }
}

impl OrderView<'_> {
    fn terms(&self) -> Result<&OrderTerms, ReadError> {
        let unknown = |_| ReadError::Unknown(format!("order {}", self.id));
        self.state.terms().map_err(unknown)
    }

    /// The order as a list shows it to `reader`.
    ///
    /// # Errors
    /// [`ReadError::Unknown`] before it was placed; [`ReadError::MissingTerms`].
    pub fn card(&self, reader: Reader, slice: Option<OrderSlice>) -> Result<OrderCard, ReadError> {
        let order = self.state;
        let terms = self.terms()?;
        let purchases = order
            .purchases
            .iter()
            .filter(|purchase| is_seen_by(reader, purchase.seller))
            .filter(|purchase| slice.is_none_or(|slice| slice.holds(purchase)))
            .map(|purchase| purchase_row(order, purchase, reader))
            .collect::<Result<_, _>>()?;
        Ok(OrderCard {
            id: self.id,
            order_no: terms.order_no.clone(),
            created_at: self.created_at,
            status: order.status(),
            status_text: status_text(order),
            payable: terms.totals.payable,
            pay_by: order.pay_by().unwrap_or(terms.pay_by),
            payment_method: terms.payment_method,
            purchases,
            next_actions: order.next_actions(reader),
        })
    }

    /// The order in full, without personal data.
    ///
    /// # Errors
    /// As [`OrderView::card`].
    pub fn detail(
        &self,
        reader: Reader,
        payments: Vec<PaymentCard>,
        timeline: Vec<TimelineEntry>,
    ) -> Result<OrderDetail, ReadError> {
        let terms = self.terms()?;
        let mine = |seller: MemberId| is_seen_by(reader, seller);
        let fares: Vec<FareTerms> = terms
            .fares
            .iter()
            .filter(|fare| mine(fare.seller))
            .cloned()
            .collect();
        let coupons = terms
            .coupons
            .iter()
            .filter(|used| match reader {
                Reader::Seller(own) => used.seller == Some(own),
                Reader::Buyer | Reader::Staff => true,
            })
            .cloned()
            .collect();
        let placed = self.state.placed_terms();
        let placed = placed.map_err(|_| ReadError::Unknown(format!("order {}", self.id)))?;
        let whole = !matches!(reader, Reader::Seller(_));
        let mut claims = claims_seen_by(self.state, self.claim_times, reader);
        say_methods(&mut claims, &payments);
        Ok(OrderDetail {
            card: self.card(reader, None)?,
            sender: None,
            receiver: None,
            remark: None,
            request_message: None,
            depositor: None,
            totals: if whole {
                terms.totals
            } else {
                slice_totals(&placed, mine)
            },
            fares,
            coupons,
            claims,
            amounts: amounts_seen_by(self.state, reader)?,
            payments: if whole { payments } else { Vec::new() },
            timeline: if whole { timeline } else { Vec::new() },
            version: self.version,
            position: self.position,
        })
    }
}

/// Totals of the part of an order that one seller delivers.
fn slice_totals(terms: &OrderTerms, mine: impl Fn(MemberId) -> bool) -> Totals {
    let of_lines = |amount: fn(&PurchaseTerms) -> Amount| -> Amount {
        let lines = terms.purchases.iter().filter(|line| mine(line.seller));
        lines.map(amount).sum()
    };
    let of_fares = |amount: fn(&FareTerms) -> Amount| -> Amount {
        let fares = terms.fares.iter().filter(|fare| mine(fare.seller));
        fares.map(amount).sum()
    };
    Totals {
        goods: of_lines(|line| line.goods().unwrap_or_default()),
        product_discount: of_lines(|line| line.product_discount),
        level_discount: of_lines(|line| line.level_discount),
        product_coupon: of_lines(|line| line.product_coupon),
        fares: of_fares(|fare| {
            [fare.fare, fare.island_fee, fare.service_fee]
                .into_iter()
                .sum()
        }),
        fare_coupon: of_fares(|fare| fare.fare_coupon),
        total_coupon: [
            of_lines(|line| line.total_coupon),
            of_fares(|fare| fare.total_coupon),
        ]
        .into_iter()
        .sum(),
        points: [of_lines(|line| line.points), of_fares(|fare| fare.points)]
            .into_iter()
            .sum(),
        payable: [of_lines(|line| line.paid), of_fares(|fare| fare.paid)]
            .into_iter()
            .sum(),
    }
}
