//! Serves the web app: its built files, and a page for every route.
//!
//! | topic | module |
//! |---|---|
//! | the routes | [`pages`] |
//! | metadata of a page, from the read models | [`page_meta`] |
//! | first API requests, answered in the page | [`preload`] |
//! | inserting both into the page | [`html_head`] |
//! | content security policy | [`csp`] |
//! | the built files | [`files`] |
//! | files for search engines | [`crawlers`] |
//!
//! Without the built app, pages show a message. Unknown addresses get the app's page with status 404.

mod crawlers;
mod csp;
mod files;
mod html_head;
mod page_meta;
mod pages;
mod preload;
mod structured_data;

use crate::http::ApiError;
use crate::http::AppError;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use self::crawlers::Sitemap;
use self::preload::Calls;
use crate::app::AppState;

/// Dependencies of the pages besides the application.
#[derive(Clone)]
pub struct Pages {
    calls: Calls,
    sitemap: Sitemap,
}

impl Pages {
    /// Pages with access to these operations.
    pub fn new(calls: Router) -> Self {
        Self {
            calls: Calls::new(calls),
            sitemap: Sitemap::default(),
        }
    }
}

/// Shown while the app is not built.
const UNBUILT: &str = "<!doctype html><html lang=\"ko\"><meta charset=\"utf-8\"><title>장부</title><!--head-->\
    <p>웹 화면이 아직 만들어지지 않았습니다. <code>make build</code>를 실행해 주세요.</p><!--summary--></html>";

/// Serves a file, a page, or a "not found" page. Never a page under `/api`.
pub(crate) async fn serve(
    State(app): State<AppState>,
    Extension(within): Extension<Pages>,
    request: Request,
) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path == "/api" {
        return ApiError::from(AppError::not_found()).into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let query = request.uri().query();
    let seen = request.headers().get(header::IF_NONE_MATCH);
    if let Some(answer) = crawlers::answer(&app, &within.sitemap, path, seen).await {
        return answer;
    }
    if let Some(file) = files::at(path, request.headers()) {
        return file;
    }
    if let Some(picture) = files::narrower_at(path, request.headers()).await {
        return picture;
    }
    let page = pages::known(path);
    let straight = path.trim_end_matches('/');
    match page {
        None if files::is_one(path) => return files::none(),
        Some(page) => {
            if let Some(target) = page.leads_to(straight) {
                return moved(&target, query);
            }
            if path.ends_with('/') && path != "/" && !straight.is_empty() {
                return moved(straight, query);
            }
        }
        None => {}
    }
    let answers = async {
        match page {
            Some(page) => {
                let now = app.clock.now();
                within.calls.answers(page, (straight, query), now).await
            }
            None => Vec::new(),
        }
    };
    let ((site, mut about), mut answers) =
        tokio::join!(page_meta::page(&app, page, straight, query), answers);
    if about.status == StatusCode::MOVED_PERMANENTLY {
        return moved(&about.address, query);
    }
    if about.status != StatusCode::OK {
        answers.clear();
    }
    if path == "/" {
        about.first = preload::slides(&answers);
    }
    let module = page.and_then(|page| page.module.as_deref());
    let start = html_head::Start {
        chunks: module.map(files::chunks).unwrap_or_default(),
        answers,
    };
    answered(&app, &site, &about, &start, seen)
}

/// A permanent redirect. Only to routes of the app, so never to another site.
fn moved(target: &str, query: Option<&str>) -> Response {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    match HeaderValue::from_str(&format!("{target}{query}")) {
        Ok(target) => {
            let cache = HeaderValue::from_static("public, max-age=3600");
            let headers = [(header::LOCATION, target), (header::CACHE_CONTROL, cache)];
            (StatusCode::MOVED_PERMANENTLY, headers).into_response()
        }
        Err(error) => ApiError::from(AppError::internal(error)).into_response(),
    }
}

fn answered(
    app: &AppState,
    site: &html_head::Site,
    about: &html_head::About,
    start: &html_head::Start,
    seen: Option<&HeaderValue>,
) -> Response {
    let built = files::shell();
    let status = match built {
        None if about.status.is_success() => StatusCode::SERVICE_UNAVAILABLE,
        _ => about.status,
    };
    let shell = built.as_deref().unwrap_or(UNBUILT);
    let parts = html_head::parts(site, about, start);
    let tag = files::tag(parts.iter().map(String::as_str).chain([shell]));
    // For the client's cache only: a shared cache would give its nonce to others.
    let kept = [
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if status == StatusCode::OK && files::has(seen, &tag) {
        // No policy: the cached one has the nonce of the page's scripts.
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let nonce = STANDARD.encode(rand::random::<[u8; 16]>());
    let html = html_head::filled(shell, &nonce, &parts);
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (status, kind, kept, html).into_response();
    let policy = csp::policy(
        &nonce,
        &app.settings.payment.script_url,
        app.settings
            .recaptcha
            .as_ref()
            .map(|set| set.script_url.as_str()),
    );
    match HeaderValue::from_str(&policy) {
        Ok(policy) => {
            response
                .headers_mut()
                .insert(header::CONTENT_SECURITY_POLICY, policy);
            response
        }
        Err(error) => ApiError::from(AppError::internal(error)).into_response(),
    }
}
