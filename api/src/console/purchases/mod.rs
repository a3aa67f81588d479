//! Purchases in the console, for staff and sellers. Each change is a named command on the order.

pub mod bulk;
mod claim_file;
pub mod dashboard;
pub mod dispatch;
pub mod exchange;
pub mod export;
pub mod filter;
pub mod invoice_import;
pub mod list;
pub mod pictures;
pub mod receivers;
pub mod refund;
pub mod refused;
pub mod revise;
pub mod show;

use domain::ids::OrderId;
use domain::order::{Order, OrderStatus, Reader, dispatch_due};
use event_store::StreamId;
use projections::orders::{
    self, ConsoleFilter, ConsolePurchase, FoundPurchase, OrderRow, PurchaseRow, console_purchase,
};
use projections::refunds::holidays;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{AppError, AppResult, RowScope};
use crate::shop::orders::detail::open_purchases;
use application::nickname_index::IndexedMember;
use application::orders::contacts::search_hashes;
use application::orders::find::{FoundOrder, id_of};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, refused::create))
        .routes(routes!(export::export))
        .routes(routes!(bulk::bulk))
        .routes(routes!(refund::preview))
        .routes(routes!(dashboard::dashboard))
        .routes(routes!(dispatch::sums))
        .routes(routes!(receivers::read))
        .routes(routes!(receivers::export))
        .routes(routes!(invoice_import::import))
        .routes(routes!(exchange::offered))
        .routes(routes!(pictures::show))
        .routes(routes!(show::show, revise::revise, refused::remove))
}

/// One purchase.
#[derive(Serialize, ToSchema)]
pub struct PurchaseAnswer {
    /// The purchase.
    pub(crate) purchase: ConsolePurchase,
}

/// The caller as a reader of orders.
pub(crate) fn reader(rows: RowScope) -> Reader {
    match rows {
        RowScope::All => Reader::Staff,
        RowScope::Seller(seller) => Reader::Seller(seller),
    }
}

/// The order that contains a purchase, if it is within the caller's rows.
///
/// # Errors
/// `not_found`, also for a purchase of another seller.
pub(crate) async fn holder(
    app: &AppState,
    rows: RowScope,
    purchase_no: &str,
) -> AppResult<(FoundOrder, String)> {
    let purchase_no = purchase_no.trim().to_uppercase();
    let (order_no, _) = purchase_no
        .rsplit_once('-')
        .ok_or_else(AppError::not_found)?;
    let found = FoundOrder::by_id(app, id_of(app, order_no).await?).await?;
    let purchase = found
        .order
        .state
        .purchase(&purchase_no)
        .ok_or_else(AppError::not_found)?;
    rows.reaches(purchase.seller)?;
    Ok((found, purchase_no))
}

/// A purchase as the console shows it.
pub(crate) async fn shown(
    app: &AppState,
    order: OrderId,
    purchase_no: &str,
    reader: Reader,
) -> AppResult<PurchaseAnswer> {
    let row = orders::order(app.pool(), &order.to_string())
        .await?
        .ok_or_else(AppError::not_found)?;
    answer(app, &row, purchase_no, reader).await
}

async fn answer(
    app: &AppState,
    row: &OrderRow,
    purchase_no: &str,
    reader: Reader,
) -> AppResult<PurchaseAnswer> {
    let found = console_purchase(row, purchase_no, reader)?.ok_or_else(AppError::not_found)?;
    let purchase = named(app, vec![found])
        .await?
        .pop()
        .ok_or_else(AppError::not_found)?;
    Ok(PurchaseAnswer { purchase })
}

/// The same from the log: the read models may not know the order, or its last command, yet.
pub(crate) async fn current(
    app: &AppState,
    order: OrderId,
    purchase_no: &str,
    reader: Reader,
) -> AppResult<PurchaseAnswer> {
    let events = app.store.read_stream(&StreamId::of::<Order>(order)).await?;
    let row = orders::row_of(&events)?.ok_or_else(AppError::not_found)?;
    answer(app, &row, purchase_no, reader).await
}

/// Whether it is paid and neither sent nor given back.
fn is_to_be_sent(purchase: &PurchaseRow) -> bool {
    let waits = matches!(
        purchase.order_status,
        OrderStatus::Payment | OrderStatus::Confirm | OrderStatus::Delayed
    );
    waits && purchase.courier.is_none() && purchase.claim_status.is_closed()
}

/// Purchases with the sealed data of buyers and receivers decrypted, and the names of sellers.
pub(crate) async fn named(
    app: &AppState,
    found: Vec<FoundPurchase>,
) -> AppResult<Vec<ConsolePurchase>> {
    let people = found.iter().flat_map(|one| [&one.sender, &one.receiver]);
    let keys: Vec<_> = people.map(|party| (party.subject, party.purpose)).collect();
    app.keys.prefetch(keys).await?;
    let mut rows = Vec::with_capacity(found.len());
    let holidays = holidays(app.pool()).await?;
    for one in found {
        let mut row = one.row;
        row.ship_by = row
            .paid_at
            .filter(|_| is_to_be_sent(&row.purchase))
            .and_then(|paid| dispatch_due(paid, &holidays));
        row.buyer_name = app.open(&one.sender).await?.map(|party| party.name);
        row.receiver_name = app.open(&one.receiver).await?.map(|party| party.name);
        rows.push(row);
    }
    open_purchases(app, rows.iter_mut().map(|row| &mut row.purchase)).await?;
    Ok(rows)
}

/// The search of the console: any part of a number, a product's name, the exact name, nickname or phone of a buyer or receiver, or the last
/// four digits of the phone.
pub(crate) async fn searching(app: &AppState, search: Option<&str>) -> AppResult<ConsoleFilter> {
    let Some(search) = search.map(str::trim).filter(|search| !search.is_empty()) else {
        return Ok(ConsoleFilter::default());
    };
    let nickname = search.to_lowercase();
    let is_theirs = |member: &IndexedMember| member.nickname.to_lowercase() == nickname;
    let named = app.nickname_index.find(search, is_theirs).await?;
    Ok(ConsoleFilter {
        contact_hashes: search_hashes(&app.keys, search),
        named: named.into_iter().map(|member| member.id).collect(),
        search: Some(search.to_owned()),
        ..ConsoleFilter::default()
    })
}
