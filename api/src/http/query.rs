//! Queries, path parameters and pagination.

use crate::http::{ApiError, ApiResult, AppError, AppResult, Code};
use std::collections::BTreeSet;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use domain::validation::FieldError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};

use super::operation::{OperationInput, Signature};

/// Query parameters.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

/// Path parameters; one that cannot be an id is treated as an unknown id.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

/// Pagination: `skip` and `limit`, as headers (the specification) or in the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Number of rows skipped.
    pub skip: i64,
    /// Maximum number of rows: 20 by default, 1 to 100.
    pub limit: i64,
}

/// Message for a parameter that an operation does not have.
const UNKNOWN_FILTER: &str = "알 수 없는 조회 조건입니다.";
/// U+0000 in an address; Postgres cannot store it.
const NUL: &str = "%00";
/// Default number of rows.
pub(super) const LIMIT_USUAL: i64 = projections::Page::DEFAULT;
/// Maximum number of rows.
pub(super) const LIMIT_MOST: i64 = projections::Page::MAX;
/// Maximum number of rows skipped; beyond that search is more suitable.
pub(super) const SKIP_MOST: i64 = 1_000_000;

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        Ok(Self(of_query(parts.uri.query().unwrap_or_default())?))
    }
}

fn of_query<T: DeserializeOwned>(query: &str) -> AppResult<T> {
    if query.contains(NUL) {
        return Err(AppError::new(Code::InvalidQuery));
    }
    let reader = serde_urlencoded::Deserializer::new(form_urlencoded(query));
    serde_path_to_error::deserialize(reader)
        .map_err(|error| invalid_query(&error.path().to_string()))
}

fn form_urlencoded(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.as_bytes())
}

/// The addresses of members and staff, whose lists refuse conditions they do not know.
const STRICT: [&str; 2] = ["/api/console/", "/api/v1/me/"];
/// Page parameters, which every address may get: the specification sends them with every list.
const PAGE: [&str; 2] = ["skip", "limit"];
/// Parameters that are read by a second name: the period of lists.
const SECOND_NAMES: [(&str, &str); 2] = [("from", "createdAtFrom"), ("to", "createdAtTo")];

/// The query parameters that an operation documents.
#[derive(Clone, Debug)]
pub(super) struct KnownParameters(BTreeSet<String>);

impl KnownParameters {
    /// Those of a list of members or staff; none for others, which ignore what they do not know: links from elsewhere carry parameters of
    /// their own.
    pub fn of(path: &str, operation: &Operation, is_paged: bool) -> Option<Self> {
        if !STRICT.iter().any(|begin| path.starts_with(begin)) {
            return None;
        }
        let documented = operation.parameters.iter().flatten();
        let mut known: BTreeSet<String> = documented
            .filter_map(|parameter| match parameter {
                RefOr::T(one) if one.parameter_in == ParameterIn::Query => Some(one.name.clone()),
                _ => None,
            })
            .collect();
        if known.is_empty() && !is_paged {
            return None;
        }
        for (name, second) in SECOND_NAMES {
            if known.contains(name) {
                known.insert(second.to_owned());
            }
        }
        Some(Self(known))
    }

    /// Passes if the query has no other parameter: a condition that is ignored shows more rows than were asked for.
    ///
    /// # Errors
    /// `invalid_query` with `unknown_filter` at each of them.
    pub fn check(&self, query: &str) -> AppResult<()> {
        let is_known = |name: &str| PAGE.contains(&name) || self.0.contains(name);
        let mut unknown: Vec<FieldError> = Vec::new();
        for (name, _) in form_urlencoded(query) {
            let is_told = unknown.iter().any(|told| told.field == name);
            if !is_told && !is_known(&name) {
                unknown.push(FieldError::new(
                    name.as_ref(),
                    "unknown_filter",
                    UNKNOWN_FILTER,
                ));
            }
        }
        match unknown.is_empty() {
            true => Ok(()),
            false => Err(AppError::new(Code::InvalidQuery).with_fields(unknown)),
        }
    }
}

/// Whether a list begins with the oldest: its `sort` names `column`; by default, and with `-` before it, with the newest.
///
/// # Errors
/// `invalid_query` with `unknown_sort` at `sort`.
pub fn oldest_first(sort: Option<&str>, column: &str) -> AppResult<bool> {
    match sort.map(str::trim) {
        None | Some("") => Ok(false),
        Some(sort) if sort == column => Ok(true),
        Some(sort) if sort.strip_prefix('-') == Some(column) => Ok(false),
        Some(_) => {
            let complaint = FieldError::new("sort", "unknown_sort", "알 수 없는 정렬 기준입니다.");
            Err(AppError::new(Code::InvalidQuery).with_fields(vec![complaint]))
        }
    }
}

/// The error of a query, or of a header equivalent to one, that cannot be parsed.
#[track_caller]
pub(crate) fn invalid_query(field: &str) -> AppError {
    let complaint = FieldError::new(field, "type", "형식이 올바르지 않습니다.");
    AppError::new(Code::InvalidQuery).with_fields(vec![complaint])
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        if parts.uri.path().contains(NUL) {
            return Err(AppError::not_found().into());
        }
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(rejection) if rejection.status().is_server_error() => {
                Err(AppError::internal(rejection).into())
            }
            Err(_) => Err(AppError::not_found().into()),
        }
    }
}

#[derive(Default, Deserialize)]
struct PageParams {
    skip: Option<i64>,
    limit: Option<i64>,
}

impl<S: Send + Sync> FromRequestParts<S> for Page {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> ApiResult<Self> {
        let params: PageParams = of_query(parts.uri.query().unwrap_or_default())?;
        let skip = params
            .skip
            .map_or_else(|| header(&parts.headers, "skip"), |skip| Ok(Some(skip)))?;
        let limit = params
            .limit
            .map_or_else(|| header(&parts.headers, "limit"), |limit| Ok(Some(limit)))?;
        Ok(Self::within(
            skip.unwrap_or(0),
            limit.unwrap_or(LIMIT_USUAL),
        )?)
    }
}

impl<T> OperationInput for Query<T> {
    fn describe(signature: &mut Signature) {
        signature.refuses(StatusCode::BAD_REQUEST);
    }
}

impl<T> OperationInput for Path<T> {
    fn describe(signature: &mut Signature) {
        signature.refuses(StatusCode::NOT_FOUND);
    }
}

impl OperationInput for Page {
    fn describe(signature: &mut Signature) {
        signature.pages();
    }
}

/// The document gets the parameters from [`OperationInput`].
impl IntoParams for Page {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        Vec::new()
    }
}

impl Page {
    fn within(skip: i64, limit: i64) -> AppResult<Self> {
        if !(0..=SKIP_MOST).contains(&skip) {
            return Err(invalid_query("skip"));
        }
        if !(1..=LIMIT_MOST).contains(&limit) {
            return Err(invalid_query("limit"));
        }
        Ok(Self { skip, limit })
    }
}

impl Page {
    /// Selects the page of rows that are in memory.
    pub fn of<I: IntoIterator>(self, rows: I) -> impl Iterator<Item = I::Item> {
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        rows.into_iter().skip(skip).take(limit)
    }
}

impl From<Page> for projections::Page {
    fn from(page: Page) -> Self {
        Self {
            skip: page.skip,
            limit: page.limit,
        }
    }
}

fn header(headers: &HeaderMap, name: &str) -> AppResult<Option<i64>> {
    let Some(value) = headers.get(name) else {
        return Ok(None);
    };
    let number = value
        .to_str()
        .ok()
        .and_then(|text| text.trim().parse().ok());
    number.map(Some).ok_or_else(|| invalid_query(name))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use axum::http::Request;

    use super::*;

    async fn page(uri: &str, headers: &[(&str, &str)]) -> ApiResult<Page> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        Page::from_request_parts(&mut parts, &()).await
    }

    #[test]
    fn a_list_begins_with_the_newest_unless_it_is_told_otherwise() {
        for (sort, oldest) in [
            (None, Some(false)),
            (Some(""), Some(false)),
            (Some("-createdAt"), Some(false)),
            (Some("createdAt"), Some(true)),
            (Some("created_at"), None),
            (Some("--createdAt"), None),
        ] {
            assert_eq!(oldest_first(sort, "createdAt").ok(), oldest, "{sort:?}");
        }
    }

    #[tokio::test]
    async fn a_page_comes_from_headers_or_the_query_and_has_bounds() {
        assert_eq!(page("/", &[]).await.unwrap(), Page { skip: 0, limit: 20 });
        assert_eq!(
            page("/", &[("skip", "40"), ("limit", "10")]).await.unwrap(),
            Page {
                skip: 40,
                limit: 10
            }
        );
        assert_eq!(
            page("/?limit=100&skip=3&x=y", &[]).await.unwrap(),
            Page {
                skip: 3,
                limit: 100
            }
        );
        for (uri, headers) in [
            ("/?limit=0", vec![]),
            ("/?limit=101", vec![]),
            ("/", vec![("limit", "101")]),
            ("/?skip=-1", vec![]),
            ("/?limit=x", vec![]),
            ("/", vec![("limit", "many")]),
        ] {
            assert_eq!(
                page(uri, &headers).await.unwrap_err().code(),
                Code::InvalidQuery,
                "{uri} {headers:?}"
            );
        }
    }
}
