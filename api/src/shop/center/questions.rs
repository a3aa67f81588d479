//! /api/v1/center/questions: the member's questions to the shop. Others do not learn that they exist.

use application::executor::CommandContext;
use application::files::private::PrivateFile;
use application::member_records::{self, OwnRow, reply_of};
use application::questions::{self, QuestionWords, files_of};
use axum::extract::State;
use domain::center::{CenterQuestion, Topic};
use domain::forms::{FormErrors, Validate};
use domain::ids::MemberId;
use domain::inquire::Question;
use domain::member_record::AnswerState;
use projections::records;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, CurrentMember, Json, Page, Path,
    RequestMeta, Respond, Summary, ValidJson,
};

/// A question of the member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionView {
    /// Id of the question.
    #[serde(rename = "_id")]
    id: String,
    /// What it is about.
    category: Topic,
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Its files.
    files: Vec<PrivateFile>,
    /// Whether it is answered.
    state: AnswerState,
    /// The answer; null if there is none.
    reply: Option<String>,
    /// Time of the answer.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    replied_at: Option<OffsetDateTime>,
    /// Whether it is removed.
    removed: bool,
    /// Time of the question.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
}

/// A page of questions.
#[derive(Serialize, ToSchema)]
pub struct Questions {
    /// Number of questions.
    summary: Summary,
    /// The questions of the page, newest first.
    questions: Vec<QuestionView>,
}

/// One question.
#[derive(Serialize, ToSchema)]
pub struct QuestionAnswer {
    /// The question.
    question: QuestionView,
}

/// The text of a question.
#[derive(Deserialize, ToSchema)]
pub struct QuestionForm {
    /// What it is about.
    category: Topic,
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Ids of files that were uploaded with `POST /api/v1/files`, at most five.
    #[serde(default)]
    files: Vec<Uuid>,
}

impl Validate for QuestionForm {
    /// The rules are those of the question.
    fn check(&self, _checks: &mut FormErrors) {}
}

impl QuestionForm {
    fn words(self) -> QuestionWords {
        QuestionWords {
            category: self.category,
            subject: self.subject,
            content: self.content,
            files: self.files,
        }
    }
}

async fn view(app: &AppState, row: OwnRow<CenterQuestion>) -> AppResult<QuestionView> {
    let question = app.open::<Question>(&row.record.question).await?;
    let (subject, content) = question
        .map(|question| (question.subject, question.content))
        .unwrap_or_default();
    let answered = &row.record.answered;
    Ok(QuestionView {
        files: files_of(app, &row.record).await?,
        id: row.id,
        category: row.record.category,
        subject,
        content,
        state: answered.state,
        reply: reply_of(app, answered).await?,
        replied_at: answered.replied_at,
        removed: row.removed,
        created_at: row.created_at,
    })
}

async fn own(app: &AppState, id: Uuid, member: MemberId) -> AppResult<QuestionAnswer> {
    let row = member_records::own(app, id, member).await?;
    let question = view(app, row).await?;
    Ok(QuestionAnswer { question })
}

/// The member's questions, newest first.
#[utoipa::path(
    get, path = "/api/v1/center/questions", tag = "center", operation_id = "listMyQuestions", security(("access" = [])), params(Page),
    responses((status = OK, body = Questions))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Questions>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let listed = member_records::own_list(&app, who.member(), page.into()).await?;
    let summary = Summary::of(&listed);
    let mut questions = Vec::with_capacity(listed.rows.len());
    for row in listed.rows {
        questions.push(view(&app, row).await?);
    }
    Ok(fresh.answer(Questions { summary, questions }))
}

/// One question of the member, read from the log and so always current.
#[utoipa::path(
    get, path = "/api/v1/center/questions/{id}", tag = "center", operation_id = "showMyQuestion", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = QuestionAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<QuestionAnswer>> {
    Ok(Json(own(&app, id, who.member()).await?))
}

/// Ask the shop.
#[utoipa::path(
    post, path = "/api/v1/center/questions", tag = "center", operation_id = "askQuestion", security(("access" = [])),
    request_body = QuestionForm, responses((status = CREATED, body = QuestionAnswer))
)]
pub(crate) async fn ask(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<QuestionForm>,
) -> ApiResult<ApiResponse<QuestionAnswer>> {
    let command = CommandContext::new("ask-question", who.actor(), &origin);
    let words = body.words();
    let (id, done) = questions::ask(&app, &command, who.member(), &words).await?;
    Ok(done.created(own(&app, id, who.member()).await?))
}

/// Change a question that is not answered yet.
#[utoipa::path(
    put, path = "/api/v1/center/questions/{id}", tag = "center", operation_id = "changeMyQuestion", security(("access" = [])),
    request_body = QuestionForm, params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = QuestionAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, origin }: ValidJson<QuestionForm>,
) -> ApiResult<ApiResponse<QuestionAnswer>> {
    let command = CommandContext::new("change-question", who.actor(), &origin);
    let words = body.words();
    let done = questions::change(&app, &command, who.member(), id, &words).await?;
    Ok(done.answer(own(&app, id, who.member()).await?))
}

/// Remove a question.
#[utoipa::path(
    delete, path = "/api/v1/center/questions/{id}", tag = "center", operation_id = "removeMyQuestion", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = QuestionAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<QuestionAnswer>> {
    let command = CommandContext::new("remove-question", who.actor(), &origin);
    let done = member_records::remove::<CenterQuestion>(&app, &command, who.member(), id).await?;
    Ok(done.answer(own(&app, id, who.member()).await?))
}

/// Restore a question, unless staff removed it.
#[utoipa::path(
    post, path = "/api/v1/center/questions/{id}/restore", tag = "center", operation_id = "restoreMyQuestion",
    security(("access" = [])), params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = QuestionAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn restore(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<QuestionAnswer>> {
    let command = CommandContext::new("restore-question", who.actor(), &origin);
    let done = member_records::restore::<CenterQuestion>(&app, &command, who.member(), id).await?;
    Ok(done.answer(own(&app, id, who.member()).await?))
}
