//! /api/console/message-texts: what the text of each message may use, how a text would look, and a message that tries one.
//! The texts themselves are records (`message-template`).

use application::executor::CommandContext;
use application::messages::phone;
use application::messages::templates::{preview, text_in_use};
use application::messages::{Trial, send_trial};
use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::MessageId;
use domain::message::{SmsKind, Template, TemplateText, TemplateVariable, TemplateVersion};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, Json, Respond, Staff, ValidJson, routes};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(send))
}

/// The text of a message and what it may use.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageText {
    /// Code of the template.
    template: Template,
    /// Its Korean title.
    title: &'static str,
    /// Whether it is a text to a phone; otherwise it is a mail.
    is_sms: bool,
    /// The variables its texts may use.
    variables: &'static [TemplateVariable],
    /// The text that is used while no record is.
    built_in: TemplateText,
    /// The record in use; none: the built-in text is.
    used: Option<TemplateVersion>,
}

/// All texts of messages.
#[derive(Serialize, ToSchema)]
pub struct MessageTextList {
    texts: Vec<MessageText>,
}

/// A text to be tried.
#[derive(Deserialize, ToSchema)]
pub struct TrialForm {
    /// The template it is for.
    template: Template,
    /// Subject, with variables.
    subject: String,
    /// Lines, with variables.
    content: String,
}

impl Validate for TrialForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

impl TrialForm {
    fn trial(self) -> Trial {
        Trial {
            template: self.template,
            text: TemplateText {
                subject: self.subject,
                content: self.content,
            },
        }
    }
}

/// How a message would look.
#[derive(Serialize, ToSchema)]
pub struct MessagePreview {
    /// Subject.
    subject: String,
    /// Plain text.
    text: String,
    /// The same as HTML; empty for a text to a phone.
    html: String,
    /// Its length and kind, if it is a text to a phone.
    sms: Option<SmsSize>,
}

/// How long a text to a phone is.
#[derive(Serialize, ToSchema)]
pub struct SmsSize {
    /// Bytes, as carriers count.
    bytes: usize,
    /// How it travels.
    kind: SmsKind,
}

/// A message that tries a text.
#[derive(Serialize, ToSchema)]
pub struct TrialAnswer {
    /// Its id, as in the list of messages.
    #[serde(rename = "_message")]
    message: MessageId,
}

/// The texts of all messages: variables, built-in text, and the record in use.
#[utoipa::path(
    get, path = "/api/console/message-texts", tag = "console", operation_id = "listMessageTexts",
    security(("access" = [])), responses((status = OK, body = MessageTextList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
) -> ApiResult<Json<MessageTextList>> {
    let mut texts = Vec::new();
    for template in Template::ALL.into_iter().filter(|one| one.is_replaceable()) {
        texts.push(MessageText {
            template,
            title: template.title(),
            is_sms: template.is_sms(),
            variables: template.variables(),
            built_in: template.built_in(),
            used: text_in_use(&app, template).await?.1,
        });
    }
    Ok(Json(MessageTextList { texts }))
}

/// How a text would look with sample values; nothing is stored or sent.
#[utoipa::path(
    post, path = "/api/console/message-texts/preview", tag = "console", operation_id = "previewMessageText",
    request_body = TrialForm, security(("access" = [])),
    responses(
        (status = OK, body = MessagePreview),
        (status = BAD_REQUEST, description = "invalid at `subject` or `content`: unknown_variable, missing_variable, line_break and others")
    )
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    ValidJson { body, .. }: ValidJson<TrialForm>,
) -> ApiResult<Json<MessagePreview>> {
    let trial = body.trial();
    trial.check().map_err(AppError::invalid)?;
    if trial.template.is_sms() {
        let written = phone::preview(trial.template, &trial.text);
        let sms = SmsSize {
            bytes: written.bytes(),
            kind: written.kind(),
        };
        return Ok(Json(MessagePreview {
            subject: written.subject,
            text: written.text,
            html: String::new(),
            sms: Some(sms),
        }));
    }
    let written = preview(trial.template, &trial.text, &app.settings.server.public_url);
    Ok(Json(MessagePreview {
        subject: written.subject,
        text: written.text,
        html: written.html,
        sms: None,
    }))
}

/// Send a text with sample values to oneself, by the outbox.
#[utoipa::path(
    post, path = "/api/console/message-texts/test", tag = "console", operation_id = "testMessageText",
    request_body = TrialForm, security(("access" = [])),
    responses(
        (status = CREATED, body = TrialAnswer),
        (status = BAD_REQUEST, description = "invalid at `subject` or `content`, as in a preview")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<TrialForm>,
) -> ApiResult<ApiResponse<TrialAnswer>> {
    let command = CommandContext::new("test-message", who.actor(), &origin);
    let id = MessageId(Uuid::now_v7());
    let done = send_trial(&app, &command, (who.0.user, id), &body.trial()).await?;
    Ok(done.created(TrialAnswer { message: id }))
}
