//! Membership levels.

use domain::coupon::{Coupon, IssueEventType, IssueType};
use domain::record::Document;
use domain::site::Level;
use futures::FutureExt;
use projections::members::{self, in_level};
use projections::records;
use projections::records::RecordRow;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::schema::{Field, FieldChoice, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, DocumentSchema, admin_resource, document_of};
use super::UNITS;
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;

const MEMBER_TYPES: &[FieldChoice] = &[
    choice("PERSON", "개인 회원"),
    choice("COMPANY", "기업 회원"),
];

impl ConsoleRecord for Level {
    const RESOURCE: AdminResource = AdminResource {
        named_by_code: true,
        output: Some(DocumentSchema::of::<LevelExtras>()),
        enrich_one: |app, _, document| beside(app, document).boxed(),
        enrich_list: |app, rows| with_coupons(app, rows).boxed(),
        removal_blocker: |app, _, document| users(app, document).boxed(),
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &[
                "index",
                "name",
                "code",
                "pointsPercent",
                "createdAt",
                "updatedAt",
            ],
            default_sort: "index",
            filters: &[
                Filter::boolean("isActive"),
                Filter::boolean("isWelcome"),
                Filter::range("pointsPercent"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("code", "등급 코드").required(),
                Field::text("name", "등급명").required(),
                Field::integer("index", "순서").required(),
                Field::boolean("isActive", "사용").required(),
                Field::boolean("isWelcome", "신규 회원 등급"),
                Field::one_of("discount.unit", "할인 방식", UNITS),
                Field::worth("discount.value", "할인 값", "discount.unit"),
                Field::amount("discount.limit", "최대 할인 금액"),
                Field::percent("pointsPercent", "적립률"),
                Field::references("coupons", "등급 쿠폰", "coupon").read_only(),
                Field::tags("scope", "대상 회원 유형").named(MEMBER_TYPES),
                Field::integer("criteria.months", "기준 기간(개월)")
                    .least(1)
                    .most(120),
                Field::amount("criteria.amount", "최소 구매 금액"),
                Field::integer("criteria.orders", "최소 주문 수")
                    .least(0)
                    .most(4_294_967_295),
            ])
        },
        ..admin_resource!(Level: "level" at "/api/console/levels", "level", "levels")
    };
}

/// Removal is blocked while members are in it, or a coupon is issued on reaching it.
async fn users(app: &App, document: &Document) -> AppResult<Option<String>> {
    let level: Level = typed(Value::Object(document.clone()))?;
    app.wait_until_current(&[members::NAME, records::NAME])
        .await?;
    let members = in_level(app.pool(), &level.code).await?;
    if members > 0 {
        return Ok(Some(format!(
            "이 등급인 회원이 {members}명 있습니다. 회원의 등급을 바꾼 뒤 다시 시도해 주세요."
        )));
    }
    let coupons = records::all::<Coupon>(app.pool()).await?;
    let issued = coupons.into_iter().find(|found| {
        let event = found.data.issue.event.as_ref();
        event.is_some_and(|event| {
            event.kind == IssueEventType::LevelUp && event.code.as_deref() == Some(&level.code)
        })
    });
    Ok(issued.map(|found| {
        format!(
            "쿠폰 ‘{}’이(가) 이 등급이 되면 발급됩니다. 쿠폰의 발급 조건을 먼저 바꿔 주세요.",
            found.data.name
        )
    }))
}

/// The coupons issued on reaching the level.
async fn beside(app: &App, document: &Document) -> AppResult<Document> {
    app.wait_until_current(&[records::NAME]).await?;
    let coupons = level_coupons(app).await?;
    document_of(&LevelExtras::of(document, &coupons))
}

/// Rows with the coupons of each.
async fn with_coupons(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let coupons = level_coupons(app).await?;
    for row in &mut rows {
        let beside = LevelExtras::of(&row.data, &coupons);
        row.data.extend(document_of(&beside)?);
    }
    Ok(rows)
}

/// The coupons issued on reaching a level, each with the code of the level; without a code for every level.
async fn level_coupons(app: &App) -> AppResult<Vec<(String, Option<String>)>> {
    let coupons = records::all::<Coupon>(app.pool()).await?.into_iter();
    let event = |coupon: Coupon| coupon.issue.event;
    Ok(coupons
        .filter(|found| found.data.issue.is_active && found.data.issue.kind == IssueType::Instant)
        .filter_map(|found| Some((found.id, event(found.data)?)))
        .filter(|(_, event)| event.kind == IssueEventType::LevelUp)
        .map(|(id, event)| (id, event.code.filter(|code| !code.is_empty())))
        .collect())
}

/// Data shown with a level besides its document.
#[derive(Serialize, ToSchema)]
pub struct LevelExtras {
    /// Ids of the coupons issued on reaching it.
    pub coupons: Vec<String>,
}

impl LevelExtras {
    fn of(document: &Document, coupons: &[(String, Option<String>)]) -> Self {
        let own = document.get("code").and_then(Value::as_str);
        let of_level = |code: &Option<String>| code.is_none() || code.as_deref() == own;
        let coupons = coupons.iter().filter(|(_, code)| of_level(code));
        Self {
            coupons: coupons.map(|(id, _)| id.clone()).collect(),
        }
    }
}
