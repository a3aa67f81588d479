//! What a page says before any script runs, written into the built page: its head for search engines and for pictures of
//! shared links, and a plain summary for readers without scripts. Everything that comes from a record is escaped here.

use std::fmt::Write;

use axum::http::StatusCode;
use serde_json::Value;

/// A link in the summary.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Path on this site.
    pub to: String,
    /// What it says.
    pub text: String,
}

/// What a page is about.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// How the page is answered.
    pub status: StatusCode,
    /// What the window is called, without the shop's name.
    pub title: String,
    /// A sentence about it.
    pub description: String,
    /// Address of a picture, on this site or whole.
    pub picture: Option<String>,
    /// The large picture on top of the page, fetched while the scripts still load.
    pub first: Option<String>,
    /// The `og:type`.
    pub kind: &'static str,
    /// Path and query it is to be known by.
    pub address: String,
    /// Whether search engines may show it.
    pub index: bool,
    /// JSON-LD.
    pub facts: Vec<Value>,
    /// Where one can go from here.
    pub links: Vec<Link>,
}

/// The site around a page.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Where it is reached, without a slash at the end.
    pub url: String,
    /// What stands behind every title.
    pub short: String,
    /// The shop's name as its setting has it.
    pub name: String,
    /// ISO 4217.
    pub currency: String,
}

impl Site {
    /// An address on this site, whole.
    pub fn at(&self, path: &str) -> String {
        match path.starts_with('/') && !path.starts_with("//") {
            true => format!("{}{path}", self.url),
            false => path.to_owned(),
        }
    }
}

/// The built page with everything in it that belongs to this answer.
pub(super) fn filled(shell: &str, nonce: &str, head: &str, summary: &str) -> String {
    let html = shell.replace("<script", &format!("<script nonce=\"{nonce}\""));
    let (before, after) = html.split_once("<title>").unwrap_or((&html, ""));
    let after = after
        .split_once("</title>")
        .map_or(after, |(_, after)| after);
    let (between, body) = after.split_once("<!--head-->").unwrap_or((after, ""));
    let (root, rest) = body.split_once("<!--summary-->").unwrap_or((body, ""));
    let head = head.replace("<script", &format!("<script nonce=\"{nonce}\""));
    [before, between, &head, root, summary, rest].concat()
}

/// The tags of a page's head.
pub(super) fn head(site: &Site, about: &About) -> String {
    let title = match about.title == site.short {
        true => about.title.clone(),
        false => format!("{} | {}", about.title, site.short),
    };
    let description = shortened(&about.description);
    let canonical = site.at(&about.address);
    let picture = site.at(about.picture.as_deref().unwrap_or("/share.png"));
    let mut html = format!("<title>{}</title>", escaped(&title));
    let mut tag = |key: &str, name: &str, content: &str| {
        if !content.is_empty() {
            // writing into a string does not fail
            let _ = write!(
                html,
                "<meta {key}=\"{name}\" content=\"{}\">",
                escaped(content)
            );
        }
    };
    tag("name", "description", &description);
    if !about.index {
        tag("name", "robots", "noindex");
    }
    if about.status.is_success() {
        tag("property", "og:title", &about.title);
        tag("property", "og:description", &description);
        tag("property", "og:image", &picture);
        tag("property", "og:type", about.kind);
        tag("property", "og:url", &canonical);
        tag("property", "og:locale", "ko_KR");
        tag("property", "og:site_name", &site.name);
        let _ = write!(
            html,
            "<link rel=\"canonical\" href=\"{}\">",
            escaped(&canonical)
        );
    }
    if let Some(first) = &about.first {
        let _ = write!(
            html,
            "<link rel=\"preload\" as=\"image\" fetchpriority=\"high\" href=\"{}\">",
            escaped(first)
        );
    }
    for fact in &about.facts {
        let _ = write!(
            html,
            "<script type=\"application/ld+json\">{}</script>",
            data(fact)
        );
    }
    html
}

/// The page for readers without scripts.
pub(super) fn summary(about: &About) -> String {
    let mut html = format!("<noscript><h1>{}</h1>", escaped(&about.title));
    if !about.description.is_empty() {
        let _ = write!(html, "<p>{}</p>", escaped(&about.description));
    }
    if !about.links.is_empty() {
        html.push_str("<ul>");
        for link in &about.links {
            let (to, text) = (escaped(&link.to), escaped(&link.text));
            let _ = write!(html, "<li><a href=\"{to}\">{text}</a></li>");
        }
        html.push_str("</ul>");
    }
    html.push_str("</noscript>");
    html
}

/// Text as HTML, in an element or in a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// JSON as it may stand inside a script: nothing in it can end the script or begin a comment.
fn data(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// One line of at most 160 characters.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > 160 {
        true => line.chars().take(159).chain(['…']).collect(),
        false => line,
    }
}

/// A part of a path, encoded.
pub(super) fn encoded(part: &str) -> String {
    form_urlencoded::byte_serialize(part.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

/// A part of a path as it was before it was encoded.
pub(super) fn decoded(part: &str) -> String {
    // a plus is a plus in a path
    let query = format!("part={}", part.replace('+', "%2B").replace('&', "%26"));
    form_urlencoded::parse(query.as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const HOSTILE: &str = "</script><script>alert(1)</script>\"'<!--head--><!--summary-->&";

    fn about() -> About {
        About {
            status: StatusCode::OK,
            title: HOSTILE.to_owned(),
            description: HOSTILE.to_owned(),
            picture: Some(format!("/{HOSTILE}")),
            first: Some(HOSTILE.to_owned()),
            kind: "website",
            address: "/a?b=c&d".to_owned(),
            index: false,
            facts: vec![json!({ "name": HOSTILE })],
            links: vec![Link {
                to: format!("/{HOSTILE}"),
                text: HOSTILE.to_owned(),
            }],
        }
    }

    fn site() -> Site {
        Site {
            url: "https://shop.example".to_owned(),
            short: "장부".to_owned(),
            name: HOSTILE.to_owned(),
            currency: "USD".to_owned(),
        }
    }

    #[test]
    fn what_a_record_says_stays_text() {
        let (head, summary) = (head(&site(), &about()), summary(&about()));
        assert_eq!(head.matches("<script").count(), 1, "{head}");
        assert_eq!(head.matches("</script>").count(), 1, "{head}");
        assert!(!summary.contains("<script"), "{summary}");
        assert!(!head.contains("<!--") && !summary.contains("<!--"));
        let tags = head.split("<script").next().unwrap_or_default();
        assert!(!tags.contains("\"'") && !summary.contains("\"'"), "{tags}");
        assert!(head.contains("\\u003c/script\\u003e"));
        assert!(head.contains("content=\"noindex\""));
        assert!(head.contains("href=\"https://shop.example/a?b=c&amp;d\""));
    }

    #[test]
    fn the_built_page_keeps_everything_else() {
        let shell =
            "<x><title>old</title><y><!--head--></x><b><!--summary--><script src=x></script>";
        assert_eq!(
            filled(shell, "n", "<title>new</title><script>1</script>", "<s>"),
            "<x><y><title>new</title><script nonce=\"n\">1</script></x><b><s><script nonce=\"n\" src=x></script>"
        );
    }

    #[test]
    fn parts_of_paths_survive_the_way_there_and_back() {
        for part in ["가 나", "a+b", "a&b=c", "%", "a/b"] {
            assert_eq!(decoded(&encoded(part)), part);
        }
        assert_eq!(encoded("가 나"), "%EA%B0%80%20%EB%82%98");
    }

    #[test]
    fn a_long_description_is_one_short_line() {
        assert_eq!(shortened(" a\n b "), "a b");
        assert_eq!(shortened(&"가".repeat(200)).chars().count(), 160);
    }
}
