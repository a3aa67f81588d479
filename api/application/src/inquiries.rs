//! Forms and what guests and members send with them.

use domain::Purpose;
use domain::center::{
    FormAnswers, FormField, FormFieldType, Inquiry, InquiryDetails, InquiryForm, InquirySubmission,
    answer_text, checked_answers,
};
use domain::forms::phone_digits;
use domain::ids::MemberId;
use domain::member_record::SealedAnswer;
use domain::record::{Record, Resource};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::files::private::{self, PrivateFile};
use crate::member_records;

/// A form as it stands in the log.
#[derive(Clone, Debug)]
pub struct FormRow {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: u64,
    /// The form.
    pub form: InquiryForm,
}

/// The form with this id or code that can be sent now, read from the log and so always current.
///
/// # Errors
/// `not_found`, also if it is removed, not enabled, or outside its period.
pub async fn form(app: &App, id_or_code: &str) -> AppResult<FormRow> {
    let id = match id_or_code.parse::<Uuid>() {
        Ok(id) => id.to_string(),
        Err(_) => {
            let unique = InquiryForm::UNIQUE.ok_or_else(AppError::not_found)?;
            let hash = app.keys.lookup_hash(unique.scope, id_or_code.trim());
            let id = app.store.reserved_by(unique.scope, &hash).await?;
            id.ok_or_else(AppError::not_found)?
        }
    };
    let loaded = app.store.load::<Record<InquiryForm>>(&id).await?;
    let form = loaded.state.data().map_err(|_| AppError::not_found())?;
    if loaded.state.removed || !form.display.shown_at(app.clock.now()) {
        return Err(AppError::not_found());
    }
    Ok(FormRow {
        id,
        version: loaded.version,
        form,
    })
}

/// An answer to a field of a form.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnswerView {
    /// Id of the field within the form.
    #[serde(rename = "_id")]
    pub id: String,
    /// The question, as it was.
    pub name: String,
    /// What the field takes.
    #[serde(rename = "type")]
    pub takes: FormFieldType,
    /// The answer as text; names of files.
    pub text: String,
}

/// The answers that were given, in the order of the fields.
pub fn answers_of(
    fields: &[FormField],
    details: &InquiryDetails,
    files: &[PrivateFile],
) -> Vec<AnswerView> {
    let view = |field: &FormField| {
        let value = details.answers.get(&field.id)?;
        let text = match field.takes {
            FormFieldType::File => {
                let ids = file_ids(value);
                let named = files.iter().filter(|file| ids.contains(&file.id));
                let names: Vec<&str> = named.map(|file| file.name.as_str()).collect();
                names.join(", ")
            }
            _ => answer_text(value),
        };
        Some(AnswerView {
            id: field.id.clone(),
            name: field.name.clone(),
            takes: field.takes,
            text,
        })
    };
    fields.iter().filter_map(view).collect()
}

fn file_ids(value: &Value) -> Vec<Uuid> {
    let ids = value.as_array().into_iter().flatten();
    ids.filter_map(|id| id.as_str()?.parse().ok()).collect()
}

/// The files of all answers that still exist.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn inquiry_files(
    app: &App,
    inquiry: &Inquiry,
    details: &InquiryDetails,
) -> AppResult<Vec<PrivateFile>> {
    let Some(owner) = inquiry.user else {
        return Ok(Vec::new());
    };
    let of_files = inquiry
        .fields
        .iter()
        .filter(|field| field.takes == FormFieldType::File);
    let answers = of_files.filter_map(|field| details.answers.get(&field.id));
    let ids: Vec<Uuid> = answers.flat_map(file_ids).collect();
    private::of_member(app, owner, &ids).await
}

/// The answers to the fields, with files that are the member's own.
async fn accepted(
    app: &App,
    member: Option<MemberId>,
    fields: &[FormField],
    given: &FormAnswers,
) -> AppResult<FormAnswers> {
    let answers = checked_answers(fields, given).map_err(AppError::invalid)?;
    let of_files = fields
        .iter()
        .filter(|field| field.takes == FormFieldType::File);
    for field in of_files {
        let Some(value) = answers.get(&field.id) else {
            continue;
        };
        let member = member.ok_or_else(|| AppError::new(Code::LoginRequired))?;
        let at = format!("answers.{}", field.id);
        private::require(app, member, &file_ids(value), &at).await?;
    }
    Ok(answers)
}

/// Checks what a guest or a member filled in; returns the form and the details as they are stored.
///
/// # Errors
/// `not_found` for a form that cannot be sent now; `version_conflict` if it was changed since it was read; `login_required`; `invalid`
/// with every wrong answer.
pub async fn check(
    app: &App,
    member: Option<MemberId>,
    sent: &InquirySubmission,
) -> AppResult<(FormRow, InquiryDetails)> {
    let found = form(app, &sent.form).await?;
    let form = &found.form;
    if form.members_only && member.is_none() {
        return Err(AppError::new(Code::LoginRequired));
    }
    if found.version != sent.version {
        return Err(AppError::new(Code::VersionConflict));
    }
    let mut details = InquiryDetails::default();
    if member.is_none() {
        sent.check_guest().map_err(AppError::invalid)?;
        details.name = sent.name.trim().to_owned();
        details.email = sent.email.trim().to_owned();
        details.phone = phone_digits(&sent.phone);
    }
    details.answers = accepted(app, member, &form.fields, &sent.answers).await?;
    Ok((found, details))
}

/// Sends what a guest or a member filled in. Returns the inquiry's id.
///
/// # Errors
/// As [`check`].
pub async fn send(
    app: &App,
    command: &CommandContext,
    member: Option<MemberId>,
    sent: &InquirySubmission,
) -> AppResult<(Uuid, CommandOutcome)> {
    let (FormRow { id, version, form }, details) = check(app, member, sent).await?;
    let inquiry = Uuid::now_v7();
    let created = Inquiry {
        user: member,
        form: id,
        form_version: version,
        form_name: form.name,
        fields: form.fields,
        details: app.keys.seal(inquiry, Purpose::Statutory, &details).await?,
        answered: SealedAnswer::default(),
    };
    member_records::create(app, command, inquiry, created).await
}

/// Changes the answers of an inquiry that is not answered yet; they are checked against the form as it was sent.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
    given: &FormAnswers,
) -> AppResult<CommandOutcome> {
    let before = member_records::own::<Inquiry>(app, id, member).await?;
    let answers = accepted(app, Some(member), &before.record.fields, given).await?;
    let details = InquiryDetails {
        answers,
        ..InquiryDetails::default()
    };
    let details = &app.keys.seal(id, Purpose::Statutory, &details).await?;
    let changed = |before: Inquiry| Inquiry {
        details: details.clone(),
        ..before
    };
    member_records::change(app, command, member, id, changed).await
}

/// The stored answers of an inquiry; none once it is erased.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn details_of(app: &App, sent: &Inquiry) -> AppResult<Option<InquiryDetails>> {
    app.open::<InquiryDetails>(&sent.details).await
}
