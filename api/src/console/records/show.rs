//! GET {id}: one record, from the log, so never behind.

use axum::extract::State;
use domain::record::Document;

use super::draft::{may_keep, reaches};
use super::kinds::Kept;
use super::stored::{named, stored};
use crate::app::AppState;
use crate::http::{ApiResult, ConsoleOrCompany, Json, Path};

/// One record.
///
/// # Errors
/// `not_found`: also somebody else's, and removed ones.
pub async fn show<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    may_keep::<R>(&who)?;
    let record = stored::<R>(&app, &id).await?;
    reaches(who.rows, &record.live()?)?;
    Ok(Json(named(R::ONE, record.shown(&app, &id).await?)))
}
