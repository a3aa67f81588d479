//! PUT /api/v1/shop/inquires/{id}: asks in other words, as long as nobody has answered.

use axum::extract::State;
use domain::inquire::{AnswerState, Inquire};
use domain::record::RecordCommand;
use uuid::Uuid;

use super::{InquireAnswer, InquireForm, LoadedInquire, own};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, CurrentMember, Path, RequestMeta, Respond,
    ValidJson,
};
use application::executor::CommandContext;

/// Change an inquiry of mine that was not answered yet.
#[utoipa::path(
    put, path = "/api/v1/shop/inquires/{id}", tag = "shop", operation_id = "changeInquire", security(("access" = [])),
    request_body = InquireForm, params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = InquireAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, origin }: ValidJson<InquireForm>,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(changed(&app, &who, id, &body, &origin).await?)
}

/// Changes it.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub(crate) async fn changed(
    app: &AppState,
    who: &CurrentMember,
    id: Uuid,
    form: &InquireForm,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let member = who.member();
    LoadedInquire::own(app, id, member).await?;
    let question = form.sealed(app, member).await?;
    let command = CommandContext::new("change-inquire", who.actor(), origin);
    let done = app.executor.transact(&command, |context| {
        let question = question.clone();
        async move {
            let found = LoadedInquire::own(app, id, member).await?;
            let before = found.row.inquire()?;
            if before.state == AnswerState::AnswerComplete {
                return Err(AppError::new(Code::NotAllowedNow));
            }
            let after = Inquire {
                question,
                secret: form.secret,
                ..before
            };
            found.change(RecordCommand::Revise(Box::new(after)), &context)
        }
    });
    let done = done.await?;
    Ok(done.answer(own(app, id, &who.0).await?))
}
