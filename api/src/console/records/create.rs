//! POST: makes a record, with what changes together with it in the same append.

use axum::extract::State;
use domain::event::Ledger;
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordAct};
use event_store::{Expected, StreamAppend};
use serde::{Deserialize, Serialize};

use super::change::within_limits;
use super::draft::{Draft, acceptable, asking, known, may_keep, reservation};
use super::kinds::Kept;
use super::stored::{named, stored};
use crate::app::AppState;
use crate::commands::{Change, Command, Done};
use crate::http::{Answer, ApiError, ApiResult, Asked, Code, ConsoleOrCompany, Json};

/// What a repeat answers.
#[derive(Serialize, Deserialize)]
struct Made {
    id: String,
}

/// Make a record.
///
/// # Errors
/// `invalid` with every field that is wrong; `code_taken`.
pub async fn create<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Asked { mut body, origin }: Asked<Draft>,
) -> ApiResult<Answer<Document>> {
    may_keep::<R>(&who)?;
    body.belongs_to(who.rows);
    let command = Command::new(R::COMMANDS.create, who.actor(), &origin);
    let (id, done) = make::<R>(&app, &command, asking(&who), body).await?;
    Ok(done.created(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}

/// Refused: members write these.
///
/// # Errors
/// `method_not_allowed`.
pub async fn refused(_who: ConsoleOrCompany) -> ApiResult<Json<()>> {
    Err(ApiError::new(Code::MethodNotAllowed))
}

/// Makes a record; answers its id.
///
/// # Errors
/// As [`create`].
pub(crate) async fn make<R: Kept>(
    app: &AppState,
    command: &Command,
    by: MemberId,
    draft: Draft,
) -> ApiResult<(String, Done)> {
    let id = R::new_id();
    let mut fields = draft.0;
    let counts = R::complete(&id, by, &mut fields)?;
    let record: R = acceptable(app, fields).await?;
    let done = app
        .commander
        .run(command, |context| {
            let (app, id, counts, record) =
                (app.clone(), id.clone(), counts.clone(), record.clone());
            async move {
                let loaded = app.store.load::<Record<R>>(&id).await?;
                let events = loaded
                    .state
                    .decide(RecordAct::Create(Box::new(record.clone())), &context)?;
                let made =
                    StreamAppend::new::<Record<R>>(&id, Expected::Exact(loaded.version), &events)?;
                within_limits(&record)?;
                known(&app, None, &record).await?;
                let mut change = Change::of([made]);
                for beside in record.beside(&app, &id, &counts, &context).await? {
                    change.and(beside);
                }
                if let Some((scope, code)) = reservation(&app.keys, &record) {
                    change = change.taking(scope, code, &id);
                }
                change.answering(Made { id })
            }
        })
        .await?;
    let Made { id } = done.result()?;
    Ok((id, done))
}
