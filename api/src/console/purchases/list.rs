//! GET /api/console/shop/purchases: purchases by tab, searched, of a period; a seller sees their own.

use axum::extract::State;
use projections::orders::{self, ConsoleFilter, ConsolePurchase, PurchaseTab, console_purchases};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{named, reader, searching};
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{Answer, ApiResult, ConsoleOrCompany, Page, Query, Wait};
use crate::shop::Summary;

/// Which ones.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// The tab.
    #[serde(default)]
    #[param(inline)]
    tab: PurchaseTab,
    /// A number, a product's name, or exactly a person's name or phone.
    search_value: Option<String>,
    /// `-createdAt` (usual) or `createdAt`.
    sort: Option<String>,
}

/// A page of purchases.
#[derive(Serialize, ToSchema)]
pub struct PurchasesAnswer {
    summary: Summary,
    /// The page.
    purchases: Vec<ConsolePurchase>,
}

/// Purchases.
#[utoipa::path(
    get, path = "/api/console/shop/purchases", tag = "console", operation_id = "listConsolePurchases",
    params(Wanted, Period, Page), security(("access" = [])), responses((status = OK, body = PurchasesAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Query(wanted): Query<Wanted>,
    Query(period): Query<Period>,
    page: Page,
    wait: Wait,
) -> ApiResult<Answer<PurchasesAnswer>> {
    let fresh = wait.until(&app, &[orders::NAME]).await?;
    let filter = ConsoleFilter {
        tab: wanted.tab,
        from: period.from()?,
        to: period.to()?,
        seller: who.rows.seller(),
        oldest_first: wanted.sort.as_deref() == Some("createdAt"),
        ..searching(&app, wanted.search_value.as_deref())
    };
    let found = console_purchases(app.pool(), &filter, reader(who.rows), page.into()).await?;
    let summary = Summary::of(&found);
    Ok(fresh.answer(PurchasesAnswer {
        summary,
        purchases: named(&app, found.rows).await?,
    }))
}
