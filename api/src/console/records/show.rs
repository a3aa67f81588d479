//! GET {id}: one record, from the log, so never behind.

use application::resources::AdminResource;
use axum::extract::State;
use domain::record::Document;

use super::named;
use crate::app::AppState;
use crate::http::{ApiResult, Json, Path, StaffOrSeller};

/// One record.
///
/// # Errors
/// `not_found`: also somebody else's, and removed ones.
pub(super) async fn show(
    resource: &'static AdminResource,
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
) -> ApiResult<Json<Document>> {
    let shown = resource.find(&app, who.rows, &id).await?;
    Ok(Json(named(resource.wire.one, shown)))
}
