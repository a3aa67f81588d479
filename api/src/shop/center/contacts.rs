//! POST /api/v1/center/contacts: writing to the shop, without an account too.

use application::contacts;
use application::executor::CommandContext;
use axum::extract::State;
use domain::center::ContactForm;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::guest_pass::require_pass;
use crate::http::{ApiResponse, ApiResult, OptionalMember, Respond, ValidJson};
use crate::limits::Client;

/// A contact that was made. What it says is not repeated: anybody may send one.
#[derive(Serialize, ToSchema)]
pub struct ContactAnswer {
    /// Id of the contact.
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Write to the shop; the answer is sent to the mail address, if there is one.
#[utoipa::path(
    post, path = "/api/v1/center/contacts", tag = "center", operation_id = "createContact", request_body = ContactForm,
    responses(
        (status = CREATED, body = ContactAnswer),
        (status = BAD_REQUEST, description = "invalid, with every field that has to be typed again")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: OptionalMember,
    from: Client,
    ValidJson { body, origin }: ValidJson<ContactForm>,
) -> ApiResult<ApiResponse<ContactAnswer>> {
    require_pass(&app, from, &body.recaptcha)?;
    app.limits.submissions.count(from)?;
    let command = CommandContext::new("create-contact", who.actor(), &origin);
    let (id, done) = contacts::send(&app, &command, who.member(), &body).await?;
    Ok(done.created(ContactAnswer { id }))
}
