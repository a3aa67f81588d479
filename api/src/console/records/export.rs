//! GET export: the whole list as a table, with the search, filters and sort order of the list.

use application::resources::AdminResource;
use application::resources::columns::columns;
use application::resources::list_query::{Pairs, last};
use application::resources::load::listed;
use axum::extract::State;
use axum::response::Response;
use projections::record_lists::{narrowed_ids, records_of};

use super::export_file::{Format, KEYS_ASKED, Table, written};
use super::row_mapping::headings;
use crate::app::AppState;
use crate::http::{ApiResult, ConsistencyToken, Query, StaffOrSeller};

/// The list as a table.
///
/// # Errors
/// `access_denied`, `invalid_query`.
pub(super) async fn export(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(pairs): Query<Pairs>,
    wait: ConsistencyToken,
) -> ApiResult<Response> {
    resource.may_keep(who.rows)?;
    let query = resource.list_query(&app, who.rows, &pairs).await?;
    let format = Format::of(last(&pairs, "format"))?;
    wait.until(&app, resource.reads).await?;
    let columns = columns(&resource.schema);
    let table = Table {
        name: resource.wire.many,
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
            let found = records_of(app.pool(), resource.source, removed, &ids).await?;
            let rows = (resource.enrich_list)(&app, found).await?;
            rows.into_iter().map(listed).collect()
        },
    )
    .await?)
}
