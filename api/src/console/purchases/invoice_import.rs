//! POST /api/console/shop/purchases/import: ships purchases with the tracking numbers of a file, first as a preview (`dryRun=true`).

use application::orders::invoice_import;
use application::resources::import::{ImportReport, ImportTable};
use axum::extract::{Request, State};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::app::AppState;
use crate::console::records::import::{ImportForm, sent, stored_part};
use crate::console::records::spreadsheet;
use crate::http::{ApiResponse, ApiResult, AppError, Freshness, Query, Respond, StaffOrSeller};

/// Preview or shipping, and the batch of a stored table; without a table, the body contains one.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct InvoiceImportQuery {
    /// Only a preview.
    dry_run: bool,
    /// A table sent before.
    table: Option<Uuid>,
    /// The batch of it starts after this row.
    after: usize,
    /// Courier of the rows without one.
    courier: Option<String>,
}

/// Ship purchases with the tracking numbers of a file, or of the next batch of one sent before.
#[utoipa::path(
    post, path = "/api/console/shop/purchases/import", tag = "console", operation_id = "importInvoices",
    params(InvoiceImportQuery), request_body(content = ImportForm, content_type = "multipart/form-data"), security(("access" = [])),
    responses(
        (status = OK, body = ImportReport),
        (status = BAD_REQUEST, description = "invalid: unreadable, no_heading, no_rows, too_many, too_large; gone")
    )
)]
pub(crate) async fn import(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(asked): Query<InvoiceImportQuery>,
    request: Request,
) -> ApiResult<ApiResponse<ImportReport>> {
    let editor = who.editor();
    let (origin, file) = match asked.table {
        None => sent(request, &app).await?,
        Some(table) => (
            stored_part(request, &app, (table, asked.after)).await?,
            None,
        ),
    };
    if !asked.dry_run
        && let Some(done) = invoice_import::stored(&app, editor, &origin).await?
    {
        return Ok(done.answer(done.result()?));
    }
    let table = match asked.table {
        Some(table) => ImportTable::Kept {
            table,
            after: asked.after,
        },
        None => {
            let file = file.unwrap_or_default();
            let read = tokio::task::spawn_blocking(move || spreadsheet::read(&file));
            ImportTable::New(read.await.map_err(AppError::internal)??.into())
        }
    };
    let courier = asked.courier.as_deref();
    if asked.dry_run {
        let plan = invoice_import::rehearse(&app, editor, table, courier).await?;
        return Ok(Freshness::LOG.answer(plan));
    }
    let done = invoice_import::ship(&app, editor, &origin, (table, courier)).await?;
    Ok(done.answer(done.result()?))
}
