//! Inquiries of shoppers about products. The text of a secret inquiry is returned only to its author, its seller and staff: [`views`] is
//! the only place that decrypts a question.

pub mod ask;
pub mod change;
pub mod list;
pub mod remove;
pub mod show;

use application::inquires::InquireWords;
use application::members::profiles::nicknames;
use domain::forms::{FormErrors, Validate};
use domain::ids::{MemberId, ProductId};
use domain::inquire::{Inquire, Question};
use domain::member::Scope;
use domain::member_record::AnswerState;
use domain::shown::masked_nickname;
use projections::inquires::InquireRow;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::access::Session;

/// An inquiry, as far as the caller may read it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InquireView {
    /// Id of the inquiry.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Id of the product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Name of the product at the time of the inquiry.
    pub name: String,
    /// Whether only its author, the seller and staff may read it.
    pub secret: bool,
    /// Whether the caller may read it.
    pub readable: bool,
    /// Whether the caller is its author.
    pub mine: bool,
    /// Whether it is answered.
    pub state: AnswerState,
    /// One-line summary; null if the caller may not read it, or its author's account is closed.
    pub subject: Option<String>,
    /// Full text; null as `subject`.
    pub content: Option<String>,
    /// The reply; null if there is none, or the caller may not read it.
    pub reply: Option<String>,
    /// Time of the reply.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub replied_at: Option<OffsetDateTime>,
    /// Masked name of the author; null if the account is closed.
    pub author: Option<String>,
    /// Whether it is removed.
    pub removed: bool,
    /// Time of the inquiry.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// One inquiry.
#[derive(Serialize, ToSchema)]
pub struct InquireAnswer {
    /// The inquiry.
    pub inquire: InquireView,
}

/// The text of an inquiry.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct InquireForm {
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Whether only the member, the seller and staff may read it.
    #[serde(default)]
    secret: bool,
}

impl Validate for InquireForm {
    /// The rules are those of the question.
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

/// The reader of inquiries.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    member: Option<MemberId>,
    staff: bool,
}

impl Reading {
    /// The reader with this session; without one, the public.
    pub fn by(session: Option<&Session>) -> Self {
        Self {
            member: session.map(|session| session.user),
            staff: session.is_some_and(|session| session.scope.contains(&Scope::Console)),
        }
    }

    /// Whether they may read an inquiry.
    pub fn reaches(self, inquire: &Inquire) -> bool {
        self.staff || inquire.readable_by(self.member)
    }
}

/// Inquiries as returned to `reader`.
///
/// # Errors
/// Database errors; a forged seal.
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

/// An inquiry of the member, from the log.
///
/// # Errors
/// `not_found`, also for an inquiry of another member.
pub(crate) async fn own(app: &AppState, id: Uuid, session: &Session) -> AppResult<InquireAnswer> {
    let row = application::inquires::own(app, id, session.user).await?;
    let views = views(app, Reading::by(Some(session)), &[row]).await?;
    let inquire = views.into_iter().next().ok_or_else(AppError::not_found)?;
    Ok(InquireAnswer { inquire })
}
