//! DELETE {id}: marks a record as removed. What refers to it still finds its name.

use axum::extract::State;
use domain::event::Ledger;
use domain::record::{Document, Record, RecordAct};
use event_store::{Expected, StreamAppend};

use super::draft::{may_keep, reaches, reservation};
use super::kinds::Kept;
use super::stored::{named, stored};
use crate::app::AppState;
use crate::commands::{Change, Command};
use crate::http::{Answer, ApiResult, ConsoleOrCompany, Origin, Path};

/// Mark a record as removed.
///
/// # Errors
/// `not_found`.
pub async fn remove<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Path(id): Path<String>,
    origin: Origin,
) -> ApiResult<Answer<Document>> {
    may_keep::<R>(&who)?;
    let command = Command::new(R::COMMANDS.remove, who.actor(), &origin);
    let done = app.commander.run(&command, |context| {
        let (app, id, rows) = (app.clone(), id.clone(), who.rows);
        async move {
            let loaded = app.store.load::<Record<R>>(&id).await?;
            let before = loaded.state.data()?;
            reaches(rows, &before)?;
            let events = loaded.state.decide(RecordAct::Remove, &context)?;
            let change = Change::of([StreamAppend::new::<Record<R>>(
                &id,
                Expected::Exact(loaded.version),
                &events,
            )?]);
            Ok(match reservation(&app.keys, &before) {
                Some((scope, code)) => change.releasing(scope, code, &id),
                None => change,
            })
        }
    });
    let done = done.await?;
    Ok(done.answer(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}
