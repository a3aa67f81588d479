//! Finds orders in the log.

use domain::ids::{MemberId, OrderId};
use domain::order::{Buyer, Order};
use event_store::{StreamId, Versioned};
use time::OffsetDateTime;

use crate::access::Shopper;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::reservations::ORDER_NO;

/// An order loaded from the log.
#[derive(Clone, Debug)]
pub struct FoundOrder {
    /// Its id.
    pub id: OrderId,
    /// The order.
    pub order: Versioned<Order>,
    /// Time it was placed.
    pub created_at: OffsetDateTime,
}

impl FoundOrder {
    /// The order with this id.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn by_id(app: &App, id: OrderId) -> AppResult<Self> {
        let events = app.store.read_stream(&StreamId::of::<Order>(id)).await?;
        let first = events.first().ok_or_else(AppError::not_found)?;
        Ok(Self {
            id,
            created_at: first.metadata.occurred_at,
            order: Versioned::fold(&events)?,
        })
    }

    /// The order with this id or number.
    ///
    /// # Errors
    /// `not_found`.
    pub async fn by_id_or_no(app: &App, text: &str) -> AppResult<Self> {
        let id = match text.parse() {
            Ok(id) => id,
            Err(_) => id_of(app, text).await?,
        };
        Self::by_id(app, id).await
    }

    /// The order with this id or number, if the viewer may see it.
    ///
    /// # Errors
    /// `not_found`, also for orders of others.
    pub async fn own(app: &App, text: &str, viewer: &Shopper) -> AppResult<Self> {
        let found = Self::by_id_or_no(app, text).await?;
        viewer.reaches(found.id, found.member())?;
        Ok(found)
    }

    /// The member who placed it; none for a guest.
    pub fn member(&self) -> Option<MemberId> {
        match self.order.state.buyer() {
            Some(Buyer::Member { id }) => Some(*id),
            Some(Buyer::Guest { .. }) | None => None,
        }
    }
}

/// The id of an order number, regardless of case.
///
/// # Errors
/// `not_found`.
pub async fn id_of(app: &App, order_no: &str) -> AppResult<OrderId> {
    let number = order_no.trim().to_uppercase();
    let hash = app.keys.lookup_hash(ORDER_NO, &number);
    let owner = app.store.reserved_by(ORDER_NO, &hash).await?;
    let owner = owner.ok_or_else(AppError::not_found)?;
    owner.parse().map_err(AppError::internal)
}

/// The number of the order a purchase is in: everything before the last hyphen.
///
/// # Errors
/// `not_found` if the text is not a purchase number.
pub fn order_no_of(purchase_no: &str) -> AppResult<&str> {
    purchase_no
        .rsplit_once('-')
        .map(|(order_no, _)| order_no)
        .ok_or_else(AppError::not_found)
}
