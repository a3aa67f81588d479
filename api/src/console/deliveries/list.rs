//! GET /api/console/shop/deliveries: parcels, newest first; a seller sees those of their own goods.

use axum::extract::State;
use domain::ids::MemberId;
use projections::orders::{self, Parcel, ParcelDirection, ParcelFilter, ParcelStatus, parcels};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::named;
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::query::oldest_first;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, Page, Query, RowScope, StaffOrSeller,
    Summary,
};

/// Filters of the list of parcels.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DeliveryListQuery {
    /// Direction.
    #[param(inline)]
    direction: Option<ParcelDirection>,
    /// Status.
    #[param(inline)]
    status: Option<ParcelStatus>,
    /// Courier code.
    courier: Option<String>,
    /// Exact tracking number.
    invoice_no: Option<String>,
    /// Order number.
    order_no: Option<String>,
    /// Purchase number.
    purchase_no: Option<String>,
    /// Only parcels of this seller.
    #[serde(rename = "seller._id")]
    sold_by: Option<MemberId>,
    /// The number of an order or purchase or a prefix of it, or an exact tracking number.
    search_value: Option<String>,
    /// Sent from this time, or from the beginning of this day.
    sent_at_from: Option<String>,
    /// Sent before this time, or until the end of this day.
    sent_at_to: Option<String>,
    /// `-sentAt` (default) or `sentAt`.
    sort: Option<String>,
}

impl DeliveryListQuery {
    fn filter(self, rows: RowScope) -> AppResult<ParcelFilter> {
        let period = Period::of(self.sent_at_from, self.sent_at_to);
        // An empty parameter is no filter.
        let text = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let number = |no| text(no).map(|no: String| no.trim().to_uppercase());
        Ok(ParcelFilter {
            seller: rows.seller(),
            sold_by: self.sold_by,
            direction: self.direction,
            status: self.status,
            courier: text(self.courier),
            invoice_no: text(self.invoice_no).map(digits),
            order_no: number(self.order_no),
            purchase_no: number(self.purchase_no),
            search: self.search_value,
            from: period.from()?,
            to: period.to()?,
            oldest_first: oldest_first(self.sort.as_deref(), "sentAt")?,
        })
    }
}

/// A tracking number in the form in which parcels store it.
fn digits(number: String) -> String {
    number.replace([' ', '-'], "")
}

/// A page of parcels.
#[derive(Serialize, ToSchema)]
pub struct DeliveryListAnswer {
    summary: Summary,
    /// The page.
    deliveries: Vec<Parcel>,
}

/// Parcels: shipments, returns, goods sent back to the buyer, and replacements.
#[utoipa::path(
    get, path = "/api/console/shop/deliveries", tag = "console", operation_id = "listConsoleDeliveries",
    params(DeliveryListQuery, Page), security(("access" = [])), responses((status = OK, body = DeliveryListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<DeliveryListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DeliveryListAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let found = parcels(app.pool(), &query.filter(who.rows)?, page.into()).await?;
    let summary = Summary::of(&found);
    Ok(fresh.answer(DeliveryListAnswer {
        summary,
        deliveries: named(&app, found.rows).await?,
    }))
}
