//! Coupons.

use domain::coupon::{Campaign, Coupon};
use domain::record::Document;
use event_store::StreamAppend;
use futures::FutureExt;
use projections::member_coupons::{self, still_held};
use projections::records::RecordRow;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::schema::{Field, FieldChoice, FieldType, Filter, ResourceSchema, choice};
use super::super::{
    AdminResource, ConsoleRecord, DocumentSchema, RecordWrite, admin_resource, document_of,
};
use super::UNITS;
use crate::app::App;
use crate::coupons::sentences;
use crate::error::{AppError, AppResult};
use crate::executor::decide;
use crate::json::typed;

const STAGES: &[FieldChoice] = &[
    choice("product", "상품"),
    choice("fare", "배송비"),
    choice("total", "주문 전체"),
];

const ISSUES: &[FieldChoice] = &[
    choice("request", "다운로드"),
    choice("instant", "자동 발급"),
];

const EVENTS: &[FieldChoice] = &[
    choice("USER_JOIN", "회원 가입"),
    choice("LEVEL_UP", "등급 상승"),
    choice("SPECIAL_DATE", "기념일"),
    choice("SHOP_SPECIFIC_DAY", "지정일"),
    choice("PURCHASE_COMPLETE", "구매 확정"),
    choice("TEXT_REVIEW", "글 후기"),
    choice("PHOTO_REVIEW", "사진 후기"),
];

const ROUNDS: &[FieldChoice] = &[
    choice("single", "한 번"),
    choice("bounded", "정한 회차"),
    choice("infinite", "제한 없음"),
];

const PEOPLE: &[FieldChoice] = &[
    choice("ALL", "전체 회원"),
    choice("USERS", "지정 회원"),
    choice("USER_TYPES", "회원 유형"),
    choice("USER_LEVELS", "회원 등급"),
];

const THINGS: &[FieldChoice] = &[
    choice("ALL", "전체 상품"),
    choice("PRODUCTS", "지정 상품"),
    choice("CATEGORIES", "지정 카테고리"),
    choice("DISPLAYS", "지정 진열"),
    choice("EXHIBITIONS", "지정 기획전"),
];

const BASES: &[FieldChoice] = &[choice("SALE", "할인 후 금액"), choice("LIST", "정가")];

impl ConsoleRecord for Coupon {
    const RESOURCE: AdminResource = AdminResource {
        for_sellers: true,
        normalize: |_, by, fields| {
            fields.entry("_issuer").or_insert_with(|| json!(by));
            Ok(Vec::new())
        },
        removal_blocker: |app, id, _| pieces_held(app, id).boxed(),
        output: Some(DocumentSchema::of::<CouponExtras>()),
        fill: filled,
        enrich_one: |app, _, document| said(app, document).boxed(),
        enrich_list: |app, rows| with_sentences(app, rows).boxed(),
        side_effects: |app, write| campaign_limits(app, write).boxed(),
        schema: ResourceSchema {
            sorts: &[
                "createdAt",
                "updatedAt",
                "name",
                "value",
                "issue.endsAt",
                "usage.endsAt",
            ],
            filters: &[
                Filter::one_of("unit", UNITS),
                Filter::one_of("usage.type", STAGES),
                Filter::one_of("issue.type", ISSUES),
                Filter::boolean("issue.isActive"),
                Filter::boolean("onDisplay"),
                Filter::period("usage.endsAt"),
                Filter::range("value"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("_issuer", "등록한 회원").read_only(),
                Field::reference("_seller", "판매자", "seller"),
                Field::text("name", "쿠폰명").required(),
                Field::text("sentence", "쿠폰 내용").read_only(),
                Field::one_of("unit", "할인 방식", UNITS).required(),
                Field::worth("value", "할인 값", "unit").required(),
                Field::amount("limit", "최대 할인 금액"),
                Field::percent("share", "판매자 부담률"),
                Field::integer("count", "한 번에 발급하는 수").least(1),
                Field::one_of("issue.type", "발급 방식", ISSUES),
                Field::one_of("issue.event.type", "발급 조건", EVENTS),
                Field::text("issue.event.code", "발급 조건 코드"),
                Field::one_of("issue.round.type", "발급 횟수", ROUNDS),
                Field::of("issue.round.includeds", "발급 회차", FieldType::Numbers),
                Field::of("issue.round.excludeds", "제외 회차", FieldType::Numbers),
                Field::one_of("issue.target.type", "발급 대상", PEOPLE),
                Field::references("issue.target._users", "발급 회원", "member"),
                Field::references("issue.target._levels", "발급 등급", "level"),
                Field::tags("issue.target.userTypes", "발급 회원 유형"),
                Field::integer("issue.limit.shop.count__sum", "발급 한도(장)").least(0),
                Field::amount("issue.limit.shop.price__sum", "발급 한도(금액)"),
                Field::datetime("issue.startsAt", "발급 시작"),
                Field::datetime("issue.endsAt", "발급 종료"),
                Field::datetime("issue.issuesAt", "발급일"),
                Field::boolean("issue.isActive", "발급 사용"),
                Field::one_of("usage.type", "적용 대상", STAGES).required(),
                Field::one_of("usage.target.type", "사용 대상", THINGS),
                Field::one_of("usage.target.priceBasis", "금액 기준", BASES),
                Field::references("usage.target._products", "사용 상품", "product").own(),
                Field::references("usage.target._categories", "사용 카테고리", "category"),
                Field::references("usage.target._exhibitions", "사용 기획전", "exhibition"),
                Field::tags("usage.target.displayCodes", "사용 진열"),
                Field::integer("usage.limit.shop.count__sum", "사용 한도(회)").least(0),
                Field::amount("usage.limit.shop.price__sum", "사용 한도(금액)"),
                Field::amount("usage.limit.target.price__min", "최소 주문 금액"),
                Field::amount("usage.limit.target.price__max", "최대 주문 금액"),
                Field::datetime("usage.startsAt", "사용 시작"),
                Field::datetime("usage.endsAt", "사용 종료"),
                Field::boolean("usage.isActive", "사용 가능"),
                Field::boolean("usage.combinable", "함께 사용"),
                Field::boolean("usage.returnable", "취소·반품하면 돌려줌"),
                Field::boolean("onConsole", "관리자 목록 노출"),
                Field::boolean("onDisplay", "쇼핑몰 노출"),
            ])
        },
        ..admin_resource!(Coupon: "coupon" at "/api/console/shop/coupons", "coupon", "coupons")
    };
}

/// What is shown with a coupon besides its document.
#[derive(Serialize, ToSchema)]
pub struct CouponExtras {
    /// What it does and for whom, in one sentence.
    pub sentence: String,
}

async fn said(app: &App, document: &Document) -> AppResult<Document> {
    let coupon: Coupon = typed(Value::Object(document.clone()))?;
    let sentence = sentences(app, &[&coupon]).await?.concat();
    let mut extras = document_of(&CouponExtras { sentence })?;
    extras.extend(usage_of(document, &coupon));
    Ok(extras)
}

/// The usage rule with `returnable`, which coupons saved before it existed do not have.
fn usage_of(document: &Document, coupon: &Coupon) -> Option<(String, Value)> {
    let mut usage = document.get("usage")?.as_object()?.clone();
    usage.insert("returnable".to_owned(), coupon.usage.returnable.into());
    Some(("usage".to_owned(), usage.into()))
}

fn filled(mut document: Document) -> AppResult<Document> {
    let coupon: Coupon = typed(Value::Object(document.clone()))?;
    let usage = usage_of(&document, &coupon);
    document.extend(usage);
    Ok(document)
}

/// Rows with the sentence of each.
async fn with_sentences(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let coupons = rows
        .iter()
        .map(|row| typed(Value::Object(row.data.clone())));
    let coupons = coupons.collect::<AppResult<Vec<Coupon>>>()?;
    let said = sentences(app, &coupons.iter().collect::<Vec<_>>()).await?;
    for ((row, coupon), sentence) in rows.iter_mut().zip(&coupons).zip(said) {
        let usage = usage_of(&row.data, coupon);
        row.data.extend(document_of(&CouponExtras { sentence })?);
        row.data.extend(usage);
    }
    Ok(rows)
}

/// Removal is blocked while members hold unused coupons of it, which its campaign counts when they are used.
async fn pieces_held(app: &App, id: &str) -> AppResult<Option<String>> {
    let coupon = id.parse().map_err(|_| AppError::not_found())?;
    app.wait_until_current(&[member_coupons::NAME]).await?;
    let held = still_held(app.pool(), coupon, app.clock.now()).await?;
    Ok((held > 0).then(|| {
        format!(
            "회원이 아직 쓰지 않은 쿠폰이 {held}장 있습니다. 더 발급하지 않으려면 발급을 꺼 주세요."
        )
    }))
}

/// Passes the limits to the campaign, which counts a limited coupon.
async fn campaign_limits(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let coupon: Coupon = typed(Value::Object(Document::clone(write.after)))?;
    let campaign = app.store.load::<Campaign>(write.id).await?;
    let limited = [coupon.issue.limit.shop, coupon.usage.limit.shop]
        .map(|limit| limit.count_sum.is_some() || limit.price_sum.is_some());
    if campaign.version == 0 && !limited.contains(&true) {
        return Ok(Vec::new());
    }
    let command = coupon.campaign_limits();
    Ok(vec![decide(write.id, &campaign, command, write.context)?])
}
