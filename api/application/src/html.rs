//! HTML written by staff and sellers, sanitised before it is stored, so that it cannot run scripts in shoppers' browsers.
//!
//! Allowed is what a product page needs: text, headings, lists, tables, pictures, links. Everything else (scripts, frames, forms, handlers,
//! positions that cover the page, addresses that are neither this shop's own nor https) is removed; the text inside removed elements stays.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::Builder;
use domain::address::{is_file, is_page};
use domain::record::Document;
use serde_json::Value;

/// Elements a description may have.
const ELEMENTS: [&str; 47] = [
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Attributes allowed for an element.
const ATTRIBUTES: [(&str, &[&str]); 7] = [
    ("a", &["href", "target"]),
    ("img", &["src", "alt", "width", "height", "loading"]),
    ("table", &["summary"]),
    ("td", &["colspan", "rowspan"]),
    ("th", &["colspan", "rowspan", "scope"]),
    ("col", &["span"]),
    ("ol", &["start"]),
];

/// Allowed styles: colours, sizes and margins, no positions.
const STYLES: [&str; 22] = [
    "background-color",
    "border",
    "border-color",
    "border-radius",
    "border-style",
    "border-width",
    "color",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "letter-spacing",
    "line-height",
    "margin",
    "max-width",
    "padding",
    "text-align",
    "text-decoration",
    "text-indent",
    "vertical-align",
    "white-space",
    "width",
];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let attributes: HashMap<&str, HashSet<&str>> = ATTRIBUTES
        .into_iter()
        .map(|(element, names)| (element, names.iter().copied().collect()))
        .collect();
    let mut builder = Builder::empty();
    builder
        .tags(ELEMENTS.into())
        .clean_content_tags(["script", "style", "template", "noscript"].into())
        .tag_attributes(attributes)
        .generic_attributes(["class", "style", "title", "lang", "dir"].into())
        .filter_style_properties(STYLES.into())
        .url_schemes(["https", "mailto", "tel"].into())
        .attribute_filter(|element, attribute, address| {
            let is_right = match (element, attribute) {
                ("img", "src") => is_file(address),
                ("a", "href") => leads_somewhere(address),
                _ => true,
            };
            is_right.then(|| address.into())
        })
        .link_rel(Some("noopener noreferrer nofollow"));
    builder
});

/// Whether a link of a text is allowed: to a page, to an anchor, `mailto:` or `tel:`.
fn leads_somewhere(address: &str) -> bool {
    let calls = ["#", "mailto:", "tel:"];
    is_page(address) || calls.iter().any(|begins| address.starts_with(begins))
}

/// The HTML without elements and attributes that could harm a reader.
pub fn clean(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

static TEXT_ONLY: LazyLock<Builder<'static>> = LazyLock::new(Builder::empty);

/// The text of sanitised HTML, to search in.
pub fn plain_text(html: &str) -> String {
    let text = TEXT_ONLY.clean(html).to_string();
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(text, |text, (entity, letter)| text.replace(entity, letter))
}

/// Sanitises the named fields; `*` stands for every item of a list: `items.*.content`.
pub fn clean_fields(fields: &mut Document, paths: &[impl AsRef<str>]) {
    for path in paths {
        let path = path.as_ref();
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        if let Some(value) = fields.get_mut(first) {
            clean_at(value, rest);
        }
    }
}

fn clean_at(value: &mut Value, path: &str) {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match value {
        Value::String(html) if path.is_empty() => *html = clean(html),
        Value::Array(items) if first == "*" => {
            items.iter_mut().for_each(|item| clean_at(item, rest));
        }
        Value::Object(fields) => {
            if let Some(inner) = fields.get_mut(first) {
                clean_at(inner, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_could_harm_is_left_out() {
        let rows = [
            ("<p>안녕<script>alert(1)</script></p>", "<p>안녕</p>"),
            ("<SCRIPT SRC=//evil.example/x.js></SCRIPT>글", "글"),
            ("<img src=x onerror=alert(1)>", "<img>"),
            (
                "<img src=\"/files/a.webp\" onerror=alert(1)>",
                "<img src=\"/files/a.webp\">",
            ),
            ("<img src=\"//evil.example/a.png\">", "<img>"),
            ("<img src=\"/\\evil.example/a.png\">", "<img>"),
            ("<img src=\"http://example.com/a.png\">", "<img>"),
            ("<img src=\"/api/v1/auth/logout\">", "<img>"),
            (
                "<a href=\"//evil.example\">글</a>",
                "<a rel=\"noopener noreferrer nofollow\">글</a>",
            ),
            (
                "<a href=\"http://evil.example/\">글</a>",
                "<a rel=\"noopener noreferrer nofollow\">글</a>",
            ),
            ("<p onclick=\"alert(1)\">글</p>", "<p>글</p>"),
            (
                "<a href=\"javascript:alert(1)\">글</a>",
                "<a rel=\"noopener noreferrer nofollow\">글</a>",
            ),
            (
                "<a href=\" java\nscript:alert(1)\">글</a>",
                "<a rel=\"noopener noreferrer nofollow\">글</a>",
            ),
            (
                "<img src=\"data:text/html,<script>alert(1)</script>\">",
                "<img>",
            ),
            ("<iframe src=\"https://evil.example/\"></iframe>글", "글"),
            ("<svg><script>alert(1)</script></svg>글", "글"),
            ("<style>body{display:none}</style>글", "글"),
            (
                "<form action=\"/x\"><input name=\"password\">글</form>",
                "글",
            ),
            (
                "<div style=\"position:fixed;top:0;color:red\">글</div>",
                "<div style=\"color:red\">글</div>",
            ),
            (
                "<meta http-equiv=\"refresh\" content=\"0;url=//evil.example\">글",
                "글",
            ),
            ("<base href=\"//evil.example/\">글", "글"),
        ];
        for (written, kept) in rows {
            assert_eq!(clean(written), kept, "{written}");
        }
    }

    #[test]
    fn the_text_of_a_page_has_no_elements_and_no_entities() {
        let page = "<p class=\"strong\">배송 &amp; <strong>반품</strong></p>";
        assert_eq!(plain_text(page), "배송 & 반품");
    }

    #[test]
    fn what_a_product_page_needs_stays() {
        let page = "<h2>소재</h2><p style=\"text-align:center\"><strong>알루미늄</strong> &amp; 카본</p><ul><li>가벼움</li></ul>\
            <table><thead><tr><th scope=\"col\">크기</th></tr></thead><tbody><tr><td colspan=\"2\">M</td></tr></tbody></table>\
            <img src=\"/files/a.webp\" alt=\"앞모습\" width=\"800\">";
        assert_eq!(clean(page), page);
        assert_eq!(clean(&clean(page)), page);
        assert_eq!(
            clean("<a href=\"https://example.com/\" target=\"_blank\">설명서</a>"),
            "<a href=\"https://example.com/\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">설명서</a>"
        );
    }

    #[test]
    fn fields_are_found_by_their_path() {
        let mut fields = json!({
            "content": "<b>글</b><script>1</script>", "name": "<script>", "items": [{ "content": "<i onclick=x>글</i>" }, 3],
            "page": { "html": "<iframe></iframe>" },
        });
        let document = fields
            .as_object_mut()
            .map(std::mem::take)
            .unwrap_or_default();
        let mut document = document;
        clean_fields(
            &mut document,
            &["content", "items.*.content", "page.html", "missing.x"],
        );
        assert_eq!(
            Value::Object(document),
            json!({ "content": "<b>글</b>", "name": "<script>", "items": [{ "content": "<i>글</i>" }, 3], "page": { "html": "" } })
        );
    }
}
