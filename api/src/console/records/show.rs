//! GET {id}: one record, read from the log and so always current.

use application::resources::AdminResource;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{ApiResult, Json, Path, StaffOrSeller};

/// One record.
///
/// # Errors
/// `not_found`, also for records of others and removed ones.
pub(super) async fn show(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    let shown = resource.find(&app, who.rows, &id).await?;
    Ok(Json(named(resource.wire.one, shown)))
}
