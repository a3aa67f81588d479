//! GET: the records of a kind, with its declared search, filters and sort orders; a seller sees their own.

use application::resources::AdminResource;
use application::resources::list_query::Pairs;
use application::resources::load::listed;
use axum::extract::State;
use domain::record::Document;
use projections::record_lists::narrowed;
use serde_json::{Value, json};

use super::named;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, Page, Query, StaffOrSeller,
};

/// The records of a kind.
///
/// # Errors
/// `access_denied`, `invalid_query`.
pub(super) async fn list(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    page: Page,
    Query(pairs): Query<Pairs>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Document>> {
    let rows = resource.may_see(who.rows)?;
    let query = resource.list_query(&app, rows, &pairs).await?;
    let fresh = wait.until(&app, resource.reads).await?;
    let found = narrowed(app.pool(), &query, page.into()).await?;
    let rows = (resource.enrich_list)(&app, found.rows).await?;
    let many: Vec<Value> = rows
        .into_iter()
        .map(|row| listed(row).map(Value::Object))
        .collect::<AppResult<_>>()?;
    let mut body = named("summary", json!({ "totalCount": found.total_count }));
    body.extend(named(resource.wire.many, many));
    Ok(fresh.answer(body))
}
