//! PUT {id}: changes fields of a record, if nobody changed it since the form was opened.

use axum::extract::State;
use domain::record::{Document, Record};
use event_store::Loaded;
use serde_json::json;

use super::change::to_say;
use super::draft::{Draft, asking, may_change, may_keep, reaches};
use super::kinds::Kept;
use super::stored::{named, stored};
use crate::app::AppState;
use crate::commands::Command;
use crate::http::{Answer, ApiError, ApiResult, Asked, Code, ConsoleOrCompany, Path};

/// Change fields of a record; those left out stay.
///
/// # Errors
/// `invalid`, `not_found`, `version_conflict` with both versions, `code_taken`.
pub(crate) async fn revise<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Path(id): Path<String>,
    Asked { mut body, origin }: Asked<Draft>,
) -> ApiResult<Answer<Document>> {
    may_keep::<R>(&who)?;
    let started_from = body.version()?;
    body.belongs_to(who.rows);
    let mut fields = body.0;
    let counts = R::complete(&id, asking(&who), &mut fields)?;
    let command = Command::new(R::COMMANDS.revise, who.actor(), &origin);
    let done = app.commander.run(&command, |context| {
        let (app, id, fields, counts, rows) = (
            app.clone(),
            id.clone(),
            fields.clone(),
            counts.clone(),
            who.rows,
        );
        async move {
            let loaded = app.store.load::<Record<R>>(&id).await?;
            let before = loaded.state.data()?;
            reaches(rows, &before)?;
            unchanged_since(started_from, &loaded)?;
            let mut document = loaded.state.document.clone().unwrap_or_default();
            may_change(rows, &before, &fields)?;
            document.extend(fields);
            to_say::<R>(&app, &id, &loaded, document, &counts, &context).await
        }
    });
    let done = done.await?;
    Ok(done.answer(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}

/// Passes if the record is still what the form started from.
pub(super) fn unchanged_since<R: Kept>(
    started_from: u64,
    loaded: &Loaded<Record<R>>,
) -> ApiResult<()> {
    if started_from == loaded.version {
        return Ok(());
    }
    let mut told = loaded.state.document.clone().unwrap_or_default();
    told.retain(|field, _| !R::SEALED.contains(&field.as_str()));
    let details = json!({ "sent": started_from, "version": loaded.version, "current": told });
    Err(ApiError::new(Code::VersionConflict).with_details(details))
}
