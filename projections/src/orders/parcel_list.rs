//! Parcels as the console lists them.

use domain::ids::{ClaimId, MemberId, OrderId, ProductId};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{ParcelDirection, ParcelRow, ParcelStatus, courier_name, tracking_url};
use crate::error::ReadError;
use crate::ngrams::escaped;
use crate::page::{List, ListPage, Page};
use crate::seller::SellerRef;

/// A parcel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parcel {
    /// The number of its purchase, or its claim and direction.
    #[serde(rename = "_id")]
    pub id: String,
    /// Outbound, inbound, sent back or replacement.
    pub direction: ParcelDirection,
    /// Its status.
    pub status: ParcelStatus,
    /// Text of the status on the screen.
    pub status_text: String,
    /// Its order.
    #[serde(rename = "_order")]
    pub order: OrderId,
    /// The number of its order.
    pub order_no: String,
    /// The purchase in it.
    pub purchase_no: String,
    /// The claim its goods belong to; none for the first delivery.
    #[serde(rename = "_claim")]
    pub claim: Option<ClaimId>,
    /// Seller of the goods.
    pub seller: SellerRef,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Product name when ordered.
    pub name: String,
    /// Option value when ordered.
    pub option_name: Option<String>,
    /// Picture when ordered.
    pub thumb: Option<String>,
    /// Pieces.
    pub quantity: i64,
    /// Courier code; none for a pickup without an invoice number.
    pub courier: Option<String>,
    /// The courier's name.
    pub courier_name: Option<String>,
    /// Invoice number.
    pub invoice_no: Option<String>,
    /// Tracking page.
    pub tracking_url: Option<String>,
    /// When the courier received it.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub sent_at: OffsetDateTime,
    /// When it arrived.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub arrived_at: Option<OffsetDateTime>,
    /// Reason of a delay.
    pub delay_reason: Option<String>,
}

/// Text of a parcel's status on the screen.
const fn status_text(direction: ParcelDirection, status: ParcelStatus) -> &'static str {
    match (direction, status) {
        (ParcelDirection::Back, ParcelStatus::Sent) => "회수중",
        (ParcelDirection::Back, ParcelStatus::Arrived) => "회수완료",
        (_, ParcelStatus::Sent) => "배송중",
        (_, ParcelStatus::Delayed) => "배송지연",
        (_, ParcelStatus::Arrived) => "배송완료",
        (_, ParcelStatus::Returned) => "되돌아옴",
    }
}

impl From<ParcelRow> for Parcel {
    fn from(row: ParcelRow) -> Self {
        let followed = row.courier.as_deref().zip(row.invoice_no.as_deref());
        Self {
            tracking_url: followed.and_then(|(courier, no)| tracking_url(courier, no)),
            courier_name: row.courier.as_deref().and_then(courier_name),
            status_text: status_text(row.direction, row.status).to_owned(),
            id: row.id,
            direction: row.direction,
            status: row.status,
            order: row.order_id,
            order_no: row.order_no,
            purchase_no: row.purchase_no,
            claim: row.claim,
            seller: SellerRef::unnamed(row.seller),
            product: row.product,
            name: row.name,
            option_name: row.option_name,
            thumb: row.thumb,
            quantity: row.quantity,
            courier: row.courier,
            invoice_no: row.invoice_no,
            sent_at: row.sent_at,
            arrived_at: row.arrived_at,
            delay_reason: row.delay_reason,
        }
    }
}

/// Filter of parcels.
#[derive(Clone, Debug, Default)]
pub struct ParcelFilter {
    /// Only rows of this seller, the reader.
    pub seller: Option<MemberId>,
    /// Only parcels with goods of this seller.
    pub sold_by: Option<MemberId>,
    /// Their direction.
    pub direction: Option<ParcelDirection>,
    /// Their status.
    pub status: Option<ParcelStatus>,
    /// Courier code.
    pub courier: Option<String>,
    /// Exactly this invoice number.
    pub invoice_no: Option<String>,
    /// Of the order with this number.
    pub order_no: Option<String>,
    /// Of the purchase with this number.
    pub purchase_no: Option<String>,
    /// The number of an order or purchase or a prefix of it, or exactly an invoice number.
    pub search: Option<String>,
    /// Sent at or after.
    pub from: Option<OffsetDateTime>,
    /// Sent before.
    pub to: Option<OffsetDateTime>,
    /// The oldest first, instead of the newest.
    pub oldest_first: bool,
}

impl ParcelFilter {
    const fn order(&self) -> &'static str {
        match self.oldest_first {
            true => "p.sent_at, p.id",
            false => "p.sent_at DESC, p.id DESC",
        }
    }

    fn push(&self, query: &mut QueryBuilder<'_, Postgres>) {
        query.push("true");
        for seller in [self.seller, self.sold_by].into_iter().flatten() {
            query.push(" AND p.seller = ").push_bind(seller.0);
        }
        let texts = [
            (
                " AND p.direction = ",
                self.direction.map(ParcelDirection::code),
            ),
            (" AND p.status = ", self.status.map(ParcelStatus::code)),
            (" AND p.courier = ", self.courier.as_deref()),
            (" AND p.invoice_no = ", self.invoice_no.as_deref()),
            (" AND p.order_no = ", self.order_no.as_deref()),
            (" AND p.purchase_no = ", self.purchase_no.as_deref()),
        ];
        for (condition, text) in texts {
            if let Some(text) = text {
                query.push(condition).push_bind(text.to_owned());
            }
        }
        if let Some(from) = self.from {
            query.push(" AND p.sent_at >= ").push_bind(from);
        }
        if let Some(to) = self.to {
            query.push(" AND p.sent_at < ").push_bind(to);
        }
        let search = self.search.as_deref().map(str::trim).unwrap_or_default();
        if !search.is_empty() {
            // a purchaseNo starts with its orderNo
            let number = format!("{}%", escaped(&search.to_uppercase()));
            query
                .push(" AND (p.purchase_no LIKE ")
                .push_bind(number)
                .push(" OR p.invoice_no = ")
                .push_bind(search.to_owned())
                .push(")");
        }
    }
}

/// A page of parcels.
///
/// # Errors
/// [`ReadError`].
pub async fn parcels(
    pool: &PgPool,
    filter: &ParcelFilter,
    page: Page,
) -> Result<ListPage<Parcel>, ReadError> {
    let list = List {
        select: "to_jsonb(p)",
        from: "orders_parcels p",
        narrow: "orders_parcels p",
        key: "p.id",
        order: filter.order(),
    };
    let found: ListPage<ParcelRow> = list.page(pool, page, |query| filter.push(query)).await?;
    Ok(found.map(Parcel::from))
}

/// One parcel.
///
/// # Errors
/// [`ReadError`].
pub async fn parcel(pool: &PgPool, id: &str) -> Result<Option<ParcelRow>, ReadError> {
    let row: Option<serde_json::Value> =
        sqlx::query_scalar("SELECT to_jsonb(p) FROM orders_parcels p WHERE p.id = $1")
            .bind(id)
            .fetch_optional(pool)
            .await?;
    Ok(row.map(serde_json::from_value).transpose()?)
}
