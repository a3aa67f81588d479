//! GET {id}: one record, from the log, so never behind.

use axum::extract::State;
use domain::record::Document;

use super::input::{may_see, reaches};
use super::kinds::AdminResource;
use super::load::{named, stored};
use crate::app::AppState;
use crate::http::{ApiResult, Json, Path, StaffOrSeller};

/// One record.
///
/// # Errors
/// `not_found`: also somebody else's, and removed ones.
pub(crate) async fn show<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    let rows = may_see::<R>(&who)?;
    let record = stored::<R>(&app, &id).await?;
    reaches(rows, &record.live()?)?;
    Ok(Json(named(R::ONE, record.shown(&app, &id).await?)))
}
