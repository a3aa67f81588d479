//! GET export: the whole list as a table, searched, narrowed and sorted like the list.

use axum::extract::State;
use axum::response::Response;
use projections::record_lists::{narrowed_ids, records_of};

use super::export_file::{Format, KEYS_ASKED, Table, written};
use super::input::may_keep;
use super::kinds::AdminResource;
use super::list::listed;
use super::list_query::{Pairs, last, list_query};
use super::row_mapping::{columns, headings};
use crate::app::AppState;
use crate::http::{ApiResult, ConsistencyToken, Query, StaffOrSeller};

/// The list as a table.
///
/// # Errors
/// `access_denied`, `invalid_query`.
pub(crate) async fn export<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(pairs): Query<Pairs>,
    wait: ConsistencyToken,
) -> ApiResult<Response> {
    may_keep::<R>(&who)?;
    let query = list_query::<R>(&app, who.rows, &pairs).await?;
    let format = Format::of(last(&pairs, "format"))?;
    wait.until(&app, R::READS).await?;
    let columns = columns(&R::DESCRIPTION);
    let table = Table {
        name: R::MANY,
        headings: headings(&columns),
        columns,
        keys: narrowed_ids(app.pool(), &query, KEYS_ASKED).await?,
    };
    let removed = query.removed;
    Ok(written(
        app,
        format,
        table,
        move |app, ids: Vec<String>| async move {
            let found = records_of(app.pool(), R::SOURCE, removed, &ids).await?;
            let rows = R::enrich_list(&app, found).await?;
            rows.into_iter().map(listed).collect()
        },
    )
    .await?)
}
