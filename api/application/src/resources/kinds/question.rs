//! Questions of members to the shop: staff answer them, but cannot change the members' texts.

use std::collections::HashMap;

use domain::center::CenterQuestion;
use domain::ids::MemberId;
use domain::inquire::Question;
use domain::record::Document;
use futures::FutureExt;
use projections::records::RecordRow;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldType, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::answers::{ANSWERS, REPLY_MOST, STORED_ANSWER, seal_answer};
use super::faq::TOPICS;
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;
use crate::members::profiles::shown_names;
use crate::questions::{QuestionFile, files_of};

impl ConsoleRecord for CenterQuestion {
    const RESOURCE: AdminResource = AdminResource {
        member_authored: true,
        sealed: &["question", "fileIds", "answer"],
        changeable: |_| Some(STORED_ANSWER),
        seal_input: |app, before, fields| seal_answer(app, before, fields, "question").boxed(),
        output: Some(DocumentSchema::of::<QuestionContent>()),
        enrich_one: |app, _, document| one(app, document).boxed(),
        enrich_list: |app, rows| with_content(app, rows).boxed(),
        schema: ResourceSchema {
            search: &[],
            sorts: &["createdAt", "updatedAt"],
            filters: &[
                Filter::one_of("state", ANSWERS),
                Filter::one_of("category", TOPICS),
                Filter::period("createdAt"),
            ],
            actions: MODERATED,
            grows: true,
            ..ResourceSchema::of(&[
                Field::text("nickname", "작성자").read_only(),
                Field::one_of("category", "분류", TOPICS).read_only(),
                Field::text("subject", "제목").read_only(),
                Field::longtext("content", "문의 내용")
                    .read_only()
                    .letters(2_000),
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
            CenterQuestion: "question" at "/api/console/center/questions", "question", "questions"
        )
    };
}

/// What staff see of a question besides its document.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct QuestionContent {
    /// The member's nickname; null if the account is closed.
    pub nickname: Option<String>,
    /// One-line summary of the question; null if the member's account is closed.
    pub subject: Option<String>,
    /// Full text of the question; null if the member's account is closed.
    pub content: Option<String>,
    /// Its files.
    pub files: Vec<QuestionFile>,
    /// The answer; empty while there is none, null if the member's account is closed.
    pub reply: Option<String>,
}

fn asked_in(document: &Document) -> AppResult<CenterQuestion> {
    typed(Value::Object(document.clone()))
}

async fn one(app: &App, document: &Document) -> AppResult<Document> {
    let asked = asked_in(document)?;
    let names = shown_names(app, [asked.user]).await?;
    content(app, &asked, &names).await
}

async fn content(
    app: &App,
    asked: &CenterQuestion,
    names: &HashMap<MemberId, String>,
) -> AppResult<Document> {
    let nickname = names.get(&asked.user).cloned();
    let (subject, content) = app
        .open::<Question>(&asked.question)
        .await?
        .map(|question| (question.subject, question.content))
        .unzip();
    let reply = match &asked.answer {
        Some(answer) => app.open::<String>(answer).await?,
        None => Some(String::new()),
    };
    document_of(&QuestionContent {
        nickname,
        subject,
        content,
        files: files_of(app, asked).await?,
        reply,
    })
}

async fn with_content(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let asked = rows.iter().map(|row| asked_in(&row.data));
    let asked: Vec<CenterQuestion> = asked.collect::<AppResult<_>>()?;
    let names = shown_names(app, asked.iter().map(|asked| asked.user)).await?;
    for (row, asked) in rows.iter_mut().zip(&asked) {
        let shown = content(app, asked, &names).await?;
        for sealed in CenterQuestion::RESOURCE.sealed {
            row.data.remove(*sealed);
        }
        row.data.extend(shown);
    }
    Ok(rows)
}
