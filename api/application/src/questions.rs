//! Questions of members to the shop.

use domain::center::{CenterQuestion, QUESTION_FILES_MOST, Topic};
use domain::ids::MemberId;
use domain::inquire::Question;
use domain::member_record::SealedAnswer;
use domain::{Purpose, Sealed};
use uuid::Uuid;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::files::private::{self, PrivateFile};
use crate::member_records;

/// The files of a question that still exist.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn files_of(app: &App, asked: &CenterQuestion) -> AppResult<Vec<PrivateFile>> {
    private::of_member(app, asked.user, &asked.file_ids).await
}

/// What a member writes.
#[derive(Clone, Debug)]
pub struct QuestionWords {
    /// What it is about.
    pub category: Topic,
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub content: String,
    /// Ids of files the member uploaded.
    pub files: Vec<Uuid>,
}

impl QuestionWords {
    /// The question, sealed with the member's key; its files are checked to be the member's own.
    async fn seal(&self, app: &App, member: MemberId) -> AppResult<Sealed<Question>> {
        let question = Question {
            subject: self.subject.trim().to_owned(),
            content: self.content.trim().to_owned(),
        };
        question.validate().map_err(AppError::invalid)?;
        if self.files.len() > QUESTION_FILES_MOST {
            return Err(AppError::invalid_field(
                "files",
                "too_many",
                "파일은 5개까지 첨부할 수 있습니다.",
            ));
        }
        private::require(app, member, &self.files, "files").await?;
        Ok(app.keys.seal(member.0, Purpose::Profile, &question).await?)
    }
}

/// Asks the shop. Returns the question's id.
///
/// # Errors
/// `invalid`.
pub async fn ask(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    words: &QuestionWords,
) -> AppResult<(Uuid, CommandOutcome)> {
    let asked = CenterQuestion {
        user: member,
        category: words.category,
        question: words.seal(app, member).await?,
        file_ids: words.files.clone(),
        answered: SealedAnswer::default(),
    };
    member_records::create(app, command, Uuid::now_v7(), asked).await
}

/// Changes a question that is not answered yet.
///
/// # Errors
/// `not_found`, `not_allowed_now`, `invalid`.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    id: Uuid,
    words: &QuestionWords,
) -> AppResult<CommandOutcome> {
    member_records::own::<CenterQuestion>(app, id, member).await?;
    let question = &words.seal(app, member).await?;
    let changed = |before: CenterQuestion| CenterQuestion {
        category: words.category,
        question: question.clone(),
        file_ids: words.files.clone(),
        ..before
    };
    member_records::change(app, command, member, id, changed).await
}
