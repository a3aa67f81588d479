//! Orders: the console's view of them, cancellation, history, and state at any time.

pub mod asof;
pub mod cancel;
pub mod fee;
pub mod history;
pub mod list;
pub mod neighbours;
pub mod refund_account;
pub mod refused;
pub mod revise;
pub mod show;
pub mod transfer;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{AppError, AppResult, RowScope};
use application::orders::find::FoundOrder;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, refused::create))
        .routes(routes!(show::show, revise::revise, refused::remove))
        .routes(routes!(cancel::cancel_order))
        .routes(routes!(refund_account::refund_account))
        .routes(routes!(fee::receive))
        .routes(routes!(transfer::transfer))
        .routes(routes!(history::history))
        .routes(routes!(neighbours::show))
        .routes(routes!(asof::asof))
}

/// The order with this id or number, if something in it is within the caller's rows.
///
/// # Errors
/// `not_found`.
pub(crate) async fn within(app: &AppState, rows: RowScope, id: &str) -> AppResult<FoundOrder> {
    let found = FoundOrder::by_id_or_no(app, id).await?;
    let mut sellers = found
        .order
        .state
        .purchases
        .iter()
        .map(|purchase| purchase.seller);
    let reached = match rows.seller() {
        None => true,
        Some(own) => sellers.any(|seller| seller == own),
    };
    if reached {
        Ok(found)
    } else {
        Err(AppError::not_found())
    }
}
