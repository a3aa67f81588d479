//! Web addresses in documents. Links and resources given to a shopper's browser are either on this site or use https: no scripts,
//! and nothing that can be replaced in transit.

/// Folders the shop serves files from: uploads and its own pictures.
const FOLDERS: [&str; 2] = ["/files/", "/pictures/"];

/// Whether this is a file served by this shop: `/files/0a1b.webp`.
pub fn is_own_file(address: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    FOLDERS.iter().any(|folder| {
        address
            .strip_prefix(folder)
            .is_some_and(|name| !name.is_empty() && !name.contains("..") && name.chars().all(plain))
    })
}

/// Whether this is a file of this shop, or an https address.
pub fn is_file(address: &str) -> bool {
    is_own_file(address) || is_web(address)
}

/// Whether this is a page of this shop (`/shop`, not `//elsewhere`), or an https address.
pub fn is_page(address: &str) -> bool {
    is_own_path(address) || is_web(address)
}

fn is_own_path(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//") && is_plain(address)
}

/// Whether this is `https://` with a host.
fn is_web(address: &str) -> bool {
    let rest = address
        .get(..8)
        .filter(|scheme| scheme.eq_ignore_ascii_case("https://"));
    let rest = rest.and_then(|_| address.get(8..)).unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && is_plain(address)
}

/// Whether the address has no characters that browsers rewrite or drop: they read `\` as `/` and remove line breaks.
fn is_plain(address: &str) -> bool {
    address
        .chars()
        .all(|letter| !letter.is_whitespace() && !letter.is_control() && letter != '\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_our_own_or_https() {
        for (address, page, file, own) in [
            ("/files/0a1b.webp", true, true, true),
            ("/pictures/BK-ROAD-01.webp", true, true, true),
            ("/shop/products?category=bike#new", true, false, false),
            ("/상품/자전거", true, false, false),
            ("https://example.com", true, true, false),
            ("HTTPS://example.com/a.webp", true, true, false),
            ("/files/", true, false, false),
            ("/files/../etc", true, false, false),
            ("/files/..", true, false, false),
            ("/files/a/b.webp", true, false, false),
            ("//elsewhere/files/a.webp", false, false, false),
            ("/\\elsewhere", false, false, false),
            ("\\\\elsewhere", false, false, false),
            ("/\n/elsewhere", false, false, false),
            ("/\t/elsewhere", false, false, false),
            ("https://", false, false, false),
            ("https:///path", false, false, false),
            ("https://shop.example@elsewhere/", false, false, false),
            ("https:elsewhere", false, false, false),
            ("http://example.com/a.webp", false, false, false),
            ("javascript:alert(1)", false, false, false),
            (" javascript:alert(1)", false, false, false),
            ("java\nscript:alert(1)", false, false, false),
            ("data:text/html,<script>1</script>", false, false, false),
            ("vbscript:1", false, false, false),
            ("file:///etc/passwd", false, false, false),
            ("blob:https://example.com/1", false, false, false),
            ("example.com", false, false, false),
            ("", false, false, false),
        ] {
            let found = (is_page(address), is_file(address), is_own_file(address));
            assert_eq!(found, (page, file, own), "{address}");
        }
    }
}
