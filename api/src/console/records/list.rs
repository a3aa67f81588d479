//! GET: the records of a kind as its declaration lets them be searched, narrowed and sorted; a seller sees their own.

use axum::extract::State;
use domain::record::Document;
use projections::record_lists::narrowed;
use projections::records::RecordRow;
use serde_json::{Value, json};

use super::input::may_see;
use super::kinds::AdminResource;
use super::list_query::{Pairs, list_query};
use super::load::{label, moment, named};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, Page, Query, StaffOrSeller,
};

/// The records of a kind.
///
/// # Errors
/// `access_denied`, `invalid_query`.
pub(crate) async fn list<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    page: Page,
    Query(pairs): Query<Pairs>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Document>> {
    let rows = may_see::<R>(&who)?;
    let query = list_query::<R>(&app, rows, &pairs).await?;
    let fresh = wait.until(&app, R::READS).await?;
    let found = narrowed(app.pool(), &query, page.into()).await?;
    let rows = R::enrich_list(&app, found.rows).await?;
    let many: Vec<Value> = rows
        .into_iter()
        .map(|row| listed(row).map(Value::Object))
        .collect::<AppResult<_>>()?;
    let mut body = named("summary", json!({ "totalCount": found.total_count }));
    body.extend(named(R::MANY, many));
    Ok(fresh.answer(body))
}

/// A row as lists show it.
///
/// # Errors
/// Never for times of this age.
pub(super) fn listed(row: RecordRow) -> AppResult<Document> {
    let times = [moment(row.created_at)?, moment(row.updated_at)?];
    let mut shown = row.data;
    label(&mut shown, &row.id, row.version, times, row.removed);
    Ok(shown)
}
