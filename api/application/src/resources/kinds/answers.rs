//! Answers of staff to what is sealed: with the key of the question.

use domain::Sealed;
use domain::inquire::AnswerState;
use domain::record::Document;
use serde_json::{Value, json};

use super::super::load::moment;
use super::super::schema::{FieldChoice, choice};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::json::typed;

/// States of an answer.
pub(super) const ANSWERS: &[FieldChoice] = &[
    choice("ANSWER_AWAITING", "답변 대기"),
    choice("ANSWER_COMPLETE", "답변 완료"),
];

/// Maximum length of an answer.
pub(super) const REPLY_MOST: u32 = 5_000;

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
