//! Contacts of guests and members: staff answer them, by mail where an address is given.

use domain::center::{Contact, ContactDetails};
use domain::record::{Document, Resource};
use event_store::StreamAppend;
use futures::FutureExt;
use projections::records::RecordRow;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{
    AdminResource, ConsoleRecord, DocumentSchema, RecordWrite, admin_resource, document_of,
};
use super::MODERATED;
use super::answers::{ANSWERS, AnswerMail, REPLY_MOST, STORED_ANSWER, mail_answer, seal_answer};
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;

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
        side_effects: |app, write| mail(app, write).boxed(),
        output: Some(DocumentSchema::of::<ContactContent>()),
        enrich_one: |app, _, document| one(app, document).boxed(),
        enrich_list: |app, rows| with_content(app, rows).boxed(),
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
                Field::one_of("state", "답변 상태", ANSWERS).read_only(),
                Field::longtext("reply", "답변").letters(REPLY_MOST),
                Field::datetime("repliedAt", "답변일").read_only(),
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

async fn one(app: &App, document: &Document) -> AppResult<Document> {
    let contact: Contact = typed(Value::Object(document.clone()))?;
    let reply = match &contact.answer {
        Some(answer) => app.open::<String>(answer).await?,
        None => Some(String::new()),
    };
    let Some(details) = app.open::<ContactDetails>(&contact.details).await? else {
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

async fn with_content(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    for row in &mut rows {
        let shown = one(app, &row.data).await?;
        for sealed in Contact::RESOURCE.sealed {
            row.data.remove(*sealed);
        }
        row.data.extend(shown);
    }
    Ok(rows)
}

/// Requests the mail with the answer, where an address is given.
///
/// # Errors
/// Database errors.
async fn mail(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let contact: Contact = typed(Value::Object(write.after.clone()))?;
    let (Some(answer), Some(at)) = (&contact.answer, contact.replied_at) else {
        return Ok(Vec::new());
    };
    let (details, answer) = (app.open(&contact.details).await?, app.open(answer).await?);
    let (Some(details), Some(answer)) = (details, answer) else {
        return Ok(Vec::new());
    };
    let details: ContactDetails = details;
    let mail = AnswerMail {
        kind: Contact::KIND,
        name: details.name,
        address: details.email,
        subject: details.subject,
        answer,
        at,
    };
    mail_answer(app, write, mail, &contact.details).await
}
