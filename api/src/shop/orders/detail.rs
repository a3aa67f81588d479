//! Details of one order. The order itself is loaded from the log, so it is always current; related data (payments, timeline) comes
//! from the read models.

use domain::ids::OrderId;
use domain::order::{Buyer, Order, Reader};
use domain::personal::{DepositTerms, Party};
use domain::{SealLabel, Sealed};
use event_store::{StreamId, Versioned};
use projections::order_timeline::{self, timeline};
use projections::orders::{self, OrderDetail, OrderView, PurchaseRow, payments_of};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::ORDER_NO;
use crate::app::AppState;
use crate::http::{ApiResponse, AppError, AppResult, OrderViewer, Respond};
use crate::shop::sellers::Nicknames;
use application::executor::CommandOutcome;

/// The read models used by a detail.
pub const READS: [&str; 2] = [orders::NAME, order_timeline::NAME];
/// Maximum wait for them after a command.
pub(super) const PATIENCE: Duration = Duration::from_millis(1_500);

/// Response with one order.
#[derive(Serialize, ToSchema)]
pub struct OrderAnswer {
    /// The order.
    pub order: OrderDetail,
}

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
    pub async fn by_id(app: &AppState, id: OrderId) -> AppResult<Self> {
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
    pub async fn by_id_or_no(app: &AppState, text: &str) -> AppResult<Self> {
        let id = match text.parse() {
            Ok(id) => id,
            Err(_) => id_of(app, text).await?,
        };
        Self::by_id(app, id).await
    }

    /// The order with this id or number, if the reader may see it.
    ///
    /// # Errors
    /// `not_found`, also for orders of others.
    pub async fn own(app: &AppState, text: &str, reader: &OrderViewer) -> AppResult<Self> {
        let found = Self::by_id_or_no(app, text).await?;
        reader.reaches(found.id, found.member())?;
        Ok(found)
    }

    /// The member who placed it; none for a guest.
    pub fn member(&self) -> Option<domain::ids::MemberId> {
        match self.order.state.buyer() {
            Some(Buyer::Member { id }) => Some(*id),
            Some(Buyer::Guest { .. }) | None => None,
        }
    }

    /// All details visible to `reader`.
    ///
    /// # Errors
    /// Database errors.
    pub async fn detail(&self, app: &AppState, reader: Reader) -> AppResult<OrderDetail> {
        let payments = payments_of(app.pool(), self.id).await?;
        let story = timeline(app.pool(), self.id, None).await?;
        self.view().detail_with(app, reader, payments, story).await
    }

    fn view(&self) -> View<'_> {
        View(OrderView {
            id: self.id,
            state: &self.order.state,
            created_at: self.created_at,
            version: i64::try_from(self.order.version).unwrap_or(i64::MAX),
            position: self.order.position,
        })
    }
}

/// An order as of any point, with access to its sealed data.
pub struct View<'a>(pub OrderView<'a>);

impl View<'_> {
    /// All details, with the names of its parties and sellers.
    ///
    /// # Errors
    /// `not_found` before it was placed; database errors.
    pub async fn detail_with(
        &self,
        app: &AppState,
        reader: Reader,
        payments: Vec<projections::orders::PaymentCard>,
        story: Vec<projections::orders::TimelineEntry>,
    ) -> AppResult<OrderDetail> {
        let mut detail = self
            .0
            .detail(reader, payments, story)
            .ok_or_else(AppError::not_found)?;
        let terms = self.0.state.terms()?;
        detail.sender = open::<Party>(app, &terms.sender).await?;
        detail.receiver = open::<Party>(app, &terms.receiver).await?;
        if let Some(message) = &terms.request_message {
            detail.request_message = open::<String>(app, message).await?;
        }
        if let Some(deposit) = &terms.deposit
            && !matches!(reader, Reader::Seller(_))
        {
            detail.depositor = open::<DepositTerms>(app, deposit)
                .await?
                .map(|deposit| deposit.depositor);
        }
        open_purchases(app, &mut detail.card.purchases).await?;
        Ok(detail)
    }
}

/// Opens a seal; none if its key is destroyed.
///
/// # Errors
/// Database errors; a forged seal.
pub(crate) async fn open<T: DeserializeOwned + SealLabel>(
    app: &AppState,
    sealed: &Sealed<T>,
) -> AppResult<Option<T>> {
    Ok(app.keys.open(sealed).await?.value())
}

/// Fills in the sealed parts of purchases: sellers' names, and buyers' claim reasons.
///
/// # Errors
/// Database errors; a forged seal.
pub(crate) async fn open_purchases<'a>(
    app: &AppState,
    purchases: impl IntoIterator<Item = &'a mut PurchaseRow>,
) -> AppResult<()> {
    let rows: Vec<&mut PurchaseRow> = purchases.into_iter().collect();
    let names = Nicknames::of(app, rows.iter().map(|row| row.seller.id)).await?;
    let reasons = rows
        .iter()
        .filter_map(|row| row.claim.as_ref()?.sealed.as_ref());
    let keys: Vec<_> = reasons
        .map(|words| (words.subject, words.purpose))
        .collect();
    app.keys.prefetch(keys).await?;
    for row in rows {
        names.name(&mut row.seller);
        if let Some(claim) = &mut row.claim
            && let Some(sealed) = &claim.sealed
            && let Some(words) = open(app, sealed).await?
        {
            claim.reason = words;
        }
    }
    Ok(())
}

/// The id of an order number, regardless of case.
///
/// # Errors
/// `not_found`.
pub(crate) async fn id_of(app: &AppState, order_no: &str) -> AppResult<OrderId> {
    let hash = app
        .keys
        .lookup_hash(ORDER_NO, &order_no.trim().to_uppercase());
    let owner = app
        .store
        .reserved_by(ORDER_NO, &hash)
        .await?
        .ok_or_else(AppError::not_found)?;
    owner.parse().map_err(AppError::internal)
}

/// The response to a command on an order: its present state.
///
/// # Errors
/// Database errors.
pub(crate) async fn after(
    app: &AppState,
    done: &CommandOutcome,
    id: OrderId,
    reader: Reader,
) -> AppResult<ApiResponse<OrderAnswer>> {
    let order = current(app, done, id, reader).await?;
    Ok(done.answer(OrderAnswer { order }))
}

/// The order after a command.
///
/// # Errors
/// Database errors.
pub(crate) async fn current(
    app: &AppState,
    done: &CommandOutcome,
    id: OrderId,
    reader: Reader,
) -> AppResult<OrderDetail> {
    if let Some(position) = done.position {
        app.store.wait_for(&READS, position, PATIENCE).await?;
    }
    FoundOrder::by_id(app, id).await?.detail(app, reader).await
}
