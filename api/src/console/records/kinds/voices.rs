//! What members say about goods: reviews and inquiries. The back office answers and moderates; the words stay theirs.

use application::members::profiles::shown_names;
use std::collections::BTreeMap;

use domain::ids::MemberId;
use domain::inquire::{AnswerState, Inquire, Question};
use domain::record::Document;
use domain::review::Review;
use projections::record_lists::Source;
use projections::records::RecordRow;
use projections::{inquires, reviews};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::{AdminResource, admin_resource};
use crate::app::AppState;
use crate::console::records::declared::voices;
use crate::console::records::input::Count;
use crate::console::records::schema::ResourceSchema;
use crate::http::body::typed;
use crate::http::{AppError, AppResult, RowScope};

/// What staff and sellers see of whoever wrote something.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct WriterShown {
    /// Their nickname; none: they left.
    pub nickname: Option<String>,
}

/// What staff and sellers see of an inquiry beside its document.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct QuestionShown {
    /// The asker's nickname; none: they left.
    pub nickname: Option<String>,
    /// What is asked, in a line; none: of somebody who left.
    pub subject: Option<String>,
    /// In full.
    pub content: Option<String>,
}

async fn nicknames(app: &AppState, rows: &[RecordRow]) -> AppResult<BTreeMap<String, String>> {
    let author = |row: &RecordRow| row.data.get("_user")?.as_str()?.parse().ok();
    let names = shown_names(app, rows.iter().filter_map(author)).await?;
    Ok(names
        .into_iter()
        .map(|(id, name)| (id.to_string(), name))
        .collect())
}

fn shown(what: impl Serialize) -> AppResult<Document> {
    let value = serde_json::to_value(what).map_err(AppError::internal)?;
    Ok(value.as_object().cloned().unwrap_or_default())
}

impl AdminResource for Review {
    admin_resource!("review", "/api/console/shop/reviews", "review", "reviews");
    const DESCRIPTION: ResourceSchema = voices::REVIEW;
    const FOR_SELLERS: bool = true;
    const MEMBER_AUTHORED: bool = true;
    const SOURCE: Source = Source::Reviews;
    const READS: &'static [&'static str] = &[reviews::NAME];

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    fn changeable(rows: RowScope) -> Option<&'static [&'static str]> {
        Some(match rows {
            RowScope::All => &["reply", "isBest", "shows"],
            RowScope::Seller(_) => &["reply"],
        })
    }

    fn output_extension_schema() -> Option<RefOr<Schema>> {
        Some(WriterShown::schema())
    }

    fn beside_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        WriterShown::schemas(schemas);
    }

    async fn enrich_list(app: &AppState, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
        let names = nicknames(app, &rows).await?;
        for row in &mut rows {
            let author = row.data.get("_user").and_then(Value::as_str);
            let nickname = author.and_then(|id| names.get(id)).cloned();
            row.data.extend(shown(WriterShown { nickname })?);
        }
        Ok(rows)
    }

    async fn enrich_one(&self, app: &AppState, _id: &str) -> AppResult<Document> {
        let nickname = shown_names(app, [self.user]).await?.remove(&self.user);
        shown(WriterShown { nickname })
    }
}

impl AdminResource for Inquire {
    admin_resource!(
        "inquire",
        "/api/console/shop/inquires",
        "inquire",
        "inquires"
    );
    const DESCRIPTION: ResourceSchema = voices::INQUIRE;
    const FOR_SELLERS: bool = true;
    const MEMBER_AUTHORED: bool = true;
    const SEALED: &'static [&'static str] = &["question"];
    const SOURCE: Source = Source::Inquires;
    const READS: &'static [&'static str] = &[inquires::NAME];

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    fn changeable(_rows: RowScope) -> Option<&'static [&'static str]> {
        Some(&["reply", "state"])
    }

    /// An answer is what makes it answered.
    fn normalize(_id: &str, _by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>> {
        if let Some(reply) = fields.get("reply").and_then(Value::as_str) {
            let state = AnswerState::of(reply);
            fields.insert("state".to_owned(), json!(state));
        }
        Ok(Vec::new())
    }

    fn output_extension_schema() -> Option<RefOr<Schema>> {
        Some(QuestionShown::schema())
    }

    fn beside_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        QuestionShown::schemas(schemas);
    }

    async fn enrich_list(app: &AppState, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
        for row in &mut rows {
            let inquire: Self = typed(Value::Object(row.data.clone()))?;
            row.data.extend(inquire.enrich_one(app, &row.id).await?);
            row.data.remove("question");
        }
        Ok(rows)
    }

    async fn enrich_one(&self, app: &AppState, _id: &str) -> AppResult<Document> {
        let nickname = shown_names(app, [self.user]).await?.remove(&self.user);
        let question = app.open::<Question>(&self.question).await?;
        let (subject, content) = question
            .map(|question| (question.subject, question.content))
            .unzip();
        shown(QuestionShown {
            nickname,
            subject,
            content,
        })
    }
}
