//! What search engines ask for: `/robots.txt`, and `/sitemap.xml` with its parts once one file cannot hold everything.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::catalogue::tree::Branch;
use domain::front::{Brand, Showroom, Terms};
use projections::{categories, products, records};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::head::{encoded, escaped};
use super::{files, pages};
use crate::app::AppState;
use crate::http::ApiResult;

/// Addresses in one file at most (sitemaps.org).
const MOST: usize = 50_000;

/// Nobody finds anything there.
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

/// An address with the day its record changed.
struct Entry {
    path: String,
    changed: Option<OffsetDateTime>,
}

/// The answer, if it is one of these files.
pub(super) async fn answer(
    app: &AppState,
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
    Some(match entries(app).await {
        Ok(entries) => match sitemap(url, &entries, part, MOST) {
            Some(xml) => text("application/xml; charset=utf-8", xml, seen),
            None => files::none(),
        },
        Err(error) => error.into_response(),
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

/// Everything search engines may show.
async fn entries(app: &AppState) -> ApiResult<Vec<Entry>> {
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

/// The file: everything, or the list of its parts if that is more than `most`, or one part (from 1 on); none: no such part.
fn sitemap(url: &str, entries: &[Entry], part: Option<usize>, most: usize) -> Option<String> {
    let chunks = entries.len().div_ceil(most);
    let shown = match part {
        None if chunks > 1 => {
            let parts: String = (1..=chunks)
                .map(|number| {
                    let at = escaped(&format!("{url}/sitemap-{number}.xml"));
                    format!("<sitemap><loc>{at}</loc></sitemap>\n")
                })
                .collect();
            return Some(document("sitemapindex", &parts));
        }
        None => entries,
        Some(number) if chunks > 1 => entries.chunks(most).nth(number.checked_sub(1)?)?,
        Some(_) => return None,
    };
    let addresses: String = shown
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
    Some(document("urlset", &addresses))
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
        let one = sitemap("https://s", &entries(3), None, 3).unwrap_or_default();
        assert_eq!(one.matches("<url>").count(), 3);
        assert!(one.contains("<loc>https://s/a?b=0&amp;c</loc><lastmod>1970-01-01T00:00:00Z"));
        assert!(sitemap("https://s", &entries(3), Some(1), 3).is_none());

        let many = entries(7);
        let index = sitemap("https://s", &many, None, 3).unwrap_or_default();
        assert_eq!(index.matches("<sitemap>").count(), 3);
        assert!(index.contains("https://s/sitemap-3.xml"));
        let held = |part| {
            sitemap("https://s", &many, Some(part), 3).map(|xml| xml.matches("<url>").count())
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
