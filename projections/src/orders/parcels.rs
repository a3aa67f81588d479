//! Parcels: goods that were sent out, came back, were sent back to the buyer, or replaced others.
//!
//! A parcel is derived from the events of an order, so it has no stream of its own. There is one for each purchase, and one for each
//! direction of a claim: goods of several purchases in one box are several rows with one number.

use domain::ids::{ClaimId, MemberId, OrderId, ProductId};
use domain::order::{Order, OrderEvent};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::row_store::{ChangedRows, Row};

/// Direction of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ParcelDirection {
    /// A purchase to the buyer.
    Out,
    /// The goods of a return or exchange, back from the buyer.
    Back,
    /// The goods of a rejected return or exchange, back to the buyer.
    SentBack,
    /// The replacement of an exchange.
    Replacement,
}

impl ParcelDirection {
    /// Code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Out => "OUT",
            Self::Back => "BACK",
            Self::SentBack => "SENT_BACK",
            Self::Replacement => "REPLACEMENT",
        }
    }

    /// Id of a claim's parcel in this direction.
    pub fn of_claim(self, claim: ClaimId) -> String {
        let way = match self {
            Self::Out => "out",
            Self::Back => "back",
            Self::SentBack => "sent-back",
            Self::Replacement => "replacement",
        };
        format!("{claim}-{way}")
    }
}

/// Status of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ParcelStatus {
    /// With the courier.
    Sent,
    /// Delayed.
    Delayed,
    /// Delivered; an inbound one: its goods were inspected.
    Arrived,
    /// Its goods came back before its delivery was reported.
    Returned,
}

impl ParcelStatus {
    /// Code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Sent => "SENT",
            Self::Delayed => "DELAYED",
            Self::Arrived => "ARRIVED",
            Self::Returned => "RETURNED",
        }
    }
}

/// A parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParcelRow {
    /// The number of its purchase, or its claim and direction.
    pub id: String,
    /// Its direction.
    pub direction: ParcelDirection,
    /// Its status.
    pub status: ParcelStatus,
    /// Its order.
    pub order_id: OrderId,
    /// The number of the order.
    pub order_no: String,
    /// The purchase in it.
    pub purchase_no: String,
    /// The claim its goods belong to; none for the first delivery.
    pub claim: Option<ClaimId>,
    /// Seller of the goods.
    pub seller: MemberId,
    /// The product.
    pub product: ProductId,
    /// Product name.
    pub name: String,
    /// Option value.
    pub option_name: Option<String>,
    /// Picture.
    pub thumb: Option<String>,
    /// Pieces.
    pub quantity: i64,
    /// Courier code; none for a pickup without an invoice number.
    pub courier: Option<String>,
    /// Invoice number.
    pub invoice_no: Option<String>,
    /// When the courier received it.
    #[serde(with = "crate::timestamp")]
    pub sent_at: OffsetDateTime,
    /// When it arrived.
    #[serde(with = "crate::timestamp::option")]
    pub arrived_at: Option<OffsetDateTime>,
    /// Reason of a delay.
    pub delay_reason: Option<String>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for ParcelRow {
    const TABLE: &'static str = "p_orders_v8_parcels";
    const KEY: &'static [&'static str] = &["id"];
}

/// An event of an order, with the order before it.
struct EventContext<'a> {
    order: (OrderId, &'a Order),
    at: OffsetDateTime,
    position: i64,
}

impl EventContext<'_> {
    /// The purchase whose goods a claim moves.
    fn purchase_of(&self, id: ClaimId) -> Option<String> {
        self.order.1.claim(id)?.purchase_nos.first().cloned()
    }

    /// A parcel sent at this event; none for goods the order does not have.
    fn sent(
        &self,
        (direction, claim): (ParcelDirection, Option<ClaimId>),
        purchase_no: &str,
    ) -> Option<ParcelRow> {
        let (order_id, order) = self.order;
        let terms = order.purchase_terms(purchase_no)?;
        let replacement = claim
            .filter(|_| direction == ParcelDirection::Replacement)
            .and_then(|claim| order.claim(claim)?.exchange());
        let option_name = match replacement {
            Some(exchange) => exchange.replacement.option_name.clone(),
            None => terms.option_name.clone(),
        };
        Some(ParcelRow {
            id: match claim {
                Some(claim) => direction.of_claim(claim),
                None => purchase_no.to_owned(),
            },
            direction,
            status: ParcelStatus::Sent,
            order_id,
            order_no: order.terms().ok()?.order_no.clone(),
            purchase_no: purchase_no.to_owned(),
            claim,
            seller: terms.seller,
            product: terms.product,
            name: terms.name.clone(),
            option_name,
            thumb: terms.thumb.clone(),
            quantity: i64::from(terms.quantity),
            courier: None,
            invoice_no: None,
            sent_at: self.at,
            arrived_at: None,
            delay_reason: None,
            position: self.position,
        })
    }
}

impl ParcelRow {
    /// Marks it as sent, with this invoice number.
    fn carry(&mut self, courier: Option<&String>, invoice_no: Option<&String>) {
        self.courier = courier.cloned();
        self.invoice_no = invoice_no.cloned();
        self.status = ParcelStatus::Sent;
        self.delay_reason = None;
    }

    fn delay(&mut self, reason: &str) {
        self.status = ParcelStatus::Delayed;
        self.delay_reason = Some(reason.to_owned());
    }

    fn arrive(&mut self, at: OffsetDateTime) {
        self.status = ParcelStatus::Arrived;
        self.arrived_at = Some(at);
        self.delay_reason = None;
    }
}

/// Parcels by id.
type Parcels = ChangedRows<ParcelRow>;

/// Marks the parcel of a purchase or claim as sent with this number; the sent time is kept if it was sent before.
fn carry(
    rows: &mut Parcels,
    context: &EventContext<'_>,
    (way, purchase_no): ((ParcelDirection, Option<ClaimId>), Option<&str>),
    (courier, invoice_no): (Option<&String>, Option<&String>),
) {
    let Some(purchase_no) = purchase_no else {
        return;
    };
    let id = match way {
        (direction, Some(claim)) => direction.of_claim(claim),
        (_, None) => purchase_no.to_owned(),
    };
    if rows.get(&id).is_none()
        && let Some(row) = context.sent(way, purchase_no)
    {
        rows.put(id.clone(), row);
    }
    change(rows, &id, context, |row| row.carry(courier, invoice_no));
}

/// Changes a parcel that may not have been sent yet.
fn change(
    rows: &mut Parcels,
    id: &str,
    context: &EventContext<'_>,
    change: impl FnOnce(&mut ParcelRow),
) {
    if let Some(row) = rows.get_mut(id) {
        row.position = context.position;
        change(row);
    }
}

/// Applies an event to the parcels.
fn take(rows: &mut Parcels, event: &OrderEvent, context: &EventContext<'_>) {
    match event {
        OrderEvent::PurchaseShipped {
            purchase_no,
            courier,
            invoice_no,
            ..
        } => {
            let way = (ParcelDirection::Out, None);
            let number = (Some(courier), Some(invoice_no));
            carry(rows, context, (way, Some(purchase_no)), number);
        }
        OrderEvent::InvoiceCorrected {
            purchase_no,
            courier,
            invoice_no,
        } => change(rows, purchase_no, context, |row| {
            row.carry(Some(courier), Some(invoice_no));
        }),
        OrderEvent::PurchaseDelayed {
            purchase_no,
            reason,
        } => change(rows, purchase_no, context, |row| row.delay(reason)),
        OrderEvent::PurchaseDelivered { purchase_no, .. } => delivered(rows, purchase_no, context),
        OrderEvent::PurchaseSplit {
            from,
            purchase_no,
            part,
        } => split(rows, (from, purchase_no, part.quantity), context),
        OrderEvent::GoodsPickedUp {
            claim,
            courier,
            invoice_no,
        } => {
            let way = (ParcelDirection::Back, Some(*claim));
            let goods = context.purchase_of(*claim);
            let number = (courier.as_ref(), invoice_no.as_ref());
            carry(rows, context, (way, goods.as_deref()), number);
        }
        OrderEvent::GoodsInspected { claim, arrived, .. } => {
            let id = ParcelDirection::Back.of_claim(*claim);
            change(rows, &id, context, |row| {
                row.arrive(context.at);
                row.quantity = i64::from(*arrived);
            });
            // Goods that are back with the seller are not in transit to the buyer.
            let is_under_way = |row: &ParcelRow| row.status != ParcelStatus::Arrived;
            let out = context.purchase_of(*claim).unwrap_or_default();
            if rows.get(&out).is_some_and(is_under_way) {
                change(rows, &out, context, |row| {
                    row.status = ParcelStatus::Returned;
                    row.delay_reason = None;
                });
            }
        }
        OrderEvent::GoodsSentBack {
            claim,
            courier,
            invoice_no,
        } => {
            let way = (ParcelDirection::SentBack, Some(*claim));
            let goods = context.purchase_of(*claim);
            let number = (Some(courier), Some(invoice_no));
            carry(rows, context, (way, goods.as_deref()), number);
        }
        OrderEvent::ReplacementShipped {
            claim,
            courier,
            invoice_no,
            ..
        } => {
            let way = (ParcelDirection::Replacement, Some(*claim));
            let goods = context.purchase_of(*claim);
            let number = (Some(courier), Some(invoice_no));
            carry(rows, context, (way, goods.as_deref()), number);
        }
        OrderEvent::ReplacementDelayed { claim, reason } => {
            let id = ParcelDirection::Replacement.of_claim(*claim);
            change(rows, &id, context, |row| row.delay(reason));
        }
        OrderEvent::ExchangeCompleted { claim, .. } => {
            let id = ParcelDirection::Replacement.of_claim(*claim);
            change(rows, &id, context, |row| row.arrive(context.at));
        }
        _ => {}
    }
}

/// A delivery concerns the outbound parcel, unless its goods came back: then the one they were sent back in.
fn delivered(rows: &mut Parcels, purchase_no: &str, context: &EventContext<'_>) {
    let claims = context.order.1.claims.iter();
    let claims = claims.filter(|claim| claim.purchase_nos.iter().any(|no| no == purchase_no));
    let sent_back: Vec<String> = claims
        .map(|claim| ParcelDirection::SentBack.of_claim(claim.id))
        .collect();
    for id in sent_back {
        if rows
            .get(&id)
            .is_some_and(|row| row.status == ParcelStatus::Sent)
        {
            change(rows, &id, context, |row| row.arrive(context.at));
        }
    }
    if rows
        .get(purchase_no)
        .is_some_and(|row| row.status != ParcelStatus::Returned)
    {
        change(rows, purchase_no, context, |row| row.arrive(context.at));
    }
}

/// Units split off after they were sent are in the same parcel.
fn split(
    rows: &mut Parcels,
    (from, purchase_no, pieces): (&str, &str, u32),
    at: &EventContext<'_>,
) {
    let pieces = i64::from(pieces);
    let Some(whole) = rows.get(from).cloned() else {
        return;
    };
    rows.put(
        purchase_no.to_owned(),
        ParcelRow {
            id: purchase_no.to_owned(),
            purchase_no: purchase_no.to_owned(),
            quantity: pieces,
            position: at.position,
            ..whole
        },
    );
    change(rows, from, at, |row| {
        row.quantity = row.quantity.saturating_sub(pieces);
    });
}

/// The parcels of the orders in a batch, while its events are applied.
pub(super) struct ParcelBatch(Parcels);

impl ParcelBatch {
    pub(super) async fn load(
        connection: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<Self, ReadError> {
        let key = |row: &ParcelRow| row.id.clone();
        let orders = streams(batch, "order");
        Ok(Self(
            ChangedRows::load(connection, ("order_id", "uuid"), orders, key).await?,
        ))
    }

    /// Applies an event; `order` is the state before it.
    pub(super) fn take(
        &mut self,
        recorded: &StoredEvent,
        event: &OrderEvent,
        order: (OrderId, &Order),
    ) {
        let context = EventContext {
            order,
            at: at(recorded),
            position: recorded.position,
        };
        take(&mut self.0, event, &context);
    }

    pub(super) async fn save(self, connection: &mut PgConnection) -> Result<(), ReadError> {
        self.0.save(connection).await
    }
}

/// The parcels of one order folded from its events, in no particular order: the rows of a read model that has caught up.
///
/// # Errors
/// [`ReadError`] for events that cannot belong to an order.
pub fn parcels_in(events: &[StoredEvent]) -> Result<Vec<ParcelRow>, ReadError> {
    let mut order = Order::default();
    let mut rows = ParcelBatch(ChangedRows::empty());
    for recorded in of(events, "order") {
        let event: OrderEvent = event(recorded)?;
        rows.take(recorded, &event, (stream_id(recorded)?, &order));
        order.evolve(event);
    }
    Ok(rows.0.values().cloned().collect())
}
