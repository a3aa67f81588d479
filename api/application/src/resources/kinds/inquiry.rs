//! What guests and members send with forms: staff answer it, members through an alarm, guests by mail.

use domain::Sealed;
use domain::center::{Inquiry, InquiryDetails};
use domain::member_record::SealedAnswer;
use domain::record::Document;
use futures::FutureExt;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::answers::{
    ANSWERS, AnswerReceiver, AnsweredByMail, REPLIED_AT, REPLY, STATE, STORED_ANSWER, mail,
    seal_answer,
};
use super::form::FIELD_TYPES;
use super::member_content::{self, FILES, MemberContent, NICKNAME};
use crate::app::App;
use crate::error::AppResult;
use crate::files::private::PrivateFile;
use crate::inquiries::{AnswerView, answers_of, inquiry_files};

impl ConsoleRecord for Inquiry {
    const RESOURCE: AdminResource = AdminResource {
        member_authored: true,
        sealed: &["details", "answer", "fields"],
        changeable: |_| Some(STORED_ANSWER),
        seal_input: |app, before, fields| seal_answer(app, before, fields, "details").boxed(),
        side_effects: |app, write| mail::<Self>(app, write).boxed(),
        output: Some(DocumentSchema::of::<InquiryContent>()),
        enrich_one: |app, _, document| member_content::one::<Self>(app, document).boxed(),
        enrich_list: |app, rows| member_content::list::<Self>(app, rows).boxed(),
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
                NICKNAME,
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
                FILES,
                STATE,
                REPLY,
                REPLIED_AT,
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
    pub files: Vec<PrivateFile>,
    /// The reply; empty while there is none.
    pub reply: Option<String>,
}

impl MemberContent for Inquiry {
    async fn content(&self, app: &App, nickname: Option<String>) -> AppResult<Document> {
        let reply = match &self.answered.answer {
            Some(answer) => app.open::<String>(answer).await?,
            None => Some(String::new()),
        };
        let Some(details) = app.open::<InquiryDetails>(&self.details).await? else {
            return document_of(&InquiryContent {
                nickname,
                ..InquiryContent::default()
            });
        };
        let files = inquiry_files(app, self, &details).await?;
        document_of(&InquiryContent {
            nickname,
            subject: Some(details.subject(&self.fields, &self.form_name)),
            answers: answers_of(&self.fields, &details, &files),
            files,
            name: Some(details.name),
            email: Some(details.email),
            phone: Some(details.phone),
            reply,
        })
    }
}

impl AnsweredByMail for Inquiry {
    type Details = InquiryDetails;

    fn details(&self) -> &Sealed<InquiryDetails> {
        &self.details
    }

    fn answered(&self) -> &SealedAnswer {
        &self.answered
    }

    fn receiver(&self, details: InquiryDetails) -> AnswerReceiver {
        AnswerReceiver {
            name: details.name,
            address: details.email,
            subject: self.form_name.clone(),
        }
    }
}
