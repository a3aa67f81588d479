//! Reviews: the console can answer and moderate them, but not change the members' texts.

use domain::ids::MemberId;
use domain::record::Document;
use domain::review::Review;
use futures::FutureExt;
use projections::record_lists::Source;
use projections::records::RecordRow;
use projections::reviews;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldType, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use crate::access::RowScope;
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;
use crate::members::profiles::shown_names;

impl ConsoleRecord for Review {
    const RESOURCE: AdminResource = AdminResource {
        for_sellers: true,
        member_authored: true,
        source: Source::Reviews,
        reads: &[reviews::NAME],
        changeable: |rows| {
            Some(match rows {
                RowScope::All => &["reply", "isBest", "shows"],
                RowScope::Seller(_) => &["reply"],
            })
        },
        output: Some(DocumentSchema::of::<ReviewAuthor>()),
        enrich_one: |app, _, document| writer(app, document).boxed(),
        enrich_list: |app, rows| with_writers(app, rows).boxed(),
        schema: ResourceSchema {
            search: &["name", "subject", "content", "_purchase"],
            sorts: &["createdAt", "updatedAt", "star"],
            filters: &[
                Filter::range("star"),
                Filter::boolean("isBest"),
                Filter::boolean("shows"),
                Filter::reference("_product", "product"),
                Filter::period("createdAt"),
            ],
            actions: MODERATED,
            grows: true,
            ..ResourceSchema::of(&[
                Field::text("name", "상품명").read_only(),
                Field::reference("_product", "상품", "product").read_only(),
                Field::text("optionName", "옵션").read_only(),
                Field::text("_purchase", "구매번호").read_only(),
                Field::text("nickname", "작성자").read_only(),
                Field::integer("star", "별점")
                    .read_only()
                    .required()
                    .least(1)
                    .most(5),
                Field::text("subject", "한 줄 평").read_only(),
                Field::longtext("content", "내용")
                    .read_only()
                    .letters(2_000),
                Field::of("images", "사진", FieldType::Images).read_only(),
                Field::longtext("reply", "답변").letters(2_000),
                Field::boolean("isBest", "베스트 후기"),
                Field::boolean("shows", "노출"),
            ])
        },
        ..admin_resource!(Review: "review" at "/api/console/shop/reviews", "review", "reviews")
    };
}

/// What staff and sellers see of the author.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ReviewAuthor {
    /// The author's nickname; null if the account is closed.
    pub nickname: Option<String>,
}

async fn writer(app: &App, document: &Document) -> AppResult<Document> {
    let review: Review = typed(Value::Object(document.clone()))?;
    let nickname = shown_names(app, [review.user]).await?.remove(&review.user);
    document_of(&ReviewAuthor { nickname })
}

async fn with_writers(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let author =
        |row: &RecordRow| -> Option<MemberId> { row.data.get("_user")?.as_str()?.parse().ok() };
    let names = shown_names(app, rows.iter().filter_map(author)).await?;
    for row in &mut rows {
        let nickname = author(row).and_then(|id| names.get(&id)).cloned();
        row.data.extend(document_of(&ReviewAuthor { nickname })?);
    }
    Ok(rows)
}
