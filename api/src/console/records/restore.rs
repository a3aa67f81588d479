//! POST {id}/restore: brings the document of an earlier version back, and the record itself if it was removed.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::record::{Document, Record, RecordCommand};
use event_store::At;
use serde::Deserialize;
use utoipa::ToSchema;

use super::input::{acceptable, may_keep, may_remove, reaches, record_of};
use super::kinds::AdminResource;
use super::load::{named, stored};
use super::write::to_do;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Path, Respond, RowScope, StaffOrSeller, ValidJson,
};
use application::executor::{CommandContext, CommandOutcome};
use application::html::clean_fields;

/// Which document.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct Earlier {
    /// The version that had it.
    pub version: u64,
}

impl Validate for Earlier {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            self.version >= 1,
            "version",
            "too_small",
            "되돌릴 버전을 선택해 주세요.",
        );
    }
}

impl Earlier {
    /// Passes if there is such a version of what is at version `now`.
    ///
    /// # Errors
    /// `invalid` with the field.
    pub fn within(self, now: u64) -> AppResult<()> {
        if self.version <= now {
            return Ok(());
        }
        Err(AppError::invalid_field(
            "version",
            "unknown",
            "그런 버전이 없습니다. 이력을 다시 열어 주세요.",
        ))
    }
}

/// Bring an earlier document back. It has to be one that could be written today: an older rule, a limit of then or
/// something it names that is gone does not slip back in with it.
///
/// # Errors
/// `not_found`, `invalid` with every field that would not be accepted today, `code_taken`.
pub(crate) async fn restore<R: AdminResource>(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<Earlier>,
) -> ApiResult<ApiResponse<Document>> {
    may_keep::<R>(&who)?;
    let command = CommandContext::new(R::COMMANDS.restore, who.actor(), &origin);
    let done = restore_one::<R>(&app, &command, who.rows, &id, Some(body)).await?;
    Ok(done.answer(named(
        R::ONE,
        stored::<R>(&app, &id).await?.shown(&app, &id).await?,
    )))
}

/// Brings a record's earlier document back; without one, the document it was removed with.
///
/// # Errors
/// As [`restore`].
pub(super) async fn restore_one<R: AdminResource>(
    app: &AppState,
    command: &CommandContext,
    rows: RowScope,
    id: &str,
    earlier: Option<Earlier>,
) -> AppResult<CommandOutcome> {
    app.executor
        .transact(command, |context| async move {
            let loaded = app.store.load::<Record<R>>(id).await?;
            let current: R = record_of(
                loaded
                    .state
                    .document
                    .clone()
                    .ok_or_else(AppError::not_found)?,
            )?;
            reaches(rows, &current)?;
            if loaded.state.removed {
                may_remove::<R>(rows)?;
            }
            let earlier = earlier.unwrap_or(Earlier {
                version: loaded.version,
            });
            earlier.within(loaded.version)?;
            let then = app
                .store
                .load_at::<Record<R>>(id, At::Version(earlier.version))
                .await?;
            let mut document = then.state.document.ok_or_else(AppError::not_found)?;
            if let (Some(changeable), Some(now)) =
                (R::changeable(rows), loaded.state.document.clone())
            {
                // the words are their writers': only what this room may change goes back
                document.retain(|field, _| changeable.contains(&field.as_str()));
                document = now.into_iter().chain(document).collect();
            }
            clean_fields(&mut document, &R::DESCRIPTION.html());
            let back: R = acceptable(app, None, document.clone()).await?;
            reaches(rows, &back)?;
            let act = RecordCommand::Restore(document);
            to_do::<R>(app, id, &loaded, act, &back, &[], &context).await
        })
        .await
}
