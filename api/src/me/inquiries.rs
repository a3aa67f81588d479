//! /api/v1/me/inquiries: what the member sent with forms, and the answers. Others do not learn that it exists.

use application::executor::CommandContext;
use application::files::private::PrivateFile;
use application::inquiries::{self, AnswerView, answers_of, details_of, inquiry_files};
use application::member_records::{self, OwnRow, reply_of};
use axum::extract::State;
use domain::center::{FormAnswers, FormField, Inquiry, InquirySubmission};
use domain::forms::{FormErrors, Validate};
use domain::ids::MemberId;
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
use crate::limits::Client;

/// An inquiry of the member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquiryView {
    /// Id of the inquiry.
    #[serde(rename = "_id")]
    id: String,
    /// Id of the form.
    #[serde(rename = "_form")]
    form: String,
    /// Title of the form when it was sent.
    form_name: String,
    /// The fields of the form when it was sent.
    fields: Vec<FormField>,
    /// The first text that was written, else the form's title.
    subject: String,
    /// The answers as text, in the order of the fields.
    answers: Vec<AnswerView>,
    /// The stored answers by the id of their field.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    values: FormAnswers,
    /// The files of all answers.
    files: Vec<PrivateFile>,
    /// Whether it is answered.
    state: AnswerState,
    /// The answer; null if there is none.
    reply: Option<String>,
    /// Time of the answer.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    replied_at: Option<OffsetDateTime>,
    /// Whether it is removed; nothing of it can be read then.
    removed: bool,
    /// When it was sent.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
}

/// A page of inquiries.
#[derive(Serialize, ToSchema)]
pub struct Inquiries {
    /// Number of inquiries.
    summary: Summary,
    /// The inquiries of the page, newest first.
    inquiries: Vec<InquiryView>,
}

/// One inquiry.
#[derive(Serialize, ToSchema)]
pub struct InquiryAnswer {
    /// The inquiry.
    inquiry: InquiryView,
}

/// The changed answers of an inquiry.
#[derive(Deserialize, ToSchema)]
pub struct InquiryChange {
    /// The answers by the id of their field; they replace all earlier ones.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    answers: FormAnswers,
}

impl Validate for InquiryChange {
    /// The rules are those of the form as it was sent.
    fn check(&self, _checks: &mut FormErrors) {}
}

async fn view(app: &AppState, row: OwnRow<Inquiry>) -> AppResult<InquiryView> {
    let details = match row.removed {
        true => None,
        false => details_of(app, &row.record).await?,
    };
    let details = details.unwrap_or_default();
    let files = inquiry_files(app, &row.record, &details).await?;
    let reply = match row.removed {
        true => None,
        false => reply_of(app, &row.record.answered).await?,
    };
    let sent = row.record;
    Ok(InquiryView {
        id: row.id,
        subject: details.subject(&sent.fields, &sent.form_name),
        answers: answers_of(&sent.fields, &details, &files),
        values: details.answers,
        files,
        form: sent.form,
        form_name: sent.form_name,
        fields: sent.fields,
        state: sent.answered.state,
        reply,
        replied_at: sent.answered.replied_at,
        removed: row.removed,
        created_at: row.created_at,
    })
}

async fn own(app: &AppState, id: Uuid, member: MemberId) -> AppResult<InquiryAnswer> {
    let row = member_records::own(app, id, member).await?;
    let inquiry = view(app, row).await?;
    Ok(InquiryAnswer { inquiry })
}

/// The member's inquiries, newest first.
#[utoipa::path(
    get, path = "/api/v1/me/inquiries", tag = "me", operation_id = "listMyInquiries", security(("access" = [])), params(Page),
    responses((status = OK, body = Inquiries))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Inquiries>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let listed = member_records::own_list(&app, who.member(), page.into()).await?;
    let summary = Summary::of(&listed);
    let mut inquiries = Vec::with_capacity(listed.rows.len());
    for row in listed.rows {
        inquiries.push(view(&app, row).await?);
    }
    Ok(fresh.answer(Inquiries { summary, inquiries }))
}

/// One inquiry of the member, read from the log and so always current.
#[utoipa::path(
    get, path = "/api/v1/me/inquiries/{id}", tag = "me", operation_id = "showMyInquiry", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = InquiryAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<InquiryAnswer>> {
    Ok(Json(own(&app, id, who.member()).await?))
}

/// Send a form as a member.
#[utoipa::path(
    post, path = "/api/v1/me/inquiries", tag = "me", operation_id = "sendMyInquiry", security(("access" = [])),
    request_body = InquirySubmission,
    responses(
        (status = CREATED, body = InquiryAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "version_conflict: the form was changed meanwhile")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: CurrentMember,
    from: Client,
    ValidJson { body, origin }: ValidJson<InquirySubmission>,
) -> ApiResult<ApiResponse<InquiryAnswer>> {
    let member = who.member();
    inquiries::check(&app, Some(member), &body).await?;
    app.limits.submissions.count(from)?;
    let command = CommandContext::new("create-inquiry", who.actor(), &origin);
    let (id, done) = inquiries::send(&app, &command, Some(member), &body).await?;
    Ok(done.created(own(&app, id, member).await?))
}

/// Change the answers of an inquiry that is not answered yet.
#[utoipa::path(
    put, path = "/api/v1/me/inquiries/{id}", tag = "me", operation_id = "changeMyInquiry", security(("access" = [])),
    request_body = InquiryChange, params(("id" = Uuid, Path)),
    responses(
        (status = OK, body = InquiryAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now")
    )
)]
pub(crate) async fn change(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    ValidJson { body, origin }: ValidJson<InquiryChange>,
) -> ApiResult<ApiResponse<InquiryAnswer>> {
    let command = CommandContext::new("change-inquiry", who.actor(), &origin);
    let done = inquiries::change(&app, &command, who.member(), id, &body.answers).await?;
    Ok(done.answer(own(&app, id, who.member()).await?))
}

/// Remove an inquiry for good: its key is destroyed.
#[utoipa::path(
    delete, path = "/api/v1/me/inquiries/{id}", tag = "me", operation_id = "removeMyInquiry", security(("access" = [])),
    params(("id" = Uuid, Path)), responses((status = OK, body = InquiryAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    who: CurrentMember,
    Path(id): Path<Uuid>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<InquiryAnswer>> {
    let command = CommandContext::new("remove-inquiry", who.actor(), &origin);
    let done = member_records::remove::<Inquiry>(&app, &command, who.member(), id).await?;
    Ok(done.answer(own(&app, id, who.member()).await?))
}
