//! Details of one order. The order itself is loaded from the log, so it is always current; related data (payments, timeline) comes
//! from the read models.

use application::members::profiles::SellerNames;
use domain::ids::OrderId;
use domain::order::Reader;
use domain::personal::{BankAccount, DepositTerms, Party};
use projections::order_timeline::{self, timeline};
use projections::orders::{
    self, OrderDetail, OrderView, PurchaseRow, payments_of, times_of_claims,
};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, AppResult, Respond};
use application::executor::CommandOutcome;
use application::orders::find::FoundOrder;

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

/// All details of an order visible to `reader`.
///
/// # Errors
/// Database errors.
pub async fn detail(app: &AppState, found: &FoundOrder, reader: Reader) -> AppResult<OrderDetail> {
    let payments = payments_of(app.pool(), found.id).await?;
    let story = timeline(app.pool(), found.id, None).await?;
    let claim_times = times_of_claims(app.pool(), found.id).await?;
    let view = View(OrderView {
        id: found.id,
        state: &found.order.state,
        claim_times: &claim_times,
        created_at: found.created_at,
        version: i64::try_from(found.order.version).unwrap_or(i64::MAX),
        position: found.order.position,
    });
    view.detail_with(app, reader, payments, story).await
}

/// An order as of any point, with access to its sealed data.
pub struct View<'a>(pub OrderView<'a>);

impl View<'_> {
    /// All details, with the names of its parties and sellers.
    ///
    /// # Errors
    /// Database errors.
    pub async fn detail_with(
        &self,
        app: &AppState,
        reader: Reader,
        payments: Vec<projections::orders::PaymentCard>,
        story: Vec<projections::orders::TimelineEntry>,
    ) -> AppResult<OrderDetail> {
        let mut detail = self.0.detail(reader, payments, story)?;
        let terms = self.0.state.terms()?;
        detail.sender = app.open::<Party>(&terms.sender).await?;
        detail.receiver = app.open::<Party>(self.0.state.receiver()?).await?;
        if let Some(message) = &terms.request_message {
            detail.request_message = app.open::<String>(message).await?;
        }
        if let Some(deposit) = &terms.deposit
            && !matches!(reader, Reader::Seller(_))
        {
            detail.depositor = app
                .open::<DepositTerms>(deposit)
                .await?
                .map(|deposit| deposit.depositor);
        }
        open_purchases(app, &mut detail.card.purchases).await?;
        if reader == Reader::Staff {
            if let Some(note) = &self.0.state.staff_note {
                detail.remark = app.open::<String>(note).await?;
            }
            for payment in &mut detail.payments {
                if let Some(sealed) = &payment.sealed_account {
                    payment.refund_account = app.open::<BankAccount>(sealed).await?;
                }
            }
        }
        for claim in &mut detail.claims {
            if reader == Reader::Staff
                && let Some(transfer) = claim
                    .exchange
                    .as_mut()
                    .and_then(|its| its.fee_transfer.as_mut())
                && let Some(sealed) = &transfer.sealed_account
            {
                transfer.account = app.open::<BankAccount>(sealed).await?;
            }
            if let Some(sealed) = &claim.sealed_reason
                && let Some(words) = app.open(sealed).await?
            {
                claim.reason = words;
            }
            if let Some(sealed) = &claim.sealed_pickup {
                claim.pickup = app.open(sealed).await?;
            }
        }
        Ok(detail)
    }
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
    let names = SellerNames::of(app, rows.iter().map(|row| row.seller.id)).await?;
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
            && let Some(words) = app.open(sealed).await?
        {
            claim.reason = words;
        }
    }
    Ok(())
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
    let found = FoundOrder::by_id(app, id).await?;
    detail(app, &found, reader).await
}
