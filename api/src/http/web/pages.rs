//! The routes of the app, exported from its route table to `web/routes.json`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A route of the app.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    /// Pattern: `:name` matches one segment, `*` the rest.
    pub path: String,
    /// Title of the page.
    pub title: Option<String>,
    /// Route it redirects to.
    redirect: Option<String>,
    /// Whether search engines may index it.
    pub index: bool,
    /// Entry file of its code, as named in the build's manifest.
    #[serde(default)]
    pub module: Option<String>,
}

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../web/routes.json")).unwrap_or_default()
});

impl Page {
    /// The redirect target when requested as `path`, with its `:name`s filled in.
    pub fn leads_to(&self, path: &str) -> Option<String> {
        let target = self.redirect.as_deref()?;
        let named: Vec<(&str, &str)> = self.path.split('/').zip(path.split('/')).collect();
        let filled = target.split('/').map(|part| {
            let given = named.iter().find(|(name, _)| *name == part);
            given.map_or(part, |(_, value)| value)
        });
        Some(filled.collect::<Vec<_>>().join("/"))
    }

    /// Whether it is a single address, not a pattern or redirect.
    pub fn stands_alone(&self) -> bool {
        self.redirect.is_none() && !self.path.contains([':', '*'])
    }
}

/// The page at this path; a trailing slash is ignored.
pub(super) fn known(path: &str) -> Option<&'static Page> {
    let path = path.trim_end_matches('/');
    PAGES
        .iter()
        .find(|page| matches(page.path.trim_end_matches('/'), path))
}

/// The indexable pages with a single address.
pub(super) fn open() -> impl Iterator<Item = &'static Page> {
    PAGES
        .iter()
        .filter(|page| page.index && page.stands_alone())
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
        assert!(known("/").is_some());
        assert!(known("/no/such/page").is_none());
        assert!(open().all(|page| !page.path.starts_with("/mypage")));
    }

    #[test]
    fn a_signpost_carries_the_names_over() {
        let page = Page {
            path: "/minishop/:userId/story".to_owned(),
            title: None,
            redirect: Some("/minishop/:userId/story/daily".to_owned()),
            index: true,
            module: None,
        };
        assert_eq!(
            page.leads_to("/minishop/7/story").as_deref(),
            Some("/minishop/7/story/daily")
        );
    }
}
