//! Contacts of guests and members: staff answer them, by mail where an address is given.

use domain::Sealed;
use domain::center::{Contact, ContactDetails};
use domain::member_record::SealedAnswer;
use domain::record::Document;
use futures::FutureExt;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::answers::{
    ANSWERS, AnswerReceiver, AnsweredByMail, REPLIED_AT, REPLY, STATE, STORED_ANSWER, mail,
    seal_answer,
};
use super::member_content::{self, MemberContent};
use crate::app::App;
use crate::error::AppResult;

/// What a contact is about, as in `domain::center::ContactTopic`.
const CONTACT_TOPICS: &[FieldChoice] = &[
    choice("PARTNERSHIP", "제휴·광고"),
    choice("SELLING", "입점"),
    choice("BULK", "대량 구매"),
    choice("OTHER", "기타"),
];

impl ConsoleRecord for Contact {
    const RESOURCE: AdminResource = AdminResource {
        member_authored: true,
        sealed: &["details", "answer"],
        changeable: |_| Some(STORED_ANSWER),
        seal_input: |app, before, fields| seal_answer(app, before, fields, "details").boxed(),
        side_effects: |app, write| mail::<Self>(app, write).boxed(),
        output: Some(DocumentSchema::of::<ContactContent>()),
        enrich_one: |app, _, document| member_content::one::<Self>(app, document).boxed(),
        enrich_list: |app, rows| member_content::list::<Self>(app, rows).boxed(),
        schema: ResourceSchema {
            search: &[],
            sorts: &["createdAt", "updatedAt"],
            filters: &[
                Filter::one_of("state", ANSWERS),
                Filter::one_of("category", CONTACT_TOPICS),
                Filter::period("createdAt"),
            ],
            actions: MODERATED,
            grows: true,
            ..ResourceSchema::of(&[
                Field::one_of("category", "분류", CONTACT_TOPICS).read_only(),
                Field::text("name", "이름").read_only(),
                Field::text("company", "회사").read_only(),
                Field::text("email", "이메일").read_only(),
                Field::text("phone", "휴대폰").read_only(),
                Field::text("subject", "제목").read_only(),
                Field::longtext("content", "문의 내용")
                    .read_only()
                    .letters(2_000),
                STATE,
                REPLY,
                REPLIED_AT,
            ])
        },
        ..admin_resource!(
            Contact: "contact" at "/api/console/center/contacts", "contact", "contacts"
        )
    };
}

/// What staff see of a contact besides its document; null once it is erased.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ContactContent {
    /// Name of the writer.
    pub name: Option<String>,
    /// The writer's company; empty without one.
    pub company: Option<String>,
    /// Mail address that the answer is sent to; empty without one.
    pub email: Option<String>,
    /// Digits of the phone number; empty without one.
    pub phone: Option<String>,
    /// One-line summary.
    pub subject: Option<String>,
    /// Full text.
    pub content: Option<String>,
    /// The answer; empty while there is none.
    pub reply: Option<String>,
}

impl MemberContent for Contact {
    async fn content(&self, app: &App, _nickname: Option<String>) -> AppResult<Document> {
        let reply = match &self.answered.answer {
            Some(answer) => app.open::<String>(answer).await?,
            None => Some(String::new()),
        };
        let Some(details) = app.open::<ContactDetails>(&self.details).await? else {
            return document_of(&ContactContent::default());
        };
        document_of(&ContactContent {
            name: Some(details.name),
            company: Some(details.company),
            email: Some(details.email),
            phone: Some(details.phone),
            subject: Some(details.subject),
            content: Some(details.content),
            reply,
        })
    }
}

impl AnsweredByMail for Contact {
    type Details = ContactDetails;

    fn details(&self) -> &Sealed<ContactDetails> {
        &self.details
    }

    fn answered(&self) -> &SealedAnswer {
        &self.answered
    }

    fn receiver(&self, details: ContactDetails) -> AnswerReceiver {
        AnswerReceiver {
            name: details.name,
            address: details.email,
            subject: details.subject,
        }
    }
}
