//! GET: the records of a kind, newest first; a seller sees their own.

use axum::extract::State;
use domain::record::Document;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::draft::may_keep;
use super::kinds::Kept;
use super::stored::{label, moment, named};
use crate::app::AppState;
use crate::http::{Answer, ApiResult, ConsoleOrCompany, Page, Query, Wait};

/// Which ones.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// What to look for.
    search_value: Option<String>,
}

/// The records of a kind.
///
/// # Errors
/// `access_denied`.
pub async fn list<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    page: Page,
    Query(wanted): Query<Wanted>,
    wait: Wait,
) -> ApiResult<Answer<Document>> {
    may_keep::<R>(&who)?;
    let fresh = wait.until(&app, R::READS).await?;
    let search = wanted
        .search_value
        .as_deref()
        .map(str::trim)
        .filter(|search| !search.is_empty());
    let rows = projections::Page {
        skip: page.skip,
        limit: page.limit,
    };
    let found = R::rows(&app, who.rows.seller(), search, rows).await?;
    let mut many = Vec::with_capacity(found.rows.len());
    for row in found.rows {
        let times = [moment(row.created_at)?, moment(row.updated_at)?];
        let mut shown = row.data;
        label(&mut shown, &row.id, row.version, times, row.removed);
        many.push(Value::Object(shown));
    }
    let mut body = named("summary", json!({ "totalCount": found.total_count }));
    body.extend(named(R::MANY, many));
    Ok(fresh.answer(body))
}
