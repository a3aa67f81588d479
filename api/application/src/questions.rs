//! Questions of members to the shop.

use domain::center::{CenterQuestion, QUESTION_FILES_MOST, Topic};
use domain::event::Decider;
use domain::ids::MemberId;
use domain::inquire::{AnswerState, Question};
use domain::record::{Document, Record, RecordCommand, Resource};
use domain::{Actor, Purpose, Sealed};
use event_store::{Expected, StoredEvent, StreamAppend};
use projections::ReadError;
use projections::record_lists::{AUTHOR, Column, Order, RecordListQuery, Source, Test, narrowed};
use projections::records::RecordRow;
use projections::state::files;
use projections::{ListPage, Page};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::blob_store::FileName;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome};
use crate::json::typed;
use crate::own_records::{MemberRecord, OwnRecord};

/// A question as its stream tells it.
#[derive(Clone, Debug)]
pub struct QuestionRow {
    /// Its id.
    pub id: String,
    /// The whole document.
    pub data: Document,
    /// The question.
    pub asked: CenterQuestion,
    /// Marked as removed.
    pub removed: bool,
    /// Removed by staff: its author may not restore it.
    pub barred: bool,
    /// When it was asked.
    pub created_at: OffsetDateTime,
}

impl QuestionRow {
    /// A row of the read model.
    ///
    /// # Errors
    /// It does not have the shape this build knows.
    pub fn of(row: RecordRow) -> AppResult<Self> {
        Ok(Self {
            id: row.id,
            asked: typed(Value::Object(row.data.clone()))?,
            data: row.data,
            removed: row.removed,
            barred: false,
            created_at: row.created_at,
        })
    }
}

impl MemberRecord for CenterQuestion {
    type Row = QuestionRow;

    fn row(events: &[StoredEvent]) -> Result<Option<QuestionRow>, ReadError> {
        let Some(first) = events.first() else {
            return Ok(None);
        };
        let mut record = Record::<Self>::default();
        let mut barred = false;
        for recorded in events {
            record.evolve(recorded.payload.read()?);
            let actor = Actor::deserialize(&recorded.metadata.actor)?;
            barred = record.removed && matches!(actor, Actor::Operator { .. });
        }
        let data = record.document.unwrap_or_default();
        Ok(Some(QuestionRow {
            id: first.stream.id.clone(),
            asked: serde_json::from_value(Value::Object(data.clone()))?,
            data,
            removed: record.removed,
            barred,
            created_at: first.metadata.occurred_at,
        }))
    }

    fn author(row: &QuestionRow) -> MemberId {
        row.asked.user
    }

    fn document(row: &QuestionRow) -> &Document {
        &row.data
    }

    fn is_barred(row: &QuestionRow) -> bool {
        row.removed && row.barred
    }
}

/// A file of a question.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuestionFile {
    /// Id of the file.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its original name.
    pub name: String,
    /// Its URL.
    pub url: String,
}

/// The files of a question that still exist.
///
/// # Errors
/// Database errors; a forged seal.
pub async fn files_of(app: &App, asked: &CenterQuestion) -> AppResult<Vec<QuestionFile>> {
    private_files(app, asked.user, &asked.file_ids).await
}

/// Those of the files that still exist and belong to this member.
///
/// # Errors
/// Database errors; a forged seal.
pub(crate) async fn private_files(
    app: &App,
    owner: MemberId,
    ids: &[Uuid],
) -> AppResult<Vec<QuestionFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut stored = files::found(app.pool(), ids).await?;
    let mut found = Vec::new();
    for id in ids {
        let file = stored.remove(id);
        let Some(file) = file.filter(|file| file.owner == owner) else {
            continue;
        };
        let url = match file.width {
            Some(_) => FileName::picture(&file.hash, None).url(),
            None => FileName::document(&file.hash).url(),
        };
        found.push(QuestionFile {
            id: *id,
            name: app.open(&file.name).await?.unwrap_or_default(),
            url,
        });
    }
    Ok(found)
}

/// A member's own question, read from its stream and so always current.
///
/// # Errors
/// `not_found`, also for a question of another member.
pub async fn own(app: &App, id: Uuid, member: MemberId) -> AppResult<QuestionRow> {
    Ok(OwnRecord::<CenterQuestion>::load(app, id, member)
        .await?
        .row)
}

/// A page of a member's questions, newest first.
///
/// # Errors
/// Database errors.
pub async fn mine(app: &App, member: MemberId, page: Page) -> AppResult<ListPage<RecordRow>> {
    let query = RecordListQuery {
        source: Source::Records(CenterQuestion::KIND),
        seller: None,
        search: None,
        tests: vec![Test::Is(AUTHOR, member.to_string())],
        removed: false,
        order: Order {
            column: Column::Created,
            descending: true,
            nullable: false,
        },
    };
    Ok(narrowed(app.pool(), &query, page).await?)
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
        require_private_files(app, member, &self.files, "files").await?;
        Ok(app.keys.seal(member.0, Purpose::Profile, &question).await?)
    }
}

/// Requires the files to be private uploads of this member.
///
/// # Errors
/// `invalid` with `unknown` at `field`.
pub(crate) async fn require_private_files(
    app: &App,
    member: MemberId,
    ids: &[Uuid],
    field: &str,
) -> AppResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let stored = files::found(app.pool(), ids).await?;
    let own = |id| {
        let file = stored.get(id);
        file.is_some_and(|file| file.owner == member && !file.shown)
    };
    match ids.iter().all(own) {
        true => Ok(()),
        false => Err(AppError::invalid_field(
            field,
            "unknown",
            "첨부파일을 다시 올려 주세요.",
        )),
    }
}

#[derive(Serialize, Deserialize)]
struct AskResult {
    id: Uuid,
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
    let question = &words.seal(app, member).await?;
    let id = Uuid::now_v7();
    let done = app.executor.transact(command, |context| async move {
        let asked = CenterQuestion {
            user: member,
            category: words.category,
            question: question.clone(),
            file_ids: words.files.clone(),
            answer: None,
            state: AnswerState::AnswerAwaiting,
            replied_at: None,
        };
        let act = RecordCommand::Create(Box::new(asked));
        let events = Record::<CenterQuestion>::default().decide(act, &context)?;
        let append = StreamAppend::new::<Record<CenterQuestion>>(id, Expected::NoStream, &events)?;
        AppendBatch::of([append]).with_result(AskResult { id })
    });
    let done = done.await?;
    let AskResult { id } = done.result()?;
    Ok((id, done))
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
    OwnRecord::<CenterQuestion>::load(app, id, member).await?;
    let question = &words.seal(app, member).await?;
    let changed = app.executor.transact(command, |context| async move {
        let own = OwnRecord::<CenterQuestion>::load(app, id, member).await?;
        let before = own.row.asked.clone();
        if before.state == AnswerState::AnswerComplete {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let after = CenterQuestion {
            category: words.category,
            question: question.clone(),
            file_ids: words.files.clone(),
            ..before
        };
        own.decide(RecordCommand::Revise(Box::new(after)), &context)
    });
    changed.await
}
