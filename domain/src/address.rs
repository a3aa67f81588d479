//! Addresses people write into documents. What a shopper's browser is led to or loads is this site's own or comes over https:
//! never a script, never what somebody on the way could exchange.

/// Where the shop serves files from: those given to it, and its own pictures.
const FOLDERS: [&str; 2] = ["/files/", "/pictures/"];

/// A file this shop serves: `/files/0a1b.webp`.
pub fn is_own_file(address: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    FOLDERS.iter().any(|folder| {
        address
            .strip_prefix(folder)
            .is_some_and(|name| !name.is_empty() && !name.contains("..") && name.chars().all(plain))
    })
}

/// A file of this shop, or one of the web.
pub fn is_file(address: &str) -> bool {
    is_own_file(address) || is_web(address)
}

/// A page of this shop (`/shop`, not `//elsewhere`), or one of the web.
pub fn is_page(address: &str) -> bool {
    is_own_path(address) || is_web(address)
}

fn is_own_path(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//") && is_plain(address)
}

/// `https://` and a host.
fn is_web(address: &str) -> bool {
    let rest = address
        .get(..8)
        .filter(|scheme| scheme.eq_ignore_ascii_case("https://"));
    let rest = rest.and_then(|_| address.get(8..)).unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !host.contains('@') && is_plain(address)
}

/// Nothing browsers skip or turn round: they read `\` as `/` and leave line breaks out.
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
