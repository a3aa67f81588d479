//! PUT {id}: changes fields of a record, if nobody changed it since the form was opened.

use axum::extract::State;
use domain::record::{Document, Record};
use event_store::Versioned;
use serde_json::json;

use super::input::{Draft, asking, may_keep};
use super::kinds::AdminResource;
use super::load::{named, stored};
use super::write::{Edit, edit_one};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Path, Respond, StaffOrSeller, ValidJson,
};
use application::executor::CommandContext;

/// Change fields of a record; those left out stay. What a record shows may be sent back whole: what it shows of ledgers and of
/// itself (its stock, its times, whose it is) changes nothing.
///
/// # Errors
/// `invalid`, `not_found`, `version_conflict` with both versions, `code_taken`.
pub(crate) async fn revise<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { mut body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    may_keep::<R>(&who)?;
    let started_from = body.version()?;
    body.belongs_to(who.rows);
    let command = CommandContext::new(R::COMMANDS.revise, who.actor(), &origin);
    let of = Edit {
        by: asking(&who),
        rows: who.rows,
        id: &id,
        started_from: Some(started_from),
    };
    let edit = |document: &mut Document| document.extend(body.0.clone());
    let done = edit_one::<R>(&app, &command, of, edit).await?;
    Ok(done.answer(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}

/// Passes if the record is still what the form started from.
pub(super) fn unchanged_since<R: AdminResource>(
    started_from: u64,
    loaded: &Versioned<Record<R>>,
) -> AppResult<()> {
    if started_from == loaded.version {
        return Ok(());
    }
    let mut told = loaded.state.document.clone().unwrap_or_default();
    told.retain(|field, _| !R::SEALED.contains(&field.as_str()));
    let details = json!({ "sent": started_from, "version": loaded.version, "current": told });
    Err(AppError::new(Code::VersionConflict).with_details(details))
}
