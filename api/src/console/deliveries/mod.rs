//! Parcels of the shop: shipments, returns, goods sent back to the buyer, and replacements. Each is derived from the events of its order,
//! so it is sent and corrected by commands on the order, and never removed.

pub mod list;
pub mod remove;
pub mod revise;
pub mod send;
pub mod show;

use application::members::profiles::SellerNames;
use domain::forms::FormErrors;
use domain::ids::OrderId;
use domain::order::{Invoice, Order};
use event_store::StreamId;
use projections::orders::{self, Parcel, ParcelRow, courier_name, parcel, parcels_in};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{AppError, AppResult, RowScope};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, send::send))
        .routes(routes!(show::show, revise::revise, remove::remove))
}

/// One parcel.
#[derive(Serialize, ToSchema)]
pub struct DeliveryAnswer {
    /// The parcel.
    delivery: Parcel,
}

/// Parcels with the names of their sellers.
async fn named(app: &AppState, mut parcels: Vec<Parcel>) -> AppResult<Vec<Parcel>> {
    let names = SellerNames::of(app, parcels.iter().map(|parcel| parcel.seller.id)).await?;
    for parcel in &mut parcels {
        names.name(&mut parcel.seller);
    }
    Ok(parcels)
}

/// A parcel within these rows.
///
/// # Errors
/// `not_found`, also for a parcel of another seller.
async fn own(app: &AppState, rows: RowScope, id: &str) -> AppResult<ParcelRow> {
    let found = parcel(app.pool(), id.trim()).await?;
    let found = found.ok_or_else(AppError::not_found)?;
    rows.reaches(found.seller)?;
    Ok(found)
}

/// The same, for a command: a parcel that was just sent may not be in the read model yet.
///
/// # Errors
/// `not_found`, also for a parcel of another seller.
async fn own_now(app: &AppState, rows: RowScope, id: &str) -> AppResult<ParcelRow> {
    if parcel(app.pool(), id.trim()).await?.is_none() {
        app.wait_until_current(&[orders::NAME]).await?;
    }
    own(app, rows, id).await
}

async fn answer(app: &AppState, row: ParcelRow) -> AppResult<DeliveryAnswer> {
    let named = named(app, vec![row.into()]).await?.pop();
    let delivery = named.ok_or_else(AppError::not_found)?;
    Ok(DeliveryAnswer { delivery })
}

/// A parcel after a command, from the log: the read models may lag behind.
async fn after(app: &AppState, order: OrderId, id: &str) -> AppResult<DeliveryAnswer> {
    let events = app.store.read_stream(&StreamId::of::<Order>(order)).await?;
    let mut parcels = parcels_in(&events)?.into_iter();
    let found = parcels.find(|parcel| parcel.id == id);
    answer(app, found.ok_or_else(AppError::not_found)?).await
}

/// Checks the courier of a form.
fn check_courier(checks: &mut FormErrors, courier: Option<&str>, is_required: bool) {
    let is_known = match courier {
        Some(courier) => courier_name(courier).is_some(),
        None => !is_required,
    };
    checks.when(is_known, "courier", "courier", "택배사를 선택해 주세요.");
}

/// Courier and tracking number, if one of them is given; the command rejects an incomplete pair.
fn invoice(courier: Option<String>, invoice_no: Option<String>) -> Option<Invoice> {
    let given = courier.is_some() || invoice_no.is_some();
    given.then(|| Invoice {
        courier: courier.unwrap_or_default(),
        invoice_no: invoice_no.unwrap_or_default(),
    })
}
