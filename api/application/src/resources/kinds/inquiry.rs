//! What guests and members send with forms: staff answer it, members through an alarm, guests by mail.

use std::collections::HashMap;

use domain::center::{Inquiry, InquiryDetails};
use domain::ids::MemberId;
use domain::record::{Document, Resource};
use event_store::StreamAppend;
use futures::FutureExt;
use projections::records::RecordRow;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldType, Filter, ResourceSchema};
use super::super::{
    AdminResource, ConsoleRecord, DocumentSchema, RecordWrite, admin_resource, document_of,
};
use super::MODERATED;
use super::answers::{ANSWERS, AnswerMail, REPLY_MOST, STORED_ANSWER, mail_answer, seal_answer};
use super::form::FIELD_TYPES;
use crate::app::App;
use crate::error::AppResult;
use crate::inquiries::{AnswerView, answers_of, inquiry_files};
use crate::json::typed;
use crate::members::profiles::shown_names;
use crate::questions::QuestionFile;

impl ConsoleRecord for Inquiry {
    const RESOURCE: AdminResource = AdminResource {
        member_authored: true,
        sealed: &["details", "answer", "fields"],
        changeable: |_| Some(STORED_ANSWER),
        seal_input: |app, before, fields| seal_answer(app, before, fields, "details").boxed(),
        side_effects: |app, write| mail(app, write).boxed(),
        output: Some(DocumentSchema::of::<InquiryContent>()),
        enrich_one: |app, _, document| one(app, document).boxed(),
        enrich_list: |app, rows| with_content(app, rows).boxed(),
        schema: ResourceSchema {
            search: &["formName"],
            sorts: &["createdAt", "updatedAt"],
            filters: &[
                Filter::one_of("state", ANSWERS),
                Filter::reference("_form", "form"),
                Filter::period("createdAt"),
            ],
            actions: MODERATED,
            grows: true,
            ..ResourceSchema::of(&[
                Field::reference("_form", "양식", "form").read_only(),
                Field::text("formName", "양식 제목").read_only(),
                Field::integer("formVersion", "양식 버전").read_only(),
                Field::text("nickname", "작성자").read_only(),
                Field::text("name", "이름").read_only(),
                Field::text("email", "이메일").read_only(),
                Field::text("phone", "휴대폰").read_only(),
                Field::text("subject", "요약").read_only(),
                Field::list(
                    "answers",
                    "보낸 내용",
                    &[
                        Field::text("_id", "번호").read_only(),
                        Field::text("name", "항목명").read_only(),
                        Field::one_of("type", "종류", FIELD_TYPES).read_only(),
                        Field::longtext("text", "답").read_only().letters(2_000),
                    ],
                )
                .read_only(),
                Field::list(
                    "files",
                    "첨부파일",
                    &[
                        Field::text("_id", "번호").read_only(),
                        Field::text("name", "이름").read_only(),
                        Field::of("url", "파일", FieldType::File).read_only(),
                    ],
                )
                .read_only(),
                Field::one_of("state", "답변 상태", ANSWERS).read_only(),
                Field::longtext("reply", "답변").letters(REPLY_MOST),
                Field::datetime("repliedAt", "답변일").read_only(),
            ])
        },
        ..admin_resource!(
            Inquiry: "inquiry" at "/api/console/inquiries", "inquiry", "inquiries"
        )
    };
}

/// What staff see of an inquiry besides its document; null once it is erased.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct InquiryContent {
    /// The member's nickname; null for guests and closed accounts.
    pub nickname: Option<String>,
    /// Name of the guest; empty for members.
    pub name: Option<String>,
    /// Mail address of the guest, which the reply is sent to; empty without one.
    pub email: Option<String>,
    /// Digits of the guest's phone number; empty without one.
    pub phone: Option<String>,
    /// The first text that was written, else the form's title.
    pub subject: Option<String>,
    /// The answers in the order of the form's fields; none of those that were left out.
    pub answers: Vec<AnswerView>,
    /// The files of all answers.
    pub files: Vec<QuestionFile>,
    /// The reply; empty while there is none.
    pub reply: Option<String>,
}

fn inquiry_in(document: &Document) -> AppResult<Inquiry> {
    typed(Value::Object(document.clone()))
}

async fn one(app: &App, document: &Document) -> AppResult<Document> {
    let inquiry = inquiry_in(document)?;
    let names = shown_names(app, inquiry.user).await?;
    content(app, &inquiry, &names).await
}

async fn content(
    app: &App,
    inquiry: &Inquiry,
    names: &HashMap<MemberId, String>,
) -> AppResult<Document> {
    let nickname = inquiry.user.and_then(|user| names.get(&user)).cloned();
    let reply = match &inquiry.answer {
        Some(answer) => app.open::<String>(answer).await?,
        None => Some(String::new()),
    };
    let Some(details) = app.open::<InquiryDetails>(&inquiry.details).await? else {
        return document_of(&InquiryContent {
            nickname,
            ..InquiryContent::default()
        });
    };
    let files = inquiry_files(app, inquiry, &details).await?;
    document_of(&InquiryContent {
        nickname,
        subject: Some(details.subject(&inquiry.fields, &inquiry.form_name)),
        answers: answers_of(&inquiry.fields, &details, &files),
        files,
        name: Some(details.name),
        email: Some(details.email),
        phone: Some(details.phone),
        reply,
    })
}

async fn with_content(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let sent = rows.iter().map(|row| inquiry_in(&row.data));
    let sent: Vec<Inquiry> = sent.collect::<AppResult<_>>()?;
    let names = shown_names(app, sent.iter().filter_map(|inquiry| inquiry.user)).await?;
    for (row, inquiry) in rows.iter_mut().zip(&sent) {
        let shown = content(app, inquiry, &names).await?;
        for sealed in Inquiry::RESOURCE.sealed {
            row.data.remove(*sealed);
        }
        row.data.extend(shown);
    }
    Ok(rows)
}

/// Requests the mail with the reply to a guest, where an address is given.
///
/// # Errors
/// Database errors.
async fn mail(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let inquiry: Inquiry = typed(Value::Object(write.after.clone()))?;
    let (Some(answer), Some(at)) = (&inquiry.answer, inquiry.replied_at) else {
        return Ok(Vec::new());
    };
    let (details, answer) = (app.open(&inquiry.details).await?, app.open(answer).await?);
    let (Some(details), Some(answer)) = (details, answer) else {
        return Ok(Vec::new());
    };
    let details: InquiryDetails = details;
    let mail = AnswerMail {
        kind: Inquiry::KIND,
        subject: inquiry.form_name.clone(),
        name: details.name,
        address: details.email,
        answer,
        at,
    };
    mail_answer(app, write, mail, &inquiry.details).await
}
