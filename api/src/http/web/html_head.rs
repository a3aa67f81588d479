//! Page content before any script runs, inserted into the built shell: the head for search engines and link previews, and a plain
//! summary for readers without scripts. Everything from records is escaped here.

use application::blob_store::WIDTHS;
use std::fmt::Write;

use axum::http::StatusCode;
use serde_json::Value;

use super::preload::{Answer, Audience};

/// A link in the summary.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Path on this site.
    pub to: String,
    /// Link text.
    pub text: String,
}

/// A picture visible at the top of the page.
#[derive(Clone, Debug)]
pub(super) struct FirstPicture {
    /// Its address.
    pub url: String,
    /// Media query of the screens it is for; none for all.
    pub media: Option<&'static str>,
    /// Displayed width, as in the app's `sizes`; none where the app displays it in one size.
    pub sizes: Option<&'static str>,
}

impl FirstPicture {
    /// A picture for all screens, with this displayed width; empty without an address.
    pub fn of(url: &str, sizes: &'static str) -> Vec<Self> {
        let found = Self::on(url, None).map(|picture| Self {
            sizes: Some(sizes),
            ..picture
        });
        found.into_iter().collect()
    }

    /// A picture for some screens; none without an address.
    pub fn on(url: &str, media: Option<&'static str>) -> Option<Self> {
        let url = url.to_owned();
        (!url.is_empty()).then_some(Self {
            url,
            media,
            sizes: None,
        })
    }
}

/// The sizes of a picture of the shop, as in the app's `srcset`; none for external pictures.
fn srcset(url: &str) -> Option<String> {
    let stem = url.strip_suffix(".webp")?;
    let ours = ["/files/", "/pictures/"]
        .iter()
        .any(|folder| stem.starts_with(folder));
    let sizes = WIDTHS.map(|width| format!("{stem}-{width}.webp {width}w"));
    ours.then(|| sizes.join(", "))
}

/// Data that lets the app start without requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    /// The chunks of the page's code.
    pub chunks: Vec<String>,
    /// Responses to its first API requests.
    pub answers: Vec<Answer>,
}

/// Metadata of a page.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// HTTP status of the page.
    pub status: StatusCode,
    /// Title of the page, without the shop's name.
    pub title: String,
    /// Meta description.
    pub description: String,
    /// Address of a picture, absolute or on this site.
    pub picture: Option<String>,
    /// The large picture at the top of the page, fetched while the scripts load.
    pub first: Vec<FirstPicture>,
    /// The `og:type`.
    pub kind: &'static str,
    /// Canonical path and query.
    pub address: String,
    /// Whether search engines may index it.
    pub index: bool,
    /// JSON-LD.
    pub facts: Vec<Value>,
    /// Links of the summary.
    pub links: Vec<Link>,
}

/// The site of a page.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Base URL, without a trailing slash.
    pub url: String,
    /// Suffix of every title.
    pub short: String,
    /// The shop's name in the site setting.
    pub name: String,
    /// ISO 4217.
    pub currency: String,
}

impl Site {
    /// The absolute URL of a path.
    pub fn at(&self, path: &str) -> String {
        match path.starts_with('/') && !path.starts_with("//") {
            true => format!("{}{path}", self.url),
            false => path.to_owned(),
        }
    }
}

/// The inserted parts by place: into the head, after the shell's scripts and styles, and into the body.
pub(super) fn parts(site: &Site, about: &About, start: &Start) -> [String; 3] {
    let chunks = start.chunks.iter().map(|chunk| {
        let chunk = escaped(chunk);
        format!("<link rel=\"modulepreload\" crossorigin href=\"{chunk}\">")
    });
    let body = summary(about) + &answers(&start.answers);
    [head(site, about), chunks.collect(), body]
}

/// The built shell with its [`parts`] inserted.
pub(super) fn filled(shell: &str, nonce: &str, parts: &[String; 3]) -> String {
    let ours = |html: &str| html.replace("<script", &format!("<script nonce=\"{nonce}\""));
    let [head, chunks, body] = parts;
    let html = ours(shell);
    let (before, after) = html.split_once("<title>").unwrap_or((&html, ""));
    let after = after
        .split_once("</title>")
        .map_or(after, |(_, after)| after);
    let (between, after) = after.split_once("<!--head-->").unwrap_or((after, ""));
    let (links, after) = after.split_once("</head>").unwrap_or((after, ""));
    let (root, rest) = after.split_once("<!--summary-->").unwrap_or((after, ""));
    [
        before,
        between,
        &ours(head),
        links,
        chunks,
        "</head>",
        root,
        &ours(body),
        rest,
    ]
    .concat()
}

/// The responses for the app: by audience, then by address.
fn answers(answers: &[Answer]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let group = |audience: Audience| {
        let pairs: Vec<String> = answers
            .iter()
            .filter(|answer| answer.audience == audience)
            .map(|answer| format!("{}:{}", Value::from(answer.address.as_str()), answer.json))
            .collect();
        format!("{{{}}}", pairs.join(","))
    };
    format!(
        "<script type=\"application/json\" id=\"__DATA__\">{}</script>",
        quiet(&format!(
            "{{\"always\":{},\"everybody\":{},\"guests\":{}}}",
            group(Audience::Always),
            group(Audience::Everybody),
            group(Audience::Guests)
        ))
    )
}

/// The head elements of a page.
fn head(site: &Site, about: &About) -> String {
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
            // Writing to a string cannot fail.
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
    for FirstPicture { url, media, sizes } in &about.first {
        let media = media.map(|media| format!(" media=\"{}\"", escaped(media)));
        let sized = sizes.zip(srcset(url)).map(|(sizes, srcset)| {
            let (sizes, srcset) = (escaped(sizes), escaped(&srcset));
            format!(" imagesrcset=\"{srcset}\" imagesizes=\"{sizes}\"")
        });
        let _ = write!(
            html,
            "<link rel=\"preload\" as=\"image\" fetchpriority=\"high\" href=\"{}\"{}{}>",
            escaped(url),
            media.unwrap_or_default(),
            sized.unwrap_or_default()
        );
    }
    for fact in &about.facts {
        let _ = write!(
            html,
            "<script type=\"application/ld+json\">{}</script>",
            quiet(&fact.to_string())
        );
    }
    html
}

/// The page body for readers without scripts.
fn summary(about: &About) -> String {
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

/// Text escaped for HTML elements and quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

/// JSON escaped for a script element: it cannot end the script, begin a comment or break a line.
fn quiet(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// Shortens text to one line of at most 160 characters.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > 160 {
        true => line.chars().take(159).chain(['…']).collect(),
        false => line,
    }
}

/// Percent-encodes a path segment.
pub(super) fn encoded(part: &str) -> String {
    form_urlencoded::byte_serialize(part.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

/// Decodes a path segment.
pub(super) fn decoded(part: &str) -> String {
    // A plus in a path is a literal plus.
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
            first: FirstPicture::of(HOSTILE, HOSTILE),
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

    #[test]
    fn only_pictures_of_the_shop_come_in_sizes() {
        let sizes = "/files/a-200.webp 200w, /files/a-400.webp 400w, /files/a-800.webp 800w, /files/a-1600.webp 1600w";
        assert_eq!(srcset("/files/a.webp").as_deref(), Some(sizes));
        assert_eq!(srcset("/pictures/a.png"), None);
        assert_eq!(srcset("https://elsewhere.example/a.webp"), None);
    }

    #[test]
    fn a_picture_in_sight_is_fetched_in_the_size_it_is_shown_in() {
        let picture = About {
            first: FirstPicture::of("/pictures/a.webp", "50vw"),
            ..about()
        };
        let html = parts(&site(), &picture, &Start::default()).concat();
        let sizes = srcset("/pictures/a.webp").unwrap_or_default();
        let expected =
            format!("href=\"/pictures/a.webp\" imagesrcset=\"{sizes}\" imagesizes=\"50vw\">");
        assert!(html.contains(&expected), "{html}");
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
        let shell = "<x><title>old</title><y><!--head--><script src=x></script></head><b><!--summary--></b>";
        let parts = [
            "<title>new</title><script>1</script>",
            "<link>",
            "<s><script>2</script>",
        ];
        assert_eq!(
            filled(shell, "n", &parts.map(str::to_owned)),
            "<x><y><title>new</title><script nonce=\"n\">1</script><script nonce=\"n\" src=x></script><link></head>\
             <b><s><script nonce=\"n\">2</script></b>"
        );
    }

    #[test]
    fn an_answer_cannot_end_its_script_or_break_its_line() {
        let said = format!("{HOSTILE}\u{2028}\u{2029}");
        let address = "/api/v1/x?a=</script>";
        let answer = |audience| Answer {
            address: address.to_owned(),
            audience,
            json: json!({ "name": said }).to_string(),
        };
        for (audience, group) in [
            (Audience::Always, "always"),
            (Audience::Everybody, "everybody"),
            (Audience::Guests, "guests"),
        ] {
            let html = answers(&[answer(audience)]);
            assert_eq!(html.matches("</script>").count(), 1, "{html}");
            assert!(!html.contains(['\u{2028}', '\u{2029}', '&']), "{html}");
            let json = html.split(['>', '<']).nth(2).unwrap_or_default();
            let read: Value = serde_json::from_str(json).unwrap_or_default();
            let own = json!({ address: { "name": said } });
            assert_eq!(read.get(group), Some(&own));
        }
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
