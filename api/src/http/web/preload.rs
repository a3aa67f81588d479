//! What a page asks the API for as soon as it starts, answered inside the page: it draws without waiting for calls.
//!
//! The answers come from the calls themselves, asked by nobody in particular: without a token they can hold nothing of anybody's,
//! and they are what a guest who asks gets. With each goes for whom else it is true. The app takes one by its address and asks by
//! itself for whatever is not there.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use futures::future::join_all;
use serde_json::Value;
use tower::ServiceExt;

use super::html_head::FirstPicture;
use super::pages::Page;

/// Rows of a page of the product list, as the app asks for them.
const LISTED: i64 = 20;
/// Newest products on the front page, as the app asks for them.
const NEWEST: i64 = 8;
/// Advertisements there.
const ADVERTISEMENTS: i64 = 4;
/// What narrows the product list, by the names the page and the call share.
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
/// Largest answer worth carrying along.
const MOST: usize = 256 * 1024;

/// The calls anybody may send, to be asked from within.
#[derive(Clone)]
pub(super) struct Calls(Router);

/// Who would be answered the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    /// Whoever asks: nobody looks who does.
    Everybody,
    /// Who is not signed in.
    Guests,
}

/// An address of the API as the app writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    address: String,
    audience: Audience,
}

/// What such an address answers, as JSON.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub address: String,
    pub audience: Audience,
    pub json: String,
}

impl Calls {
    /// These.
    pub(super) fn new(calls: Router) -> Self {
        Self(calls)
    }

    /// What a page asks for first. What is refused is left out: the app will ask and say so.
    pub(super) async fn answers(
        &self,
        page: &Page,
        path: &str,
        query: Option<&str>,
    ) -> Vec<Answer> {
        let asked = addresses(page, path, query).into_iter();
        let answered = join_all(asked.map(|asked| self.answer(asked))).await;
        answered.into_iter().flatten().collect()
    }

    async fn answer(&self, Asked { address, audience }: Asked) -> Option<Answer> {
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

/// Where phones end and desks begin (spec V260), as the app has it.
const SCREENS: [(&str, &str); 2] = [("MOBILE", "(width < 64rem)"), ("PC", "(width >= 64rem)")];

/// The large picture the front page's slider shows first on each kind of screen.
pub(super) fn slides(answers: &[Answer]) -> Vec<FirstPicture> {
    let picture = |(device, media)| {
        let Asked { address, .. } = banner("MAIN_1", device);
        let answer = answers.iter().find(|answer| answer.address == address)?;
        let answer: Value = serde_json::from_str(&answer.json).ok()?;
        let url = answer.pointer("/banner/slides/0/image/url")?.as_str()?;
        FirstPicture::on(url, Some(media))
    };
    SCREENS.into_iter().filter_map(picture).collect()
}

/// What a page asks for, the frame around the shop's included.
fn addresses(page: &Page, path: &str, query: Option<&str>) -> Vec<Asked> {
    // staff's own answers are theirs alone, but amounts are in the shop's currency from the first picture on
    if page.path.starts_with("/console") {
        return vec![everybody("/api/v1/setting", [])];
    }
    let mut asked = vec![
        everybody("/api/v1/shop/categories", []),
        everybody("/api/v1/bandBanners", [("code", "main")]),
        everybody("/api/v1/setting", []),
    ];
    match page.path.as_str() {
        "/" => asked.extend(home()),
        "/shop/products" => asked.extend(list(query)),
        "/shop/products/:productId" => asked.push(guests(&format!("/api/v1{path}"), [])),
        _ => {}
    }
    asked
}

fn banner(code: &str, device: &str) -> Asked {
    everybody(&format!("/api/v1/banners/{code}"), [("device", device)])
}

/// Which screen it is for the app finds out, so there is one for each.
fn home() -> Vec<Asked> {
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

/// None for a search: those are counted, and pages are not.
fn list(query: Option<&str>) -> Option<Asked> {
    let asked: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect();
    if asked.iter().any(|(name, _)| name == "searchValue") {
        return None;
    }
    let page = asked.iter().find(|(name, _)| name == "page");
    let page = page.map_or(Some(1), |(_, number)| number.parse::<i64>().ok())?;
    let skip = page.checked_sub(1)?.checked_mul(LISTED)?.to_string();
    let limit = LISTED.to_string();
    let narrowing = asked
        .iter()
        .filter(|(name, value)| NARROWING.contains(&name.as_ref()) && !value.is_empty())
        .map(|(name, value)| (name.as_ref(), value.as_ref()));
    let always = [("facets", "true"), ("skip", &skip), ("limit", &limit)];
    Some(guests("/api/v1/shop/products", narrowing.chain(always)))
}

fn everybody<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> Asked {
    Asked {
        address: address(path, query),
        audience: Audience::Everybody,
    }
}

fn guests<'a>(path: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> Asked {
    Asked {
        address: address(path, query),
        audience: Audience::Guests,
    }
}

/// As the app writes it: the query in the order of its names.
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
            Some(Asked {
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
