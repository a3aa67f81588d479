//! Inquiries about products: the console can answer them, but not change the members' texts.

use domain::inquire::{Inquire, Question};
use domain::member_record::AnswerState;
use domain::record::Document;
use futures::FutureExt;
use projections::inquires;
use projections::record_lists::Source;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::answers::{ANSWERS, STATE};
use super::member_content::{self, MemberContent, NICKNAME};
use crate::app::App;
use crate::error::AppResult;

impl ConsoleRecord for Inquire {
    const RESOURCE: AdminResource = AdminResource {
        for_sellers: true,
        member_authored: true,
        sealed: &["question"],
        source: Source::Inquires,
        reads: &[inquires::NAME],
        changeable: |_| Some(&["reply", "state"]),
        normalize: |_, _, fields| {
            // Setting a reply marks the inquiry as answered.
            if let Some(reply) = fields.get("reply").and_then(Value::as_str) {
                let state = AnswerState::of(reply);
                fields.insert("state".to_owned(), json!(state));
            }
            Ok(Vec::new())
        },
        output: Some(DocumentSchema::of::<InquireContent>()),
        enrich_one: |app, _, document| member_content::one::<Self>(app, document).boxed(),
        enrich_list: |app, rows| member_content::list::<Self>(app, rows).boxed(),
        schema: ResourceSchema {
            search: &["name", "reply"],
            sorts: &["createdAt", "updatedAt"],
            filters: &[
                Filter::one_of("state", ANSWERS),
                Filter::boolean("secret"),
                Filter::reference("_product", "product"),
                Filter::period("createdAt"),
            ],
            actions: MODERATED,
            grows: true,
            ..ResourceSchema::of(&[
                Field::text("name", "상품명").read_only(),
                Field::reference("_product", "상품", "product").read_only(),
                NICKNAME,
                Field::text("subject", "제목").read_only(),
                Field::longtext("content", "문의 내용")
                    .read_only()
                    .letters(2_000),
                Field::boolean("secret", "비밀글").read_only(),
                STATE,
                Field::longtext("reply", "답변").letters(2_000),
            ])
        },
        ..admin_resource!(Inquire: "inquire" at "/api/console/shop/inquires", "inquire", "inquires")
    };
}

/// What staff and sellers see of an inquiry besides its document.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct InquireContent {
    /// The member's nickname; null if the account is closed.
    pub nickname: Option<String>,
    /// One-line summary of the question; null if the member's account is closed.
    pub subject: Option<String>,
    /// Full text of the question; null if the member's account is closed.
    pub content: Option<String>,
}

impl MemberContent for Inquire {
    async fn content(&self, app: &App, nickname: Option<String>) -> AppResult<Document> {
        let question = app.open::<Question>(&self.question).await?;
        let (subject, content) = question
            .map(|question| (question.subject, question.content))
            .unzip();
        document_of(&InquireContent {
            nickname,
            subject,
            content,
        })
    }
}
