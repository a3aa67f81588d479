//! GET /api/console/shop/purchases/export: the whole list as a file, with the search, filters and sort order of the list.

use axum::extract::State;
use axum::response::Response;
use domain::record::Document;
use projections::orders::{
    self, ConsolePurchase, console_purchase_nos, console_purchases_of, courier_name,
};
use projections::refunds;
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use super::filter::PurchaseListQuery;
use super::{claim_file, named, reader};
use crate::app::AppState;
use crate::console::period::Period;
use crate::console::records::export_file::{Format, KEYS_ASKED, Table, written};
use crate::console::records::ledgers::{claim_columns, purchase_columns};
use crate::console::records::row_mapping::labels;
use crate::http::{ApiResult, AppResult, ConsistencyToken, Query, StaffOrSeller};

/// Format of the file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct As {
    /// `xlsx` (default) or `csv`.
    format: Option<String>,
}

/// Export purchases as a file, with the fields of the list and no further personal data. For a claims tab, the file includes the claims.
#[utoipa::path(
    get, path = "/api/console/shop/purchases/export", tag = "console", operation_id = "exportConsolePurchases",
    params(PurchaseListQuery, Period, As), security(("access" = [])),
    responses(
        (status = OK, content((String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (String = "text/csv"))),
        (status = BAD_REQUEST, description = "invalid_query; too_many: more rows than a file takes")
    )
)]
pub(crate) async fn export(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<PurchaseListQuery>,
    Query(period): Query<Period>,
    Query(as_): Query<As>,
    wait: ConsistencyToken,
) -> ApiResult<Response> {
    let filter = query.filter(&app, who.rows, &period).await?;
    let format = Format::of(as_.format.as_deref())?;
    wait.until(&app, &[orders::NAME, refunds::NAME]).await?;
    let of_claims = claim_file::is_of_claims(filter.tab);
    let (name, columns) = match of_claims {
        true => ("claims", claim_columns()),
        false => ("purchases", purchase_columns()),
    };
    let table = Table {
        name,
        headings: vec![labels(&columns)],
        columns,
        keys: console_purchase_nos(app.pool(), &filter, KEYS_ASKED).await?,
    };
    let reader = reader(who.rows);
    Ok(written(
        app,
        format,
        table,
        move |app, nos: Vec<String>| async move {
            let found = console_purchases_of(app.pool(), &nos, reader).await?;
            let shown = named(&app, found).await?;
            let documents: AppResult<Vec<Document>> = shown.into_iter().map(document).collect();
            match of_claims {
                true => claim_file::with_claims(&app, documents?, &nos, reader).await,
                false => documents,
            }
        },
    )
    .await?)
}

/// A purchase as exported: with the name of its courier.
fn document(mut shown: ConsolePurchase) -> AppResult<Document> {
    if let Some(courier) = shown.purchase.courier.as_deref().and_then(courier_name) {
        shown.purchase.courier = Some(courier);
    }
    match serde_json::to_value(shown)? {
        Value::Object(document) => Ok(document),
        _ => Ok(Document::new()),
    }
}
