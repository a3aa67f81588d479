//! /api/v1/forms: forms that guests and members fill in.

use application::executor::CommandContext;
use application::inquiries::{self, FormRow};
use axum::extract::State;
use domain::center::{FormField, InquirySubmission};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::guest_pass::require_pass;
use crate::http::{ApiResponse, ApiResult, Json, OptionalMember, Path, Respond, ValidJson};
use crate::limits::Client;

/// A form to fill in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormView {
    /// Id of the form.
    #[serde(rename = "_id")]
    id: String,
    /// Its version, which is sent back with the answers.
    version: u64,
    /// Its code.
    code: String,
    /// Its title.
    name: String,
    /// What is shown above the fields, as HTML.
    content: String,
    /// What is said once it was sent; empty for the usual text.
    done_text: String,
    /// Whether only members may send it.
    members_only: bool,
    /// Its fields, in order.
    fields: Vec<FormField>,
}

/// One form.
#[derive(Serialize, ToSchema)]
pub struct FormAnswer {
    /// The form.
    form: FormView,
}

/// What was sent. Its content is not repeated: anybody may send a form.
#[derive(Serialize, ToSchema)]
pub struct SentForm {
    /// Id of the inquiry.
    #[serde(rename = "_id")]
    id: Uuid,
}

/// A form that can be sent now, by its id or code; read from the log and so always current.
#[utoipa::path(
    get, path = "/api/v1/forms/{id}", tag = "center", operation_id = "showForm", params(("id" = String, Path)),
    responses(
        (status = OK, body = FormAnswer),
        (status = NOT_FOUND, description = "not_found: also outside its period")
    )
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> ApiResult<Json<FormAnswer>> {
    let FormRow { id, version, form } = inquiries::form(&app, &id).await?;
    let form = FormView {
        id,
        version,
        code: form.code,
        name: form.name,
        content: form.content,
        done_text: form.done_text,
        members_only: form.members_only,
        fields: form.fields,
    };
    Ok(Json(FormAnswer { form }))
}

/// Send a form; guests are answered by mail, members in their own pages.
#[utoipa::path(
    post, path = "/api/v1/forms", tag = "center", operation_id = "sendForm", request_body = InquirySubmission,
    responses(
        (status = CREATED, body = SentForm),
        (status = BAD_REQUEST, description = "invalid, with every field that has to be filled in again"),
        (status = UNAUTHORIZED, description = "login_required: only members may send this form"),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "version_conflict: the form was changed meanwhile")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: OptionalMember,
    from: Client,
    ValidJson { body, origin }: ValidJson<InquirySubmission>,
) -> ApiResult<ApiResponse<SentForm>> {
    if who.member().is_none() {
        require_pass(&app, from, &body.recaptcha)?;
    }
    inquiries::check(&app, who.member(), &body).await?;
    app.limits.submissions.count(from)?;
    let command = CommandContext::new("create-inquiry", who.actor(), &origin);
    let (id, done) = inquiries::send(&app, &command, who.member(), &body).await?;
    Ok(done.created(SentForm { id }))
}
