//! Preloads a page's first API requests: their responses are embedded in the page, so that it renders without waiting for calls.
//!
//! The responses are produced by the API itself, without a token, so they contain no private data and equal those of a guest. Each
//! is marked with the audience it is valid for. The app takes a response by address and sends its own request if there is none.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use domain::business_day;
use futures::future::join_all;
use serde_json::Value;
use time::OffsetDateTime;
use tower::ServiceExt;

use super::html_head::FirstPicture;
use super::pages::Page;

/// Rows per page of the product list, as requested by the app.
const LISTED: i64 = 20;
/// Newest products on home, as requested by the app.
const NEWEST: i64 = 8;
/// Terms of the search ranking in the header.
const RANKED: i64 = 10;
/// Advertisements on home.
const ADVERTISEMENTS: i64 = 4;
/// Filters of the product list; the page and the API use the same names.
const NARROWING: [&str; 9] = [
    "_seller",
    "brand",
    "category",
    "freeShipping",
    "groups",
    "inStock",
    "priceMax",
    "priceMin",
    "sort",
];
/// Maximum size of an embedded response.
const MOST: usize = 256 * 1024;

/// The public API operations, for internal requests.
#[derive(Clone)]
pub(super) struct Calls(Router);

/// Audience for which a response is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// Everybody: the response does not depend on the user.
    Everybody,
    /// Everybody, as long as the page is open: it changes with a restart only.
    Always,
    /// Users who are not signed in.
    Guests,
}

/// An API address as written by the app.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ApiRequest {
    address: String,
    audience: Audience,
}

/// The response to such an address, as JSON.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub address: String,
    pub audience: Audience,
    pub json: String,
}

impl Calls {
    /// Wraps a router.
    pub(super) fn new(calls: Router) -> Self {
        Self(calls)
    }

    /// Responses to a page's first requests. Error responses are left out: the app repeats the request and shows the error.
    pub(super) async fn answers(
        &self,
        page: &Page,
        (path, query): (&str, Option<&str>),
        now: OffsetDateTime,
    ) -> Vec<Answer> {
        let requests = addresses(page, (path, query), now).into_iter();
        let answered = join_all(requests.map(|request| self.answer(request))).await;
        answered.into_iter().flatten().collect()
    }

    async fn answer(&self, ApiRequest { address, audience }: ApiRequest) -> Option<Answer> {
        let request = Request::get(&address).body(Body::empty()).ok()?;
        let answered: Result<_, Infallible> = self.0.clone().oneshot(request).await;
        let response = answered.ok()?;
        if response.status() != StatusCode::OK {
            return None;
        }
        let bytes = to_bytes(response.into_body(), MOST).await.ok()?;
        let json = String::from_utf8(bytes.into()).ok()?;
        Some(Answer {
            address,
            audience,
            json,
        })
    }
}

/// Breakpoint between phones and desktops (spec V260), as in the app.
const SCREENS: [(&str, &str); 2] = [("MOBILE", "(width < 64rem)"), ("PC", "(width >= 64rem)")];

/// The picture that home's slider shows first on each kind of screen.
pub(super) fn slides(answers: &[Answer]) -> Vec<FirstPicture> {
    let picture = |(device, media)| {
        let ApiRequest { address, .. } = banner("MAIN_1", device);
        let answer = answers.iter().find(|answer| answer.address == address)?;
        let answer: Value = serde_json::from_str(&answer.json).ok()?;
        let url = answer.pointer("/banner/slides/0/image/url")?.as_str()?;
        FirstPicture::on(url, Some(media))
    };
    SCREENS.into_iter().filter_map(picture).collect()
}

/// The requests of a page, including those of the shop's layout.
fn addresses(
    page: &Page,
    (path, query): (&str, Option<&str>),
    now: OffsetDateTime,
) -> Vec<ApiRequest> {
    // Responses for staff are private, but the shop's currency is needed from the first rendering on.
    if page.path.starts_with("/console") {
        return vec![everybody("/api/v1/setting", [])];
    }
    let mut requests = vec![
        everybody("/api/v1/shop/categories", []),
        everybody("/api/v1/bandBanners", [("code", "main")]),
        everybody("/api/v1/setting", []),
        ranking(now),
        ApiRequest {
            audience: Audience::Always,
            ..everybody("/api/plugins/nicepayments/config", [])
        },
    ];
    match page.path.as_str() {
        "/" => requests.extend(home()),
        "/shop/products" => requests.extend(list(query)),
        "/shop/products/:productId" => requests.push(guests(&format!("/api/v1{path}"), [])),
        _ => {}
    }
    requests
}

/// The most searched terms of yesterday.
fn ranking(now: OffsetDateTime) -> ApiRequest {
    let yesterday = business_day::day(now).previous_day();
    let yesterday = yesterday.map(|day| day.to_string()).unwrap_or_default();
    let period = format!("{yesterday},{yesterday}");
    let limit = RANKED.to_string();
    everybody(
        "/api/v1/shop/logs",
        [
            ("type", "SEARCH"),
            ("createdAt", &period),
            ("limit", &limit),
        ],
    )
}

fn banner(code: &str, device: &str) -> ApiRequest {
    everybody(&format!("/api/v1/banners/{code}"), [("device", device)])
}

/// The app determines its screen, so there is one request for each.
fn home() -> Vec<ApiRequest> {
    let display = |code| guests("/api/v1/shop/displays", [("code", code)]);
    let (newest, shown) = (NEWEST.to_string(), ADVERTISEMENTS.to_string());
    vec![
        banner("MAIN_1", "MOBILE"),
        banner("MAIN_1", "PC"),
        banner("MAIN_2", "MOBILE"),
        banner("MAIN_2", "PC"),
        display("MAIN_FEATURED"),
        display("RECOMMENDATION"),
        display("MERIT"),
        guests("/api/v1/shop/bests", []),
        everybody(
            "/api/v1/bannerAdvertisements",
            [("isDeleted", "false"), ("limit", &shown)],
        ),
        guests(
            "/api/v1/shop/products",
            [("sort", "LATEST"), ("skip", "0"), ("limit", &newest)],
        ),
    ]
}

/// None for a search: searches are counted, page views are not.
fn list(query: Option<&str>) -> Option<ApiRequest> {
    let params: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect();
    if params.iter().any(|(name, _)| name == "searchValue") {
        return None;
    }
    let page = params.iter().find(|(name, _)| name == "page");
    let page = page.map_or(Some(1), |(_, number)| number.parse::<i64>().ok())?;
    let skip = page.checked_sub(1)?.checked_mul(LISTED)?.to_string();
    let limit = LISTED.to_string();
    let narrowing = params
        .iter()
        .filter(|(name, value)| NARROWING.contains(&name.as_ref()) && !value.is_empty())
        .map(|(name, value)| (name.as_ref(), value.as_ref()));
    let always = [("facets", "true"), ("skip", &skip), ("limit", &limit)];
    Some(guests("/api/v1/shop/products", narrowing.chain(always)))
}

fn everybody<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> ApiRequest {
    ApiRequest {
        address: address(path, query),
        audience: Audience::Everybody,
    }
}

fn guests<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> ApiRequest {
    ApiRequest {
        address: address(path, query),
        audience: Audience::Guests,
    }
}

/// Formats an address as the app does: parameters sorted by name.
fn address<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut query: Vec<_> = query.into_iter().collect();
    query.sort_by_key(|(name, _)| *name);
    match query.is_empty() {
        true => path.to_owned(),
        false => {
            let query = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(query)
                .finish();
            format!("{path}?{query}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_asks_for_what_its_address_says() {
        assert_eq!(
            list(Some("page=3&category=%EA%B0%80+b&utm_source=x&sort=NAME")),
            Some(ApiRequest {
                address: "/api/v1/shop/products?category=%EA%B0%80+b&facets=true&limit=20&skip=40&sort=NAME"
                    .to_owned(),
                audience: Audience::Guests,
            })
        );
        for odd in ["searchValue=a", "page=x", "page=99999999999999999999"] {
            assert_eq!(list(Some(odd)), None, "{odd}");
        }
    }
}
