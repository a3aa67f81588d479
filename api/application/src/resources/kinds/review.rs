//! Reviews: the console can answer and moderate them, but not change the members' texts.

use domain::record::Document;
use domain::review::Review;
use futures::FutureExt;
use projections::record_lists::Source;
use projections::reviews;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldType, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::MODERATED;
use super::member_content::{self, MemberContent, NICKNAME};
use crate::access::RowScope;
use crate::app::App;
use crate::error::AppResult;

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
        enrich_one: |app, _, document| member_content::one::<Self>(app, document).boxed(),
        enrich_list: |app, rows| member_content::list::<Self>(app, rows).boxed(),
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
                NICKNAME,
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

impl MemberContent for Review {
    async fn content(&self, _app: &App, nickname: Option<String>) -> AppResult<Document> {
        document_of(&ReviewAuthor { nickname })
    }
}
