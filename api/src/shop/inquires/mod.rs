//! What shoppers ask about products. What a secret inquiry says leaves this room for its asker, its seller and staff only:
//! [`views`] is the one place that opens a question.

pub mod ask;
pub mod change;
pub mod list;
pub mod remove;
pub mod show;

use application::inquires::InquireWords;
use application::members::profiles::nicknames;
use domain::forms::{FormErrors, Validate};
use domain::ids::{MemberId, ProductId};
use domain::inquire::{AnswerState, Inquire, Question};
use domain::member::Scope;
use domain::shown::masked_nickname;
use projections::inquires::InquireRow;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::access::Session;

/// An inquiry as its reader sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquireView {
    /// The inquiry.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// What it is about.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The product's name when it was asked.
    pub name: String,
    /// Only the asker, the seller and staff may read it.
    pub secret: bool,
    /// The reader may read it.
    pub readable: bool,
    /// The reader asked it.
    pub mine: bool,
    /// Whether it was answered.
    pub state: AnswerState,
    /// What is asked, in a line; none: not for this reader, or of somebody who left.
    pub subject: Option<String>,
    /// In full.
    pub content: Option<String>,
    /// What was answered; none: nothing yet, or not for this reader.
    pub reply: Option<String>,
    /// When.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub replied_at: Option<OffsetDateTime>,
    /// Who asks, half hidden; none: somebody who left.
    pub author: Option<String>,
    /// It was removed.
    pub removed: bool,
    /// When it was asked.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// One inquiry.
#[derive(Serialize, ToSchema)]
pub struct InquireAnswer {
    /// It.
    pub inquire: InquireView,
}

/// What somebody asks.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InquireForm {
    /// In a line.
    subject: String,
    /// In full.
    content: String,
    /// Only I, the seller and staff may read it.
    #[serde(default)]
    secret: bool,
}

impl Validate for InquireForm {
    /// The rules are the question's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

impl InquireForm {
    fn words(self) -> InquireWords {
        InquireWords {
            subject: self.subject,
            content: self.content,
            secret: self.secret,
        }
    }
}

/// Who reads.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    member: Option<MemberId>,
    staff: bool,
}

impl Reading {
    /// Somebody, or nobody in particular.
    pub fn by(session: Option<&Session>) -> Self {
        Self {
            member: session.map(|session| session.user),
            staff: session.is_some_and(|session| session.scope.contains(&Scope::Console)),
        }
    }

    /// Whether they may read it.
    pub fn reaches(self, inquire: &Inquire) -> bool {
        self.staff || inquire.readable_by(self.member)
    }
}

/// Inquiries as `reader` sees them.
///
/// # Errors
/// The database's; a forged seal.
pub(crate) async fn views(
    app: &AppState,
    reader: Reading,
    rows: &[InquireRow],
) -> AppResult<Vec<InquireView>> {
    let names = nicknames(app, rows.iter().map(|row| row.author)).await?;
    let mut views = Vec::with_capacity(rows.len());
    for row in rows {
        let inquire = row.inquire()?;
        let readable = reader.reaches(&inquire);
        let question = match readable {
            true => app.open::<Question>(&inquire.question).await?,
            false => None,
        };
        let (subject, content) = question
            .map(|question| (question.subject, question.content))
            .unzip();
        views.push(InquireView {
            id: row.id,
            product: inquire.product,
            name: inquire.name,
            secret: inquire.secret,
            readable,
            mine: reader.member == Some(row.author),
            state: inquire.state,
            subject,
            content,
            reply: Some(inquire.reply).filter(|reply| readable && !reply.is_empty()),
            replied_at: row.replied_at,
            author: names.get(&row.author).map(|name| masked_nickname(name)),
            removed: row.removed,
            created_at: row.created_at,
        });
    }
    Ok(views)
}

/// An inquiry of a member's own as they see it, from the log.
///
/// # Errors
/// `not_found`, also for somebody else's.
pub(crate) async fn own(app: &AppState, id: Uuid, session: &Session) -> AppResult<InquireAnswer> {
    let row = application::inquires::own(app, id, session.user).await?;
    let views = views(app, Reading::by(Some(session)), &[row]).await?;
    let inquire = views.into_iter().next().ok_or_else(AppError::not_found)?;
    Ok(InquireAnswer { inquire })
}
