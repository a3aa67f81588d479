//! The member's purchases: the lines of their orders.

pub mod cancel;
pub mod exchanges;
pub mod list;
pub mod pictures;
pub mod returns;
pub mod show;
pub mod withdraw;

use application::access::Shopper;
use application::orders::find::{FoundOrder, order_no_of};

use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// The viewer's order that contains a purchase, and the number of the purchase.
///
/// # Errors
/// `not_found`, also for purchases of others.
pub(crate) async fn own(
    app: &AppState,
    purchase_no: &str,
    who: &Shopper,
) -> AppResult<(FoundOrder, String)> {
    let found = FoundOrder::own(app, order_no_of(purchase_no)?, who).await?;
    let purchase_no = purchase_no.to_uppercase();
    match found.order.state.purchase(&purchase_no) {
        Some(_) => Ok((found, purchase_no)),
        None => Err(AppError::not_found()),
    }
}
