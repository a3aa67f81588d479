//! /api/console/shop/coupons/codes: codes of coupons for paper: made in batches, seen, exported, printed and stopped.

use std::collections::HashMap;

use application::coupon_codes::{self, CodeReading};
use application::coupons::goods_names;
use application::executor::CommandContext;
use application::members::profiles::shown_names;
use application::resources::schema::Field;
use axum::extract::State;
use axum::response::Response;
use domain::coupon::{CODES_MOST, CodeBatch, CodeDisclosure, CodeHandle, Coupon};
use domain::forms::{FormErrors, MEMO, Validate};
use domain::ids::{CodeBatchId, CouponId, MemberId};
use domain::record::{Document, Record};
use event_store::StreamId;
use projections::coupon_codes::{
    self as codes, CodeBatchUse, RedeemedCode, code_batch, code_batches, redeemed_between,
    redeemed_codes,
};
use projections::records;
use projections::{member_coupons, members};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::console::bulk_grants::Orderer;
use crate::console::points::MemoQuery;
use crate::console::records::export_file::{Format, Table, written};
use crate::console::records::row_mapping::labels;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Query, ReadMeta,
    RequestMeta, Respond, Staff, Summary, ValidJson, routes,
};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, make))
        .routes(routes!(show, stop))
        .routes(routes!(list_codes))
        .routes(routes!(export))
        .routes(routes!(sheet))
}

/// Most codes on one sheet.
const PRINTED_MOST: u32 = 1_000;

/// Codes to make.
#[derive(Deserialize, ToSchema)]
pub struct MakeCodesForm {
    /// The coupon that who redeems one gets. Members can ask for it; it need not be listed for shoppers.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// How many, up to 10,000.
    count: u32,
    /// What they are for, for staff.
    memo: String,
}

impl Validate for MakeCodesForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            (1..=CODES_MOST).contains(&self.count),
            "count",
            "out_of_range",
            "만들 코드 수를 1 이상 10,000 이하로 입력해 주세요.",
        );
        checks.text("memo", &self.memo, MEMO);
    }
}

/// Of which coupon.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodeBatchQuery {
    /// Codes of this coupon only.
    #[serde(rename = "_coupon")]
    #[param(rename = "_coupon")]
    coupon: Option<CouponId>,
}

/// A batch of codes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponCodeBatch {
    /// The batch.
    #[serde(rename = "_id")]
    id: CodeBatchId,
    /// The coupon.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
    /// Its name.
    coupon_name: String,
    /// The first characters of each code.
    handle: String,
    /// How many codes.
    count: u32,
    /// How many were redeemed.
    redeemed: u32,
    /// Redeemed codes whose coupon is used on an order now.
    used: i64,
    /// What they are for.
    memo: String,
    /// When the batch was stopped: codes that were not redeemed are dead.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    stopped_at: Option<OffsetDateTime>,
    /// Why.
    stop_memo: Option<String>,
    /// When it was made.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// Who made it.
    created_by: Option<Orderer>,
}

/// A page of batches.
#[derive(Serialize, ToSchema)]
pub struct CouponCodeBatchList {
    summary: Summary,
    /// The page, the newest first.
    batches: Vec<CouponCodeBatch>,
}

/// What a code is good for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeTerms {
    /// What the coupon does, in one sentence, as in the box of a member; empty for one that was deleted.
    sentence: String,
    /// When codes are not redeemed any more (exclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    redeem_before: Option<OffsetDateTime>,
    /// When the coupon cannot be used any more (exclusive).
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<OffsetDateTime>,
}

/// One batch.
#[derive(Serialize, ToSchema)]
pub struct CouponCodeBatchAnswer {
    /// It.
    batch: CouponCodeBatch,
    /// What its codes are good for.
    terms: CodeTerms,
}

/// A code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeOfBatch {
    /// Its number.
    number: u32,
    /// As it is printed.
    code: String,
    /// When it was redeemed.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    redeemed_at: Option<OffsetDateTime>,
    /// Who redeemed it.
    redeemed_by: Option<Orderer>,
    /// Whether its coupon is used on an order now.
    used: bool,
}

/// A page of codes.
#[derive(Serialize, ToSchema)]
pub struct CodeOfBatchList {
    summary: Summary,
    /// The page.
    codes: Vec<CodeOfBatch>,
}

/// Which codes.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodesQuery {
    /// Only redeemed ones, the newest first; else all, by number.
    #[serde(default)]
    redeemed: bool,
}

/// Which codes to print.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SheetQuery {
    /// The first number; default: 1.
    first: Option<u32>,
    /// How many, up to 1,000 (default).
    count: Option<u32>,
}

/// Codes to print: those that were not redeemed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeSheet {
    /// The name of the coupon.
    coupon_name: String,
    /// What they are good for.
    terms: CodeTerms,
    /// The codes.
    codes: Vec<String>,
}

/// Format of the file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodeFileQuery {
    /// `xlsx` (default) or `csv`.
    format: Option<String>,
}

const READ: [&str; 4] = [
    codes::NAME,
    member_coupons::NAME,
    members::NAME,
    records::NAME,
];

async fn rows(app: &AppState, found: Vec<CodeBatchUse>) -> AppResult<Vec<CouponCodeBatch>> {
    let by = found.iter().filter_map(|found| found.batch.created_by);
    let names: HashMap<MemberId, String> = shown_names(app, by).await?;
    let ids: Vec<String> = found
        .iter()
        .map(|found| found.batch.coupon.to_string())
        .collect();
    let coupons = records::names(app.pool(), "coupon", &ids).await?;
    let row = |found: CodeBatchUse| {
        let batch = found.batch;
        CouponCodeBatch {
            id: batch.id,
            coupon: batch.coupon,
            coupon_name: coupons
                .get(&batch.coupon.to_string())
                .cloned()
                .unwrap_or_default(),
            handle: batch.handle,
            count: batch.count,
            redeemed: batch.redeemed,
            used: found.used,
            memo: batch.memo,
            stopped_at: batch.stopped_at,
            stop_memo: batch.stop_memo,
            created_at: batch.created_at,
            created_by: batch.created_by.map(|id| Orderer {
                id,
                name: names.get(&id).cloned(),
            }),
        }
    };
    Ok(found.into_iter().map(row).collect())
}

async fn terms(app: &AppState, coupon: CouponId) -> AppResult<CodeTerms> {
    let record = app
        .store
        .load::<Record<Coupon>>(&coupon.to_string())
        .await?;
    let Ok(coupon) = record.state.data() else {
        return Ok(CodeTerms {
            sentence: String::new(),
            redeem_before: None,
            ends_at: None,
        });
    };
    let frozen = coupon.terms();
    Ok(CodeTerms {
        sentence: frozen.sentence(&goods_names(app, &[&frozen]).await?.concat()),
        redeem_before: coupon.issue.ends_at,
        ends_at: coupon.usage.ends_at,
    })
}

/// The batch after a command, from the log; the use of its coupons is that of the read model.
async fn answer(app: &AppState, id: CodeBatchId) -> AppResult<CouponCodeBatchAnswer> {
    let events = app
        .store
        .read_stream(&StreamId::of::<CodeBatch>(id))
        .await?;
    let batch = codes::row_of(&events)?.ok_or_else(AppError::not_found)?;
    let known = code_batch(app.pool(), id).await?;
    let used = known.map(|known| known.used).unwrap_or_default();
    let coupon = batch.coupon;
    let row = rows(app, vec![CodeBatchUse { batch, used }]).await?.pop();
    let mut batch = row.ok_or_else(AppError::not_found)?;
    // a coupon that was just saved is not in the read model yet
    let id = coupon.to_string();
    let record = app.store.load::<Record<Coupon>>(&id).await?;
    if let Ok(coupon) = record.state.data() {
        batch.coupon_name = coupon.name;
    }
    Ok(CouponCodeBatchAnswer {
        batch,
        terms: terms(app, coupon).await?,
    })
}

/// A batch as the read model has it.
async fn known(app: &AppState, id: CodeBatchId) -> AppResult<(CodeBatchUse, CodeHandle)> {
    let found = code_batch(app.pool(), id).await?;
    let found = found.ok_or_else(AppError::not_found)?;
    let handle = CodeHandle::parse(&found.batch.handle)
        .ok_or_else(|| AppError::internal(anyhow::anyhow!("a batch with a wrong handle")))?;
    Ok((found, handle))
}

/// Codes of a batch, with those who redeemed them.
async fn shown(
    app: &AppState,
    handle: CodeHandle,
    found: Vec<(u32, Option<RedeemedCode>)>,
) -> AppResult<Vec<CodeOfBatch>> {
    let by = found.iter().filter_map(|(_, redeemed)| redeemed.as_ref());
    let names = shown_names(app, by.map(|one| one.code.member)).await?;
    let code = |(number, redeemed): (u32, Option<RedeemedCode>)| CodeOfBatch {
        number,
        code: coupon_codes::code(app, handle, number).text(),
        redeemed_at: redeemed.as_ref().map(|one| one.code.redeemed_at),
        redeemed_by: redeemed.as_ref().map(|one| Orderer {
            id: one.code.member,
            name: names.get(&one.code.member).cloned(),
        }),
        used: redeemed.is_some_and(|one| one.used),
    };
    Ok(found.into_iter().map(code).collect())
}

/// The codes with these numbers, each with its redemption.
async fn numbered(
    app: &AppState,
    batch: CodeBatchId,
    (first, last): (u32, u32),
) -> AppResult<Vec<(u32, Option<RedeemedCode>)>> {
    let redeemed = redeemed_between(app.pool(), batch, (first, last)).await?;
    let mut redeemed: HashMap<u32, RedeemedCode> = redeemed
        .into_iter()
        .map(|one| (one.code.number, one))
        .collect();
    Ok((first..=last)
        .map(|number| (number, redeemed.remove(&number)))
        .collect())
}

/// Records that codes with these numbers are read out by staff; none if the range is empty.
async fn disclosed(
    app: &AppState,
    (who, origin): (&Staff, &ReadMeta),
    (batch, purpose): (CodeBatchId, CodeDisclosure),
    numbers: (u32, u32),
) -> AppResult<()> {
    if numbers.0 > numbers.1 {
        return Ok(());
    }
    let codes = CodeReading {
        batch,
        purpose,
        numbers,
    };
    coupon_codes::disclose(app, (who.actor(), &origin.0), codes).await
}

/// Batches of coupon codes.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/codes", tag = "console", operation_id = "listCouponCodes",
    params(CodeBatchQuery, Page), security(("access" = [])), responses((status = OK, body = CouponCodeBatchList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<CodeBatchQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponCodeBatchList>> {
    let fresh = wait.until(&app, &READ).await?;
    let found = code_batches(app.pool(), query.coupon, page.into()).await?;
    let summary = Summary::of(&found);
    let batches = rows(&app, found.rows).await?;
    Ok(fresh.answer(CouponCodeBatchList { summary, batches }))
}

/// Make codes for a coupon. Each is valid once, for one member. The issue rule of the coupon decides who gets it, as for a download.
#[utoipa::path(
    post, path = "/api/console/shop/coupons/codes", tag = "console", operation_id = "makeCouponCodes",
    request_body = MakeCodesForm, security(("access" = [])),
    responses(
        (status = CREATED, body = CouponCodeBatchAnswer),
        (status = BAD_REQUEST, description = "invalid at _coupon: unknown_coupon, issued_by_event; at count: out_of_range"),
        (status = CONFLICT, description = "coupon_expired")
    )
)]
pub(crate) async fn make(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<MakeCodesForm>,
) -> ApiResult<ApiResponse<CouponCodeBatchAnswer>> {
    let command = CommandContext::new("make-coupon-codes", who.actor(), &origin);
    let what = (body.coupon, body.count);
    let done = coupon_codes::make(&app, &command, what, body.memo.trim()).await?;
    let answer = answer(&app, done.result()?).await?;
    Ok(done.created(answer))
}

/// One batch of coupon codes.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/codes/{id}", tag = "console", operation_id = "showCouponCodes",
    params(("id" = CodeBatchId, Path)), security(("access" = [])), responses((status = OK, body = CouponCodeBatchAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<CodeBatchId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CouponCodeBatchAnswer>> {
    let fresh = wait.until(&app, &READ).await?;
    let (found, _) = known(&app, id).await?;
    let coupon = found.batch.coupon;
    let row = rows(&app, vec![found]).await?.pop();
    Ok(fresh.answer(CouponCodeBatchAnswer {
        batch: row.ok_or_else(AppError::not_found)?,
        terms: terms(&app, coupon).await?,
    }))
}

/// Stop a batch: codes that were not redeemed are dead. Coupons that members have stay.
#[utoipa::path(
    delete, path = "/api/console/shop/coupons/codes/{id}", tag = "console", operation_id = "stopCouponCodes",
    params(("id" = CodeBatchId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = CouponCodeBatchAnswer), (status = CONFLICT, description = "not_allowed_now: it was stopped"))
)]
pub(crate) async fn stop(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<CodeBatchId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<CouponCodeBatchAnswer>> {
    let command = CommandContext::new("stop-coupon-codes", who.actor(), &origin);
    let memo = query.memo()?;
    let done = coupon_codes::stop(&app, &command, id, &memo).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// The codes of a batch, and who redeemed them. The history of the batch records who read codes that can still be redeemed.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/codes/{id}/list", tag = "console", operation_id = "listCodesOfBatch",
    params(("id" = CodeBatchId, Path), CodesQuery, Page), security(("access" = [])),
    responses((status = OK, body = CodeOfBatchList))
)]
pub(crate) async fn list_codes(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<CodeBatchId>,
    Query(query): Query<CodesQuery>,
    origin: ReadMeta,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CodeOfBatchList>> {
    let fresh = wait.until(&app, &READ).await?;
    let (found, handle) = known(&app, id).await?;
    let (total_count, numbers) = match query.redeemed {
        true => {
            let list = redeemed_codes(app.pool(), id, page.into()).await?;
            let rows = list
                .rows
                .into_iter()
                .map(|one| (one.code.number, Some(one)));
            (list.total_count, rows.collect())
        }
        false => {
            let count = found.batch.count;
            let skip = u32::try_from(page.skip).unwrap_or(u32::MAX);
            let limit = u32::try_from(page.limit).unwrap_or_default();
            let last = skip.saturating_add(limit).min(count);
            let range = (skip.saturating_add(1), last);
            disclosed(&app, (&who, &origin), (id, CodeDisclosure::List), range).await?;
            let rows = numbered(&app, id, range).await?;
            (i64::from(count), rows)
        }
    };
    Ok(fresh.answer(CodeOfBatchList {
        summary: Summary { total_count },
        codes: shown(&app, handle, numbers).await?,
    }))
}

/// All codes of a batch as a file, with those who redeemed them. The history of the batch records it.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/codes/{id}/export", tag = "console", operation_id = "exportCouponCodes",
    params(("id" = CodeBatchId, Path), CodeFileQuery), security(("access" = [])),
    responses((status = OK, content((String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (String = "text/csv"))))
)]
pub(crate) async fn export(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<CodeBatchId>,
    Query(query): Query<CodeFileQuery>,
    origin: ReadMeta,
    wait: ConsistencyToken,
) -> ApiResult<Response> {
    let format = Format::of(query.format.as_deref())?;
    wait.until(&app, &READ).await?;
    let (found, handle) = known(&app, id).await?;
    let all = (1, found.batch.count);
    disclosed(&app, (&who, &origin), (id, CodeDisclosure::File), all).await?;
    let columns = vec![
        Field::integer("number", "번호"),
        Field::text("code", "쿠폰 코드"),
        Field::datetime("redeemedAt", "등록일"),
        Field::text("redeemedBy.name", "등록한 회원"),
        Field::boolean("used", "사용"),
    ];
    let table = Table {
        name: "coupon-codes",
        headings: vec![labels(&columns)],
        columns,
        keys: (1..=found.batch.count)
            .map(|number| number.to_string())
            .collect(),
    };
    let read = move |app: AppState, keys: Vec<String>| async move {
        let number = |key: Option<&String>| key.and_then(|key| key.parse().ok());
        let range = number(keys.first()).zip(number(keys.last()));
        let numbers = numbered(&app, id, range.unwrap_or((1, 0))).await?;
        let codes = shown(&app, handle, numbers).await?;
        let document = |code: CodeOfBatch| match json!(code) {
            serde_json::Value::Object(document) => document,
            _ => Document::new(),
        };
        Ok(codes.into_iter().map(document).collect())
    };
    Ok(written(app, format, table, read).await?)
}

/// Codes to print that were not redeemed, with what they are good for. The history of the batch records it.
#[utoipa::path(
    get, path = "/api/console/shop/coupons/codes/{id}/sheet", tag = "console", operation_id = "printCouponCodes",
    params(("id" = CodeBatchId, Path), SheetQuery), security(("access" = [])),
    responses(
        (status = OK, body = CodeSheet),
        (status = CONFLICT, description = "not_allowed_now: the batch was stopped")
    )
)]
pub(crate) async fn sheet(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<CodeBatchId>,
    Query(query): Query<SheetQuery>,
    origin: ReadMeta,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CodeSheet>> {
    let fresh = wait.until(&app, &READ).await?;
    let (found, handle) = known(&app, id).await?;
    if found.batch.stopped_at.is_some() {
        return Err(AppError::from(domain::coupon::CodeBatchError::Stopped).into());
    }
    let first = query.first.unwrap_or(1).max(1);
    let count = query.count.unwrap_or(PRINTED_MOST).min(PRINTED_MOST);
    let last = first
        .saturating_sub(1)
        .saturating_add(count)
        .min(found.batch.count);
    let range = (first, last);
    disclosed(&app, (&who, &origin), (id, CodeDisclosure::Print), range).await?;
    let numbers = numbered(&app, id, range).await?;
    let good = numbers
        .into_iter()
        .filter(|(_, redeemed)| redeemed.is_none());
    let codes = good.map(|(number, _)| coupon_codes::code(&app, handle, number).text());
    let codes = codes.collect();
    let coupon = found.batch.coupon;
    let row = rows(&app, vec![found]).await?.pop();
    Ok(fresh.answer(CodeSheet {
        coupon_name: row.map(|row| row.coupon_name).unwrap_or_default(),
        terms: terms(&app, coupon).await?,
        codes,
    }))
}
