//! What the console sees of records that members write: their sealed texts opened, and the nickname of their author.

use std::collections::HashMap;

use domain::ids::MemberId;
use domain::member_record::MemberRecord;
use domain::record::Document;
use projections::records::RecordRow;
use serde_json::Value;

use super::super::ConsoleRecord;
use super::super::schema::{Field, FieldType};
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;
use crate::members::profiles::shown_names;

/// The nickname of the author.
pub(super) const NICKNAME: Field = Field::text("nickname", "작성자").read_only();

/// Files that the author attached.
pub(super) const FILES: Field = Field::list(
    "files",
    "첨부파일",
    &[
        Field::text("_id", "번호").read_only(),
        Field::text("name", "이름").read_only(),
        Field::of("url", "파일", FieldType::File).read_only(),
    ],
)
.read_only();

/// A kind whose records show more in the console than their documents.
pub(super) trait MemberContent: MemberRecord + ConsoleRecord {
    /// What is shown besides the document, by field; `nickname` is none for guests and closed accounts.
    fn content(
        &self,
        app: &App,
        nickname: Option<String>,
    ) -> impl Future<Output = AppResult<Document>> + Send;
}

async fn content_of<R: MemberContent>(
    app: &App,
    record: &R,
    names: &HashMap<MemberId, String>,
) -> AppResult<Document> {
    let nickname = record.author().and_then(|author| names.get(&author));
    record.content(app, nickname.cloned()).await
}

/// The content of one document.
///
/// # Errors
/// Database errors; a forged seal.
pub(super) async fn one<R: MemberContent>(app: &App, document: &Document) -> AppResult<Document> {
    let record: R = typed(Value::Object(document.clone()))?;
    let names = shown_names(app, record.author()).await?;
    content_of(app, &record, &names).await
}

/// The rows of a list with their content, without what is sealed.
///
/// # Errors
/// Database errors; a forged seal.
pub(super) async fn list<R: MemberContent>(
    app: &App,
    mut rows: Vec<RecordRow>,
) -> AppResult<Vec<RecordRow>> {
    let records = rows
        .iter()
        .map(|row| typed(Value::Object(row.data.clone())));
    let records: Vec<R> = records.collect::<AppResult<_>>()?;
    let names = shown_names(app, records.iter().filter_map(R::author)).await?;
    for (row, record) in rows.iter_mut().zip(&records) {
        let shown = content_of(app, record, &names).await?;
        for sealed in R::RESOURCE.sealed {
            row.data.remove(*sealed);
        }
        row.data.extend(shown);
    }
    Ok(rows)
}
