//! Orders, their purchases and parcels, and their payments.
//!
//! The row of an order holds the `domain` state of the order, so `domain` answers what a detail page shows and which actions it offers. The
//! rows of purchases are for listing, counting and searching: they hold everything lists show of a purchase, and the input of `domain`'s
//! decision on its actions.

mod amounts;
mod claim_times;
mod claims;
mod console_lists;
mod couriers;
mod dispatch;
mod list_placement;
mod parcel_list;
mod parcels;
mod payments;
mod queries;
mod recent;
mod sales;
mod views;

use domain::ids::{ClaimId, MemberId, OptionId, OrderId, ProductId};
use domain::order::{
    Buyer, CancelReason, Claim, ClaimFeeState, ClaimKind, ClaimStatus, CollectionStatus, Fault,
    Order, OrderEvent, OrderStatus, Purchase, PurchaseStatus, PurchaseTerms, Reader,
};
use domain::payment::PaymentMethod;
use domain::personal::Party;
use domain::{Amount, Sealed};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};

use crate::counts::{self, Counts};
use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams, version};
use crate::macros::projection;
use crate::ngrams;
use crate::row_store::{ChangedRows, Row, insert, save};

pub use amounts::{PurchaseAmounts, Quantities};
pub use claim_times::{ClaimTimes, TimesOfClaims};
pub use claims::{
    ClaimParcel, ClaimRef, ClaimRefund, ClaimStage, ClaimView, FeeAmount, FeePaymentView,
};
pub use console_lists::*;
pub use couriers::*;
pub use dispatch::*;
pub use list_placement::*;
pub use parcel_list::*;
pub use parcels::{ParcelDirection, ParcelRow, ParcelStatus, parcels_in};
pub use payments::{PaymentCard, PaymentRow};
pub use queries::*;
pub use recent::*;
pub use sales::*;
pub use views::*;

use claims::{claim_on, rejection_of};
use parcels::ParcelBatch;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "orders";

/// The projection.
pub struct Orders;

/// One order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRow {
    /// The order.
    pub id: OrderId,
    /// Order number shown to people.
    pub order_no: String,
    /// The member who placed it; none for a guest.
    pub buyer: Option<MemberId>,
    /// A guest's phone as a keyed hash, hex.
    pub contact_hash: Option<String>,
    /// The order's own status.
    pub status: OrderStatus,
    /// Hundredths.
    pub payable: Amount,
    /// Payment method.
    pub payment_method: PaymentMethod,
    /// Payment deadline.
    #[serde(with = "crate::timestamp")]
    pub pay_by: OffsetDateTime,
    /// When it was placed.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it was paid.
    #[serde(with = "crate::timestamp::option")]
    pub paid_at: Option<OffsetDateTime>,
    /// Sender.
    pub sender: Sealed<Party>,
    /// Receiver, with the latest correction.
    pub receiver: Sealed<Party>,
    /// State of the order aggregate.
    pub state: Order,
    /// Timestamps of its claims.
    pub claim_times: TimesOfClaims,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for OrderRow {
    const TABLE: &'static str = "p_orders_v8";
    const KEY: &'static [&'static str] = &["id"];
}

/// One purchase, for listing, counting and searching.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurchaseColumns {
    /// Purchase number shown to people.
    pub purchase_no: String,
    /// Its order.
    pub order_id: OrderId,
    /// Its index in the order.
    pub line: i64,
    /// The number of the order.
    pub order_no: String,
    /// The member who placed the order.
    pub buyer: Option<MemberId>,
    /// The purchase it was split off; none: it was placed as it is.
    pub split_from: Option<String>,
    /// The product.
    pub product: ProductId,
    /// The option.
    pub option: Option<OptionId>,
    /// Seller of the product.
    pub seller: MemberId,
    /// Product code.
    pub code: String,
    /// Product name.
    pub name: String,
    /// Option value.
    pub option_name: Option<String>,
    /// Picture.
    pub thumb: Option<String>,
    /// Pieces.
    pub quantity: i64,
    /// Hundredths a piece.
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
    /// The console tab.
    pub tab: PurchaseTab,
    /// The list of my orders.
    pub list: Option<OrderList>,
    /// The group of claims of my orders.
    pub claim_group: Option<ClaimGroup>,
    /// Courier code.
    pub courier: Option<String>,
    /// Invoice number.
    pub invoice_no: Option<String>,
    /// The Seoul day it is confirmed automatically.
    #[serde(with = "crate::timestamp::day")]
    pub confirm_on: Option<Date>,
    /// Claim on it.
    pub claim: Option<ClaimId>,
    /// Kind of the claim.
    pub claim_kind: Option<ClaimKind>,
    /// Reason of the claim.
    pub claim_reason: Option<CancelReason>,
    /// The claim waits for its next step.
    pub claim_pending: bool,
    /// Whether the buyer paid the fee of an exchange.
    pub claim_fee: ClaimFeeState,
    /// The claim covers goods of several sellers, so staff answer it.
    pub claim_for_staff: bool,
    /// Reason of the rejection.
    pub claim_rejection: Option<String>,
    /// The party at fault.
    pub claim_fault: Option<Fault>,
    /// The order waits for the deposit into a virtual account.
    pub awaits_deposit: bool,
    /// N-grams of its name, option and code, for substring search.
    pub pieces: Vec<String>,
    /// When the order was placed.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When the order was paid.
    #[serde(with = "crate::timestamp::option")]
    pub paid_at: Option<OffsetDateTime>,
    /// Position of the order's last event.
    pub position: i64,
}

impl Row for PurchaseColumns {
    const TABLE: &'static str = "p_orders_v8_purchases";
    const KEY: &'static [&'static str] = &["purchase_no"];
}

impl OrderRow {
    fn placed(recorded: &StoredEvent, event: &OrderEvent) -> Result<Option<Self>, ReadError> {
        let OrderEvent::OrderPlaced(terms) = event else {
            return Ok(None);
        };
        let (buyer, contact_hash) = match &terms.buyer {
            Buyer::Member { id } => (Some(*id), None),
            Buyer::Guest { contact_hash } => (None, Some(contact_hash.clone())),
        };
        Ok(Some(Self {
            id: stream_id(recorded)?,
            order_no: terms.order_no.clone(),
            buyer,
            contact_hash,
            status: OrderStatus::Nonpayment,
            payable: terms.totals.payable,
            payment_method: terms.payment_method,
            pay_by: terms.pay_by,
            created_at: at(recorded),
            paid_at: None,
            sender: terms.sender.clone(),
            receiver: terms.receiver.clone(),
            state: Order::default(),
            claim_times: TimesOfClaims::default(),
            version: 0,
            position: 0,
        }))
    }

    fn purchases(&self) -> impl Iterator<Item = Result<PurchaseColumns, ReadError>> + '_ {
        (1_i64..)
            .zip(&self.state.purchases)
            .map(|(line, purchase)| self.columns(line, purchase))
    }

    fn columns(&self, line: i64, purchase: &Purchase) -> Result<PurchaseColumns, ReadError> {
        let terms = terms_of(&self.state, purchase)?;
        let claim = claim_on(&self.state, purchase);
        Ok(PurchaseColumns {
            purchase_no: purchase.purchase_no.clone(),
            order_id: self.id,
            line,
            order_no: self.order_no.clone(),
            buyer: self.buyer,
            split_from: purchase.split_from.clone(),
            product: terms.product,
            option: terms.option,
            seller: terms.seller,
            code: terms.code.clone(),
            name: terms.name.clone(),
            option_name: terms.option_name.clone(),
            thumb: terms.thumb.clone(),
            quantity: i64::from(terms.quantity),
            unit_price: terms.price_each(),
            paid: terms.paid,
            order_status: purchase.order_status,
            claim_status: purchase.claim_status,
            purchase_status: purchase.purchase_status,
            collection_status: purchase.collection_status,
            tab: tab(purchase),
            list: list(purchase),
            claim_group: claim_group(purchase),
            courier: purchase.invoice.as_ref().map(|i| i.courier.clone()),
            invoice_no: purchase.invoice.as_ref().map(|i| i.invoice_no.clone()),
            confirm_on: purchase.confirm_on,
            claim: claim.map(|claim| claim.id),
            claim_kind: claim.map(Claim::kind),
            claim_reason: claim.map(|claim| claim.reason.clone()),
            claim_pending: self.state.pending_claim(purchase).is_some(),
            claim_fee: claim.map(Claim::pending_fee).unwrap_or_default(),
            claim_fault: claim.and_then(Claim::fault),
            claim_for_staff: claim.is_some_and(|claim| self.state.is_of_several_sellers(claim)),
            claim_rejection: claim.and_then(rejection_of).cloned(),
            awaits_deposit: self.state.awaits_deposit(),
            pieces: ngrams::of(
                [terms.name.as_str(), terms.code.as_str()]
                    .into_iter()
                    .chain(terms.option_name.as_deref()),
            ),
            created_at: self.created_at,
            paid_at: self.paid_at,
            position: self.position,
        })
    }
}

/// The frozen terms of a purchase.
fn terms_of<'a>(order: &'a Order, purchase: &Purchase) -> Result<&'a PurchaseTerms, ReadError> {
    let no = &purchase.purchase_no;
    order
        .purchase_terms(no)
        .ok_or_else(|| ReadError::MissingTerms(no.clone()))
}

/// Whether `reader` may see goods of this seller.
fn is_seen_by(reader: Reader, seller: MemberId) -> bool {
    match reader {
        Reader::Buyer | Reader::Staff => true,
        Reader::Seller(own) => own == seller,
    }
}

/// The row of an event's order with all but its state, which is evolved last.
fn take<'rows>(
    orders: &'rows mut ChangedRows<OrderRow>,
    recorded: &StoredEvent,
    event: &OrderEvent,
) -> Result<&'rows mut OrderRow, ReadError> {
    let key = &recorded.stream.id;
    if let Some(row) = OrderRow::placed(recorded, event)? {
        orders.put(key.clone(), row);
    }
    let row = orders.known(key)?;
    match event {
        OrderEvent::OrderPaid { .. } => row.paid_at = Some(at(recorded)),
        OrderEvent::DepositAwaited { until, .. } => row.pay_by = *until,
        OrderEvent::ReceiverCorrected { receiver } => row.receiver = receiver.clone(),
        _ => {}
    }
    row.claim_times.take(event, at(recorded));
    row.version = version(recorded);
    row.position = recorded.position;
    Ok(row)
}

/// An order, from its events; none if there are none. Current even while the read model is behind.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<OrderRow>, ReadError> {
    let mut orders = ChangedRows::empty();
    for recorded in events {
        let event: OrderEvent = event(recorded)?;
        let row = take(&mut orders, recorded, &event)?;
        row.state.evolve(event);
        row.status = row.state.status();
    }
    Ok(orders.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut orders =
        ChangedRows::<OrderRow>::load(connection, ("id", "uuid"), streams(batch, "order"), |row| {
            row.id.to_string()
        })
        .await?;
    let mut parcels = ParcelBatch::load(connection, batch).await?;
    let before = live(&orders);
    for recorded in of(batch, "order") {
        let event: OrderEvent = event(recorded)?;
        let row = take(&mut orders, recorded, &event)?;
        parcels.take(recorded, &event, (row.id, &row.state));
        row.state.evolve(event);
        row.status = row.state.status();
    }
    counts::keep(connection, "p_orders_v8_counts", &before, live(&orders)).await?;
    let purchases = |orders: Vec<&OrderRow>| -> Result<Vec<PurchaseColumns>, ReadError> {
        orders.into_iter().flat_map(OrderRow::purchases).collect()
    };
    let (known, new) = orders.known_and_new();
    let (known, new) = (purchases(known)?, purchases(new)?);
    orders.save(connection).await?;
    parcels.save(connection).await?;
    // an order from before the batch may have new purchases, too, which were split off: they are inserted with the others
    save(connection, &known).await?;
    insert(connection, &new).await?;
    payments::apply(connection, batch).await
}

/// Count key of orders, beside the tabs of their purchases.
const ORDER: &str = "order";

/// Counts orders, and their purchases by tab. Empty tabs are included, so the result does not depend on how purchases are split into
/// batches.
fn live(orders: &ChangedRows<OrderRow>) -> Counts {
    let kinds = PurchaseTab::EACH.map(PurchaseTab::word);
    let none = kinds.into_iter().chain([ORDER]).map(|kind| (kind, true));
    let rows = orders.values().flat_map(|row| {
        let tabs = row.state.purchases.iter().map(|one| tab(one).word());
        tabs.chain([ORDER]).map(|kind| (kind, false))
    });
    counts::of(none.chain(rows))
}

projection!(Orders, version 8, reads "order", "payment"; rows of one, counted in "p_orders_v8_counts"; stops);

#[cfg(test)]
mod tests {
    use domain::Purpose;
    use uuid::Uuid;

    use super::*;

    /// An order with a purchase that is missing from its terms.
    fn with_a_stray_purchase() -> OrderRow {
        let sealed = || Sealed::from_parts(Uuid::nil(), Purpose::Statutory, "c2VhbA==".to_owned());
        let stray = Purchase {
            purchase_no: "20261121-7KD2M9QX-1".to_owned(),
            seller: MemberId(Uuid::nil()),
            order_status: OrderStatus::Payment,
            claim_status: ClaimStatus::None,
            purchase_status: PurchaseStatus::Awaiting,
            collection_status: CollectionStatus::None,
            invoice: None,
            delay_reason: None,
            confirm_on: None,
            deliver_by: None,
            split_from: None,
            borne_by_seller: None,
            ordered: None,
            difference: domain::Amount::ZERO,
            other_payments: Vec::new(),
            confirmed: None,
        };
        OrderRow {
            id: OrderId(Uuid::nil()),
            order_no: "20261121-7KD2M9QX".to_owned(),
            buyer: None,
            contact_hash: None,
            status: OrderStatus::Payment,
            payable: Amount::ZERO,
            payment_method: PaymentMethod::Card,
            pay_by: OffsetDateTime::UNIX_EPOCH,
            created_at: OffsetDateTime::UNIX_EPOCH,
            paid_at: None,
            sender: sealed(),
            receiver: sealed(),
            state: Order {
                purchases: vec![stray],
                ..Order::default()
            },
            claim_times: TimesOfClaims::default(),
            version: 1,
            position: 1,
        }
    }

    #[test]
    fn a_purchase_without_terms_is_an_error_and_not_left_out() {
        let row = with_a_stray_purchase();
        let columns: Result<Vec<_>, _> = row.purchases().collect();
        assert!(matches!(columns, Err(ReadError::MissingTerms(_))));
        for stray in &row.state.purchases {
            let shown = purchase_row(&row.state, stray, Reader::Staff);
            assert!(matches!(shown, Err(ReadError::MissingTerms(_))));
        }
        let listed = OrderView::from(&row).card(Reader::Staff, None);
        assert!(listed.is_err());
    }
}
