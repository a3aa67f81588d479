//! Membership levels.

use domain::coupon::{Coupon, IssueEventType};
use domain::record::Document;
use domain::site::Level;
use futures::FutureExt;
use projections::members::{self, in_level};
use projections::records;
use serde_json::Value;

use super::super::schema::{Field, Filter, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, admin_resource};
use super::UNITS;
use crate::app::App;
use crate::error::AppResult;
use crate::json::typed;

impl ConsoleRecord for Level {
    const RESOURCE: AdminResource = AdminResource {
        named_by_code: true,
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
