//! The web app: its built files, and its page for every address it knows.
//!
//! `web/dist` is inside the program in a release build and read from disk in a debug build; without it the pages say
//! so. The addresses are in `web/routes.json`; any other one gets the same page with status 404, and it says so.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

use super::error::ApiError;
use crate::app::AppState;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// An address of the app, as its route table exports it.
#[derive(Debug, Deserialize)]
struct Page {
    /// `:name` is any one part, `*` the rest.
    path: String,
    /// What the window is called.
    title: Option<String>,
    /// Another address that stands for it.
    redirect: Option<String>,
    /// Whether search engines may show it.
    index: bool,
}

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../web/routes.json")).unwrap_or_default()
});

/// What is shown while the app is not built.
const UNBUILT: &str = "<!doctype html><html lang=\"ko\"><meta charset=\"utf-8\"><title>장부</title>\
    <p>웹 화면이 아직 만들어지지 않았습니다. <code>make build</code>를 실행해 주세요.</p></html>";

/// A file, a page, or a page that says there is none. Never a page for the API.
pub async fn serve(State(app): State<AppState>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path == "/api" {
        return ApiError::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let name = path.trim_start_matches('/');
    let seen = request.headers().get(header::IF_NONE_MATCH);
    match Dist::get(name).filter(|_| name != "index.html" && !name.is_empty()) {
        Some(found) => file(name, found, seen),
        None => match known(&PAGES, path) {
            Some(Page {
                redirect: Some(target),
                ..
            }) if !target.contains(':') => Redirect::to(target).into_response(),
            Some(known) => page(&app, StatusCode::OK, known.title.as_deref(), known.index),
            None => page(&app, StatusCode::NOT_FOUND, None, false),
        },
    }
}

fn page(app: &AppState, status: StatusCode, title: Option<&str>, index: bool) -> Response {
    let nonce = STANDARD.encode(rand::random::<[u8; 16]>());
    let (status, html) = match Dist::get("index.html") {
        Some(shell) => (
            status,
            with_head(&String::from_utf8_lossy(&shell.data), &nonce, title, index),
        ),
        None if status.is_success() => (StatusCode::SERVICE_UNAVAILABLE, UNBUILT.to_owned()),
        None => (status, UNBUILT.to_owned()),
    };
    let mut response = (
        status,
        [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        html,
    )
        .into_response();
    let policy = policy(&nonce, &app.settings.payment.script_url);
    match HeaderValue::from_str(&policy) {
        Ok(policy) => {
            response
                .headers_mut()
                .insert(header::CONTENT_SECURITY_POLICY, policy);
            response
        }
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// The built page with its scripts allowed, its own title, and a word to search engines.
fn with_head(shell: &str, nonce: &str, title: Option<&str>, index: bool) -> String {
    let html = shell.replace("<script", &format!("<script nonce=\"{nonce}\""));
    let html = match title {
        Some(title) => html.replacen("<title>", &format!("<title>{} · ", escaped(title)), 1),
        None => html,
    };
    let robots = if index {
        ""
    } else {
        "<meta name=\"robots\" content=\"noindex\">"
    };
    html.replacen("<!--head-->", robots, 1)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// What a page may load: our own files, and the payment window from its service.
fn policy(nonce: &str, payment_script: &str) -> String {
    let pay = payment_sources(payment_script);
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' {pay}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob: {pay}; font-src 'self' data:; connect-src 'self' {pay}; frame-src 'self' {pay}; \
         form-action 'self' {pay}; frame-ancestors 'self'; base-uri 'none'; object-src 'none'"
    )
}

/// The script's origin; NICE serves its windows from several hosts of one domain.
fn payment_sources(script: &str) -> Cow<'_, str> {
    let origin_end = script.find("://").map(|at| at + 3).and_then(|from| {
        let rest = script.get(from..)?;
        Some(from + rest.find('/').unwrap_or(rest.len()))
    });
    let origin = origin_end
        .and_then(|end| script.get(..end))
        .unwrap_or_default();
    if origin.ends_with(".nicepay.co.kr") {
        Cow::Borrowed("https://*.nicepay.co.kr")
    } else {
        Cow::Borrowed(origin)
    }
}

fn file(name: &str, found: EmbeddedFile, seen: Option<&HeaderValue>) -> Response {
    let tag = format!(
        "\"{}\"",
        URL_SAFE_NO_PAD.encode(found.metadata.sha256_hash())
    );
    // Vite puts a hash into the names of what it builds, so those never change.
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    if seen.is_some_and(|seen| seen.as_bytes() == tag.as_bytes()) {
        return (
            StatusCode::NOT_MODIFIED,
            [
                (header::ETAG, tag),
                (header::CACHE_CONTROL, cache.to_owned()),
            ],
        )
            .into_response();
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let headers = [
        (header::CONTENT_TYPE, kind.as_ref().to_owned()),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::ETAG, tag),
    ];
    (headers, found.data).into_response()
}

/// The page at this address.
fn known<'a>(pages: &'a [Page], path: &str) -> Option<&'a Page> {
    let path = path.trim_end_matches('/');
    pages
        .iter()
        .find(|page| matches(page.path.trim_end_matches('/'), path))
}

fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    for expected in pattern.split('/') {
        if expected == "*" {
            return true;
        }
        match parts.next() {
            Some(part) if expected.starts_with(':') && !part.is_empty() => {}
            Some(part) if part == expected => {}
            _ => return false,
        }
    }
    parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_by_its_pattern() {
        let patterns = ["", "/shop/products", "/shop/products/:id", "/center/*"];
        let knows = |path: &str| {
            patterns
                .iter()
                .any(|pattern| matches(pattern, path.trim_end_matches('/')))
        };
        for path in [
            "/",
            "/shop/products",
            "/shop/products/",
            "/shop/products/7",
            "/center/faq",
            "/center/a/b",
        ] {
            assert!(knows(path), "{path}");
        }
        for path in [
            "/shop",
            "/shop/products/7/8",
            "/shop//products",
            "/nothing",
            "/shopx/products",
        ] {
            assert!(!knows(path), "{path}");
        }
    }

    #[test]
    fn the_route_table_of_the_app_can_be_read() {
        assert!(known(&PAGES, "/").is_some());
        assert!(known(&PAGES, "/no/such/page").is_none());
    }

    #[test]
    fn the_head_is_the_page_s_own() {
        let shell = "<title>장부상회</title><!--head--><script src=x></script>";
        let html = with_head(shell, "n", Some("a<b"), false);
        assert_eq!(
            html,
            "<title>a&lt;b · 장부상회</title><meta name=\"robots\" content=\"noindex\"><script nonce=\"n\" src=x></script>"
        );
    }

    #[test]
    fn a_page_may_load_the_payment_window_and_nothing_else_from_outside() {
        assert_eq!(
            payment_sources("http://127.0.0.1:4100/v1/js/"),
            "http://127.0.0.1:4100"
        );
        assert_eq!(
            payment_sources("https://pay.nicepay.co.kr/v1/js/"),
            "https://*.nicepay.co.kr"
        );
        assert_eq!(payment_sources("nonsense"), "");
        assert!(policy("abc", "").contains("script-src 'self' 'nonce-abc'"));
    }
}
