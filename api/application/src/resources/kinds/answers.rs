//! Answers of staff to what is sealed: with the key of the question, and by mail to guests.

use std::collections::BTreeMap;

use domain::member_record::{AnswerState, MemberRecord, SealedAnswer};
use domain::message::{
    Channel, Message, MessageCause, MessageCommand, MessageContent, MessageTerms, Template,
};
use domain::record::Document;
use domain::{SealLabel, Sealed};
use event_store::StreamAppend;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::super::RecordWrite;
use super::super::load::moment;
use super::super::schema::{Field, FieldChoice, choice};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::decide;
use crate::json::typed;
use crate::messages::message_id;

/// States of an answer.
pub(super) const ANSWERS: &[FieldChoice] = &[
    choice("ANSWER_AWAITING", "답변 대기"),
    choice("ANSWER_COMPLETE", "답변 완료"),
];

/// Maximum length of a sealed answer.
const REPLY_MOST: u32 = 5_000;

/// The state of the answer.
pub(super) const STATE: Field = Field::one_of("state", "답변 상태", ANSWERS).read_only();
/// A sealed answer.
pub(super) const REPLY: Field = Field::longtext("reply", "답변").letters(REPLY_MOST);
/// When the answer was given.
pub(super) const REPLIED_AT: Field = Field::datetime("repliedAt", "답변일").read_only();

/// The fields that staff change with an answer.
pub(super) const STORED_ANSWER: &[&str] = &["reply", "answer", "state", "repliedAt"];

/// Seals the answer of a form with the key of the sealed field `asked`. The stored fields follow from it; what a form has in them counts
/// for nothing.
pub(super) async fn seal_answer(
    app: &App,
    before: &Document,
    fields: &mut Document,
    asked: &str,
) -> AppResult<()> {
    for stored in ["answer", "state", "repliedAt"] {
        let value = before.get(stored).cloned().unwrap_or_default();
        fields.insert(stored.to_owned(), value);
    }
    let Some(reply) = fields.remove("reply") else {
        return Ok(());
    };
    let reply = match &reply {
        Value::Null => "",
        Value::String(reply) => reply.trim(),
        _ => {
            return Err(AppError::invalid_field(
                "reply",
                "invalid_body",
                "답변을 글로 입력해 주세요.",
            ));
        }
    };
    let most = usize::try_from(REPLY_MOST).unwrap_or(usize::MAX);
    if reply.chars().count() > most {
        return Err(AppError::invalid_field(
            "reply",
            "too_long",
            "입력할 수 있는 길이를 넘었습니다.",
        ));
    }
    let sealed_as: Sealed<String> = typed(before.get(asked).cloned().unwrap_or_default())?;
    let stands: Option<Sealed<String>> = typed(before.get("answer").cloned().unwrap_or_default())?;
    let stands = match &stands {
        Some(answer) => app.open::<String>(answer).await?,
        None => None,
    };
    if stands.as_deref().unwrap_or_default() == reply {
        return Ok(());
    }
    let state = AnswerState::of(reply);
    let (sealed, at) = match state {
        AnswerState::AnswerAwaiting => (Value::Null, Value::Null),
        AnswerState::AnswerComplete => {
            let sealed: Sealed<String> = app
                .keys
                .seal(sealed_as.subject, sealed_as.purpose, &reply.to_owned())
                .await?;
            (json!(sealed), json!(moment(app.clock.now())?))
        }
    };
    fields.insert("answer".to_owned(), sealed);
    fields.insert("state".to_owned(), json!(state));
    fields.insert("repliedAt".to_owned(), at);
    Ok(())
}

/// A kind whose answers are mailed to the address that was given.
pub(super) trait AnsweredByMail: MemberRecord {
    /// The sealed text, with the address.
    type Details: DeserializeOwned + SealLabel + Send;

    /// The text, as stored.
    fn details(&self) -> &Sealed<Self::Details>;

    /// The answer.
    fn answered(&self) -> &SealedAnswer;

    /// Who gets the mail.
    fn receiver(&self, details: Self::Details) -> AnswerReceiver;
}

/// Who gets the mail with an answer.
pub(super) struct AnswerReceiver {
    /// Name.
    pub name: String,
    /// Mail address; empty without one.
    pub address: String,
    /// What the answer is about.
    pub subject: String,
}

/// Requests the mail with the answer, in the append that answers. Its id is derived from the answer's time, so other changes of an
/// answered record request none. What it says is sealed with the key of the record.
///
/// # Errors
/// Database errors.
pub(super) async fn mail<R: AnsweredByMail>(
    app: &App,
    write: RecordWrite<'_>,
) -> AppResult<Vec<StreamAppend>> {
    let record: R = typed(Value::Object(write.after.clone()))?;
    let stored = record.answered();
    let (Some(answer), Some(at)) = (&stored.answer, stored.replied_at) else {
        return Ok(Vec::new());
    };
    let details = app.open::<R::Details>(record.details()).await?;
    let answer = app.open::<String>(answer).await?;
    let (Some(details), Some(answer)) = (details, answer) else {
        return Ok(Vec::new());
    };
    let receiver = record.receiver(details);
    if receiver.address.is_empty() {
        return Ok(Vec::new());
    }
    let cause = format!(
        "{}-answer {} {}",
        R::KIND,
        write.id,
        at.unix_timestamp_nanos()
    );
    let id = message_id(&cause, write.id);
    let message = app.store.load::<Message>(&id.to_string()).await?;
    if message.version > 0 {
        return Ok(Vec::new());
    }
    let content = MessageContent {
        name: receiver.name,
        address: receiver.address,
        variables: BTreeMap::from([
            ("answer".to_owned(), answer),
            ("subject".to_owned(), receiver.subject),
        ]),
    };
    let sealed_as = record.details();
    let terms = MessageTerms {
        channel: Channel::Mail,
        template: Template::ContactAnswered,
        cause: MessageCause {
            kind: R::KIND.to_owned(),
            id: write.id.parse().map_err(AppError::internal)?,
            event: None,
        },
        content: app
            .keys
            .seal(sealed_as.subject, sealed_as.purpose, &content)
            .await?,
        expires_at: None,
    };
    let request = MessageCommand::Request(Box::new(terms));
    Ok(vec![decide(id, &message, request, write.context)?])
}
