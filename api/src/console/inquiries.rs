//! PUT /api/console/inquiries/{id}/state: sets the answer state of what was sent with a form.

use application::executor::CommandContext;
use application::resources::input::Draft;
use application::resources::{AdminResource, ConsoleRecord};
use axum::extract::State;
use domain::center::Inquiry;
use domain::forms::{FormErrors, Validate};
use domain::member_record::AnswerState;
use domain::record::Document;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, Path, Respond, StaffOrSeller, ValidJson, routes,
};

const INQUIRY: &AdminResource = &Inquiry::RESOURCE;

/// Prompt of an answer that is missing.
const MISSING: &str = "답변을 입력해야 답변 완료로 바뀝니다.";

/// The routes of inquiries besides those of every record.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(set_state))
}

/// The answer state to set.
#[derive(Deserialize, ToSchema)]
pub struct InquiryStateForm {
    /// The version that was shown.
    version: u64,
    /// Answered with a reply, or waiting for one again.
    state: AnswerState,
    /// The reply; omitted to keep the present one.
    #[serde(default)]
    reply: Option<String>,
}

impl Validate for InquiryStateForm {
    fn check(&self, errors: &mut FormErrors) {
        let reply = self.reply.as_deref().map(AnswerState::of);
        match self.state {
            AnswerState::AnswerComplete => {
                let empty = reply == Some(AnswerState::AnswerAwaiting);
                errors.when(!empty, "reply", "required", MISSING);
            }
            AnswerState::AnswerAwaiting => {
                errors.when(
                    reply != Some(AnswerState::AnswerComplete),
                    "reply",
                    "differs",
                    "답변 대기로 되돌릴 때는 답변을 비워 주세요.",
                );
            }
        }
    }
}

/// Set the answer state; the answer is sent as with the record itself. Waiting again takes the answer back.
#[utoipa::path(
    put, path = "/api/console/inquiries/{id}/state", tag = "console", operation_id = "setInquiryState", security(("access" = [])),
    request_body = InquiryStateForm, params(("id" = String, Path)),
    responses(
        (status = OK, body = ref("#/components/schemas/InquiryRecordAnswer")),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "version_conflict")
    )
)]
pub(crate) async fn set_state(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<InquiryStateForm>,
) -> ApiResult<ApiResponse<Document>> {
    INQUIRY.may_keep(who.rows)?;
    let mut fields = Document::from_iter([("version".to_owned(), json!(body.version))]);
    match (body.state, body.reply) {
        (AnswerState::AnswerAwaiting, _) => {
            fields.insert("reply".to_owned(), json!(""));
        }
        (AnswerState::AnswerComplete, Some(reply)) => {
            fields.insert("reply".to_owned(), json!(reply));
        }
        (AnswerState::AnswerComplete, None) => {
            let now = INQUIRY.shown(&app, &id).await?;
            if now.get("state") != Some(&json!(AnswerState::AnswerComplete)) {
                return Err(AppError::invalid_field("reply", "required", MISSING).into());
            }
        }
    }
    let command = CommandContext::new("change-inquiry-state", who.actor(), &origin);
    let done = INQUIRY.revise(&app, &command, who.editor(), &id, Draft(fields));
    let done = done.await?;
    let shown = INQUIRY.shown(&app, &id).await?;
    let answer = Document::from_iter([(INQUIRY.wire.one.to_owned(), shown.into())]);
    Ok(done.answer(answer))
}
