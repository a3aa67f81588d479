//! Questions of members to the shop: staff answer them, but cannot change the members' texts.

use domain::center::CenterQuestion;
use domain::inquire::Question;
use domain::record::Document;
use futures::FutureExt;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::answers::{ANSWERS, REPLIED_AT, REPLY, STATE, STORED_ANSWER, seal_answer};
use super::faq::TOPICS;
use super::member_content::{self, FILES, MemberContent, NICKNAME};
use crate::app::App;
use crate::error::AppResult;
use crate::files::private::PrivateFile;
use crate::questions::files_of;

impl ConsoleRecord for CenterQuestion {
    const RESOURCE: AdminResource = AdminResource {
        member_authored: true,
        sealed: &["question", "fileIds", "answer"],
        changeable: |_| Some(STORED_ANSWER),
        seal_input: |app, before, fields| seal_answer(app, before, fields, "question").boxed(),
        output: Some(DocumentSchema::of::<QuestionContent>()),
        enrich_one: |app, _, document| member_content::one::<Self>(app, document).boxed(),
        enrich_list: |app, rows| member_content::list::<Self>(app, rows).boxed(),
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
                NICKNAME,
                Field::one_of("category", "분류", TOPICS).read_only(),
                Field::text("subject", "제목").read_only(),
                Field::longtext("content", "문의 내용")
                    .read_only()
                    .letters(2_000),
                FILES,
                STATE,
                REPLY,
                REPLIED_AT,
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
    pub files: Vec<PrivateFile>,
    /// The answer; empty while there is none, null if the member's account is closed.
    pub reply: Option<String>,
}

impl MemberContent for CenterQuestion {
    async fn content(&self, app: &App, nickname: Option<String>) -> AppResult<Document> {
        let question = app.open::<Question>(&self.question).await?;
        let (subject, content) = question
            .map(|question| (question.subject, question.content))
            .unzip();
        let reply = match &self.answered.answer {
            Some(answer) => app.open::<String>(answer).await?,
            None => Some(String::new()),
        };
        document_of(&QuestionContent {
            nickname,
            subject,
            content,
            files: files_of(app, self).await?,
            reply,
        })
    }
}
