//! /api/v1/shop/logs and /api/v1/shop/tag-logs: counts search terms and tags, and returns the most frequent ones.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::business_day;
use domain::forms::{FormErrors, Validate};
use domain::validation::FieldError;
use projections::state::search_terms::{self, TermCount, TermKind};
use search_index::korean::normalise;
use serde::{Deserialize, Serialize};
use time::{Date, Duration};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Json, Page, Query, ValidJson, Visitor};

/// Number of terms in the live ranking (spec: the header specifies another number).
const TOP: i64 = 10;
/// Number of tags returned.
const TAGS: i64 = 8;

/// A search term.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct TermForm {
    /// `SEARCH` or `TAG`, case-insensitive.
    #[serde(rename = "type")]
    kind: String,
    /// The term. It is counted only if it may be shown to others: at most 50 characters, including letters or digits, no markup, nothing
    /// that could be an e-mail address or a phone number.
    value: String,
}

/// A selected tag.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct TagForm {
    /// The tag, with or without `#`.
    value: String,
}

impl Validate for TermForm {
    fn check(&self, checks: &mut FormErrors) {
        let kind = TermKind::read(&self.kind);
        let message = "SEARCH 또는 TAG 중에서 선택해 주세요.";
        checks.when(kind.is_some(), "type", "enum", message);
        check_term(checks, &self.value);
    }
}

impl Validate for TagForm {
    fn check(&self, checks: &mut FormErrors) {
        check_term(checks, &self.value);
    }
}

/// The term in Unicode normal form; none if it is not counted.
fn term(value: &str) -> Result<Option<String>, FieldError> {
    search_terms::term(&normalise(value))
}

fn check_term(checks: &mut FormErrors, value: &str) {
    if let Err(FieldError {
        field,
        code,
        message,
    }) = term(value)
    {
        checks.when(false, &field, &code, &message);
    }
}

/// The counted term.
#[derive(Serialize, ToSchema)]
pub struct TermCountAnswer {
    /// The term; null if it may not be shown to others, and so was not counted.
    log: Option<CountedTerm>,
}

/// A counted term.
#[derive(Serialize, ToSchema)]
pub struct CountedTerm {
    /// The normalised term.
    #[serde(rename = "_id")]
    term: String,
    /// Its kind.
    #[serde(rename = "type")]
    kind: TermKind,
}

/// Kind and period of a ranking.
#[derive(Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct TermRankingQuery {
    /// `SEARCH` (default) or `TAG`, case-insensitive.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// From and to, separated by a comma: days (YYYY-MM-DD, Seoul) or times (RFC 3339). Default: yesterday, in Seoul.
    created_at: Option<String>,
}

/// The most frequent terms, most frequent first.
#[derive(Serialize, ToSchema)]
pub struct Ranking {
    /// The terms.
    logs: Vec<TermCount>,
}

/// The most frequent tags, most frequent first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tags {
    /// The tags.
    tag_logs: Vec<TermCount>,
}

/// The live ranking: the most frequent terms, and by how many places each rose since the period before.
#[utoipa::path(
    get, path = "/api/v1/shop/logs", tag = "shop", operation_id = "listTermLogs", params(TermRankingQuery),
    responses((status = OK, body = Ranking))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<TermRankingQuery>,
    page: Page,
    headers: HeaderMap,
) -> ApiResult<Json<Ranking>> {
    let kind = match query.kind.as_deref().map(TermKind::read) {
        None => TermKind::Search,
        Some(Some(kind)) => kind,
        Some(None) => return Err(wrong("type").into()),
    };
    let days = days(&app, query.created_at.as_deref())?;
    let limit = limit(&headers, page, TOP);
    let logs = search_terms::ranking(app.pool(), kind, days, limit).await?;
    Ok(Json(Ranking { logs }))
}

/// Yesterday's tags.
#[utoipa::path(
    get, path = "/api/v1/shop/tag-logs", tag = "shop", operation_id = "listTagLogs",
    responses((status = OK, body = Tags))
)]
pub(crate) async fn tags(
    State(app): State<AppState>,
    page: Page,
    headers: HeaderMap,
) -> ApiResult<Json<Tags>> {
    let days = days(&app, None)?;
    let limit = limit(&headers, page, TAGS);
    let tag_logs = search_terms::ranking(app.pool(), TermKind::Tag, days, limit).await?;
    Ok(Json(Tags { tag_logs }))
}

/// Count a term, once per visitor and day.
#[utoipa::path(
    post, path = "/api/v1/shop/logs", tag = "shop", operation_id = "logTerm", request_body = TermForm,
    responses(
        (status = CREATED, body = TermCountAnswer),
        (status = OK, body = TermCountAnswer, description = "not counted: it may not be shown to others")
    )
)]
pub(crate) async fn log(
    State(app): State<AppState>,
    visitor: Visitor,
    ValidJson { body, .. }: ValidJson<TermForm>,
) -> ApiResult<(StatusCode, Json<TermCountAnswer>)> {
    let kind = TermKind::read(&body.kind).ok_or_else(|| wrong("type"))?;
    Ok(count(&app, &visitor, kind, &body.value).await?)
}

/// The same at its older address.
#[utoipa::path(
    post, path = "/api/v1/shop/logs/saving", tag = "shop", operation_id = "saveTerm", request_body = TermForm,
    responses(
        (status = CREATED, body = TermCountAnswer),
        (status = OK, body = TermCountAnswer, description = "not counted: it may not be shown to others")
    )
)]
pub(crate) async fn save(
    app: State<AppState>,
    visitor: Visitor,
    asked: ValidJson<TermForm>,
) -> ApiResult<(StatusCode, Json<TermCountAnswer>)> {
    log(app, visitor, asked).await
}

/// Count a tag, once per visitor and day.
#[utoipa::path(
    post, path = "/api/v1/shop/tag-logs", tag = "shop", operation_id = "logTag", request_body = TagForm,
    responses(
        (status = CREATED, body = TermCountAnswer),
        (status = OK, body = TermCountAnswer, description = "not counted: it may not be shown to others")
    )
)]
pub(crate) async fn log_tag(
    State(app): State<AppState>,
    visitor: Visitor,
    ValidJson { body, .. }: ValidJson<TagForm>,
) -> ApiResult<(StatusCode, Json<TermCountAnswer>)> {
    Ok(count(&app, &visitor, TermKind::Tag, &body.value).await?)
}

async fn count(
    app: &AppState,
    visitor: &Visitor,
    kind: TermKind,
    value: &str,
) -> AppResult<(StatusCode, Json<TermCountAnswer>)> {
    let term = term(value).map_err(|error| AppError::invalid(vec![error]))?;
    let Some(term) = term else {
        return Ok((StatusCode::OK, Json(TermCountAnswer { log: None })));
    };
    let now = app.clock.now();
    let day = business_day::day(now);
    let salt = search_terms::salt(app.pool(), day, rand::random()).await?;
    search_terms::note(app.pool(), kind, &term, day, &visitor.on(&salt), now).await?;
    let log = Some(CountedTerm { term, kind });
    Ok((StatusCode::CREATED, Json(TermCountAnswer { log })))
}

/// The days of a ranking, both included; default: yesterday.
fn days(app: &AppState, said: Option<&str>) -> AppResult<(Date, Date)> {
    let Some(said) = said else {
        let yesterday = business_day::day(app.clock.now()).saturating_sub(Duration::days(1));
        return Ok((yesterday, yesterday));
    };
    let mut ends = said.trim_matches(['[', ']']).split(',').map(day);
    match (ends.next().flatten(), ends.next().flatten(), ends.next()) {
        (Some(from), Some(to), None) if from <= to => Ok((from, to)),
        _ => Err(wrong("createdAt")),
    }
}

/// A day, or the day of a time in Seoul.
fn day(text: &str) -> Option<Date> {
    let text = text.trim().trim_matches('"');
    // The period that a ranking is compared with has to be a valid date too.
    business_day::begin(text)
        .map(business_day::day)
        .filter(|day| day.year() >= 1970)
}

/// The limit in the header or query, or the list's own default.
fn limit(headers: &HeaderMap, page: Page, usual: i64) -> i64 {
    let said = headers.contains_key("limit") || page.limit != projections::Page::DEFAULT;
    if said { page.limit } else { usual }
}

#[track_caller]
fn wrong(field: &str) -> AppError {
    AppError::invalid_field(field, "type", "조회 조건이 올바르지 않습니다.")
}
