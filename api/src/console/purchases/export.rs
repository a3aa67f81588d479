//! GET /api/console/shop/purchases/export: the whole list as a file, searched, narrowed and sorted like the list.

use axum::extract::State;
use axum::response::Response;
use domain::record::Document;
use projections::orders::{
    self, COURIERS, ConsolePurchase, console_purchase_nos, console_purchases_of,
};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use super::filter::PurchaseListQuery;
use super::{named, reader};
use crate::app::AppState;
use crate::console::period::Period;
use crate::console::records::declared::ledgers::purchase_columns;
use crate::console::records::export_file::{Format, KEYS_ASKED, Table, written};
use crate::console::records::row_mapping::labels;
use crate::http::{ApiResult, AppResult, ConsistencyToken, Query, StaffOrSeller};

/// As what.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct As {
    /// `xlsx` (usual) or `csv`.
    format: Option<String>,
}

/// Purchases as a file: what their list can show of them, and no more of anybody.
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
    let filter = query.filter(&app, who.rows, &period)?;
    let format = Format::of(as_.format.as_deref())?;
    wait.until(&app, &[orders::NAME]).await?;
    let columns = purchase_columns();
    let table = Table {
        name: "purchases",
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
            shown.into_iter().map(document).collect()
        },
    )
    .await?)
}

/// A purchase as people read it: its courier by name.
fn document(mut shown: ConsolePurchase) -> AppResult<Document> {
    let known = |code: &String| COURIERS.iter().find(|known| known.code == *code);
    if let Some(courier) = shown.purchase.courier.as_ref().and_then(known) {
        shown.purchase.courier = Some(courier.name.to_owned());
    }
    match serde_json::to_value(shown)? {
        Value::Object(document) => Ok(document),
        _ => Ok(Document::new()),
    }
}
