//! POST: makes a record, with what changes together with it in the same append.

use axum::extract::State;
use domain::ids::MemberId;
use domain::record::{Document, Record, RecordCommand};
use serde::{Deserialize, Serialize};

use super::input::{Draft, acceptable, asking, begun_by, may_keep};
use super::kinds::AdminResource;
use super::load::{named, stored};
use super::write::to_do;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Json, Respond, StaffOrSeller, ValidJson,
};
use application::executor::{CommandContext, CommandOutcome};

/// Stored result, returned when the idempotency key is replayed.
#[derive(Serialize, Deserialize)]
pub(super) struct CreateResult {
    /// The record that was made.
    pub id: String,
}

/// Make a record.
///
/// # Errors
/// `invalid` with every field that is wrong; `code_taken`.
pub(crate) async fn create<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { mut body, origin }: ValidJson<Draft>,
) -> ApiResult<ApiResponse<Document>> {
    may_keep::<R>(&who)?;
    begun_by::<R>(&mut body.0, who.rows);
    let command = CommandContext::new(R::COMMANDS.create, who.actor(), &origin);
    let (id, done) = make::<R>(&app, &command, asking(&who), body).await?;
    Ok(done.created(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}

/// Refused: what members write nobody makes here, and what the shop cannot be without nobody removes.
///
/// # Errors
/// `access_denied`, `method_not_allowed`.
pub(crate) async fn refused<R: AdminResource>(who: StaffOrSeller) -> ApiResult<Json<()>> {
    may_keep::<R>(&who)?;
    Err(AppError::new(Code::MethodNotAllowed).into())
}

/// Makes a record; answers its id.
///
/// # Errors
/// As [`create`].
pub(crate) async fn make<R: AdminResource>(
    app: &AppState,
    command: &CommandContext,
    by: MemberId,
    draft: Draft,
) -> AppResult<(String, CommandOutcome)> {
    let id = R::new_id();
    let mut fields = draft.0;
    let counts = R::normalize(&id, by, &mut fields)?;
    let record: R = acceptable(app, None, fields).await?;
    let done = app
        .executor
        .transact(command, |context| {
            let (app, id, counts, record) =
                (app.clone(), id.clone(), counts.clone(), record.clone());
            async move {
                let loaded = app.store.load::<Record<R>>(&id).await?;
                let act = RecordCommand::Create(Box::new(record.clone()));
                let change =
                    to_do::<R>(&app, &id, &loaded, act, &record, &counts, &context).await?;
                change.with_result(CreateResult { id })
            }
        })
        .await?;
    let CreateResult { id } = done.result()?;
    Ok((id, done))
}
