//! DELETE {id}: marks a record as removed. What refers to it still finds its name.

use axum::extract::State;
use domain::record::Document;

use super::input::may_keep;
use super::kinds::AdminResource;
use super::load::{named, stored};
use super::write::remove_one;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Path, RequestMeta, Respond, StaffOrSeller};
use application::executor::CommandContext;

/// Mark a record as removed.
///
/// # Errors
/// `not_found`; `in_use` while a ledger or a policy goes by it.
pub(crate) async fn remove<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<Document>> {
    may_keep::<R>(&who)?;
    let command = CommandContext::new(R::COMMANDS.remove, who.actor(), &origin);
    let done = remove_one::<R>(&app, &command, who.rows, &id).await?;
    Ok(done.answer(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}
