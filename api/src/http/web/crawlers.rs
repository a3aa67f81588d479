//! Files for search engines: `/robots.txt`, and `/sitemap.xml`, split into parts when it exceeds one file.

use crate::http::ApiError;
use crate::http::AppResult;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::catalogue::tree::Branch;
use domain::storefront::{Brand, Showroom, Terms};
use projections::{categories, products, records};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::sync::Mutex;

use super::html_head::{encoded, escaped};
use super::{files, pages};
use crate::app::AppState;

/// Maximum number of addresses per file (sitemaps.org).
const MOST: usize = 50_000;

/// Paths disallowed for crawlers.
const CLOSED: [&str; 8] = [
    "/console",
    "/mypage",
    "/cart",
    "/shop/cart",
    "/shop/order",
    "/shop/result",
    "/shop/lookup",
    "/plugins/",
];

/// The read models the sitemap is built from.
const MADE_OF: [&str; 3] = [products::NAME, categories::NAME, records::NAME];
/// Interval in which changes are not checked.
const UNASKED: Duration = Duration::from_secs(60);
/// Maximum age of the sitemap: terms come into force without an event.
const LONGEST: Duration = Duration::from_secs(600);

/// The cached sitemap. Building it reads all public records, so concurrent requests wait for one build.
#[derive(Clone, Default)]
pub(super) struct Sitemap(Arc<Mutex<Option<CachedSitemap>>>);

/// A sitemap with the positions of the read models it was built from.
struct CachedSitemap {
    positions: Vec<i64>,
    built: Instant,
    checked: Instant,
    files: Arc<Files>,
}

impl Sitemap {
    async fn files(&self, app: &AppState) -> AppResult<Arc<Files>> {
        let mut cache = self.0.lock().await;
        if let Some(sitemap) = cache
            .as_mut()
            .filter(|sitemap| sitemap.built.elapsed() < LONGEST)
        {
            if sitemap.checked.elapsed() < UNASKED {
                return Ok(Arc::clone(&sitemap.files));
            }
            sitemap.checked = Instant::now();
            if sitemap.positions == positions(app).await? {
                return Ok(Arc::clone(&sitemap.files));
            }
        }
        // Read before the rows, so that concurrent changes are noticed at the next check.
        let positions = positions(app).await?;
        let files = Files::of(&app.settings.server.public_url, &entries(app).await?, MOST);
        let sitemap = cache.insert(CachedSitemap {
            positions,
            built: Instant::now(),
            checked: Instant::now(),
            files: Arc::new(files),
        });
        Ok(Arc::clone(&sitemap.files))
    }
}

/// Positions of the sitemap's read models.
async fn positions(app: &AppState) -> AppResult<Vec<i64>> {
    let all = app.store.checkpoints().await?.into_iter();
    Ok(all
        .filter(|found| found.active && MADE_OF.contains(&found.name.as_str()))
        .map(|found| found.position)
        .collect())
}

/// The sitemap as files.
#[derive(Debug)]
struct Files {
    /// Content of `/sitemap.xml`: all addresses, or the index of the parts.
    whole: String,
    /// The parts, if they do not fit one file.
    parts: Vec<String>,
}

/// An address with the day its record was last changed.
struct Entry {
    path: String,
    changed: Option<OffsetDateTime>,
}

/// The response, if the path is one of these files.
pub(super) async fn answer(
    app: &AppState,
    map: &Sitemap,
    path: &str,
    seen: Option<&HeaderValue>,
) -> Option<Response> {
    let url = &app.settings.server.public_url;
    if path == "/robots.txt" {
        return Some(text("text/plain; charset=utf-8", robots(url), seen));
    }
    let part = match path.strip_prefix("/sitemap")?.strip_suffix(".xml")? {
        "" => None,
        number => Some(number.strip_prefix('-')?.parse::<usize>().ok()?),
    };
    Some(match map.files(app).await {
        Ok(files) => match files.part(part) {
            Some(xml) => text("application/xml; charset=utf-8", xml.to_owned(), seen),
            None => files::none(),
        },
        Err(error) => ApiError::from(error).into_response(),
    })
}

fn text(kind: &str, body: String, seen: Option<&HeaderValue>) -> Response {
    let tag = files::tag([body.as_str()]);
    let kept = [
        (header::CACHE_CONTROL, "public, max-age=600".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    match files::has(seen, &tag) {
        true => (StatusCode::NOT_MODIFIED, kept).into_response(),
        false => ([(header::CONTENT_TYPE, kind.to_owned())], kept, body).into_response(),
    }
}

fn robots(url: &str) -> String {
    let closed: String = CLOSED
        .iter()
        .map(|path| format!("Disallow: {path}\n"))
        .collect();
    format!("User-agent: *\n{closed}\nSitemap: {url}/sitemap.xml\n")
}

/// All indexable addresses.
async fn entries(app: &AppState) -> AppResult<Vec<Entry>> {
    let pool = app.pool();
    let always = |path: String| Entry {
        path,
        changed: None,
    };
    let mut entries: Vec<Entry> = pages::open()
        .map(|page| always(page.path.clone()))
        .collect();
    let mut branches = categories::categories(pool, None, None, false).await?;
    while let Some(Branch { code, children, .. }) = branches.pop() {
        entries.push(always(format!(
            "/shop/products?category={}",
            encoded(&code)
        )));
        branches.extend(children);
    }
    let brands = records::all::<Brand>(pool).await?.into_iter();
    entries.extend(
        brands
            .filter(|found| found.data.shows)
            .map(|found| always(format!("/shop/brands/{}", encoded(&found.data.code)))),
    );
    let rooms = records::all::<Showroom>(pool).await?.into_iter();
    entries.extend(
        rooms
            .filter(|found| found.data.shows)
            .map(|found| always(format!("/shop/showrooms/{}", encoded(&found.data.code)))),
    );
    let now = app.clock.now();
    let terms = records::all::<Terms>(pool).await?.into_iter();
    let mut codes: Vec<String> = terms
        .filter(|found| found.data.starts_at <= now)
        .map(|found| found.data.code)
        .collect();
    codes.sort();
    codes.dedup();
    entries.extend(
        codes
            .into_iter()
            .map(|code| always(format!("/terms/{}", encoded(&code)))),
    );
    let products = products::shown(pool).await?.into_iter();
    entries.extend(products.map(|(id, changed)| Entry {
        path: format!("/shop/products/{id}"),
        changed: Some(changed),
    }));
    Ok(entries)
}

impl Files {
    /// Builds the files with at most `most` addresses each.
    fn of(url: &str, entries: &[Entry], most: usize) -> Self {
        let parts: Vec<String> = entries
            .chunks(most)
            .map(|part| addresses(url, part))
            .collect();
        match <[String; 1]>::try_from(parts) {
            Ok([whole]) => Self {
                whole,
                parts: Vec::new(),
            },
            Err(parts) => Self {
                whole: index(url, parts.len()),
                parts,
            },
        }
    }

    /// The whole file, or one part (from 1); none for an unknown part.
    fn part(&self, part: Option<usize>) -> Option<&str> {
        match part {
            None => Some(&self.whole),
            Some(number) => self.parts.get(number.checked_sub(1)?).map(String::as_str),
        }
    }
}

fn index(url: &str, parts: usize) -> String {
    let parts: String = (1..=parts)
        .map(|number| {
            let at = escaped(&format!("{url}/sitemap-{number}.xml"));
            format!("<sitemap><loc>{at}</loc></sitemap>\n")
        })
        .collect();
    document("sitemapindex", &parts)
}

fn addresses(url: &str, entries: &[Entry]) -> String {
    let addresses: String = entries
        .iter()
        .map(|entry| {
            let changed = entry.changed.and_then(|at| at.format(&Rfc3339).ok());
            let changed = changed.map(|at| format!("<lastmod>{at}</lastmod>"));
            let at = escaped(&format!("{url}{}", entry.path));
            format!(
                "<url><loc>{at}</loc>{}</url>\n",
                changed.unwrap_or_default()
            )
        })
        .collect();
    document("urlset", &addresses)
}

fn document(root: &str, inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{inside}</{root}>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<Entry> {
        (0..count)
            .map(|number| Entry {
                path: format!("/a?b={number}&c"),
                changed: Some(OffsetDateTime::UNIX_EPOCH),
            })
            .collect()
    }

    #[test]
    fn what_fits_is_one_file_and_what_does_not_is_a_list_of_parts() {
        let one = Files::of("https://s", &entries(3), 3);
        let whole = one.part(None).unwrap_or_default();
        assert_eq!(whole.matches("<url>").count(), 3);
        assert!(whole.contains("<loc>https://s/a?b=0&amp;c</loc><lastmod>1970-01-01T00:00:00Z"));
        assert!(one.part(Some(1)).is_none());

        let many = Files::of("https://s", &entries(7), 3);
        let index = many.part(None).unwrap_or_default();
        assert_eq!(index.matches("<sitemap>").count(), 3);
        assert!(index.contains("https://s/sitemap-3.xml"));
        let held = |part| {
            many.part(Some(part))
                .map(|xml| xml.matches("<url>").count())
        };
        assert_eq!(
            [0, 1, 2, 3, 4].map(held),
            [None, Some(3), Some(3), Some(1), None]
        );
    }

    #[test]
    fn robots_are_kept_out_of_what_is_somebodys_own() {
        let robots = robots("https://s");
        for path in ["/console", "/mypage", "/cart", "/shop/order"] {
            assert!(robots.contains(&format!("Disallow: {path}\n")), "{path}");
        }
        assert!(!robots.contains("Disallow: /shop/products"));
        assert!(robots.ends_with("Sitemap: https://s/sitemap.xml\n"));
    }
}
